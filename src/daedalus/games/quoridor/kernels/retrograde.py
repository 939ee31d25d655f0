"""Kernels that solve small boards exactly, one layer of wall sets at a time.

Walls are only ever added, so the sets of n walls depend on those of n + 1 alone. With the walls fixed, what remains is
a graph of pawns and turn, with cycles; it is solved backwards from its ends until nothing changes, and what is left is a
draw. A wall set is a mask over the places of the board; tables hold one byte for (wall set, pawn, pawn, turn).
"""

import numpy as np

from daedalus.core import ONE, ZERO, U, helper, kernel, lowest

from .bitboards import goal, grown, has
from .rules import pawn_moves, put_wall

DRAWN, WON, LOST, BARRED = 0, 1, 2, 3  # for the side to move; BARRED: a pawn without a path, no position of the game


@kernel
def larger(sets, conflicts, count, out):
    """All sets of one wall more, each once: walls are added in the order of their places. Returns how many."""
    n = 0
    for i in range(sets.size):
        taken = sets[i]
        top = 0
        rest = taken
        blocked = ZERO
        while rest != ZERO:
            place = lowest(rest)
            blocked |= conflicts[place]
            top = place + 1
            rest &= rest - ONE
        for place in range(top, count):
            if (blocked >> U(place)) & ONE == ZERO:
                if n < out.size:
                    out[n] = taken | (ONE << U(place))
                n += 1
    return n


@helper
def found(sets, mask):
    """The index of a set in the sorted list; it is there."""
    low = 0
    high = sets.size - 1
    while low < high:
        middle = (low + high) >> 1
        if sets[middle] < mask:
            low = middle + 1
        else:
            high = middle
    return low


@helper
def build(s, walls, mask):
    """Puts the walls of a set on the empty board s."""
    while mask != ZERO:
        put_wall(s, walls[lowest(mask)])
        mask &= mask - ONE


@helper
def exits(sets, i, conflicts, places, bigger, next_to):
    """Fills next_to[place] with the index of the larger set, -1 where no wall fits."""
    blocked = ZERO
    rest = sets[i]
    while rest != ZERO:
        blocked |= conflicts[lowest(rest)]
        rest &= rest - ONE
    for place in range(places):
        if (blocked >> U(place)) & ONE == ZERO:
            next_to[place] = found(bigger, sets[i] | (ONE << U(place)))
        else:
            next_to[place] = -1


@helper
def by_wall(next_to, places, after, p, q, turn):
    """The best a wall can do: WON, DRAWN, LOST for the mover; BARRED if it can place none."""
    best = BARRED
    for place in range(places):
        j = next_to[place]
        if j < 0:
            continue
        reply = after[j, p, q, 1 - turn]
        if reply == LOST:
            return WON
        if reply == DRAWN:
            best = DRAWN
        elif reply == WON and best == BARRED:
            best = LOST
    return best


@helper
def by_pawn(game, s, w, p, q, turn, values, i, number, best):
    """The same with pawn moves too, `best` so far; s holds the walls, `number` the place of each cell in the tables."""
    n = pawn_moves(game, s, w)
    g0, g1 = goal(game, turn, 2)
    for k in range(n):
        cell = w.buf[k]
        if has(g0, g1, cell) != 0:
            return WON
        to = number[cell]
        reply = (values[i, to, q, 1 - turn] if turn == 0 else values[i, p, to, 1 - turn]) & 3
        if reply == LOST:
            return WON
        if reply == DRAWN:
            best = DRAWN
        elif best == BARRED:
            best = LOST
    return best


@kernel
def solve_sets(game, S, W, walls, conflicts, cells, number, sets, begin, end, bigger, after0, after1, stock0, stock1, values):
    """Solves the sets begin..end-1 with these stocks into `values`; after0/after1: the larger sets if seat 0/1 places.

    S[0] is the empty board, S[1] scratch. A value only ever changes from DRAWN to WON or LOST.
    """
    w = W[0]
    places = walls.size
    next_to = w.buf  # lent for a while: a set has fewer places than the buffer
    for i in range(begin, end):
        S[1] = S[0]
        s = S[1]
        build(s, walls, sets[i])
        bar(game, s, cells, values, i)
        if stock0 > 0 or stock1 > 0:
            exits(sets, i, conflicts, places, bigger, next_to)
        for p in range(cells.size):
            for q in range(cells.size):
                for turn in range(2):
                    if values[i, p, q, turn] == BARRED:
                        continue
                    best = BARRED
                    if turn == 0 and stock0 > 0:
                        best = by_wall(next_to, places, after0, p, q, turn)
                    elif turn == 1 and stock1 > 0:
                        best = by_wall(next_to, places, after1, p, q, turn)
                    # kept in the table's upper bits until the pawns have been looked at
                    values[i, p, q, turn] = (best << 2) | (WON if best == WON else DRAWN)
        changed = True
        while changed:
            changed = False
            for p in range(cells.size):
                for q in range(cells.size):
                    for turn in range(2):
                        kept = np.int64(values[i, p, q, turn])
                        if kept == BARRED or kept & 3 != DRAWN:
                            continue
                        s.pawn[0] = cells[p]
                        s.pawn[1] = cells[q]
                        s.turn = turn
                        result = by_pawn(game, s, w, p, q, turn, values, i, number, kept >> 2)
                        if result != DRAWN:
                            values[i, p, q, turn] = (kept & 12) | result
                            changed = True
        for p in range(cells.size):
            for q in range(cells.size):
                for turn in range(2):
                    if values[i, p, q, turn] != BARRED:
                        values[i, p, q, turn] &= 3


@helper
def bar(game, s, cells, values, i):
    """Marks the positions in which a pawn has no path, stands on its goal, or both stand on one cell."""
    for seat in range(2):
        a, b = goal(game, seat, 2)
        g0, g1 = a, b
        while True:
            x, y = grown(a, b, s.n0, s.n1, s.e0, s.e1)
            if x == a and y == b:
                break
            a = x
            b = y
        for k in range(cells.size):
            stuck = has(a, b, cells[k]) == 0 or has(g0, g1, cells[k]) != 0
            if stuck:
                for other in range(cells.size):
                    for turn in range(2):
                        if seat == 0:
                            values[i, k, other, turn] = BARRED
                        else:
                            values[i, other, k, turn] = BARRED
    for k in range(cells.size):
        values[i, k, k, 0] = BARRED
        values[i, k, k, 1] = BARRED
