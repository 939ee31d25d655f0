"""Ways to pick a move of Saboteur, for rollouts, priors and players; each reads only what the seat to move knows.

`Careful` builds the path but does not hand it over: whoever leaves the other one tile from the nugget usually loses.
"""

from typing import NamedTuple

import numpy as np

from daedalus.core import ONE, ZERO, helper, lowest, popcount, random_below, random_unit
from daedalus.core.kernels.bitsets import count, first, holds, is_empty

from .endgame import NO_TILE, fears_malus, fits, last_patterns, last_step
from .race import FAR, LEVELS, OPEN, ends_at, laid_with, leads_on, look, onward, patterns_held
from .rules import ACT, BLAST, DROP, LOOK, NOBODY, cards_held, index_of
from .tiles import BONUS, CENTRE, DESTROY, FITS, LAID, MALUS, MAP, PLAYABLE, SHOWN, TILES, bit, neighbour

NO_MOVE = -1
CERTAIN = 1e12  # a prior that outweighs every value

# How gladly a card is kept: tiles by the ways they offer (a path runs south, so tiles with N and S are dear), dead ends
# as blocks, and the cards that decide the race above all. The second row is for who waits, the third for who need not fear
# a malus any more: both tuned by play of the patient builder against the careful one.
KEEP = np.array(
    [
        [60, 30, 34, 32, 20, 45, 75, 45, 90, 70, 40, 36, 24, 35, 33, 28, 50, 95, 99, 85],
        [60, 30, 34, 32, 20, 45, 75, 50, 90, 52, 33, 36, 19, 35, 33, 28, 50, 95, 99, 102],
        [60, 30, 34, 32, 20, 45, 75, 50, 90, 52, 33, 36, 19, 35, 33, 28, 50, 95, 0, 77],
    ],
    np.int64,
)
SECOND = np.array([20, 13, 13], np.int64)  # so much less for the second of a kind
BUILDS, WAITS, AT_EASE = range(3)  # the rows
AT_HAND = 5  # so much more, but to who builds, for a tile that leads on at once
FOR_THE_LAST = 25  # so much more, to who is at ease, for a tile that may be the last one
WAITS_FROM = 6  # who is patient leaves it to the other to build when so few tiles are missing
AT_LAST = 3  # and takes a malus away only when so few are


@helper
def act(card):
    """The move that plays a malus or a bonus."""
    return np.int64((ACT << 8) + card - MALUS)


@helper
def drop(s, seat, card):
    """The move that drops a card of the hand."""
    return np.int64((ACT << 8) + DROP + index_of(s, seat, card))


@helper
def tile(laid, cell):
    return np.int64((laid << 8) + cell)


@helper
def some_pattern(w, patterns):
    """One of a non-empty set of patterns, any of them."""
    k = random_below(w, popcount(patterns))
    while k:
        patterns &= patterns - 1
        k -= 1
    return lowest(patterns)


@helper
def step_on(s, w, seat, missing):
    """Lays a tile that leaves one tile less missing, where so many are; NO_MOVE if the hand has none that fits."""
    patterns = patterns_held(s, seat, 1)
    base = 0
    for word in ends_at(w, missing):
        while word != ZERO:
            cell = base + lowest(word)
            word &= word - ONE
            fitting = onward(s, w, cell, missing) & patterns
            if fitting:
                return tile(laid_with(s, seat, some_pattern(w, fitting), 1), cell)
        base += 64
    return np.int64(NO_MOVE)


@helper
def leading_on(s, w, missing):
    """The patterns of open sides that leave one tile less missing, where so many are."""
    patterns = 0
    base = 0
    for word in ends_at(w, missing):
        while word != ZERO:
            patterns |= onward(s, w, base + lowest(word), missing)
            word &= word - ONE
        base += 64
    return patterns


@helper
def dangers(w):
    """How many open ends are one tile from a target."""
    return count(ends_at(w, 1))


@helper
def danger(w):
    """The first open end that is one tile from a target."""
    ends = ends_at(w, 1)
    return 0 if is_empty(ends) else first(ends)


