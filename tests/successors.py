"""A kernel for test_keys.py: positions of random games, all their successors, and the key of each."""

from daedalus.core import kernel, random_below


@kernel
def fill(game, S, W, after, keys):
    """Fills `after` with all successors of all positions of random games, `keys` with theirs. S[0] is zeroed, S[1] scratch."""
    w = W[0]
    s = S[1]
    n = 0
    while n < keys.size:
        S[1] = S[0]
        game.start(s, w)
        while n < keys.size and not game.over(s):
            count = game.moves(s, w)
            for k in range(min(count, keys.size - n)):
                after[n] = s
                game.play(after[n], w.buf[k])
                keys[n] = game.key(after[n])
                n += 1
            game.play(s, w.buf[random_below(w, count)])
