"""Quoridor as a picture: a board of dark wood with light walls, and the touches that make a move.

Touches name squares `cell-row-col` and wall slots `wall-h-row-col` or `wall-v-row-col`, rows counted from the top, a
slot by the square up and to the left of its middle. One touch is a move.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from daedalus.core import Position
from daedalus.core.drawing import Drawing, Grid, Part, Picture, composed, element
from daedalus.core.plurals import counted

from .kernels.bitboards import STRIDE, distance
from .kernels.rules import CELL, H, V
from .layout import from_top, standing, targets
from .notation import LETTERS, cells, placed, square
from .paths import free, route
from .words import touched_move, wall_name

_TILE, _GAP = 52.0, 13.0
_LEFT, _TOP, _FRAME = 40.0, 12.0, 12.0  # of the squares; the frame is around them, ranks on its left, files below
_REACH = 20.5  # how far from its middle line a slot can be touched
_COLOUR = {"White": "#f7f1e3", "Black": "#2b2622", "Red": "#c8402f", "Green": "#2f8f5b"}
_RIM = {"White": "#8d7b5a", "Black": "#0e0c0a", "Red": "#6d160c", "Green": "#0f4a2b"}
_LETTER = {"White": "#4a3d26", "Black": "#f7f1e3", "Red": "#ffffff", "Green": "#ffffff"}
_DEFINITIONS = {
    "qu-board": '<linearGradient id="qu-board" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#6b3f24"/><stop offset="0.5" stop-color="#5a321b"/><stop offset="1" stop-color="#472614"/></linearGradient>',
    "qu-wall": '<linearGradient id="qu-wall" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fbe7bd"/><stop offset="0.5" stop-color="#f0cf8e"/><stop offset="1" stop-color="#d9ad62"/></linearGradient>',
    "qu-shine": '<radialGradient id="qu-shine" cx="0.36" cy="0.3" r="0.8"><stop offset="0" stop-color="#ffffff" stop-opacity="0.75"/><stop offset="0.35" stop-color="#ffffff" stop-opacity="0.18"/><stop offset="1" stop-color="#000000" stop-opacity="0.32"/></radialGradient>',
}


def parts(self: Any, s: Any, seat: int | None, history: Sequence[int], touched: tuple[str, ...], flip: bool) -> Picture:
    """The board; goals are strips in the colour of who wants to get there. Beside it each seat's stock of walls."""
    return _picture(self, s, history[-1] if history else None, touched, flip, ())


def svg_with_paths(position: Position, seats: tuple[int, ...] | None = None) -> str:
    """The picture of a position with a shortest path of each seat, or of those named."""
    game, s = position.game, position.state
    chosen = tuple(range(game.SEATS)) if seats is None else seats
    picture = _picture(game, s, position.last, (), False, chosen)
    return composed(picture, game.SEAT_NAMES, None if s.ended else position.turn)  # type: ignore[attr-defined]


def _picture(self: Any, s: Any, last: int | None, touched: tuple[str, ...], flip: bool, hints: tuple[int, ...]) -> Picture:
    seats = from_top(self)[::-1] if flip else from_top(self)
    return Picture(_board(self, s, last, touched, flip, hints), tuple(_stock(self, s, who) for who in seats))


# --- the board ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _grid(self: Any, flip: bool) -> Grid:
    return Grid(self.height, self.width, _TILE, _LEFT, _TOP, _GAP, flip)


def _board(self: Any, s: Any, last: int | None, touched: tuple[str, ...], flip: bool, hints: tuple[int, ...]) -> str:
    grid = _grid(self, flip)
    drawing = Drawing(grid.left + grid.width + _FRAME, grid.top + grid.height + _FRAME + 27, _DEFINITIONS)
    drawing.raw(_ground(self, flip))
    pawns, near = standing(s), targets(self, s)
    chosen = touched_move(self, touched[0]) if touched else None
    for at in cells(self):
        if at not in near:
            drawing.raw(_square(self, flip, at, pawns.get(at), at == last, at == chosen))
    for m in placed(s):
        _wall(grid, self, m, m == last, drawing)
    with drawing.group(pointer_events="none"):
        for who in hints:
            _path(grid, self, s, who, drawing)
    if not s.ended and s.stock[s.turn] > 0:
        for m in free(s):
            drawing.raw(_slot(self, flip, m, m == chosen))
    for at in near:  # above the slots, so that a finger finds them
        drawing.raw(_target(self, flip, at, int(s.turn), at == last, at == chosen))
    for who, name in enumerate(self.SEAT_NAMES):
        with drawing.piece(f"pawn-{who}", *_middle(grid, self, int(s.pawn[who])), pointer_events="none"):
            _pawn(_TILE * 0.36, name, self.players > 2, drawing)
    return str(drawing)


