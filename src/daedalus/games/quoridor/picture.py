"""Quoridor as pictures: a board for terminals, an SVG, and the touches that make a move.

Touches name squares `cell-row-col` and wall slots `wall-h-row-col` or `wall-v-row-col`, rows counted from the top, a
slot by the square up and to the left of its middle. One touch is a move.
"""

from typing import Any

from rich.text import Text

from daedalus.core import Position
from daedalus.core.drawing import Drawing
from daedalus.core.plurals import counted

from .kernels.bitboards import STRIDE, distance
from .kernels.rules import CELL, H, V
from .notation import LETTERS, cells, members, placed, square, wall
from .paths import free, pawn_targets, route

# --- what both pictures show ----------------------------------------------------------------------------------------


def targets(self: Any, s: Any) -> set[int]:
    """The cells where the pawn to move can go; none when the game is over."""
    return set() if s.ended else pawn_targets(self, s)


def standing(s: Any) -> dict[int, int]:
    """The seat of the pawn on a cell."""
    return {int(at): seat for seat, at in enumerate(s.pawn)}


def from_top(self: Any) -> list[int]:
    """The seats as they are told beside the board, the one that starts above first."""
    return [1, 0] if self.players == 2 else [2, 1, 3, 0]


# --- terminal -------------------------------------------------------------------------------------------------------

_INK = {"White": "#f4efe6", "Black": "#9aa0ff", "Red": "#ff6b5e", "Green": "#63d68a"}
_WALL, _FAINT, _SIGN = "bold #ffb84d", "#5d5a66", "#7fd6c2"


def terminal(self: Any, s: Any, seat: int | None, last: int | None) -> Text:
    """Squares five wide, walls in the gaps between them; stocks on the right. Brackets mark the pawn that just moved."""
    picture = Text(no_wrap=True)
    beside = _stock_lines(self, s)
    for row in range(self.height - 1, -1, -1):
        picture.append(f"{row + 1:>2} ", "dim")
        _row_of_squares(self, s, row, last, picture)
        picture.append_text(beside.get(row, Text()))
        picture.append("\n")
        if row:
            _row_of_gaps(self, s, row - 1, picture)
    picture.append("   " + "".join(f"  {letter}   " for letter in LETTERS[: self.width]).rstrip(), "dim")
    return picture


def _row_of_squares(self: Any, s: Any, row: int, last: int | None, picture: Text) -> None:
    pawns, near = standing(s), targets(self, s)
    east = set(members(s.v0, s.v1))
    for file in range(self.width):
        at = row * STRIDE + file
        ground = " on #2c2a33" if (row + file) % 2 else " on #26242c"
        if at in pawns:
            name = self.SEAT_NAMES[pawns[at]]
            sign = f" [{name[0]}] " if at == last else f"  {name[0]}  "
            picture.append(sign, f"bold {_INK[name]}{ground}")
        else:
            picture.append("  o  " if at in near else "  ·  ", (_SIGN if at in near else _FAINT) + ground)
        if file < self.width - 1:
            closed = at in east or at - STRIDE in east
            picture.append("┃" if closed else " ", _WALL)


def _row_of_gaps(self: Any, s: Any, row: int, picture: Text) -> None:
    """The gaps above a row: horizontal walls, and the middles of vertical ones."""
    level, upright = set(members(s.h0, s.h1)), set(members(s.v0, s.v1))
    picture.append("   ")
    for file in range(self.width):
        at = row * STRIDE + file
        closed = at in level or (file and at - 1 in level)
        picture.append("━━━━━" if closed else "     ", _WALL)
        if file < self.width - 1:
            picture.append("━" if at in level else "┃" if at in upright else " ", _WALL)
    picture.append("\n")


def _stock_lines(self: Any, s: Any) -> dict[int, Text]:
    """What stands beside some rows: each seat's walls, and an arrow at the seat to move."""
    room = 80 - 3 - 6 * self.width
    seats = from_top(self)
    rows = [self.height - 1, 0] if len(seats) == 2 else [self.height - 1, *_middle_rows(self), 0]
    lines: dict[int, Text] = {}
    for row, seat in zip(rows, seats, strict=True):
        name, count = self.SEAT_NAMES[seat], int(s.stock[seat])
        bars = "▮" * count if 6 + count <= room else f"▮ {count}"
        line = lines.pop(row, Text())
        line.append(" > " if seat == s.turn and not s.ended else "   ", "bold")
        line.append(f"{name[0]} ", f"bold {_INK[name]}")
        line.append(bars, _WALL)
        lines[row] = line
    return lines


