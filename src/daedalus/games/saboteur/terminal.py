"""Saboteur in a terminal: the used part of the board, and the hand of who looks; large, and small with a line a row.

Each card of the hand is drawn both ways up if it may be turned. A dead end has a rock in its middle, and double lines
where it is drawn small.
"""

from typing import Any

from rich.text import Text

from daedalus.core.plurals import counted

from .deck import NAMES
from .kernels.tiles import CENTRE, ENTRANCE, GOALS, SIDES, THROUGH, TILES, TURNED, cell_at
from .layout import cropped, hand_title, marked, shown
from .text import hand_names, move_text, objectives, place_of_card

_WIDTH = 78  # of a large picture
_JOINT = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # a centre with these open sides, north east south west as bits
_SHUT = " ╨╞╚╥║╔╠╡╝═╩╗╣╦╬"  # the same for dead ends
_DEAD = "✕"  # in the middle of a dead end
_INK = {"reached": "bold #ffd76a", "laid": "#d8c7a4", "hidden": "#a08a6a", "free": "#6f6a60", "mark": "bold #6fd0ff"}
_STONES = {"n": "★", "p": "o", "?": "?"}


def terminal(self: Any, s: Any, seat: int | None, last: int | None) -> Text:
    """The board with columns above and rows on the left, the last move's cell in brackets, then the hands."""
    return _large(self, s, seat, last)


def pictures(self: Any, s: Any, seat: int | None, last: int | None, flipped: bool) -> tuple[Text, ...]:
    """Cells of three lines with the hands below, and cells of one line with the hands beside; down is down for both seats."""
    return _large(self, s, seat, last), _small(self, s, seat, last)


# --- large ------------------------------------------------------------------------------------------------------------


def _large(self: Any, s: Any, seat: int | None, last: int | None) -> Text:
    picture = Text()
    rows, cols = cropped(s)
    picture.append("    " + "".join(f"{col:^5}" for col in cols).rstrip() + "\n", "dim")
    for row in rows:
        parts = [_cell_lines(s, seat, cell_at(row, col), marked(last)) for col in cols]
        for line in range(3):
            picture.append(f"{row:>3} " if line == 1 else "    ", "dim")
            for lines, style in parts:
                picture.append(lines[line], style)
            picture.append("\n")
    if last is not None:
        mover = self.SEAT_NAMES[1 - s.turn]
        picture.append(f"{mover} played {getattr(last, 'text', None) or move_text(self, s, last)}\n", _INK["mark"])
    for owner in shown(s, seat):
        picture.append(_hand_lines(self, s, owner, seat))
    picture.append(f"{counted(s.left, 'card')} to draw", "dim")
    return picture


def drawn(sides: int, sign: str) -> list[str]:
    """Three lines of five characters: a tile whose open sides lead to this sign in its middle."""
    north, south = ("│" if sides & bit else " " for bit in (1, 4))
    west, east = ("──" if sides & bit else "  " for bit in (8, 2))
    return [f"  {north}  ", f"{west}{sign}{east}", f"  {south}  "]


def blocked(sides: int) -> list[str]:
    """The same for a tile with rock in its middle: the sides stop short of it."""
    north, south = ("╵" if sides & 1 else " "), ("╷" if sides & 4 else " ")
    west, east = ("─ " if sides & 8 else "  "), (" ─" if sides & 2 else "  ")
    return [f"  {north}  ", f"{west}{_DEAD}{east}", f"  {south}  "]


def tile_lines(laid: int) -> list[str]:
    """A laid tile in three lines."""
    sides = int(SIDES[laid])
    if not CENTRE[laid]:
        return blocked(sides)
    return drawn(sides, _JOINT[sides] if THROUGH[laid] else _DEAD)


def _style(s: Any, seat: int | None, cell: int) -> str:
    """How what lies on a cell is painted."""
    if cell in GOALS:
        goal = GOALS.tolist().index(cell)
        if not s.revealed >> goal & 1:
            return _INK["hidden"]
        return _INK["reached" if objectives(s, seat)[goal] == "n" else "laid"]
    if not s.tiles[cell]:
        return _INK["free"]
    return _INK["reached" if int(s.reach[cell >> 6]) >> (cell & 63) & 1 else "laid"]


def _cell_lines(s: Any, seat: int | None, cell: int, mark: int | None) -> tuple[list[str], str]:
    """What lies on a cell, in three lines and a style."""
    tile = int(s.tiles[cell])
    if cell in GOALS:
        lines = _objective(s, seat, GOALS.tolist().index(cell))
    elif tile == ENTRANCE + 1:
        lines = drawn(15, "E")
    else:
        lines = tile_lines(tile - 1) if tile else ["     ", "  ·  ", "     "]
    if cell != mark:
        return lines, _style(s, seat, cell)
    return [lines[0], f"[{lines[1][1:4]}]", lines[2]], _INK["mark"]


