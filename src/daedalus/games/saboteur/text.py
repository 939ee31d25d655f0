"""Saboteur as text: `6f@8,5` lays tile 6 turned on row 8, column 5; a position is eight fields joined by ` | `.

    0 | 0 0 | 000 000 000 | p n p | 0 10 5 malus map | bonus 9 7 5 0 | 9 bonus 9 8 | 6,5:0 7,5:6f

seat to move; malus of both seats; objectives revealed, seen by seat 0, by seat 1; the objectives (`n` nugget, `p`
plain); the hands; the deck in the order of drawing; the tiles. A view writes `?` for what its seat has not seen, and
reading a text with `?` deals the missing cards anew.
"""

import re
from collections import Counter
from random import Random
from string import ascii_lowercase
from typing import Any

from daedalus.core import IllegalMove, InvalidText
from daedalus.core.contract import ONLOOKER
from daedalus.core.plurals import counted

from .deck import NAMES
from .kernels.board import ask_around, is_free, lay, reveal, set_board
from .kernels.rules import ACT, BLAST, DROP, LOOK, NOBODY
from .kernels.tiles import (
    BONUS,
    CARD,
    CARDS,
    DESTROY,
    FITS,
    GOALS,
    LAID,
    MALUS,
    MAP,
    PLAYABLE,
    SIDES,
    SIZE,
    TILES,
    TURNED,
    bit,
    cell_at,
    col_of,
    row_of,
)

UNKNOWN = "?"
FIELDS = "seat to move, malus, revealed and seen, objectives, hand of seat 0, hand of seat 1, deck, tiles"

# --- moves ----------------------------------------------------------------------------------------------------------


def place_name(cell: int) -> str:
    """`row,col` of a cell."""
    return f"{row_of(cell)},{col_of(cell)}"


def tile_name(laid: int) -> str:
    """`6`, or `6f` for a turned tile."""
    return f"{CARD[laid]}{'f' if laid >= TILES else ''}"


def place_of_card(index: int) -> str:
    """A card of a hand by its place: a, b, c, ...; numbers are the names of tiles."""
    return ascii_lowercase[index]


def move_text(self: Any, s: Any, m: int) -> str:
    kind, place = m >> 8, m & 255
    if kind < LAID:
        return f"{tile_name(kind)}@{place_name(place)}"
    if kind == LOOK:
        return f"map@{place_name(GOALS[place])}"
    if kind == BLAST:
        return f"destroy@{place_name(place)}"
    return ("malus", "bonus")[place] if place < DROP else f"drop:{place_of_card(place - DROP)}"


_PLACED = re.compile(r"(\d{1,2}f?|map|destroy)@(\d{1,2}),(\d{1,2})")


def read_move(self: Any, s: Any, text: str) -> int | None:
    word = text.lower().replace(" ", "")
    if word in ("malus", "bonus"):
        return _checked_act(self, s, MALUS if word == "malus" else BONUS, text)
    if dropping := re.fullmatch(r"drop:?([a-z]|\d{1,2})", word):  # a number, counted from 0, in records of version 0.2
        index = int(dropping[1]) if dropping[1].isdigit() else ascii_lowercase.index(dropping[1])
        if index >= s.held[s.turn]:
            last = place_of_card(int(s.held[s.turn]) - 1)
            raise IllegalMove(f"'{text}': the hand has {counted(s.held[s.turn], 'card')}, a to {last}")
        return (ACT << 8) + DROP + index
    found = _PLACED.fullmatch(word)
    if not found:
        raise IllegalMove(f"'{text}' is not a move; write 6@8,5, 6f@8,5, map@12,3, destroy@7,5, malus, bonus or drop:c")
    name, row, col = found[1], int(found[2]), int(found[3])
    if row >= SIZE or col >= SIZE:
        raise IllegalMove(f"'{text}': rows and columns go from 0 to {SIZE - 1}")
    cell = cell_at(row, col)
    if name == "map":
        return _checked_look(self, s, cell, text)
    if name == "destroy":
        return _checked_blast(self, s, cell, text)
    return _checked_tile(self, s, name, cell, text)


def _hand(s: Any, seat: int) -> list[int]:
    cards: list[int] = s.hand[seat, : s.held[seat]].tolist()
    return cards


def _expect_card(s: Any, card: int, text: str) -> None:
    if card not in _hand(s, s.turn):
        raise IllegalMove(f"'{text}': there is no card '{NAMES[card]}' in the hand")


def _checked_act(self: Any, s: Any, card: int, text: str) -> int:
    _expect_card(s, card, text)
    if card == BONUS and not s.malus[s.turn]:
        raise IllegalMove(f"'{text}': there is no malus to take away")
    return (ACT << 8) + card - MALUS


def _checked_look(self: Any, s: Any, cell: int, text: str) -> int:
    _expect_card(s, MAP, text)
    if cell not in GOALS:
        raise IllegalMove(f"'{text}': the objectives lie on 12,3 and 12,5 and 12,7")
    goal: int = GOALS.tolist().index(cell)
    if s.revealed >> goal & 1:
        raise IllegalMove(f"'{text}': that objective lies face up")
    return (LOOK << 8) + goal