def _middle_rows(self: Any) -> list[int]:
    middle = (self.height - 1) // 2
    return [middle + 1, middle] if self.height > 3 else [middle, middle]


# --- SVG ------------------------------------------------------------------------------------------------------------

_TILE, _GAP = 52, 13
_PITCH = _TILE + _GAP
_LEFT, _TOP, _BOTTOM, _PANEL = 44, 26, 42, 158
_COLOUR = {"White": "#f7f1e3", "Black": "#2b2622", "Red": "#c8402f", "Green": "#2f8f5b"}
_RIM = {"White": "#8d7b5a", "Black": "#0e0c0a", "Red": "#6d160c", "Green": "#0f4a2b"}
_DEFINITIONS = """<defs>
<linearGradient id="qu-board" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#6b3f24"/><stop offset="0.5" stop-color="#5a321b"/><stop offset="1" stop-color="#472614"/></linearGradient>
<linearGradient id="qu-wall" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fbe7bd"/><stop offset="0.5" stop-color="#f0cf8e"/><stop offset="1" stop-color="#d9ad62"/></linearGradient>
<radialGradient id="qu-shine" cx="0.36" cy="0.3" r="0.8"><stop offset="0" stop-color="#ffffff" stop-opacity="0.75"/><stop offset="0.35" stop-color="#ffffff" stop-opacity="0.18"/><stop offset="1" stop-color="#000000" stop-opacity="0.32"/></radialGradient>
</defs>
<style>.qu-slot .qu-ghost{opacity:0}.qu-slot:hover .qu-ghost{opacity:0.55}.qu-slot:hover{cursor:pointer}</style>"""


def svg(self: Any, s: Any, seat: int | None, last: int | None) -> str:
    """The board of dark wood with light walls; goals are strips in the colour of who wants to get there."""
    return _drawn(self, s, last, ())


def svg_with_paths(position: Position, seats: tuple[int, ...] | None = None) -> str:
    """The picture of a position with a shortest path of each seat, or of those named."""
    chosen = range(position.game.SEATS) if seats is None else seats
    return _drawn(position.game, position.state, position.last, tuple(chosen))


def _drawn(self: Any, s: Any, last: int | None, hints: tuple[int, ...]) -> str:
    wide, high = self.width * _PITCH - _GAP, self.height * _PITCH - _GAP
    drawing = Drawing(_LEFT + wide + _PANEL, _TOP + max(high, _panel_height(self)) + _BOTTOM)
    drawing.raw(_DEFINITIONS)
    drawing.add("rect", width=drawing.width, height=drawing.height, rx=14, fill="#efe6d6")
    drawing.add("rect", x=_LEFT - 12, y=_TOP - 12, width=wide + 24, height=high + 24, rx=10, fill="url(#qu-board)")
    _goals(self, drawing)
    _squares(self, s, last, drawing)
    with drawing.group(pointer_events="none"):
        _coordinates(self, drawing)
        for m in placed(s):
            _wall(self, m, drawing, m == last)
        for who in hints:
            _path(self, s, who, drawing)
        for who in range(self.players):
            _pawn(*_middle(self, int(s.pawn[who])), _TILE * 0.36, self.SEAT_NAMES[who], drawing)
        _panel(self, s, drawing)
    if not s.ended and s.stock[s.turn] > 0:
        for m in free(s):
            _slot(self, m, drawing)
    return str(drawing)


def _corner(self: Any, at: int) -> tuple[float, float]:
    """The upper left corner of a square."""
    row, file = divmod(at, STRIDE)
    return _LEFT + file * _PITCH, _TOP + (self.height - 1 - row) * _PITCH


def _middle(self: Any, at: int) -> tuple[float, float]:
    x, y = _corner(self, at)
    return x + _TILE / 2, y + _TILE / 2


