"""What `daedalus bench labyrinth` measures beside what it measures of every game: van der Zwaag's agents, as it timed them."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from daedalus.core import Position, scramble
from daedalus.core.memory import copies, states, workspaces
from daedalus.core.registry import make_game, registration_of

from .agents import MonteCarlo, RuleBasedPlayer
from .kernels.policies import RANDOM

Work = tuple[str, Callable[[int], int], str]
TIMED: dict[str, dict[str, Any]] = {
    "single": {},
    "single_rulebased": {"playouts": "rulebased"},
    "single_rulebased_allstar": {"playouts": "rulebased", "allstar": True},
}


def works() -> Iterator[Work]:
    """Whole random games, play-outs of S-MC on two boards, and games of van der Zwaag's agents against its rule-based one."""
    yield "random_games", random_games(make_game("labyrinth", cap=0)), "1/s"
    yield "single.playouts", play_outs(make_game("labyrinth")), "1/s"
    for name, how in TIMED.items():
        yield f"{name}.seconds_per_game", _games(MonteCarlo(**how)), "s"
    yield "15x15.playouts", play_outs(make_game("labyrinth", board="15x15")), "1/s"


def _kernels(game: Any) -> Any:
    return registration_of(game).kernels.load("daedalus.games.labyrinth.kernels.montecarlo")


def random_games(game: Any) -> Callable[[int], int]:
    """Games between two of van der Zwaag's random players, each on a new board."""
    S, W = states(game, 2), workspaces(game, 1, 5)

    def work(n: int) -> int:
        _kernels(game).play_games(game, S, W, n, np.full(game.players, RANDOM), np.zeros(2 * game.players + 3))
        return n

    return work


def play_outs(game: Any, boards: int = 8) -> Callable[[int], int]:
    """Play-outs of S-MC: for every legal move of some openings, 100 of four turns each."""
    openings = [Position(game, seed).view() for seed in range(boards)]
    W = workspaces(game, 1, 5)

    def work(n: int) -> int:
        for view in openings:
            moves = np.array(view.legal_moves.codes)
            memory = np.zeros(moves.size), np.zeros(moves.size, np.int64)
            how = (100, 4, RANDOM, True, 50.0, 50.0, 15.0, 10.0)
            _kernels(game).play_outs(game, copies(game, [view.state], 3), W, moves, 0, n, *how, *memory)
        return n * boards

    return work


def _games(agent: MonteCarlo) -> Callable[[int], int]:
    """Games of an agent against the rule-based player, both players' time."""
    game: Any = make_game("labyrinth", cap=0)

    def work(n: int) -> int:
        players = agent, RuleBasedPlayer()
        for seed in range(n):
            for player in players:
                player.new_game(seed)
            position = Position(game, scramble(seed, 3) >> 16)
            while position.outcome() is None:
                position.push(players[position.turn].choose(position.view()).move)
        return n

    return work
