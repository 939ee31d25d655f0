"""Colosseum Survival! in words: touches, moves and positions as they are spoken."""

import re
from functools import lru_cache
from typing import Any

from daedalus.core.plurals import counted

from .kernels.territory import RIGHT, most_steps
from .layout import openings, standing
from .text import SIDES, barriers, cell_text

_SIDES = ("upper", "right", "lower", "left")


@lru_cache(maxsize=4096)
def cell_name(self: Any, cell: int, opened: int, seat: int | None) -> str:
    """`row 2, column 0, A, walls above and on the left`: a cell, its open sides as bits, and who stands there."""
    who = "" if seat is None else f", {self.SEAT_NAMES[seat]}"
    walls = [name for side, name in enumerate(("above", "on the right", "below", "on the left")) if not opened >> side & 1]
    told = f", {'wall' if len(walls) == 1 else 'walls'} {' and '.join(walls)}" if walls else ""
    return f"row {cell // self.size}, column {cell % self.size}{who}{told}"


def side_name(self: Any, cell: int, side: int) -> str:
    """`between 2,0 and 2,1`: the right or lower side of a cell."""
    return f"between {cell_text(self, cell)} and {cell_text(self, cell + (1 if side == RIGHT else self.size))}"


def touched_cell(self: Any, touch: str) -> tuple[int, int | None] | None:
    """(cell, side of a wall or None) that a touch names; None if there is no such place."""
    found = re.fullmatch(r"cell-(\d+)-(\d+)|wall-(\d+)-(\d+)-([rd])", touch)
    if not found:
        return None
    row, col = (int(found[1]), int(found[2])) if found[1] else (int(found[3]), int(found[4]))
    if max(row, col) >= self.size:
        return None
    return row * self.size + col, SIDES.index(found[5]) if found[5] else None


def touch_name(self: Any, s: Any, seat: int | None, touch: str) -> str:
    place = touched_cell(self, touch)
    if place is None:
        return touch
    cell, side = place
    if side is None:
        return cell_name(self, cell, openings(self, s)[cell], standing(s).get(cell))
    return side_name(self, cell, side) + (", wall" if place in barriers(self, s) else "")


def spoken_move(self: Any, s: Any, m: int) -> str:
    cell, side = m >> 2, ("above", "on the right", "below", "on the left")[m & 3]
    walk = "stay on" if cell == int(s.cell[s.turn]) else "walk to"
    row, column = cell_text(self, cell).split(",")
    return f"{walk} row {row}, column {column}, and put a wall {side}"


def spoken(self: Any, s: Any, seat: int | None) -> str:
    steps = counted(most_steps(self), "step")
    told = ["The zones are apart." if s.ended else f"{self.SEAT_NAMES[s.turn]} to move, up to {steps}."]
    for who, name in enumerate(self.SEAT_NAMES):
        zone = f", with a zone of {counted(int(s.zone[who]), 'cell')}" if s.ended else ""
        told.append(f"{name} is on row {s.cell[who] // self.size}, column {s.cell[who] % self.size}{zone}.")
    walls = [f"{cell_text(self, cell)}{SIDES[side]}" for cell, side in barriers(self, s)]
    told.append(f"Barriers, each right of or below a cell: {', '.join(walls)}." if walls else "No barriers.")
    return " ".join(told)
