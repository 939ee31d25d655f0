"""Ways to pick a move of Saboteur, for rollouts, priors and players; each reads only what the seat to move knows.

`Careful` builds the path but does not hand it over: whoever leaves the other one tile from the nugget usually loses.
"""

from typing import NamedTuple

import numpy as np

from daedalus.core import U, helper, lowest, popcount, random_below, random_unit
from daedalus.search.policies import level

from .race import FAR, LEVELS, OPEN, ends_at, laid_with, leads_on, look, onward, patterns_held
from .rules import ACT, BLAST, DROP, LOOK, NOBODY, cards_held, index_of
from .terms import (
    BONUS,
    CENTRE,
    DESTROY,
    FITS,
    GOALS,
    LAID,
    MALUS,
    MAP,
    PLAYABLE,
    SIDES,
    THROUGH,
    TILES,
    bit,
    neighbour,
)

NO_MOVE = -1
CERTAIN = 1e12  # a prior that outweighs every value

# How gladly a card is kept: tiles by the ways they offer (a path runs south, so tiles with N and S are dear), dead ends
# as blocks, and the cards that decide the race above all.
KEEP = np.array([60, 30, 34, 32, 20, 45, 75, 45, 90, 70, 40, 36, 24, 35, 33, 28, 50, 95, 99, 85], np.int64)


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
    for i in range(4):
        cells = ends_at(w, missing, i)
        while cells:
            cell = 64 * i + lowest(cells)
            cells &= cells - U(1)
            fitting = onward(s, w, cell, missing) & patterns
            if fitting:
                return tile(laid_with(s, seat, some_pattern(w, fitting), 1), cell)
    return np.int64(NO_MOVE)


@helper
def dangers(w):
    """How many open ends are one tile from a target."""
    return popcount(ends_at(w, 1, 0)) + popcount(ends_at(w, 1, 1)) + popcount(ends_at(w, 1, 2)) + popcount(ends_at(w, 1, 3))


@helper
def danger(w):
    """The first open end that is one tile from a target."""
    for i in range(4):
        cells = ends_at(w, 1, i)
        if cells:
            return 64 * i + lowest(cells)
    return 0


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
    if s.free[cell >> 6] & bit(cell) == U(0):
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
        if s.reach[i] & s.ways[d ^ 2, i] & PLAYABLE[i] & bit(other) != U(0):
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
def least_useful(s, w, seat):
    """The card to drop."""
    known = popcount(w.targets) == 1
    worst = 1000
    chosen = np.int64(s.hand[seat, 0])
    held = 0
    for i in range(s.held[seat]):
        card = np.int64(s.hand[seat, i])
        worth = KEEP[card] - (20 if held >> card & 1 else 0)
        if card == MAP and known:
            worth = 0
        held |= 1 << card
        if worth < worst:
            worst = worth
            chosen = card
    return chosen


@helper
def careful(s, w, missing, curb, build):
    """The careful builder's move after a look at the race."""
    me = np.int64(s.turn)
    cards = cards_held(s, me)
    free = s.malus[me] == 0
    rival_free = s.malus[1 - me] == 0
    if missing == 1 and free:
        m = step_on(s, w, me, 1)
        if m != NO_MOVE:
            return m
    if not free and cards >> BONUS & 1:
        return act(BONUS)
    if rival_free and missing <= curb and cards >> MALUS & 1:
        return act(MALUS)
    if missing == 1 and rival_free:
        m = shut(s, w, me) if free else np.int64(NO_MOVE)
        if m == NO_MOVE and cards >> DESTROY & 1:
            m = tear(s, w)
        if m != NO_MOVE:
            return m
    if cards >> MAP & 1 and popcount(w.targets) > 1:
        return unseen(s, w, me)
    if free and missing < FAR and (missing >= build or (not rival_free and missing > 1)):
        m = step_on(s, w, me, missing)
        if m == NO_MOVE and missing + 1 < LEVELS and missing + 1 >= build:
            m = step_on(s, w, me, missing + 1)
        if m != NO_MOVE:
            return m
    return drop(s, me, least_useful(s, w, me))


class Careful(NamedTuple):
    """Builds until three tiles are missing, then waits for a chance: the race to the last connection decides."""

    curb: int = 3  # plays a malus when so few tiles are missing
    build: int = 4  # builds on while so many are missing
    slips: float = 0.0  # how often the observer expects any move at all of the other seat

    def pick(self, game, s, w):
        if self.slips > 0.0 and is_rival(s) and random_unit(w) < self.slips:
            return game.random_move(s, w)
        return careful(s, w, look(s, w, np.int64(s.turn)), self.curb, self.build)

    def prior(self, game, s, w, n):
        if self.slips > 0.0 and is_rival(s) and random_unit(w) < self.slips:
            any_of(w, n)
            return
        light_prior(s, w, n, careful(s, w, look(s, w, np.int64(s.turn)), self.curb, self.build))

    def value(self, game, s, seat, w):
        return game.evaluate(s, seat, w)


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
            ending = w.front[place >> 6] & bit(place) != U(0)
            weight = (1.0 if CENTRE[kind] else 0.3) if ending else 0.03
        elif kind == LOOK:
            weight = 0.02 if known or s.seen[me] >> place & 1 else 1.0
        elif kind == BLAST:
            weight = 0.3 if s.reach[place >> 6] & bit(place) != U(0) else 0.05
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


# --- the report's greedy agent --------------------------------------------------------------------------------------


