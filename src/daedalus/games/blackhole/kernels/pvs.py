"""The search of `expert` where no network is stronger: alpha-beta that judges moves without making them.

A node scores all its moves at first sight (sight.py). Right above the leaves that is the whole node; elsewhere it sorts the
moves, so that late ones can be searched less deep. Scores are for the side to move. One frame a ply:

    ENTER (repetition? table?) -> look at all moves -> LOOP: for each move begin a child, take its score
"""

from typing import NamedTuple

import numpy as np

from daedalus.core import helper, kernel, mix64, nonzero
from daedalus.search.kernels.frames import (
    ENTER,
    EXACT,
    INFINITE,
    NOTHING,
    PROVEN,
    WIN,
    entry_of,
    forget_killers,
    from_table,
    is_narrow,
    keep_killer,
    open_frame,
    prepend,
    remember,
    seen_before,
    settles,
)

from .lines import FLEET, SIDE, inner, landings, outer, set_board, slide
from .sight import look

MAX_DEPTH = 64
MOVES = 4 * FLEET
SQUARES = 16 * SIDE
UNKNOWN = INFINITE + 1  # no score yet
LOG = np.log(np.maximum(np.arange(MAX_DEPTH + 1), 1))

LOOP = ENTER + 1
NONE, REDUCED, SCOUT, FULL = 0, 1, 2, 3  # how the child under way is searched


class Tuning(NamedTuple):
    """How the search saves work."""

    late: int = 3  # moves sorted behind so many are searched less deep
    reduction: float = 1.0  # by how much
    past: int = 100  # how much history counts in the order


