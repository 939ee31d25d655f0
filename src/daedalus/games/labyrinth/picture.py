"""Labyrinth as a picture: the maze with its arrows, and the touches that make a move.

A move is touched in three steps: the arrow where the tile comes in (`arrow-W1`, sides as in texts), how it lies
(`rotation-2`), and the cell, counted after the push, where the pawn ends (`cell-3-5`). After the first the line is shown
pushed, after the second with the cells that the pawn can reach.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from daedalus.core.drawing import Drawing, Grid, Part, Picture, placed

from .boards import MARKERS, tile_text
from .kernels.maze import COLUMNS, LETTERS, ROWS, base, rotation_of, rotations, turned, way
from .layout import EAST, NORTH, SOUTH, WEST, arrows, pushed, reachable, sought, tile_names
from .text import board_rows, cards_of, colour, decoded, known_deck, location_text, row_column
from .words import COLOURS, arrow_name, barred_push, cell_name, errand, rotation_name

_TILE = 64.0
_MARGIN, _FRAME = 46.0, 8.0  # around the board for numbers and arrows; the frame is part of the board
_FIXED, _LOOSE, _WAY = "#4f7f86", "#6f5a86", "#f4ead2"  # tiles that never move, tiles that do, ways
_COLOUR = {"R": "#c92f25", "Y": "#e0a800", "G": "#237a3c", "B": "#2b66cf"}
_LETTER = {"R": "#ffffff", "Y": "#3a2800", "G": "#ffffff", "B": "#ffffff"}
_GOLD = "#ffd34d"


class Begun(NamedTuple):
    """A move under way: where the tile comes in, how it lies (None: not yet said), where the pawn goes."""

    location: int
    rotation: int | None
    end: int | None


def parts(self: Any, s: Any, seat: int | None, history: Sequence[int], touched: tuple[str, ...], flip: bool) -> Picture:
    """The maze with the trail of the last push, or pushed by the move under way; beside it the extra tile and the cards."""
    begun = _begun(self, s, touched)
    pushes = [decoded(self, m)[0] for m in history]
    last = pushes[-1] if pushes else None
    after, lit = s, set()
    if begun:
        exits = int(s.extra) if begun.rotation is None else turned(int(s.extra), begun.rotation)
        after = pushed(s, begun.location, exits)
        lit = set() if begun.rotation is None else reachable(self, s, begun.location, exits)
        pushes = [*pushes, begun.location]
    names, extra = tile_names(self, s, pushes)
    board = _board(self, after, seat, names, last, begun, lit, flip)
    deck = known_deck(self, s, seat)
    owners = range(self.players - 1, -1, -1) if flip else range(self.players)
    return Picture(board, (_extra(s, after, begun, extra), *(_cards(self, s, deck, p) for p in owners)))


def _begun(self: Any, s: Any, touched: tuple[str, ...]) -> Begun | None:
    if not touched:
        return None
    location = arrows(self, s)[touched[0].removeprefix("arrow-")]
    rotation = int(touched[1].removeprefix("rotation-")) if len(touched) > 1 else None
    place = re.fullmatch(r"cell-(\d+)-(\d+)", touched[2]) if len(touched) > 2 else None
    return Begun(location, rotation, int(place[1]) * self.side + int(place[2]) if place else None)


# --- the board --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _grid(rows: int, columns: int, flip: bool) -> Grid:
    return Grid(rows, columns, _TILE, _MARGIN, _MARGIN, 0, flip)


def _board(
    self: Any, s: Any, seat: int | None, names: dict[int, str], last: int | None, begun: Begun | None, lit: set[int], flip: bool
) -> str:
    """The board of a state, pushed already if a move is under way."""
    grid = _grid(self.board[ROWS], self.board[COLUMNS], flip)
    drawing = Drawing(grid.width + 2 * _MARGIN, grid.height + 2 * _MARGIN)
    size: dict[str, Any] = {"width": grid.width + 2 * _FRAME, "height": grid.height + 2 * _FRAME}
    drawing.add("rect", x=_MARGIN - _FRAME, y=_MARGIN - _FRAME, **size, rx=10, fill="#3a3145", stroke="#6b5f7a")
    lines = arrows(self, s)
    loose_rows = {int(name[1:]) for name in lines if name[0] in "WE"}
    loose_columns = {int(name[1:]) for name in lines if name[0] in "NS"}
    tiles = board_rows(self, s)
    for row, line in enumerate(tiles):
        for column, (exits, marker) in enumerate(line):
            cell = row * self.side + column
            turn = (90 * rotation_of(exits) + grid.turn) % 360
            with drawing.piece(f"tile-{names.get(cell, cell)}", *grid.middle(row, column), turn):
                drawing.raw(_tile(base(exits), marker, turn, row not in loose_rows and column not in loose_columns))
    if begun is not None or last is not None:
        _trail(self, s, grid, drawing, begun.location if begun else int(last or 0), begun is None)
    goals, letters, pawns = sought(self, s, seat), [colour(s, p) for p in range(self.players)], s.pawn[: self.players].tolist()
    if begun and begun.end is not None:
        pawns[int(s.turn)] = begun.end
    known = begun is not None and begun.rotation is not None
    for row, line in enumerate(tiles):
        for column, tile in enumerate(line):
            cell = row * self.side + column
            here = "".join(letters[p] for p, at in enumerate(pawns) if at == cell) if cell in pawns else ""
            drawing.raw(_cell(self, flip, cell, *tile, here, goals.get(cell, ""), cell in lit if known else None))
    for p, cell in enumerate(pawns):
        _pawn(grid.middle(*row_column(self, cell)), p, letters[p], drawing)
    drawing.raw(_numbers(grid, frozenset(loose_rows), frozenset(loose_columns)))
    barred, pushed_in = barred_push(self, s), begun.location if begun else last
    for name, location in lines.items():
        drawing.raw(_arrow(grid, name, location == barred, location == pushed_in))
    return str(drawing)


@lru_cache(maxsize=2048)
def _tile(kind: int, marker: int, turn: int, is_fixed: bool, size: float = _TILE) -> str:
    """A tile around 0, 0 as it lies at rotation 0; what lies in its middle stands upright however it is turned."""
    drawing = Drawing(0, 0)
    half, width = size / 2, 0.38 * size
    place: dict[str, Any] = {"x": 1 - half, "y": 1 - half, "width": size - 2, "height": size - 2}
    drawing.add("rect", **place, rx=4, fill=_FIXED if is_fixed else _LOOSE, stroke="#2d2637", stroke_opacity=0.35)
    ends = {NORTH: f"V{1 - half:g}", EAST: f"H{half - 1:g}", SOUTH: f"V{half - 1:g}", WEST: f"H{1 - half:g}"}
    lines = "".join(f"M0 0{end}" for bit, end in ends.items() if kind & bit)
    drawing.add("path", d=lines, fill="none", stroke=_WAY, stroke_width=width)
    drawing.add("circle", r=width / 2, fill=_WAY)
    if marker:
        with drawing.group(transform=f"rotate({-turn})" if turn else None):
            _marker(drawing, size, MARKERS[marker], marker > LETTERS)
    return drawing.markup


def _marker(drawing: Drawing, size: float, letter: str, is_home: bool) -> None:
    """An object is a gilt medal, a home a house in its colour."""
    r = 0.18 * size
    if is_home:
        roof = f"M{-1.25 * r:g} 0L0 {-1.25 * r:g}L{1.25 * r:g} 0V{1.1 * r:g}H{-1.25 * r:g}Z"
        drawing.add("path", d=roof, fill=_COLOUR[letter], stroke="#3a3145", stroke_width=1.5, stroke_linejoin="round")
    else:
        drawing.add("circle", r=r, fill="#f7cf57", stroke="#9a6b00", stroke_width=1.5)
    y = (0.105 if is_home else 0.08) * size
    drawing.write(letter, 0, y, 0.24 * size, _LETTER[letter] if is_home else "#4a3000", font_weight=600)


@lru_cache(maxsize=16384)
def _cell(self: Any, flip: bool, cell: int, exits: int, marker: int, pawns: str, looked_for: str, is_lit: bool | None) -> str:
    """What can be touched of a cell, with a frame where somebody's goal is; bright or dark when it is known where to go."""
    row, column = row_column(self, cell)
    x, y = _grid(self.board[ROWS], self.board[COLUMNS], flip).corner(row, column)
    drawing = Drawing(0, 0)
    with drawing.touch(f"cell-{row}-{column}", cell_name(self, cell, exits, marker, pawns, looked_for)):
        drawing.hit(x, y, _TILE, _TILE)
        place: dict[str, Any] = {"x": x + 1, "y": y + 1, "width": _TILE - 2, "height": _TILE - 2, "rx": 4}
        if is_lit:
            light: dict[str, Any] = {"fill": "#ffe98a", "fill_opacity": 0.12, "stroke": "#ffe27a", "stroke_width": 2.5}
            drawing.add("rect", **place, **light, pointer_events="none", class_="reach")
        elif is_lit is not None:
            drawing.add("rect", **place, fill="#1b1522", fill_opacity=0.42, pointer_events="none")
        if looked_for:
            look: dict[str, Any] = {"stroke": _COLOUR[looked_for], "stroke_width": 4, "stroke_dasharray": "7 4"}
            inner: dict[str, Any] = {"x": x + 4, "y": y + 4, "width": _TILE - 8, "height": _TILE - 8, "rx": 6}
            drawing.add("rect", **inner, fill="none", **look, pointer_events="none", class_="goal")
    return drawing.markup


