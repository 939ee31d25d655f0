"""Colosseum Survival! as pictures: a board for terminals, an SVG, and the touches that make a move.

A carries a round shield and B a square one, so that shape tells them apart where colour does not. A move is two touches:
`cell-row-col`, where the walk ends, then `wall-row-col-r` (or `-d`), the right (or lower) side of a cell that gets the barrier.
"""

from typing import Any

from rich.text import Text

from daedalus.core import Position
from daedalus.core.drawing import Drawing
from daedalus.core.kernels.random import scramble
from daedalus.core.plurals import counted

from .kernels.bitsets import down_open, meet, right_open, single
from .kernels.territory import DOWN, RIGHT, edge_of, open_sides, zone
from .text import SIDES, barriers, cell_text, on_border, reachable

# --- what both pictures ask -----------------------------------------------------------------------------------------


def wall(cell: int, side: int, size: int) -> tuple[int, int]:
    """The side of a cell as (cell, RIGHT or DOWN), the way every wall has one name."""
    first, lower = edge_of(cell, side, size)
    return int(first), DOWN if lower else RIGHT


def zones(self: Any, s: Any) -> dict[int, int]:
    """Once the zones are apart: the seat that owns each cell that anybody can reach."""
    if not s.ended:
        return {}
    right, down = right_open(s), down_open(s)
    owned = [zone(right, down, self.size, int(s.cell[seat])) for seat in (0, 1)]
    return {cell: seat for seat in (0, 1) for cell in range(self.size**2) if meet(owned[seat], single(owned[seat], cell))}


# --- terminal -------------------------------------------------------------------------------------------------------

# Corners by the walls that meet there: 1 above, 2 right, 4 below, 8 left.
_CORNERS = "·╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
_INK = ("bold #ff8a70", "bold #7db8ff")
_GROUND = ("on #4a1d17", "on #16304f")
_STONE, _FRESH, _FAINT = "#d8c8a0", "bold #ffd84d", "#6d6552"


def terminal(self: Any, s: Any, seat: int | None, last: int | None) -> Text:
    """Columns above, rows on the left; the last move's cell in brackets, its barrier bright."""
    fresh = None if last is None else wall(last >> 2, last & 3, self.size)
    owned = zones(self, s)
    picture = Text("    " + "".join(f"{column:^4}" for column in range(self.size)) + "\n", "dim")
    for row in range(self.size + 1):
        _lattice_line(self, s, row, fresh, picture)
        if row < self.size:
            picture.append("\n")
            _cell_line(self, s, row, fresh, last, owned, picture)
            picture.append("\n")
    return picture


def _is_wall(self: Any, s: Any, row: int, col: int, side: int) -> bool:
    """Is there a wall on that side of a cell? Cells just outside the board stand for the border."""
    inside = 0 <= row < self.size and 0 <= col < self.size
    if inside:
        return not (int(open_sides(s, row * self.size + col, self.size)) >> side) & 1
    return bool(0 <= (row if side == RIGHT else col) < self.size)


def _lattice_line(self: Any, s: Any, row: int, fresh: tuple[int, int] | None, picture: Text) -> None:
    """The corners and lower walls between cell rows row - 1 and row."""
    picture.append("   ")
    for col in range(self.size + 1):
        arms = (
            _is_wall(self, s, row - 1, col - 1, RIGHT) * 1
            + _is_wall(self, s, row - 1, col, DOWN) * 2
            + _is_wall(self, s, row, col - 1, RIGHT) * 4
            + _is_wall(self, s, row - 1, col - 1, DOWN) * 8
        )
        picture.append(_CORNERS[arms], _STONE if arms else _FAINT)
        if col < self.size:
            new = fresh == ((row - 1) * self.size + col, DOWN)
            picture.append("━━━" if _is_wall(self, s, row - 1, col, DOWN) else "   ", _FRESH if new else _STONE)


