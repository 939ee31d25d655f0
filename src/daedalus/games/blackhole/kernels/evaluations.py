"""The four evaluations of Maldonado, Silva and Gomes (their report has no date), each a weighted sum of five terms.

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

from .evaluation_terms import aligned, distance, mobility

BOUND = 50_000.0  # no weighted sum reaches it, so that values stay inside (-1, 1)


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