# Each colour has its own quarter of a tile, where its home is on the board: pawns never hide each other or a marker.
_QUARTER = {"R": (-1, -1), "Y": (1, -1), "G": (-1, 1), "B": (1, 1)}


def _pawn(middle: tuple[float, float], p: int, letter: str, drawing: Drawing) -> None:
    (x, y), (right, down) = middle, _QUARTER[letter]
    with drawing.piece(
        f"pawn-{p}", x + 0.26 * _TILE * right, y + 0.26 * _TILE * down, pointer_events="none", aria_label=f"pawn {letter}"
    ):
        _disc(letter, 0.19 * _TILE, drawing)


def _disc(letter: str, r: float, drawing: Drawing) -> None:
    drawing.add("circle", cy=1.5, r=r, fill="#000000", fill_opacity=0.3)
    drawing.add("circle", r=r, fill=_COLOUR[letter], stroke="#ffffff", stroke_width=2.5)
    drawing.write(letter, 0, 0.36 * r, 1.05 * r, _LETTER[letter], font_weight=700)


def _trail(self: Any, s: Any, grid: Grid, drawing: Drawing, location: int, is_last: bool) -> None:
    """The line pushed last: a veil over it and an arrow along it, the tile that came in framed."""
    entry, out, _ = (int(number) for number in way(s, location))
    (x, y), (x2, y2) = grid.corner(*row_column(self, entry)), grid.corner(*row_column(self, out))
    half = _TILE / 2
    with drawing.group(pointer_events="none", class_="last" if is_last else None):
        wide, high = abs(x2 - x) + _TILE, abs(y2 - y) + _TILE
        drawing.add("rect", x=min(x, x2), y=min(y, y2), width=wide, height=high, fill="#fff6c8", fill_opacity=0.2)
        frame: dict[str, Any] = {"width": _TILE - 4, "height": _TILE - 4, "rx": 4, "fill": "none"}
        drawing.add("rect", x=x + 2, y=y + 2, **frame, stroke=_GOLD, stroke_width=3)
        drawing.add(
            "line", x1=x + half, y1=y + half, x2=x2 + half, y2=y2 + half, stroke=_GOLD, stroke_width=3, stroke_opacity=0.7,
            stroke_dasharray="3 9", stroke_linecap="round",
        )  # fmt: skip