@helper
def shut(s, w, seat):
    """Lays a tile on the only open end next to a target so that no way leads on from it towards one."""
    if dangers(w) != 1:
        return np.int64(NO_MOVE)
    cell = danger(w)
    fitting = FITS[np.int64(s.need[cell])]
    dead = fitting & patterns_held(s, seat, 0)
    if dead:
        return tile(laid_with(s, seat, some_pattern(w, dead), 0), cell)
    away = fitting & patterns_held(s, seat, 1) & ~onward(s, w, cell, 1)
    for d in range(4):
        if away and opens_danger(s, w, neighbour(cell, d)):
            away &= ~OPEN[d]
    if away:
        return tile(laid_with(s, seat, some_pattern(w, away), 1), cell)
    return np.int64(NO_MOVE)


@helper
def opens_danger(s, w, cell):
    """Would a way onto this cell be one tile from a target again?"""
    if not holds(s, "free", cell):
        return False
    for d in range(4):
        if leads_on(s, w, cell, d, 1):
            return True
    return False


@helper
def tear(s, w):
    """Destroys the laid tile whose way opens onto an end next to a target."""
    cell = danger(w)
    for d in range(4):
        other = neighbour(cell, d)
        i = other >> 6
        if s.reach[i] & s.ways[d ^ 2, i] & PLAYABLE[i] & bit(other) != ZERO:
            return np.int64((BLAST << 8) + other)
    return np.int64(NO_MOVE)


@helper
def unseen(s, w, seat):
    """A map move to an objective the seat has not seen, any of them."""
    k = random_below(w, 3 - popcount(s.seen[seat]))
    for goal in range(3):
        if not s.seen[seat] >> goal & 1:
            if k == 0:
                return np.int64((LOOK << 8) + goal)
            k -= 1
    return np.int64(NO_MOVE)


@helper
def least_useful(s, w, seat, missing, row):
    """The card to drop, by a row of KEEP."""
    known = popcount(w.targets) == 1
    helpful = leading_on(s, w, missing) if row != BUILDS and missing < FAR else 0
    final = last_patterns(s, w) if row == AT_EASE and missing == 2 else 0
    worst = 1000
    chosen = np.int64(s.hand[seat, 0])
    held = 0
    for i in range(s.held[seat]):
        card = np.int64(s.hand[seat, i])
        worth = KEEP[row, card] - (SECOND[row] if held >> card & 1 else 0)
        if fits(card, helpful):
            worth += AT_HAND
        if fits(card, final):
            worth += FOR_THE_LAST
        if card == MAP and known:
            worth = 0
        held |= 1 << card
        if worth < worst:
            worst = worth
            chosen = card
    return chosen


@helper
def may_run(s, w, seat, missing):
    """Is a malus now of use: to be saved by it, or to lay the next tile after it?"""
    return missing == 1 or (s.malus[seat] == 0 and leading_on(s, w, missing) & patterns_held(s, seat, 1) != 0)


@helper
def hopes(s, w, seat, missing, tiles):
    """Does a hand have so many tiles that lead on? Then a hopeful builder does not think of what the other may have."""
    helpful = leading_on(s, w, missing) if tiles > 0 and missing > 1 else 0
    for i in range(s.held[seat]):
        card = np.int64(s.hand[seat, i])
        if card < TILES and CENTRE[card] and SHOWN[card] & helpful:
            tiles -= 1
            if tiles == 0:
                return True
    return False


@helper
def careful(s, w, missing, curb, build, hope, waits, endgame):
    """The careful builder's move after a look at the race; `waits` is 1 for the patient one, who lets the other build."""
    me = np.int64(s.turn)
    cards = cards_held(s, me)
    free = s.malus[me] == 0
    rival_free = s.malus[1 - me] == 0
    if missing == 1 and free:
        m = step_on(s, w, me, 1)
        if m != NO_MOVE:
            return m
    if not free and cards >> BONUS & 1 and (not waits or missing <= AT_LAST):
        return act(BONUS)
    if rival_free and missing <= curb and cards >> MALUS & 1 and (not waits or may_run(s, w, me, missing)):
        return act(MALUS)
    if missing == 1 and rival_free:
        m = shut(s, w, me) if free else np.int64(NO_MOVE)
        if m == NO_MOVE and cards >> DESTROY & 1:
            m = tear(s, w)
        if m != NO_MOVE:
            return m
    at_ease = endgame and free and not fears_malus(s, me)
    if at_ease:
        build = AT_LAST  # with two missing nobody can play a malus and run
        if missing == 2 and rival_free and s.left == 0 and s.held[1 - me] == 1:
            laid, cell = last_step(s, w, me)
            if laid != NO_TILE:
                return tile(laid, cell)
    if cards >> MAP & 1 and popcount(w.targets) > 1:
        return unseen(s, w, me)
    if free and missing < FAR and (missing >= build or (not rival_free and missing > 1) or hopes(s, w, me, missing, hope)):
        m = step_on(s, w, me, missing)
        if m == NO_MOVE and missing + 1 < LEVELS and missing + 1 >= build:
            m = step_on(s, w, me, missing + 1)
        if m != NO_MOVE:
            return m
    return drop(s, me, least_useful(s, w, me, missing, AT_EASE if at_ease else waits))


