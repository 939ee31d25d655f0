"""Counts the move sequences of a given length, with a stack instead of recursion."""

from daedalus.core import kernel


@kernel
def perft(game, S, W, depth, place, count):
    """Leaves at `depth` below S[0]; S and W have depth + 1 places, `place` and `count` as many."""
    if depth == 0:
        return 1
    leaves = 0
    d = 0
    place[0] = 0
    count[0] = 0 if game.over(S[0]) else game.moves(S[0], W[0])
    while d >= 0:
        if d == depth - 1:
            leaves += count[d]
            d -= 1
        elif place[d] == count[d]:
            d -= 1
        else:
            S[d + 1] = S[d]
            game.play(S[d + 1], W[d].buf[place[d]])
            place[d] += 1
            d += 1
            place[d] = 0
            count[d] = 0 if game.over(S[d]) else game.moves(S[d], W[d])
    return leaves
