"""The agent of Cai and Xia (2020), and what they wished they had done.

Goal, malus, map, then the connected valid tile nearest to the goal, else a drop; a valid tile is one that leads through.
Where the report leaves a tie open, the first move in the order of the rules is taken.
"""

from typing import NamedTuple

import numpy as np

from daedalus.core import ONE, ZERO, U, helper, lowest, popcount, random_below
from daedalus.core.kernels.bitsets import both, holds
from daedalus.search.kernels.policies import level

from .board import is_free
from .policies import NO_MOVE, act, shut, step_on, tear
from .race import FAR, LEVELS, cells_near, look
from .rules import ACT, BLAST, DROP, LOOK, cards_held, lain
from .tiles import BONUS, CENTRE, DESTROY, GOALS, LAID, MALUS, MAP, OBJECTIVE, SIDES, THROUGH, TILES, neighbour, opened

UNJOINED = -2  # there are valid tiles to lay, but none is connected to the entrance
NOWHERE = 10_000  # farther than any distance
SPOTS, CENTRES, ENDS, NOTHING = range(4)  # what the distance of a tile to the goal is measured from
IGNORED, PREFERRED, REQUIRED = range(3)  # the wish for vertical tiles on row 11 and horizontal ones on row 12


@helper
def greedy_goal(s, seat):
    """The report's goal: the nugget if known, the third objective if two are plain, else the middle one."""
    if s.seen[seat] >> s.nugget & 1:
        return np.int64(s.nugget)
    if popcount(s.seen[seat]) == 2:
        return lowest(U(7 & ~np.int64(s.seen[seat])))
    return np.int64(1)


@helper
def is_new_end(s, cell):
    """Would a way onto this cell be an open end: is it empty, or an objective that no path has reached?"""
    return is_free(s, cell) or (s.tiles[cell] == OBJECTIVE + 1 and not holds(s, "reach", cell))


@helper
def distance(s, w, laid, cell, goal, measure):
    """From a tile's open spots in its 3 x 3 picture to the middle of the goal's, the least; or as `measure` says."""
    if measure == NOTHING:
        return random_below(w, NOWHERE)
    down = 3 * ((GOALS[goal] >> 4) - (cell >> 4))
    right = 3 * ((GOALS[goal] & 15) - (cell & 15))
    if measure == CENTRES:
        return abs(down) + abs(right)
    least = abs(down) + abs(right) if measure == SPOTS and CENTRE[laid] else NOWHERE
    for d in range(4):
        if SIDES[laid] >> d & 1 and (measure == SPOTS or is_new_end(s, neighbour(cell, d))):
            south, east = (d == 2) - (d == 0), (d == 1) - (d == 3)
            least = min(least, abs(down - south) + abs(right - east))
    return least


@helper
def is_joined(w, cell):
    """Does a tile with an open centre, legally laid on this cell, join the entrance?"""
    return holds(w, "front", cell)


@helper
def suits_row(laid, cell):
    """The report's wish: on row 11 tiles with a vertical path, on row 12 those with a horizontal one."""
    row = (cell >> 4) - 1
    if row == 11:
        return SIDES[laid] & 5 == 5
    return row != 12 or SIDES[laid] & 10 == 10


@helper
def greedy_tile(policy, s, w, n, goal, picky):
    """Of the n moves in w.buf the connected valid tile nearest to the goal; UNJOINED if none connects, NO_MOVE without any."""
    best = NOWHERE
    m = np.int64(NO_MOVE)
    for k in range(n):
        laid, cell = w.buf[k] >> 8, w.buf[k] & 255
        if laid >= LAID or (policy.valid and not THROUGH[laid]):
            continue
        if m == NO_MOVE:
            m = np.int64(UNJOINED)
        if (is_joined(w, cell) or not policy.connected) and (not picky or suits_row(laid, cell)):
            score = distance(s, w, laid, cell, goal, policy.measure)
            if score < best:
                best = score
                m = np.int64(w.buf[k])
    return m


@helper
def drop_rank(policy, card, known):
    """The report's order: Map when the nugget is known, Destroy, invalid tile, valid tile, Malus, Bonus; Map otherwise."""
    if card < TILES:
        return 3 if THROUGH[card] or not policy.valid else 2
    if card == MAP:
        return 0 if known or not policy.map else 6
    if card == DESTROY:
        return 4 if policy.tear or policy.clear else 1
    return 4 if card == MALUS else 5


