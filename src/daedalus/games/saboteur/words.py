"""Saboteur in words: touches, moves and positions as they are spoken."""

import re
from functools import lru_cache
from typing import Any

from daedalus.core.plurals import counted

from .deck import NAMES
from .kernels.rules import BLAST, DROP, LOOK
from .kernels.tiles import CARD, ENTRANCE, GOALS, LAID, OBJECTIVE, SIDES, SIZE, THROUGH, TILES, TURNED, cell_at, col_of, row_of
from .text import hand_names, laid_tiles, objectives, place_of_card, tile_name

ACTIONS = {
    "map": "map, look at an objective",
    "malus": "malus, stop the other from laying tiles",
    "bonus": "bonus, take a malus away",
    "destroy": "destroy, take a tile off the board",
}


def place(cell: int) -> str:
    """`row 8, column 5`."""
    return f"row {row_of(cell)}, column {col_of(cell)}"


@lru_cache(maxsize=64)
def ways(laid: int) -> str:
    """`open up and right`; a dead end joins nothing."""
    sides = [name for d, name in enumerate(("up", "right", "down", "left")) if SIDES[laid] >> d & 1]
    told = " and ".join(filter(None, (", ".join(sides[:-1]), sides[-1])))
    return f"open {told}{'' if THROUGH[laid] else ', a dead end'}"


def tile_words(laid: int) -> str:
    """`tile 6`, `tile 6 upside down`."""
    return f"tile {CARD[laid]}{' upside down' if laid >= TILES else ''}"


@lru_cache(maxsize=64)
def card_name(name: str) -> str:
    """`tile 6 upside down, open up and right`, `map, look at an objective`."""
    if name in ACTIONS:
        return ACTIONS[name]
    card = int(name.removesuffix("f"))
    laid = int(TURNED[card]) if name.endswith("f") else card
    return f"{tile_words(laid)}, {ways(laid)}"


def cell_name(s: Any, seat: int | None, cell: int) -> str:
    """A cell with what lies there, as far as a seat knows."""
    tile = int(s.tiles[cell]) - 1
    if tile < 0:
        return f"{place(cell)}, empty"
    if tile == OBJECTIVE:
        goal = GOALS.tolist().index(cell)
        known = {"n": "the nugget", "p": "a stone", "?": "not seen"}[objectives(s, seat)[goal]]
        return f"{place(cell)}, objective {'face up' if s.revealed >> goal & 1 else 'face down'}, {known}"
    if tile == ENTRANCE:
        return f"{place(cell)}, the entrance, {ways(tile)}"
    joined = int(s.reach[cell >> 6]) >> (cell & 63) & 1
    return f"{place(cell)}, {card_name(tile_name(tile))}{', joined to the entrance' if joined else ''}"


def drop_name(s: Any, seat: int | None, index: int) -> str:
    """`drop c, tile 6`; what it is only to who may know."""
    name = hand_names(s, int(s.turn), seat)[index]
    return f"drop {place_of_card(index)}" + ("" if name == "?" else f", {name if name in NAMES[TILES:] else f'tile {name}'}")


def touch_name(self: Any, s: Any, seat: int | None, touch: str) -> str:
    found = re.fullmatch(r"cell-(\d+)-(\d+)|card-(\w+)|drop-(\d+)", touch)
    if not found:
        return touch
    if found[1]:
        row, col = int(found[1]), int(found[2])
        return cell_name(s, seat, cell_at(row, col)) if max(row, col) < SIZE else touch
    if found[4]:
        return drop_name(s, seat, int(found[4])) if int(found[4]) < s.held[s.turn] else touch
    name = found[3]
    card = name.removesuffix("f")
    known = name in NAMES or (card in NAMES[:TILES] and TURNED[int(card)] >= 0)
    return card_name(name) if known else touch


def spoken_move(self: Any, s: Any, m: int) -> str:
    kind, where = m >> 8, m & 255
    if kind < LAID:
        return f"lay {tile_words(kind)} on {place(where)} ({ways(kind)})"
    if kind == LOOK:
        return f"look at the hidden card on {place(int(GOALS[where]))}"
    if kind == BLAST:
        return f"take the tile on {place(where)} away"
    if where >= DROP:
        return f"drop card {place_of_card(where - DROP)} of the hand"
    other = self.SEAT_NAMES[1 - s.turn]
    return (f"a malus for {other}, who then lays no tiles", "take one malus of your own away")[where]


def spoken(self: Any, s: Any, seat: int | None) -> str:
    told = ["The game is over." if self.over(s) else f"{self.SEAT_NAMES[s.turn]} to move."]
    for owner, name in enumerate(self.SEAT_NAMES):
        malus = f", {int(s.malus[owner])} malus" if s.malus[owner] else ""
        cards = hand_names(s, owner, seat)
        held = "" if "?" in cards or not cards else f": {', '.join(cards)}"
        told.append(f"{name} holds {counted(len(cards), 'card')}{malus}{held}.")
    told += [f"{cell_name(s, seat, int(cell)).capitalize()}." for cell in GOALS]
    laid = [f"{tile_name(tile)} on {row_of(cell)},{col_of(cell)}" for cell, tile in laid_tiles(s).items()]
    told.append(f"Tiles laid: {', '.join(laid)}." if laid else "No tiles laid yet.")
    told.append(f"The entrance is row 5, column 5. {counted(int(s.left), 'card')} to draw.")
    return " ".join(told)
