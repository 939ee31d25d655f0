"""The Quoridor board as sets of cells: floods, distances, shortest paths.

Cells are numbered row by row from a1, eleven to a row whatever the width, so that one set of constants serves all boards:

      9 |  88  89  90 ...  96        a cell's neighbours:       +11
        |                                                    -1  c  +1
      2 |  11  12  13 ...  19                                   -11
      1 |   0   1   2 ...   8
           a   b   c       i

A set of cells is two 64-bit words, cells 0-63 and 64-120; functions take and return such pairs as `a, b`. The same
number names the corner to the upper right of a cell, where a wall anchored at that cell has its middle.

Pawns do not block a path: the rules ask whether walls leave one.
"""

import numpy as np

from daedalus.core import ONE, ZERO, U, helper, lowest

STRIDE = 11
UP, REST, LAST = U(STRIDE), U(64 - STRIDE), U(63)
NORTH, SOUTH, EAST, WEST = 0, 1, 2, 3
STEP = np.array([STRIDE, -STRIDE, 1, -1])
ASIDE = np.array([EAST, EAST, NORTH, NORTH])  # the first of the two directions across
LONGEST = 121  # no path has more steps
H, V = 128, 256  # where the numbers of horizontal and vertical walls begin
CELL = 127  # the cell or anchor of a move: m & CELL


def _words(cells):
    """A list of cells as the two words of a set."""
    both = sum(1 << cell for cell in cells)
    return [both & (2**64 - 1), both >> 64]


ROWS = np.array([_words(range(STRIDE * row, STRIDE * (row + 1))) for row in range(STRIDE)], np.uint64)
FILES = np.array([_words(range(file, STRIDE * STRIDE, STRIDE)) for file in range(STRIDE)], np.uint64)


# --- sets of cells --------------------------------------------------------------------------------------------------


@helper
def only(c):
    """The set of one cell."""
    return (ONE << U(c), ZERO) if c < 64 else (ZERO, ONE << U(c - 64))


@helper
def has(a, b, c):
    """1 if the set holds cell c, else 0; selects instead of branches."""
    near = c < 64
    return np.int64(((a if near else b) >> U(c if near else c - 64)) & ONE)


@helper
def first(a, b):
    """The lowest cell of a set that is not empty."""
    return lowest(a) if a != ZERO else 64 + lowest(b)


@helper
def north(a, b):
    """The set moved one row up."""
    return a << UP, (b << UP) | (a >> REST)


@helper
def south(a, b):
    return (a >> UP) | (b << REST), b >> UP


@helper
def east(a, b):
    return a << ONE, (b << ONE) | (a >> LAST)


@helper
def west(a, b):
    return (a >> ONE) | (b << LAST), b >> ONE


@helper
def goal(game, seat, seats):
    """The cells where a seat wins: the side opposite to where it starts."""
    side = seat * (4 // seats)  # 0 starts below, 1 on the left, 2 above, 3 on the right
    if side == 0:
        return ROWS[game.height - 1, 0], ROWS[game.height - 1, 1]
    if side == 1:
        return FILES[game.width - 1, 0], FILES[game.width - 1, 1]
    if side == 2:
        return ROWS[0, 0], ROWS[0, 1]
    return FILES[0, 0], FILES[0, 1]


# --- floods: n0, n1 the cells whose north edge is open, e0, e1 those whose east edge is -----------------------------


@helper
def grown(a, b, n0, n1, e0, e1):
    """The set with all cells one step away."""
    na = a & n0
    ea = a & e0
    x = a | (na << UP) | (((a >> UP) | (b << REST)) & n0) | (ea << ONE) | (((a >> ONE) | (b << LAST)) & e0)
    y = b | ((b & n1) << UP) | (na >> REST) | ((b >> UP) & n1) | ((b & e1) << ONE) | (ea >> LAST) | ((b >> ONE) & e1)
    return x, y


@helper
def swept(a, b, n0, n1, e0, e1):
    """The set with all cells one step up or down and then one aside away: quicker than `grown` when steps do not count."""
    na = a & n0
    x = a | (na << UP) | (((a >> UP) | (b << REST)) & n0)
    y = b | ((b & n1) << UP) | (na >> REST) | ((b >> UP) & n1)
    ea = x & e0
    p = x | (ea << ONE) | (((x >> ONE) | (y << LAST)) & e0)
    q = y | ((y & e1) << ONE) | (ea >> LAST) | ((y >> ONE) & e1)
    return p, q


@helper
def flooded(a, b, g0, g1, n0, n1, e0, e1):
    """The set swept until it meets the goal; the empty set if it never does."""
    while (a & g0) | (b & g1) == ZERO:
        x, y = swept(a, b, n0, n1, e0, e1)
        if x == a and y == b:
            return ZERO, ZERO
        a = x
        b = y
    return a, b


@helper
def steps(a, b, g0, g1, n0, n1, e0, e1):
    """How many steps lie between two sets; -1 if they are cut off."""
    count = 0
    while (a & g0) | (b & g1) == ZERO:
        x, y = grown(a, b, n0, n1, e0, e1)
        if x == a and y == b:
            return -1
        a = x
        b = y
        count += 1
    return count


@helper
def distance(game, s, seat):
    """The length of a shortest path of a seat to its goal."""
    a, b = only(s.pawn[seat])
    g0, g1 = goal(game, seat, s.pawn.size)
    return steps(a, b, g0, g1, s.n0, s.n1, s.e0, s.e1)


@helper
def flood(game, s, seat, w):
    """Steps from a seat's pawn to its goal; place k of w.low and w.high holds the cells within k steps of the goal."""
    a, b = goal(game, seat, s.pawn.size)
    p, q = only(s.pawn[seat])
    k = 0
    while (a & p) | (b & q) == ZERO and k < LONGEST:
        w.low[k] = a
        w.high[k] = b
        a, b = grown(a, b, s.n0, s.n1, s.e0, s.e1)
        k += 1
    return k


@helper
def shortest_path(game, s, seat, w):
    """The cells of one shortest path of a seat, pawn and goal included; w.low and w.high keep the flood from the goal.

    Open edges between two of these cells all belong to the path: any other would be a short cut.
    """
    k = flood(game, s, seat, w)
    p, q = only(s.pawn[seat])
    a = p
    b = q
    while k > 0:
        k -= 1
        x, y = grown(p, q, s.n0, s.n1, s.e0, s.e1)
        p = x & w.low[k]
        q = y & w.high[k]
        p, q = (p & (~p + ONE), ZERO) if p != ZERO else (ZERO, q & (~q + ONE))
        a |= p
        b |= q
    return a, b


@helper
def shortest_paths(game, s, seat, w):
    """The cells of all shortest paths of a seat, pawn and goals included; w.low and w.high keep the flood from the goal."""
    k = flood(game, s, seat, w)
    p, q = only(s.pawn[seat])
    a = p
    b = q
    while k > 0:
        k -= 1
        x, y = grown(p, q, s.n0, s.n1, s.e0, s.e1)
        p = x & w.low[k]
        q = y & w.high[k]
        a |= p
        b |= q
    return a, b


@helper
def cutters(a, b, n0, n1, e0, e1):
    """The anchors of walls that would close an open edge between two cells of a set: (horizontal pair, vertical pair)."""
    x, y = south(a, b)
    h0 = a & x & n0
    h1 = b & y & n1
    x, y = west(a, b)
    v0 = a & x & e0
    v1 = b & y & e1
    x, y = west(h0, h1)
    p, q = south(v0, v1)
    return h0 | x, h1 | y, v0 | p, v1 | q
