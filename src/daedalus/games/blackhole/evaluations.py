"""The four evaluations of the published report (specs: Black-Hole Escape, section 2), each a weighted sum of five terms.

Every term is Red minus Blue:

    distance   minus the steps of each ship to the hole; a ship at home counts +10
    home       ships at home
    mobility   legal moves
    aligned    a ship beside the hole counts 1, and `ready` more if a friend stands opposite, `blocked` if an enemy does
    plays      Red's plays so far, a tie-break for speed

Weights are the report's; where its published program differs (the sign of `plays` in H3 and H4, 1000 for `ready`), the
program's, since it made the published tables. The names ending in `v1` use the older values of `aligned`.
"""

from typing import NamedTuple

import numpy as np

from daedalus.core import helper, lowest, popcount

BOUND = 50_000.0  # no weighted sum reaches it, so that values stay inside (-1, 1)


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


class Report(NamedTuple):
    """A weighted sum of the report's terms."""

    distance: int = 0
    home: int = 0
    mobility: int = 0
    aligned: int = 0
    plays: int = 0
    ready: int = 1000
    blocked: int = -1000

    def value(self, game, s, seat, w):
        total = self.plays * ((np.int64(s.ply) + 1) // 2)
        if self.distance != 0:
            total += self.distance * (distance(game, s, 0) - distance(game, s, 1))
        if self.home != 0:
            total += self.home * (np.int64(s.home[0]) - np.int64(s.home[1]))
        if self.mobility != 0:
            total += self.mobility * (mobility(game, s, 0) - mobility(game, s, 1))
        if self.aligned != 0:
            total += self.aligned * aligned(game, s, self.ready, self.blocked)
        return (total if seat == 0 else -total) / BOUND


H1 = Report(distance=1, mobility=1, plays=1)
H2 = Report(distance=1, aligned=1, mobility=1, plays=1)
H3 = Report(aligned=4, home=100, plays=-10)
H4 = Report(home=100, plays=-10, mobility=4)
OLDER = {"ready": 1, "blocked": -2}

EVALUATIONS = {
    "h1": H1,
    "h2": H2,
    "h3": H3,
    "h4": H4,
    "h2v1": H2._replace(**OLDER),
    "h3v1": H3._replace(**OLDER),
}
