"""What evaluations of Black-Hole Escape count: landings that are ready, steps to the hole, mobility, ships beside the hole."""

import numpy as np

from daedalus.core import helper, lowest, popcount

STOP, PASS = 0, 1  # what the hole does, the option `hole`


@helper
def highest(line):
    """The index of the highest set bit of a non-empty line of at most 9 cells."""
    index = 0
    while line > 1:
        line >>= 1
        index += 1
    return index


@helper
def ready(game, s, seat):
    """How many moves of the seat would land a ship in the hole now.

    On each of the four rays from the hole only the nearest ship can: always if the hole swallows, else if a ship beside
    the hole on the far side stops it there.
    """
    hole = game.size // 2
    low = (1 << hole) - 1
    landings = 0
    for vertical in range(2):
        line = np.int64(s.columns[hole]) if vertical else np.int64(s.ships[0, hole]) | np.int64(s.ships[1, hole])
        before, after = line & low, line >> (hole + 1)
        if before and (game.hole == PASS or after & 1):
            landings += holds(s, seat, hole, highest(before), vertical)
        if after and (game.hole == PASS or (before >> (hole - 1)) & 1):
            landings += holds(s, seat, hole, hole + 1 + lowest(after), vertical)
    return landings


@helper
def holds(s, seat, hole, at, vertical):
    """1 if the seat's ship stands at place `at` of the hole's column or row, else 0."""
    if vertical:
        return np.int64((s.ships[seat, at] >> hole) & 1)
    return np.int64((s.ships[seat, hole] >> at) & 1)


@helper
def distance(game, s, seat):
    hole = game.size // 2
    total = 10 * np.int64(s.home[seat])
    for row in range(game.size):
        ships = np.int64(s.ships[seat, row])
        while ships:
            total -= abs(row - hole) + abs(lowest(ships) - hole)
            ships &= ships - 1
    return total


@helper
def mobility(game, s, seat):
    """Ships that can slide, counted once a direction: squares beside them that are on the board and empty."""
    board = (1 << game.size) - 1
    total = 0
    for row in range(game.size):
        ships = np.int64(s.ships[seat, row])
        line = np.int64(s.ships[0, row]) | np.int64(s.ships[1, row])
        total += popcount((ships << 1) & board & ~line) + popcount((ships >> 1) & ~line)
        if row > 0:
            total += popcount(ships & ~(np.int64(s.ships[0, row - 1]) | np.int64(s.ships[1, row - 1])))
        if row < game.size - 1:
            total += popcount(ships & ~(np.int64(s.ships[0, row + 1]) | np.int64(s.ships[1, row + 1])))
    return total


@helper
def owner(s, row, col):
    """1 for a red ship on the square, -1 for a blue one, 0 for none."""
    return np.int64((s.ships[0, row] >> col) & 1) - np.int64((s.ships[1, row] >> col) & 1)


@helper
def aligned(game, s, ready, blocked):
    """Red minus Blue over the four squares around the hole."""
    hole = game.size // 2
    total = 0
    for k in range(4):
        down = (k == 2) - (k == 0)
        right = (k == 1) - (k == 3)
        here = owner(s, hole + down, hole + right)
        facing = owner(s, hole - down, hole - right)
        total += here
        if here != 0 and facing == here:
            total += here * ready
        elif here != 0 and facing == -here:
            total += here * blocked
    return total
