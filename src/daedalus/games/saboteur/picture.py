"""Saboteur as a picture: the mine with its tiles, the hand of who looks beside it, and the touches that make a move.

Of the board the used part is seen, with its coordinates and one row or column around it, where tiles may be laid. Tiles
are lit where they are joined to the entrance.

Touches: a card (`card-6`, `card-6f` turned, `card-map`), then a cell (`cell-8-5`); `drop-3` drops the card at index 3.
Equal cards are touched alike.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from daedalus.core.drawing import Drawing, Grid, Part, Picture
from daedalus.core.plurals import counted

from .deck import NAMES
from .kernels.rules import BLAST, DROP, LOOK
from .kernels.tiles import GOALS, LAID, OBJECTIVE, SIZE, TILES, TURNED, cell_at, col_of, row_of
from .layout import cropped, marked, may_go, shown
from .sketch import CELL, DARK, EARTH, LIT, SEATS, action, face_down, stone, tile
from .text import laid_tiles, objectives, place_of_card, tile_name
from .words import card_name, cell_name, drop_name

_EDGE, _RIM = 26.0, 6.0  # for numbers on the left and above; the earth around the cells
_CHOSEN = "#ffcf40"


def parts(self: Any, s: Any, seat: int | None, history: Sequence[int], touched: tuple[str, ...], flip: bool) -> Picture:
    """The mine; with a card chosen, where it may go. Beside it the other's hand, the deck, and the own hand below."""
    board = _board(s, seat, history[-1] if history else None, touched, flip)
    other, own = (_hand(self, s, owner, seat, touched) for owner in shown(s, seat))
    return Picture(board, (other, _deck(s), own))


# --- the board ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def _grid(flip: bool) -> Grid:
    """The whole board, of which a part is seen: a tile keeps its place while the part grows."""
    return Grid(SIZE, SIZE, CELL, 0, 0, 0, flip)


def _middle(grid: Grid, cell: int) -> tuple[float, float]:
    return grid.middle(row_of(cell), col_of(cell))


def _board(s: Any, seat: int | None, last: int | None, touched: tuple[str, ...], flip: bool) -> str:
    grid, (rows, cols) = _grid(flip), cropped(s)
    laid, cells = _chosen(s, touched[0]) if touched else (None, [])
    end = touched[1] if len(touched) > 1 else None
    wide, high = len(cols) * CELL, len(rows) * CELL
    left, top = grid.box(cols[0] * CELL, rows[0] * CELL, wide, high)
    size = (wide + _EDGE + _RIM + 1, high + _EDGE + _RIM + 1)
    drawing = Drawing(*size, origin=(left - _EDGE, top - _EDGE))
    earth: dict[str, Any] = {"width": wide + 2 * _RIM, "height": high + 2 * _RIM}
    drawing.add("rect", x=left - _RIM, y=top - _RIM, **earth, rx=10, fill=EARTH, stroke="#54473a")
    across, down = ([str(k) if k in used else "" for k in range(SIZE)] for used in (cols, rows))
    grid.coordinates(drawing, across, down, y=top - _RIM - 6, x=left - _RIM - 10, size=13)
    for row in rows:
        for col in cols:
            cell = cell_at(row, col)
            name, is_end = cell_name(s, seat, cell), end == f"cell-{row}-{col}"
            drawing.raw(_cell(flip, row, col, name, cell in cells, laid if cell in cells else None, is_end))
    _tiles(s, seat, grid, drawing)
    place = None if touched else marked(last)
    if place is not None:
        _frame(*_middle(grid, place), SEATS[1 - s.turn], drawing, stroke_dasharray="7 4", class_="last")
    for cell in cells:
        _light(*_middle(grid, cell), drawing)
    return str(drawing)


def _chosen(s: Any, touch: str) -> tuple[int | None, list[int]]:
    """The tile, as it would lie, of the card that was touched, and where the card may go."""
    name = touch.removeprefix("card-")
    if name == "map":
        return None, [int(cell) for goal, cell in enumerate(GOALS) if not s.revealed >> goal & 1]
    if name == "destroy":
        return None, list(laid_tiles(s))
    if name.removesuffix("f") not in NAMES[:TILES]:
        return None, []
    card = int(name.removesuffix("f"))
    laid = int(TURNED[card]) if name.endswith("f") else card
    return laid, may_go(s, laid)


