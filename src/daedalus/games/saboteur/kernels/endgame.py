"""The last two tiles: when no malus is to be feared any more, what leads to them, and the step to one missing at the very end.

Most games come to a stand where two or three tiles are missing, since whoever leaves one missing gives the other the win. At
the end they are decided by what is left in the hands: who still holds two tiles that follow on each other steps when the
other is down to its last card. Each function reads only what its seat knows: of the unseen cards how many there are of each.
"""

import numpy as np

from daedalus.core import ONE, ZERO, helper, lowest
from daedalus.core.kernels.bitsets import holds

from .race import OPEN, ends_at, leads_on, onward
from .tiles import CARDS, CENTRE, FITS, MALUS, SHOWN, SIDES, TILES, TURNED, neighbour

NO_TILE = -1
DARES = 0.5  # steps unless more than this share of the unseen cards could lay the last tile


@helper
def fears_malus(s, seat):
    """May the other have a malus, or draw one, in time? In a deal the cards that the seat has not seen are these."""
    if s.left == 0:
        return False
    rival = 1 - seat
    for i in range(s.held[rival]):
        if s.hand[rival, i] == MALUS:
            return True
    for i in range(s.left):
        if s.deck[i] == MALUS:
            return True
    return s.dropped[rival, MALUS] + s.dropped[2, MALUS] > 0


@helper
def lasts(s, w, cell, sides):
    """The patterns of a last tile beside a cell with two missing, if a tile with these open sides lay there."""
    patterns = 0
    for d in range(4):
        beside = neighbour(cell, d)
        if sides >> d & 1 and leads_on(s, w, cell, d, 2) and holds(s, "free", beside):
            leading = 0
            for e in range(4):
                if leads_on(s, w, beside, e, 1):
                    leading |= OPEN[e]
            patterns |= leading & FITS[np.int64(s.need[beside]) | 1 << (d ^ 2)]
    return patterns


@helper
def last_patterns(s, w):
    """All patterns of open sides that a last tile may have where two are missing."""
    patterns = 0
    base = 0
    for word in ends_at(w, 2):
        while word != ZERO:
            patterns |= lasts(s, w, base + lowest(word), 15)
            word &= word - ONE
        base += 64
    return patterns


@helper
def fits(card, patterns):
    """Does a tile lead through with one of these patterns?"""
    return card < TILES and CENTRE[card] == 1 and SHOWN[card] & patterns != 0


@helper
def holds_another(s, seat, used, patterns):
    """Has a hand a tile with one of these patterns beside the one at an index?"""
    for i in range(s.held[seat]):
        if i != used and fits(np.int64(s.hand[seat, i]), patterns):
            return True
    return False


@helper
def share_unseen(s, seat, patterns):
    """The share of tiles with these patterns among the cards that a seat has not seen when the deck is empty."""
    rival = 1 - seat
    total, fitting = 0, 0
    for i in range(s.held[rival]):
        total += 1
        fitting += fits(np.int64(s.hand[rival, i]), patterns)
    for card in range(CARDS):
        n = np.int64(s.dropped[rival, card]) + np.int64(s.dropped[2, card])
        total += n
        fitting += n * fits(card, patterns)
    return fitting / max(total, 1)


@helper
def last_step(s, w, seat):
    """(tile, cell) of a step from two missing to one that the hand can follow up and the other hardly can; NO_TILE for none."""
    least = DARES
    best, place = np.int64(NO_TILE), np.int64(0)
    base = 0
    for word in ends_at(w, 2):
        while word != ZERO:
            cell = base + lowest(word)
            word &= word - ONE
            leading = onward(s, w, cell, 2)
            for i in range(s.held[seat]):
                card = np.int64(s.hand[seat, i])
                if not fits(card, leading):
                    continue
                for laid in (card, TURNED[card]):
                    if laid >= 0 and leading >> SIDES[laid] & 1:
                        patterns = lasts(s, w, cell, SIDES[laid])
                        if holds_another(s, seat, i, patterns):
                            share = share_unseen(s, seat, patterns)
                            if share <= least:
                                least, best, place = share, laid, np.int64(cell)
        base += 64
    return best, place
