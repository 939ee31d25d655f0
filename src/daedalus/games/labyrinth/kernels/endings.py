"""A kernel that tells which moves end the game, and how: what is proven comes before whatever is sampled."""

import numpy as np

from daedalus.core import kernel


@kernel
def payoffs_at_once(game, S, moves, payoffs):
    """What each move in S[0] earns the seat to move if it ends the game, not a number where it goes on; S[1] is scratch."""
    me = game.turn(S[0])
    for i in range(moves.size):
        S[1] = S[0]
        game.play(S[1], moves[i])
        payoffs[i] = game.payoff(S[1], me) if game.over(S[1]) else np.nan