@helper
def greedy_drop(policy, s, w, seat, known):
    """Drops the first card in that order."""
    if not policy.order:
        return any_drop(s, w, seat)
    best = 100
    chosen = 0
    for i in range(s.held[seat]):
        rank = drop_rank(policy, np.int64(s.hand[seat, i]), known)
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
def clear_way(s, w, missing):
    """Destroys the dead end that closes a path nearest to a goal, where the report could only walk around it."""
    closing = both(opened(s), lain(s))
    for steps in range(1, min(missing, LEVELS)):
        base = 0
        for word in both(closing, cells_near(w.targets, steps)):
            while word != ZERO:
                cell = base + lowest(word)
                word &= word - ONE
                if not THROUGH[np.int64(s.tiles[cell]) - 1]:
                    return np.int64((BLAST << 8) + cell)
            base += 64
    return np.int64(NO_MOVE)


@helper
def greedy_card(policy, s, w, me, missing, known):
    """The cards that come before tiles: Bonus, Malus, what stops a rival one tile from a goal, Map; NO_MOVE for none."""
    cards = cards_held(s, me)
    free = s.malus[me] == 0
    rival_free = s.malus[1 - me] == 0
    if policy.bonus and not free and cards >> BONUS & 1:
        return act(BONUS)
    if policy.malus and rival_free and cards >> MALUS & 1:
        return act(MALUS)
    m = np.int64(NO_MOVE)
    threatened = missing == 1 and rival_free and (policy.block or policy.tear)
    if threatened and not (free and step_on(s, w, me, 1) != NO_MOVE):  # unless the own tile may come first
        if policy.block and free:
            m = shut(s, w, me)
        if policy.tear and m == NO_MOVE and cards >> DESTROY & 1:
            m = tear(s, w)
    if policy.map and m == NO_MOVE and cards >> MAP & 1 and not known:
        m = greedy_map(s, me)
    return m


@helper
def greedy_way(policy, game, s, w, me, missing):
    """The tile to lay, or what clears the way for one; NO_MOVE or UNJOINED for none."""
    if policy.mend and w.cut and missing < FAR:
        m = step_on(s, w, me, missing)  # mends the path, or goes on where a lost piece leads
        if m != NO_MOVE:
            return m
    goal = greedy_goal(s, me) if policy.goal else np.int64(1)
    n = game.moves(s, w)
    m = greedy_tile(policy, s, w, n, goal, policy.rows != IGNORED)
    if policy.rows == PREFERRED and m < 0:
        m = max(m, greedy_tile(policy, s, w, n, goal, False))
    if policy.clear and m < 0 and cards_held(s, me) >> DESTROY & 1:
        m = max(m, clear_way(s, w, missing))
    return m


class Greedy(NamedTuple):
    """The agent of the published report, part by part; below, what its authors wished they had done."""

    goal: int = 1  # heads for the nugget once it is known, not always for the middle objective
    bonus: int = 1
    malus: int = 1
    map: int = 1
    valid: int = 1  # lays only tiles that lead through
    connected: int = 1  # lays only tiles that join the entrance
    measure: int = SPOTS
    order: int = 1  # drops cards in order, not any card
    finish: int = 0  # takes the win before anything else, by whichever objective may be the nugget
    block: int = 0  # shuts the last open end
    tear: int = 0  # destroys the last tile of a path that the other could finish
    mend: int = 0  # repairs a cut path
    clear: int = 0  # destroys dead ends in the way
    rows: int = IGNORED

    def pick(self, game, s, w):
        me = np.int64(s.turn)
        missing = look(s, w, me)
        known = popcount(w.targets) == 1
        m = np.int64(NO_MOVE)
        free = s.malus[me] == 0
        if self.finish and free and missing == 1:
            m = step_on(s, w, me, 1)
        if m == NO_MOVE:
            m = greedy_card(self, s, w, me, missing, known)
        if m == NO_MOVE and free:
            m = greedy_way(self, game, s, w, me, missing)
        if m == UNJOINED:
            return any_drop(s, w, me)
        return m if m != NO_MOVE else greedy_drop(self, s, w, me, known)

    def prior(self, game, s, w, n):
        level(w, n)

    def value(self, game, s, seat, w):
        return game.evaluate(s, seat, w)