class Careful(NamedTuple):
    """Builds until three tiles are missing, then waits for a chance: the race to the last connection decides.

    Who is patient waits from the start and lets a careful rival build: the one who lays the tile that leaves three missing
    gives the other the first chance to play a malus and run.
    """

    curb: int = 3  # plays a malus when so few tiles are missing
    build: int = 4  # builds on while so many are missing
    hope: int = 0  # and beyond that with so many tiles that lead on, 0 for never
    patient: int = 0  # 1: the observer's seat is patient, the other one careful
    endgame: int = 0  # 1: the observer's seat plays for the last two tiles (endgame.py)
    slips: float = 0.0  # how often the observer expects any move at all of the other seat

    def pick(self, game, s, w):
        if self.slips > 0.0 and is_rival(s) and random_unit(w) < self.slips:
            return np.int64(w.buf[random_below(w, game.moves(s, w))])  # kernels that list moves need not compile a counter
        return favourite(s, w, self)

    def prior(self, game, s, w, n):
        if self.slips > 0.0 and is_rival(s) and random_unit(w) < self.slips:
            any_of(w, n)
            return
        light_prior(s, w, n, favourite(s, w, self))

    def value(self, game, s, seat, w):
        return game.evaluate(s, seat, w)


@helper
def favourite(s, w, how):
    """The move that the seat to move would make at once."""
    missing = look(s, w, np.int64(s.turn))
    if is_rival(s):
        return careful(s, w, missing, how.curb, how.build, how.hope, BUILDS, 0)
    if how.patient:
        return careful(s, w, missing, how.curb, WAITS_FROM + 1, 0, WAITS, how.endgame)
    return careful(s, w, missing, how.curb, how.build, how.hope, BUILDS, how.endgame)


@helper
def is_rival(s):
    """Is the seat to move not the one whose search this is?"""
    return s.observer != NOBODY and s.observer != s.turn


@helper
def any_of(w, n):
    """A prior that leaves a search no choice: one move, each equally likely."""
    for k in range(n):
        w.prior[k] = 0.0
    w.prior[random_below(w, n)] = CERTAIN


@helper
def light_prior(s, w, n, favourite):
    """Half for the favourite move, the rest spread by kind of move."""
    me = np.int64(s.turn)
    known = popcount(w.targets) == 1
    onlooker = s.observer != me
    total = 0.0
    dropped = 0
    for k in range(n):
        weight = 0.0
        kind, place = w.buf[k] >> 8, w.buf[k] & 255
        if kind < LAID:
            ending = holds(w, "front", place)
            weight = (1.0 if CENTRE[kind] else 0.3) if ending else 0.03
        elif kind == LOOK:
            weight = 0.02 if known or s.seen[me] >> place & 1 else 1.0
        elif kind == BLAST:
            weight = 0.3 if holds(s, "reach", place) else 0.05
        elif place < DROP:
            weight = 1.0
        else:
            card = np.int64(s.hand[me, place - DROP])
            if not onlooker and not dropped >> card & 1:
                weight = 0.5 if card < TILES else 0.1
            dropped |= 1 << card
        w.prior[k] = weight
        total += weight
    for k in range(n):
        w.prior[k] = 0.5 * w.prior[k] / total + (0.5 if w.buf[k] == favourite else 0.0) if total > 0.0 else 1.0 / n
