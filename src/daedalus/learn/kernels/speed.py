"""How quick a network is inside kernels."""

from daedalus.core import kernel


@kernel
def evaluations(game, net, S, W, n):
    """n values, of the positions in S in turn; their sum, so that none is left out."""
    total = 0.0
    for i in range(n):
        s = S[i % S.size]
        total += net.value(game, s, game.turn(s), W[0])
    return total


@kernel
def priors(game, net, S, W, n):
    """n priors over the legal moves, the moves listed anew each time."""
    total = 0.0
    for i in range(n):
        s = S[i % S.size]
        net.prior(game, s, W[0], game.moves(s, W[0]))
        total += W[0].prior[0]
    return total
