"""Kernels of van der Zwaag's Monte Carlo agents, and whole games between simple players."""

import numpy as np

from daedalus.core import ZERO, helper, kernel

from .knowledge import conceal, hide, look, unknown
from .maze import turned
from .policies import finish_turn, take_turn
from .rules import HOME, arrive, push


@helper
def score(game, before, s, me, win, loss, goal, rival):
    """What a play-out is worth to `me`: its end, the goals found since `before`, and the others' (specification 5)."""
    points = 0.0
    for p in range(game.players):
        more = np.int64(s.found[p]) - np.int64(before.found[p])
        points += goal * more if p == me else -rival * more
    if game.over(s):
        result = game.payoff(s, me)
        points += win if result > 0.0 else -loss if result < 0.0 else 0.0
    return points


@helper
def prepare(game, S, move, whole):
    """S[1] becomes S[0] after a candidate: a whole move, or only its insertion."""
    S[1] = S[0]
    s = S[1]
    cells = s.marker.size
    insertion = move // cells
    push(s, insertion >> 2, turned(np.int64(s.extra), insertion & 3))
    if whole:
        arrive(game, s, move % cells)


@kernel
def play_outs(game, S, W, moves, begin, end, each, depth, policy, whole, win, loss, goal, rival, totals, visits):
    """Play-outs number begin..end-1, `each` in a row for a candidate, of `depth` turns after it; adds up their scores.

    S[0] is the view, S[1] and S[2] are scratch. The unknown cards are dealt in each play-out, when they are looked at, and
    lie in W[0] as the play-out before left them: the play-outs may be made in one call, from number 0, or in many.
    """
    w = W[0]
    me = game.turn(S[0])
    hidden = hide(game, S[0], w, me) if begin == 0 else unknown(game, S[0], me)
    current = -1
    for k in range(begin, end):
        i = (k // each) % moves.size
        if i != current:
            prepare(game, S, moves[i], whole)
            current = i
        S[2] = S[1]
        s = S[2]
        conceal(game, s, w, hidden)
        if not whole:
            look(game, s, w, me)
            finish_turn(game, s, w, policy)
        turns = 0
        while turns < depth and not game.over(s):
            take_turn(game, s, w, policy)
            turns += 1
        totals[i] += score(game, S[0], s, me, win, loss, goal, rival)
        visits[i] += 1
    w.unseen = ZERO


@kernel
def play_games(game, S, W, n, policies, totals):
    """n games on new boards between simple players, one policy a seat; S[0] is a zeroed state, S[1] scratch.

    totals: games won by each seat, goals found by each seat, then draws, turns, turns squared.
    """
    w = W[0]
    w.unseen = ZERO
    seats = game.players
    for _ in range(n):
        S[1] = S[0]
        s = S[1]
        game.start(s, w)
        while not game.over(s):
            take_turn(game, s, w, policies[game.turn(s)])
        if s.ended == HOME:
            totals[s.turn] += 1
        elif game.payoff(s, 0) == 0.0:
            totals[2 * seats] += 1
        for p in range(seats):
            totals[seats + p] += np.int64(s.found[p])
        turns = np.float64(s.ply)
        totals[2 * seats + 1] += turns
        totals[2 * seats + 2] += turns * turns
