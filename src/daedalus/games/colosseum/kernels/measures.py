"""Kernels that only measure: whole games of random walks, and lists of moves."""

from daedalus.core import kernel


@kernel
def walk_games(game, S, W, n):
    """Plays n games of random walks, each from a start of its own; returns the plies."""
    s = S[1]
    plies = 0
    for _ in range(n):
        S[1] = S[0]  # a zeroed state
        game.start(s, W[0])
        while not game.over(s):
            game.play(s, game.random_move(s, W[0]))
            plies += 1
    return plies


@kernel
def list_moves(game, S, W, n):
    """Lists the moves of S[0] n times, for one player and the other in turn; returns how many moves that were."""
    total = 0
    for _ in range(n):
        S[0].turn = 1 - S[0].turn
        total += game.moves(S[0], W[0])
    return total
