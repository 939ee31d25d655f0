"""The search of `expert`: principal variation search that can pause at any node and go on later.

Like search/kernels/alphabeta.py, a stack of frames instead of recursion, with what Colosseum allows besides: a move is
scored without being played (`judged`), a whole last ply is one step, and a move that parts the zones is final and exact.

    enter (table? last ply?) -> score and sort all moves; a winning one ends it -> for each: child -> take its score

A move nearly always improves its mover's score. So two plies before the end, where the opponent has the last word, a move
that looks too bad at first sight is not searched, nor is a position that looks good enough before its mover has moved.
Large boards have hundreds of moves, of which the best is nearly always among the first thirty at first sight: three and
four plies before the end the rest is not searched at all.

Frames, scores, the table and the principal variation are those of search/kernels/frames.py.
"""

import numpy as np

from daedalus.core import helper, kernel
from daedalus.core.kernels.bitsets import cells_of, count, has, less, single
from daedalus.search.kernels.frames import (
    ENTER,
    INFINITE,
    NOTHING,
    PROVEN,
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

from .territory import balance, cuts, edge_of, most_steps, zone

MAX_DEPTH = 40
LOOP = ENTER + 1
FULL, SCOUT = 0, 1  # how the child under way is searched: with the whole window or a null window
LATE = (3, 8, 24, 48)  # moves after so many are searched one ply less at first, two, three and four
WIDTH = 24  # so many moves are searched three plies before the end, twice as many four plies before it
AHEAD = 2 * INFINITE  # added to the sorting score of the move that goes first


def frame_type():
    """The record of a frame, one a ply."""
    fields = [
        ("key", "u8"),
        ("alpha", "i8"),
        ("beta", "i8"),
        ("opened", "i8"),  # alpha when the node was entered
        ("best", "i8"),
        ("best_move", "i8"),
        ("sight", "i8"),  # the position's score at first sight
        ("move", "i8"),  # the move under way
        ("killer", "i8", (2,)),
        ("place", "i4"),
        ("count", "i4"),
        ("depth", "i4"),
        ("stage", "i1"),
        ("mode", "i1"),
        ("less", "i1"),  # plies by which it is reduced
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@helper
def judged(game, judge, s, right, down, m):
    """(score for its mover of the position after move m, has the game ended then); the move is not played."""
    size = game.size
    i = m >> 2
    other = np.int64(s.cell[1 - s.turn])
    cell, lower = edge_of(i, m & 3, size)
    closed = single(right, cell)
    if lower:
        down = less(down, closed)
    else:
        right = less(right, closed)
    if cuts(s, cell, lower, size):
        mine = zone(right, down, size, i)
        if not has(mine, other):
            ahead = count(mine) - count(zone(right, down, size, other))
            return WIN if ahead > 0 else (-WIN if ahead < 0 else 0), True
    weights = (judge.first, judge.near, judge.far, judge.spare)
    return balance(right, down, size, most_steps(game), i, other, *weights), False


@helper
def to_front(w, n, place, m):
    """Swaps move m to `place` if it is listed behind it; returns the next place."""
    for k in range(place, n):
        if w.buf[k] == m:
            w.buf[k] = w.buf[place]
            w.buf[place] = m
            return place + 1
    return place


@helper
def last_ply(game, judge, s, w, f, d, first):
    """Scores the n moves of w.buf until one refutes; fills f.best and f.best_move, returns how many were scored."""
    right, down = cells_of(s, "right"), cells_of(s, "down")
    n = f.count
    place = to_front(w, n, 0, first)
    place = to_front(w, n, place, f.killer[0])
    to_front(w, n, place, f.killer[1])
    for k in range(n):
        m = w.buf[k]
        score = from_table(judged(game, judge, s, right, down, m)[0], d + 1)
        if score > f.best:
            f.best = score
            f.best_move = m
            if score >= f.beta:
                keep_killer(f, m)
                return k + 1
    return n


@helper
def rank(game, judge, s, w, n, first):
    """Writes a sorting score for each of n moves to w.prior, the move `first` on top; returns a winning move or NOTHING."""
    right, down = cells_of(s, "right"), cells_of(s, "down")
    for k in range(n):
        m = w.buf[k]
        score, final = judged(game, judge, s, right, down, m)
        if final and score > 0:
            return m
        w.prior[k] = AHEAD + score if m == first else score
    return NOTHING


@helper
def bring_best(w, place, n):
    """Swaps the best move not yet searched to `place`."""
    top = place
    for k in range(place + 1, n):
        if w.prior[k] > w.prior[top]:
            top = k
    m = w.buf[top]
    p = w.prior[top]
    w.buf[top] = w.buf[place]
    w.prior[top] = w.prior[place]
    w.buf[place] = m
    w.prior[place] = p


@helper
def begin_child(F, d):
    """Prepares the child of frame d for the move under way, as its mode and reduction say."""
    f = F[d]
    high = f.beta if f.mode == FULL else f.alpha + 1
    open_frame(F[d + 1], f.depth - 1 - f.less, -high, -f.alpha)


@helper
def reduction(f):
    """How many plies less a move is searched at first: the further back it was sorted, the more."""
    less = 0
    for place in LATE:
        less += f.place >= place
    return max(0, min(less, f.depth - 2))


@helper
def is_wide_enough(f):
    """Were so many moves searched, near the end, that what is sorted behind them can be left out?"""
    return 2 < f.depth < 5 and f.place >= WIDTH * (f.depth - 2) and f.beta - f.alpha == 1 and f.best > -PROVEN


@helper
def at_first_sight(w, place):
    """The score that the move sorted to `place` got when all were ranked."""
    score = np.int64(w.prior[place])
    return score - AHEAD if score > INFINITE else score


@helper
def looks_good(f):
    """Is the position good enough even before its mover's move, so that two plies need not be searched?"""
    return f.depth == 2 and f.beta - f.alpha == 1 and abs(f.beta) < PROVEN and f.sight >= f.beta


@helper
def looks_bad(f, sight):
    """Is a move, and so every one sorted behind it, too bad even before the opponent's reply, the last ply?"""
    return f.depth == 2 and f.place > 0 and f.best > -PROVEN and abs(f.alpha) < PROVEN and sight <= f.alpha


@kernel
def first_look(game, judge, S, W, F, scores):
    """Scores every root move in W[0].buf by what it leads to at once; returns how many there are."""
    forget_killers(F)
    s = S[0]
    n = game.moves(s, W[0])
    right, down = cells_of(s, "right"), cells_of(s, "down")
    for k in range(n):
        scores[k] = from_table(judged(game, judge, s, right, down, W[0].buf[k])[0], 1)
    return n


@kernel
def set_root(F, depth):
    """Prepares frame 0 for a search to `depth` with the whole window."""
    open_frame(F[0], depth, -INFINITE, INFINITE)


@kernel
def search(game, judge, S, W, F, line, table, scores, d, budget):
    """Goes on from ply d until the root is finished or `budget` positions are judged; returns (ply, judged), -1 at the end.

    The root's depth is at least 2. line[d] holds the principal variation below ply d; scores[i] the score of the i-th
    move tried at the root, whose order is that of W[0].buf.
    """
    spent = 0
    score = 0
    while spent < budget:
        f = F[d]
        s = S[d]
        finished = False
        if f.stage == ENTER:
            line[d, d] = NOTHING
            f.key = game.key(s)
            first = NOTHING
            e = entry_of(table, f.key)
            if e.key == f.key:
                first = np.int64(e.move)
                if d > 0 and e.depth >= f.depth:
                    score = from_table(np.int64(e.score), d)
                    finished = settles(e, score, f)
                    if finished and first != NOTHING:
                        line[d, d] = first
                        line[d, d + 1] = NOTHING
            if not finished and d > 0 and looks_good(f):
                score = f.sight
                finished = True
            elif not finished:
                f.count = game.moves(s, W[d])
                if f.depth <= 1:
                    spent += last_ply(game, judge, s, W[d], f, d, first)
                    finished = True
                else:
                    spent += f.count
                    winning = rank(game, judge, s, W[d], f.count, first)
                    if winning != NOTHING:
                        f.best = WIN - (d + 1)
                        f.best_move = winning
                        finished = True
                if finished:
                    remember(table, f, d)
                    score = f.best
                    line[d, d] = f.best_move
                    line[d, d + 1] = NOTHING
                f.stage = LOOP
        elif f.place == f.count or f.alpha >= f.beta or is_wide_enough(f):
            remember(table, f, d)
            score = f.best
            finished = True
        else:
            bring_best(W[d], f.place, f.count)
            sight = at_first_sight(W[d], f.place)
            if d > 0 and looks_bad(f, sight):
                f.best = max(f.best, sight)
                f.place = f.count
                continue
            F[d + 1].sight = -sight
            f.move = W[d].buf[f.place]
            S[d + 1] = s
            game.play(S[d + 1], f.move)
            spent += 1
            d += 1
            if game.over(S[d]):
                line[d, d] = NOTHING
                score = from_table(np.int64(game.payoff(S[d], game.turn(S[d])) * WIN), d)
                f.mode = FULL
                f.less = 0
                finished = True
            else:
                f.mode = FULL if f.place == 0 else SCOUT
                f.less = reduction(f)
                begin_child(F, d - 1)
        if not finished:
            continue
        if d == 0:
            return -1, spent
        d -= 1
        f = F[d]
        score = -score
        if score > f.alpha and (f.less > 0 or (f.mode == SCOUT and score < f.beta)):
            if f.less > 0:  # better than thought: search it again, properly
                f.less = 0
            else:
                f.mode = FULL
            begin_child(F, d)
            d += 1
            continue
        if d == 0:
            scores[f.place] = score
        if score > f.best:
            f.best = score
            f.best_move = f.move
            prepend(line, d, f.move)
            if score > f.alpha:
                f.alpha = score
        f.place += 1
    return d, spent
