"""Which player a game offers when the user names none, and compiling them all ahead of time."""

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from daedalus.core import Game, InvalidSpec, Position
from daedalus.core.registry import registration_of
from daedalus.search import perft, playouts

from .spec import describe, make_agent


def default_opponent(game: Game) -> str:
    """The spec of a good opponent: the game's own choice, else a tree search of a second a move."""
    offered = registration_of(game).opponent
    return str(offered(game)) if offered else "mcts:seconds=1"


def default_analyst(position: Position) -> str:
    """The spec that `analyse` uses: the game's own choice of opponent knows it best."""
    return default_opponent(position.game)


def warm_steps(game: Game) -> list[str]:
    """The names of the steps of `warm`."""
    return list(_work(game))


def warm(game: Game) -> Iterator[str]:
    """Compiles what playing a game with its options needs, for every agent; yields the name of each step as it begins."""
    for name, run in _work(game).items():
        yield name
        run()


def _work(game: Game) -> dict[str, Callable[[], Any]]:
    """What there is to compile, by name."""
    position = Position(game, 1)
    work: dict[str, Callable[[], Any]] = {"playouts": lambda: playouts(position, 1), "perft": lambda: perft(position, 1)}
    players = (info.name for info in describe(registration_of(game).name) if info.name != "engine")
    return work | {name: partial(_prepare, name, game) for name in players}


def _prepare(spec: str, game: Game) -> None:
    """Gets an agent ready, unless it does not play the game with these options."""
    with contextlib.suppress(InvalidSpec):
        agent = make_agent(spec, game)
        agent.prepare(game)
        agent.close()