def _goals(self: Any, drawing: Drawing) -> None:
    wide, high = self.width * _PITCH - _GAP, self.height * _PITCH - _GAP
    strips = ((0, -8, wide, 5), (wide + 3, 0, 5, high), (0, high + 3, wide, 5), (-8, 0, 5, high))
    for seat, name in enumerate(self.SEAT_NAMES):
        x, y, width, height = strips[seat * (4 // self.players)]
        drawing.add("rect", x=_LEFT + x, y=_TOP + y, width=width, height=height, rx=2.5, fill=_COLOUR[name], stroke="#2a160a")


def _squares(self: Any, s: Any, last: int | None, drawing: Drawing) -> None:
    pawns, near = standing(s), targets(self, s)
    for at in cells(self):
        x, y = _corner(self, at)
        told = f"{self.SEAT_NAMES[pawns[at]]} pawn" if at in pawns else "empty"
        drawing.add(
            "rect",
            x=x,
            y=y,
            width=_TILE,
            height=_TILE,
            rx=5,
            fill="#b98a57" if at == last else "#96683f",
            stroke="#3c1f0f",
            stroke_opacity=0.55,
            data_touch=f"cell-{self.height - 1 - at // STRIDE}-{at % STRIDE}",
            aria_label=f"{square(at)}, {told}",
        )
        if at in near:
            x, y = _middle(self, at)
            colour = _COLOUR[self.SEAT_NAMES[s.turn]]
            drawing.add(
                "circle",
                cx=x,
                cy=y,
                r=7,
                fill=colour,
                fill_opacity=0.75,
                stroke="#2a160a",
                stroke_width=1.5,
                pointer_events="none",
            )


def _coordinates(self: Any, drawing: Drawing) -> None:
    below = _TOP + self.height * _PITCH - _GAP + 32
    with drawing.group(fill="#5a4632", font_family="system-ui, sans-serif", font_size=16, text_anchor="middle"):
        for row in range(self.height):
            drawing.add("text", str(row + 1), x=_LEFT / 2 - 6, y=_middle(self, row * STRIDE)[1] + 6)
        for file in range(self.width):
            drawing.add("text", LETTERS[file], x=_middle(self, file)[0], y=below)


def _place(self: Any, m: int) -> tuple[float, float, float, float]:
    """Where a wall lies: left, top, width, height; it is two squares and the gap between them long."""
    x, y = _corner(self, m & CELL)
    if m < V:
        return x, y - _GAP, 2 * _TILE + _GAP, _GAP
    return x + _TILE, y - _PITCH, _GAP, 2 * _TILE + _GAP


def _wall(self: Any, m: int, drawing: Drawing, is_last: bool) -> None:
    x, y, width, height = _place(self, m)
    drawing.add(
        "rect",
        x=x + (2 if m < V else 1.5),
        y=y + (1.5 if m < V else 2),
        width=width - (4 if m < V else 3),
        height=height - (3 if m < V else 4),
        rx=3.5,
        fill="url(#qu-wall)",
        stroke="#ff8a1f" if is_last else "#6b4a1c",
        stroke_width=2.5 if is_last else 1,
        aria_label=f"wall {wall(m)}",
    )


def _slot(self: Any, m: int, drawing: Drawing) -> None:
    """A free place: touched on either side of its middle, from there to the middle of the square; the wall shows as a ghost.

    Neighbouring slots share the squares between them half and half; the outermost take the whole square.
    """
    x, y, width, height = _place(self, m)
    row, file = divmod(m & CELL, STRIDE)
    half = _TILE / 2
    parts: tuple[tuple[float, ...], ...]
    with drawing.group(
        class_="qu-slot",
        data_touch=f"wall-{'h' if m < V else 'v'}-{self.height - 2 - row}-{file}",
        aria_label=f"wall {wall(m)}",
    ):
        drawing.add(
            "rect", x=x, y=y, width=width, height=height, rx=3.5, class_="qu-ghost", fill="url(#qu-wall)", pointer_events="none"
        )
        if m < V:
            before = _TILE if file == 0 else half
            after = _TILE if file == self.width - 2 else half
            parts = ((x + _TILE - before, y, before, _GAP), (x + _PITCH, y, after, _GAP))
        else:
            above = _TILE if row == self.height - 2 else half
            below = _TILE if row == 0 else half
            parts = ((x, y + _TILE - above, _GAP, above), (x, y + _PITCH, _GAP, below))
        for left, top, wide, high in parts:
            drawing.add("rect", x=left, y=top, width=wide, height=high, fill="#000000", fill_opacity=0)


def _pawn(x: float, y: float, r: float, name: str, drawing: Drawing) -> None:
    drawing.add("ellipse", cx=x + 2, cy=y + 4, rx=r, ry=r, fill="#000000", fill_opacity=0.3)
    drawing.add("circle", cx=x, cy=y, r=r, fill=_COLOUR[name], stroke=_RIM[name], stroke_width=2)
    drawing.add("circle", cx=x, cy=y, r=r, fill="url(#qu-shine)")
    drawing.add("circle", cx=x, cy=y, r=r * 0.45, fill="none", stroke=_RIM[name], stroke_width=1.5, stroke_opacity=0.6)


def _path(self: Any, s: Any, seat: int, drawing: Drawing) -> None:
    """A shortest path as a dotted line, a little off the middle so that two paths do not hide each other."""
    shift = (seat - (self.players - 1) / 2) * 6
    points = [(x + shift, y + shift) for x, y in (_middle(self, at) for at in route(self, s, seat))]
    for colour, width in ((_RIM[self.SEAT_NAMES[seat]], 6.0), (_COLOUR[self.SEAT_NAMES[seat]], 3.5)):
        drawing.add(
            "polyline",
            points=" ".join(f"{x:g},{y:g}" for x, y in points),
            fill="none",
            stroke=colour,
            stroke_width=width,
            stroke_dasharray="1 10",
            stroke_linecap="round",
            stroke_linejoin="round",
            class_=f"qu-path-{seat}",
        )


_ENTRY = 104  # height of one seat's part of the panel


def _panel_height(self: Any) -> int:
    return _ENTRY * int(self.players)


def _panel(self: Any, s: Any, drawing: Drawing) -> None:
    """Each seat's name, stock of walls and steps to go; a frame around the seat to move."""
    x = _LEFT + self.width * _PITCH - _GAP + 28
    bottom = _TOP + max(self.height * _PITCH - _GAP, _panel_height(self))
    spread = (bottom - _TOP - _ENTRY) / (self.players - 1)
    for place, seat in enumerate(from_top(self)):
        _entry(self, s, seat, x, _TOP + place * spread, drawing)


def _entry(self: Any, s: Any, seat: int, x: float, y: float, drawing: Drawing) -> None:
    name, stock = self.SEAT_NAMES[seat], int(s.stock[seat])
    if seat == s.turn and not s.ended:
        drawing.add(
            "rect",
            x=x - 8,
            y=y - 2,
            width=_PANEL - 34,
            height=_ENTRY - 2,
            rx=9,
            fill="#fff8e8",
            stroke="#d99b3c",
            stroke_width=2,
        )
    _pawn(x + 14, y + 20, 12, name, drawing)
    with drawing.group(font_family="system-ui, sans-serif", fill="#3b2a1a"):
        drawing.add("text", name, x=x + 34, y=y + 26, font_size=17, font_weight=600)
        steps = int(distance(self, s, seat))
        told = counted(stock, "wall") + ("" if s.ended else f", {steps} to go")
        drawing.add("text", told, x=x, y=y + 52, font_size=13)
    for i in range(stock):
        drawing.add(
            "rect",
            x=x + (i % 15) * 7.6,
            y=y + 61 + (i // 15) * 18,
            width=5,
            height=15,
            rx=1.5,
            fill="url(#qu-wall)",
            stroke="#6b4a1c",
            stroke_width=0.8,
        )


# --- touches --------------------------------------------------------------------------------------------------------


def touches(self: Any, s: Any, m: int) -> tuple[str, ...]:
    """The square the pawn goes to, or the slot of the wall."""
    row, file = divmod(m & CELL, STRIDE)
    if m < H:
        return (f"cell-{self.height - 1 - row}-{file}",)
    return (f"wall-{'h' if m < V else 'v'}-{self.height - 2 - row}-{file}",)
