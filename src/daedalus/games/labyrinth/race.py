"""The race table: who comes home first when each turn finds a goal with the same chance."""

from functools import lru_cache
from typing import Any

import numpy as np

MOST = 28  # 26 objects and the home, and nothing left


@lru_cache(maxsize=8)
def race_table(success: float, home: float, guarding: float, hindrance: float, open_goals: bool = False) -> Any:
    """table[a, b]: the chance to win of a player to move who needs a goals against one who needs b, see `chance`.

    With p for the chance of a, q for that of b, x for table[a, b] and y for table[b, a]:

        x = p * (1 - table[b, a - 1]) + (1 - p) * (1 - y)        y = q * (1 - table[a, b - 1]) + (1 - q) * (1 - x)
    """
    table = np.zeros((MOST, MOST))
    table[0, :] = 1.0
    table[:, 0] = 0.0
    rates = (success, home, guarding, hindrance, open_goals)
    for total in range(2, 2 * MOST):
        for a in range(max(1, total - MOST + 1), min(MOST - 1, total - 1) + 1):
            b = total - a
            p, q = chance(a, b, *rates), chance(b, a, *rates)
            mine = p * (1.0 - table[b, a - 1]) + 1.0 - p
            theirs = q * (1.0 - table[a, b - 1]) + 1.0 - q
            table[a, b] = (mine - (1.0 - p) * theirs) / (1.0 - (1.0 - p) * (1.0 - q))
    return table


def chance(a: int, b: int, success: float, home: float, guarding: float, hindrance: float, open_goals: bool) -> float:
    """How likely a turn finds a goal.

    The home is known to all, who stand in the way; who must keep the other from it finds little meanwhile. A card is hard to
    find if the other knows which it is: the fewer are left, the better it guesses.
    """
    if a == 1:
        return home
    if b == 1:
        return guarding
    guesses = 1 if open_goals else a + b - 3  # the cards that the other does not know
    return success * guesses / (guesses + hindrance)
