"""Saboteur as SVG: rock tiles with their passages, lit where they are joined to the entrance, and the hand beside them."""

from typing import Any

from daedalus.core.drawing import Drawing

from .deck import NAMES
from .kernels.tiles import CENTRE, ENTRANCE, GOALS, OBJECTIVE, SIDES, THROUGH, TILES, TURNED, cell_at
from .layout import cropped, hand_title, marked, shown
from .text import objectives

_CELL = 48.0
_LEFT, _TOP, _GAP = 34.0, 30.0, 26.0
_PANEL = 214.0  # the hands beside the board
_LINE = 54.0  # one card of a hand
_LIT, _DARK, _ROCK, _EARTH, _PAPER = "#ffd76a", "#d9c59b", "#7d6c58", "#241c15", "#efe6d2"
_SEATS = ("#e0705a", "#62a4e8")
_ENDS = ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))  # where the four sides are opened, in a unit square
_FONT = "system-ui, sans-serif"


def svg(self: Any, s: Any, seat: int | None, last: int | None) -> str:
    """The board on the left, on the right both seats: cards that may be touched carry their touch."""
    rows, cols = cropped(s)
    owners = shown(s, seat)
    lengths = [int(s.held[owner]) if seat in (None, owner) else 1 for owner in owners]
    below = max(len(rows) * _CELL, sum(34 + _LINE * length for length in lengths) + 24)
    drawing = Drawing(_LEFT + len(cols) * _CELL + _GAP + _PANEL, _TOP + below + 40, background=_EARTH)
    _board(s, seat, last, rows, cols, drawing)
    x, y = _LEFT + len(cols) * _CELL + _GAP, _TOP
    for owner, length in zip(owners, lengths, strict=True):
        _hand(self, s, owner, seat, x, y, drawing)
        y += 34 + _LINE * length
    _write(f"deck {s.left}", x, y + 12, drawing, 15, "#cfc4b0")
    _last(self, s, last, _TOP + below + 24, drawing)
    return str(drawing)


def _write(text: str, x: float, y: float, drawing: Drawing, size: int = 15, fill: str = _PAPER, **more: Any) -> None:
    drawing.add("text", text, x=x, y=y, fill=fill, font_family=_FONT, font_size=size, **more)


def _last(self: Any, s: Any, last: int | None, y: float, drawing: Drawing) -> None:
    """Who made the last move, and which."""
    if last is not None:
        text = getattr(last, "text", None) or self.move_text(s, last)
        _write(f"{self.SEAT_NAMES[1 - s.turn]} played {text}", _LEFT, y, drawing, 15, _SEATS[1 - s.turn])


# --- the board ------------------------------------------------------------------------------------------------------


def _board(s: Any, seat: int | None, last: int | None, rows: range, cols: range, drawing: Drawing) -> None:
    with drawing.group(text_anchor="middle"):
        for k, col in enumerate(cols):
            _write(str(col), _LEFT + (k + 0.5) * _CELL, _TOP - 9, drawing, 13, "#9c907c")
        for k, row in enumerate(rows):
            _write(str(row), _LEFT / 2, _TOP + (k + 0.5) * _CELL + 5, drawing, 13, "#9c907c")
    for down, row in enumerate(rows):
        for right, col in enumerate(cols):
            x, y = _LEFT + right * _CELL, _TOP + down * _CELL
            cell = cell_at(row, col)
            with drawing.group(data_touch=f"cell-{row}-{col}", aria_label=f"row {row}, column {col}"):
                _cell(s, seat, cell, x, y, drawing)
            if cell == marked(last):
                drawing.add(
                    "rect",
                    x=x + 1,
                    y=y + 1,
                    width=_CELL - 2,
                    height=_CELL - 2,
                    rx=6,
                    fill="none",
                    stroke=_SEATS[1 - s.turn],
                    stroke_width=3,
                    stroke_dasharray="7 4",
                    pointer_events="none",
                )


def _cell(s: Any, seat: int | None, cell: int, x: float, y: float, drawing: Drawing) -> None:
    tile = int(s.tiles[cell]) - 1
    if tile < 0:
        drawing.add("rect", x=x + 2, y=y + 2, width=_CELL - 4, height=_CELL - 4, rx=5, fill="#3a2f25", stroke="#463a2d")
        return
    if tile == OBJECTIVE:
        _objective(s, seat, GOALS.tolist().index(cell), x, y, drawing)
        return
    lit = bool(int(s.reach[cell >> 6]) >> (cell & 63) & 1)
    _tile(tile, x, y, _CELL, _LIT if lit else _DARK, drawing)
    if tile == ENTRANCE:
        _ladder(x, y, drawing)


def _tile(laid: int, x: float, y: float, size: float, colour: str, drawing: Drawing) -> None:
    """A slab of rock with its passages; those of a dead end stop short of the rock in its middle."""
    drawing.add("rect", x=x + 1, y=y + 1, width=size - 2, height=size - 2, rx=size / 9, fill=_ROCK, stroke="#54473a")
    depth = 0.5 if CENTRE[laid] else 0.24
    path = ""
    for d, (right, down) in enumerate(_ENDS):
        if SIDES[laid] >> d & 1:
            inward = (right + (0.5 - right) * 2 * depth, down + (0.5 - down) * 2 * depth)
            path += f"M {x + right * size:g} {y + down * size:g} L {x + inward[0] * size:g} {y + inward[1] * size:g} "
    drawing.add("path", d=path.strip(), stroke=colour, stroke_width=size * 0.26, stroke_linejoin="round", fill="none")
    if THROUGH[laid]:
        drawing.add("circle", cx=x + size / 2, cy=y + size / 2, r=size * 0.13, fill=colour)
    else:
        _dead_end(bool(CENTRE[laid]), x, y, size, colour, drawing)


