"""Labyrinth as pictures: the thesis's terminal view, an SVG, and the touches that make a move.

A move is touched in three steps: the arrow where the tile comes in (`arrow-W1`, sides as in texts), how it lies
(`rotation-2`), and the cell, counted after the push, where the pawn ends (`cell-3-5`).
"""

from typing import Any

from rich.text import Text

from daedalus.core.drawing import Drawing

from .boards import MARKERS, tile_text
from .kernels.maze import COLUMNS, LETTERS, OFF, ROWS, base, rotations, turned, way
from .kernels.rules import goal
from .text import board_rows, colour, known_deck, location_text, parts, row_column

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
PAWNS = {"R": "●", "Y": "▲", "G": "■", "B": "◆"}  # shapes tell pawns apart where colours do not


def pawns_on(self: Any, s: Any, cell: int) -> list[str]:
    """The colours of the pawns on a cell."""
    return [colour(s, p) for p in range(self.players) if s.pawn[p] == cell]


def sought(self: Any, s: Any, seat: int | None) -> dict[int, str]:
    """Where the goals that the onlooker knows are, as cells with the colour of who looks for them."""
    deck = known_deck(self, s, seat)
    found: dict[int, str] = {}
    for p in range(self.players):
        n, cards = int(s.found[p]), int(s.cards)
        places = range(p * cards + n, (p + 1) * cards if self.goals == 2 else p * cards + n + 1)
        markers = [int(goal(s, p))] if n >= cards else [int(s.deck[i]) for i in places if deck[i] != "?"]
        for marker in markers:
            if s.where[marker] != OFF and n <= cards:
                found.setdefault(int(s.where[marker]), colour(s, p))
    return found


def arrows(self: Any, s: Any) -> dict[str, int]:
    """Locations by their names."""
    return {location_text(self, s, location): location for location in range(int(s.locations))}


# --- terminal ---------------------------------------------------------------------------------------------------------

WALLS = (("#", "#7b3fa0"), (":", "#2a8f9c"))  # purple and cyan, in turn
WAY = "#000000"
INK = {"R": "#ff5a4d", "Y": "#f2c230", "G": "#3fbf5f", "B": "#4f8dff"}
_WIDE = 8  # characters of a tile: two of wall or way, four of the middle, two again; three lines


def terminal(self: Any, s: Any, seat: int | None, last: int | None) -> Text:
    """Walls in two colours, ways black, letters for objects and homes, pawns in the middle, the extra tile below."""
    columns = self.board[COLUMNS]
    names = arrows(self, s)
    picture = Text()
    width = _WIDE * columns + 8
    if width > 80:
        picture.append(f"(this picture is {width} columns wide)\n", "dim")
    _column_numbers(picture, s, names, columns, "N", last, self)
    goals = sought(self, s, seat)
    for row, tiles in enumerate(board_rows(self, s)):
        for part in range(3):
            _row_number(picture, s, names, f"W{row}", part, last, self)
            for column, tile in enumerate(tiles):
                cell = row * self.side + column
                _tile_part(picture, part, *tile, (row + column) % 2, pawns_on(self, s, cell), goals.get(cell, ""))
            _row_number(picture, s, names, f"E{row}", part, last, self)
            picture.append("\n")
    _column_numbers(picture, s, names, columns, "S", last, self)
    _extra(picture, s)
    return picture


def _arrow(s: Any, names: dict[str, int], name: str, last: int | None, self: Any) -> tuple[str, str]:
    """The sign at an end of a line and its style: an arrow if it can be pushed, a cross where it may not, else nothing."""
    if name not in names:
        return " ", "dim"
    if names[name] == s.barred and self.undo != 2:
        return "x", "dim"
    pushed = last is not None and parts(self, last)[0] == names[name]
    return {"N": "▼", "S": "▲", "W": "▶", "E": "◀"}[name[0]], "bold reverse" if pushed else "bold"


def _column_numbers(picture: Text, s: Any, names: dict[str, int], n: int, side: str, last: int | None, self: Any) -> None:
    picture.append("    ")
    for column in range(n):
        sign, style = _arrow(s, names, f"{side}{column}", last, self)
        picture.append(f"{column:>3}", "dim")
        picture.append(sign, style)
        picture.append("    ")
    picture.append("\n")


def _row_number(picture: Text, s: Any, names: dict[str, int], name: str, part: int, last: int | None, self: Any) -> None:
    if part != 1:
        picture.append("    ")
        return
    sign, style = _arrow(s, names, name, last, self)
    if name[0] == "W":
        picture.append(f"{name[1:]:>2} ", "dim")
        picture.append(sign, style)
    else:
        picture.append(sign, style)
        picture.append(f" {name[1:]}", "dim")


