"""What alpha-beta searches with a stack of frames share: opening a frame, killers, the table, the principal variation.

Scores are whole numbers for the side to move. A win counts WIN minus the plies until it, so that sooner is better.
A frame has the fields key, alpha, opened (alpha when it was entered), beta, best, best_move, depth, place, stage and
killer, the two moves that refuted last at its ply.
"""

import numpy as np

from daedalus.core import U, helper

from .common import is_seen

WIN = 2_000_000
INFINITE = 2 * WIN
PROVEN = WIN - 10_000  # scores beyond this are wins or losses found to the end
EXACT, LOWER, UPPER = 1, 2, 3  # what a score in the table is
NOTHING = -1  # no move
ENTER = 0  # the first stage of a frame


def entry_type():
    """The record of the transposition table."""
    fields = [("key", "u8"), ("move", "i8"), ("score", "i4"), ("depth", "i2"), ("bound", "i2")]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@helper
def open_frame(f, depth, alpha, beta):
    """A node begins, to be searched to `depth` within a window."""
    f.depth = depth
    f.alpha = alpha
    f.opened = alpha
    f.beta = beta
    f.best = -INFINITE
    f.best_move = NOTHING
    f.place = 0
    f.stage = ENTER


@helper
def is_narrow(f):
    """Is only asked whether the score is above a bound?"""
    return f.beta - f.alpha == 1


@helper
def seen_before(F, d, seen):
    """Has the position of frame d stood on the board or on the path before, where sides move in turn?"""
    key = F[d].key
    for i in range(d - 2, -1, -2):
        if F[i].key == key:
            return True
    return is_seen(seen, key)


@helper
def keep_killer(f, m):
    """Remembers a move that refuted at this ply."""
    if f.killer[0] != m:
        f.killer[1] = f.killer[0]
        f.killer[0] = m


@helper
def forget_killers(F):
    """Before the first search of a position: what refuted in another one tells little."""
    for d in range(F.size):
        F[d].killer[0] = NOTHING
        F[d].killer[1] = NOTHING


@helper
def to_table(score, d):
    """Win distances are kept from the node, not from the root."""
    return score + d if score > PROVEN else score - d if score < -PROVEN else score


@helper
def from_table(score, d):
    return score - d if score > PROVEN else score + d if score < -PROVEN else score


@helper
def entry_of(table, key):
    """The place of a position in the table, whose size is a power of two."""
    return table[np.int64(key & U(table.size - 1))]


@helper
def settles(e, score, f):
    """Does an entry as deep as the frame, with this score, end its search?"""
    return e.bound == EXACT or (e.bound == LOWER and score >= f.beta) or (e.bound == UPPER and score <= f.alpha)


@helper
def remember(table, f, d):
    """Keeps the result of a finished frame, unless a deeper one of the same position is there."""
    e = entry_of(table, f.key)
    if e.key == f.key and e.depth > f.depth:
        return
    e.key = f.key
    e.move = f.best_move
    e.score = to_table(f.best, d)
    e.depth = f.depth
    e.bound = EXACT if f.opened < f.best < f.beta else (LOWER if f.best >= f.beta else UPPER)


@helper
def prepend(line, d, m):
    """The variation from ply d: move m, then that of the ply below."""
    line[d, d] = m
    k = d + 1
    while line[d + 1, k] != NOTHING:
        line[d, k] = line[d + 1, k]
        k += 1
    line[d, k] = NOTHING
