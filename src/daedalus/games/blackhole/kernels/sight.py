"""First sight: the scores of a position's moves, which are not made for it.

A slide changes three terms of a position's worth (lines.py). A landing that wins is seen, and one that the other side then
has; a landing that does not win is made, since it changes what all lines are worth.
"""

import numpy as np

from daedalus.core import helper
from daedalus.search.kernels.frames import PROVEN, WIN

from .lines import SIDE, change, copy_board, ends, landings, landings_after, slide
from .slides import EAST, NORTH, SOUTH, WEST


@helper
def judged(k, b, d):
    """The score of a position at ply d for the side to move."""
    me = np.int64(b.turn)
    if b.home[me] == k.goal - 1 and landings(k, b, me) > 0:
        return np.int64(WIN - (d + 1))
    return np.int64(b.total[me])


@helper
def sight(k, b, after, d, m, along, base, at, end, across):
    """The score for its mover, at ply d, of the position after a slide, which is made only if it lands."""
    me = np.int64(b.turn)
    other = 1 - me
    if end == k.hole and across == k.hole:
        if b.home[me] == k.goal - 1:
            return np.int64(WIN - (d + 1))
        copy_board(b, after)
        slide(k, after, m)
        return -judged(k, after, d + 1)
    if b.home[other] == k.goal - 1 and landings_after(k, b, other, me, along, base, at, end, across) > 0:
        return -np.int64(WIN - (d + 2))
    return -(np.int64(b.total[other]) + change(k, b, other, me, along, base, at, end, across))


@helper
def add_sight(k, b, after, f, d, m, along, base, at, end, across):
    """Lists a move with its score at first sight; the best so far is kept."""
    score = sight(k, b, after, d, m, along, base, at, end, across)
    if b.ply + 1 >= k.cap and score < PROVEN:
        score = np.int64(0)
    f.move[f.count] = m
    f.score[f.count] = score
    f.count += 1
    if score > f.best:
        f.best = score
        f.best_move = m


@helper
def look(k, b, after, f, d, enough):
    """Lists the moves with their scores at first sight, until one is good enough."""
    me = np.int64(b.turn)
    f.count = 0
    for i in range(b.left[me]):
        square = np.int64(b.fleet[me, i])
        row, col = square >> 4, square & 15
        both = ends(k, b, row, col)
        if both & 15 != col:
            add_sight(k, b, after, f, d, square << 2 | WEST, row, SIDE, col, both & 15, row)
        if both >> 4 != col:
            add_sight(k, b, after, f, d, square << 2 | EAST, row, SIDE, col, both >> 4, row)
        both = ends(k, b, SIDE + col, row)
        if both & 15 != row:
            add_sight(k, b, after, f, d, square << 2 | NORTH, SIDE + col, 0, row, both & 15, col)
        if both >> 4 != row:
            add_sight(k, b, after, f, d, square << 2 | SOUTH, SIDE + col, 0, row, both >> 4, col)
        if f.best >= enough:
            break