def _cell_line(
    self: Any, s: Any, row: int, fresh: tuple[int, int] | None, last: int | None, owned: dict[int, int], picture: Text
) -> None:
    """The cells of a row and the walls between them."""
    picture.append(f"{row:>2} ", "dim")
    for col in range(-1, self.size):
        cell = row * self.size + col
        if col >= 0:
            letter = "A" if cell == s.cell[0] else "B" if cell == s.cell[1] else " "
            ink = _INK["AB".index(letter)] if letter != " " else ""
            sign = f"[{letter}]" if last is not None and last >> 2 == cell else f" {letter} "
            picture.append(sign, f"{ink} {_GROUND[owned[cell]] if cell in owned else ''}".strip())
        new = col >= 0 and fresh == (cell, RIGHT)
        picture.append("┃" if _is_wall(self, s, row, col, RIGHT) else " ", _FRESH if new else _STONE)


# --- SVG ------------------------------------------------------------------------------------------------------------

_TILE = 60  # cells are this wide
_EDGE, _FOOT = 46, 62  # stone around the floor, with the numbers; room below for the two names
_COLOUR, _DARK = ("#c8402c", "#2f6fc0"), ("#6f150b", "#0e2f63")
_DEFINITIONS = """<defs>
<linearGradient id="co-stone" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#8d8068"/><stop offset="1" stop-color="#5d523f"/></linearGradient>
<linearGradient id="co-wall" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#6b5a41"/><stop offset="1" stop-color="#3b2f20"/></linearGradient>
<linearGradient id="co-fresh" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffcf40"/><stop offset="1" stop-color="#d98a00"/></linearGradient>
<radialGradient id="co-floor" cx="0.5" cy="0.45" r="0.75"><stop offset="0" stop-color="#f4e3b5"/><stop offset="1" stop-color="#d9bd83"/></radialGradient>
<radialGradient id="co-seat0" cx="0.38" cy="0.32" r="0.8"><stop offset="0" stop-color="#ff9a80"/><stop offset="0.5" stop-color="#c8402c"/><stop offset="1" stop-color="#7a1a0e"/></radialGradient>
<radialGradient id="co-seat1" cx="0.38" cy="0.32" r="0.8"><stop offset="0" stop-color="#9accff"/><stop offset="0.5" stop-color="#2f6fc0"/><stop offset="1" stop-color="#123a78"/></radialGradient>
<pattern id="co-lost" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="10" height="10" fill="#8a7c62" fill-opacity="0.45"/><rect width="4" height="10" fill="#5d523f" fill-opacity="0.5"/></pattern>
</defs>"""


def svg(self: Any, s: Any, seat: int | None, last: int | None) -> str:
    """The arena's floor, walls on its edges, the last barrier in gold; at the end the zones in their owners' colours."""
    return drawn(self, s, last, set())


def svg_with_reach(position: Position) -> str:
    """The same picture with a dot on every cell where the player to move may end the walk."""
    game, s = position.game, position.state
    return drawn(game, s, position.last, set() if position.outcome() else reachable(game, s))


def drawn(self: Any, s: Any, last: int | None, dotted: set[int]) -> str:
    floor = self.size * _TILE
    drawing = Drawing(floor + 2 * _EDGE, floor + 2 * _EDGE + _FOOT)
    drawing.raw(_DEFINITIONS)
    drawing.add("rect", width=drawing.width, height=drawing.height, rx=16, fill="url(#co-stone)")
    _seats_around(self, drawing)
    drawing.add("rect", x=_EDGE, y=_EDGE, width=floor, height=floor, fill="url(#co-floor)")
    _cells(self, s, drawing)
    with drawing.group(pointer_events="none"):
        _grains(self, drawing)
        _numbers(self, drawing)
        for cell in dotted:
            x, y = _middle(self, cell)
            drawing.add("circle", cx=x, cy=y, r=_TILE * 0.11, fill=_COLOUR[s.turn], fill_opacity=0.55)
        if last is not None:
            x, y = _middle(self, last >> 2)
            drawing.add(
                "circle", cx=x, cy=y, r=_TILE * 0.43, fill="#ffcf40", fill_opacity=0.35, stroke="#b97a00", stroke_width=2
            )
    _slots(self, s, drawing)
    with drawing.group(pointer_events="none"):
        _walls(self, s, last, drawing)
        for seat in (0, 1):
            _shield(seat, *_middle(self, int(s.cell[seat])), _TILE * 0.33, drawing)
        _names(self, s, drawing)
    return str(drawing)


