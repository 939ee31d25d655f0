"""Saboteur as pictures: a board for terminals, an SVG, and the touches that make a move.

Both show the used part of the board with its coordinates and one row or column around it, where tiles may be laid, and
the hand of who looks, each card both ways up if it may be turned. A dead end has a rock in its middle.

Touches: a card (`card-6`, `card-6f` turned, `card-map`), then a cell (`cell-8-5`); `drop-3` drops the card at index 3.
"""

from typing import Any

from rich.text import Text

from daedalus.core.plurals import counted

from .deck import NAMES
from .kernels.rules import BLAST, DROP, LOOK
from .kernels.tiles import CENTRE, ENTRANCE, GOALS, LAID, SIDES, THROUGH, TILES, TURNED, cell_at, col_of, row_of
from .layout import cropped, hand_title, marked, shown
from .sketch import svg
from .text import hand_names, move_text, objectives, tile_name

__all__ = ["svg", "terminal", "touches"]
_WIDTH = 78  # of a terminal picture
_JOINT = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # a centre with these open sides, north east south west as bits
_DEAD = "✕"  # in the middle of a dead end
_INK = {"reached": "bold #ffd76a", "laid": "#d8c7a4", "hidden": "#a08a6a", "free": "#6f6a60", "mark": "bold #6fd0ff"}


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


# --- terminal -------------------------------------------------------------------------------------------------------


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


def terminal(self: Any, s: Any, seat: int | None, last: int | None) -> Text:
    """The board with columns above and rows on the left, the last move's cell in brackets, then the hands."""
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


def _cell_lines(s: Any, seat: int | None, cell: int, mark: int | None) -> tuple[list[str], str]:
    """What lies on a cell, in three lines and a style."""
    tile = int(s.tiles[cell])
    if cell in GOALS:
        lines, style = _objective(s, seat, GOALS.tolist().index(cell))
    elif tile == ENTRANCE + 1:
        lines, style = drawn(15, "E"), _INK["reached"]
    elif tile:
        reached = int(s.reach[cell >> 6]) >> (cell & 63) & 1
        lines, style = tile_lines(tile - 1), _INK["reached" if reached else "laid"]
    else:
        lines, style = ["     ", "  ·  ", "     "], _INK["free"]
    if cell == mark:
        lines = [lines[0], f"[{lines[1][1:4]}]", lines[2]]
        style = _INK["mark"]
    return lines, style


def _objective(s: Any, seat: int | None, goal: int) -> tuple[list[str], str]:
    """Face up a cross with the nugget or a stone; face down a card with what this seat has seen of it."""
    sign = {"n": "★", "p": "o", "?": "?"}[objectives(s, seat)[goal]]
    if s.revealed >> goal & 1:
        return drawn(15, sign), _INK["reached" if sign == "★" else "laid"]
    return ["░░░░░", f"░ {sign} ░", "░░░░░"], _INK["hidden"]


def _hand_lines(self: Any, s: Any, owner: int, seat: int | None) -> Text:
    """A hand as cards, each both ways up if it can be turned; only the number of another's cards."""
    title = hand_title(self, s, owner)
    if seat not in (None, owner):
        return Text(f"{title}: {counted(s.held[owner], 'card')}\n")
    text = Text(f"{title}\n", "bold" if owner == s.turn else "")
    shelf: list[list[str]] = []
    for index, name in enumerate(hand_names(s, owner, seat)):
        card = _card_lines(index, name)
        if shelf and sum(len(c[0]) + 2 for c in shelf) + len(card[0]) > _WIDTH:
            text.append(_side_by_side(shelf))
            shelf = []
        shelf.append(card)
    return text.append(_side_by_side(shelf)) if shelf else text


def _card_lines(index: int, name: str) -> list[str]:
    """A card: its index in the hand and its name above its picture."""
    card = NAMES.index(name)
    if card >= TILES:
        return [line.ljust(len(name) + 3) for line in (f"{index}: {name}", "", "", "")]
    lines = [f"{index}: {name}", *tile_lines(card)]
    if TURNED[card] >= 0:
        other = tile_lines(int(TURNED[card]))
        lines = [f"{index}: {name:<3}  {name}f", *(f"{one}  {two}" for one, two in zip(lines[1:], other, strict=True))]
    width = max(map(len, lines))
    return [line.ljust(width) for line in lines]


def _side_by_side(cards: list[list[str]]) -> str:
    return "".join("  ".join(lines).rstrip() + "\n" for lines in zip(*cards, strict=True))