@lru_cache(maxsize=64)
def _numbers(grid: Grid, loose_rows: frozenset[int], loose_columns: frozenset[int]) -> str:
    """The numbers of the lines that have no arrows, which bear theirs."""
    across = ["" if column in loose_columns else str(column) for column in range(grid.columns)]
    down = ["" if row in loose_rows else str(row) for row in range(grid.rows)]
    right, below = grid.left + grid.width + _MARGIN / 2 + 4, grid.top + grid.height + _MARGIN / 2 + 10
    drawing = Drawing(0, 0)
    grid.coordinates(drawing, across, down, y=_MARGIN / 2 + 1, x=_MARGIN / 2 - 4, size=15)
    grid.coordinates(drawing, across, down, y=below, x=right, size=15)
    return drawing.markup


_TURN = {"N": 0, "E": 90, "S": 180, "W": 270}
_BESIDE = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


@lru_cache(maxsize=4096)
def _arrow(grid: Grid, name: str, barred: bool, is_pushed: bool) -> str:
    """A triangle at an end of a movable line, its number inside; an outline where the push before may not be undone."""
    side, number = name[0], int(name[1:])
    right, down = (-step if grid.flip else step for step in _BESIDE[side])
    row, column = (
        (number, grid.columns - 1 if side == "E" else 0) if side in "WE" else (grid.rows - 1 if side == "S" else 0, number)
    )
    far = (_TILE + _MARGIN) / 2 + 2
    x, y = (middle + step * far for middle, step in zip(grid.middle(row, column), (right, down), strict=True))
    drawing = Drawing(0, 0)
    with drawing.touch(f"arrow-{name}", arrow_name(name, barred)):
        wide, high = (_TILE, _MARGIN) if down else (_MARGIN, _TILE)
        drawing.hit(x - wide / 2, y - high / 2, wide, high)
        fill = "none" if barred else "#e59a1c" if is_pushed else "#735a9c"
        line: dict[str, Any] = {"stroke": "currentColor", "stroke_opacity": 0.45, "stroke_dasharray": "3 3"} if barred else {}
        shape = "M -18 -12 Q -19 -14 -16 -14 H 16 Q 19 -14 18 -12 L 2 14 Q 0 16 -2 14 Z"
        drawing.add("path", d=shape, fill=fill, **line, transform=placed(x, y, (_TURN[side] + grid.turn) % 360))
        ink = "currentColor" if barred else "#2d1c00" if is_pushed else "#ffffff"
        faint = 0.6 if barred else None
        drawing.write(name[1:], x + 3 * right, y + 3 * down + 5, 13, ink, font_weight=600, fill_opacity=faint)
    return drawing.markup


