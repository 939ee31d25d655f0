"""Kernels of players that judge every move without play-outs: the advanced rule-based one and the two-turn planner.

No move that they are asked about ends the game.
"""

import numpy as np

from daedalus.core import ZERO, kernel

from .maze import OFF, log_stride, turned
from .policies import distance, nearest_goal
from .rules import arrive, push
from .sequential_halving import sources_by_insertion


@kernel
def advanced(game, S, W, moves, points):
    """Finding the goal first, of those moves the one that leaves the next seat the fewest; else closeness to the goal."""
    w = W[0]
    me = game.turn(S[0])
    cells = S[0].marker.size
    shift = log_stride(S[0])
    for i in range(moves.size):
        S[1] = S[0]
        s = S[1]
        insertion = moves[i] // cells
        push(s, insertion >> 2, turned(np.int64(s.extra), insertion & 3))
        target = nearest_goal(game, s, me, s, moves[i] % cells)
        before = np.int64(s.found[me])
        arrive(game, s, moves[i] % cells)
        if np.int64(s.found[me]) > before:
            points[i] = 1e6 - game.moves(s, w)
        else:
            points[i] = -1000.0 if target == OFF else -np.float64(distance(shift, moves[i] % cells, target))


@kernel
def two_turns(game, S, W, moves, points):
    """Finding the goal first; else by how many insertions of the next own turn would reach it, then by closeness."""
    w = W[0]
    me = game.turn(S[0])
    cells = S[0].marker.size
    shift = log_stride(S[0])
    current = -1
    for i in range(moves.size):
        insertion, cell = moves[i] // cells, moves[i] % cells
        if insertion != current:
            current = insertion
            S[1] = S[0]
            push(S[1], insertion >> 2, turned(np.int64(S[1].extra), insertion & 3))
            sources_by_insertion(game, S[1], w, me)
        s = S[1]
        S[2] = s
        arrive(game, S[2], cell)
        target = nearest_goal(game, s, me, s, cell)
        near = 0.0 if target == OFF else 1.0 / (1.0 + distance(shift, cell, target))
        if np.int64(S[2].found[me]) > np.int64(s.found[me]):
            points[i] = 1e6 - game.moves(S[2], w)
            current = -1  # the list of moves was made in the same workspace
        else:
            points[i] = np.float64(w.pool[cell]) + near
    w.unseen = ZERO
