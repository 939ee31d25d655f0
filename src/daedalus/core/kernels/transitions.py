"""Kernels under a position: opening, one step, redealing. Everything a position must know comes from one call."""

from ..compile import kernel


@kernel
def opening(game, S, W):
    """Sets up S[0] from the generator of W[0]."""
    game.start(S[0], W[0])


@kernel
def survey(game, S, W, payoffs):
    """(seat to move, ended, number of legal moves in W[0].buf, key) of S[0]; fills payoffs when it has ended."""
    s = S[0]
    over = game.over(s)
    n = 0
    if over:
        for seat in range(payoffs.size):
            payoffs[seat] = game.payoff(s, seat)
    else:
        n = game.moves(s, W[0])
    return game.turn(s), over, n, game.key(s)


@kernel
def play(game, S, m):
    """Makes move m in S[0]."""
    game.play(S[0], m)


@kernel
def redeal(game, S, seat, W):
    """Replaces in S[0] what the seat cannot know."""
    game.redeal(S[0], seat, W[0])


@kernel
def probe(game, S, W):
    """Touches every compiled method once: does this game compile?"""
    s = S[0]
    w = W[0]
    game.start(s, w)
    game.redeal(s, game.turn(s), w)
    n = game.moves(s, w)
    m = game.random_move(s, w)
    label = game.label(s, m)
    key = game.key(s)
    value = game.evaluate(s, 0, w)
    game.play(s, m)
    return n, label, key, value, game.over(s), game.payoff(s, 0)
