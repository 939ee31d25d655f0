"""Black-Hole Escape as a picture: ships in space, and the touches that make a move.

Red's ships are round saucers and Blue's are four-pointed stars, so that shape tells them apart where colour does not.
Squares are touched as `cell-row-col`, row 0 on top: first the ship, then the square where its slide ends.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from daedalus.core.drawing import Drawing, Grid, Part, Picture, element
from daedalus.core.kernels.random import scramble

from .layout import FILES, ships, trail
from .text import destination, rows
from .words import cell_name, touched_cell

_TILE = 72.0
_LEFT, _TOP, _FRAME = 38.0, 9.0, 8.0  # of the squares; space is around them, ranks on its left, files below
_COLOUR = ("#ff5a45", "#4c9dff")
_DEFINITIONS = {
    "bh-space": '<radialGradient id="bh-space" cx="0.42" cy="0.45" r="0.8"><stop offset="0" stop-color="#232a57"/><stop offset="0.55" stop-color="#12162f"/><stop offset="1" stop-color="#080a17"/></radialGradient>',
    "bh-seat0": '<radialGradient id="bh-seat0" cx="0.38" cy="0.32" r="0.75"><stop offset="0" stop-color="#ffd5c8"/><stop offset="0.4" stop-color="#ff5a45"/><stop offset="1" stop-color="#861607"/></radialGradient>',
    "bh-seat1": '<radialGradient id="bh-seat1" cx="0.4" cy="0.36" r="0.7"><stop offset="0" stop-color="#ecf8ff"/><stop offset="0.45" stop-color="#4c9dff"/><stop offset="1" stop-color="#0c3a94"/></radialGradient>',
    "bh-glass": '<radialGradient id="bh-glass"><stop offset="0" stop-color="#ffffff"/><stop offset="0.5" stop-color="#9fe8e0"/><stop offset="1" stop-color="#1d4a5c"/></radialGradient>',
    "bh-glow": '<radialGradient id="bh-glow"><stop offset="0.3" stop-color="#000000"/><stop offset="0.44" stop-color="#fff3d0"/><stop offset="0.52" stop-color="#ffb347"/><stop offset="0.68" stop-color="#b0452f" stop-opacity="0.75"/><stop offset="0.85" stop-color="#5b2a86" stop-opacity="0.4"/><stop offset="1" stop-color="#5b2a86" stop-opacity="0"/></radialGradient>',
    "bh-well": '<radialGradient id="bh-well" cx="0.5" cy="0.42"><stop offset="0" stop-color="#000000"/><stop offset="0.75" stop-color="#000000"/><stop offset="1" stop-color="#2a1206"/></radialGradient>',
}


def parts(self: Any, s: Any, seat: int | None, history: Sequence[int], touched: tuple[str, ...], flip: bool) -> Picture:
    """The board in space, the last move as a comet's tail; a ship picked up shows its ways. Beside it the ships at home."""
    came, home = ships(self, s, history)
    last = history[-1] if history else None
    board = _board(self, s, came, last, [touched_cell(self, touch) for touch in touched], flip)
    return Picture(board, tuple(_dock(self, s, who, home[who]) for who in ((1, 0) if flip else (0, 1))))


# --- the board ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _grid(self: Any, flip: bool) -> Grid:
    return Grid(self.size, self.size, _TILE, _LEFT, _TOP, 0, flip)


def _middle(grid: Grid, cell: int) -> tuple[float, float]:
    return grid.middle(*divmod(cell, grid.columns))


