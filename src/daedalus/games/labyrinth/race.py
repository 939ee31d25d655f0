"""The race table: who comes home first when each turn finds a goal with the same chance."""

from functools import lru_cache
from typing import Any

import numpy as np

MOST = 28  # 26 objects and the home, and nothing left


@lru_cache(maxsize=8)
def race_table(success: float) -> Any:
    """table[a, b]: the chance to win of a player to move who needs a goals against one who needs b.

    With x for (a, b) and y for (b, a): x = p * (1 - table[b, a - 1]) + (1 - p) * (1 - y), and the same with roles changed.
    """
    p, q = success, 1.0 - success
    table = np.zeros((MOST, MOST))
    table[0, :] = 1.0
    table[:, 0] = 0.0
    for total in range(2, 2 * MOST):
        for a in range(max(1, total - MOST + 1), min(MOST - 1, total - 1) + 1):
            b = total - a
            mine = p * (1.0 - table[b, a - 1]) + q
            theirs = p * (1.0 - table[a, b - 1]) + q
            table[a, b] = (mine - q * theirs) / (1.0 - q * q)
    return table
