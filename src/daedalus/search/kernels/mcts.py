"""Monte Carlo tree search for perfect information, 2 to 4 seats.

A node is a record; the children of a node lie side by side from `first`. `value[seat]` sums the payoffs of the
simulations that went through it, `best[seat]` is its minimax value: exact once `solved`, an evaluation before
(kept only when implicit minimax is on).
"""

import math

import numpy as np

from daedalus.core import U, helper, kernel, shuffle

from .common import is_seen, on_path, rollout

UNOPENED = -1


def node_type(seats):
    """The record of a node."""
    fields = [
        ("move", "i8"),
        ("first", "i4"),
        ("count", "i4"),
        ("visits", "i4"),
        ("prior", "f4"),
        ("value", "f8", (seats,)),
        ("best", "f4", (seats,)),
        ("mover", "i1"),
        ("solved", "i1"),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@helper
def expand(game, policy, s, w, T, node, used, seats, puct):
    """Gives a node its children, in random order so that none is favoured by its place; returns the nodes used."""
    n = game.moves(s, w)
    shuffle(w, w.buf, n)
    if puct:
        policy.prior(game, s, w, n)
    t = T[node]
    t.first = used
    t.count = n
    for i in range(n):
        child = T[used + i]
        child.move = w.buf[i]
        child.count = UNOPENED
        child.visits = 0
        child.prior = w.prior[i]
        child.solved = 0
        for seat in range(seats):
            child.value[seat] = 0.0
            child.best[seat] = 0.0
    return used + n


@helper
def judge_children(game, evaluation, S, w, T, node, seats):
    """Evaluates every child of a node for implicit minimax; S[2] is scratch."""
    t = T[node]
    for j in range(t.first, t.first + t.count):
        S[2] = S[1]
        s = S[2]
        game.play(s, T[j].move)
        over = game.over(s)
        for seat in range(seats):
            T[j].best[seat] = game.payoff(s, seat) if over else evaluation.value(game, s, seat, w)


@helper
def select(T, node, puct, c, fpu, implicit):
    """The child to descend to: the largest upper confidence bound for the seat to move."""
    t = T[node]
    me = t.mover
    if puct:
        spread = c * math.sqrt(float(t.visits))
        unseen = t.value[me] / max(t.visits, 1) - fpu
    else:
        spread = c * math.sqrt(math.log(float(t.visits + 1)))
        unseen = 1e30
    pick = t.first
    top = -1e300
    for j in range(t.first, t.first + t.count):
        child = T[j]
        visits = child.visits
        if child.solved:
            bound = np.float64(child.best[me]) - 1e-3  # nothing left to explore; an open move as good goes first
        elif puct:
            q = child.value[me] / visits if visits else unseen
            q += implicit * (child.best[me] - q)
            bound = q + spread * child.prior / (1.0 + visits)
        elif visits == 0:
            bound = unseen + child.best[me]
        else:
            q = child.value[me] / visits
            q += implicit * (child.best[me] - q)
            bound = q + spread / math.sqrt(float(visits))
        if bound > top:
            top = bound
            pick = j
    return pick


@helper
def settle(T, node, seats):
    """Solves a node from its children if they allow: a winning move, or all of them solved."""
    t = T[node]
    pick = -1
    for j in range(t.first, t.first + t.count):
        child = T[j]
        if child.solved and (pick < 0 or child.best[t.mover] > T[pick].best[t.mover]):
            pick = j
    if pick < 0:
        return False
    if T[pick].best[t.mover] < 1.0:
        for j in range(t.first, t.first + t.count):
            if not T[j].solved:
                return False
    t.solved = 1
    for seat in range(seats):
        t.best[seat] = T[pick].best[seat]
    return True


@helper
def backup_minimax(T, node, seats):
    """Implicit minimax: a node's evaluation is that of the child its mover likes best."""
    t = T[node]
    pick = t.first
    for j in range(t.first, t.first + t.count):
        if T[j].best[t.mover] > T[pick].best[t.mover]:
            pick = j
    for seat in range(seats):
        t.best[seat] = T[pick].best[seat]


@kernel
def simulate(game, policy, evaluation, S, W, T, used, n, puct, c, fpu, implicit, solver, cutoff, repeats, seen, path, keys):
    """n simulations from S[0], whose node is T[0]; S[1], S[2] are scratch. Returns (nodes used, simulations made).

    Stops early when the root is solved; a full tree is searched on without new nodes. `path` and `keys` bound its depth.
    """
    w = W[0]
    seats = T[0].value.size
    for done in range(n):
        if T[0].solved:
            return used, done
        S[1] = S[0]
        s = S[1]
        node = 0
        depth = 0
        while True:  # descend
            path[depth] = node
            t = T[node]
            if t.solved:
                for seat in range(seats):
                    w.payoffs[seat] = t.best[seat]
                break
            if game.over(s):
                for seat in range(seats):
                    w.payoffs[seat] = game.payoff(s, seat)
                    t.best[seat] = w.payoffs[seat]
                t.solved = solver
                break
            if repeats:
                keys[depth] = game.key(s)
                if depth > 0 and keys[depth] != U(0) and (is_seen(seen, keys[depth]) or on_path(keys, depth)):
                    for seat in range(seats):
                        w.payoffs[seat] = 0.0
                    break
            if t.count == UNOPENED:
                t.mover = game.turn(s)
                if (depth > 0 and t.visits == 0) or depth + 1 == path.size or used + w.buf.size > T.size:
                    rollout(game, policy, evaluation, s, w, cutoff, seats)
                    break
                used = expand(game, policy, s, w, T, node, used, seats, puct)
                if implicit > 0.0:
                    judge_children(game, evaluation, S, w, T, node, seats)
            node = select(T, node, puct, c, fpu, implicit)
            game.play(s, T[node].move)
            depth += 1
        solved = solver and T[node].solved != 0
        for i in range(depth, -1, -1):  # back up
            t = T[path[i]]
            t.visits += 1
            for seat in range(seats):
                t.value[seat] += w.payoffs[seat]
            if i < depth:
                if solved:
                    solved = settle(T, path[i], seats)
                if implicit > 0.0 and not solved:
                    backup_minimax(T, path[i], seats)
    return used, n


@kernel
def copy_subtree(T, N, k, used, budget):
    """Goes on copying a subtree of T, whose root is N[0] already, so that a search continues from a position reached.

    Of the nodes in N, `used` so far, the children of the first k are there. Returns both numbers after `budget` nodes
    more; when they are equal the tree is whole.
    """
    end = k + budget
    while k < used and k < end:
        if N[k].count > 0:
            first = N[k].first
            N[k].first = used
            for i in range(N[k].count):
                N[used] = T[first + i]
                used += 1
        k += 1
    return k, used
