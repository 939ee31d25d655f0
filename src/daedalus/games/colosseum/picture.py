"""Colosseum Survival! as a picture: the arena's floor with its walls, and the touches that make a move.

A carries a round shield and B a square one, so that shape tells them apart where colour does not. A move is two touches:
`cell-row-col`, where the walk ends, then `wall-row-col-r` (or `-d`), the right (or lower) side of a cell that gets the barrier.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from daedalus.core import Position
from daedalus.core.drawing import Drawing, Grid, Part, Picture, composed, element
from daedalus.core.kernels.random import scramble
from daedalus.core.plurals import counted

from .kernels.territory import DOWN, RIGHT, most_steps
from .layout import openings, route, standing, wall, zones
from .text import SIDES, barriers, on_border, reachable
from .words import cell_name, side_name, touched_cell

_TILE = 60.0
_LEFT, _TOP, _RIM = 38.0, 34.0, 8.0  # of the floor; the rim is the wall around it, the numbers are outside
_REACH = 15.0  # how far from its middle line a side can be touched
_COLOUR, _DARK = ("#c8402c", "#2f6fc0"), ("#6f150b", "#0e2f63")
_DEFINITIONS = {
    "co-wall": '<linearGradient id="co-wall" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#6b5a41"/><stop offset="1" stop-color="#3b2f20"/></linearGradient>',
    "co-fresh": '<linearGradient id="co-fresh" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffcf40"/><stop offset="1" stop-color="#d98a00"/></linearGradient>',
    "co-floor": '<radialGradient id="co-floor" cx="0.5" cy="0.45" r="0.75"><stop offset="0" stop-color="#f4e3b5"/><stop offset="1" stop-color="#d9bd83"/></radialGradient>',
    "co-seat0": '<radialGradient id="co-seat0" cx="0.38" cy="0.32" r="0.8"><stop offset="0" stop-color="#ff9a80"/><stop offset="0.5" stop-color="#c8402c"/><stop offset="1" stop-color="#7a1a0e"/></radialGradient>',
    "co-seat1": '<radialGradient id="co-seat1" cx="0.38" cy="0.32" r="0.8"><stop offset="0" stop-color="#9accff"/><stop offset="0.5" stop-color="#2f6fc0"/><stop offset="1" stop-color="#123a78"/></radialGradient>',
    "co-lost": '<pattern id="co-lost" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="10" height="10" fill="#8a7c62" fill-opacity="0.45"/><rect width="4" height="10" fill="#5d523f" fill-opacity="0.5"/></pattern>',
}


def parts(self: Any, s: Any, seat: int | None, history: Sequence[int], touched: tuple[str, ...], flip: bool) -> Picture:
    """The floor with its walls, the last barrier in gold; a walk under way with the sides that are open to a barrier."""
    return _picture(self, s, history[-1] if history else None, touched, flip, set())


def svg_with_reach(position: Position) -> str:
    """The picture with a dot on every cell where the player to move may end the walk."""
    game, s = position.game, position.state
    picture = _picture(game, s, position.last, (), False, set() if position.outcome() else reachable(game, s))
    return composed(picture, game.SEAT_NAMES, None if s.ended else position.turn)  # type: ignore[attr-defined]


def _picture(self: Any, s: Any, last: int | None, touched: tuple[str, ...], flip: bool, dotted: set[int]) -> Picture:
    board = _board(self, s, last, touched, flip, dotted)
    return Picture(board, tuple(_player(self, s, who) for who in ((1, 0) if flip else (0, 1))))


# --- the board ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _grid(self: Any, flip: bool) -> Grid:
    return Grid(self.size, self.size, _TILE, _LEFT, _TOP, 0, flip)


def _board(self: Any, s: Any, last: int | None, touched: tuple[str, ...], flip: bool, dotted: set[int]) -> str:
    grid = _grid(self, flip)
    drawing = Drawing(grid.left + grid.width + _RIM + 1, grid.top + grid.height + _RIM + 1, _DEFINITIONS)
    places = [touched_cell(self, touch) for touch in touched]
    end = places[0][0] if places and places[0] else None
    drawing.raw(_ground(self, flip))
    if end is None:  # the cell comes first: slots lie under the cells
        _slots(self, s, flip, drawing)
    _cells(self, s, flip, drawing)
    with drawing.group(pointer_events="none"):
        for cell in dotted:
            x, y = _middle(grid, cell)
            drawing.add("circle", cx=x, cy=y, r=_TILE * 0.11, fill=_COLOUR[s.turn], fill_opacity=0.55)
        if last is not None and end is None:
            x, y = _middle(grid, last >> 2)
            mark: dict[str, Any] = {"fill": "#ffcf40", "fill_opacity": 0.35, "stroke": "#b97a00", "stroke_width": 2}
            drawing.add("circle", cx=x, cy=y, r=_TILE * 0.43, class_="last", **mark)
        if end is not None:
            _walk(grid, route(self, s, end), int(s.turn), drawing)
    _walls(self, s, None if end is not None else last, flip, drawing)
    if end is not None:
        _open_sides(self, s, flip, end, places[1] if len(places) > 1 else None, drawing)
    for seat in (0, 1):
        cell = end if end is not None and seat == s.turn else int(s.cell[seat])
        with drawing.piece(f"pawn-{seat}", *_middle(grid, cell), pointer_events="none"):
            _shield(seat, _TILE * 0.33, drawing)
    return str(drawing)


def _middle(grid: Grid, cell: int) -> tuple[float, float]:
    return grid.middle(*divmod(cell, grid.columns))


@lru_cache(maxsize=64)
def _ground(self: Any, flip: bool) -> str:
    """What never changes: the floor with its sand, the wall around it, the numbers outside."""
    grid = _grid(self, flip)
    drawing = Drawing(0, 0)
    side = grid.width + 2 * _RIM
    drawing.add("rect", x=grid.left - _RIM, y=grid.top - _RIM, width=side, height=side, rx=6, fill="url(#co-wall)")
    drawing.add("rect", x=grid.left, y=grid.top, width=grid.width, height=grid.height, fill="url(#co-floor)")
    floor = int(grid.width)
    sand = [(grid.left + scramble(i, 1) % floor, grid.top + scramble(i, 2) % floor) for i in range(self.size * self.size * 3)]
    drawing.add(
        "path", d="".join(f"M{x:g} {y:g}h0" for x, y in sand), stroke="#8a6a2f", stroke_opacity=0.22, stroke_width=1.6,
        stroke_linecap="round", pointer_events="none",
    )  # fmt: skip
    numbers = [str(i) for i in range(self.size)]
    grid.coordinates(drawing, numbers, numbers, y=grid.top - _RIM - 8, x=14, size=17)
    return drawing.markup


def _cells(self: Any, s: Any, flip: bool, drawing: Drawing) -> None:
    owned, who = zones(self, s), standing(s)
    for cell, opened in enumerate(openings(self, s)):
        owner = owned.get(cell, _NOBODY) if s.ended else None
        drawing.raw(_cell(self, flip, cell, opened, who.get(cell), owner))


_NOBODY = -1


@lru_cache(maxsize=8192)
def _cell(self: Any, flip: bool, cell: int, opened: int, who: int | None, owner: int | None) -> str:
    """A cell; at the end in the colour of its owner, hatched if it has none."""
    row, col = divmod(cell, self.size)
    shade = (row + col) % 2
    if owner is None:
        fill, strength = "#ffffff", 0.16 if shade else 0.02
    elif owner == _NOBODY:
        fill, strength = "url(#co-lost)", 1.0
    else:
        fill, strength = _COLOUR[owner], 0.5 if shade else 0.42
    x, y = _grid(self, flip).corner(row, col)
    return element(
        "rect", x=x, y=y, width=_TILE, height=_TILE, fill=fill, fill_opacity=strength, stroke="#a88c55", stroke_opacity=0.45,
        data_touch=f"cell-{row}-{col}", aria_label=cell_name(self, cell, opened, who),
    )  # fmt: skip


def _walk(grid: Grid, way: list[int], seat: int, drawing: Drawing) -> None:
    """Where the walk leads, and a ring where it began."""
    points = [_middle(grid, cell) for cell in way]
    x, y = points[0]
    drawing.add("circle", cx=x, cy=y, r=_TILE * 0.3, fill="none", stroke=_DARK[seat], stroke_width=2, stroke_dasharray="5 4")
    if len(points) > 1:
        drawing.add(
            "polyline", points=" ".join(f"{x:g},{y:g}" for x, y in points), fill="none", stroke=_COLOUR[seat], stroke_width=5,
            stroke_opacity=0.7, stroke_dasharray="1 11", stroke_linecap="round", stroke_linejoin="round", class_="path",
        )  # fmt: skip


# --- walls ----------------------------------------------------------------------------------------------------------


def _touch(self: Any, cell: int, side: int) -> str:
    return f"wall-{cell // self.size}-{cell % self.size}-{SIDES[side]}"


def _edge(grid: Grid, cell: int, side: int) -> tuple[float, float]:
    """The middle of the right or lower side of a cell."""
    row, col = divmod(cell, grid.columns)
    down, right = (row + 0.5, col + 1) if side == RIGHT else (row + 1, col + 0.5)
    return grid.box(right * _TILE, down * _TILE, 0, 0)


def _bar(side: int, paint: str, **more: Any) -> str:
    """A wall around 0, 0, as long as a cell and a little more."""
    wide, high = (11.0, _TILE + 10) if side == RIGHT else (_TILE + 10, 11.0)
    look: dict[str, Any] = {"fill": f"url(#co-{paint})", "stroke": "#241b10", "stroke_width": 1.2}
    return element("rect", x=-wide / 2, y=-high / 2, width=wide, height=high, rx=4, **look, **more)


def _slots(self: Any, s: Any, flip: bool, drawing: Drawing) -> None:
    """Where barriers may go."""
    taken = set(barriers(self, s))
    for cell in range(self.size**2):
        for side in (RIGHT, DOWN):
            if (cell, side) not in taken and not on_border(self, cell, side):
                drawing.raw(_slot(self, flip, cell, side))


@lru_cache(maxsize=4096)
def _slot(self: Any, flip: bool, cell: int, side: int) -> str:
    """A side without a wall, the barrier on it a ghost; sides that meet share their corner by the diagonals."""
    drawing = Drawing(0, 0)
    x, y = _edge(_grid(self, flip), cell, side)
    with drawing.touch(_touch(self, cell, side), side_name(self, cell, side), transform=f"translate({x:g} {y:g})"):
        drawing.raw(_hit(side))
        with drawing.ghost(opacity=0.75):
            drawing.raw(_bar(side, "fresh"))
    return drawing.markup


def _hit(side: int) -> str:
    half, reach = _TILE / 2, _REACH
    along = f"M{-half:g} 0L{reach - half:g} {-reach:g}H{half - reach:g}L{half:g} 0L{half - reach:g} {reach:g}H{reach - half:g}Z"
    return element("path", d=along, transform="rotate(90)" if side == RIGHT else None, fill="none", pointer_events="all")


def _open_sides(self: Any, s: Any, flip: bool, end: int, chosen: tuple[int, int | None] | None, drawing: Drawing) -> None:
    """The sides of the cell where the walk ends that a barrier may close."""
    opened = openings(self, s)[end]
    for side in range(4):
        if not opened >> side & 1:
            continue
        place = wall(end, side, self.size)
        x, y = _edge(_grid(self, flip), *place)
        with drawing.touch(_touch(self, *place), side_name(self, *place), transform=f"translate({x:g} {y:g})"):
            drawing.raw(_hit(place[1]))
            if place == chosen:
                drawing.raw(_bar(place[1], "fresh"))
            else:
                drawing.raw(_bar(place[1], "fresh", opacity=0.3, pointer_events="none", stroke_dasharray="4 3"))
                with drawing.ghost(opacity=0.85):
                    drawing.raw(_bar(place[1], "fresh"))


def _walls(self: Any, s: Any, last: int | None, flip: bool, drawing: Drawing) -> None:
    fresh = None if last is None else wall(last >> 2, last & 3, self.size)
    grid = _grid(self, flip)
    for cell, side in sorted(barriers(self, s), key=lambda one: one == fresh):  # the fresh one on top
        new = (cell, side) == fresh
        with drawing.piece(
            _touch(self, cell, side), *_edge(grid, cell, side), pointer_events="none", class_="last" if new else None
        ):
            drawing.raw(_bar(side, "fresh" if new else "wall"))


# --- players --------------------------------------------------------------------------------------------------------


def _shield(seat: int, r: float, drawing: Drawing) -> None:
    """A's is round, B's has corners; both bear their letter."""
    with drawing.group(transform=f"scale({r / 100:g})"):
        rim: dict[str, Any] = {"fill": f"url(#co-seat{seat})", "stroke": _DARK[seat], "stroke_width": 9}
        if seat == 0:
            drawing.add("circle", r=98, **rim)
            drawing.add("circle", r=74, fill="none", stroke="#ffe0a0", stroke_width=6, stroke_opacity=0.8)
        else:
            drawing.add("path", d="M -86 -92 H 86 V 20 Q 80 78 0 108 Q -80 78 -86 20 Z", stroke_linejoin="round", **rim)
            inner = "M -62 -68 H 62 V 16 Q 56 58 0 80 Q -56 58 -62 16 Z"
            drawing.add("path", d=inner, fill="none", stroke="#ffe0a0", stroke_width=6, stroke_opacity=0.8)
        drawing.write("AB"[seat], 0, 34, 96, "#ffffff", font_weight=700)


def _player(self: Any, s: Any, seat: int) -> Part:
    """A seat's shield, and at the end how many cells it has."""
    drawing = Drawing(56, 56, _DEFINITIONS)
    with drawing.group(transform="translate(28 28)"):
        _shield(seat, 24, drawing)
    told = counted(int(s.zone[seat]), "cell") if s.ended else f"walks up to {counted(most_steps(self), 'step')}"
    return Part("player", seat, str(drawing), told)


# --- touches --------------------------------------------------------------------------------------------------------


def touches(self: Any, s: Any, m: int) -> tuple[str, ...]:
    """The cell where the walk ends, then the side that gets the barrier."""
    row, col = divmod(m >> 2, self.size)
    return f"cell-{row}-{col}", _touch(self, *wall(m >> 2, m & 3, self.size))
