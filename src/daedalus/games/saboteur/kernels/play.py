"""Kernels that play whole games between two policies, look for a sure win, or judge moves made; compiled for this game."""

import numpy as np

from daedalus.core import helper, kernel

from .board import blast, lay, reveal, set_board
from .policies import NO_MOVE
from .race import candidates, survey
from .rules import ACT, BLAST, LOOK
from .tiles import LAID


@kernel
def sure_win(game, S, W):
    """A tile that wins wherever the nugget may lie as far as the seat to move of S[0] knows, or NO_MOVE; S[1] is scratch."""
    n = game.moves(S[0], W[0])
    for k in range(n):
        m = np.int64(W[0].buf[k])
        if m >> 8 < LAID and wins_anyway(game, S, m):
            return m
    return np.int64(NO_MOVE)


@helper
def wins_anyway(game, S, m):
    """Does move m end the game as a win under every objective where the nugget may lie?"""
    seat = game.turn(S[0])
    may = candidates(S[0], seat)
    for goal in range(3):
        if may >> goal & 1:
            S[1] = S[0]
            S[1].nugget = goal
            game.play(S[1], m)
            if game.payoff(S[1], seat) < 1.0:
                return False
    return True


@kernel
def duel(game, one, two, S, W, games, result):
    """Games between two policies from fresh deals, seats changing; counts wins, losses, draws of the first and plies."""
    w = W[0]
    for number in range(games):
        S[0] = S[1]
        s = S[0]
        game.start(s, w)
        first = number & 1
        while not game.over(s):
            if game.turn(s) == first:
                game.play(s, one.pick(game, s, w))
            else:
                game.play(s, two.pick(game, s, w))
            result[3] += 1
        value = game.payoff(s, first)
        result[0 if value > 0 else 1 if value < 0 else 2] += 1


@kernel
def wildness(S, W, moves, rival):
    """How the tiles, destroys and maps of a seat looked to onlookers, from the first move on: (judged, pointless ones).

    S[0] is zeroed and becomes the board of the last move.
    """
    set_board(S[0])
    judged, pointless = 0, 0
    for number in range(moves.size):
        seat, m = number & 1, moves[number]
        if m >> 8 >= ACT:
            continue
        had_point = watch(S[0], W[0], m >> 8, m & 255, seat, seat == rival)
        if seat == rival:
            judged += 1
            pointless += not had_point
    return judged, pointless


@helper
def watch(s, w, kind, place, seat, judged):
    """Makes a move on the board and says, if it is to be judged, whether it had a point.

    A tile that shortens the way to some objective has one, or one that lengthens a way of one or two tiles; a destroyed
    tile if a way gets longer; a map if the seat has not seen the objective.
    """
    if kind == LOOK:
        fresh = not s.seen[seat] >> place & 1
        s.seen[seat] |= 1 << place
        return fresh
    before = measured(s, w) if judged else (0, 0, 0)
    if kind == BLAST:
        blast(s, place)
    else:
        lay(s, place, kind)
        reveal(s)
    after = measured(s, w) if judged else (0, 0, 0)
    for i in range(3):
        if (kind == BLAST or before[i] < 3) and after[i] > before[i]:
            return True
        if kind < LAID and after[i] < before[i]:
            return True
    return False


@helper
def measured(s, w):
    """How many tiles are missing to each objective."""
    return survey(s, w, 1), survey(s, w, 2), survey(s, w, 4)