def _tile_part(picture: Text, part: int, exits: int, marker: int, shade: int, pawns: list[str], looked_for: str = "") -> None:
    """One of the three lines of a tile."""
    sign, paint = WALLS[shade]

    def block(n: int, is_open: int) -> None:
        picture.append(" " * n if is_open else sign * n, f"on {WAY}" if is_open else f"{paint} on {paint}")

    if part != 1:
        block(2, 0)
        block(4, exits & (NORTH if part == 0 else SOUTH))
        block(2, 0)
        return
    block(2, exits & WEST)
    _middle(picture, marker, pawns, looked_for)
    block(2, exits & EAST)


def _middle(picture: Text, marker: int, pawns: list[str], looked_for: str) -> None:
    """The marker's letter, then a sign for each pawn; with four pawns there is no room for the letter."""
    ground = INK[pawns[0]] if pawns else WAY
    if len(pawns) < 4:
        letter = MARKERS[marker] if marker else " "
        ink = INK.get(letter, INK.get(looked_for, "white"))
        picture.append(letter, f"bold {WAY} on {ground}" if pawns else f"bold {ink} on {WAY}")
    for pawn in pawns:
        picture.append(PAWNS[pawn], f"{WAY} on {INK[pawn]}")
    if len(pawns) < 3:
        picture.append(" " * (3 - len(pawns)), f"on {ground}")


def _extra(picture: Text, s: Any) -> None:
    """The extra tile in all its rotations, each with its name."""
    extra, marker = int(s.extra), int(s.extra_marker)
    ways = [turned(extra, r) for r in range(rotations(extra))]
    picture.append("\n")
    for part in range(3):
        picture.append("extra   " if part == 1 else "        ", "dim")
        for i, exits in enumerate(ways):
            _tile_part(picture, part, exits, marker, i % 2, [])
            picture.append("  ")
        picture.append("\n")
    picture.append("        " + "".join(f"   {tile_text(exits, 0)[:2]}     " for exits in ways).rstrip(), "dim")


# --- SVG --------------------------------------------------------------------------------------------------------------

_TILE = 64
_MARGIN = 46  # around the board, for numbers and arrows
_PANEL = 190  # on the right, for the extra tile and the players
_WALL = ("#6f5a86", "#4f7f86")
_WAY = "#f4ead2"
_COLOUR = {"R": "#d8352a", "Y": "#e0a800", "G": "#2f9e4f", "B": "#2f6fe0"}


def svg(self: Any, s: Any, seat: int | None, last: int | None) -> str:
    """The maze with its arrows, the trail of the last push, and beside it the extra tile and the players' cards."""
    rows, columns = self.board[ROWS], self.board[COLUMNS]
    height = max(2 * _MARGIN + rows * _TILE, 330 + 64 * self.players)
    drawing = Drawing(2 * _MARGIN + columns * _TILE + _PANEL, height, background="#efe7d6")
    side = 8
    drawing.add(
        "rect",
        x=_MARGIN - side,
        y=_MARGIN - side,
        width=columns * _TILE + 2 * side,
        height=rows * _TILE + 2 * side,
        rx=10,
        fill="#3a3145",
    )
    goals = sought(self, s, seat)
    for row, tiles in enumerate(board_rows(self, s)):
        for column, tile in enumerate(tiles):
            _cell(drawing, row, column, *tile, goals.get(row * self.side + column))
    if last is not None:
        _trail(self, s, drawing, parts(self, last)[0])
    for cell in sorted({int(s.pawn[p]) for p in range(self.players)}):
        _pawns(self, s, drawing, cell)
    _numbers(self, s, drawing)
    _arrows(self, s, drawing, last)
    _panel(self, s, seat, drawing)
    return str(drawing)


def _corner(row: int, column: int) -> tuple[float, float]:
    return _MARGIN + column * _TILE, _MARGIN + row * _TILE


def _cell(drawing: Drawing, row: int, column: int, exits: int, marker: int, looked_for: str | None) -> None:
    x, y = _corner(row, column)
    label = f"row {row}, column {column}, {tile_text(exits, marker)}"
    with drawing.group(data_touch=f"cell-{row}-{column}", aria_label=label):
        _tile(drawing, x, y, _TILE, exits, marker, (row + column) % 2)
        if looked_for:
            drawing.add(
                "rect", x=x + 4, y=y + 4, width=_TILE - 8, height=_TILE - 8, rx=6, fill="none", stroke=_COLOUR[looked_for],
                stroke_width=4, stroke_dasharray="7 4", pointer_events="none",
            )  # fmt: skip


