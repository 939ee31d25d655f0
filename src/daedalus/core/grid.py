"""The picture of a game that draws none: a board found in its state, letters on discs, and a button for each other move.

A board is a two-dimensional field of small whole numbers, or a square one-dimensional one that is called so. Where the moves
are numbered as its cells, or as its columns, these are what is touched.
"""

from collections.abc import Sequence
from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from .drawing import Drawing, Grid, Part, text_as_svg
from .memory import workspaces

NAMES = ("board", "cells", "grid", "squares")
_LEAST, _MOST = 3, 30  # rows and columns of a field that is not called a board
_EMPTY = (0, "", " ", ".", "-", "_")
_TILE, _LEFT, _TOP = 64.0, 34.0, 6.0
_WOOD, _LIGHT, _DARK, _LAST = "#5a4632", "#e9dcc3", "#dccbab", "#f0cf7a"
# fills and the letters on them, with a contrast of 4.5 to 1 and more
_FILLS = ("#b0402c", "#2b66ad", "#2d7a4a", "#8a5a00", "#74499c", "#55606b")
_NAMED = {"red": _FILLS[0], "blue": _FILLS[1], "green": _FILLS[2], "purple": _FILLS[4], "black": "#2b2622"}
_PALE = {"yellow": "#e3b341", "white": "#f7f1e3", "orange": "#e8964a"}

Rows = Sequence[Sequence[Any]]


def seat_names(game: Any) -> list[str]:
    """What the seats of a game are called."""
    names = getattr(game, "SEAT_NAMES", ())
    return [str(names[seat]) if seat < len(names) else f"seat {seat}" for seat in range(game.SEATS)]


# --- the board in a state -------------------------------------------------------------------------------------------


def found_board(s: Any) -> Rows | None:
    """The rows of the board that a state holds, None if it holds none."""
    fields = {name: s[name] for name in s.dtype.names or ()} if isinstance(s, np.record) else dict(vars(s))
    fields = {name: value for name, value in fields.items() if isinstance(value, (np.ndarray, list, tuple))}
    for name in sorted(fields, key=lambda name: name not in NAMES):
        rows = _rows(name, fields[name])
        if rows is not None:
            return rows
    return None


def _rows(name: str, value: Any) -> Rows | None:
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "iub" or (value.dtype.itemsize > 2 and name not in NAMES):
            return None
        value = value.tolist()
    values = list(value)
    if values and all(isinstance(row, (list, tuple)) and len(row) == len(values[0]) for row in values):
        high, wide = len(values), len(values[0])
        is_flat = all(isinstance(cell, (int, str)) for row in values for cell in row)
        is_board = name in NAMES or min(high, wide) >= _LEAST
        return values if is_flat and is_board and 0 < wide <= _MOST and high <= _MOST else None
    side = isqrt(len(values))
    if name in NAMES and side > 1 and side * side == len(values) and all(isinstance(cell, (int, str)) for cell in values):
        return [values[row * side : (row + 1) * side] for row in range(side)]
    return None


def touch_of(game: Any, rows: Rows | None, m: int) -> str | None:
    """The cell or the column that a move is, if moves are numbered so; one number more may be a move of another kind."""
    if rows is None:
        return None
    high, wide = len(rows), len(rows[0])
    if game.MAX_MOVES in (high * wide, high * wide + 1) and m < high * wide:
        return f"cell-{m // wide}-{m % wide}"
    if game.MAX_MOVES in (wide, wide + 1) and m < wide:
        return f"column-{m}"
    return None


# --- pieces ---------------------------------------------------------------------------------------------------------


class Stone(NamedTuple):
    """What stands on a cell: its letter, in which colours, and its name."""

    letter: str
    fill: str
    ink: str
    name: str


def piece(game: Any, value: Any) -> Stone | None:
    """What a value of the board shows, None for nothing; 1 is of the first seat, 2 or -1 of the second, as are initials."""
    value = int(value) if isinstance(value, bool) else value
    if value in _EMPTY:
        return None
    names = [str(name) for name in getattr(game, "SEAT_NAMES", ())]
    initials = [name[:1] for name in names]
    if isinstance(value, str):
        number = (
            initials.index(value) if value in initials else {"X": 0, "x": 0, "O": 1, "o": 1}.get(value, sum(map(ord, value)))
        )
        owned = value in initials
    else:
        number = value - 1 if value > 0 else -value
        owned = number < len(names) and len(set(initials)) == len(names)
    name = names[number] if owned else str(value)
    fill = _NAMED.get(name.lower(), _FILLS[number % len(_FILLS)])
    pale = _PALE.get(name.lower())
    return Stone(name[:1] if owned else name[:2], pale or fill, "#33291f" if pale else "#ffffff", name)


def cell_name(game: Any, rows: Rows, row: int, column: int) -> str:
    """`row 1, column 2, Red`, counted from the upper left."""
    stands = piece(game, rows[row][column])
    return f"row {row}, column {column}, {stands.name if stands else 'empty'}"


def spoken_rows(game: Any, rows: Rows) -> str:
    """A board, row by row."""
    told = []
    for number, row in enumerate(rows):
        pieces = [(column, stands.name) for column, value in enumerate(row) if (stands := piece(game, value))]
        told.append(f"Row {number}: {', '.join(f'{name} at {column}' for column, name in pieces) or 'empty'}.")
    return " ".join(told)


def lines(game: Any, rows: Rows) -> list[str]:
    """The board in letters, with the numbers of its rows and columns."""
    letters = [[stands.letter if (stands := piece(game, value)) else "." for value in row] for row in rows]
    wide = max(len(text) for text in [*map(str, range(len(rows[0]))), *(letter for row in letters for letter in row)])
    numbered = [f"{row:>2}  " + " ".join(f"{letter:>{wide}}" for letter in line) for row, line in enumerate(letters)]
    return [*numbered, "    " + " ".join(f"{column:>{wide}}" for column in range(len(rows[0])))]