def _corner(grid: Grid, self: Any, at: int) -> tuple[float, float]:
    """The upper left corner of a square."""
    return grid.corner(self.height - 1 - at // STRIDE, at % STRIDE)


def _middle(grid: Grid, self: Any, at: int) -> tuple[float, float]:
    return grid.middle(self.height - 1 - at // STRIDE, at % STRIDE)


@lru_cache(maxsize=64)
def _ground(self: Any, flip: bool) -> str:
    """What never changes: the frame with the goals, and the names of files and ranks outside it."""
    grid = _grid(self, flip)
    drawing = Drawing(0, 0)
    size: dict[str, Any] = {"width": grid.width + 2 * _FRAME, "height": grid.height + 2 * _FRAME}
    drawing.add("rect", x=grid.left - _FRAME, y=grid.top - _FRAME, **size, rx=10, fill="url(#qu-board)")
    wide, high = grid.width, grid.height
    strips = ((0, -8, wide, 5), (wide + 3, 0, 5, high), (0, high + 3, wide, 5), (-8, 0, 5, high))
    for seat, name in enumerate(self.SEAT_NAMES):
        x, y, width, height = strips[seat * (4 // self.players)]
        left, top = grid.box(x, y, width, height)
        drawing.add("rect", x=left, y=top, width=width, height=height, rx=2.5, fill=_COLOUR[name], stroke="#2a160a")
    ranks = [str(rank) for rank in range(self.height, 0, -1)]
    grid.coordinates(drawing, LETTERS[: self.width], ranks, y=grid.top + high + _FRAME + 20, x=14)
    return drawing.markup


@lru_cache(maxsize=4096)
def _square(self: Any, flip: bool, at: int, pawn: int | None, is_last: bool, is_chosen: bool) -> str:
    told = "empty" if pawn is None else f"{self.SEAT_NAMES[pawn]} pawn"
    return _tile(self, flip, at, is_last, is_chosen, data_touch=_cell_touch(self, at), aria_label=f"{square(at)}, {told}")


def _tile(self: Any, flip: bool, at: int, is_last: bool, is_chosen: bool, **more: Any) -> str:
    x, y = _corner(_grid(self, flip), self, at)
    return element(
        "rect", x=x, y=y, width=_TILE, height=_TILE, rx=5, fill="#c39a5f" if is_last else "#96683f",
        stroke="#ffd98a" if is_chosen else "#3c1f0f", stroke_opacity=1 if is_chosen else 0.55,
        stroke_width=3 if is_chosen else None, class_="last" if is_last else None, **more,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _target(self: Any, flip: bool, at: int, turn: int, is_last: bool, is_chosen: bool) -> str:
    """A square where the pawn can go; touched in a circle that the slots around it leave free."""
    x, y = _middle(_grid(self, flip), self, at)
    drawing = Drawing(0, 0)
    with drawing.touch(_cell_touch(self, at), f"{square(at)}, empty"):
        drawing.raw(_tile(self, flip, at, is_last, is_chosen, pointer_events="none"))
        drawing.add("circle", cx=x, cy=y, r=_TILE * 0.4, fill="none", pointer_events="all")
        colour = _COLOUR[self.SEAT_NAMES[turn]]
        drawing.add("circle", cx=x, cy=y, r=7, fill=colour, fill_opacity=0.75, stroke="#2a160a", stroke_width=1.5)
    return drawing.markup


def _crossing(grid: Grid, self: Any, m: int) -> tuple[float, float]:
    """The middle of a wall."""
    row, file = divmod(m & CELL, STRIDE)
    return grid.box((file + 1) * grid.pitch - _GAP / 2, (self.height - 1 - row) * grid.pitch - _GAP / 2, 0, 0)


def _wall(grid: Grid, self: Any, m: int, is_last: bool, drawing: Drawing) -> None:
    x, y = _crossing(grid, self, m)
    with drawing.piece(_wall_touch(self, m), x, y, class_="last" if is_last else None, aria_label=wall_name(m)):
        drawing.raw(_plank(m, "#ff8a1f" if is_last else "#6b4a1c", 2.5 if is_last else 1))


def _plank(m: int, stroke: str, width: float) -> str:
    """A wall around 0, 0: two squares and the gap between them long, a little shorter than its place."""
    long, short = 2 * _TILE + _GAP - 4, _GAP - 3
    wide, high = (long, short) if m < V else (short, long)
    return element(
        "rect", x=-wide / 2, y=-high / 2, width=wide, height=high, rx=3.5, fill="url(#qu-wall)", stroke=stroke,
        stroke_width=width,
    )  # fmt: skip


def _cell_touch(self: Any, at: int) -> str:
    return f"cell-{self.height - 1 - at // STRIDE}-{at % STRIDE}"


def _wall_touch(self: Any, m: int) -> str:
    row, file = divmod(m & CELL, STRIDE)
    return f"wall-{'h' if m < V else 'v'}-{self.height - 2 - row}-{file}"


@lru_cache(maxsize=4096)
def _slot(self: Any, flip: bool, m: int, is_chosen: bool) -> str:
    """A free place for a wall, which shows as a ghost; touched on either side of its middle, where it meets no other.

    Two slots cross at their middle and share the squares around it by the diagonals; neighbours share them half and half,
    and the outermost take the whole square.
    """
    x, y = _crossing(_grid(self, flip), self, m)
    row, file = divmod(m & CELL, STRIDE)
    place, last = (file, self.width - 2) if m < V else (self.height - 2 - row, self.height - 2)
    ends = [_GAP / 2 + (_TILE if place == edge else _TILE / 2) for edge in (0, last)]
    before, after = reversed(ends) if flip else ends
    arms = [f"M0 0L{-_REACH} {-_REACH}H{-before}V{_REACH}H{-_REACH}Z", f"M0 0L{_REACH} {-_REACH}H{after}V{_REACH}H{_REACH}Z"]
    drawing = Drawing(0, 0)
    with drawing.touch(_wall_touch(self, m), wall_name(m), transform=f"translate({x:g} {y:g})"):
        turn = None if m < V else "rotate(90)"
        drawing.add("path", d="".join(arms).replace(".0", ""), transform=turn, fill="none", pointer_events="all")
        if is_chosen:
            drawing.raw(_plank(m, "#ff8a1f", 2))
        else:
            with drawing.ghost(opacity=0.7):
                drawing.raw(_plank(m, "#6b4a1c", 1))
    return drawing.markup


def _pawn(r: float, name: str, lettered: bool, drawing: Drawing) -> None:
    drawing.add("ellipse", cx=2, cy=4, rx=r, ry=r, fill="#000000", fill_opacity=0.3)
    drawing.add("circle", r=r, fill=_COLOUR[name], stroke=_RIM[name], stroke_width=2)
    drawing.add("circle", r=r, fill="url(#qu-shine)")
    if lettered:  # where colours may not be told apart
        drawing.write(name[0], 0, r * 0.36, r, _LETTER[name], font_weight=700)
    else:
        drawing.add("circle", r=r * 0.45, fill="none", stroke=_RIM[name], stroke_width=1.5, stroke_opacity=0.6)


def _path(grid: Grid, self: Any, s: Any, seat: int, drawing: Drawing) -> None:
    """A shortest path as a dotted line, a little off the middle so that two paths do not hide each other."""
    shift = (seat - (self.players - 1) / 2) * 6
    points = [(x + shift, y + shift) for x, y in (_middle(grid, self, at) for at in route(self, s, seat))]
    for colour, width in ((_RIM[self.SEAT_NAMES[seat]], 6.0), (_COLOUR[self.SEAT_NAMES[seat]], 3.5)):
        drawing.add(
            "polyline", points=" ".join(f"{x:g},{y:g}" for x, y in points), fill="none", stroke=colour, stroke_width=width,
            stroke_dasharray="1 10", stroke_linecap="round", stroke_linejoin="round", class_=f"qu-path-{seat}",
        )  # fmt: skip


# --- beside it ------------------------------------------------------------------------------------------------------

_ROW = 15  # walls side by side


def _stock(self: Any, s: Any, seat: int) -> Part:
    """A seat's pawn and its walls; those it has built leave their places empty."""
    name, stock = self.SEAT_NAMES[seat], int(s.stock[seat])
    rows = max(1, -(-int(self.walls) // _ROW))
    drawing = Drawing(44 + 10 * min(max(int(self.walls), 1), _ROW), 8 + 24 * rows + 4, _DEFINITIONS)
    with drawing.group(transform=f"translate(18 {drawing.height / 2:g})"):
        _pawn(13, name, self.players > 2, drawing)
    for i in range(int(self.walls)):
        place: dict[str, Any] = {"x": 42 + (i % _ROW) * 10, "y": 6 + (i // _ROW) * 24, "width": 6, "height": 20, "rx": 2}
        if i < stock:
            drawing.add("rect", **place, fill="url(#qu-wall)", stroke="#6b4a1c")
        else:
            drawing.add("rect", **place, fill="none", stroke="currentColor", stroke_opacity=0.35, stroke_dasharray="2 2")
    told = counted(stock, "wall") + ("" if s.ended else f", {int(distance(self, s, seat))} to go")
    return Part("walls", seat, str(drawing), told)


# --- touches --------------------------------------------------------------------------------------------------------


def touches(self: Any, s: Any, m: int) -> tuple[str, ...]:
    """The square the pawn goes to, or the slot of the wall."""
    return (_wall_touch(self, m) if m >= H else _cell_touch(self, m),)
