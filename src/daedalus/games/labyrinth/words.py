"""Labyrinth in words: touches, moves and positions as they are spoken."""

import re
from functools import lru_cache
from typing import Any

from .boards import MARKERS, tile_text
from .kernels.maze import COLUMNS, LETTERS, OFF, ROWS, rotations, turned
from .layout import arrows, pawns_on, sought
from .text import board_rows, cards_of, decoded, known_deck, location_text, row_column

COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
_SIDES = {"N": ("above", "column"), "S": ("below", "column"), "W": ("the left", "row"), "E": ("the right", "row")}


@lru_cache(maxsize=4096)
def tile_name(exits: int, marker: int) -> str:
    """`open up and right, object c`."""
    ways = [name for bit, name in enumerate(("up", "right", "down", "left")) if exits >> bit & 1]
    letter = MARKERS[marker]
    lies = "" if not marker else f", {COLOURS[letter]} home" if marker > LETTERS else f", object {letter}"
    return f"open {', '.join(ways[:-1])} and {ways[-1]}{lies}"


def place_name(self: Any, cell: int) -> str:
    row, column = row_column(self, cell)
    return f"row {row}, column {column}"


@lru_cache(maxsize=8192)
def cell_name(self: Any, cell: int, exits: int, marker: int, pawns: str, looked_for: str) -> str:
    """`row 3, column 5, open up and right, object c, red pawn, sought by blue`."""
    who = "".join(f", {COLOURS[letter]} pawn" for letter in pawns)
    goal = f", sought by {COLOURS[looked_for]}" if looked_for else ""
    return f"{place_name(self, cell)}, {tile_name(exits, marker)}{who}{goal}"


def arrow_name(name: str, barred: bool) -> str:
    """`push in from the left, row 1`."""
    side, line = _SIDES[name[0]]
    return f"push in from {side}, {line} {name[1:]}{', barred' if barred else ''}"


def rotation_name(exits: int) -> str:
    return f"lay the tile {tile_name(exits, 0)}"


def barred_push(self: Any, s: Any) -> int | None:
    """The location where a push is refused, however the tile lies."""
    return int(s.barred) if self.undo == 0 and s.barred != OFF else None


def touch_name(self: Any, s: Any, seat: int | None, touch: str) -> str:
    found = re.fullmatch(r"cell-(\d+)-(\d+)|rotation-(\d)|arrow-([NESW]\d+)", touch)
    if not found:
        return touch
    if found[4]:
        at = arrows(self, s).get(found[4])
        return touch if at is None else arrow_name(found[4], at == barred_push(self, s))
    if found[3]:
        extra, rotation = int(s.extra), int(found[3])
        return rotation_name(turned(extra, rotation)) if rotation < rotations(extra) else touch
    row, column = int(found[1]), int(found[2])
    if row >= self.board[ROWS] or column >= self.board[COLUMNS]:
        return touch
    cell = row * self.side + column
    exits, marker = board_rows(self, s)[row][column]
    return cell_name(self, cell, exits, marker, "".join(pawns_on(self, s, cell)), sought(self, s, seat).get(cell, ""))


def spoken_move(self: Any, s: Any, m: int) -> str:
    location, rotation, cell = decoded(self, m)
    laid = int(turned(int(s.extra), rotation))
    side, line = _SIDES[(name := location_text(self, s, location))[0]]
    push = f"push the extra tile as {tile_text(laid, 0)[:2]} ({tile_name(laid, 0)}) from {side} into {line} {name[1:]}"
    return f"{push}, and end on {place_name(self, cell)}"


def errand(self: Any, s: Any, deck: list[str], p: int) -> str:
    """What a seat has found and looks for, with the cards as an onlooker knows them: `3 of 12, looks for c`."""
    _, rest = cards_of(self, s, deck, p)
    cards = int(s.cards)
    count = f"{min(int(s.found[p]), cards)} of {cards}"
    if s.found[p] > cards:
        return f"{count} and home"
    if not rest:
        return f"{count}, heads home"
    known = [card for card in (rest if self.goals == 2 else rest[:1]) if card != "?"]
    return f"{count}, looks for {', '.join(known)}" if known else f"{count} found"


def spoken(self: Any, s: Any, seat: int | None) -> str:
    name = self.SEAT_NAMES[int(s.turn)]
    told = ["The game is over." if s.ended else f"{name} to move."]
    deck, goals = known_deck(self, s, seat), sought(self, s, seat)
    for p in range(self.players):
        told.append(f"{self.SEAT_NAMES[p]} is on {place_name(self, s.pawn[p])}, {errand(self, s, deck, p)}.")
    for cell, letter in goals.items():
        told.append(f"What {COLOURS[letter]} looks for is on {place_name(self, cell)}.")
    told.append(f"The extra tile is {tile_name(int(s.extra), int(s.extra_marker))}.")
    location = barred_push(self, s)
    if location is not None and not s.ended:
        side, line = _SIDES[(barred := location_text(self, s, location))[0]]
        told.append(f"It may not come in from {side}, {line} {barred[1:]}.")
    return " ".join(told)
