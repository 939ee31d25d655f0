"""What a position for two is worth by the look of it, 100 = one step, for the side to move."""

from typing import NamedTuple

import numpy as np

from daedalus.core import helper
from daedalus.search.kernels.frames import WIN


class Weights(NamedTuple):
    """What things are worth, and what a ply may change."""

    tempo: int = 50
    wall: int = 140
    any_wall: int = 250
    race: int = 1500
    margin: int = 100  # a ply rarely changes the score by more
    reduction: float = 2.0  # how much less deep later moves are searched


@helper
def judged(weights, mine, theirs, stock, stock_theirs):
    """The score of a position from distances and stocks.

    A wall is worth more than a step, having any at all more still; against an opponent without walls it is a race.
    """
    score = 100 * (theirs - mine) + weights.tempo + weights.wall * (stock - stock_theirs)
    score += weights.any_wall * (np.int64(stock > 0) - np.int64(stock_theirs > 0))
    if stock_theirs == 0 and mine <= theirs:
        score += weights.race + 20 * (theirs - mine)
    if stock == 0 and theirs < mine:
        score -= weights.race + 20 * (mine - theirs)
    return score


@helper
def judged_after(game, weights, s, d, mine, theirs, built):
    """The score, for the side to move at ply d, of a move that leads to these distances and builds so many walls."""
    if mine == 0:
        return np.int64(WIN - d - 1)
    if s.ply + 1 >= game.cap:
        return np.int64(0)
    me = s.turn
    return -judged(weights, theirs, mine, s.stock[1 - me], s.stock[me] - built)
