"""Kernels of the end without walls: a race that is solved exactly, jumps and all."""

import numpy as np

from daedalus.core import helper, kernel

from .bitboards import goal, has
from .rules import pawn_moves


@helper
def ended(game, first, second):
    """Has one of the pawns arrived?"""
    a, b = goal(game, 0, 2)
    x, y = goal(game, 1, 2)
    return has(a, b, first) != 0 or has(x, y, second) != 0


@helper
def decided(game, s, w, p, q, turn, number, plies, n):
    """n or -n if the position is decided in exactly n plies by what was decided in fewer, else 0."""
    g0, g1 = goal(game, turn, 2)
    lost = True
    for k in range(pawn_moves(game, s, w)):
        cell = w.buf[k]
        if has(g0, g1, cell) != 0:
            return np.int64(n) if n == 1 else np.int64(0)
        to = number[cell]
        reply = plies[to, q, 1 - turn] if turn == 0 else plies[p, to, 1 - turn]
        if reply < 0 and -reply == n - 1:
            return np.int64(n)
        lost = lost and 0 < reply < n
    return np.int64(-n) if lost else np.int64(0)


@kernel
def solve_race(game, S, W, cells, number, plies):
    """Fills plies[pawn 0, pawn 1, turn] for the walls of S[0]: n to win in n plies, -n to lose in n, 0 for a draw.

    Round n finds the positions decided in n plies, from those decided before. S[1] is scratch; cells lists the board's
    cells, number tells the place of each in the table.
    """
    S[1] = S[0]
    s = S[1]
    w = W[0]
    changed = True
    n = 0
    while changed:
        n += 1
        changed = False
        for p in range(cells.size):
            for q in range(cells.size):
                if p == q or ended(game, cells[p], cells[q]):
                    continue
                for turn in range(2):
                    if plies[p, q, turn] != 0:
                        continue
                    s.pawn[0] = cells[p]
                    s.pawn[1] = cells[q]
                    s.turn = turn
                    result = decided(game, s, w, p, q, turn, number, plies, n)
                    if result != 0:
                        plies[p, q, turn] = result
                        changed = True
