"""Saboteur, the two-player course variant: lay tiles from the entrance to the nugget; whoever connects it wins.

A move is coded kind * 256 + place:

    laid * 256 + cell       lays a tile, `laid` 0..25 as tiles.py numbers tiles with their orientation
    26 * 256 + objective    looks at objective 0..2 with a map
    27 * 256 + cell         destroys the tile on a cell
    28 * 256 + 0, 1         malus, bonus
    28 * 256 + 32 + index   drops the hand's card at an index

What a state keeps beside the board (board.py):

    revealed  the objectives that lie face up, as bits; seen[seat] those that a seat knows, the former included
    hand      the cards of each seat in the order they came, `held` of them
    deck      cards to draw, the next one last
    dropped   for each seat and card, how many it has dropped unseen; row 2: cards gone before a position read from text
    observer  the seat whose knowledge this state was dealt for, by `redeal`; NOBODY in a true state
"""

from typing import Any, NamedTuple

import numpy as np

from daedalus.core import Choice, InvalidOption, Number, helper, lowest, popcount, random_below, shuffle
from daedalus.core.kernels.bitsets import cells_at, cells_of, count, holds, less, list_cells, nth

from ..deck import USUAL, DeckFile
from . import board, race
from .board import blast, lay, reveal, set_board
from .tiles import BONUS, CARD, CARDS, CELLS, CENTRE, DESTROY, LAID, MALUS, MAP, PLAYABLE, SIDES, SIZE, TILES, TURNED

LOOK, BLAST, ACT = LAID, LAID + 1, LAID + 2  # kinds of moves after the tiles
DROP = 32  # places of the moves ACT
NOBODY = 2
LARGEST_HAND = 12
AREA = SIZE * SIZE

# --- cards ----------------------------------------------------------------------------------------------------------


@helper
def index_of(s, seat, card):
    """The first place of a card in a hand; -1 if it is not there."""
    for i in range(s.held[seat]):
        if s.hand[seat, i] == card:
            return i
    return -1


@helper
def take_out(s, seat, index):
    """Removes the card at an index of a hand; the others move up."""
    last = np.int64(s.held[seat]) - 1
    for i in range(index, last):
        s.hand[seat, i] = s.hand[seat, i + 1]
    s.hand[seat, last] = 0
    s.held[seat] = last


@helper
def draw(s, seat):
    """The next card of the deck, if there is one, comes to the end of the hand."""
    if s.left > 0:
        top = np.int64(s.left) - 1
        s.hand[seat, s.held[seat]] = s.deck[top]
        s.held[seat] += 1
        s.deck[top] = 0
        s.left = top


@helper
def card_of(s, m):
    """The card that a legal move plays or drops."""
    kind, place = m >> 8, m & 255
    if kind < LAID:
        return CARD[kind]
    if kind == LOOK:
        return np.int64(MAP)
    if kind == BLAST:
        return np.int64(DESTROY)
    if place < DROP:
        return np.int64(MALUS + place)
    return np.int64(s.hand[s.turn, place - DROP])


@helper
def cards_held(s, seat):
    """The different cards in a hand, as bits."""
    cards = 0
    for i in range(s.held[seat]):
        cards |= 1 << np.int64(s.hand[seat, i])
    return cards


@helper
def spots_of(s, laid):
    """On how many cells a tile may be laid."""
    return count(cells_at(s, "spots", SIDES[laid]))


@helper
def lain(s):
    """The cells with tiles that players have laid."""
    return less(PLAYABLE, cells_of(s, "free"))


@helper
def places_of(s, tiles):
    """How many moves a set of tile cards makes, both ways up."""
    total = 0
    while tiles:
        card = lowest(tiles)
        tiles &= tiles - 1
        total += spots_of(s, card)
        if TURNED[card] >= 0:
            total += spots_of(s, TURNED[card])
    return total


@helper
def nth_tile(s, tiles, k):
    """The k-th of those moves."""
    while True:
        card = lowest(tiles)
        tiles &= tiles - 1
        laid = np.int64(card)
        n = spots_of(s, laid)
        if k >= n and TURNED[card] >= 0:
            k -= n
            laid = TURNED[card]
            n = spots_of(s, laid)
        if k < n:
            return np.int64((laid << 8) + nth(cells_at(s, "spots", SIDES[laid]), k))
        k -= n


