"""Labyrinth as text: `W1L2-3,5` for a move, tiles in van der Zwaag's notation for a position.

A move names the side from which the extra tile comes in (N E S W) and the line, the tile as it lies (kind and rotation),
and the cell where the pawn ends, row and column counted from 0. A position is, separated by spaces:

    L1RI0A...L2Y/...   the tiles row by row, each kind, rotation and marker (a-z object, R Y G B home, A none)
    T2c                the extra tile
    R                  whose turn it is, or who has won
    W3                 where the extra tile may not come back in, - for nowhere
    R0,0;B6,6          the pawns
    R:ab|cd;B:e|fgh    cards of each seat, found | still to find, the next one first; after the last card the home
    ;-:xy              and the cards left over, if there are any
    17                 turns played
    R:k;B:cd           and on which objects a seat stopped without finding them, while it looked for what it looks for now

The last field is there only if there is something to say; without it nothing is known. In a view the cards that the seat
does not know are `?`; read back they are filled in in alphabetical order, as far as the last field allows.
"""

import re
from typing import Any

from daedalus.core import IllegalMove, InvalidText

from .boards import MARKERS, read_tile, tile_text
from .kernels.knowledge import ANY, unknown
from .kernels.maze import COLUMNS, LETTERS, OFF, ROWS, base, rotations, turned
from .kernels.rules import CAPPED, HOME
from .kernels.setup import collect_objects, lay_lines, place, seat_players, spare

_SIDES = {"W": (True, 0), "E": (True, 1), "N": (False, 0), "S": (False, 1)}  # is it a row, which end


# --- cells, locations, moves ------------------------------------------------------------------------------------------


def row_column(self: Any, cell: int) -> tuple[int, int]:
    side: int = self.side
    return divmod(int(cell), side)


def cell_text(self: Any, cell: int) -> str:
    row, column = row_column(self, cell)
    return f"{row},{column}"


def location_text(self: Any, s: Any, location: int) -> str:
    """`W1`: from the west into row 1."""
    line, end = int(s.lines[location >> 1]), location & 1
    return f"{'WE'[end]}{line}" if line < self.side else f"{'NS'[end]}{line - self.side}"


