"""Black-Hole Escape in words: touches, moves and positions as they are spoken."""

import re
from typing import Any

from .text import destination, rows, square


def cell_name(self: Any, cell: int, letter: str) -> str:
    """`a5, Red ship`."""
    names = {"R": f"{self.SEAT_NAMES[0]} ship", "B": f"{self.SEAT_NAMES[1]} ship", "*": "black hole", ".": "empty"}
    return f"{square(self, cell)}, {names[letter]}"


def touched_cell(self: Any, touch: str) -> int | None:
    """The cell that a touch names; None if there is none."""
    found = re.fullmatch(r"cell-(\d+)-(\d+)", touch)
    if not found or max(int(found[1]), int(found[2])) >= self.size:
        return None
    return int(found[1]) * int(self.size) + int(found[2])


def touch_name(self: Any, s: Any, seat: int | None, touch: str) -> str:
    cell = touched_cell(self, touch)
    return touch if cell is None else cell_name(self, cell, "".join(rows(self, s))[cell])


def spoken_move(self: Any, s: Any, m: int) -> str:
    end = destination(self, s, m)
    way = ("up", "right", "down", "left")[m & 3]
    home = end == self.size * self.size // 2
    return f"the ship on {square(self, m >> 2)} slides {way} " + ("into the hole" if home else f"to {square(self, end)}")


def spoken(self: Any, s: Any, seat: int | None) -> str:
    told = ["The game is over." if s.ended else f"{self.SEAT_NAMES[s.turn]} to move."]
    board = "".join(rows(self, s))
    for who, name in enumerate(self.SEAT_NAMES):
        places = [square(self, cell) for cell, letter in enumerate(board) if letter == "RB"[who]]
        told.append(f"{name} has ships on {', '.join(places) or 'no square'}, {int(s.home[who])} of {self.size // 2} home.")
    told.append(f"The black hole is {square(self, self.size * self.size // 2)}.")
    return " ".join(told)