def _middle(self: Any, cell: int) -> tuple[float, float]:
    return _EDGE + (cell % self.size + 0.5) * _TILE, _EDGE + (cell // self.size + 0.5) * _TILE


def _seats_around(self: Any, drawing: Drawing) -> None:
    """The stands: steps of stone around the floor."""
    with drawing.group(fill="none", stroke="#3f3627", stroke_opacity=0.35, stroke_width=2):
        for inset in (9, 19):
            side = self.size * _TILE + 2 * _EDGE - 2 * inset
            drawing.add("rect", x=inset, y=inset, width=side, height=side, rx=12 - inset / 3)


def _cells(self: Any, s: Any, drawing: Drawing) -> None:
    owned = zones(self, s)
    for cell in range(self.size**2):
        row, col = divmod(cell, self.size)
        who = next((f", {name}" for i, name in enumerate(self.SEAT_NAMES) if s.cell[i] == cell), "")
        if not s.ended:
            fill, strength = "#ffffff", 0.16 if (row + col) % 2 else 0.02
        elif cell in owned:
            fill, strength = _COLOUR[owned[cell]], 0.5 if (row + col) % 2 else 0.42
        else:
            fill, strength = "url(#co-lost)", 1.0
        drawing.add(
            "rect",
            x=_EDGE + col * _TILE,
            y=_EDGE + row * _TILE,
            width=_TILE,
            height=_TILE,
            fill=fill,
            fill_opacity=strength,
            stroke="#a88c55",
            stroke_opacity=0.45,
            data_touch=f"cell-{row}-{col}",
            aria_label=f"{cell_text(self, cell)}{who}",
        )


def _grains(self: Any, drawing: Drawing) -> None:
    """Sand, the same on every picture."""
    floor = self.size * _TILE
    with drawing.group(fill="#8a6a2f", fill_opacity=0.22):
        for i in range(self.size * self.size * 3):
            drawing.add("circle", cx=_EDGE + scramble(i, 1) % floor, cy=_EDGE + scramble(i, 2) % floor, r=0.8)


def _numbers(self: Any, drawing: Drawing) -> None:
    with drawing.group(fill="#f5e9c8", font_family="system-ui, sans-serif", font_size=17, text_anchor="middle"):
        for i in range(self.size):
            drawing.add("text", str(i), x=_EDGE + (i + 0.5) * _TILE, y=_EDGE - 16)
            drawing.add("text", str(i), x=_EDGE - 23, y=_EDGE + (i + 0.5) * _TILE + 6)


def _bar(self: Any, cell: int, side: int, thick: float, inset: float) -> dict[str, Any]:
    """The rectangle of a wall: along the right or lower side of a cell."""
    row, col = divmod(cell, self.size)
    if side == RIGHT:
        x, y = _EDGE + (col + 1) * _TILE - thick / 2, _EDGE + row * _TILE + inset
        return {"x": x, "y": y, "width": thick, "height": _TILE - 2 * inset}
    x, y = _EDGE + col * _TILE + inset, _EDGE + (row + 1) * _TILE - thick / 2
    return {"x": x, "y": y, "width": _TILE - 2 * inset, "height": thick}


def _slots(self: Any, s: Any, drawing: Drawing) -> None:
    """Where barriers may go: unseen, but wide enough for a finger."""
    taken = set(barriers(self, s))
    for cell in range(self.size**2):
        for side in (RIGHT, DOWN):
            if (cell, side) not in taken and not on_border(self, cell, side):
                name = f"{cell_text(self, cell)}{SIDES[side]}"
                touch = f"wall-{cell // self.size}-{cell % self.size}-{SIDES[side]}"
                bar = _bar(self, cell, side, 18.0, 9.0)
                drawing.add("rect", **bar, rx=6, fill="#3b2f20", fill_opacity=0, data_touch=touch, aria_label=f"side {name}")


def _walls(self: Any, s: Any, last: int | None, drawing: Drawing) -> None:
    fresh = None if last is None else wall(last >> 2, last & 3, self.size)
    floor = self.size * _TILE
    frame: dict[str, Any] = {"x": _EDGE - 4, "y": _EDGE - 4, "width": floor + 8, "height": floor + 8}
    drawing.add("rect", **frame, rx=5, fill="none", stroke="url(#co-wall)", stroke_width=9)
    for cell, side in sorted(barriers(self, s), key=lambda one: one == fresh):  # the fresh one on top
        new = (cell, side) == fresh
        bar = _bar(self, cell, side, 11.0, -5.0)
        drawing.add("rect", **bar, rx=4, fill=f"url(#co-{'fresh' if new else 'wall'})", stroke="#241b10", stroke_width=1.2)


def _shield(seat: int, x: float, y: float, r: float, drawing: Drawing) -> None:
    """A's is round, B's has corners; both bear their letter."""
    with drawing.group(transform=f"translate({x:g} {y:g}) scale({r / 100:g})"):
        rim: dict[str, Any] = {"fill": f"url(#co-seat{seat})", "stroke": _DARK[seat], "stroke_width": 9}
        if seat == 0:
            drawing.add("circle", r=98, **rim)
            drawing.add("circle", r=74, fill="none", stroke="#ffe0a0", stroke_width=6, stroke_opacity=0.8)
        else:
            drawing.add("path", d="M -86 -92 H 86 V 20 Q 80 78 0 108 Q -80 78 -86 20 Z", stroke_linejoin="round", **rim)
            inner = "M -62 -68 H 62 V 16 Q 56 58 0 80 Q -56 58 -62 16 Z"
            drawing.add("path", d=inner, fill="none", stroke="#ffe0a0", stroke_width=6, stroke_opacity=0.8)
        drawing.add(
            "text",
            "AB"[seat],
            y=34,
            fill="#ffffff",
            font_size=96,
            font_weight=700,
            text_anchor="middle",
            font_family="system-ui, sans-serif",
        )


def _names(self: Any, s: Any, drawing: Drawing) -> None:
    """Below the floor: both shields, who is to move, and at the end how many cells each has."""
    y = _EDGE + self.size * _TILE + _EDGE + 12
    for seat, x in ((0, _EDGE + 18.0), (1, drawing.width - _EDGE - 18.0)):
        if seat == s.turn and not s.ended:
            drawing.add("circle", cx=x, cy=y, r=27, fill="#ffcf40", fill_opacity=0.55)
        _shield(seat, x, y, 19, drawing)
        cells = int(s.zone[seat])
        told = counted(cells, "cell") if s.ended else "to move" if seat == s.turn else ""
        if told:
            drawing.add(
                "text",
                told,
                x=x + (34 if seat == 0 else -34),
                y=y + 6,
                fill="#fff4d6",
                font_size=18,
                text_anchor="start" if seat == 0 else "end",
                font_family="system-ui, sans-serif",
            )


# --- touches --------------------------------------------------------------------------------------------------------


def touches(self: Any, s: Any, m: int) -> tuple[str, ...]:
    """The cell where the walk ends, then the side that gets the barrier."""
    cell, side = wall(m >> 2, m & 3, self.size)
    row, col = divmod(m >> 2, self.size)
    return f"cell-{row}-{col}", f"wall-{cell // self.size}-{cell % self.size}-{SIDES[side]}"


__all__ = ["svg", "svg_with_reach", "terminal", "touches"]