def read_location(self: Any, s: Any, text: str) -> int:
    """The location a text means; raises ValueError."""
    is_row, end = _SIDES[text[0]]
    number = int(text[1:])
    line = number if is_row else self.side + number
    movable = [int(line) for line in s.lines[: int(s.locations) // 2]]
    if number >= self.side or line not in movable:
        raise ValueError(f"{'row' if is_row else 'column'} {number} cannot be pushed")
    return 2 * movable.index(line) + end


def decoded(self: Any, m: int) -> tuple[int, int, int]:
    """(location, rotation, destination) of a move."""
    insertion, cell = divmod(int(m), self.side * self.side)
    return insertion >> 2, insertion & 3, cell


def move_text(self: Any, s: Any, m: int) -> str:
    location, rotation, cell = decoded(self, m)
    kind = tile_text(base(int(s.extra)), 0)[0]
    return f"{location_text(self, s, location)}{kind}{rotation}-{cell_text(self, cell)}"


_MOVE = re.compile(r"([NESW]\d+)([LTI]?)(\d)-(\d+),(\d+)")


def played(self: Any, s: Any, text: str) -> int:
    """The number of a move made before, whatever was the extra tile then."""
    found = _MOVE.fullmatch(text)
    assert found is not None
    insertion = read_location(self, s, found[1]) * 4 + int(found[3])
    return int((insertion * self.side + int(found[4])) * self.side + int(found[5]))


def read_move(self: Any, s: Any, text: str) -> int | None:
    found = _MOVE.fullmatch(text.replace(" ", ""))
    if not found:
        raise IllegalMove(f"'{text}' is not a move; write side and line, tile and rotation, row,column: W1L2-3,5")
    try:
        location = read_location(self, s, found[1])
    except ValueError as error:
        raise IllegalMove(f"'{text}': {error}") from None
    kind = tile_text(base(int(s.extra)), 0)[0]
    rotation, row, column = int(found[3]), int(found[4]), int(found[5])
    if found[2] not in ("", kind) or rotation >= rotations(int(s.extra)):
        known = " ".join(f"{kind}{r}" for r in range(rotations(int(s.extra))))
        raise IllegalMove(f"'{text}': the extra tile lies as one of {known}")
    if row >= self.board[ROWS] or column >= self.board[COLUMNS]:
        raise IllegalMove(f"'{text}': the board has no cell {row},{column}")
    if location == s.barred and (self.undo == 0 or (self.undo == 1 and turned(int(s.extra), rotation) == s.extra)):
        raise IllegalMove(f"'{text}': that would undo the push before")
    return int(((location * 4 + rotation) * self.side + row) * self.side + column)


# --- positions --------------------------------------------------------------------------------------------------------


def colour(s: Any, seat: int) -> str:
    """The letter of a seat's home."""
    return MARKERS[int(s.home[seat])]


def board_rows(self: Any, s: Any) -> list[list[tuple[int, int]]]:
    """The tiles, exits and marker of each; read as a whole, since looking at a record costs more than looking at a list."""
    exits, markers = s.exits.tolist(), s.marker.tolist()

    def tile(cell: int) -> tuple[int, int]:
        word, bit = divmod(cell, 64)
        return sum((exits[d][word] >> bit & 1) << d for d in range(4)), markers[cell]

    return [[tile(row * self.side + column) for column in range(self.board[COLUMNS])] for row in range(self.board[ROWS])]


def known_deck(self: Any, s: Any, seat: int | None) -> list[str]:
    """The letters of the cards, `?` for those that the seat does not know."""
    hidden = 0 if seat is None else int(unknown(self, s, seat))
    return ["?" if hidden >> i & 1 else MARKERS[int(s.deck[i])] for i in range(int(s.objects))]


def cards_of(self: Any, s: Any, deck: list[str], seat: int) -> tuple[str, str]:
    """A seat's cards, found and still to find; who is home has found that too."""
    cards, found = int(s.cards), int(s.found[seat])
    own = "".join(deck[seat * cards : (seat + 1) * cards])
    return own[:found], own[found:] if found <= cards else colour(s, seat)


def position_text(self: Any, s: Any, seat: int | None) -> str:
    deck = known_deck(self, s, seat)
    board = "/".join("".join(tile_text(*tile) for tile in row) for row in board_rows(self, s))
    piles = [f"{colour(s, p)}:{'|'.join(cards_of(self, s, deck, p))}" for p in range(self.players)]
    left = "".join(deck[self.players * int(s.cards) :])
    pawns = ";".join(f"{colour(s, p)}{cell_text(self, s.pawn[p])}" for p in range(self.players))
    barred = "-" if s.barred == OFF else location_text(self, s, int(s.barred))
    fields = [board, tile_text(int(s.extra), int(s.extra_marker)), colour(s, int(s.turn)), barred, pawns]
    fields += [";".join(piles + ([f"-:{left}"] if left else [])), str(int(s.ply))]
    stops = [f"{colour(s, p)}:{letters}" for p in range(self.players) if (letters := ruled_out(s, p))]
    return " ".join(fields + ([";".join(stops)] if stops else []))


def ruled_out(s: Any, seat: int) -> str:
    """The objects that everybody knows a seat does not look for."""
    bits = int(s.ruled_out[seat])
    return "".join(MARKERS[marker] for marker in range(1, LETTERS + 1) if bits >> marker & 1)


def read_position(self: Any, s: Any, text: str) -> None:
    fields = text.split()
    if len(fields) not in (7, 8):
        raise InvalidText(
            "a position has 7 fields: board, extra tile, turn, barred place, pawns, cards, turns played;"
            " and perhaps an 8th, the objects that seats stopped on without finding them"
        )
    board, extra, turn, barred, pawns, cards, ply, *stops = fields
    lay_lines(self, s)
    _read_tiles(self, s, board, extra)
    letters = [MARKERS[home] for home in _homes(self, s)]
    if turn not in letters:
        raise InvalidText(f"the turn is one of {' '.join(letters)}, not '{turn}'")
    s.turn = letters.index(turn)
    _read_barred(self, s, barred)
    _read_pawns(self, s, letters, pawns)
    if stops:
        _read_stops(s, letters, stops[0])
    _read_cards(self, s, letters, cards)
    if not ply.isdecimal() or int(ply) > 2_000_000_000:
        raise InvalidText(f"'{ply}' is not a number of turns")
    s.ply = int(ply)
    over = [p for p in range(self.players) if s.found[p] > s.cards]
    if over and (len(over) > 1 or over[0] != s.turn):
        raise InvalidText("who has come home has won, and it stays that seat's turn")
    s.ended = HOME if over else CAPPED if self.cap and s.ply >= self.cap else 0


def _read_tiles(self: Any, s: Any, board: str, extra: str) -> None:
    rows = board.split("/")
    if [len(row) for row in rows] != [3 * self.board[COLUMNS]] * self.board[ROWS]:
        raise InvalidText(f"the board has {self.board[ROWS]} rows of {self.board[COLUMNS]} tiles, joined by /")
    s.where[:] = OFF
    try:
        tiles = [[read_tile(tile) for tile in re.findall("...", row)] for row in rows]
        last = read_tile(extra)
    except ValueError as error:
        raise InvalidText(str(error)) from None
    markers = [marker for row in tiles for _, marker in row if marker] + [last[1]] * (last[1] > 0)
    if len(set(markers)) < len(markers):
        raise InvalidText("every object and home is on one tile only")
    for r, row in enumerate(tiles):
        for c, (exits, marker) in enumerate(row):
            place(s, r * self.side + c, exits, marker)
    spare(s, *last)


def _homes(self: Any, s: Any) -> list[int]:
    """Gives the seats their homes; one may have been pushed out of the board."""
    kept = s.where.copy()
    if s.extra_marker > LETTERS:
        s.where[int(s.extra_marker)] = 0
    seat_players(self, s)
    s.where[:] = kept
    homes = [int(home) for home in s.home[: self.players]]
    if 0 in homes:
        raise InvalidText(f"the board must have homes for {self.players} players")
    return homes


def _read_barred(self: Any, s: Any, text: str) -> None:
    if text == "-":
        return
    if not re.fullmatch(r"[NESW]\d+", text):
        raise InvalidText(f"the barred place is a side and a line, such as W1, or -; not '{text}'")
    try:
        s.barred = read_location(self, s, text)
    except ValueError as error:
        raise InvalidText(f"barred place {text}: {error}") from None


def _read_pawns(self: Any, s: Any, letters: list[str], text: str) -> None:
    words = text.split(";")
    if [word[:1] for word in words] != letters or not all(re.fullmatch(r".\d+,\d+", word) for word in words):
        raise InvalidText(f"the pawns are {';'.join(f'{letter}0,0' for letter in letters)} with their cells, not '{text}'")
    for p, word in enumerate(words):
        row, column = map(int, word[1:].split(","))
        if row >= self.board[ROWS] or column >= self.board[COLUMNS]:
            raise InvalidText(f"pawn {word}: the board has no such cell")
        s.pawn[p] = row * self.side + column


def _read_stops(s: Any, letters: list[str], text: str) -> None:
    on_board = {MARKERS[int(marker)] for marker in (*s.marker, s.extra_marker)}
    for word in text.split(";"):
        letter, colon, objects = word.partition(":")
        known = letter in letters and colon and objects and set(objects) <= on_board and set(objects) <= set(MARKERS[1:27])
        if not known or s.ruled_out[letters.index(letter)]:
            raise InvalidText(f"the objects stopped on are {letters[0]}:ab;{letters[1]}:c, letters on the board, not '{text}'")
        s.ruled_out[letters.index(letter)] = sum({1 << MARKERS.index(marker) for marker in objects})


def _read_cards(self: Any, s: Any, letters: list[str], text: str) -> None:
    from daedalus.core.memory import workspaces

    W = workspaces(self, 1, 1)
    n = collect_objects(s, W[0])
    on_board = [MARKERS[int(card)] for card in W[0].pool[:n]]
    s.objects, s.cards = n, n // self.players
    piles = text.split(";")
    left_over = n - self.players * int(s.cards)
    heads = letters + ["-"] * (left_over > 0)
    if [pile.split(":")[0] for pile in piles] != heads:
        raise InvalidText(f"the cards are listed for {' '.join(heads)}, such as {heads[0]}:ab|cd, joined by ;")
    deck = ""
    for p, pile in enumerate(piles):
        cards = pile.partition(":")[2]
        deck += cards if p == self.players else _read_pile(s, p, letters[p], cards)
    missing = sorted(set(on_board) - set(deck))
    if len(deck) != n or sorted(deck.replace("?", "")) != sorted(set(on_board) - set(missing)):
        raise InvalidText(
            f"each of the {n} objects on the board ({''.join(on_board)}) is on one card, found, to find or left over"
        )
    filled = _filled(deck, missing, [_impossible_at(self, s, place) for place in range(n)])
    if filled is None:
        raise InvalidText("a seat stopped on the object that it looks for without finding it")
    s.deck[:n] = [MARKERS.index(letter) for letter in filled]


def _impossible_at(self: Any, s: Any, place: int) -> int:
    """The objects, as bits, that cannot be at a place of the deck, since its seat stopped on them."""
    if place >= self.players * int(s.cards):
        return 0
    seat, card = divmod(place, int(s.cards))
    if card < s.found[seat] or (self.goals != ANY and card > s.found[seat]):
        return 0
    return int(s.ruled_out[seat])


def _filled(deck: str, missing: list[str], impossible: list[int]) -> list[str] | None:
    """The deck with a missing card for each `?`, the first that is possible; None if none is.

    Where the first ones leave nothing for a later place, cards move over (augmenting paths of a bipartite matching).
    """

    def fits(card: str, i: int) -> bool:
        return not impossible[i] >> MARKERS.index(card) & 1

    holder: dict[str, int] = {}

    def give(i: int, tried: set[str]) -> bool:
        for card in sorted(missing, key=lambda card: card in holder):  # what nobody holds first
            if fits(card, i) and card not in tried:
                tried.add(card)
                if card not in holder or give(holder[card], tried):
                    holder[card] = i
                    return True
        return False

    for i, letter in enumerate(deck):
        if not (give(i, set()) if letter == "?" else fits(letter, i)):
            return None
    filled = list(deck)
    for card, i in holder.items():
        filled[i] = card
    return filled


def _read_pile(s: Any, seat: int, letter: str, cards: str) -> str:
    found, bar, rest = cards.partition("|")
    if not bar or "?" in found:
        raise InvalidText(f"{letter}'s cards are those found, | and those still to find, not '{cards}'")
    if rest == letter:
        s.found[seat], rest = len(found) + 1, ""
    else:
        s.found[seat] = len(found)
    if len(found + rest) != s.cards:
        raise InvalidText(f"{letter} has {len(found + rest)} cards; each seat has {int(s.cards)}")
    return found + rest


# --- words ------------------------------------------------------------------------------------------------------------


def ending(self: Any, s: Any) -> str:
    if s.ended == HOME:
        goals = "its only goal" if s.cards == 1 else f"all {int(s.cards)} goals"
        return f"{self.SEAT_NAMES[int(s.turn)]} has found {goals} and is home"
    return f"{self.cap} {'turn' if self.cap == 1 else 'turns'} played" if s.ended else ""


def summary(self: Any, s: Any, seat: int | None) -> str:
    deck = known_deck(self, s, seat)
    return "   ".join(_errand(self, s, deck, p) for p in range(self.players))


def _errand(self: Any, s: Any, deck: list[str], p: int) -> str:
    """`Red 3/12, looks for c`."""
    _, rest = cards_of(self, s, deck, p)
    name, found = self.SEAT_NAMES[p], min(int(s.found[p]), int(s.cards))
    if s.found[p] > s.cards:
        return f"{name} {found}/{int(s.cards)} and home"
    if not rest:
        return f"{name} {found}/{int(s.cards)}, heads home"
    sought = (", ".join(rest) if self.goals == 2 else rest[0]).replace("?", "")
    return f"{name} {found}/{int(s.cards)}" + (f", looks for {sought}" if sought.strip(", ") else "")
