"""The moves for two that deserve a look, with the distances they lead to, best first.

A wall matters if it lies across the opponent's shortest paths or near the action. The distances are found here, once:
for a wall that may lengthen a way the new distance is also the check of the rule, all others leave it as it is.
"""

import numpy as np

from daedalus.core import ONE, ZERO, U, helper, lowest

from .bitboards import LONGEST, cutters, east, goal, grown, has, north, only, south, steps, west
from .rules import H, V, pawn_moves

FAR = LONGEST + 1  # the distance of who is cut off; such a wall is never listed
FIRST = 10_000_000  # the rank of the move that was best before


# --- ways to the goal -------------------------------------------------------------------------------------------------


@helper
def layers(game, s, seat, w, length):
    """Floods from a seat's goal into w.low, w.high: place k holds the cells within k steps of it, up to `length`."""
    a, b = goal(game, seat, 2)
    for k in range(length + 1):
        w.low[k] = a
        w.high[k] = b
        a, b = grown(a, b, s.n0, s.n1, s.e0, s.e1)


@helper
def away(w, c, length):
    """How many steps cell c is from the goal whose layers w holds, at most two more than `length`."""
    for k in range(max(length - 2, 0), length + 2):
        if has(w.low[k], w.high[k], c) != 0:
            return k
    return length + 2


@helper
def roads(s, c, w, length):
    """The cells of all shortest paths from cell c, `length` steps from the goal whose layers w holds."""
    a, b = only(c)
    p, q = a, b
    for k in range(length - 1, -1, -1):
        p, q = grown(p, q, s.n0, s.n1, s.e0, s.e1)
        p &= w.low[k]
        q &= w.high[k]
        a |= p
        b |= q
    return a, b


@helper
def lowest_of(a, b):
    """The lowest cell of a set, as a set."""
    return (a & (~a + ONE), ZERO) if a != ZERO else (ZERO, b & (~b + ONE))


@helper
def another_of(a, b):
    """A cell of a set, as a set; not the lowest one if there are two."""
    rest = a & (a - ONE)
    if rest != ZERO or b == ZERO:
        return lowest_of(rest if rest != ZERO else a, ZERO)
    rest = b & (b - ONE)
    return lowest_of(ZERO, rest if rest != ZERO and a == ZERO else b)


@helper
def blockers(s, c, w, length):
    """The places of walls that may lengthen the way from cell c, `length` steps from the goal whose layers w holds.

    They cut two shortest paths, chosen to differ where they can; any other wall leaves one of them open.
    """
    p, q = only(c)
    x, y = p, q
    a0, a1, b0, b1 = p, q, p, q
    for k in range(length - 1, -1, -1):
        p, q = grown(p, q, s.n0, s.n1, s.e0, s.e1)
        p, q = lowest_of(p & w.low[k], q & w.high[k])
        x, y = grown(x, y, s.n0, s.n1, s.e0, s.e1)
        x, y = another_of(x & w.low[k], y & w.high[k])
        a0 |= p
        a1 |= q
        b0 |= x
        b1 |= y
    h0, h1, v0, v1 = cutters(a0, a1, s.n0, s.n1, s.e0, s.e1)
    i0, i1, u0, u1 = cutters(b0, b1, s.n0, s.n1, s.e0, s.e1)
    return h0 & i0, h1 & i1, v0 & u0, v1 & u1


@helper
def distance_after(game, s, seat, m):
    """The distance of a seat once wall m stands; FAR if it would be cut off."""
    a, b = only(m & 127)
    p, q = only(s.pawn[seat])
    g0, g1 = goal(game, seat, 2)
    if m < V:
        x, y = east(a, b)
        d = steps(p, q, g0, g1, s.n0 & ~(a | x), s.n1 & ~(b | y), s.e0, s.e1)
    else:
        x, y = north(a, b)
        d = steps(p, q, g0, g1, s.n0, s.n1, s.e0 & ~(a | x), s.e1 & ~(b | y))
    return FAR if d < 0 else d


# --- places near the action -------------------------------------------------------------------------------------------


@helper
def near_pawns(s):
    """Anchors of walls within two steps of a pawn."""
    a, b = only(s.pawn[0])
    p, q = only(s.pawn[1])
    a |= p
    b |= q
    full = ~ZERO
    for _ in range(2):
        a, b = grown(a, b, full, full, full, full)
    x, y = west(a, b)
    a |= x
    b |= y
    x, y = south(a, b)
    return a | x, b | y


@helper
def beside_walls(s):
    """Anchors of walls that would touch a wall: (horizontal pair, vertical pair)."""
    p, q = east(s.h0, s.h1)
    x, y = west(s.h0, s.h1)
    a = s.h0 | p | x | s.v0
    b = s.h1 | q | y | s.v1
    p, q = north(s.v0, s.v1)
    x, y = south(s.v0, s.v1)
    a |= p | x
    b |= q | y  # the corners that walls touch
    p, q = east(a, b)
    x, y = west(a, b)
    h0, h1 = a | p | x, b | q | y
    p, q = north(a, b)
    x, y = south(a, b)
    return h0, h1, a | p | x, b | q | y


