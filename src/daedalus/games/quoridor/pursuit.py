"""The search of the strong players for two: alpha-beta that knows paths and walls.

Distances to the goals travel with the moves, so that a leaf costs no flood: a wall that cuts no edge of a seat's
shortest paths leaves its distance as it is, and for one that does the new distance is also the check of the rule.

Scores are for the side to move, 100 = one step. One frame a ply, as in daedalus.search.kernels.alphabeta:

    enter (end? repetition? leaf? table? hopeless? pass?) -> list and rank moves -> for each: child -> take its score
"""

import math
from typing import NamedTuple

import numpy as np

from daedalus.core import ONE, ZERO, U, helper, kernel, lowest
from daedalus.search.kernels.common import is_seen
from daedalus.search.kernels.frames import (
    EXACT,
    INFINITE,
    NOTHING,
    PROVEN,
    WIN,
    entry_of,
    from_table,
    prepend,
    remember,
    settles,
)

from .rules import H, V, pawn_moves
from .terms import STRIDE, cutters, east, goal, grown, has, north, only, south, steps, west

MAX_DEPTH = 60
MOVES = 224  # no board has more legal moves
FAR = 99  # the distance of who is cut off; such a wall is never listed

ENTER, LIST, LOOP, CUT = 0, 1, 2, 3
NULL, REDUCED, SCOUT, FULL = 0, 1, 2, 3  # how the child under way is searched