def _checked_blast(self: Any, s: Any, cell: int, text: str) -> int:
    _expect_card(s, DESTROY, text)
    if not PLAYABLE[cell >> 6] & ~s.free[cell >> 6] & bit(cell):
        raise IllegalMove(f"'{text}': no laid tile there")
    return (BLAST << 8) + cell


def _checked_tile(self: Any, s: Any, name: str, cell: int, text: str) -> int:
    laid = _laid(name)
    if laid is None:
        raise IllegalMove(f"'{text}': tiles are 0 to {TILES - 1}; {', '.join(map(str, CARD[TILES:]))} can be turned (f)")
    _expect_card(s, int(CARD[laid]), text)
    if s.malus[s.turn]:
        raise IllegalMove(f"'{text}': no tiles under a malus")
    if not is_free(s, cell):
        raise IllegalMove(f"'{text}': something lies there already")
    if not FITS[s.need[cell]] >> SIDES[laid] & 1:
        joined = s.need[cell] & SIDES[laid] & 15
        raise IllegalMove(f"'{text}': {'a side does not match the tiles around' if joined else 'it joins no path there'}")
    return (laid << 8) + cell


def _laid(name: str) -> int | None:
    """The laid tile a name means."""
    card = int(name.removesuffix("f"))
    if card >= TILES:
        return None
    if not name.endswith("f"):
        return card
    return int(TURNED[card]) if TURNED[card] >= 0 else None


# --- positions, written ---------------------------------------------------------------------------------------------


def flags(bits: int) -> str:
    """Three flags, objective (12,3) first."""
    return "".join(str(bits >> goal & 1) for goal in range(3))


def objectives(s: Any, seat: int | None) -> list[str]:
    """`n`, `p` or `?` for each objective, as a seat has seen them."""
    known = 7 if seat is None else int(s.revealed if seat == ONLOOKER else s.seen[seat])
    return [("n" if s.nugget == goal else "p") if known >> goal & 1 else UNKNOWN for goal in range(3)]


def laid_tiles(s: Any) -> dict[int, int]:
    """The tiles that players have laid: cell -> laid tile, in the order of the rows."""
    return {cell: int(tile) - 1 for cell, tile in enumerate(s.tiles.tolist()) if 0 < tile <= LAID}


def hand_names(s: Any, owner: int, seat: int | None) -> list[str]:
    """The cards of a hand, as a seat sees them."""
    return [NAMES[card] if seat in (None, owner) else UNKNOWN for card in _hand(s, owner)]


def position_text(self: Any, s: Any, seat: int | None) -> str:
    deck = [NAMES[card] if seat is None else UNKNOWN for card in reversed(s.deck[: s.left].tolist())]
    fields = [
        str(int(s.turn)),
        f"{s.malus[0]} {s.malus[1]}",
        f"{flags(s.revealed)} {flags(s.seen[0])} {flags(s.seen[1])}",
        " ".join(objectives(s, seat)),
        " ".join(hand_names(s, 0, seat)),
        " ".join(hand_names(s, 1, seat)),
        " ".join(deck),
        " ".join(f"{place_name(cell)}:{tile_name(laid)}" for cell, laid in laid_tiles(s).items()),
    ]
    return " | ".join(fields)


# --- positions, read ------------------------------------------------------------------------------------------------


def read_position(self: Any, s: Any, text: str) -> None:
    fields = [field.strip() for field in text.split("|")]
    if len(fields) != 8:
        raise InvalidText(f"a position has eight fields joined by |: {FIELDS}; this has {len(fields)}")
    turn, malus, knowledge, goals, *hands, deck, tiles = fields
    if turn not in ("0", "1"):
        raise InvalidText(f"the seat to move is 0 or 1, not {turn!r}")
    s.turn, s.observer = int(turn), NOBODY
    _read_malus(self, s, malus)
    chance = Random(text)  # deals what is unknown, the same for the same text
    set_board(s)
    _read_knowledge(s, knowledge)
    _read_objectives(s, goals, chance)
    _read_tiles(s, tiles)
    _read_cards(self, s, [hand.split() for hand in hands], deck.split(), chance)


def _read_malus(self: Any, s: Any, field: str) -> None:
    found = re.fullmatch(r"(\d{1,2}) +(\d{1,2})", field)
    if not found:
        raise InvalidText(f"the malus of both seats are two numbers, not {field!r}")
    s.malus[:] = [int(found[1]), int(found[2])]


def _read_knowledge(s: Any, field: str) -> None:
    found = re.fullmatch("([01]{3}) +([01]{3}) +([01]{3})", field)
    if not found:
        raise InvalidText(f"revealed and seen are three times three flags, as in 000 010 000, not {field!r}")
    revealed, *seen = (sum(1 << goal for goal in range(3) if part[goal] == "1") for part in found.groups())
    if any(revealed & ~part for part in seen):
        raise InvalidText("an objective that is revealed has been seen by both seats")
    s.revealed, s.seen[:] = revealed, seen


