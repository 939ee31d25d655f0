"""What Labyrinth's players that judge moves share: kernels made ready before a clock runs, and moves that end the game."""

import time
from dataclasses import replace
from typing import Any

import numpy as np

from daedalus.core import Agent, Candidate, Limit, Position, Thought
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


def decided(view: Position, moves: Any) -> Thought | None:
    """The choice where nothing is left to guess: a move wins at once, or every move ends the game."""
    payoffs = payoffs_at_once(view, moves)
    if not np.any(payoffs == 1.0) and np.any(np.isnan(payoffs)):
        return None
    order = [i for i in np.argsort(-payoffs, kind="stable") if not np.isnan(payoffs[i])]
    ranked = tuple(
        Candidate(view.move(int(moves[i])), float(payoffs[i]), note=PROVEN.get(float(payoffs[i]), "")) for i in order[:20]
    )
    best = ranked[0]
    return Thought(best.move, best.value, ranked, (str(best.move),), note=best.note)


class Deciding(Agent):
    """A player that takes a win at hand, ponders where there is none, and compiles nothing while it does.

    Subclasses define `ponder`, and `touch`, which calls every kernel that `ponder` can ever need.
    """

    _ready: Any = None  # the game whose kernels are loaded

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        if self._ready != (type(view.game), view.game):
            self.prepare(view.game)
        begun = time.perf_counter()
        moves = np.array(view.legal_moves.codes)
        sure = decided(view, moves)
        if sure is not None:
            return replace(sure, seconds=time.perf_counter() - begun)
        return self.ponder(view, moves, limit or Limit())

    def prepare(self, game: Any) -> None:
        view = Position(game, 1).view()
        moves = np.array(view.legal_moves.codes)
        _fill(view, moves[:1], np.zeros(1))
        self.touch(view, moves)
        self._ready = type(game), game

    def ponder(self, view: Position, moves: Any, limit: Limit) -> Thought:
        """The choice where no move wins at once."""
        raise NotImplementedError

    def touch(self, view: Position, moves: Any) -> None:
        """Calls every kernel that `ponder` can ever need."""
        raise NotImplementedError
