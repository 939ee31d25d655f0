"""What a network sees of a position, printed: grids as small grids, one-hot rows as the place of the one, numbers as numbers."""

from typing import Any

import numpy as np

from daedalus.core import Position
from daedalus.core.features import Group, by_group, observed

from . import format
from .screen import Screen


def features(screen: Screen, position: Position, as_json: bool) -> None:
    """All groups of features, from the seat that looks or is to move."""
    seat = position.turn if position.seat is None else position.seat
    told = list(by_group(position.game, observed(position)))
    if as_json:
        groups = [{"name": group.name, "meaning": group.meaning, "values": part.tolist()} for group, part in told]
        screen.data(format.facts(position) | {"seat": seat, "features": groups})
        return
    screen.say(f"{position.game.FEATURES} features as {format.seat_name(position.game, seat)} sees them", "bold")
    for group, part in told:
        size = " x ".join(map(str, group.shape))
        screen.say(f"{group.name} ({size}): {group.meaning}")
        for line in _lines(group, part):
            screen.say("    " + line)


def _lines(group: Group, part: np.ndarray) -> list[str]:
    """A group's numbers: rows of a grid, or one line."""
    if len(group.shape) == 2:
        wide = max(len(_number(value)) for value in part.flat)
        return [" ".join(_number(value).rjust(wide) for value in row) for row in part]
    active = np.flatnonzero(part)
    if group.size > 4 and len(active) == 1 and part[active[0]] == 1:
        return [f"1 at {active[0]}"]
    return [" ".join(map(_number, part))]


def _number(value: Any) -> str:
    """A feature in few characters: a dot for nothing."""
    return "." if value == 0 else f"{value:.3g}"
