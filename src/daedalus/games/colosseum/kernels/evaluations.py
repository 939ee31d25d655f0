"""Evaluations of Colosseum Survival!: weighted sums of what `balance` in territory.py counts, mine minus theirs."""

from typing import NamedTuple

import numpy as np

from daedalus.core.kernels.bitsets import cells_of

from .territory import balance, most_steps

UNIT = 100.0  # a balance of so much is half of a won game


class Territory(NamedTuple):
    """Cells reached first, cells within one and two walks, barriers to spare; weights of `expert`."""

    first: int = 6
    near: int = 5
    far: int = 5
    spare: int = 6

    def value(self, game, s, seat, w):
        mine, theirs = np.int64(s.cell[seat]), np.int64(s.cell[1 - seat])
        weights = (self.first, self.near, self.far, self.spare)
        x = balance(cells_of(s, "right"), cells_of(s, "down"), game.size, most_steps(game), mine, theirs, *weights) / UNIT
        return x / (1.0 + abs(x))


EVALUATIONS = {
    "territory": Territory(),
    "mobility": Territory(first=0, near=10, far=0, spare=0),
    "voronoi": Territory(first=10, near=0, far=0, spare=0),
}
