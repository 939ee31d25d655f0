"""Which player a game offers when the user names none, and compiling them all ahead of time."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from daedalus.core import Game, Limit, Position
from daedalus.core.registry import find, kind_of
from daedalus.search import perft, playouts

from .spec import describe, make_agent


def default_opponent(game: Game) -> str:
    """The spec of a good opponent: the game's own choice, else a tree search of a second a move."""
    offered = kind_of(game).opponent
    return str(offered(game)) if offered else "mcts:seconds=1"


def default_analyst(position: Position) -> str:
    """The spec that `analyse` uses: the game's own choice of opponent knows it best."""
    return default_opponent(position.game)


def _work(game_name: str) -> dict[str, Callable[[], Any]]:
    """What there is to compile, by name."""
    kind = find(game_name)
    position = Position(kind.rules(), 1)
    work: dict[str, Callable[[], Any]] = {"playouts": lambda: playouts(position, 1), "perft": lambda: perft(position, 1)}
    for info in describe(game_name):
        if info.name not in ("engine", *kind.slow):
            work[info.name] = partial(_ask, info.name, position)
    return work


def _ask(spec: str, position: Position) -> None:
    make_agent(spec, position.game).choose(position.view(), Limit(simulations=2, depth=1))


def warm_steps(game_name: str) -> list[str]:
    """The names of the steps of `warm`."""
    return list(_work(game_name))


def warm(game_name: str) -> Iterator[str]:
    """Compiles what playing a game needs; yields the name of each step as it begins."""
    for name, run in _work(game_name).items():
        yield name
        run()
