"""The tree of the agent of Pelletier and Wittmann (2022, section 1).

Every simulation goes down to a node without children, opens it, takes one of its children by the heuristic choice and
plays on from there by the heuristic choice (or another policy) to the end. A move that was never tried needs no node: all such children of a
node have the same value, so nodes are made when first taken.

    value   Q/N + c * sqrt(2 ln(N of the parent) / N), Q the sum of 0, 1/2, 1 for the player who moved into the node;
            with implicit minimax (1 - a) * Q/N + a * best instead of Q/N, `best` the minimax of evaluations below
    untried 0, as the report says, or above all others, as its published program has it
"""

import math

import numpy as np

from daedalus.core import helper, kernel
from daedalus.core.kernels.bitsets import cells_of

from .policies import NOTHING, WINS, best_graded, grade_of

NONE = -1


def node_type():
    """The record of a node; a root's siblings are none."""
    fields = [
        ("q", "f8"),
        ("best", "f4"),
        ("visits", "i4"),
        ("child", "i4"),
        ("sibling", "i4"),
        ("move", "i2"),
        ("untried", "i2"),  # legal moves without a node, NONE before it is opened
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@helper
def clear(t, move):
    t.q = 0.0
    t.best = 0.5
    t.visits = 0
    t.child = NONE
    t.sibling = NONE
    t.move = move
    t.untried = NONE


@helper
def merit(t, spread, c, implicit):
    """The value of a node that was visited; spread = sqrt(2 ln N) of its parent."""
    mean = t.q / t.visits
    return mean + implicit * (t.best - mean) + c * spread / math.sqrt(float(t.visits))


@helper
def child_by(T, node, m):
    """The child that move m leads to, NONE if it was never tried."""
    j = T[node].child
    while j != NONE and T[j].move != m:
        j = T[j].sibling
    return j


@helper
def selected(game, choice, s, w, T, node, c, implicit, untried):
    """The move with the largest value, by heuristic choice among equals; `untried` is what a move without a node is worth."""
    t = T[node]
    spread = math.sqrt(2.0 * math.log(float(max(t.visits, 1))))
    top = untried if t.untried > 0 else -1.0
    equals = 0
    pick = NOTHING
    j = t.child
    while j != NONE:
        value = merit(T[j], spread, c, implicit)
        if value > top:
            top = value
            equals = 0
        if value == top:
            equals += 1
            pick = T[j].move
        j = T[j].sibling
    if equals == 1 and not (t.untried > 0 and top == untried):
        return np.int64(pick)
    return best_graded(game, choice, s, w, listed(game, s, w, T, node, spread, c, implicit, untried, top))


@helper
def listed(game, s, w, T, node, spread, c, implicit, untried, top):
    """Writes the moves of a node whose value is `top` to w.buf, returns how many."""
    j = T[node].child
    while j != NONE:
        w.tried[T[j].move] = 1 if merit(T[j], spread, c, implicit) == top else 2
        j = T[j].sibling
    n = game.moves(s, w)
    kept = 0
    for k in range(n):
        m = w.buf[k]
        if w.tried[m] == 1 or (w.tried[m] == 0 and untried == top):
            w.buf[kept] = m
            kept += 1
    j = T[node].child
    while j != NONE:
        w.tried[T[j].move] = 0
        j = T[j].sibling
    return kept


@helper
def rewarded(game, s, seat):
    """1 for a win of the seat, 1/2 for a tie."""
    return 0.5 + 0.5 * game.payoff(s, seat)


@helper
def backup_minimax(T, node):
    """Implicit minimax: a node is worth to its mover what the best reply found leaves."""
    t = T[node]
    top = -1.0
    j = t.child
    while j != NONE:
        top = max(top, np.float64(T[j].best))
        j = T[j].sibling
    if top >= 0.0:
        t.best = 1.0 - top


@helper
def attached(game, s, T, node, used, m, judge, seat, implicit, w):
    """Makes the node of move m, played in s already by `seat`; returns its place."""
    t = T[node]
    clear(T[used], m)
    T[used].sibling = t.child
    t.child = used
    t.untried -= 1
    if implicit > 0.0:
        T[used].best = rewarded(game, s, seat) if game.over(s) else 0.5 + 0.5 * judge.value(game, s, seat, w)
    return used


@kernel
def simulate(game, choice, policy, judge, S, W, T, used, n, c, implicit, untried, path):
    """n simulations from S[0], whose node is T[0]; S[1] is scratch. Returns the nodes used; a full tree grows no more."""
    w = W[0]
    us = game.turn(S[0])
    for _ in range(n):
        S[1] = S[0]
        s = S[1]
        node = 0
        depth = 0
        path[0] = 0
        opened = False
        while not opened and not game.over(s):
            opened = T[node].untried == NONE
            if opened:
                T[node].untried = game.moves(s, w)
                m = choice.pick(game, s, w)
                child = NONE
            else:
                m = selected(game, choice, s, w, T, node, c, implicit, untried)
                child = child_by(T, node, m)
            seat = game.turn(s)
            game.play(s, m)
            if child == NONE:
                if used == T.size or depth + 1 == path.size:
                    break
                child = attached(game, s, T, node, used, m, judge, seat, implicit, w)
                used += 1
            node = child
            depth += 1
            path[depth] = node
        while not game.over(s):
            game.play(s, policy.pick(game, s, w))
        reward = rewarded(game, s, us)
        for i in range(depth, -1, -1):
            t = T[path[i]]
            t.visits += 1
            t.q += reward if i & 1 else 1.0 - reward  # odd plies below the root are moves of the root's player
            if implicit > 0.0 and i < depth:
                backup_minimax(T, path[i])
    return used


@kernel
def winning_move(game, choice, S, W):
    """A move that the choice takes because it wins at once, or NOTHING."""
    s = S[0]
    w = W[0]
    n = game.moves(s, w)
    right, down = cells_of(s, "right"), cells_of(s, "down")
    for k in range(n):
        if grade_of(game, choice, s, right, down, np.int64(w.buf[k])) == WINS:
            return np.int64(w.buf[k])
    return NOTHING


@kernel
def final_move(game, choice, S, W, T, c, implicit, by_visits):
    """The move to play among those tried: the largest value (or most visits), by heuristic choice among equals."""
    w = W[0]
    spread = math.sqrt(2.0 * math.log(float(max(T[0].visits, 1))))
    top = -1.0
    kept = 0
    j = T[0].child
    while j != NONE:
        value = float(T[j].visits) if by_visits else merit(T[j], spread, c, implicit)
        if value > top:
            top = value
            kept = 0
        if value == top:
            w.buf[kept] = T[j].move
            kept += 1
        j = T[j].sibling
    if kept == 0:
        kept = game.moves(S[0], w)
    return best_graded(game, choice, S[0], w, kept)


@kernel
def copy_subtree(T, N, k, used, budget):
    """Goes on copying a subtree of T, whose root is N[0] already, as far as it fits, so that a search continues there.

    Of the nodes in N, `used` so far, the children of the first k are there. Returns both numbers after `budget` nodes
    more; when they are equal the tree is whole.
    """
    end = k + budget
    while k < used and k < end:
        j = N[k].child
        N[k].child = NONE
        while j != NONE:
            if used < N.size:
                N[used] = T[j]
                N[used].sibling = N[k].child
                N[k].child = used
                used += 1
            else:
                N[k].untried += 1
            j = T[j].sibling
        k += 1
    return k, used


@kernel
def plant(T):
    """A root without children."""
    clear(T[0], 0)
