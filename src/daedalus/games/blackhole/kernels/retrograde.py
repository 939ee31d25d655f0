"""Retrograde analysis of the 5 x 5 board: from the ends of all games back to every position that is won or lost.

A position is a pair of fleets (see fleets.py): `own` has the move, `other` has just moved. The table has a row for each
leader as `own` and a column for each fleet as `other`, one byte a position:

    0            two ships on one square: no position
    1 .. 16      not solved (yet): moves that are not known to lose; what stays so is a draw
    17 + n       solved: the game ends in n plies under best play, won by the side to move if n is odd

Positions solved at distance n give those at n + 1: whoever can move to a lost position wins, and whoever has no move
left but to won ones loses. So each sweep takes the moves back that may have led to the positions of the last one.
"""

import numpy as np

from daedalus.core import helper, kernel, lowest, popcount

from .evaluation_terms import PASS
from .fleets import CENTRE, SIZE
from .slides import EAST, NORTH, SOUTH, WEST

SOLVED = 17
MAX_ORIGINS = 32  # a ship came from at most 4 squares of its row and 4 of its column; 3 ships and 8 landings make no more
_BOARD = (1 << 25) - 1
_FIRST_COLUMN = 0b00001_00001_00001_00001_00001
_LAST_COLUMN = 0b10000_10000_10000_10000_10000


def _steps():
    """The next cell in each direction, -1 past the border."""
    step = np.full((25, 4), -1)
    for cell in range(25):
        row, col = divmod(cell, SIZE)
        for d, (down, right) in {NORTH: (-1, 0), EAST: (0, 1), SOUTH: (1, 0), WEST: (0, -1)}.items():
            if 0 <= row + down < SIZE and 0 <= col + right < SIZE:
                step[cell, d] = cell + down * SIZE + right
    return step


STEP = _steps()


@helper
def holds(ships, cell):
    return (ships >> cell) & 1 != 0


@helper
def mobility(own, occupied):
    """How many moves the side has: the free squares beside its ships, the hole among them, one for each ship."""
    free = _BOARD & ~occupied
    north_south = popcount((own >> SIZE) & free) + popcount((own << SIZE) & free)
    east_west = popcount(((own & ~_LAST_COLUMN) << 1) & free) + popcount(((own & ~_FIRST_COLUMN) >> 1) & free)
    return north_south + east_west


@helper
def can_land(own, occupied, hole):
    """Does a move of the side end in the hole?"""
    for d in range(4):
        if hole == PASS or holds(occupied, STEP[CENTRE, d]):
            cell = STEP[CENTRE, d ^ 2]
            if not holds(occupied, cell):
                cell = STEP[cell, d ^ 2]
            if holds(own, cell):
                return True
    return False


@helper
def slide(cell, d, occupied, hole):
    """The cell where a ship's slide ends."""
    ahead = STEP[cell, d]
    while ahead >= 0 and not holds(occupied, ahead):
        cell = ahead
        if cell == CENTRE and hole == PASS:
            break
        ahead = STEP[cell, d]
    return cell


@helper
def successors(own, other, hole, moves, made):
    """Writes the moves of `own`, in the order of the rules, and the ships each leaves on the board; returns how many."""
    occupied = own | other
    n = 0
    ships = own
    while ships:
        cell = lowest(ships)
        ships &= ships - 1
        for d in range(4):
            end = slide(cell, d, occupied, hole)
            if end != cell:
                moves[n] = cell * 4 + d
                made[n] = own ^ (1 << cell) if end == CENTRE else own ^ (1 << cell) ^ (1 << end)
                n += 1
    return n


@helper
def trace(rest, occupied, end, d, hole, origins, n):
    """Adds `rest` with one ship more, on each square from which it may have slid in direction d to `end`."""
    cell = STEP[end, d ^ 2]
    while cell >= 0 and not holds(occupied, cell):
        if cell != CENTRE:
            origins[n] = rest | (1 << cell)
            n += 1
        elif hole == PASS:
            break
        cell = STEP[cell, d ^ 2]
    return n


@helper
def unmoves(own, other, hole, origins):
    """Writes the fleets from which one move made `other`, when `own` is to move now; returns how many."""
    occupied = own | other
    n = 0
    ships = other
    while ships:
        cell = lowest(ships)
        ships &= ships - 1
        for d in range(4):
            ahead = STEP[cell, d]
            if ahead < 0 or holds(occupied, ahead):
                n = trace(other ^ (1 << cell), occupied, cell, d, hole, origins, n)
    if popcount(other) == 3:
        for d in range(4):
            if hole == PASS or holds(occupied, STEP[CENTRE, d]):
                n = trace(other, occupied, CENTRE, d, hole, origins, n)
    return n


@kernel
def count_moves(table, fleets, hole):
    """Fills the table with the number of moves of each position, and what can be seen at once: no move, or a last landing."""
    ships = fleets.ships
    leader = fleets.leader
    for row in range(leader.size):
        own = np.int64(ships[leader[row]])
        one_to_go = popcount(own) == 3
        for column in range(ships.size):
            other = np.int64(ships[column])
            if own & other:
                table[row, column] = 0
            elif one_to_go and can_land(own, own | other, hole):
                table[row, column] = SOLVED + 1
            else:
                n = mobility(own, own | other)
                table[row, column] = n if n else SOLVED


@kernel
def sweep(table, distance, fleets, hole, origins):
    """Solves what is one ply further from the end than `distance`; returns how many positions stand at `distance`."""
    ships = fleets.ships
    leader = fleets.leader
    wanted = SOLVED + distance
    seen = 0
    for row in range(leader.size):
        own = np.int64(leader[row])
        for column in range(ships.size):
            if table[row, column] == wanted:
                seen += 1
                n = unmoves(np.int64(ships[own]), np.int64(ships[column]), hole, origins)
                for i in range(n):
                    settle(table, distance, fleets, origins[i], own)
    return seen


@helper
def settle(table, distance, fleets, origin, own):
    """The fleet `origin` may move to a position at `distance`, with `own` to move then: what follows for it?

    The table holds that position once for each symmetry that makes a leader of `origin` and another fleet of `own`.
    """
    mover = np.int64(fleets.high[popcount(origin), origin >> 13]) + np.int64(fleets.low[origin & 4095])
    row = fleets.row[mover]
    turns = np.int64(fleets.upright[mover]) & np.int64(fleets.distinct[own])
    while turns:
        column = fleets.turned[lowest(turns), own]
        turns &= turns - 1
        known = table[row, column]
        if known < SOLVED:
            if distance & 1 == 0 or known == 1:
                table[row, column] = SOLVED + distance + 1
            else:
                table[row, column] = known - 1
