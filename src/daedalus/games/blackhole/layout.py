"""What both pictures of Black-Hole Escape show: which squares the last move joined, and which ship is which."""

from collections.abc import Sequence
from typing import Any

from daedalus.core import Move

from .kernels.evaluation_terms import PASS
from .text import rows

FILES = "abcdefghi"
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west, as moves code them


def trail(self: Any, s: Any, last: int) -> tuple[int, int]:
    """The cells where the last move, made in the position before s, began and ended."""
    if isinstance(last, Move):  # its text was written before the move, when the end was plain to see
        return last >> 2, (self.size - int(last.text[-1])) * self.size + FILES.index(last.text[-2])
    return last >> 2, _end_of(self, s, last)


def _end_of(self: Any, s: Any, last: int) -> int:
    """Where the ship that left `last >> 2` ended, seen from the bare code: on the first ship's square, or in the hole.

    With a friend on the square behind the hole and a ship behind that, either fits the position; the former is then taken.
    """
    way = _way(self, last)
    board = "".join(rows(self, s))
    centre = self.size * self.size // 2
    first = next((i for i, cell in enumerate(way) if board[cell] in "RB"), len(way))
    stopped = first + 1 >= len(way) or board[way[first + 1]] in "RB"
    own = first < len(way) and board[way[first]] == "RB"[1 - s.turn]
    swallowed = self.hole == PASS and centre in way[:first]
    return way[first] if own and stopped and not swallowed else centre


def _way(self: Any, m: int) -> list[int]:
    """The cells from the move's start to the border, the start left out."""
    row, col = divmod(m >> 2, self.size)
    down, right = STEPS[m & 3]
    line = []
    while 0 <= (row := row + down) < self.size and 0 <= (col := col + right) < self.size:
        line.append(row * self.size + col)
    return line


# --- which ship is which --------------------------------------------------------------------------------------------


def ships(self: Any, s: Any, history: Sequence[int]) -> tuple[dict[int, int], tuple[list[int], list[int]]]:
    """The cell where each ship stood before the first of these moves: by the cell where it is now; and of those home."""
    came: dict[int, int] = {}
    home: tuple[list[int], list[int]] = ([], [])
    for back, move in zip(range(len(history), 0, -1), history, strict=True):
        start, end = trail(self, s, move)  # all but the last are moves with their texts
        ship = came.pop(start, start)
        if end == self.size * self.size // 2:
            home[(int(s.turn) + back) & 1].append(ship)
        else:
            came[end] = ship
    return came, home
