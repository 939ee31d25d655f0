"""What several searches share: one rollout, and the memory of positions already seen."""

import numpy as np

from daedalus.core import U, helper


@helper
def rollout(game, policy, evaluation, s, w, cutoff, seats):
    """Plays s to its end, or for `cutoff` plies (-1: no cut) and judges it then; fills w.payoffs, returns the plies."""
    plies = 0
    while not game.over(s):
        if plies == cutoff:
            for seat in range(seats):
                w.payoffs[seat] = evaluation.value(game, s, seat, w)
            return plies
        game.play(s, policy.pick(game, s, w))
        plies += 1
    for seat in range(seats):
        w.payoffs[seat] = game.payoff(s, seat)
    return plies


@helper
def is_seen(seen, key):
    """Is the key in the open-addressing table `seen` (a power of two in size, 0 marks a free place)?"""
    mask = U(seen.size - 1)
    place = key & mask
    while seen[np.int64(place)] != U(0):
        if seen[np.int64(place)] == key:
            return True
        place = (place + U(1)) & mask
    return False


@helper
def on_path(keys, depth):
    """Does keys[depth] stand among the keys before it?"""
    for i in range(depth - 2, -1, -1):
        if keys[i] == keys[depth]:
            return True
    return False
