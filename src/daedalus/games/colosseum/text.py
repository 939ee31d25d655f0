"""Colosseum Survival! as text: `2,0d` for a move, `7 2,0 4,6 A | 0,4r 1,4r 5,1r 6,1r` for a position.

Cells are row,column from the upper left, counted from 0; sides are u(p), r(ight), d(own), l(eft). A position is the size,
A's cell, B's cell, who is to move, and the barriers inside the board, each once, as the right or the lower side of a cell.
"""

import re
from typing import Any

from daedalus.core import IllegalMove, InvalidText
from daedalus.core.plurals import counted

from .kernels.rules import clear_board, settle
from .kernels.territory import DOWN, RIGHT, most_steps, open_sides, put_barrier

SIDES = "urdl"
_SIDE_NAMES = ("upper", "right", "lower", "left")


def cell_text(self: Any, cell: int) -> str:
    return f"{cell // self.size},{cell % self.size}"


def move_text(self: Any, s: Any, m: int) -> str:
    return cell_text(self, m >> 2) + SIDES[m & 3]


def read_move(self: Any, s: Any, text: str) -> int | None:
    found = re.fullmatch(r"\(?(\d+)\s*,\s*(\d+)\)?\s*,?\s*([urdl])", text.lower())
    if not found:
        raise IllegalMove(f"'{text}' is not a move; write row,column and the side of the barrier (u r d l), as in 2,0d")
    row, column, side = int(found[1]), int(found[2]), SIDES.index(found[3])
    if row >= self.size or column >= self.size:
        raise IllegalMove(f"'{text}': rows and columns are 0 to {self.size - 1}")
    cell: int = row * self.size + column
    if s.ended:
        return cell * 4 + side  # the position says that the game is over
    if not (int(open_sides(s, cell, self.size)) >> side) & 1:
        raise IllegalMove(f"'{text}': the {_SIDE_NAMES[side]} side of {cell_text(self, cell)} has a wall already")
    if cell not in reachable(self, s):
        name = self.SEAT_NAMES[s.turn]
        raise IllegalMove(f"'{text}': {name} cannot walk to {cell_text(self, cell)} in {most_steps(self)} steps")
    return cell * 4 + side


def reachable(self: Any, s: Any) -> set[int]:
    """The cells where the player to move may end the walk; one whole number holds a set here, bit i is cell i."""
    right, down, size = _whole(s.right), _whole(s.down), self.size
    free = ~(1 << int(s.cell[1 - s.turn]))
    cells = 1 << int(s.cell[s.turn])
    for _ in range(most_steps(self)):
        beside = (cells & right) << 1 | cells >> 1 & right
        cells = (cells | beside | (cells & down) << size | cells >> size & down) & free
    return {i for i in range(size * size) if cells >> i & 1}


def _whole(words: Any) -> int:
    return sum(int(word) << 64 * k for k, word in enumerate(words))


def barriers(self: Any, s: Any) -> list[tuple[int, int]]:
    """The walls inside the board as (cell, side), each once, RIGHT or DOWN of its cell."""
    opened = {RIGHT: _whole(s.right), DOWN: _whole(s.down)}
    sides = ((cell, side) for cell in range(self.size**2) for side in (RIGHT, DOWN))
    return [(cell, side) for cell, side in sides if not opened[side] >> cell & 1 and not on_border(self, cell, side)]


def on_border(self: Any, cell: int, side: int) -> bool:
    """Is the right or lower side of a cell the border of the board?"""
    return bool((cell % self.size if side == RIGHT else cell // self.size) == self.size - 1)


def position_text(self: Any, s: Any, seat: int | None) -> str:
    cells = f"{cell_text(self, int(s.cell[0]))} {cell_text(self, int(s.cell[1]))}"
    walls = "".join(f" {cell_text(self, cell)}{SIDES[side]}" for cell, side in barriers(self, s))
    return f"{self.size} {cells} {self.SEAT_NAMES[s.turn]} |{walls}"


def read_position(self: Any, s: Any, text: str) -> None:
    head, bar, walls = text.partition("|")
    words = head.split()
    if len(words) != 4 or not bar:
        raise InvalidText("a position is: size, A's cell, B's cell, A or B to move, |, walls; as 7 2,0 4,6 A | 0,4r 6,1r")
    if words[0] != str(self.size):
        raise InvalidText(f"a board of size {words[0]!r}, but this game has size {self.size}; its option size sets it")
    if words[3] not in self.SEAT_NAMES:
        raise InvalidText(f"A or B is to move, not {words[3]!r}")
    clear_board(self, s)
    s.cell[0], s.cell[1] = (_read_cell(self, word) for word in words[1:3])
    if s.cell[0] == s.cell[1]:
        raise InvalidText(f"A and B are both on {words[1]}")
    s.turn = self.SEAT_NAMES.index(words[3])
    for word in walls.split():
        _read_barrier(self, s, word)
    settle(self, s)


def _read_cell(self: Any, text: str) -> int:
    found = re.fullmatch(r"(\d{1,2}),(\d{1,2})", text, re.ASCII)
    if not found or max(int(found[1]), int(found[2])) >= self.size:
        raise InvalidText(f"{text!r} is not a cell; cells are 0,0 to {self.size - 1},{self.size - 1}")
    return int(found[1]) * int(self.size) + int(found[2])


def _read_barrier(self: Any, s: Any, word: str) -> None:
    """Puts a barrier; the border is a wall anyway and may be named."""
    if word[-1:] not in ("r", "d"):
        raise InvalidText(f"{word!r} is not a wall; walls are the right or lower side of a cell, as in 0,4r or 6,1d")
    cell, side = _read_cell(self, word[:-1]), SIDES.index(word[-1])
    if on_border(self, cell, side):
        return
    if not (int(open_sides(s, cell, self.size)) >> side) & 1:
        raise InvalidText(f"the wall {word} is there twice")
    put_barrier(s, cell, side == DOWN, self.size)


def ending(self: Any, s: Any) -> str:
    """The zones have parted; who has how many cells."""
    return f"the zones are apart: A {int(s.zone[0])}, B {counted(int(s.zone[1]), 'cell')}" if s.ended else ""


def summary(self: Any, s: Any, seat: int | None) -> str:
    if s.ended:
        return f"A {counted(int(s.zone[0]), 'cell')}   B {counted(int(s.zone[1]), 'cell')}"
    walk, built = counted(most_steps(self), "step"), counted(len(barriers(self, s)), "barrier")
    return f"{self.SEAT_NAMES[s.turn]} to move, up to {walk}   {built}"