def _tile(drawing: Drawing, x: float, y: float, size: float, exits: int, marker: int, shade: int) -> None:
    """Walls, ways from the middle to each exit, and what lies in the middle."""
    drawing.add("rect", x=x + 1, y=y + 1, width=size - 2, height=size - 2, rx=3, fill=_WALL[shade])
    way_width, middle = 0.38 * size, size / 2
    ends = {NORTH: (middle, 1.0), EAST: (size - 1, middle), SOUTH: (middle, size - 1), WEST: (1.0, middle)}
    lines = " ".join(f"M {x + middle:g} {y + middle:g} L {x + a:g} {y + b:g}" for bit, (a, b) in ends.items() if exits & bit)
    drawing.add("path", d=lines, fill="none", stroke=_WAY, stroke_width=way_width, stroke_linejoin="round")
    drawing.add("circle", cx=x + middle, cy=y + middle, r=way_width / 2, fill=_WAY)
    if marker:
        _marker(drawing, x + middle, y + middle, size, MARKERS[marker], marker > LETTERS)


def _marker(drawing: Drawing, x: float, y: float, size: float, letter: str, is_home: bool) -> None:
    """An object is a gilt medal, a home a house in its colour."""
    r = 0.17 * size
    if is_home:
        roof = (
            f"M {x - 1.25 * r:g} {y:g} L {x:g} {y - 1.25 * r:g} L {x + 1.25 * r:g} {y:g} V {y + 1.1 * r:g} H {x - 1.25 * r:g} Z"
        )
        drawing.add("path", d=roof, fill=_COLOUR[letter], stroke="#3a3145", stroke_width=1.5, stroke_linejoin="round")
    else:
        drawing.add("circle", cx=x, cy=y, r=r, fill="#f7cf57", stroke="#9a6b00", stroke_width=1.5)
    _write(
        drawing, letter, x, y + 0.075 * size + (0.03 * size if is_home else 0), 0.22 * size, "#ffffff" if is_home else "#4a3000"
    )


def _write(drawing: Drawing, text: str, x: float, y: float, size: float, fill: str = "#3a3145", anchor: str = "middle") -> None:
    drawing.add(
        "text", text, x=x, y=y, font_size=size, font_weight=600, text_anchor=anchor, fill=fill,
        font_family="system-ui, sans-serif", pointer_events="none",
    )  # fmt: skip


# Each colour has its own quarter of a tile, where its home is on the board: pawns never hide each other or a marker.
_QUARTER = {"R": (-1, -1), "Y": (1, -1), "G": (-1, 1), "B": (1, 1)}


def _pawns(self: Any, s: Any, drawing: Drawing, cell: int) -> None:
    """The pawns on a cell, each in its quarter."""
    row, column = row_column(self, cell)
    x, y = _corner(row, column)
    for letter in pawns_on(self, s, cell):
        dx, dy = _QUARTER[letter]
        px, py, r = x + _TILE * (0.5 + 0.27 * dx), y + _TILE * (0.5 + 0.27 * dy), 0.17 * _TILE
        with drawing.group(pointer_events="none", aria_label=f"pawn {letter}"):
            drawing.add("circle", cx=px, cy=py, r=r, fill=_COLOUR[letter], stroke="#ffffff", stroke_width=2.5)
            _write(drawing, letter, px, py + 0.35 * r, 1.05 * r, "#ffffff")


def _trail(self: Any, s: Any, drawing: Drawing, location: int) -> None:
    """The line pushed last: a veil over it and an arrow along it, the tile that came in framed."""
    entry, out, _ = (int(number) for number in way(s, location))
    (row, column), (row_out, column_out) = row_column(self, entry), row_column(self, out)
    (x, y), (x2, y2) = _corner(row, column), _corner(row_out, column_out)
    half = _TILE / 2
    with drawing.group(pointer_events="none"):
        drawing.add(
            "rect",
            x=min(x, x2),
            y=min(y, y2),
            width=abs(x2 - x) + _TILE,
            height=abs(y2 - y) + _TILE,
            fill="#fff6c8",
            fill_opacity=0.22,
        )
        drawing.add(
            "rect", x=x + 2, y=y + 2, width=_TILE - 4, height=_TILE - 4, rx=4, fill="none", stroke="#ffd34d", stroke_width=3
        )
        drawing.add(
            "line", x1=x + half, y1=y + half, x2=x2 + half, y2=y2 + half, stroke="#ffd34d", stroke_width=3, stroke_opacity=0.7,
            stroke_dasharray="3 9", stroke_linecap="round",
        )  # fmt: skip