@helper
def nth_hidden(s, k):
    """The k-th objective that lies face down."""
    for goal in range(3):
        if not s.revealed >> goal & 1:
            if k == 0:
                return goal
            k -= 1
    return 0


@helper
def list_tile(s, w, n, laid):
    """Writes all places of a tile to w.buf from n on; returns how many there are now."""
    return list_cells(cells_at(s, "spots", SIDES[laid]), w, n, 1, laid << 8)


@helper
def pool_unseen(s, w, seat):
    """Shuffles all cards that a seat has not seen into w.pool: the other's hand and drops, the deck, those gone before a text.

    They are counted first, so that the order in which they lay cannot shine through.
    """
    other = 1 - seat
    for card in range(CARDS):
        w.counts[card] = np.int64(s.dropped[other, card]) + np.int64(s.dropped[2, card])
    for i in range(s.held[other]):
        w.counts[s.hand[other, i]] += 1
    for i in range(s.left):
        w.counts[s.deck[i]] += 1
    w.pooled = 0
    for card in range(CARDS):
        for _ in range(w.counts[card]):
            w.pool[w.pooled] = card
            w.pooled += 1
    shuffle(w, w.pool, w.pooled)


@helper
def from_pool(w):
    """A card of the pool, which is then gone."""
    w.pooled -= 1
    return np.int64(w.pool[w.pooled])


@helper
def redeal_dropped(s, w, owner):
    """As many unseen drops as before."""
    n = 0
    for card in range(CARDS):
        n += np.int64(s.dropped[owner, card])
        s.dropped[owner, card] = 0
    for _ in range(n):
        s.dropped[owner, from_pool(w)] += 1


@helper
def hide_nugget(s, seat, w):
    """The nugget lies under any objective that the seat has not seen, unless it has seen the nugget."""
    if s.seen[seat] >> s.nugget & 1:
        return
    k = random_below(w, 3 - popcount(s.seen[seat]))
    for goal in range(3):
        if not s.seen[seat] >> goal & 1:
            if k == 0:
                s.nugget = goal
            k -= 1


