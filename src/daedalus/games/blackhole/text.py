"""Black-Hole Escape as text: `a5-d5` for a move, rows joined by `/` and the side to move for a position.

Files are a.. from the left, ranks count from the bottom. `R...R/.R.R./..*../.B.B./B...B R` is the start of the 5 x 5
game; ships that are missing are home.
"""

import re
from typing import Any

from daedalus.core import IllegalMove, InvalidText
from daedalus.core.plurals import counted

from .kernels.rules import CAPPED, HOME, STUCK, verdict
from .kernels.slides import slide

SIDES = "RB"


def square(self: Any, cell: int) -> str:
    """The name of a cell: file letter and rank."""
    return f"{'abcdefghi'[cell % self.size]}{self.size - cell // self.size}"


def destination(self: Any, s: Any, m: int) -> int:
    """The cell where move m ends."""
    return int(slide(self, s, (m >> 2) // self.size, (m >> 2) % self.size, m & 3))


def move_text(self: Any, s: Any, m: int) -> str:
    return f"{square(self, m >> 2)}-{square(self, destination(self, s, m))}"


def read_move(self: Any, s: Any, text: str) -> int | None:
    found = re.fullmatch(r"([a-i])(\d)-?([a-i])(\d)", text.lower())
    if not found:
        raise IllegalMove(f"'{text}' is not a move; write the two squares, as in a5-d5")
    (row, col), (end_row, end_col) = (_cell(self, *found.group(1, 2)), _cell(self, *found.group(3, 4)))
    start = f"{found[1]}{found[2]}"
    if not (s.ships[s.turn, row] >> col) & 1:
        raise IllegalMove(f"'{text}': {self.SEAT_NAMES[s.turn]} has no ship on {start}")
    if (row == end_row) == (col == end_col):
        raise IllegalMove(f"'{text}': a ship slides along its row or its column")
    direction = (0 if end_row < row else 2) if col == end_col else (1 if end_col > col else 3)
    m = (row * self.size + col) * 4 + direction
    end = destination(self, s, m)
    if end != end_row * self.size + end_col:
        where = f"as far as {square(self, end)}" if end != m >> 2 else "not at all"
        raise IllegalMove(f"'{text}': the ship on {start} slides that way {where}")
    return int(m)


def _cell(self: Any, file: str, rank: str) -> tuple[int, int]:
    row, col = self.size - int(rank), "abcdefghi".index(file)
    if not (0 <= row < self.size and col < self.size):
        raise IllegalMove(f"there is no square {file}{rank} on a board of {self.size} x {self.size}")
    return row, col


def rows(self: Any, s: Any) -> list[str]:
    """The board as text rows, top first."""
    lines, ships = [], s.ships.tolist()
    for row in range(self.size):
        line = ["."] * self.size
        for seat in (0, 1):
            for col in range(self.size):
                if (ships[seat][row] >> col) & 1:
                    line[col] = SIDES[seat]
        lines.append("".join(line))
    middle = self.size // 2
    lines[middle] = lines[middle][:middle] + "*" + lines[middle][middle + 1 :]
    return lines


def position_text(self: Any, s: Any, seat: int | None) -> str:
    return "/".join(rows(self, s)) + " " + SIDES[s.turn]


def read_position(self: Any, s: Any, text: str) -> None:
    board, _, side = text.partition(" ")
    side = side.strip()
    lines = board.split("/")
    if side not in ("R", "B"):
        raise InvalidText(f"a position ends with the side to move, R or B, not {side!r}")
    if [len(line) for line in lines] != [self.size] * self.size:
        raise InvalidText(f"a board of size {self.size} has {self.size} rows of {self.size} squares joined by /")
    for row, line in enumerate(lines):
        for col, letter in enumerate(line):
            _place(self, s, row, col, letter)
    s.turn = SIDES.index(side)
    for seat in (0, 1):
        count = sum(int(line).bit_count() for line in s.ships[seat])
        if count >= self.size:
            raise InvalidText(f"{self.SEAT_NAMES[seat]} has {count} ships; {self.size - 1} at most")
        s.home[seat] = self.size - 1 - count
    if s.home[s.turn] >= self.size // 2:
        raise InvalidText(f"{self.SEAT_NAMES[s.turn]} has won already and cannot be the side to move")
    s.ended = verdict(self, s)


def _place(self: Any, s: Any, row: int, col: int, letter: str) -> None:
    centre = row == col == self.size // 2
    if centre != (letter == "*"):
        raise InvalidText("the hole, *, is the centre square and no other")
    if letter in SIDES:
        s.ships[SIDES.index(letter), row] |= 1 << col
        s.columns[col] |= 1 << row
    elif letter not in ".*":
        raise InvalidText(f"'{letter}' on the board; squares are R, B, . or *")


def ending(self: Any, s: Any) -> str:
    winner, loser = self.SEAT_NAMES[1 - s.turn], self.SEAT_NAMES[s.turn]
    return {
        HOME: f"{winner} has {self.size // 2} ships home",
        STUCK: f"{loser} cannot move",
        CAPPED: f"{counted(self.cap, 'ply', 'plies')} played",
    }.get(int(s.ended), "")


def summary(self: Any, s: Any, seat: int | None) -> str:
    need = self.size // 2
    return "   ".join(f"{name} {int(s.home[i])}/{need} home" for i, name in enumerate(self.SEAT_NAMES))
