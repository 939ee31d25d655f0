"""Labyrinth (specs: boards, rules and agents of the thesis; variants of its last chapter as options)."""

from daedalus.core import Position
from daedalus.core.registry import register

from . import agents, picture, text
from .kernels.rules import Labyrinth

GAME = register("labyrinth", Labyrinth, text, picture, agents)


def goals_found(position: Position) -> tuple[int, ...]:
    """How many goals each seat has found, its home included: at most 3, 7 and 13 on the thesis's three boards."""
    return tuple(int(n) for n in position.state.found[: position.game.SEATS])
