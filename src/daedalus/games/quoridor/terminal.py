"""Quoridor in a terminal: squares with walls in the gaps between them, stocks beside; large, and small with a line a row."""

from typing import Any

from rich.text import Text

from .kernels.bitboards import STRIDE
from .layout import from_top, standing, targets
from .notation import LETTERS, members

_INK = {"White": "#f4efe6", "Black": "#9aa0ff", "Red": "#ff6b5e", "Green": "#63d68a"}
_WALL, _FAINT, _SIGN = "bold #ffb84d", "#5d5a66", "#7fd6c2"


def terminal(self: Any, s: Any, seat: int | None, last: int | None) -> Text:
    """Squares five wide, walls in the gaps between them; stocks on the right. Brackets mark the pawn that just moved."""
    return pictures(self, s, seat, last, False)[0]


def pictures(self: Any, s: Any, seat: int | None, last: int | None, flipped: bool) -> tuple[Text, ...]:
    """A large board with lines between its rows, and a small one where walls are drawn under the squares above them."""
    board = _Board(self, s, last, flipped)
    return board.large(), board.small()


class _Board:
    """A position to be drawn: rows and files in the order in which they are seen."""

    def __init__(self, game: Any, s: Any, last: int | None, flipped: bool) -> None:
        self.game, self.s, self.last, self.flipped = game, s, last, flipped
        self.rows = range(game.height) if flipped else range(game.height - 1, -1, -1)
        self.files = range(game.width - 1, -1, -1) if flipped else range(game.width)
        self._pawns, self._near = standing(s), targets(game, s)
        self._level, self._upright = set(members(s.h0, s.h1)), set(members(s.v0, s.v1))

    def large(self) -> Text:
        picture = Text(no_wrap=True)
        beside = _stock_lines(self.game, self.s, self.flipped, 80 - 3 - 6 * self.game.width)
        for place, row in enumerate(self.rows):
            picture.append(f"{row + 1:>2} ", "dim")
            self._line(row, None, picture)
            picture.append_text(beside.get(place, Text()))
            picture.append("\n")
            if place < self.game.height - 1:
                picture.append("   ")
                self._gaps(row, self.rows[place + 1], picture)
                picture.append("\n")
        return self._letters(picture, 6)

    def small(self) -> Text:
        picture = Text(no_wrap=True)
        beside = _stock_lines(self.game, self.s, self.flipped, 60 - 3 - 4 * self.game.width)
        for place, row in enumerate(self.rows):
            picture.append(f"{row + 1:>2} ", "dim")
            below = self.rows[place + 1] if place < self.game.height - 1 else None
            self._line(row, below, picture, floored=True)
            picture.append_text(beside.get(place, Text()))
            picture.append("\n")
        return self._letters(picture, 4)

    def _letters(self, picture: Text, pitch: int) -> Text:
        names = "".join(LETTERS[file].center(pitch - 1) + " " for file in self.files)
        return picture.append("   " + names.rstrip(), "dim")

    def _line(self, row: int, below: int | None, picture: Text, floored: bool = False) -> None:
        """The squares of a row and the upright walls between them; with `floored`, the flat walls before the row below too."""
        for place, file in enumerate(self.files):
            text, style = self._floored(row, file, below) if floored else self._sign(row, file, 5)
            picture.append(text, style + (" on #2c2a33" if (row + file) % 2 else " on #26242c"))
            if place < self.game.width - 1:
                left = min(file, self.files[place + 1])
                at = row * STRIDE + left
                goes_on = below is not None and min(row, below) * STRIDE + left in self._level
                shut = at in self._upright or at - STRIDE in self._upright
                picture.append("┃" if shut else "▁" if goes_on else " ", _WALL)

    def _sign(self, row: int, file: int, wide: int) -> tuple[str, str]:
        """What stands on a square, so wide, and its style."""
        at = row * STRIDE + file
        if at in self._pawns:
            name = self.game.SEAT_NAMES[self._pawns[at]]
            return (f"[{name[0]}]" if at == self.last else name[0]).center(wide), f"bold {_INK[name]}"
        return ("o" if at in self._near else "·").center(wide), _SIGN if at in self._near else _FAINT

    def _floored(self, row: int, file: int, below: int | None) -> tuple[str, str]:
        """The same for the small board: a wall below the square is drawn at its foot."""
        sign, style = self._sign(row, file, 3)
        if below is None or not self._is_level(min(row, below), file):
            return sign, style
        if sign.strip() == "·":
            return "▁▁▁", _WALL
        return f"▁{sign[1]}▁", style if sign[1] != "o" else _WALL

    def _is_level(self, row: int, file: int) -> bool:
        """Does a flat wall lie above this square?"""
        at = row * STRIDE + file
        return at in self._level or (file > 0 and at - 1 in self._level)

    def _gaps(self, row: int, below: int, picture: Text) -> None:
        """Between two rows: flat walls, and the middles of upright ones."""
        low = min(row, below)
        for place, file in enumerate(self.files):
            picture.append("━━━━━" if self._is_level(low, file) else "     ", _WALL)
            if place < self.game.width - 1:
                at = low * STRIDE + min(file, self.files[place + 1])
                picture.append("━" if at in self._level else "┃" if at in self._upright else " ", _WALL)


def _stock_lines(self: Any, s: Any, flipped: bool, room: int) -> dict[int, Text]:
    """What stands beside some rows, counted from the top: each seat's walls, and an arrow at the seat to move."""
    seats = from_top(self)
    places = [0, self.height - 1] if len(seats) == 2 else [0, *_middle_places(self), self.height - 1]
    lines: dict[int, Text] = {}
    for place, seat in zip(places, seats[::-1] if flipped else seats, strict=True):
        name, count = self.SEAT_NAMES[seat], int(s.stock[seat])
        bars = "▮" * count if 6 + count <= room else f"▮ {count}"
        line = lines.pop(place, Text())
        line.append(" > " if seat == s.turn and not s.ended else "   ", "bold")
        line.append(f"{name[0]} ", f"bold {_INK[name]}")
        line.append(bars, _WALL)
        lines[place] = line
    return lines


def _middle_places(self: Any) -> list[int]:
    middle = self.height // 2
    return [middle - 1, middle] if self.height > 3 else [middle, middle]
