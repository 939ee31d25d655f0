"""What a policy would play."""

from daedalus.core import kernel


@kernel
def pick(game, policy, S, W):
    """The move that a policy picks in S[0]."""
    return policy.pick(game, S[0], W[0])