def _dead_end(hollow: bool, x: float, y: float, size: float, colour: str, drawing: Drawing) -> None:
    """A cross where a way ends: on the rock in the middle, or in the hollow that the only passage leads to."""
    fill, edge, ink = (colour, "#54473a", "#b8492b") if hollow else ("#4a3d31", "#2e251d", "#e08b6d")
    drawing.add("circle", cx=x + size / 2, cy=y + size / 2, r=size * 0.2, fill=fill, stroke=edge, stroke_width=1.5)
    a, b, c, e = x + size * 0.42, x + size * 0.58, y + size * 0.42, y + size * 0.58
    cross = f"M {a:g} {c:g} L {b:g} {e:g} M {b:g} {c:g} L {a:g} {e:g}"
    drawing.add("path", d=cross, stroke=ink, stroke_width=size * 0.06, stroke_linecap="round")


def _ladder(x: float, y: float, drawing: Drawing) -> None:
    """The entrance."""
    rails = f"M {x + 19:g} {y + 10:g} V {y + 38:g} M {x + 29:g} {y + 10:g} V {y + 38:g}"
    rungs = " ".join(f"M {x + 19:g} {y + k:g} H {x + 29:g}" for k in (14, 20, 26, 32))
    drawing.add("path", d=f"{rails} {rungs}", stroke="#5a3b1c", stroke_width=3, fill="none", stroke_linecap="round")


def _objective(s: Any, seat: int | None, goal: int, x: float, y: float, drawing: Drawing) -> None:
    """Face up a crossing with what lay there; face down a card, with a small picture of what this seat has seen."""
    letter = objectives(s, seat)[goal]
    if s.revealed >> goal & 1:
        _tile(OBJECTIVE, x, y, _CELL, _LIT if letter == "n" else _DARK, drawing)
        _stone(letter, x + _CELL / 2, y + _CELL / 2, 13, drawing)
        return
    drawing.add(
        "rect", x=x + 2, y=y + 2, width=_CELL - 4, height=_CELL - 4, rx=6, fill="#5b3f63", stroke="#c9a7d4", stroke_width=2
    )
    if letter == "?":
        _write("?", x + _CELL / 2, y + _CELL / 2 + 9, drawing, 26, "#ecd9f2", text_anchor="middle", font_weight=700)
    else:
        _stone(letter, x + _CELL / 2, y + _CELL / 2, 11, drawing)


def _stone(letter: str, x: float, y: float, r: float, drawing: Drawing) -> None:
    """A gold nugget or a grey stone."""
    shape = ((-1.0, 0.1), (-0.55, -0.75), (0.3, -0.9), (0.95, -0.25), (0.75, 0.7), (-0.35, 0.9))
    points = " ".join(f"{x + r * a:g},{y + r * b:g}" for a, b in shape)
    fill, edge = ("#ffc629", "#7a5200") if letter == "n" else ("#8d9196", "#2f3236")
    drawing.add("polygon", points=points, fill=fill, stroke=edge, stroke_width=2, stroke_linejoin="round")


# --- the hands ------------------------------------------------------------------------------------------------------


def _hand(self: Any, s: Any, owner: int, seat: int | None, x: float, y: float, drawing: Drawing) -> None:
    _write(hand_title(self, s, owner), x, y + 16, drawing, 16, _SEATS[owner], font_weight=600)
    if seat not in (None, owner):
        for k in range(int(s.held[owner])):
            drawing.add("rect", x=x + k * 21, y=y + 28, width=27, height=38, rx=4, fill="#5b3f63", stroke="#c9a7d4")
        return
    live = owner == s.turn and not self.over(s)
    for k in range(int(s.held[owner])):
        _card(int(s.hand[owner, k]), k, live, x, y + 26 + k * _LINE, drawing)


def _card(card: int, index: int, live: bool, x: float, y: float, drawing: Drawing) -> None:
    """A card both ways up, or an action by name, with a button that drops it."""
    if card < TILES:
        _playable(card, str(card), live, x, y, drawing)
        if TURNED[card] >= 0:
            _playable(int(TURNED[card]), f"{card}f", live, x + _CELL + 6, y, drawing)
    else:
        touch = f"card-{NAMES[card]}" if live else None
        with drawing.group(data_touch=touch, aria_label=NAMES[card]):
            drawing.add("rect", x=x, y=y, width=102, height=_CELL, rx=6, fill="#33566b", stroke="#9cc6dd")
            _write(NAMES[card], x + 51, y + 30, drawing, 17, text_anchor="middle", font_weight=600)
    with drawing.group(data_touch=f"drop-{index}" if live else None, aria_label=f"drop card {index}"):
        drawing.add("rect", x=x + 112, y=y + 11, width=62, height=26, rx=6, fill="#4a2f2a", stroke="#b98477")
        _write(f"drop {index}", x + 143, y + 29, drawing, 13, "#e8c4ba", text_anchor="middle")


def _playable(laid: int, name: str, live: bool, x: float, y: float, drawing: Drawing) -> None:
    with drawing.group(data_touch=f"card-{name}" if live else None, aria_label=f"tile {name}"):
        _tile(laid, x, y, _CELL, _DARK, drawing)
        _write(name, x + 5, y + 14, drawing, 11, "#1d1611")
