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
def features(game, S, seat, out):
    """What a network sees of S[0] from a seat."""
    game.features(S[0], seat, out)


@kernel
def actions(game, S, moves, out):
    """The numbers of the moves of S[0] in the game's list of actions."""
    for i in range(moves.size):
        out[i] = game.action(S[0], moves[i])


@kernel
def probe(game, S, W, out):
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
    game.features(s, 0, out)
    action = game.action(s, m)
    game.play(s, m)
    return n, label, key, value, action, game.over(s), game.payoff(s, 0)
