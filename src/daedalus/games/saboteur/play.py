"""Kernels that play whole games between two policies, or ask one for a move; compiled for this game."""

from daedalus.core import helper, kernel

from .board import blast, lay, reveal, set_board
from .race import survey
from .rules import BLAST, LOOK
from .terms import LAID


@kernel
def pick(game, policy, S, W):
    """The move a policy picks in S[0]."""
    return policy.pick(game, S[0], W[0])


@kernel
def duel(game, one, two, S, W, games, result):
    """Games between two policies from fresh deals, seats changing; counts wins, losses, draws of the first and plies."""
    w = W[0]
    for number in range(games):
        S[0] = S[1]
        s = S[0]
        game.start(s, w)
        first = number & 1
        while not game.over(s):
            if game.turn(s) == first:
                game.play(s, one.pick(game, s, w))
            else:
                game.play(s, two.pick(game, s, w))
            result[3] += 1
        value = game.payoff(s, first)
        result[0 if value > 0 else 1 if value < 0 else 2] += 1


@kernel
def wildness(S, W, moves, rival):
    """How the tiles, destroys and maps of a seat looked to onlookers, from the first move on: (judged, pointless ones).

    S[0] is zeroed and becomes the board of the last move.
    """
    s, w = S[0], W[0]
    set_board(s)
    judged, pointless = 0, 0
    for number in range(moves.size):
        kind, place = moves[number] >> 8, moves[number] & 255
        if number & 1 == rival and (kind < LAID or kind == LOOK or kind == BLAST):
            judged += 1
            pointless += not has_point(s, w, kind, place, rival)
        elif kind < LAID:
            lay(s, place, kind)
            reveal(s)
        elif kind == BLAST:
            blast(s, place)
        elif kind == LOOK:
            s.seen[number & 1] |= 1 << place
    return judged, pointless


@helper
def measure(s, w):
    """How many tiles are missing to each objective."""
    for goal in range(3):
        w.lengths[goal] = survey(s, w, 1 << goal)


@helper
def has_point(s, w, kind, place, seat):
    """Makes a move and says whether it had a point.

    A tile that shortens the way to some objective has one, or one that lengthens a way of one or two tiles; a destroyed
    tile if a way gets longer; a map if the seat has not seen the objective.
    """
    if kind == LOOK:
        fresh = not s.seen[seat] >> place & 1
        s.seen[seat] |= 1 << place
        return fresh
    measure(s, w)
    before = (w.lengths[0], w.lengths[1], w.lengths[2])
    if kind == BLAST:
        blast(s, place)
    else:
        lay(s, place, kind)
        reveal(s)
    measure(s, w)
    for i in range(3):
        if (kind == BLAST or before[i] < 3) and w.lengths[i] > before[i]:
            return True
        if kind < LAID and w.lengths[i] < before[i]:
            return True
    return False
