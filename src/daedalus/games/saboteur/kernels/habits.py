"""What a rival's moves tell about the cards it holds and about where the nugget lies; and deals that go with that.

Every place of the rival's hand has a weight for each card: how much likelier it is there than among all unseen cards. When
the rival moves, the cards it keeps are weighed by what such a move in such a spot says of them (`kept`) and by how gladly
each is kept (`stay`), the card it drops by how gladly it is dropped (`gone`). The tables are those that make the true cards
of games most likely (habits.csv). Nothing here reads a hidden card: it follows the moves that all have seen, on a board of
its own.
"""

from typing import Any, NamedTuple

import numpy as np

from daedalus.core import helper, kernel, popcount, random_unit, shuffle

from .board import blast, lay, reveal, set_board
from .policies import leading_on
from .race import FAR, candidates, survey
from .rules import BLAST, DROP, LARGEST_HAND, LOOK, from_pool, pool_unseen
from .tiles import CARD, CARDS, CENTRE, DESTROY, LAID, MALUS, MAP, SHOWN, STANDARD, THROUGH, TILES

SPOTS = 20  # tiles missing (1, 2, 3, 4, more), own malus, the other's malus
DEEDS = 7  # a tile that leads on, another tile, map, malus, bonus, destroy, drop
KINDS = 9  # a tile that would lead on, another through tile, a dead end; a map after 0, 1, more looks; malus, bonus, destroy
HALVES, HALF = 2, 15  # so many moves of a seat are the first half of its game
ASIDE, BY_MAP, BY_MALUS, BY_DESTROY, BY_DROP = 1, 2, 3, 5, 6
DROPS = 64  # no seat drops more cards of the usual deck
LEAST = 1e-4  # no card is ruled out: a rival may play as nobody did before

# A tile of a rival speaks for an objective that it comes nearer to; a map, against those that it would know by then.
NEARER, NEITHER, FARTHER, MAPS_ON, LEAST_PLACE = 1.0, 0.45, 0.35, 0.03, 0.02

DECK = np.array(STANDARD, np.float64)
EVIDENCE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("cards", "f8", (LARGEST_HAND, CARDS)),
                ("lost", "f8", (DROPS, CARDS)),
                ("nugget", "f8", (3,)),
                ("room", "f8", (LARGEST_HAND,)),
                ("drops", "i8"),
                ("known", "b1"),
            ],
            align=True,
        ),
    )
)


@helper
def leading_cards(s, w, missing):
    """The tile cards that leave one tile less missing, as bits."""
    patterns = leading_on(s, w, missing) if missing < FAR else 0
    cards = 0
    for card in range(TILES):
        if CENTRE[card] and SHOWN[card] & patterns:
            cards |= 1 << card
    return cards


@helper
def kind_of(card, leading, looks):
    if card == MAP:
        return 3 + min(looks, 2)
    if card > MAP:
        return card - MAP + 5
    if leading >> card & 1:
        return 0
    return 1 if THROUGH[card] else 2


@helper
def spot_of(s, missing, seat):
    mine = 2 if s.malus[seat] > 0 else 0
    return (min(missing, 5) - 1) * 4 + mine + (1 if s.malus[1 - seat] > 0 else 0)


@helper
def deed_of(kind, place, leading):
    """(what a move is, the card that it shows); a drop shows none."""
    if kind < LAID:
        return (0 if leading >> CARD[kind] & 1 else ASIDE), np.int64(CARD[kind])
    if kind == LOOK:
        return BY_MAP, np.int64(MAP)
    if kind == BLAST:
        return BY_DESTROY, np.int64(DESTROY)
    if place < DROP:
        return BY_MALUS + place, np.int64(MALUS + place)
    return BY_DROP, np.int64(-1)


@helper
def make_seen(s, kind, place, seat):
    """Makes a move as far as all see it."""
    if kind < LAID:
        lay(s, place, kind)
        reveal(s)
    elif kind == LOOK:
        s.seen[seat] |= 1 << place
    elif kind == BLAST:
        blast(s, place)
    elif place == 0:
        s.malus[1 - seat] += 1
    elif place == 1:
        s.malus[seat] -= 1


@helper
def scale(e, i):
    """The largest weight of a place becomes 1."""
    top = 0.0
    for card in range(CARDS):
        top = max(top, e.cards[i, card])
    for card in range(CARDS):
        e.cards[i, card] = max(e.cards[i, card] / top, LEAST)


@helper
def move_up(e, held, card, dropped):
    """A card has left the hand: the ones behind it move up. Whence a card was played nobody knows, so they may have."""
    total = 0.0
    for i in range(held):
        e.room[i] = 1.0 if i == dropped else 0.0
        if dropped < 0:
            norm = 0.0
            for other in range(CARDS):
                norm += DECK[other] * e.cards[i, other]
            e.room[i] = e.cards[i, card] / norm
        total += e.room[i]
    moved = 0.0
    for i in range(held - 1):
        moved += e.room[i] / total
        for other in range(CARDS):
            e.cards[i, other] = (1.0 - moved) * e.cards[i, other] + moved * e.cards[i + 1, other]


