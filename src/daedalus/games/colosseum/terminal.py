"""Colosseum Survival! in a terminal: cells with walls on their sides; large, and small with a line a row."""

from typing import Any

from rich.text import Text

from .kernels.territory import DOWN, RIGHT, open_sides
from .layout import wall, zones

# Corners by the walls that meet there: 1 above, 2 right, 4 below, 8 left.
_CORNERS = "·╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
_INK = ("bold #ff8a70", "bold #7db8ff")
_GROUND = ("on #4a1d17", "on #16304f")
_STONE, _FRESH, _FAINT = "#d8c8a0", "bold #ffd84d", "#6d6552"


def terminal(self: Any, s: Any, seat: int | None, last: int | None) -> Text:
    """Columns above, rows on the left; the last move's cell in brackets, its barrier bright."""
    return _Arena(self, s, last, False).large()


def pictures(self: Any, s: Any, seat: int | None, last: int | None, flipped: bool) -> tuple[Text, ...]:
    """A large board with lines between its rows, and a small one where a wall is drawn at the foot of the cell above it."""
    arena = _Arena(self, s, last, flipped)
    return arena.large(), arena.small()


class _Arena:
    """A position to be drawn; places count rows and columns as they are seen, from the upper left."""

    def __init__(self, game: Any, s: Any, last: int | None, flipped: bool) -> None:
        self.game, self.s, self.last, self.size = game, s, last, int(game.size)
        self.order = range(self.size)[::-1] if flipped else range(self.size)
        self.fresh = None if last is None else wall(last >> 2, last & 3, self.size)
        self.owned = zones(game, s)

    def large(self) -> Text:
        picture = self._numbers()
        for place in range(self.size + 1):
            self._lattice(place, picture)
            if place < self.size:
                picture.append("\n")
                self._cells(place, picture, floor=False)
                picture.append("\n")
        return picture

    def small(self) -> Text:
        picture = self._numbers()
        picture.append("    " + "▁" * (4 * self.size - 1) + "\n", _STONE)
        for place in range(self.size):
            self._cells(place, picture, floor=True)
            picture.append("\n")
        picture.right_crop(1)
        return picture

    def _numbers(self) -> Text:
        return Text("    " + "".join(f"{column:^4}" for column in self.order) + "\n", "dim")

    def _edge(self, place: int, across: int, lower: bool) -> tuple[bool, bool]:
        """Is there a wall on the lower (else right) side of a place, and is it the last one? Outside lies the border."""
        other = (place + 1, across) if lower else (place, across + 1)
        inside = [0 <= p < self.size and 0 <= a < self.size for p, a in ((place, across), other)]
        if not all(inside):
            return any(inside), False
        cell = min(self.order[p] * self.size + self.order[a] for p, a in ((place, across), other))
        side = DOWN if lower else RIGHT
        return not int(open_sides(self.s, cell, self.size)) >> side & 1, self.fresh == (cell, side)

    def _lattice(self, place: int, picture: Text) -> None:
        """The corners and walls between the rows seen at place - 1 and place."""
        picture.append("   ")
        for across in range(self.size + 1):
            arms = (
                self._edge(place - 1, across - 1, False)[0] * 1
                + self._edge(place - 1, across, True)[0] * 2
                + self._edge(place, across - 1, False)[0] * 4
                + self._edge(place - 1, across - 1, True)[0] * 8
            )
            picture.append(_CORNERS[arms], _STONE if arms else _FAINT)
            if across < self.size:
                shut, new = self._edge(place - 1, across, True)
                picture.append("━━━" if shut else "   ", _FRESH if new else _STONE)

    def _cells(self, place: int, picture: Text, floor: bool) -> None:
        """The cells of a row and the walls between them; with `floor`, walls below them too."""
        picture.append(f"{self.order[place]:>2} ", "dim")
        for across in range(-1, self.size):
            if across >= 0:
                self._cell(place, across, picture, floor)
            shut, new = self._edge(place, across, False)
            picture.append("┃" if shut else " ", _FRESH if new else _STONE)

    def _cell(self, place: int, across: int, picture: Text, floor: bool) -> None:
        cell = self.order[place] * self.size + self.order[across]
        letter = "A" if cell == self.s.cell[0] else "B" if cell == self.s.cell[1] else " "
        sign = f"[{letter}]" if self.last is not None and self.last >> 2 == cell else f" {letter} "
        ink = _INK["AB".index(letter)] if letter != " " else ""
        ground = _GROUND[self.owned[cell]] if cell in self.owned else ""
        shut, new = self._edge(place, across, True)
        if floor and shut:
            sign = sign.replace(" ", "▁")
            ink = ink or (_FRESH if new else _STONE)
        elif floor and letter == " ":
            sign, ink = sign.replace("   ", " · "), _FAINT
        picture.append(sign, f"{ink} {ground}".strip())
