"""Information-set Monte Carlo tree search: every simulation deals the hidden cards anew and walks one common tree.

Moves are filed by their label, what an onlooker sees of them, so a node stands for what the root's seat can tell apart.
Children are a linked list, since each deal allows other moves; `available` counts how often a child could be chosen.
"""

import math

import numpy as np

from daedalus.core import helper, kernel, random_below

from .common import rollout

NONE = -1


def node_type(seats):
    """The record of a node."""
    fields = [
        ("label", "i8"),
        ("child", "i4"),
        ("sibling", "i4"),
        ("visits", "i4"),
        ("available", "i4"),
        ("value", "f8", (seats,)),
        ("mover", "i1"),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@helper
def place_children(T, node, slots):
    """Notes for each label where its child is, so that the moves of a deal find theirs at once."""
    j = T[node].child
    while j != NONE:
        slots[T[j].label] = j
        j = T[j].sibling


@helper
def clear_children(T, node, slots):
    j = T[node].child
    while j != NONE:
        slots[T[j].label] = NONE
        j = T[j].sibling


@helper
def add_child(T, node, label, used, seats):
    """A new child of a node."""
    child = T[used]
    child.label = label
    child.child = NONE
    child.sibling = T[node].child
    child.visits = 0
    child.available = 0
    for seat in range(seats):
        child.value[seat] = 0.0
    T[node].child = used
    return used + 1


@helper
def select(game, s, w, n, T, node, slots, puct, c, fpu):
    """The index in w.buf of the move to make: untried ones first (UCT) or by prior (PUCT), else the largest bound."""
    t = T[node]
    me = t.mover
    unseen = t.value[me] / max(t.visits, 1) - fpu
    pick = 0
    top = -1e300
    begin = random_below(w, n)  # ties go to a random move
    for k in range(n):
        i = begin + k - (n if begin + k >= n else 0)
        j = slots[game.label(s, w.buf[i])]
        if j == NONE:
            bound = unseen + c * w.prior[i] * math.sqrt(float(t.visits)) if puct else 1e30
        else:
            child = T[j]
            child.available += 1
            visits = max(child.visits, 1)
            q = child.value[me] / visits
            if puct:
                bound = q + c * w.prior[i] * math.sqrt(float(child.available)) / (1.0 + child.visits)
            else:
                bound = q + c * math.sqrt(math.log(float(child.available + 1)) / visits)
        if bound > top:
            top = bound
            pick = i
    return pick


@kernel
def simulate(game, policy, evaluation, dealer, S, W, T, used, n, puct, c, fpu, cutoff, slots, path):
    """n simulations from the view S[0], whose node is T[0]; S[1] is scratch. Returns (nodes used, simulations made).

    A full tree is searched on without new nodes.
    """
    w = W[0]
    seats = T[0].value.size
    observer = game.turn(S[0])
    for _ in range(n):
        S[1] = S[0]
        s = S[1]
        dealer.deal(game, s, observer, w)
        node = 0
        depth = 0
        path[0] = 0
        fresh = False
        while not game.over(s) and not fresh and depth + 1 < path.size:
            T[node].mover = game.turn(s)
            count = game.moves(s, w)
            if puct:
                policy.prior(game, s, w, count)
            place_children(T, node, slots)
            i = select(game, s, w, count, T, node, slots, puct, c, fpu)
            label = game.label(s, w.buf[i])
            child = slots[label]
            clear_children(T, node, slots)
            game.play(s, w.buf[i])
            if child == NONE:
                fresh = True
                if used == T.size:
                    break
                child = used
                used = add_child(T, node, label, used, seats)
            node = child
            depth += 1
            path[depth] = node
        rollout(game, policy, evaluation, s, w, cutoff, seats)
        for k in range(depth + 1):
            t = T[path[k]]
            t.visits += 1
            for seat in range(seats):
                t.value[seat] += w.payoffs[seat]
    return used, n
