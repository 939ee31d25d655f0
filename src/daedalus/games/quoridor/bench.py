"""What `daedalus bench quoridor` measures beside what it measures of every game, and OpenSpiel's Quoridor for comparison."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from daedalus.core import InvalidSpec, Position
from daedalus.core.errors import valid
from daedalus.core.registry import make_game
from daedalus.search import Uniform, perft, playouts

from .kernels.policies import Path

# A piece of work: its name, what does it n times or for n units and returns how many it did, and in which unit to tell
# the result: `1/s` and the like are rates, `s` the seconds a single one takes.
Work = tuple[str, Callable[[int], int], str]


def works() -> Iterator[Work]:
    """Playouts that list every legal move, playouts along shortest paths, perft 4."""
    position = Position(make_game("quoridor"), 1)
    yield "playouts.generating", lambda n: playouts(position, n, Uniform()).games, "1/s"
    yield "playouts.path", lambda n: playouts(position, n, Path()).games, "1/s"
    yield "perft4_seconds", lambda n: sum(perft(position, 4) > 0 for _ in range(n)), "s"


def against(rival: str) -> Iterator[Work]:
    """The same of another program, under its own name."""
    if rival != "openspiel":
        raise InvalidSpec(valid("program to compare with", rival, ["openspiel"]))
    try:
        pyspiel: Any = import_module("pyspiel")
    except ImportError:
        raise InvalidSpec("openspiel is not installed: pip install open_spiel") from None
    game = pyspiel.load_game("quoridor(board_size=9)")
    # its only way to playouts wholly in C++: a search that stops after it has judged its root by n of them
    yield "openspiel.quoridor.playouts", lambda n: _searched(pyspiel, game, 1, n), "1/s"
    yield "openspiel.quoridor.uct", lambda n: _searched(pyspiel, game, n, 1), "simulations/s"


def _searched(pyspiel: Any, game: Any, simulations: int, rollouts: int) -> int:
    """A search by OpenSpiel's C++ player with so many uniform rollouts a simulation; how many rollouts that were."""
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, simulations, 4000, False, 1, False)
    bot.mcts_search(game.new_initial_state())
    return simulations * rollouts