# --- the list of a frame (see pvs.py) -----------------------------------------------------------------------------


@helper
def rank_of(f, m, gain, history, side):
    """The order of a move: what it gains in steps, then what refuted before."""
    rank = 1000 * gain - (0 if m < H else 700) + history[side, m] // 8
    if m == f.killer[0]:
        rank += 900
    elif m == f.killer[1]:
        rank += 800
    return rank


@helper
def add_move(f, m, rank, mine, theirs):
    n = f.count
    f.move[n] = m
    f.rank[n] = rank
    f.after_mine[n] = mine
    f.after_theirs[n] = theirs
    f.count = n + 1


@helper
def add_walls(game, s, f, places, word, cut, history):
    """Adds the walls at `places`, one of the four words; `cut` tells which may lengthen the opponent's way."""
    me = s.turn
    ours = f.own[word]
    while places != ZERO:
        i = lowest(places)
        places &= places - ONE
        m = H + 64 * word + i
        theirs = distance_after(game, s, 1 - me, m) if (cut >> U(i)) & ONE != ZERO else np.int64(f.theirs)
        if theirs == FAR:
            continue
        mine = distance_after(game, s, me, m) if (ours >> U(i)) & ONE != ZERO else np.int64(f.mine)
        if mine == FAR:
            continue
        gain = (theirs - f.theirs) - (mine - f.mine)
        if m == f.first:
            add_move(f, m, FIRST, mine, theirs)
        elif gain >= -1:
            add_move(f, m, rank_of(f, m, gain, history, me), mine, theirs)


@helper
def note_place(f, m):
    """Puts wall m, which proved good elsewhere, among the places to list."""
    if m >= H:
        f.listed[(m - H) // 64] |= ONE << U((m - H) % 64)


@helper
def list_moves(game, s, w, f, history):
    """All pawn moves, the walls that cut the opponent's roads, and walls that proved good before."""
    me = s.turn
    f.count = 0
    f.quiet = f.depth < 2 or s.stock[me] == 0
    layers(game, s, me, w, f.mine + 1)
    for i in range(pawn_moves(game, s, w)):
        m = w.buf[i]
        mine = away(w, m, f.mine)
        add_move(f, m, FIRST if m == f.first else rank_of(f, m, f.mine - mine, history, me), mine, f.theirs)
    if s.stock[me] == 0:
        return
    f.own[0], f.own[1], f.own[2], f.own[3] = blockers(s, s.pawn[me], w, f.mine)
    layers(game, s, 1 - me, w, f.theirs)
    h0, h1, v0, v1 = blockers(s, s.pawn[1 - me], w, f.theirs)
    a, b = roads(s, s.pawn[1 - me], w, f.theirs)
    f.listed[0], f.listed[1], f.listed[2], f.listed[3] = cutters(a, b, s.n0, s.n1, s.e0, s.e1)
    note_place(f, f.first)
    note_place(f, f.killer[0])
    note_place(f, f.killer[1])
    add_walls(game, s, f, f.listed[0] & s.hfree0, 0, h0, history)
    add_walls(game, s, f, f.listed[1] & s.hfree1, 1, h1, history)
    add_walls(game, s, f, f.listed[2] & s.vfree0, 2, v0, history)
    add_walls(game, s, f, f.listed[3] & s.vfree1, 3, v1, history)


@helper
def list_quiet_walls(game, s, f, history):
    """The walls near the action that cut no road of the opponent."""
    f.quiet = True
    a, b = near_pawns(s)
    h0, h1, v0, v1 = beside_walls(s)
    add_walls(game, s, f, (a | h0) & s.hfree0 & ~f.listed[0], 0, ZERO, history)
    add_walls(game, s, f, (b | h1) & s.hfree1 & ~f.listed[1], 1, ZERO, history)
    add_walls(game, s, f, (a | v0) & s.vfree0 & ~f.listed[2], 2, ZERO, history)
    add_walls(game, s, f, (b | v1) & s.vfree1 & ~f.listed[3], 3, ZERO, history)


@helper
def bring_best(f):
    """Swaps the best move not yet searched to `place`."""
    top = f.place
    for i in range(f.place + 1, f.count):
        if f.rank[i] > f.rank[top]:
            top = i
    here = f.place
    m, r, p, q = f.move[top], f.rank[top], f.after_mine[top], f.after_theirs[top]
    f.move[top], f.rank[top] = f.move[here], f.rank[here]
    f.after_mine[top], f.after_theirs[top] = f.after_mine[here], f.after_theirs[here]
    f.move[here], f.rank[here], f.after_mine[here], f.after_theirs[here] = m, r, p, q
