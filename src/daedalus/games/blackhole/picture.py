"""Black-Hole Escape as pictures: a board for terminals, an SVG, and the touches that make a move.

Red's ships are round saucers and Blue's are four-pointed stars, so that shape tells them apart where colour does not.
Squares are touched as `cell-row-col`, row 0 on top: first the ship, then the square where its slide ends.
"""

from typing import Any

from rich.text import Text

from daedalus.core import Move
from daedalus.core.drawing import Drawing
from daedalus.core.kernels.random import scramble

from .kernels.terms import PASS
from .text import destination, rows, square

_FILES = "abcdefghi"
_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west, as moves code them

# --- which squares the last move joined -----------------------------------------------------------------------------


def trail(self: Any, s: Any, last: int) -> tuple[int, int]:
    """The cells where the last move, made in the position before s, began and ended."""
    if isinstance(last, Move):  # its text was written before the move, when the end was plain to see
        return last >> 2, (self.size - int(last.text[-1])) * self.size + _FILES.index(last.text[-2])
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
    down, right = _STEPS[m & 3]
    line = []
    while 0 <= (row := row + down) < self.size and 0 <= (col := col + right) < self.size:
        line.append(row * self.size + col)
    return line


# --- terminal -------------------------------------------------------------------------------------------------------

_INK = {"R": "bold #ff7a66", "B": "bold #6db3ff", "*": "bold #ffd27a", ".": "#6b7299"}


def terminal(self: Any, s: Any, seat: int | None, last: int | None) -> Text:
    """Files below, ranks on the left; the last move's two squares stand in brackets."""
    marked = () if last is None else trail(self, s, last)
    picture = Text()
    for row, line in enumerate(rows(self, s)):
        picture.append(f"{self.size - row:>2}  ", "dim")
        for col, letter in enumerate(line):
            sign = {"*": "(*)", ".": " · "}.get(letter, f" {letter} ")
            style = _INK[letter] + (" on #1b2140" if (row + col) % 2 else " on #141930")
            if row * self.size + col in marked:
                sign = f"[{sign[1]}]"
                style = _INK[letter].replace("#6b7299", "white") + " on #43406b"
            picture.append(f" {sign} ", style)
        picture.append("\n")
    picture.append("    " + "".join(f"  {letter}  " for letter in _FILES[: self.size]), "dim")
    return picture


# --- SVG ------------------------------------------------------------------------------------------------------------

_TILE = 72  # squares are this wide
_LEFT, _TOP, _BOTTOM, _DOCK = 40, 26, 44, 104  # room for ranks, above, for files, for the ships that are home
_COLOUR = ("#ff5a45", "#4c9dff")
_DEFINITIONS = """<defs>
<radialGradient id="bh-space" cx="0.42" cy="0.45" r="0.8"><stop offset="0" stop-color="#232a57"/><stop offset="0.55" stop-color="#12162f"/><stop offset="1" stop-color="#080a17"/></radialGradient>
<radialGradient id="bh-seat0" cx="0.38" cy="0.32" r="0.75"><stop offset="0" stop-color="#ffd5c8"/><stop offset="0.4" stop-color="#ff5a45"/><stop offset="1" stop-color="#861607"/></radialGradient>
<radialGradient id="bh-seat1" cx="0.4" cy="0.36" r="0.7"><stop offset="0" stop-color="#ecf8ff"/><stop offset="0.45" stop-color="#4c9dff"/><stop offset="1" stop-color="#0c3a94"/></radialGradient>
<radialGradient id="bh-glass"><stop offset="0" stop-color="#ffffff"/><stop offset="0.5" stop-color="#9fe8e0"/><stop offset="1" stop-color="#1d4a5c"/></radialGradient>
<radialGradient id="bh-glow"><stop offset="0.3" stop-color="#000000"/><stop offset="0.44" stop-color="#fff3d0"/><stop offset="0.52" stop-color="#ffb347"/><stop offset="0.68" stop-color="#b0452f" stop-opacity="0.75"/><stop offset="0.85" stop-color="#5b2a86" stop-opacity="0.4"/><stop offset="1" stop-color="#5b2a86" stop-opacity="0"/></radialGradient>
<radialGradient id="bh-well" cx="0.5" cy="0.42"><stop offset="0" stop-color="#000000"/><stop offset="0.75" stop-color="#000000"/><stop offset="1" stop-color="#2a1206"/></radialGradient>
</defs>"""