class Saboteur(NamedTuple):
    """Lay a path of tiles to the hidden nugget; whoever makes the last connection wins."""

    maps: int = 6
    hand: int = 7
    deck: tuple[int, ...] = USUAL

    OPTIONS = {
        "maps": Choice("Map cards in the deck; the course had four before 23 March 2020", (4, 6)),
        "hand": Number("cards in a hand", 1, LARGEST_HAND),
        "deck": DeckFile("how many of each card; one that counts maps overrules `maps`"),
    }
    SEAT_NAMES = ("Red", "Blue")
    LABELS = (ACT + 1) * CELLS
    MAX_MOVES = 2 * 192 * LARGEST_HAND + 192 + LARGEST_HAND + 5  # a hand of tiles, either way up, on every cell
    FEATURES = 7 * AREA + 2 * CARDS + 17
    ACTIONS = LAID * AREA + AREA + 3 + 2 + CARDS

    def agree(self) -> None:
        if self.cards < 2 * self.hand:
            raise InvalidOption(f"a deck of {self.cards} cards is too small for two hands of {self.hand}")

    @property
    def counts(self) -> tuple[int, ...]:
        """How many of each card there are."""
        return tuple(self.maps if count < 0 else count for count in self.deck)

    @property
    def cards(self) -> int:
        """How many cards there are."""
        return sum(self.counts)

    @property
    def room(self) -> int:
        """Room for the deck in a state; rounded up, so that decks of about the usual size share their compiled kernels."""
        return max(64, 1 << (self.cards - 1).bit_length())

    @property
    def STATE(self) -> Any:
        return [
            *board.FIELDS,
            ("hand", "u1", (2, LARGEST_HAND)),
            ("deck", "u1", (self.room,)),
            ("dropped", "u1", (3, CARDS)),
            ("left", "i2"),
            ("held", "i1", (2,)),
            ("malus", "i1", (2,)),
            ("nugget", "i1"),
            ("turn", "i1"),
            ("winner", "i1"),  # seat + 1, 0 for none
            ("observer", "i1"),
        ]

    @property
    def SCRATCH(self) -> Any:
        return [("counts", "i8", (CARDS,)), ("pool", "u1", (self.room,)), ("pooled", "i8"), *race.SCRATCH]

    def start(self, s, w):
        """Shuffles, deals in turn, hides the nugget."""
        set_board(s)
        n = 0
        for card in range(CARDS):
            count = self.deck[card]
            for _ in range(count if count >= 0 else self.maps):
                s.deck[n] = card
                n += 1
        shuffle(w, s.deck, n)
        s.left = n
        for _ in range(self.hand):
            draw(s, 0)
            draw(s, 1)
        s.nugget = random_below(w, 3)
        s.observer = NOBODY

    def turn(self, s):
        return np.int64(s.turn)

    def moves(self, s, w):
        me = s.turn
        n = 0
        listed = 0
        for i in range(s.held[me]):
            card = np.int64(s.hand[me, i])
            w.buf[n] = (ACT << 8) + DROP + i
            n += 1
            if listed >> card & 1:
                continue
            listed |= 1 << card
            if card < TILES and s.malus[me] == 0:
                n = list_tile(s, w, n, np.int64(card))
                if TURNED[card] >= 0:
                    n = list_tile(s, w, n, TURNED[card])
            elif card == MAP:
                for goal in range(3):
                    if not s.revealed >> goal & 1:
                        w.buf[n] = (LOOK << 8) + goal
                        n += 1
            elif card == DESTROY:
                n = list_cells(lain(s), w, n, 1, BLAST << 8)
            elif card == MALUS or (card == BONUS and s.malus[me] > 0):
                w.buf[n] = (ACT << 8) + card - MALUS
                n += 1
        return n

    def play(self, s, m):
        me = np.int64(s.turn)
        kind, place = m >> 8, m & 255
        card = card_of(s, m)
        take_out(s, me, place - DROP if kind == ACT and place >= DROP else index_of(s, me, card))
        draw(s, me)
        if kind < LAID:
            lay(s, place, kind)
            if reveal(s) >> s.nugget & 1:
                s.winner = me + 1
        elif kind == LOOK:
            s.seen[me] |= 1 << place
        elif kind == BLAST:
            blast(s, place)
        elif place >= DROP:
            s.dropped[me, card] += 1
        elif card == MALUS:
            s.malus[1 - me] += 1
        else:
            s.malus[me] -= 1
        s.turn = 1 - me

    def over(self, s):
        """The nugget is found, or all cards are gone: then the seat to move has none."""
        return s.winner != 0 or s.held[s.turn] == 0

    def payoff(self, s, seat):
        if s.winner == 0:
            return 0.0
        return 1.0 if s.winner == seat + 1 else -1.0

    def random_move(self, s, w):
        """Uniform over the legal moves without a list: draws a number and counts up to it."""
        me = s.turn
        cards = cards_held(s, me)
        held = np.int64(s.held[me])
        acts = (cards >> MALUS & 1) + (1 if cards >> BONUS & 1 and s.malus[me] > 0 else 0)
        looks = 3 - popcount(s.revealed) if cards >> MAP & 1 else 0
        blasts = count(lain(s)) if cards >> DESTROY & 1 else 0
        tiles = cards & ((1 << TILES) - 1) if s.malus[me] == 0 else 0
        k = random_below(w, held + acts + looks + blasts + places_of(s, tiles))
        if k < held:
            return np.int64((ACT << 8) + DROP + k)
        k -= held
        if k < acts:
            return np.int64((ACT << 8) + (k if cards >> MALUS & 1 else 1))
        k -= acts
        if k < looks:
            return np.int64((LOOK << 8) + nth_hidden(s, k))
        k -= looks
        if k < blasts:
            return np.int64((BLAST << 8) + nth(lain(s), k))
        return nth_tile(s, tiles, k - blasts)

    def evaluate(self, s, seat, w):
        """The race as the seat to move sees it: the last tile wins, the one before it hands over the win."""
        me = np.int64(s.turn)
        missing = race.look(s, w, me)
        value = (0.2 if s.malus[1 - me] > 0 else 0.0) - (0.2 if s.malus[me] > 0 else 0.0)
        if missing == 1 and s.malus[me] == 0:
            value += 0.5 / popcount(w.targets)
        elif missing == 1 and s.malus[1 - me] == 0:
            value -= 0.4
        elif missing == 2:
            value -= 0.1
        return value if seat == me else -value

    def redeal(self, s, seat, w):
        """Deals all cards that the seat has not seen anew, each deal equally likely, and hides the nugget where it may lie."""
        other = 1 - seat
        pool_unseen(s, w, seat)
        for i in range(s.held[other]):
            s.hand[other, i] = from_pool(w)
        for i in range(s.left):
            s.deck[i] = from_pool(w)
        redeal_dropped(s, w, other)
        redeal_dropped(s, w, 2)
        hide_nugget(s, seat, w)
        s.observer = seat

    def features(self, s, seat, out):
        """FEATURES numbers that a seat may know: seven planes of the board, then cards, malus, objectives and the turn.

        planes of 14 x 14, row by row: north, east, south, west side open, centre open, something lies there, reached
        20 own cards, 20 unseen cards a kind; malus of both; cards to draw and in the other's hand;
        each objective: revealed, seen, seen by the other, chance of the nugget; 1 if it is the seat's turn
        """
        for row in range(SIZE):
            for col in range(SIZE):
                cell = (row + 1) * 16 + col + 1
                laid = np.int64(s.tiles[cell]) - 1
                k = row * SIZE + col
                for d in range(4):
                    out[d * AREA + k] = 1.0 if laid >= 0 and SIDES[laid] >> d & 1 else 0.0
                out[4 * AREA + k] = 1.0 if laid >= 0 and CENTRE[laid] else 0.0
                out[5 * AREA + k] = 1.0 if laid >= 0 else 0.0
                out[6 * AREA + k] = 1.0 if holds(s, "reach", cell) else 0.0
        other = 1 - seat
        n = 7 * AREA
        for card in range(CARDS):
            out[n + card] = 0.0
            out[n + CARDS + card] = np.float64(s.dropped[other, card]) + np.float64(s.dropped[2, card])
        for i in range(s.held[seat]):
            out[n + np.int64(s.hand[seat, i])] += 1.0
        for i in range(s.held[other]):
            out[n + CARDS + np.int64(s.hand[other, i])] += 1.0
        for i in range(s.left):
            out[n + CARDS + np.int64(s.deck[i])] += 1.0
        n += 2 * CARDS
        out[n] = np.float64(s.malus[seat])
        out[n + 1] = np.float64(s.malus[other])
        out[n + 2] = np.float64(s.left) / 64.0
        out[n + 3] = np.float64(s.held[other]) / self.hand
        may = race.candidates(s, seat)
        for goal in range(3):
            out[n + 4 + goal] = np.float64(s.revealed >> goal & 1)
            out[n + 7 + goal] = np.float64(s.seen[seat] >> goal & 1)
            out[n + 10 + goal] = np.float64(s.seen[other] >> goal & 1)
            out[n + 13 + goal] = (may >> goal & 1) / popcount(may)
        out[n + 16] = 1.0 if s.turn == seat else 0.0

    def label(self, s, m):
        """A drop, to its owner, is the card that goes, whatever its index; an onlooker sees only that something went."""
        if m < (ACT << 8) + DROP:
            return np.int64(m)
        if s.observer != NOBODY and s.observer != s.turn:
            return np.int64((ACT << 8) + DROP)
        return np.int64((ACT << 8) + 2 * DROP + np.int64(s.hand[s.turn, (m & 255) - DROP]))

    def action(self, s, m):
        """Tiles by how they lie and where, then cells destroyed, objectives looked at, malus, bonus, and cards dropped by kind."""
        kind, place = m >> 8, m & 255
        cell = ((place >> 4) - 1) * SIZE + (place & 15) - 1
        if kind < LAID:
            return kind * AREA + cell
        if kind == BLAST:
            return LAID * AREA + cell
        n = (LAID + 1) * AREA
        if kind == LOOK:
            return n + place
        if place < DROP:
            return n + 3 + place
        return n + 5 + card_of(s, m)
