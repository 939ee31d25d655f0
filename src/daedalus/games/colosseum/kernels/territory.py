"""What rules, evaluations and agents of Colosseum Survival! ask of a board: ways, reach, zones, barriers, territory.

A board is a maze of core/kernels/bitsets.py, two sets of cells: `right` and `down`, the cells whose right and whose lower
side is open. The border is never open.
"""

import numpy as np

from daedalus.core import ONE, U, helper, lowest
from daedalus.core.kernels.bitsets import both, count, either, has, less, lowered, same, single, spread

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3


@helper
def most_steps(self):
    """How far a player may walk: the course's K = (M + 1) // 2 unless the option says otherwise."""
    return self.steps if self.steps > 0 else (self.size + 1) // 2


# --- one cell -------------------------------------------------------------------------------------------------------


@helper
def open_sides(s, i, size):
    """The open sides of cell i as bits: 1 up, 2 right, 4 down, 8 left."""
    sides = np.int64((s.right[i >> 6] >> U(i & 63)) & ONE) << 1
    sides |= np.int64((s.down[i >> 6] >> U(i & 63)) & ONE) << 2
    if i >= size:
        above = i - size
        sides |= np.int64((s.down[above >> 6] >> U(above & 63)) & ONE)
    if i > 0:
        before = i - 1
        sides |= np.int64((s.right[before >> 6] >> U(before & 63)) & ONE) << 3
    return sides


@helper
def neighbour(i, d, size):
    """The cell on side d of cell i."""
    return i + (size if d == DOWN else -size if d == UP else 1 if d == RIGHT else -1)


@helper
def toward(i, j, size):
    """The side of cell i that faces the neighbouring cell j, as a bit; 0 if j is no neighbour in number."""
    return (i - j == size) | (j - i == 1) << 1 | (j - i == size) << 2 | (i - j == 1) << 3


@helper
def nth_side(sides, k):
    """The k-th of the sides in a mask, counted from 0."""
    while k > 0:
        sides &= sides - 1
        k -= 1
    return lowest(sides)


# --- sets of cells --------------------------------------------------------------------------------------------------


@helper
def reach(right, down, size, at, other, steps):
    """The cells where a player at cell `at` may end after at most `steps` steps, never entering the cell `other`."""
    x = single(right, at)
    blocked = single(right, other)
    for _ in range(steps):
        wider = less(spread(x, right, down, size), blocked)
        if same(wider, x):
            break
        x = wider
    return x


@helper
def zone(right, down, size, at):
    """The cells connected with cell `at`; players do not block."""
    x = single(right, at)
    while True:
        wider = spread(x, right, down, size)
        if same(wider, x):
            return x
        x = wider


@helper
def connected(right, down, size, a, b):
    """Is there a way from cell a to cell b?"""
    x = single(right, a)
    while not has(x, b):
        wider = spread(x, right, down, size)
        if same(wider, x):
            return False
        x = wider
    return True


# --- barriers -------------------------------------------------------------------------------------------------------
#
# A barrier runs between two corners. The corner at the lower right of cell i has the number i + size, so that the upper
# border has numbers too (here size 3, cells 0..8, corners 0..11; the left border is the end of the row above):
#
#      . 0 --- 1 --- 2
#      |  0  |  1  |  2  |       right side of cell i:  corners i and i + size
#      . 3 --- 4 --- 5           lower side of cell i:  corners i + size - 1 and i + size
#      |  3  |  4  |  5  |
#      . 6 --- 7 --- 8
#
# `s.corner` says which barriers hang together: 0 for a corner without one, else the same label for all corners of one
# piece; the border is a piece. A new barrier cuts a zone in two exactly if its corners are of one piece already.

BORDER = 1  # the label of the border; other pieces have the number of one of their corners, at least size


@helper
def edge_of(i, d, size):
    """The side d of cell i as (the cell whose right or lower side it is, whether it is a lower side)."""
    if d == UP:
        return i - size, True
    if d == LEFT:
        return i - 1, False
    return i, d == DOWN


@helper
def corners_of(cell, lower, size):
    """The two corners of the right (or lower) side of a cell."""
    if lower:
        return cell + size - 1, cell + size
    return cell, cell + size


@helper
def cuts(s, cell, lower, size):
    """Would a barrier on the right (or lower) side of a cell cut its zone in two?"""
    a, b = corners_of(cell, lower, size)
    return s.corner[a] != 0 and s.corner[a] == s.corner[b]


@helper
def put_barrier(s, cell, lower, size):
    """Closes the right (or lower) side of a cell; says whether that cut a zone in two."""
    bit = ONE << U(cell & 63)
    if lower:
        s.down[cell >> 6] &= ~bit
    else:
        s.right[cell >> 6] &= ~bit
    a, b = corners_of(cell, lower, size)
    one = s.corner[a]
    two = s.corner[b]
    if one == 0 and two == 0:
        s.corner[a] = a
        s.corner[b] = a
    elif one == 0:
        s.corner[a] = two
    elif two == 0:
        s.corner[b] = one
    elif one == two:
        return True
    else:
        for k in range(s.corner.size):
            s.corner[k] = two if s.corner[k] == one else s.corner[k]
    return False


# --- territory ------------------------------------------------------------------------------------------------------


@helper
def edges_inside(x, right, down, size):
    """The open sides between cells of x: barriers its owner could still put there."""
    return count(both(both(x, right), lowered(x, 1))) + count(both(both(x, down), lowered(x, size)))


@helper
def balance(right, down, size, steps, mine, theirs, first, near, far, spare):
    """A weighted sum, mine minus theirs, of

    first   cells reached strictly before the other (two floods that advance together)
    near    cells within `steps` steps,   far   within twice as many
    spare   open sides inside the cells reached first: nobody may pass, so they are tempo moves
    """
    a = single(right, mine)
    b = single(right, theirs)
    a_first = a
    b_first = b
    total = 0
    t = 0
    while True:
        t += 1
        a_wider = spread(a, right, down, size)
        b_wider = spread(b, right, down, size)
        a_first = either(a_first, less(less(a_wider, a), b_wider))
        b_first = either(b_first, less(less(b_wider, b), a_wider))
        done = same(either(a, b), either(a_wider, b_wider))
        a = a_wider
        b = b_wider
        if t == steps:
            total += near * (count(a) - count(b))
        if t == 2 * steps:
            total += far * (count(a) - count(b))
        if done and t >= 2 * steps:
            break
    total += first * (count(a_first) - count(b_first))
    return total + spare * (edges_inside(a_first, right, down, size) - edges_inside(b_first, right, down, size))