@helper
def greedy_goal(s, seat):
    """The report's goal: the nugget if known, the third objective if two are plain, else the middle one."""
    if s.seen[seat] >> s.nugget & 1:
        return np.int64(s.nugget)
    if popcount(s.seen[seat]) == 2:
        return lowest(U(7 & ~np.int64(s.seen[seat])))
    return np.int64(1)


@helper
def spot_distance(laid, cell, goal):
    """The least distance from an open spot of a tile's 3 x 3 picture to the middle of the goal's."""
    down = 3 * ((GOALS[goal] >> 4) - (cell >> 4))
    right = 3 * ((GOALS[goal] & 15) - (cell & 15))
    least = abs(down) + abs(right)  # the centre; only tiles with an open one are asked about
    for d in range(4):
        if SIDES[laid] >> d & 1:
            south, east = (d == 2) - (d == 0), (d == 1) - (d == 3)
            least = min(least, abs(down - south) + abs(right - east))
    return least


@helper
def is_joined(w, cell):
    """Does a tile with an open centre, legally laid on this cell, join the entrance?"""
    return w.front[cell >> 6] & bit(cell) != U(0)


@helper
def suits_row(laid, cell):
    """The report's wish: on row 11 tiles with a vertical path, on row 12 those with a horizontal one."""
    row = (cell >> 4) - 1
    if row == 11:
        return SIDES[laid] & 5 == 5
    return row != 12 or SIDES[laid] & 10 == 10


@helper
def greedy_tile(s, w, n, goal, picky):
    """Of the n moves in w.buf the connected valid tile nearest to the goal; -2 if none connects, NO_MOVE without any."""
    best = 10_000
    m = np.int64(NO_MOVE)
    for k in range(n):
        laid, cell = w.buf[k] >> 8, w.buf[k] & 255
        if laid >= LAID or not THROUGH[laid]:
            continue
        if m == NO_MOVE:
            m = np.int64(-2)
        if is_joined(w, cell) and (not picky or suits_row(laid, cell)):
            score = spot_distance(laid, cell, goal)
            if score < best:
                best = score
                m = np.int64(w.buf[k])
    return m


@helper
def greedy_drop(s, seat, known):
    """The report's order: Map when the nugget is known, Destroy, invalid tile, valid tile, Malus, Bonus."""
    best = 100
    chosen = 0
    for i in range(s.held[seat]):
        card = np.int64(s.hand[seat, i])
        if card < TILES:
            rank = 3 if THROUGH[card] else 2
        elif card == MAP:
            rank = 0 if known else 6
        else:
            rank = 1 if card == DESTROY else 4 if card == MALUS else 5
        if rank < best:
            best = rank
            chosen = i
    return np.int64((ACT << 8) + DROP + chosen)


@helper
def greedy_map(s, seat):
    """The left objective first, then the middle one: after two looks the nugget is known."""
    return np.int64((LOOK << 8) + (0 if not s.seen[seat] & 1 else 1 if not s.seen[seat] & 2 else 2))


@helper
def any_drop(s, w, seat):
    return np.int64((ACT << 8) + DROP + random_below(w, s.held[seat]))


@helper
def clear_way(s, w):
    """Destroys a dead end that lies just ahead of a path: the obstacle the report could only walk around."""
    for missing in range(2, 6):
        for i in range(4):
            cells = ends_at(w, missing, i)
            while cells:
                cell = 64 * i + lowest(cells)
                cells &= cells - U(1)
                for d in (2, 1, 3):
                    other = neighbour(cell, d)
                    laid = np.int64(s.tiles[other]) - 1
                    if 0 <= laid < LAID and not THROUGH[laid]:
                        return np.int64((BLAST << 8) + other)
    return np.int64(NO_MOVE)


class Greedy(NamedTuple):
    """The agent of the published report; with `destroy` also what its authors wished they had done."""

    destroy: int = 0

    def pick(self, game, s, w):
        me = np.int64(s.turn)
        missing = look(s, w, me)
        known = popcount(w.targets) == 1
        cards = cards_held(s, me)
        free = s.malus[me] == 0
        if self.destroy and free and missing == 1:
            m = step_on(s, w, me, 1)
            if m != NO_MOVE:
                return m
        if not free and cards >> BONUS & 1:
            return act(BONUS)
        if cards >> MALUS & 1 and s.malus[1 - me] == 0:
            return act(MALUS)
        if self.destroy and missing == 1 and s.malus[1 - me] == 0:
            m = shut(s, w, me) if free else np.int64(NO_MOVE)
            if m == NO_MOVE and cards >> DESTROY & 1:
                m = tear(s, w)
            if m != NO_MOVE:
                return m
        if cards >> MAP & 1 and not known:
            return greedy_map(s, me)
        if not free:
            return greedy_drop(s, me, known)
        if self.destroy and w.cut and missing < FAR:
            m = step_on(s, w, me, missing)  # mends the path, or goes on where a lost piece leads
            if m != NO_MOVE:
                return m
        goal = greedy_goal(s, me)
        n = game.moves(s, w)
        m = greedy_tile(s, w, n, goal, self.destroy != 0)
        if self.destroy and m < 0:
            m = max(m, greedy_tile(s, w, n, goal, False))
        if self.destroy and m < 0 and cards >> DESTROY & 1:
            m = max(m, clear_way(s, w))
        if m == -2:
            return any_drop(s, w, me)
        return m if m != NO_MOVE else greedy_drop(s, me, known)

    def prior(self, game, s, w, n):
        level(w, n)

    def value(self, game, s, seat, w):
        return game.evaluate(s, seat, w)


POLICIES = {"careful": Careful, "greedy": Greedy}
