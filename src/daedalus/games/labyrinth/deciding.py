"""What Labyrinth's players that judge moves share: they know which moves end the game."""

import time
from typing import Any

import numpy as np

from daedalus.core import Agent, Candidate, Position, Thought
from daedalus.core.memory import copies
from daedalus.core.registry import registration_of

PROVEN = {1.0: "proven win", 0.0: "proven draw", -1.0: "proven loss"}


def kernels_of(game: Any, name: str) -> Any:
    """The kernels of a module of this folder, compiled for a game."""
    return registration_of(game).kernels.load(f"daedalus.games.labyrinth.kernels.{name}")


def payoffs_at_once(view: Position, moves: Any) -> Any:
    """What each move earns the seat to move if it ends the game; not a number where the game goes on."""
    game: Any = view.game
    s, payoffs = view.state, np.full(moves.size, np.nan)
    heads_home = s.found[view.turn] >= s.cards
    last_turn = game.cap and s.ply + 1 >= game.cap
    if heads_home or last_turn:
        _fill(view, moves, payoffs)
    return payoffs


def _fill(view: Position, moves: Any, payoffs: Any) -> None:
    kernels_of(view.game, "endings").payoffs_at_once(view.game, copies(view.game, [view.state], 2), moves, payoffs)


def decided(view: Position) -> Thought | None:
    """The choice where nothing is left to guess: a move wins at once, or every move ends the game."""
    begun = time.perf_counter()
    moves = np.array(view.legal_moves.codes)
    payoffs = payoffs_at_once(view, moves)
    if not np.any(payoffs == 1.0) and np.any(np.isnan(payoffs)):
        return None
    order = [i for i in np.argsort(-payoffs, kind="stable") if not np.isnan(payoffs[i])]
    ranked = tuple(
        Candidate(view.move(int(moves[i])), float(payoffs[i]), note=PROVEN.get(float(payoffs[i]), "")) for i in order[:20]
    )
    best = ranked[0]
    seconds = time.perf_counter() - begun
    return Thought(best.move, best.value, ranked, (str(best.move),), seconds=seconds, note=best.note)


class Deciding(Agent):
    """A player that knows which moves end the game, and has compiled what tells them before any clock runs."""

    def decided(self, view: Position) -> Thought | None:
        return decided(view)

    def prepare(self, game: Any) -> None:
        view = Position(game, 1).view()
        _fill(view, np.array(view.legal_moves.codes[:1]), np.zeros(1))
        super().prepare(game)