@helper
def weigh_cards(s, w, e, kept, stay, gone, held, half, kind, place, me):
    """What a move of the rival says of its hand, before it is made."""
    missing = survey(s, w, candidates(s, me))
    leading = leading_cards(s, w, missing)
    spot, looks = spot_of(s, missing, 1 - me), popcount(s.seen[1 - me])
    deed, card = deed_of(kind, place, leading)
    dropped = place - DROP if deed == BY_DROP else -1
    if dropped >= 0:
        for other in range(CARDS):
            e.lost[e.drops, other] = e.cards[dropped, other] * gone[spot, other]
        e.drops += 1
    for i in range(held):
        for other in range(CARDS):
            e.cards[i, other] *= kept[spot, deed, kind_of(other, leading, looks)] * stay[half, deed, other]
        scale(e, i)
    move_up(e, held, card, dropped)


@helper
def goals_of(s, seat, nugget):
    """The objectives that a seat would head for if the nugget lay there."""
    return 1 << nugget if s.seen[seat] >> nugget & 1 else 7 & ~np.int64(s.seen[seat])


@helper
def weigh_places(s, w, e, kind, place, rival):
    """Makes a tile or map move of the rival, which says something of where the nugget lies."""
    for goal in range(3):
        e.room[goal] = survey(s, w, goals_of(s, rival, goal)) if kind < LAID else 0.0
        if kind == LOOK and (s.seen[rival] | 1 << goal == 7 or s.seen[rival] >> goal & 1):
            e.nugget[goal] *= MAPS_ON
    make_seen(s, kind, place, rival)
    top = 0.0
    for goal in range(3):
        if kind < LAID:
            missing = survey(s, w, goals_of(s, rival, goal))
            e.nugget[goal] *= NEARER if missing < e.room[goal] else NEITHER if missing == e.room[goal] else FARTHER
        top = max(top, e.nugget[goal])
    for goal in range(3):
        e.nugget[goal] = max(e.nugget[goal] / top, LEAST_PLACE)


@kernel
def gather(S, W, E, moves, me, held, left, kept, stay, gone):
    """Fills E[0] with what the moves from the first on tell seat `me`.

    S[0] is zeroed but for the nugget, which only counts once the seat has seen it, and becomes the board of the last move;
    `held` cards were in a hand and `left` in the deck.
    """
    s, w, e = S[0], W[0], E[0]
    set_board(s)
    e.drops = 0
    e.known = True
    for goal in range(3):
        e.nugget[goal] = 1.0
    for i in range(LARGEST_HAND):
        for card in range(CARDS):
            e.cards[i, card] = 1.0
    for number in range(moves.size):
        kind, place = moves[number] >> 8, moves[number] & 255
        if number & 1 == me:
            make_seen(s, kind, place, me)
        else:
            weigh_cards(s, w, e, kept, stay, gone, held, 1 if number >= 2 * HALF else 0, kind, place, me)
            weigh_places(s, w, e, kind, place, 1 - me)
            if left > 0:
                for card in range(CARDS):
                    e.cards[held - 1, card] = 1.0
            else:
                held -= 1
        left = max(left - 1, 0)


@helper
def likely_card(w, weights):
    """One of the unseen cards counted in w.counts, by weight; it is then gone."""
    total = 0.0
    for card in range(CARDS):
        total += w.counts[card] * weights[card]
    rest = random_unit(w) * total
    chosen = 0
    for card in range(CARDS):
        if w.counts[card] > 0:
            chosen = card
            rest -= w.counts[card] * weights[card]
            if rest < 0.0:
                break
    w.counts[chosen] -= 1
    return chosen


@helper
def likely_nugget(s, seat, w, weights):
    """Hides the nugget under an objective that the seat has not seen, by weight."""
    total = 0.0
    for goal in range(3):
        if not s.seen[seat] >> goal & 1:
            total += weights[goal]
    rest = random_unit(w) * total
    for goal in range(3):
        if not s.seen[seat] >> goal & 1 and rest >= 0.0:
            s.nugget = goal
            rest -= weights[goal]


class Likely(NamedTuple):
    """Deals in which the rival has probably moved as it did; all alike where nothing is known of its moves."""

    evidence: Any

    def deal(self, game, s, seat, w):
        e = self.evidence
        if not e.known:
            game.redeal(s, seat, w)
            return
        other = 1 - seat
        pool_unseen(s, w, seat)
        for i in range(s.held[other]):
            s.hand[other, i] = likely_card(w, e.cards[i])
        for card in range(CARDS):
            s.dropped[other, card] = 0
        for i in range(e.drops):
            s.dropped[other, likely_card(w, e.lost[i])] += 1
        w.pooled = 0
        for card in range(CARDS):
            for _ in range(w.counts[card]):
                w.pool[w.pooled] = card
                w.pooled += 1
        shuffle(w, w.pool, w.pooled)
        for i in range(s.left):
            s.deck[i] = from_pool(w)
        if not s.seen[seat] >> s.nugget & 1:
            likely_nugget(s, seat, w, e.nugget)
        s.observer = seat