# --- the picture ----------------------------------------------------------------------------------------------------


def board(game: Any, s: Any, seat: int | None, last: int | None, touched: tuple[str, ...], flip: bool) -> str:
    """The board, or the terminal picture where there is none."""
    rows = game.grid(s, seat)
    return text_as_svg(game.terminal(s, seat, last).plain) if rows is None else _board(game, rows, last, touched, flip)


def _board(game: Any, rows: Rows, last: int | None, touched: tuple[str, ...], flip: bool) -> str:
    high, wide = len(rows), len(rows[0])
    grid = Grid(high, wide, _TILE, _LEFT + 6, _TOP + 6, 0, flip)
    drawing = Drawing(grid.left + grid.width + 12, grid.top + grid.height + 34)
    drawing.add("rect", x=_LEFT, y=_TOP, width=grid.width + 12, height=grid.height + 12, rx=8, fill=_WOOD)
    made = None if last is None else touch_of(game, rows, int(last))
    for row in range(high):
        for column in range(wide):
            is_last = made == f"cell-{row}-{column}"
            with drawing.touch(f"cell-{row}-{column}", cell_name(game, rows, row, column)):
                _cell(drawing, *grid.corner(row, column), (row + column) % 2, is_last, f"cell-{row}-{column}" in touched)
    for row in range(high):
        for column in range(wide):
            stands = piece(game, rows[row][column])
            if stands:
                with drawing.piece(f"piece-{row}-{column}", *grid.middle(row, column), pointer_events="none"):
                    _disc(drawing, stands)
    if any(touch_of(game, rows, m) == f"column-{m}" for m in range(wide)):
        for column in range(wide):
            _column(drawing, grid, column, f"column-{column}" in (made, *touched), made == f"column-{column}")
    across, down = (list(map(str, range(count))) for count in (wide, high))
    grid.coordinates(drawing, across, down, y=grid.top + grid.height + 26, x=_LEFT / 2, size=15)
    return str(drawing)


def _cell(drawing: Drawing, x: float, y: float, shade: int, is_last: bool, is_touched: bool) -> None:
    fill = _LAST if is_last else (_LIGHT, _DARK)[shade]
    square: dict[str, Any] = {"x": x + 1, "y": y + 1, "width": _TILE - 2, "height": _TILE - 2, "rx": 4}
    drawing.add("rect", **square, fill=fill, class_="last" if is_last else None)
    if is_touched:
        drawing.add("rect", **square, fill="none", stroke="#74499c", stroke_width=3)


def _column(drawing: Drawing, grid: Grid, column: int, marked: bool, is_last: bool) -> None:
    x, y = grid.box(column * _TILE, 0, _TILE, grid.height)
    with drawing.touch(f"column-{column}", f"column {column}"):
        drawing.hit(x, y, _TILE, grid.height)
        if marked:
            drawing.add(
                "rect", x=x + 2, y=y + 2, width=_TILE - 4, height=grid.height - 4, rx=6, fill="none", pointer_events="none",
                stroke=_LAST if is_last else "#74499c", stroke_width=3, class_="last" if is_last else None,
            )  # fmt: skip


def _disc(drawing: Drawing, stone: Stone) -> None:
    drawing.add("circle", cy=2.0, r=_TILE * 0.37, fill="#000000", fill_opacity=0.25)
    drawing.add("circle", r=_TILE * 0.37, fill=stone.fill, stroke="#2a1f16", stroke_opacity=0.5, stroke_width=1.5)
    size = _TILE * (0.36 if len(stone.letter) == 1 else 0.28)
    drawing.write(stone.letter, 0, _TILE * 0.12, size, stone.ink, font_weight=600)


# --- buttons --------------------------------------------------------------------------------------------------------


def buttons(game: Any, s: Any, seat: int | None, touched: tuple[str, ...]) -> tuple[Part, ...]:
    """The legal moves that are not made on the board; only for who may know them: the seat to move."""
    if not (seat is None or seat == game.turn(s)) or game.over(s):
        return ()
    w = workspaces(game, 1, 0)[0]
    with np.errstate(over="ignore"):  # interpreted rules let 64-bit numbers wrap, as kernels do
        count = int(game.moves(s, w))
    touches = [game.touches(s, int(m))[0] for m in w.buf[:count]]
    names = {touch: game.touch_name(s, seat, touch) for touch in touches if touch.startswith("move-")}
    return (Part("moves", None, _drawn_buttons(names, touched), "moves"),) if names else ()


def _drawn_buttons(names: dict[str, str], touched: tuple[str, ...]) -> str:
    texts = {touch: touch.removeprefix("move-") for touch in names}
    wide = min(max(9.5 * max(map(len, texts.values())) + 26, 56.0), 320.0)
    columns = max(1, int(336 // (wide + 8)))
    rows = -(-len(names) // columns)
    drawing = Drawing(columns * (wide + 8) - 8, rows * 52 - 8)
    for place, (touch, text) in enumerate(texts.items()):
        x, y = (place % columns) * (wide + 8), (place // columns) * 52.0
        with drawing.touch(touch, names[touch]):
            drawing.add(
                "rect", x=x + 1, y=y + 1, width=wide - 2, height=42, rx=12, fill="currentColor",
                fill_opacity=0.2 if touch in touched else 0.06, stroke="currentColor", stroke_opacity=0.4,
            )  # fmt: skip
            drawing.write(text if len(text) <= 32 else text[:31] + "…", x + wide / 2, y + 28, 16)
    return str(drawing)
