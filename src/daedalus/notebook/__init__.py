"""Boards in a notebook: `show` a position or a record, `play` a game, with the same board element as in the browser.

Needs the extra `notebook`; without it `show` still shows a picture.
"""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from daedalus.core import Agent, DaedalusError, Limit, Position, Record
from daedalus.core.registry import make_game

if TYPE_CHECKING:
    from .widget import BoardWidget, GameWidget

NEEDED = "boards in a notebook need anywidget: pip install 'daedalus[notebook]'"


class Picture:
    """What `show` shows where there is no widget: the picture of a position."""

    def __init__(self, svg: str) -> None:
        self._svg = svg

    def _repr_svg_(self) -> str:
        return self._svg


def show(thing: Position | Record, seat: int | None = None, flip: bool = False) -> "BoardWidget | Picture":
    """A position, or a record with a slider through its moves; as a seat sees it, if one is named."""
    from .scenes import Replay, Scene, Still

    if not isinstance(thing, (Position, Record)):
        raise DaedalusError(f"show takes a position or a record, not {type(thing).__name__}")
    scene: Scene = Still(thing, seat, flip) if isinstance(thing, Position) else Replay(thing, seat, flip)
    try:
        from .widget import BoardWidget
    except ModuleNotFoundError:
        print(NEEDED, file=sys.stderr)
        return Picture(_svg(thing, seat))
    return BoardWidget(scene)


def _svg(thing: Position | Record, seat: int | None) -> str:
    """The picture of a position, of a record's last."""
    from .scenes import Replay

    if isinstance(thing, Record):
        replay = Replay(thing, seat)
        thing, seat = replay.positions[-1], replay.seat
    return (thing if seat is None else thing.view(seat)).svg()


def play(
    position: Position | str,
    seats: Sequence[str | Agent] = ("human", "expert"),
    limit: Limit | None = None,
    flip: bool | None = None,
    **options: Any,
) -> "GameWidget":
    """A game to play with the mouse: from a position, or a new one by its name and options.

    A seat is "human", a level (novice, club, strong, expert), the spec of an agent, or an agent. Agents think in a thread,
    within `limit`; the board is the human's own view.
    """
    try:
        from .widget import GameWidget
    except ModuleNotFoundError:
        raise DaedalusError(NEEDED) from None
    from .game import Game

    if isinstance(position, str):
        position = Position(make_game(position, **options))
    elif not isinstance(position, Position):
        raise DaedalusError(f"play takes a position or the name of a game, not {type(position).__name__}")
    elif options:
        raise DaedalusError(f"a position has its options already: {', '.join(options)}")
    return GameWidget(Game(position, seats, limit, flip))


__all__ = ["Picture", "play", "show"]
