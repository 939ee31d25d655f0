"""What evaluations of Black-Hole Escape count: landings that are ready, steps to the hole, mobility, ships beside the hole."""

import numpy as np

from daedalus.core import U, helper, lowest, popcount

STOP, PASS = 0, 1  # what the hole does, the option `hole`


SIZES = (5, 7, 9)
LINES = 1 << SIZES[-1]  # a row or a column of ships as bits
LENGTH = np.array([line.bit_length() for line in range(LINES)], np.int8)


def _landing_places(size, rule, line):
    """See landing_places; in plain Python, for the table."""
    hole = size // 2
    before, after = line & ((1 << hole) - 1), line >> (hole + 1)
    places = 0
    if before and (rule == PASS or after & 1):
        places |= 1 << (before.bit_length() - 1)
    if after and (rule == PASS or (before >> (hole - 1)) & 1):
        places |= 1 << (hole + (after & -after).bit_length())
    return places


LANDING = np.array(
    [[[_landing_places(size, rule, line) for line in range(LINES)] for size in SIZES] for rule in (STOP, PASS)], np.int16
)


@helper
def landing_places(game, line):
    """The places, as bits, from which a ship on the hole's row or column would land in the hole now; all ships are in `line`.

    On each of the rays from the hole only the nearest ship can: always if the hole swallows, else if a ship beside the
    hole on the far side stops it there.
    """
    return np.int64(LANDING[U(game.hole), U((game.size - SIZES[0]) >> 1), U(line)])


@helper
def ready(game, s, seat):
    """How many moves of the seat would land a ship in the hole now."""
    hole = game.size // 2
    row = np.int64(s.ships[0, hole]) | np.int64(s.ships[1, hole])
    landings = popcount(landing_places(game, row) & np.int64(s.ships[seat, hole]))
    places = landing_places(game, np.int64(s.columns[hole]))
    while places:
        landings += (np.int64(s.ships[seat, lowest(places)]) >> hole) & 1
        places &= places - 1
    return landings


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