def frame_type():
    """The record of a frame: the node, and its moves with their ranks and the distances they lead to."""
    fields = [
        ("key", "u8"),
        ("alpha", "i8"),
        ("beta", "i8"),
        ("opened", "i8"),
        ("best", "i8"),
        ("best_move", "i8"),
        ("still", "i8"),  # the score by the look of it
        ("killer", "i8", (2,)),
        ("place", "i4"),
        ("count", "i4"),
        ("depth", "i4"),
        ("mine", "i4"),  # steps of the side to move to its goal
        ("theirs", "i4"),
        ("stage", "i1"),
        ("trial", "i1"),
        ("passed", "i1"),  # reached by passing: passing again proves nothing
        ("move", "i2", (MOVES,)),
        ("rank", "i4", (MOVES,)),
        ("after_mine", "i1", (MOVES,)),
        ("after_theirs", "i1", (MOVES,)),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


class Weights(NamedTuple):
    """What things are worth, 100 = one step, and how far below a bound a node must look to be given up."""

    tempo: int = 50
    wall: int = 140
    any_wall: int = 250
    race: int = 1500
    margin: int = 100


@helper
def judged(weights, mine, theirs, stock, stock_theirs):
    """The score of a position by the look of it, for the side to move.

    A wall is worth more than a step, having any at all more still; against an opponent without walls it is a race.
    """
    score = 100 * (theirs - mine) + weights.tempo + weights.wall * (stock - stock_theirs)
    score += weights.any_wall * (np.int64(stock > 0) - np.int64(stock_theirs > 0))
    if stock_theirs == 0 and mine <= theirs:
        score += weights.race + 20 * (theirs - mine)
    if stock == 0 and theirs < mine:
        score -= weights.race + 20 * (mine - theirs)
    return score


@helper
def layers(game, s, seat, w, length):
    """Floods from a seat's goal into w.low, w.high: place k holds the cells within k steps of it, up to `length`."""
    a, b = goal(game, seat, 2)
    for k in range(length + 1):
        w.low[k] = a
        w.high[k] = b
        a, b = grown(a, b, s.n0, s.n1, s.e0, s.e1)


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
def away(w, c, length):
    """How many steps cell c is from the goal, at most two more than `length`."""
    for k in range(max(length - 2, 0), length + 2):
        if has(w.low[k], w.high[k], c) != 0:
            return k
    return length + 2


@helper
def distance_after(game, s, seat, m):
    """The distance of a seat once wall m stands; FAR if it would be cut off."""
    a, b = only(m & 127)
    p, q = only(s.pawn[seat])
    g0, g1 = goal(game, seat, 2)
    if m < V:
        x, y = a << ONE, (b << ONE) | (a >> U(63))
        d = steps(p, q, g0, g1, s.n0 & ~(a | x), s.n1 & ~(b | y), s.e0, s.e1)
    else:
        x, y = a << U(STRIDE), (b << U(STRIDE)) | (a >> U(64 - STRIDE))
        d = steps(p, q, g0, g1, s.n0, s.n1, s.e0 & ~(a | x), s.e1 & ~(b | y))
    return FAR if d < 0 else d


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
def add_walls(game, s, f, places, code, ours, cut, first, history):
    """Adds the walls at `places` (one word); `ours` tells which cut our roads, `cut` whether they cut theirs."""
    me = s.turn
    while places != ZERO:
        i = lowest(places)
        places &= places - ONE
        m = code + i
        theirs = distance_after(game, s, 1 - me, m) if cut else np.int64(f.theirs)
        if theirs == FAR:
            continue
        mine = distance_after(game, s, me, m) if (ours >> U(i)) & ONE != ZERO else np.int64(f.mine)
        if mine == FAR:
            continue
        gain = (theirs - f.theirs) - (mine - f.mine)
        if gain < -1 and m != first:
            continue
        add_move(f, m, 10_000_000 if m == first else rank_of(f, m, gain, history, me), mine, theirs)


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
    x, y = (a >> ONE) | (b << U(63)), b >> ONE
    a |= x
    b |= y
    x, y = (a >> U(STRIDE)) | (b << U(64 - STRIDE)), b >> U(STRIDE)
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


@helper
def list_moves(game, s, w, f, first, history):
    """All pawn moves, the walls that cut the opponent's roads and, not right above the leaves, walls near the action."""
    me = s.turn
    f.count = 0
    layers(game, s, me, w, f.mine + 1)
    n = pawn_moves(game, s, w)
    for i in range(n):
        m = w.buf[i]
        d = away(w, m, f.mine)
        add_move(f, m, 10_000_000 if m == first else rank_of(f, m, f.mine - d, history, me), d, f.theirs)
    if s.stock[me] == 0:
        return
    a, b = roads(s, s.pawn[me], w, f.mine)
    own_h0, own_h1, own_v0, own_v1 = cutters(a, b, s.n0, s.n1, s.e0, s.e1)
    layers(game, s, 1 - me, w, f.theirs)
    a, b = roads(s, s.pawn[1 - me], w, f.theirs)
    h0, h1, v0, v1 = cutters(a, b, s.n0, s.n1, s.e0, s.e1)
    h0 &= s.hfree0
    h1 &= s.hfree1
    v0 &= s.vfree0
    v1 &= s.vfree1
    add_walls(game, s, f, h0, H, own_h0, True, first, history)
    add_walls(game, s, f, h1, H + 64, own_h1, True, first, history)
    add_walls(game, s, f, v0, V, own_v0, True, first, history)
    add_walls(game, s, f, v1, V + 64, own_v1, True, first, history)
    if f.depth < 2:
        return
    a, b = near_pawns(s)
    p0, p1, q0, q1 = beside_walls(s)
    add_walls(game, s, f, (a | p0) & s.hfree0 & ~h0, H, own_h0, False, first, history)
    add_walls(game, s, f, (b | p1) & s.hfree1 & ~h1, H + 64, own_h1, False, first, history)
    add_walls(game, s, f, (a | q0) & s.vfree0 & ~v0, V, own_v0, False, first, history)
    add_walls(game, s, f, (b | q1) & s.vfree1 & ~v1, V + 64, own_v1, False, first, history)


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


@helper
def begin(f, depth, alpha, beta, mine, theirs, passed):
    f.depth = depth
    f.alpha = alpha
    f.opened = alpha
    f.beta = beta
    f.mine = mine
    f.theirs = theirs
    f.best = -INFINITE
    f.best_move = NOTHING
    f.place = 0
    f.stage = ENTER
    f.passed = passed


@helper
def seen_before(F, d, seen):
    """Has this position stood on the board or on the path before? It never does twice with a wall more."""
    key = F[d].key
    for i in range(d - 2, -1, -2):
        if F[i].key == key:
            return True
    return is_seen(seen, key)


@helper
def reduction(depth, place, pv):
    """Later moves are searched less deep: the ranks are good."""
    r = np.int64(0.5 * (1.0 + math.log(float(depth)) * math.log(float(place + 1))))
    if pv:
        r -= 1
    return max(min(r, depth - 1), 0)


@helper
def reward(f, history, side):
    m = f.best_move
    if f.killer[0] != m:
        f.killer[1] = f.killer[0]
        f.killer[0] = m
    history[side, m] = min(history[side, m] + f.depth * f.depth, 8000)


@kernel
def set_root(game, S, F, depth, alpha, beta, clear):
    """Prepares frame 0 for a search to `depth` within a window."""
    s = S[0]
    me = s.turn
    distances = np.zeros(2, np.int64)
    for seat in range(2):
        a, b = only(s.pawn[seat])
        g0, g1 = goal(game, seat, 2)
        distances[seat] = steps(a, b, g0, g1, s.n0, s.n1, s.e0, s.e1)
    begin(F[0], depth, alpha, beta, distances[me], distances[1 - me], True)
    if clear:
        for d in range(F.size):
            F[d].killer[0] = NOTHING
            F[d].killer[1] = NOTHING


@helper
def launch(f, child, trial, move_place):
    """Starts the child of the move at `move_place` in the way `trial` says."""
    f.trial = trial
    mine, theirs = np.int64(f.after_theirs[move_place]), np.int64(f.after_mine[move_place])
    if trial == FULL:
        begin(child, f.depth - 1, -f.beta, -f.alpha, mine, theirs, False)
    elif trial == SCOUT:
        begin(child, f.depth - 1, -f.alpha - 1, -f.alpha, mine, theirs, False)
    else:
        less = reduction(f.depth, move_place, f.beta - f.alpha > 1)
        begin(child, f.depth - 1 - less, -f.alpha - 1, -f.alpha, mine, theirs, False)


@kernel
def search(game, weights, S, W, F, line, table, history, scores, seen, d, budget):
    """Goes on from ply d until the root is finished or `budget` nodes are spent; returns (ply, nodes), ply -1 at the end."""
    nodes = 0
    score = 0
    while nodes < budget:
        f = F[d]
        s = S[d]
        finished = False
        if f.stage == ENTER:
            nodes += 1
            line[d, d] = NOTHING
            if f.theirs == 0:  # the opponent has just arrived
                score = -(WIN - d)
                finished = True
            elif d > 0 and s.ply >= game.cap:
                score = 0
                finished = True
            else:
                f.still = judged(weights, f.mine, f.theirs, s.stock[s.turn], s.stock[1 - s.turn])
                if f.depth <= 0 or d == MAX_DEPTH:
                    score = f.still
                    finished = True
            if not finished:
                f.key = game.key(s)
                first = NOTHING
                pv = f.beta - f.alpha > 1
                if d > 0 and not f.passed and seen_before(F, d, seen):
                    score = 0
                    finished = True
                else:
                    e = entry_of(table, f.key)
                    if e.key == f.key:
                        first = np.int64(e.move)
                        if d > 0 and e.depth >= f.depth:
                            score = from_table(np.int64(e.score), d)
                            finished = settles(e, score, f)
                            if finished and e.bound == EXACT and first != NOTHING:
                                line[d, d] = first
                                line[d, d + 1] = NOTHING
                if not finished and d > 0 and not pv and abs(f.beta) < PROVEN:
                    if f.depth <= 3 and f.still - weights.margin * f.depth >= f.beta:
                        score = f.still
                        finished = True
                    elif f.depth >= 3 and not f.passed and f.still >= f.beta and s.stock[s.turn] > 0 and f.theirs > 2:
                        # if even passing is good enough, so is the best move
                        S[d + 1] = s
                        S[d + 1].turn = 1 - s.turn
                        f.trial = NULL
                        f.stage = LIST
                        begin(F[d + 1], f.depth - 3, -f.beta, -f.beta + 1, f.theirs, f.mine, True)
                        d += 1
                        continue
                if not finished:
                    f.stage = LIST
        elif f.stage == LIST:
            e = entry_of(table, f.key)
            list_moves(game, s, W[d], f, np.int64(e.move) if e.key == f.key else NOTHING, history)
            f.stage = LOOP
        elif f.stage == CUT:
            score = f.best
            finished = True
        elif f.place == f.count or f.alpha >= f.beta:
            if f.alpha >= f.beta:
                reward(f, history, s.turn)
            remember(table, f, d)
            score = f.best
            finished = True
        else:
            bring_best(f)
            m = np.int64(f.move[f.place])
            S[d + 1] = s
            game.play(S[d + 1], m)
            if f.place == 0:
                trial = FULL
            elif f.place >= 3 and f.depth >= 2 and (s.stock[0] > 0 or s.stock[1] > 0):
                trial = REDUCED
            else:
                trial = SCOUT
            launch(f, F[d + 1], trial, f.place)
            d += 1
        if not finished:
            continue
        if d == 0:
            return -1, nodes
        d -= 1
        f = F[d]
        score = -score
        if f.trial == NULL:
            if score >= f.beta:
                f.best = min(score, PROVEN)
                f.stage = CUT
            f.trial = FULL
            continue
        if f.trial == REDUCED and score > f.alpha:
            launch(f, F[d + 1], SCOUT, f.place)
            d += 1
            continue
        if f.trial == SCOUT and f.alpha < score < f.beta:
            launch(f, F[d + 1], FULL, f.place)
            d += 1
            continue
        if d == 0:
            scores[f.place] = score
        if score > f.best:
            f.best = score
            f.best_move = f.move[f.place]
            if score > f.alpha:
                f.alpha = score
            prepend(line, d, f.best_move)
        f.place += 1
    return d, nodes