# --- beside it --------------------------------------------------------------------------------------------------------

_SMALL = 56.0


def _extra(s: Any, after: Any, begun: Begun | None, name: str) -> Part:
    """The extra tile as it can lie; while a move is under way, the tile that it pushes out too."""
    extra, marker = int(s.extra), int(s.extra_marker)
    count = rotations(extra)
    drawing = Drawing((count + (begun is not None)) * (_SMALL + 8), _SMALL + 22)
    for rotation in range(count):
        exits = turned(extra, rotation)
        x, y = (_SMALL + 8) * (rotation + 0.5), _SMALL / 2 + 2
        is_chosen = begun is not None and begun.rotation == rotation
        with drawing.touch(f"rotation-{rotation}", rotation_name(exits)):
            drawing.hit(x - _SMALL / 2 - 4, 0, _SMALL + 8, _SMALL + 22)
            is_piece = begun is None and exits == extra
            with drawing.piece(f"tile-{name}" if is_piece else None, x, y, 90 * rotation, pointer_events="none"):
                drawing.raw(_tile(base(extra), marker, 90 * rotation, False, _SMALL))
            if is_chosen:
                frame: dict[str, Any] = {"width": _SMALL, "height": _SMALL, "rx": 5, "fill": "none", "pointer_events": "none"}
                drawing.add("rect", x=x - _SMALL / 2, y=2, **frame, stroke="#e59a1c", stroke_width=4)
            drawing.write(f"{tile_text(base(extra), 0)[0]}{rotation}", x, _SMALL + 18, 14, pointer_events="none")
    if begun is not None:
        exits, turn = int(after.extra), 90 * rotation_of(int(after.extra))
        x = (_SMALL + 8) * (count + 0.5)
        with drawing.piece(f"tile-{name}", x, _SMALL / 2 + 2, turn, opacity=0.75):
            drawing.raw(_tile(base(exits), int(after.extra_marker), turn, False, _SMALL * 0.8))
        drawing.write("out", x, _SMALL + 18, 14)
    return Part("extra tile", None, str(drawing), "choose how it lies" if begun and begun.rotation is None else "")


_CARD, _ROW = 21.0, 12


def _cards(self: Any, s: Any, deck: list[str], p: int) -> Part:
    """A seat's pawn and its cards: those found, the goal framed, the rest face down or as far as the onlooker knows them."""
    letter = colour(s, p)
    found, rest = cards_of(self, s, deck, p)
    cards = [*found, *rest][: int(s.cards)]
    rows = max(1, -(-len(cards) // _ROW))
    drawing = Drawing(40 + _CARD * min(max(len(cards), 1), _ROW), max(32.0, 31.0 * rows))
    with drawing.group(transform=f"translate(17 {drawing.height / 2:g})", aria_label=f"{COLOURS[letter]} pawn"):
        _disc(letter, 13, drawing)
    sought_now = 0 if s.found[p] >= s.cards else len(rest) if self.goals == 2 else 1
    for i, card in enumerate(cards):
        is_goal = len(found) <= i < len(found) + sought_now
        drawing.raw(_card(i, card, i < len(found), _COLOUR[letter] if is_goal else None))
    return Part("goals", p, str(drawing), errand(self, s, deck, p))


@lru_cache(maxsize=8192)
def _card(i: int, card: str, is_found: bool, frame: str | None) -> str:
    """The card at a place of its row: a letter, or its back; a goal has a frame."""
    x, y = 38 + _CARD * (i % _ROW), 3 + 31.0 * (i // _ROW)
    fill = "#6f5a86" if card == "?" else "#d8c9a6" if is_found else "#f7cf57"
    drawing = Drawing(0, 0)
    look: dict[str, Any] = {"stroke": frame, "stroke_width": 3} if frame else {"stroke": "#3a3145", "stroke_opacity": 0.5}
    drawing.add("rect", x=x, y=y, width=17, height=25, rx=3, fill=fill, **look)
    weight = 400 if is_found else 600
    drawing.write(card, x + 8.5, y + 17.5, 13, "#ffffff" if card == "?" else "#4a3000", font_weight=weight)
    return drawing.markup


# --- touches ----------------------------------------------------------------------------------------------------------


def touches(self: Any, s: Any, m: int) -> tuple[str, ...]:
    """The arrow, the rotation, the cell."""
    location, rotation, cell = decoded(self, m)
    row, column = row_column(self, cell)
    return f"arrow-{location_text(self, s, location)}", f"rotation-{rotation}", f"cell-{row}-{column}"
