"""How simple players move: along a shortest path, now and then with any move, or by the six rules of Hoľa (2016).

They are rollout policies too, so that a search can play thousands of such games a second.
"""

from typing import NamedTuple

import numpy as np

from daedalus.core import ZERO, helper, nth_bit, popcount, random_below, random_unit
from daedalus.search.kernels.policies import level

from .bitboards import LONGEST, cutters, distance, first, goal, grown, has, only, shortest_path
from .rules import drawn_wall, in_contact, pawn_moves


@helper
def pawn_targets(game, s, w):
    """The cells where the pawn to move can go, as a set."""
    c = s.pawn[s.turn]
    p, q = only(c)
    if not in_contact(s, s.turn):
        a, b = grown(p, q, s.n0, s.n1, s.e0, s.e1)
        return a & ~p, b & ~q
    a = ZERO
    b = ZERO
    for i in range(pawn_moves(game, s, w)):
        x, y = only(w.buf[i])
        a |= x
        b |= y
    return a, b


@helper
def path_step(game, s, w):
    """The pawn move that leads nearest to the goal; of several any, with the same chance."""
    p, q = pawn_targets(game, s, w)
    if p | q == ZERO:  # boxed in
        return np.int64(s.pawn[s.turn])
    a, b = goal(game, s.turn, s.pawn.size)
    while (a & p) | (b & q) == ZERO:
        a, b = grown(a, b, s.n0, s.n1, s.e0, s.e1)
    return drawn(a & p, b & q, w)


@helper
def drawn(a, b, w):
    """Any cell of a set that is not empty."""
    low = popcount(a)
    total = low + popcount(b)
    if total == 1:
        return np.int64(first(a, b))
    k = random_below(w, total)
    return np.int64(nth_bit(a, k)) if k < low else np.int64(64 + nth_bit(b, k - low))


@helper
def has_walls(s):
    return s.stock[s.turn] > 0


@helper
def front_runner(game, s):
    """The rival of the seat to move that is nearest to its goal; of equals the one that moves first."""
    seats = s.pawn.size
    best = (s.turn + 1) % seats
    if seats > 2:
        least = LONGEST
        for k in range(1, seats):
            rival = (s.turn + k) % seats
            far = distance(game, s, rival)
            if far < least:
                least = far
                best = rival
    return best


class Path(NamedTuple):
    """A step of a shortest path; while there are walls, one move in `stray` is any legal move instead (0: none is)."""

    stray: int = 4

    def pick(self, game, s, w):
        if self.stray > 0 and has_walls(s) and random_below(w, self.stray) == 0:
            return game.random_move(s, w)
        return path_step(game, s, w)

    def prior(self, game, s, w, n):
        level(w, n)


class Heuristic(NamedTuple):
    """The six rules of the HeuristicPlayer of Hoľa (2016, section 4.6)."""

    patience: float = 0.6

    def pick(self, game, s, w):
        me = s.turn
        seats = s.pawn.size
        start0, start1 = goal(game, (me + seats // 2) % seats, seats)  # the side it came from is the goal of whom it faces
        if not has_walls(s) or has(start0, start1, s.pawn[me]) != 0 or distance(game, s, me) <= 1:
            return path_step(game, s, w)
        rival = front_runner(game, s)
        a, b = shortest_path(game, s, rival, w)
        h0, h1, v0, v1 = cutters(a, b, s.n0, s.n1, s.e0, s.e1)
        h0 &= s.hfree0
        h1 &= s.hfree1
        v0 &= s.vfree0
        v1 &= s.vfree1
        if popcount(h0) + popcount(h1) + popcount(v0) + popcount(v1) > 2 and random_unit(w) < self.patience:
            return path_step(game, s, w)
        a, b = shortest_path(game, s, me, w)
        x0, x1, y0, y1 = cutters(a, b, s.n0, s.n1, s.e0, s.e1)
        m = drawn_wall(game, s, h0 & ~x0, h1 & ~x1, v0 & ~y0, v1 & ~y1, 0, w)
        return m if m >= 0 else path_step(game, s, w)

    def prior(self, game, s, w, n):
        level(w, n)


POLICIES = {"path": Path, "heuristic": Heuristic}
