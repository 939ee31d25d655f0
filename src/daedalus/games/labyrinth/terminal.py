"""Labyrinth in a terminal: van der Zwaag's view of the maze, and smaller ones that draw its ways as lines."""

from typing import Any

from rich.text import Text

from .boards import MARKERS, tile_text
from .kernels.maze import COLUMNS, ROWS, rotations, turned
from .layout import EAST, NORTH, PAWNS, SOUTH, WEST, arrows, pawns_on, sought
from .text import board_rows, decoded

WALLS = (("#", "#7b3fa0"), (":", "#2a8f9c"))  # purple and cyan, in turn
WAY = "#000000"
INK = {"R": "#ff5a4d", "Y": "#f2c230", "G": "#3fbf5f", "B": "#4f8dff"}
_WIDE = 8  # characters of a tile: two of wall or way, four of the middle, two again; three lines
_WAYS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # a tile with these exits, as bits
_LINE = ("#d8c8a0", "#8fd0da")  # ways, in turn


def terminal(self: Any, s: Any, seat: int | None, last: int | None) -> Text:
    """Walls in two colours, ways black, letters for objects and homes, pawns in the middle, the extra tile below."""
    return _Maze(self, s, seat, last, False).blocks()


def pictures(self: Any, s: Any, seat: int | None, last: int | None, flipped: bool) -> tuple[Text, ...]:
    """Tiles as blocks of three lines, as lines of two, as one line; `flipped` turns the maze half around."""
    maze = _Maze(self, s, seat, last, flipped)
    return maze.blocks(), maze.lines(2), maze.lines(1)


