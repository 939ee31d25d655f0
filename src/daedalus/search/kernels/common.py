"""What several searches share: one rollout, and the memory of positions already seen."""

import numpy as np

from daedalus.core import U, helper
from daedalus.core.compile import overload


@helper
def judge_each(game, evaluation, s, w, seats):
    """What an evaluation says for each seat, in w.payoffs."""
    for seat in range(seats):
        w.payoffs[seat] = evaluation.value(game, s, seat, w)


@helper
def judge_once(game, evaluation, s, w, seats):
    """The same with one call where there are two seats, for evaluations that say the opposite for the other one."""
    if seats != 2:
        judge_each(game, evaluation, s, w, seats)
        return
    w.payoffs[0] = evaluation.value(game, s, 0, w)
    w.payoffs[1] = -w.payoffs[0]


def judge_seats(game, evaluation, s, w, seats):
    """Judges a position for every seat. An evaluation whose class says ZERO_SUM is asked once, since asking may be dear."""
    _judging(type(evaluation))(game, evaluation, s, w, seats)


def _judging(judge):
    return judge_once if getattr(judge, "ZERO_SUM", False) else judge_each


def _chosen(game, evaluation, s, w, seats):
    judging = _judging(evaluation.instance_class)
    return lambda game, evaluation, s, w, seats: judging(game, evaluation, s, w, seats)


overload(judge_seats, _chosen)


@helper
def rollout(game, policy, evaluation, s, w, cutoff, seats):
    """Plays s to its end, or for `cutoff` plies (-1: no cut) and judges it then; fills w.payoffs, returns the plies."""
    plies = 0
    while not game.over(s):
        if plies == cutoff:
            judge_seats(game, evaluation, s, w, seats)
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
