"""Black-Hole Escape in a terminal: the board with its letters."""

from typing import Any

from rich.text import Text

from .layout import FILES, trail
from .text import rows

_INK = {"R": "bold #ff7a66", "B": "bold #6db3ff", "*": "bold #ffd27a", ".": "#6b7299"}


def terminal(self: Any, s: Any, seat: int | None, last: int | None) -> Text:
    """Files below, ranks on the left; the last move's two squares stand in brackets."""
    return pictures(self, s, seat, last, False)[0]


def pictures(self: Any, s: Any, seat: int | None, last: int | None, flipped: bool) -> tuple[Text, ...]:
    """One size, which fits everywhere."""
    marked = () if last is None else trail(self, s, last)
    order = range(self.size)[::-1] if flipped else range(self.size)
    board = rows(self, s)
    picture = Text()
    for row in order:
        picture.append(f"{self.size - row:>2}  ", "dim")
        for col in order:
            letter = board[row][col]
            sign = {"*": "(*)", ".": " · "}.get(letter, f" {letter} ")
            style = _INK[letter] + (" on #1b2140" if (row + col) % 2 else " on #141930")
            if row * self.size + col in marked:
                sign = f"[{sign[1]}]"
                style = _INK[letter].replace("#6b7299", "white") + " on #43406b"
            picture.append(f" {sign} ", style)
        picture.append("\n")
    picture.append("    " + "".join(f"  {FILES[col]}  " for col in order), "dim")
    return (picture,)