class _Maze:
    """A position to be drawn: rows and columns in the order in which they are seen."""

    def __init__(self, game: Any, s: Any, seat: int | None, last: int | None, flipped: bool) -> None:
        self.game, self.s, self.last, self.flipped = game, s, last, flipped
        self.names = arrows(game, s)
        self.goals = sought(game, s, seat)
        self.tiles = board_rows(game, s)
        order = -1 if flipped else 1
        self.rows, self.columns = range(game.board[ROWS])[::order], range(game.board[COLUMNS])[::order]
        self.north, self.south, self.west, self.east = "SNEW" if flipped else "NSWE"

    def blocks(self) -> Text:
        picture = Text()
        self._column_numbers(picture, self.north, _WIDE)
        for row in self.rows:
            for part in range(3):
                self._row_number(picture, f"{self.west}{row}", part == 1, True)
                for column in self.columns:
                    exits, marker, pawns, goal = self._tile(row, column)
                    _tile_part(picture, part, exits, marker, (row + column) % 2, pawns, goal)
                self._row_number(picture, f"{self.east}{row}", part == 1, False)
                picture.append("\n")
        self._column_numbers(picture, self.south, _WIDE)
        self._extra_blocks(picture)
        return picture

    def lines(self, high: int) -> Text:
        """Each tile five wide: its ways, its letter, its pawns; below it, if there are two lines, the way to the next."""
        picture = Text(no_wrap=True)
        names = self.game.SEAT_NAMES
        self._column_numbers(picture, self.north, 5, names[:2])
        for row in self.rows:
            self._row_number(picture, f"{self.west}{row}", True, True)
            for column in self.columns:
                self._ways(picture, row, column, high == 1)
            self._row_number(picture, f"{self.east}{row}", True, False)
            picture.append("\n")
            if high == 2:
                picture.append("    ")
                for column in self.columns:
                    self._below(picture, row, column)
                picture.append("\n")
        self._column_numbers(picture, self.south, 5, names[2:])
        self._extra_line(picture)
        return picture

    def _tile(self, row: int, column: int) -> tuple[int, int, list[str], str]:
        """Its exits as they are seen, its marker, the pawns on it, and who looks for it."""
        exits, marker = self.tiles[row][column]
        cell = row * self.game.side + column
        return self._seen(exits), marker, pawns_on(self.game, self.s, cell), self.goals.get(cell, "")

    def _seen(self, exits: int) -> int:
        """Exits half turned around, if the maze is."""
        return (exits << 2 | exits >> 2) & 15 if self.flipped else exits

    # --- around the board ---------------------------------------------------------------------------------------------

    def _arrow(self, name: str) -> tuple[str, str]:
        """The sign at an end of a line and its style: an arrow if it can be pushed, a cross where it may not, else nothing."""
        if name not in self.names:
            return " ", "dim"
        if self.names[name] == self.s.barred and self.game.undo != 2:
            return "x", "dim"
        pushed = self.last is not None and decoded(self.game, self.last)[0] == self.names[name]
        sign = {self.north: "▼", self.south: "▲", self.west: "▶", self.east: "◀"}[name[0]]
        return sign, "bold reverse" if pushed else "bold"

    def _column_numbers(self, picture: Text, side: str, wide: int, legend: tuple[str, ...] = ()) -> None:
        """The numbers of the columns with their arrows; behind them, whose sign is which."""
        left = wide // 2 - 1 if wide > 5 else 1
        picture.append("    ")
        for column in self.columns:
            sign, style = self._arrow(f"{side}{column}")
            picture.append(f"{column:>{left}}", "dim")
            picture.append(sign, style)
            picture.append(" " * (wide - max(left, len(str(column))) - 1))
        for name in legend:
            picture.append(f"  {PAWNS[name[0]]} {name}", INK[name[0]])
        picture.append("\n")

    def _row_number(self, picture: Text, name: str, shown: bool, first: bool) -> None:
        if not shown:
            picture.append("    ")
            return
        sign, style = self._arrow(name)
        if first:
            picture.append(f"{name[1:]:>2} ", "dim")
            picture.append(sign, style)
        else:
            picture.append(sign, style)
            picture.append(f" {name[1:]}", "dim")

    # --- tiles as lines -----------------------------------------------------------------------------------------------

    def _ways(self, picture: Text, row: int, column: int, with_pawns: bool) -> None:
        exits, marker, pawns, goal = self._tile(row, column)
        ink = _LINE[(row + column) % 2]
        picture.append(("─" if exits & WEST else " ") + _WAYS[exits], ink)
        arm = "─" if exits & EAST else " "
        letter = MARKERS[marker] if marker else ""
        picture.append(letter or arm, f"bold {INK.get(letter, INK.get(goal, 'white'))}" if letter else ink)
        signs = pawns if with_pawns else []
        for place in range(2):
            if place < len(signs):
                picture.append(PAWNS[signs[place]], f"bold {INK[signs[place]]}")
            else:
                picture.append(arm, ink)

    def _below(self, picture: Text, row: int, column: int) -> None:
        exits, _, pawns, _ = self._tile(row, column)
        picture.append(" │" if exits & SOUTH else "  ", _LINE[(row + column) % 2])
        for pawn in pawns[:3]:
            picture.append(PAWNS[pawn], f"bold {INK[pawn]}")
        picture.append(" " * (3 - len(pawns[:3])))

    def _extra_line(self, picture: Text) -> None:
        extra, marker = int(self.s.extra), int(self.s.extra_marker)
        picture.append("extra", "dim")
        for r in range(rotations(extra)):
            exits = int(turned(extra, r))
            seen = self._seen(exits)
            picture.append(f"  {tile_text(exits, 0)[:2]} ", "dim")
            picture.append(("─" if seen & WEST else " ") + _WAYS[seen] + ("─" if seen & EAST else " "), _LINE[r % 2])
        if marker:
            picture.append(f"  with {MARKERS[marker]}", "bold")

    # --- the extra tile as blocks -------------------------------------------------------------------------------------

    def _extra_blocks(self, picture: Text) -> None:
        """The extra tile in all its rotations, each with its name."""
        extra, marker = int(self.s.extra), int(self.s.extra_marker)
        ways = [int(turned(extra, r)) for r in range(rotations(extra))]
        picture.append("\n")
        for part in range(3):
            picture.append("extra   " if part == 1 else "        ", "dim")
            for i, exits in enumerate(ways):
                _tile_part(picture, part, self._seen(exits), marker, i % 2, [])
                picture.append("  ")
            picture.append("\n")
        picture.append("        " + "".join(f"   {tile_text(exits, 0)[:2]}     " for exits in ways).rstrip(), "dim")


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
