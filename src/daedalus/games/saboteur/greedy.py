# mypy: ignore-errors
"""The agent of the published report (seed 003), and what its authors wished they had done.

Goal, malus, map, then the connected valid tile nearest to the goal, else a drop; a valid tile is one that leads through.
Where the report leaves a tie open, the first move in the order of the rules is taken.
"""

from typing import NamedTuple

import numpy as np

from daedalus.core import U, helper, lowest, popcount, random_below
from daedalus.search.policies import level

from .policies import NO_MOVE, act, shut, step_on, tear
from .race import FAR, ends_at, look
from .rules import ACT, BLAST, DROP, LOOK, cards_held
from .terms import BONUS, DESTROY, GOALS, LAID, MALUS, MAP, SIDES, THROUGH, TILES, bit, neighbour

UNJOINED = -2  # there are valid tiles to lay, but none is connected to the entrance


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
    """Of the n moves in w.buf the connected valid tile nearest to the goal; UNJOINED if none connects, NO_MOVE without any."""
    best = 10_000
    m = np.int64(NO_MOVE)
    for k in range(n):
        laid, cell = w.buf[k] >> 8, w.buf[k] & 255
        if laid >= LAID or not THROUGH[laid]:
            continue
        if m == NO_MOVE:
            m = np.int64(UNJOINED)
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
        if m == UNJOINED:
            return any_drop(s, w, me)
        return m if m != NO_MOVE else greedy_drop(s, me, known)

    def prior(self, game, s, w, n):
        level(w, n)

    def value(self, game, s, seat, w):
        return game.evaluate(s, seat, w)