def _board(self: Any, s: Any, came: dict[int, int], last: int | None, touched: list[int | None], flip: bool) -> str:
    grid, board = _grid(self, flip), "".join(rows(self, s))
    drawing = Drawing(grid.left + grid.width + _FRAME + 1, grid.top + grid.height + _FRAME + 25, _DEFINITIONS)
    drawing.raw(_ground(self, flip))
    for cell, letter in enumerate(board):
        drawing.raw(_square(self, flip, cell, letter, cell in touched))
    lifted = touched[0] if touched else None
    landed = touched[1] if len(touched) > 1 else lifted
    joined = None if last is None or lifted is not None else trail(self, s, last)
    with drawing.group(pointer_events="none"):
        if joined:
            _comet(grid, *joined, 1 - int(s.turn), drawing)
        _hole(*_middle(grid, self.size * self.size // 2), drawing)
        if joined:
            _rings(grid, *joined, 1 - int(s.turn), drawing)
        if lifted is not None:
            _ways(grid, self, s, lifted, landed, drawing)
    for cell, letter in enumerate(board):
        if letter in "RB":
            where = landed if cell == lifted and landed is not None else cell
            with drawing.piece(f"ship-{came.get(cell, cell)}", *_middle(grid, where), pointer_events="none"):
                _ship("RB".index(letter), _TILE * (0.41 if cell == lifted else 0.36), drawing)
    return str(drawing)


@lru_cache(maxsize=16)
def _ground(self: Any, flip: bool) -> str:
    """What never changes: space with its stars, and the names of files and ranks outside it."""
    grid = _grid(self, flip)
    side = grid.width + 2 * _FRAME
    drawing = Drawing(0, 0)
    drawing.add(
        "rect",
        x=grid.left - _FRAME,
        y=grid.top - _FRAME,
        width=side,
        height=side,
        rx=14,
        fill="url(#bh-space)",
        stroke="#3a4170",
    )
    for size in range(3):  # the same stars on every picture
        stars = [i for i in range(int(side * side / 3500)) if scramble(i, 3) % 3 == size]
        dots = [(scramble(i, 1) % int(side), scramble(i, 2) % int(side)) for i in stars]
        drawing.add(
            "path", d="".join(f"M{grid.left - _FRAME + x:g} {grid.top - _FRAME + y:g}h0" for x, y in dots), stroke="#ffffff",
            stroke_width=1.2 + size, stroke_opacity=0.3 + 0.22 * size, stroke_linecap="round", pointer_events="none",
        )  # fmt: skip
    ranks = [str(rank) for rank in range(self.size, 0, -1)]
    grid.coordinates(drawing, FILES[: self.size], ranks, y=grid.top + grid.height + _FRAME + 19, x=14, size=17)
    return drawing.markup


@lru_cache(maxsize=2048)
def _square(self: Any, flip: bool, cell: int, letter: str, is_touched: bool) -> str:
    row, col = divmod(cell, self.size)
    x, y = _grid(self, flip).corner(row, col)
    return element(
        "rect", x=x + 2, y=y + 2, width=_TILE - 4, height=_TILE - 4, rx=9, fill="#8fa2ff" if (row + col) % 2 else "#c3ccff",
        fill_opacity=0.32 if is_touched else 0.13, stroke="#aab6ff", stroke_opacity=0.9 if is_touched else 0.22,
        data_touch=f"cell-{row}-{col}", aria_label=cell_name(self, cell, letter),
    )  # fmt: skip


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


def _comet(grid: Grid, start: int, end: int, seat: int, drawing: Drawing) -> None:
    """A way as a tail that widens from where the ship was to where it is."""
    (x, y), (x2, y2) = _middle(grid, start), _middle(grid, end)
    far = max(abs(x2 - x), abs(y2 - y), 1.0)
    right, down = (x2 - x) / far, (y2 - y) / far
    for width, shine in ((0.3, 0.22), (0.19, 0.3), (0.08, 0.45)):
        wide, thin = _TILE * width, _TILE * width / 8
        points = (
            (x - down * thin, y + right * thin),
            (x2 - down * wide, y2 + right * wide),
            (x2 + down * wide, y2 - right * wide),
            (x + down * thin, y - right * thin),
        )
        told = " ".join(f"{a:g},{b:g}" for a, b in points)
        drawing.add("polygon", points=told, fill=_COLOUR[seat], fill_opacity=shine, class_="last")


def _rings(grid: Grid, start: int, end: int, seat: int, drawing: Drawing) -> None:
    """The two ends of the mover's way."""
    (x, y), (x2, y2) = _middle(grid, start), _middle(grid, end)
    with drawing.group(fill="none", stroke=_COLOUR[seat], class_="last"):
        drawing.add("circle", cx=x, cy=y, r=_TILE * 0.17, stroke_width=2, stroke_dasharray="4 4")
        drawing.add("circle", cx=x2, cy=y2, r=_TILE * 0.44, stroke_width=2.5)


def _ways(grid: Grid, self: Any, s: Any, ship: int, landed: int | None, drawing: Drawing) -> None:
    """Where a ship that is picked up can slide, or, once chosen, where it slides."""
    ends = [destination(self, s, ship * 4 + direction) for direction in range(4)] if landed == ship else [landed]
    x, y = _middle(grid, ship)
    for end in ends:
        if end is not None and end != ship:
            x2, y2 = _middle(grid, end)
            line: dict[str, Any] = {"stroke": _COLOUR[s.turn], "stroke_width": 3, "stroke_opacity": 0.85}
            drawing.add("line", x1=x, y1=y, x2=x2, y2=y2, stroke_dasharray="2 9", stroke_linecap="round", **line)
            drawing.add("circle", cx=x2, cy=y2, r=_TILE * 0.2, fill=_COLOUR[s.turn], fill_opacity=0.25, **line)


# --- ships ----------------------------------------------------------------------------------------------------------


def _ship(seat: int, r: float, drawing: Drawing) -> None:
    with drawing.group(transform=f"scale({r / 100:g})"):
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


def _dock(self: Any, s: Any, seat: int, home: list[int]) -> Part:
    """A seat's places at home, with the ships that have come there."""
    places, count = self.size // 2, int(s.home[seat])
    names = [f"ship-{cell}" for cell in home]
    names = [f"ship-home-{seat}-{k}" for k in range(count - len(names))] + names  # home before the first known move
    drawing = Drawing(12 + 56 * places, 64, _DEFINITIONS)
    drawing.add("rect", width=drawing.width, height=drawing.height, rx=14, fill="#12162f")
    for place in range(places):
        look: dict[str, Any] = {"stroke": _COLOUR[seat], "stroke_opacity": 0.75, "stroke_width": 1.5}
        x = 34.0 + 56 * place
        drawing.add("circle", cx=x, cy=32, r=23, fill="#000000", fill_opacity=0.35, stroke_dasharray="5 4", **look)
        if place < count:
            with drawing.piece(names[place], x, 32.0):
                _ship(seat, _TILE * 0.26, drawing)
    return Part("home", seat, str(drawing), f"{count} of {places} home")


# --- touches --------------------------------------------------------------------------------------------------------


def touches(self: Any, s: Any, m: int) -> tuple[str, ...]:
    """The ship's square, then the square where it ends."""
    return tuple(f"cell-{cell // self.size}-{cell % self.size}" for cell in (m >> 2, destination(self, s, m)))