@lru_cache(maxsize=4096)
def _cell(flip: bool, row: int, col: int, name: str, is_open: bool, ghost: int | None, is_end: bool) -> str:
    """The ground of a cell, which is what can be touched; a tile that may be laid there waits as a ghost."""
    grid = _grid(flip)
    (x, y), (left, top) = grid.middle(row, col), grid.corner(row, col)
    drawing = Drawing(0, 0)
    with drawing.touch(f"cell-{row}-{col}", name):
        place: dict[str, Any] = {"x": left + 2, "y": top + 2, "width": CELL - 4, "height": CELL - 4, "rx": 5}
        drawing.add("rect", **place, fill="#56452f" if is_open else "#3a2f25", stroke="#463a2d")
        drawing.hit(left, top, CELL, CELL)
        if ghost is not None:
            with drawing.group(transform=f"translate({x:g} {y:g})" + (" rotate(180)" if flip else "")):
                if is_end:
                    drawing.raw(tile(ghost, LIT))
                else:
                    with drawing.ghost(opacity=0.85):
                        drawing.raw(tile(ghost, DARK))
    return drawing.markup


def _tiles(s: Any, seat: int | None, grid: Grid, drawing: Drawing) -> None:
    reach = sum(int(word) << 64 * k for k, word in enumerate(s.reach))
    known = objectives(s, seat)
    for cell, number in enumerate(s.tiles.tolist()):
        if not number:
            continue
        x, y = _middle(grid, cell)
        name = f"tile-{row_of(cell)}-{col_of(cell)}"
        if number - 1 == OBJECTIVE:
            goal = GOALS.tolist().index(cell)
            with drawing.piece(name, x, y, pointer_events="none"):
                _objective(known[goal], bool(s.revealed >> goal & 1), drawing)
        else:
            with drawing.piece(name, x, y, grid.turn, pointer_events="none"):
                drawing.raw(tile(number - 1, LIT if reach >> cell & 1 else DARK))


def _objective(letter: str, is_open: bool, drawing: Drawing) -> None:
    """Face up a crossing with what lay there; face down a card, with a small picture of what this seat has seen."""
    if is_open:
        drawing.raw(tile(OBJECTIVE, LIT if letter == "n" else DARK))
        stone(letter, 13, drawing)
        return
    face_down(CELL, CELL, drawing)
    if letter == "?":
        drawing.write("?", 0, 9, 26, "#ecd9f2", font_weight=700)
    else:
        stone(letter, 11, drawing)


def _frame(x: float, y: float, colour: str, drawing: Drawing, **more: Any) -> None:
    side: dict[str, Any] = {"width": CELL - 2, "height": CELL - 2, "rx": 6, "fill": "none", "pointer_events": "none"}
    drawing.add("rect", x=x + 1 - CELL / 2, y=y + 1 - CELL / 2, **side, stroke=colour, stroke_width=3, **more)


def _light(x: float, y: float, drawing: Drawing) -> None:
    """Here the chosen card may go."""
    _frame(x, y, _CHOSEN, drawing, stroke_opacity=0.85, stroke_dasharray="2 5", stroke_linecap="round", class_="reach")


# --- beside it ------------------------------------------------------------------------------------------------------

_STEP, _ROW = 52.0, 8  # from card to card, cards side by side
_TALL = 2 * CELL + 6  # a card both ways up
_BUTTON = 34.0


def _hand(self: Any, s: Any, owner: int, seat: int | None, touched: tuple[str, ...]) -> Part:
    """A hand: backs of cards, or cards that may be touched, each with a button that drops it."""
    held = int(s.held[owner])
    malus = f", {int(s.malus[owner])} malus" if s.malus[owner] else ""
    live = owner == s.turn and not self.over(s)
    known = seat in (None, owner)
    svg = _cards(s, owner, seat, live, touched) if known else _backs(owner, held)
    return Part("hand", owner, svg, counted(held, "card") + malus)


def _backs(owner: int, held: int) -> str:
    drawing = Drawing(max(24.0 * held + 10, 34.0), 46)
    for k in range(held):
        with drawing.piece(f"back-{owner}-{k}", 17 + 24.0 * k, 23.0):
            face_down(32, 44, drawing)
    return str(drawing)


