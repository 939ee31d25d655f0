"""What a network sees of a Colosseum board, and the numbers of its moves: B turns the board by half a turn."""

import numpy as np

from daedalus.core import helper
from daedalus.core.kernels.bitsets import cells_of, count, either, has, less, same, single, spread

from .territory import edges_inside, most_steps


@helper
def seen(game, seat, cell):
    """A cell as the seat sees it."""
    return cell if seat == 0 else game.size * game.size - 1 - cell


@helper
def put_barriers(game, s, seat, out, begin):
    """Inner barriers: those right of each cell but the last column's, then those below each cell but the last row's."""
    size = game.size
    right, down = cells_of(s, "right"), cells_of(s, "down")
    below = begin + size * (size - 1)
    for row in range(size):
        for column in range(size):
            cell = row * size + column
            if column < size - 1:
                k = row * (size - 1) + column
                out[begin + (k if seat == 0 else size * (size - 1) - 1 - k)] = 1.0 - has(right, cell)
            if row < size - 1:
                out[below + (cell if seat == 0 else size * (size - 1) - 1 - cell)] = 1.0 - has(down, cell)


@helper
def steps_between(right, down, size, mine, theirs):
    """How far it is from one player to the other; 0 when they are apart."""
    x = single(right, mine)
    steps = 0
    while not has(x, theirs):
        wider = spread(x, right, down, size)
        if same(wider, x):
            return 0
        x = wider
        steps += 1
    return steps


@helper
def surveyed(right, down, size, steps, mine, theirs):
    """What `balance` (territory.py) weighs, each for both players: cells reached first, near, far, spare open sides.

    A loop of its own: with one for both, the evaluation took 7 % longer.
    """
    a = single(right, mine)
    b = single(right, theirs)
    a_first = a
    b_first = b
    a_near = b_near = a_far = b_far = 0
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
            a_near = count(a)
            b_near = count(b)
        if t == 2 * steps:
            a_far = count(a)
            b_far = count(b)
        if done and t >= 2 * steps:
            break
    a_spare = edges_inside(a_first, right, down, size)
    b_spare = edges_inside(b_first, right, down, size)
    return count(a_first), count(b_first), a_near, b_near, a_far, b_far, a_spare, b_spare


@helper
def write_features(game, s, seat, out):
    """See feature_names in ../features.py."""
    size = game.size
    area = size * size
    right, down = cells_of(s, "right"), cells_of(s, "down")
    mine, theirs = np.int64(s.cell[seat]), np.int64(s.cell[1 - seat])
    for i in range(2 * area):
        out[i] = 0.0
    out[seen(game, seat, mine)] = 1.0
    out[area + seen(game, seat, theirs)] = 1.0
    put_barriers(game, s, seat, out, 2 * area)
    n = 2 * area + 2 * size * (size - 1)
    first, other_first, near, other_near, far, other_far, spare, other_spare = surveyed(
        right, down, size, most_steps(game), mine, theirs
    )
    out[n] = first / area
    out[n + 1] = other_first / area
    out[n + 2] = near / area
    out[n + 3] = other_near / area
    out[n + 4] = far / area
    out[n + 5] = other_far / area
    out[n + 6] = spare / area
    out[n + 7] = other_spare / area
    out[n + 8] = steps_between(right, down, size, mine, theirs) / size
    out[n + 9] = 1.0 if s.turn == seat else 0.0


@helper
def numbered(game, s, m):
    """The number of move m as the seat to move sees it."""
    if s.turn == 0:
        return np.int64(m)
    return seen(game, 1, m >> 2) * 4 + ((m & 3) ^ 2)