def _objective(s: Any, seat: int | None, goal: int) -> list[str]:
    """Face up a cross with the nugget or a stone; face down a card with what this seat has seen of it."""
    sign = _STONES[objectives(s, seat)[goal]]
    return drawn(15, sign) if s.revealed >> goal & 1 else ["░░░░░", f"░ {sign} ░", "░░░░░"]


def _hand_lines(self: Any, s: Any, owner: int, seat: int | None) -> Text:
    """A hand as cards, each both ways up if it can be turned; only the number of another's cards."""
    title = hand_title(self, s, owner)
    if seat not in (None, owner):
        return Text(f"{title}: {counted(s.held[owner], 'card')}\n")
    text = Text(f"{title}\n", "bold" if owner == s.turn else "")
    shelf: list[list[str]] = []
    for index, name in enumerate(hand_names(s, owner, seat)):
        card = _card_lines(place_of_card(index), name)
        if shelf and sum(len(c[0]) + 2 for c in shelf) + len(card[0]) > _WIDTH:
            text.append(_side_by_side(shelf))
            shelf = []
        shelf.append(card)
    return text.append(_side_by_side(shelf)) if shelf else text


def _card_lines(place: str, name: str) -> list[str]:
    """A card: its place in the hand and its name above its picture."""
    card = NAMES.index(name)
    if card >= TILES:
        return [line.ljust(len(name) + 3) for line in (f"{place}: {name}", "", "", "")]
    lines = [f"{place}: {name}", *tile_lines(card)]
    if TURNED[card] >= 0:
        other = tile_lines(int(TURNED[card]))
        lines = [f"{place}: {name:<3}  {name}f", *(f"{one}  {two}" for one, two in zip(lines[1:], other, strict=True))]
    width = max(map(len, lines))
    return [line.ljust(width) for line in lines]


def _side_by_side(cards: list[list[str]]) -> str:
    return "".join("  ".join(lines).rstrip() + "\n" for lines in zip(*cards, strict=True))


# --- small ------------------------------------------------------------------------------------------------------------


def _small(self: Any, s: Any, seat: int | None, last: int | None) -> Text:
    """Cells three wide and a line high; beside them the hands, a card a line."""
    rows, cols = cropped(s)
    beside = _hands(self, s, seat)
    picture = Text("  " + "".join(f"{col:^3}" for col in cols), "dim", no_wrap=True)
    for place in range(max(len(rows), len(beside) - 1) + 1):
        if place:
            picture.append("\n")
            _row(s, seat, last, rows[place - 1] if place <= len(rows) else None, cols, picture)
        if place < len(beside):
            picture.append(" ")
            picture.append_text(beside[place])
    return picture


def _row(s: Any, seat: int | None, last: int | None, row: int | None, cols: range, picture: Text) -> None:
    if row is None:  # the hands are longer than the board
        picture.append("  " + "   " * len(cols))
        return
    picture.append(f"{row:>2}", "dim")
    for col in cols:
        cell = cell_at(row, col)
        sign = _sign(s, seat, cell)
        if cell == marked(last):
            picture.append(f"[{sign[1]}]", _INK["mark"])
        else:
            picture.append(sign, _style(s, seat, cell))


def _sign(s: Any, seat: int | None, cell: int) -> str:
    """What lies on a cell, three wide."""
    tile = int(s.tiles[cell])
    if cell in GOALS:
        goal = GOALS.tolist().index(cell)
        sign = _STONES[objectives(s, seat)[goal]]
        return f"─{sign}─" if s.revealed >> goal & 1 else f"░{sign}░"
    if tile == ENTRANCE + 1:
        return "─E─"
    return _small_tile(tile - 1) if tile else " · "


def _small_tile(laid: int) -> str:
    sides = int(SIDES[laid])
    joint = (_JOINT if THROUGH[laid] else _SHUT)[sides]
    arm = "─" if THROUGH[laid] else "═"
    return (arm if sides & 8 else " ") + joint + (arm if sides & 2 else " ")


def _hands(self: Any, s: Any, seat: int | None) -> list[Text]:
    lines = []
    for owner in shown(s, seat):
        title = hand_title(self, s, owner)
        if seat not in (None, owner):
            lines.append(Text(f"{title}: {counted(s.held[owner], 'card')}"))
            continue
        lines.append(Text(title, "bold"))
        for index, name in enumerate(hand_names(s, owner, seat)):
            line = Text(f"{place_of_card(index)} ", "dim")
            card = NAMES.index(name)
            line.append(f"{name:<2}")
            if card < TILES:
                line.append(f" {_small_tile(card)}", _INK["laid"])
                if TURNED[card] >= 0:
                    line.append(f" {name + 'f':<3} ")
                    line.append(_small_tile(int(TURNED[card])), _INK["laid"])
            lines.append(line)
    return lines
