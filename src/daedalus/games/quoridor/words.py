"""Quoridor in words: touches, moves and positions as they are spoken."""

import re
from functools import lru_cache
from typing import Any

from daedalus.core.plurals import counted

from .kernels.bitboards import STRIDE, distance
from .kernels.rules import CELL, H, V
from .layout import standing
from .notation import placed, square, wall


@lru_cache(maxsize=1024)
def wall_name(m: int) -> str:
    """`horizontal wall above e3 and f3`."""
    at = m & CELL
    if m < V:
        return f"horizontal wall above {square(at)} and {square(at + 1)}"
    return f"vertical wall right of {square(at)} and {square(at + STRIDE)}"


def touched_move(self: Any, touch: str) -> int | None:
    """The cell or the wall that a touch names, as a move; None if there is none on this board."""
    found = re.fullmatch(r"cell-(\d+)-(\d+)|wall-([hv])-(\d+)-(\d+)", touch)
    if not found:
        return None
    if found[3]:
        row, file = int(found[4]), int(found[5])
        inside = row < self.height - 1 and file < self.width - 1
        return (H if found[3] == "h" else V) + (self.height - 2 - row) * STRIDE + file if inside else None
    row, file = int(found[1]), int(found[2])
    return (self.height - 1 - row) * STRIDE + file if row < self.height and file < self.width else None


def touch_name(self: Any, s: Any, seat: int | None, touch: str) -> str:
    m = touched_move(self, touch)
    if m is None:
        return touch
    if m >= H:
        return wall_name(m) + (", stands" if m in placed(s) else "")
    pawns = standing(s)
    return f"{square(m)}, {f'{self.SEAT_NAMES[pawns[m]]} pawn' if m in pawns else 'empty'}"


def spoken_move(self: Any, s: Any, m: int) -> str:
    at = m & CELL
    if m >= H:
        return f"a {wall_name(m)}"
    own = int(s.pawn[s.turn])
    if m == own:
        return "stay: there is no other move"
    far = abs(at // STRIDE - own // STRIDE) + abs(at % STRIDE - own % STRIDE)
    return f"the pawn {'jumps' if far == 2 else 'goes'} to {square(at)}"


def spoken(self: Any, s: Any, seat: int | None) -> str:
    told = ["The game is over." if s.ended else f"{self.SEAT_NAMES[s.turn]} to move."]
    for who, name in enumerate(self.SEAT_NAMES):
        steps = int(distance(self, s, who))
        far = f", {counted(steps, 'step')} from its goal" if steps else ", on its goal"
        told.append(f"{name} is on {square(int(s.pawn[who]))}{far}, with {counted(int(s.stock[who]), 'wall')}.")
    walls = ", ".join(wall(m) for m in placed(s))
    told.append(f"Walls on the board: {walls}." if walls else "No walls on the board.")
    return " ".join(told)
