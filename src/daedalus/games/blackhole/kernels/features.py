"""What a network sees of a Black-Hole board, and the numbers of its moves: Blue turns the board by half a turn."""

import numpy as np

from daedalus.core import helper, lowest

from .evaluation_terms import ready

LANDINGS = 3  # none, one, more


@helper
def seen(game, seat, cell):
    """A cell as the seat sees it."""
    return cell if seat == 0 else game.size * game.size - 1 - cell


@helper
def write_features(game, s, seat, out):
    """See feature_names in ../features.py."""
    size, goal = game.size, game.size // 2
    for i in range(out.size):
        out[i] = 0.0
    n = 0
    after = 2 * size * size
    for k in range(2):
        who = seat if k == 0 else 1 - seat
        for row in range(size):
            ships = np.int64(s.ships[who, row])
            while ships:
                out[n + seen(game, seat, row * size + lowest(ships))] = 1.0
                ships &= ships - 1
        n += size * size
        out[after + min(np.int64(s.home[who]), goal)] = 1.0
        after += goal + 1
        out[after + min(ready(game, s, who), LANDINGS - 1)] = 1.0
        after += LANDINGS
    out[after] = 1.0 if s.turn == seat else 0.0


@helper
def numbered(game, s, m):
    """The number of move m as the seat to move sees it."""
    if s.turn == 0:
        return np.int64(m)
    return seen(game, 1, m >> 2) * 4 + ((m & 3) ^ 2)