def _cards(s: Any, owner: int, seat: int | None, live: bool, touched: tuple[str, ...]) -> str:
    hand: list[int] = s.hand[owner, : int(s.held[owner])].tolist()
    across, rows = min(max(len(hand), 1), _ROW), max(1, -(-len(hand) // _ROW))
    drawing = Drawing(_STEP * across - 4, rows * (_TALL + _BUTTON + 14) - 8)
    copies: Counter[int] = Counter()
    for k, card in enumerate(hand):
        x, y = CELL / 2 + _STEP * (k % _ROW), (k // _ROW) * (_TALL + _BUTTON + 14)
        with drawing.piece(f"card-{owner}-{NAMES[card]}-{copies[card]}", x, y + _TALL / 2):
            drawing.raw(_card(card, live, next((t for t in touched if t.startswith("card-")), None)))
        copies[card] += 1
        if live:
            drawing.raw(_drop(k, x, y + _TALL + 6, drop_name(s, seat, k), f"drop-{k}" in touched))
    return str(drawing)


@lru_cache(maxsize=1024)
def _card(card: int, live: bool, chosen: str | None) -> str:
    """A card around 0, 0: a tile both ways up if it may be turned, or what it does."""
    drawing = Drawing(0, 0)
    if card >= TILES:
        _face(drawing, NAMES[card], action(NAMES[card], CELL, _TALL), 0.0, _TALL, live, chosen)
    elif TURNED[card] < 0:
        _face(drawing, str(card), tile(card, DARK), 0.0, CELL, live, chosen)
    else:
        up = (_TALL - CELL) / 2
        _face(drawing, str(card), tile(card, DARK), -up, CELL, live, chosen)
        _face(drawing, f"{card}f", tile(int(TURNED[card]), DARK), up, CELL, live, chosen)
    return drawing.markup


def _face(drawing: Drawing, name: str, markup: str, y: float, height: float, live: bool, chosen: str | None) -> None:
    """One way up of a card."""
    is_tile = re.fullmatch(r"\d+f?", name)
    with drawing.touch(f"card-{name}" if live else None, card_name(name), transform=f"translate(0 {y:g})"):
        drawing.raw(markup)
        if is_tile:
            drawing.add("rect", x=-22, y=-22, width=8.5 * len(name) + 5, height=14, rx=4, fill="#2e251d")
            drawing.write(name, -22 + (8.5 * len(name) + 5) / 2, -11, 12, "#ffffff")
        if chosen == f"card-{name}":
            frame: dict[str, Any] = {"x": -CELL / 2, "y": -height / 2, "width": CELL, "height": height, "rx": 6}
            drawing.add("rect", **frame, fill="none", stroke=_CHOSEN, stroke_width=4)


@lru_cache(maxsize=1024)
def _drop(index: int, x: float, y: float, name: str, is_chosen: bool) -> str:
    drawing = Drawing(0, 0)
    with drawing.touch(f"drop-{index}", name):
        place: dict[str, Any] = {"x": x - CELL / 2, "y": y, "width": CELL, "height": _BUTTON, "rx": 8}
        drawing.add("rect", **place, fill="#7c3a2c" if is_chosen else "#5a342c", stroke="#b98477")
        drawing.write(f"drop {place_of_card(index)}", x, y + 21.5, 12.5, "#ffe3d8")
    return drawing.markup


def _deck(s: Any) -> Part:
    """The cards to draw."""
    left = int(s.left)
    drawing = Drawing(56, 52)
    for k in range(min(3, left)):
        with drawing.group(transform=f"translate({20 + 4 * k} {27 - 2 * k})"):
            face_down(32, 44, drawing)
    if left:
        drawing.write(str(left), 20 + 4 * (min(3, left) - 1), 29, 15, "#ffffff", font_weight=600)
    return Part("deck", None, str(drawing), f"{counted(left, 'card')} to draw")


# --- touches --------------------------------------------------------------------------------------------------------


def touches(self: Any, s: Any, m: int) -> tuple[str, ...]:
    """The card, then the cell if there is a choice."""
    kind, place = m >> 8, m & 255
    if kind < LAID:
        return f"card-{tile_name(kind)}", _cell_touch(place)
    if kind == LOOK:
        return "card-map", _cell_touch(int(GOALS[place]))
    if kind == BLAST:
        return "card-destroy", _cell_touch(place)
    return (f"drop-{place - DROP}",) if place >= DROP else (("card-malus", "card-bonus")[place],)


def _cell_touch(cell: int) -> str:
    return f"cell-{row_of(cell)}-{col_of(cell)}"
