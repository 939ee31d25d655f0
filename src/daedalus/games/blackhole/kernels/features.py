"""What a network sees of a Black-Hole board, and the numbers of its moves: Blue turns the board by half a turn.

Where ships can slide to, and what that would threaten, follows from where they stand; but it takes a small network most
of its training to find out, and the kernels a fraction of the time that the network takes.
"""

import numpy as np

from daedalus.core import U, helper, popcount

from .lanes import EVERY, LANE, OWN, free, row_of, slides, within_reach
from .threats import HALF, worth_of_moves

LANDINGS = 3  # none, one, more
MOVES = 4  # none, one, two, more


@helper
def seen(game, seat, cell):
    """A cell as the seat sees it."""
    return cell if seat == 0 else game.size * game.size - 1 - cell


@helper
def seen_way(seat, d):
    """A direction as the seat sees it."""
    return d if seat == 0 else d ^ 2


@helper
def write_row(s, out, grid, row, lane):
    """A row of a grid, from the places of the lowest lane."""
    size = len(s.columns)
    for col in range(size):
        out[U((grid * size + row) * size + col)] = (lane >> col) & 1


@helper
def write_turned(s, out, grid, row, lane):
    """The same of a lane of the turned board."""
    size = len(s.columns)
    for col in range(size):
        out[U(((grid + 1) * size - row) * size - 1 - col)] = (lane >> col) & 1


@helper
def write_grids(s, out, row, here, right, down):
    """A row of all grids: ships, then where they end that slide up, right, down and left, of either side."""
    for k in range(2):
        write_row(s, out, k, row, here >> k * LANE)
        write_turned(s, out, 2 + 4 * k, row, down >> (k + 2) * LANE)
        write_row(s, out, 3 + 4 * k, row, right >> k * LANE)
        write_row(s, out, 4 + 4 * k, row, down >> k * LANE)
        write_turned(s, out, 5 + 4 * k, row, right >> (k + 2) * LANE)


@helper
def moves_to(ends):
    """How many moves of the seat end so, and in the upper half of the other side."""
    return popcount(ends & OWN) | popcount(ends & ~OWN) << HALF


@helper
def write_board(game, s, seat, out):
    """The grids, row by row from the top; returns the worth of all moves, and the landings that are ready."""
    size = len(s.columns)
    hole = size // 2
    here = row_of(s, seat, 0)
    empty = free(s, here)
    falling = 0  # ships from above whose slide down has come to this row
    moves = column = row_crossings = column_crossings = 0
    for row in range(size):
        below = row_of(s, seat, row + 1) if row < size - 1 else 0
        empty_below = free(s, below) if row < size - 1 else 0
        beside, under = empty, empty_below
        if row == hole:
            beside, under = within_reach(game, empty, hole + 1), within_reach(game, empty_below, hole)
        right, down = slides(here, beside), falling & ~under
        write_grids(s, out, row, here, right, down)
        moves += moves_to(right) + moves_to(down)
        column |= (here >> hole & EVERY) << row
        if row == hole:
            row_crossings = here & under | down & ~(EVERY << hole)
        else:
            column_crossings |= ((here & beside >> 1 | right) >> hole & EVERY) << row
        falling = (falling | here) & under
        here, empty = below, empty_below
    return worth_of_moves(game, s, moves, row_of(s, seat, hole), row_crossings, column, column_crossings)


@helper
def write_features(game, s, seat, out):
    """See feature_names in ../features.py."""
    goal = game.size // 2
    worth, ready = write_board(game, s, seat, out)
    after = 10 * game.size * game.size
    for i in range(after, out.size):
        out[U(i)] = 0.0
    for k in range(2):
        for _ in range(4):
            out[U(after + min(worth & 255, MOVES - 1))] = 1.0
            worth >>= 8
            after += MOVES
        out[U(after + min(np.int64(s.home[seat ^ k]), goal))] = 1.0
        after += goal + 1
        out[U(after + min(ready >> k * LANE & 3, LANDINGS - 1))] = 1.0
        after += LANDINGS
    out[U(after)] = 1.0 if s.turn == seat else 0.0


@helper
def numbered(game, s, m):
    """The number of move m as the seat to move sees it."""
    return seen(game, s.turn, m >> 2) * 4 + seen_way(s.turn, m & 3)