def svg(self: Any, s: Any, seat: int | None, last: int | None) -> str:
    """The board in space, the last move as a comet's tail, the docks of the ships that are home on the right."""
    board = self.size * _TILE
    drawing = Drawing(_LEFT + board + _DOCK, _TOP + board + _BOTTOM)
    drawing.raw(_DEFINITIONS)
    drawing.add("rect", width=drawing.width, height=drawing.height, rx=14, fill="url(#bh-space)")
    _stars(drawing)
    _squares(self, s, drawing)
    with drawing.group(pointer_events="none"):
        _coordinates(self, drawing)
        if last is not None:
            _comet(self, s, last, drawing)
        _hole(*_middle(self, self.size * self.size // 2), drawing)
        if last is not None:
            _rings(self, s, last, drawing)
        for cell, letter in enumerate("".join(rows(self, s))):
            if letter in "RB":
                _ship("RB".index(letter), *_middle(self, cell), _TILE * 0.36, drawing)
        _docks(self, s, drawing)
    return str(drawing)


def _middle(self: Any, cell: int) -> tuple[float, float]:
    row, col = divmod(cell, self.size)
    return _LEFT + (col + 0.5) * _TILE, _TOP + (row + 0.5) * _TILE


def _stars(drawing: Drawing) -> None:
    with drawing.group(fill="#ffffff", pointer_events="none"):
        for i in range(int(drawing.width * drawing.height / 3500)):
            x, y, shine = scramble(i, 1) % drawing.width, scramble(i, 2) % drawing.height, scramble(i, 3) % 100
            drawing.add("circle", cx=x, cy=y, r=0.5 + shine / 90, opacity=0.25 + shine / 150)


def _squares(self: Any, s: Any, drawing: Drawing) -> None:
    names = {"R": f"{self.SEAT_NAMES[0]} ship", "B": f"{self.SEAT_NAMES[1]} ship", "*": "black hole", ".": "empty"}
    for cell, letter in enumerate("".join(rows(self, s))):
        row, col = divmod(cell, self.size)
        drawing.add(
            "rect",
            x=_LEFT + col * _TILE + 2,
            y=_TOP + row * _TILE + 2,
            width=_TILE - 4,
            height=_TILE - 4,
            rx=9,
            fill="#8fa2ff" if (row + col) % 2 else "#c3ccff",
            fill_opacity=0.13,
            stroke="#aab6ff",
            stroke_opacity=0.22,
            data_touch=f"cell-{row}-{col}",
            aria_label=f"{square(self, cell)}, {names[letter]}",
        )


def _coordinates(self: Any, drawing: Drawing) -> None:
    below = _TOP + self.size * _TILE
    with drawing.group(fill="#c9d0f5", font_family="system-ui, sans-serif", font_size=17, text_anchor="middle"):
        for i in range(self.size):
            drawing.add("text", str(self.size - i), x=_LEFT / 2, y=_TOP + (i + 0.5) * _TILE + 6)
            drawing.add("text", _FILES[i], x=_LEFT + (i + 0.5) * _TILE, y=below + 27)


def _hole(x: float, y: float, drawing: Drawing) -> None:
    """A glowing disc around a well; the arcs are matter that spirals in."""
    r = _TILE * 0.5
    drawing.add("circle", cx=x, cy=y, r=r * 1.3, fill="url(#bh-glow)")
    for turn in range(0, 360, 60):
        drawing.add(
            "path",
            d=f"M {r * 1.08:g} 0 Q {r * 0.95:g} {r * 0.62:g} {r * 0.2:g} {r * 0.66:g}",
            transform=f"translate({x:g} {y:g}) rotate({turn})",
            fill="none",
            stroke="#ffe0a3",
            stroke_width=2.2,
            stroke_opacity=0.5,
            stroke_linecap="round",
        )
    drawing.add("circle", cx=x, cy=y, r=r * 0.56, fill="url(#bh-well)", stroke="#fff1cc", stroke_width=1.6)


def _comet(self: Any, s: Any, last: int, drawing: Drawing) -> None:
    """The mover's way: a tail that widens from where the ship was to where it is."""
    (x, y), (x2, y2) = (_middle(self, cell) for cell in trail(self, s, last))
    down, right = _STEPS[last & 3]
    for width, shine in ((0.3, 0.22), (0.19, 0.3), (0.08, 0.45)):
        wide, thin = _TILE * width, _TILE * width / 8
        points = (
            (x - down * thin, y + right * thin),
            (x2 - down * wide, y2 + right * wide),
            (x2 + down * wide, y2 - right * wide),
            (x + down * thin, y - right * thin),
        )
        drawing.add("polygon", points=" ".join(f"{a:g},{b:g}" for a, b in points), fill=_COLOUR[1 - s.turn], fill_opacity=shine)


def _rings(self: Any, s: Any, last: int, drawing: Drawing) -> None:
    """The two ends of the mover's way."""
    (x, y), (x2, y2) = (_middle(self, cell) for cell in trail(self, s, last))
    with drawing.group(fill="none", stroke=_COLOUR[1 - s.turn]):
        drawing.add("circle", cx=x, cy=y, r=_TILE * 0.17, stroke_width=2, stroke_dasharray="4 4")
        drawing.add("circle", cx=x2, cy=y2, r=_TILE * 0.44, stroke_width=2.5)


def _ship(seat: int, x: float, y: float, r: float, drawing: Drawing) -> None:
    with drawing.group(transform=f"translate({x:g} {y:g}) scale({r / 100:g})"):
        (_saucer, _star)[seat](drawing)


def _saucer(drawing: Drawing) -> None:
    """Red: round, a ring of lamps around a glass dome. Drawn with radius 100."""
    drawing.add("circle", r=96, fill="url(#bh-seat0)", stroke="#3d0a03", stroke_width=6)
    drawing.add("circle", r=68, fill="none", stroke="#5e1206", stroke_width=5, stroke_opacity=0.7)
    with drawing.group(fill="#fff0b8"):
        for turn in range(0, 360, 45):
            drawing.add("circle", cx=82, r=7, transform=f"rotate({turn})")
    drawing.add("circle", r=40, fill="url(#bh-glass)", stroke="#5e1206", stroke_width=5)


def _star(drawing: Drawing) -> None:
    """Blue: four points with concave flanks around a glass diamond. Drawn with radius 100."""
    hull = "M 0 -112 Q 22 -40 46 -46 Q 40 -22 112 0 Q 40 22 46 46 Q 22 40 0 112 Q -22 40 -46 46 Q -40 22 -112 0 Q -40 -22 -46 -46 Q -22 -40 0 -112 Z"
    drawing.add("path", d=hull, fill="url(#bh-seat1)", stroke="#06205c", stroke_width=6, stroke_linejoin="round")
    drawing.add("path", d="M 0 -84 V 84 M -84 0 H 84", stroke="#e3f2ff", stroke_width=4, stroke_opacity=0.75)
    drawing.add("path", d="M 0 -34 L 34 0 L 0 34 L -34 0 Z", fill="url(#bh-glass)", stroke="#06205c", stroke_width=5)


def _docks(self: Any, s: Any, drawing: Drawing) -> None:
    """Red's places from the top down, Blue's from the bottom up; a lamp beside the side to move."""
    x = _LEFT + self.size * _TILE + _DOCK / 2
    bottom = _TOP + self.size * _TILE
    pitch = _TILE * 0.78
    for seat, (edge, step) in enumerate(((_TOP + 12, pitch), (bottom - 12, -pitch))):
        name = self.SEAT_NAMES[seat]
        if seat == s.turn and not s.ended:
            drawing.add("circle", cx=x - 36, cy=edge, r=5, fill="#ffe9a8", stroke=_COLOUR[seat], stroke_width=2.5)
        drawing.add(
            "text",
            name,
            x=x,
            y=edge + 6,
            fill=_COLOUR[seat],
            font_size=17,
            font_weight=600,
            text_anchor="middle",
            font_family="system-ui, sans-serif",
        )
        for place in range(self.size // 2):
            y = edge + step * (place + 0.85)
            drawing.add(
                "circle",
                cx=x,
                cy=y,
                r=_TILE * 0.33,
                fill="#000000",
                fill_opacity=0.35,
                stroke=_COLOUR[seat],
                stroke_opacity=0.75,
                stroke_width=1.5,
                stroke_dasharray="5 4",
            )
            if place < s.home[seat]:
                _ship(seat, x, y, _TILE * 0.26, drawing)


# --- touches --------------------------------------------------------------------------------------------------------


def touches(self: Any, s: Any, m: int) -> tuple[str, ...]:
    """The ship's square, then the square where it ends."""
    return tuple(f"cell-{cell // self.size}-{cell % self.size}" for cell in (m >> 2, destination(self, s, m)))
