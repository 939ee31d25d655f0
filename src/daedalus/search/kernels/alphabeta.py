"""Alpha-beta with a stack of frames instead of recursion, so that it can pause at any node and go on later.

Scores are whole numbers for the side to move. "We" are the root's seat, the other side is everybody else (with two
seats plain minimax, with more the paranoid assumption). Heuristic values take less than SCALE; a win counts
WIN minus the plies until it, so sooner is better, and later losses are better than early ones.

One frame a ply:   enter (end? repetition? table? leaf?) -> list and order moves -> for each: child -> take its score
"""

import numpy as np

from daedalus.core import U, helper, kernel, random_below

from .common import is_seen
from .frames import (
    ENTER,
    EXACT,
    INFINITE,
    NOTHING,
    WIN,
    entry_of,
    forget_killers,
    from_table,
    keep_killer,
    open_frame,
    prepend,
    remember,
    settles,
)

SCALE = 1_000_000
MAX_DEPTH = 64

LOOP = ENTER + 1
NATURAL, RANDOM, STATIC, LEARNT = 0, 1, 2, 3  # successor orders
HISTORY = 4096  # history scores are filed under the low bits of a move's number


def frame_type():
    """The record of a frame."""
    fields = [
        ("key", "u8"),
        ("alpha", "i8"),
        ("beta", "i8"),
        ("opened", "i8"),  # alpha when the node was entered
        ("best", "i8"),
        ("best_move", "i8"),
        ("move", "i8"),  # the move under way
        ("killer", "i8", (2,)),
        ("place", "i4"),
        ("count", "i4"),
        ("depth", "i4"),
        ("side", "i1"),  # 1: we move, -1: the others
        ("stage", "i1"),
        ("scouting", "i1"),  # the child under way has a null window
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@helper
def final_score(payoff, side, d):
    """The score of an ended game, d plies below the root, for the side to move."""
    side = np.int64(side)  # interpreted, a score would overflow the small field
    if payoff >= 1.0:
        return side * (WIN - d)
    if payoff <= -1.0:
        return -side * (WIN - d)
    return side * np.int64(payoff * SCALE)


@helper
def leaf_score(value, side):
    return np.int64(side) * np.int64(min(max(value, -0.999999), 0.999999) * SCALE)


@helper
def repeated(F, d, seen):
    """Has the position of frame d stood on the board or on the path before?"""
    key = F[d].key
    if key == U(0):
        return False
    for i in range(d - 1, -1, -1):
        if F[i].key == key:
            return True
    return is_seen(seen, key)


@helper
def rank_moves(game, evaluation, S, W, F, d, us, order, first, history):
    """Writes a sorting score for each move in W[d].buf to W[d].prior; larger goes first. S[d + 1] is scratch."""
    f = F[d]
    w = W[d]
    for i in range(f.count):
        m = w.buf[i]
        if order == NATURAL:
            w.prior[i] = -i
        elif order == RANDOM:
            w.prior[i] = random_below(w, 1 << 30)
        elif m == first:
            w.prior[i] = 1e12
        elif order == STATIC:
            S[d + 1] = S[d]
            game.play(S[d + 1], m)
            if game.over(S[d + 1]):
                w.prior[i] = f.side * game.payoff(S[d + 1], us) * 2
            else:
                w.prior[i] = f.side * evaluation.value(game, S[d + 1], us, W[d + 1])
        elif m == f.killer[0]:
            w.prior[i] = 1e11
        elif m == f.killer[1]:
            w.prior[i] = 1e10
        else:
            w.prior[i] = history[(f.side + 1) >> 1, m & (HISTORY - 1)]


@helper
def bring_best(w, place, count):
    """Swaps the best move not yet searched to `place`."""
    top = place
    for i in range(place + 1, count):
        if w.prior[i] > w.prior[top]:
            top = i
    m = w.buf[top]
    p = w.prior[top]
    for i in range(top, place, -1):  # a rotation keeps the natural order of equals
        w.buf[i] = w.buf[i - 1]
        w.prior[i] = w.prior[i - 1]
    w.buf[place] = m
    w.prior[place] = p


@helper
def reward(f, history, m):
    """Remembers a move that refuted: killer of its ply, and more history the deeper it was searched."""
    keep_killer(f, m)
    row = (f.side + 1) >> 1
    history[row, m & (HISTORY - 1)] += f.depth * f.depth


@helper
def begin(f, depth, alpha, beta, side):
    open_frame(f, depth, alpha, beta)
    f.side = side


@kernel
def set_root(F, depth, clear):
    """Prepares frame 0 for a search to `depth` with a full window."""
    begin(F[0], depth, -INFINITE, INFINITE, 1)
    if clear:
        forget_killers(F)


@kernel
def search(game, evaluation, S, W, F, line, table, history, scores, seen, d, budget, order, repeats, full):
    """Goes on from ply d until the root is finished or `budget` nodes are spent; returns (ply, nodes), ply -1 at the end.

    line[d] holds the principal variation below ply d; scores[i] the score of the i-th move tried at the root, whose
    order is that of W[0].buf. `full` gives every root move a full window, so that all their scores are exact.
    """
    us = game.turn(S[0])
    nodes = 0
    score = 0
    while nodes < budget:
        f = F[d]
        s = S[d]
        finished = False
        if f.stage == ENTER:
            nodes += 1
            line[d, d] = NOTHING
            first = NOTHING
            over = game.over(s)
            leaf = f.depth <= 0 or d == MAX_DEPTH
            f.key = game.key(s) if not over and (repeats or (table.size > 1 and not leaf)) else U(0)
            if over:
                score = final_score(game.payoff(s, us), f.side, d)
                finished = True
            elif d > 0 and repeats and repeated(F, d, seen):
                score = 0
                finished = True
            elif leaf:
                score = leaf_score(evaluation.value(game, s, us, W[d]), f.side)
                finished = True
            elif f.key != U(0) and table.size > 1:
                e = entry_of(table, f.key)
                if e.key == f.key:
                    first = e.move
                    if d > 0 and e.depth >= f.depth:
                        score = from_table(np.int64(e.score), d)
                        finished = settles(e, score, f)
                        if finished and e.bound == EXACT and first != NOTHING:
                            line[d, d] = first
                            line[d, d + 1] = NOTHING
            if not finished:
                f.count = game.moves(s, W[d])
                rank_moves(game, evaluation, S, W, F, d, us, order, first, history)
                f.stage = LOOP
        elif f.place == f.count or f.alpha >= f.beta:
            if f.alpha >= f.beta and order == LEARNT:
                reward(f, history, f.best_move)
            if f.key != U(0) and table.size > 1:
                remember(table, f, d)
            score = f.best
            finished = True
        else:
            bring_best(W[d], f.place, f.count)
            f.move = W[d].buf[f.place]
            S[d + 1] = s
            game.play(S[d + 1], f.move)
            side = 1 if game.turn(S[d + 1]) == us else -1
            f.scouting = f.place > 0 and f.beta - f.alpha > 1 and not (full and d == 0)
            low = -INFINITE if full and d == 0 else f.alpha
            high = f.alpha + 1 if f.scouting else f.beta
            if side == f.side:
                begin(F[d + 1], f.depth - 1, low, high, side)
            else:
                begin(F[d + 1], f.depth - 1, -high, -low, side)
            d += 1
        if not finished:
            continue
        if d == 0:
            return -1, nodes
        child = F[d]
        d -= 1
        f = F[d]
        if child.side != f.side:
            score = -score
        if f.scouting and f.alpha < score < f.beta:  # better than thought: search it again with the whole window
            f.scouting = 0
            if child.side == f.side:
                begin(F[d + 1], f.depth - 1, f.alpha, f.beta, child.side)
            else:
                begin(F[d + 1], f.depth - 1, -f.beta, -f.alpha, child.side)
            d += 1
            continue
        if d == 0:
            scores[f.place] = score
        if score > f.best:
            f.best = score
            f.best_move = f.move
            if score > f.alpha:
                f.alpha = score
            prepend(line, d, f.move)
        f.place += 1
    return d, nodes