def _numbers(self: Any, s: Any, drawing: Drawing) -> None:
    bottom, right = _MARGIN + self.board[ROWS] * _TILE, _MARGIN + self.board[COLUMNS] * _TILE
    movable = {name[1:] + ("r" if name[0] in "WE" else "c") for name in arrows(self, s)}
    for row in range(self.board[ROWS]):
        if f"{row}r" not in movable:
            for x in (_MARGIN - 26, right + 26):
                _write(drawing, str(row), x, _MARGIN + (row + 0.58) * _TILE, 14, "#9b8f7a")
    for column in range(self.board[COLUMNS]):
        if f"{column}c" not in movable:
            for y in (_MARGIN - 20, bottom + 31):
                _write(drawing, str(column), _MARGIN + (column + 0.5) * _TILE, y, 14, "#9b8f7a")


def _arrows(self: Any, s: Any, drawing: Drawing, last: int | None) -> None:
    """A triangle at both ends of each movable line, its number inside; grey where the push before may not be undone."""
    pushed = None if last is None else parts(self, last)[0]
    turn = {"N": 0, "E": 90, "S": 180, "W": 270}
    for name, location in arrows(self, s).items():
        row, column = row_column(self, int(way(s, location)[0]))
        x, y = _corner(row, column)
        dx, dy = {"N": (0, -1), "S": (0, 1), "W": (-1, 0), "E": (1, 0)}[name[0]]
        x, y = x + _TILE / 2 + dx * (_TILE / 2 + 26), y + _TILE / 2 + dy * (_TILE / 2 + 26)
        barred = location == s.barred and self.undo == 0
        fill = "#c9c0ae" if barred else "#ffb52e" if location == pushed else "#8a6fb0"
        with drawing.group(data_touch=f"arrow-{name}", aria_label=f"push in from {name}"):
            drawing.add(
                "path", d="M -15 -10 H 15 L 0 13 Z", transform=f"translate({x:g} {y:g}) rotate({turn[name[0]]})", fill=fill
            )
            _write(drawing, name[1:], x - 2 * dx, y + 3 - 2 * dy + (0 if dy else 1), 11, "#ffffff")


def _panel(self: Any, s: Any, seat: int | None, drawing: Drawing) -> None:
    """The extra tile as it can lie, and each player's count of goals."""
    x = 2 * _MARGIN + self.board[COLUMNS] * _TILE + 14
    extra = int(s.extra)
    _write(drawing, "extra tile", x, _MARGIN + 4, 15, anchor="start")
    for rotation in range(rotations(extra)):
        a, b = x + (rotation % 2) * (_TILE + 14), _MARGIN + 16 + (rotation // 2) * (_TILE + 26)
        with drawing.group(data_touch=f"rotation-{rotation}", aria_label=f"rotation {rotation}"):
            _tile(drawing, a, b, _TILE, turned(extra, rotation), int(s.extra_marker), rotation % 2)
            _write(drawing, f"{tile_text(base(extra), 0)[0]}{rotation}", a + _TILE / 2, b + _TILE + 15, 13)
    deck, cards = known_deck(self, s, seat), int(s.cards)
    for p in range(self.players):
        y = _MARGIN + 230 + 64 * p
        letter, found = colour(s, p), int(s.found[p])
        if p == s.turn and not s.ended:
            drawing.add("rect", x=x - 8, y=y - 24, width=_PANEL - 22, height=54, rx=8, fill="#ffffff", fill_opacity=0.75)
        drawing.add("circle", cx=x + 8, cy=y - 5, r=8, fill=_COLOUR[letter])
        _write(drawing, f"{self.SEAT_NAMES[p]}  {min(found, cards)}/{cards}", x + 24, y, 16, anchor="start")
        rest = deck[p * cards + found : (p + 1) * cards] if found < cards else []
        errand = (
            "is home"
            if found > cards
            else "heads home"
            if found == cards
            else "looks for " + (", ".join(rest) if self.goals == 2 else rest[0])
        )
        _write(drawing, errand, x + 24, y + 20, 13, "#6b5f4d", anchor="start")


# --- touches ----------------------------------------------------------------------------------------------------------


def touches(self: Any, s: Any, m: int) -> tuple[str, ...]:
    """The arrow, the rotation, the cell."""
    location, rotation, cell = parts(self, m)
    row, column = row_column(self, cell)
    return f"arrow-{location_text(self, s, location)}", f"rotation-{rotation}", f"cell-{row}-{column}"