def _read_objectives(s: Any, field: str, chance: Random) -> None:
    """The nugget's place; a `?` may be it unless it lies open elsewhere."""
    letters = field.split()
    if len(letters) != 3 or not set(letters) <= {"n", "p", UNKNOWN}:
        raise InvalidText(f"the objectives are three of n, p and ?, not {field!r}")
    possible = [goal for goal in range(3) if letters[goal] == "n"] or [goal for goal in range(3) if letters[goal] == UNKNOWN]
    if letters.count("n") > 1 or not possible:
        raise InvalidText(f"exactly one objective is the nugget, not {field!r}")
    s.nugget = chance.choice(possible)


def _read_tiles(s: Any, field: str) -> None:
    """Lays the tiles as they lie; which of them joined which when they were laid, nobody knows any more."""
    for word in field.split():
        found = re.fullmatch(r"(\d{1,2}),(\d{1,2}):(\d{1,2}f?)", word)
        laid = _laid(found[3]) if found else None
        if not found or laid is None:
            raise InvalidText(f"'{word}' is not a tile on the board; write row,col:tile as in 8,5:6f")
        row, col = int(found[1]), int(found[2])
        if row >= SIZE or col >= SIZE or not is_free(s, cell_at(row, col)):
            raise InvalidText(f"'{word}': there is no empty cell {row},{col}")
        lay(s, cell_at(row, col), laid)
    _show_revealed(s)


def _show_revealed(s: Any) -> None:
    """Revealed objectives ask for matching sides; what is reached must have been revealed."""
    told = int(s.revealed)
    s.revealed = 0
    reached = int(reveal(s))
    if reached & ~told:
        raise InvalidText("an objective that a path joins to the entrance is revealed")
    _ask_for(s, told & ~reached)
    s.revealed = told
    if told >> s.nugget & 1:
        s.winner = 2 - s.turn  # the seat that moved last


def _ask_for(s: Any, goals: int) -> None:
    for goal in range(3):
        if goals >> goal & 1:
            ask_around(s, GOALS[goal])


def _read_cards(self: Any, s: Any, hands: list[list[str]], deck: list[str], chance: Random) -> None:
    for name in {*hands[0], *hands[1], *deck}:
        if name not in NAMES and name != UNKNOWN:
            raise InvalidText(f"'{name}' is not a card; cards are 0 to {TILES - 1}, map, malus, bonus, destroy, ?")
    for seat in (0, 1):
        if len(hands[seat]) > self.hand:
            raise InvalidText(f"seat {seat} holds {len(hands[seat])} cards; {self.hand} are a full hand")
    left, public = _unplaced(self, s, hands, deck)
    unknown = [*hands[0], *hands[1], *deck].count(UNKNOWN)
    pool = sorted((left - public).elements())
    if unknown > len(pool):
        raise InvalidText(f"{unknown} cards are unknown, but only {len(pool)} are left over")
    chance.shuffle(pool)
    for seat in (0, 1):
        cards = _filled(hands[seat], pool)
        s.held[seat] = len(cards)
        s.hand[seat, : len(cards)] = cards
    s.left = len(deck)
    s.deck[: len(deck)] = _filled(deck, pool)[::-1]
    for card in pool:
        s.dropped[2, card] += 1


def _unplaced(self: Any, s: Any, hands: list[list[str]], deck: list[str]) -> tuple[Counter[int], Counter[int]]:
    """The cards that lie nowhere in the text, and those among them that must have been played in sight of both."""
    placed = Counter(NAMES.index(name) for name in [*hands[0], *hands[1], *deck] if name != UNKNOWN)
    placed.update(int(CARD[laid]) for laid in laid_tiles(s).values())
    counts = Counter(dict(enumerate(self.counts)))
    for card in range(CARDS):
        if placed[card] > counts[card]:
            raise InvalidText(f"{placed[card]} cards '{NAMES[card]}'; the deck has {counts[card]}")
    left = counts - placed
    looks = sum(int(s.seen[seat] & ~s.revealed).bit_count() for seat in (0, 1))
    public = Counter({MALUS: int(s.malus[0]) + int(s.malus[1]), MAP: looks})
    for card, played in public.items():
        if played > left[card]:
            raise InvalidText(f"{played} cards '{NAMES[card]}' have been played, but {left[card]} at most can have been")
    return left, +public


def _filled(names: list[str], pool: list[int]) -> list[int]:
    """The cards of a list of names, each `?` dealt from the pool."""
    return [pool.pop() if name == UNKNOWN else NAMES.index(name) for name in names]


# --- words ----------------------------------------------------------------------------------------------------------


def ending(self: Any, s: Any) -> str:
    if s.winner:
        return f"{self.SEAT_NAMES[s.winner - 1]} has found the nugget"
    return "all cards are played" if s.held[s.turn] == 0 else ""


def summary(self: Any, s: Any, seat: int | None) -> str:
    """Malus, cards in hand and cards to draw."""
    parts = []
    for owner, name in enumerate(self.SEAT_NAMES):
        malus = f", malus {s.malus[owner]}" if s.malus[owner] else ""
        parts.append(f"{name} {counted(s.held[owner], 'card')}{malus}")
    return "   ".join([*parts, f"deck {s.left}"])
