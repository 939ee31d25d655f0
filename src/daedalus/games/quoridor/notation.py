"""Squares and walls by name, in the standard algebraic notation.

Files are letters from the left, ranks count from the bottom, as the first player sees the board. A wall is named by the
square nearest to a1 of the four it touches: e3h lies above e3 and f3, e3v beside e3 and e4.
"""

import re
from collections.abc import Iterator
from typing import Any

from daedalus.core import DaedalusError

from .kernels.bitboards import STRIDE
from .kernels.rules import CELL, H, V

LETTERS = "abcdefghijk"


def square(cell: int) -> str:
    """The name of a cell."""
    return f"{LETTERS[cell % STRIDE]}{cell // STRIDE + 1}"


def wall(m: int) -> str:
    """The name of a wall."""
    return square(m & CELL) + ("h" if m < V else "v")


def cell(game: Any, name: str, error: type[DaedalusError]) -> int:
    """The cell a square's name means; raises `error` if there is none."""
    found = re.fullmatch(r"([a-z])([1-9]\d?)", name)
    if not found:
        raise error(f"'{name}' is not a square; write file and rank, as in e2")
    file, rank = ord(found[1]) - ord("a"), int(found[2])
    if file >= game.width or rank > game.height:
        raise error(f"there is no square {name} on a board of {game.width} x {game.height}")
    return (rank - 1) * STRIDE + file


def anchor(game: Any, name: str, error: type[DaedalusError]) -> int:
    """The cell at which a wall is anchored; raises `error` where a wall would stick out of the board."""
    at = cell(game, name, error)
    if at % STRIDE >= game.width - 1 or at // STRIDE >= game.height - 1:
        last = f"{LETTERS[game.width - 2]}{game.height - 1}"
        raise error(f"a wall at {name} would stick out of the board; walls are anchored at a1 to {last}")
    return at


def cells(game: Any) -> Iterator[int]:
    """Every cell, row by row from a1."""
    return (row * STRIDE + file for row in range(game.height) for file in range(game.width))


def anchors(game: Any) -> Iterator[int]:
    """Every cell at which a wall may be anchored."""
    return (row * STRIDE + file for row in range(game.height - 1) for file in range(game.width - 1))


def members(a: Any, b: Any) -> list[int]:
    """The cells of a set of two words, lowest first."""
    both = int(a) | int(b) << 64
    return [at for at in range(STRIDE * STRIDE) if both >> at & 1]


def placed(s: Any) -> list[int]:
    """The walls on the board as moves: horizontal ones first, each sort from a1 on."""
    return [H + at for at in members(s.h0, s.h1)] + [V + at for at in members(s.v0, s.v1)]