def frame_type():
    """The record of a frame: the node, and its moves with their scores."""
    fields = [
        ("key", "u8"),
        ("alpha", "i8"),
        ("beta", "i8"),
        ("opened", "i8"),
        ("best", "i8"),
        ("best_move", "i8"),
        ("first", "i8"),  # the move that was best before
        ("killer", "i8", (2,)),
        ("place", "i4"),
        ("count", "i4"),
        ("depth", "i4"),
        ("stage", "i1"),
        ("trial", "i1"),
        ("danger", "i1"),  # does the other side threaten to win?
        ("move", "i2", (MOVES,)),
        ("rank", "i4", (MOVES,)),
        ("score", "i4", (MOVES,)),  # at first sight, and then as searched
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@helper
def begin(f, depth, alpha, beta):
    open_frame(f, depth, alpha, beta)
    f.first = NOTHING


@kernel
def set_root(k, S, B, F, depth, alpha, beta, first, clear):
    """Prepares frame 0 for a search to `depth` within a window that begins with move `first`."""
    set_board(k, S[0], B[0])
    begin(F[0], depth, alpha, beta)
    F[0].first = inner(k, first) if first != NOTHING else NOTHING
    if clear:
        forget_killers(F)


# --- the order of moves -----------------------------------------------------------------------------------------------


@helper
def rank(f, how, history, me):
    """Sorting scores: the move that was best before, then by first sight and by what refuted elsewhere."""
    for i in range(f.count):
        m = np.int64(f.move[i])
        r = np.int64(f.score[i]) + ((history[me, m] * how.past) >> 10)
        if m == f.first:
            r = INFINITE
        elif m == f.killer[0] or m == f.killer[1]:
            r += how.past
        f.rank[i] = r


@helper
def bring_best(f):
    """Swaps the best move not yet searched to its place."""
    top = f.place
    for i in range(f.place + 1, f.count):
        if f.rank[i] > f.rank[top]:
            top = i
    i = f.place
    m, r, score = f.move[top], f.rank[top], f.score[top]
    f.move[top], f.rank[top], f.score[top] = f.move[i], f.rank[i], f.score[i]
    f.move[i], f.rank[i], f.score[i] = m, r, score


# --- a node begins ----------------------------------------------------------------------------------------------------


@helper
def recall(e, f, d):
    """The score of a node if its entry in the table settles it, else UNKNOWN; f.first becomes the move that was best."""
    if e.key != f.key:
        return UNKNOWN
    f.first = np.int64(e.move)
    if e.depth >= f.depth:
        score = from_table(np.int64(e.score), d)
        if settles(e, score, f):
            return score
    return UNKNOWN


@helper
def look_at_all(k, how, b, after, f, d, history):
    """Lists and ranks the moves; the score of a node that is decided by them, else UNKNOWN."""
    look(k, b, after, f, d, f.beta if f.depth <= 1 and d > 0 else PROVEN)
    if f.count == 0:
        return -np.int64(WIN - d)
    if d > 0 and b.ply >= k.cap:
        return np.int64(0)
    if d > 0 and (f.best > PROVEN or f.depth <= 1):
        return np.int64(f.best)
    f.best, f.best_move = -INFINITE, NOTHING
    rank(f, how, history, np.int64(b.turn))
    return UNKNOWN


# --- its moves --------------------------------------------------------------------------------------------------------


@helper
def reduction(how, f):
    """Later moves are searched less deep."""
    r = np.int64(0.5 + how.reduction * LOG[f.depth] * LOG[f.place + 1])
    if not is_narrow(f):
        r -= 1
    return max(min(r, f.depth - 1), 0)


@helper
def child_depth(how, f, trial):
    return f.depth - 1 - (reduction(how, f) if trial == REDUCED else 0)


@helper
def take(f, score):
    """Takes over the score of the move under way."""
    f.score[f.place] = score
    if score > f.best:
        f.best = score
        f.best_move = np.int64(f.move[f.place])
    f.alpha = max(f.alpha, score)
    f.place += 1


@helper
def next_trial(how, f):
    """How the next move is searched; NONE if first sight is enough and was taken."""
    bring_best(f)
    score = np.int64(f.score[f.place])
    if abs(score) > PROVEN:
        take(f, score)
        return NONE
    trial = FULL
    if f.place > 0:
        trial = REDUCED if f.place >= how.late and f.depth >= 2 and not f.danger else SCOUT
    if child_depth(how, f, trial) > 0:
        return trial
    if trial == REDUCED and score > f.alpha:
        return SCOUT
    take(f, score)
    return NONE


@helper
def begin_child(k, how, after, f, child, trial):
    """Makes the move under way on `after`, a copy of the board, and begins the frame below."""
    f.trial = trial
    slide(k, after, np.int64(f.move[f.place]))
    begin(child, child_depth(how, f, trial), -f.beta if trial == FULL else -f.alpha - 1, -f.alpha)


@helper
def returned(f, score):
    """A child came back with a score: takes it over (NONE), or tells in which fuller way to search it again."""
    if f.trial == REDUCED and score > f.alpha:
        return SCOUT
    if f.trial == SCOUT and f.alpha < score < f.beta:
        return FULL
    take(f, score)
    return NONE


@helper
def reward(f, history, me):
    """Remembers a move that was too good for the opponent, for the order elsewhere."""
    m = f.best_move
    keep_killer(f, m)
    history[me, m] += (min(f.depth * f.depth, 100) * (1024 - history[me, m])) >> 10


@kernel
def search(k, how, B, F, line, table, history, seen, d, budget, repeats):
    """Goes on from ply d until the root is finished or `budget` positions are judged; returns (ply, judged), -1 at the end.

    line[d] holds the principal variation below ply d, in the game's own numbers of moves.
    """
    spent = 0
    while spent < budget:
        f = F[d]
        b = B[d]
        score = UNKNOWN
        trial = NONE
        if f.stage == ENTER:
            spent += 1
            f.stage = LOOP
            line[d, d] = NOTHING
            f.key = nonzero(mix64(b.key))
            if d > 0 and repeats and seen_before(F, d, seen):
                score = np.int64(0)
            elif d > 0 and f.depth > 1:
                e = entry_of(table, f.key)
                score = recall(e, f, d)
                if score != UNKNOWN and e.bound == EXACT and f.first != NOTHING:
                    line[d, d] = outer(k, f.first)
                    line[d, d + 1] = NOTHING
            if score == UNKNOWN:
                other = 1 - np.int64(b.turn)
                f.danger = b.home[other] == k.goal - 1 and landings(k, b, other) > 0
                score = look_at_all(k, how, b, B[d + 1], f, d, history)
                spent += f.count
                if score != UNKNOWN and f.count > 0:
                    line[d, d] = outer(k, f.best_move)
                    line[d, d + 1] = NOTHING
        elif f.place < f.count and f.alpha < f.beta:
            low = f.alpha
            trial = next_trial(how, f)
            if f.alpha > low:
                line[d + 1, d + 1] = NOTHING
                prepend(line, d, outer(k, f.best_move))
        else:
            if f.alpha >= f.beta:
                reward(f, history, np.int64(b.turn))
            remember(table, f, d)
            score = np.int64(f.best)
        if score != UNKNOWN:
            if d == 0:
                return -1, spent
            d -= 1
            f = F[d]
            low = f.alpha
            trial = returned(f, -score)
            if f.alpha > low:
                prepend(line, d, outer(k, f.best_move))
        if trial != NONE:
            B[d + 1] = B[d]
            begin_child(k, how, B[d + 1], f, F[d + 1], trial)
            d += 1
    return d, spent
