"""Kernels that play whole games between two policies, or ask one for a move; compiled for this game."""

from daedalus.core import helper, kernel

from .board import blast, lay, reveal, set_board
from .race import survey
from .rules import ACT, BLAST, LOOK
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
    set_board(S[0])
    judged, pointless = 0, 0
    for number in range(moves.size):
        seat, m = number & 1, moves[number]
        if m >> 8 >= ACT:
            continue
        had_point = watch(S[0], W[0], m >> 8, m & 255, seat, seat == rival)
        if seat == rival:
            judged += 1
            pointless += not had_point
    return judged, pointless


@helper
def watch(s, w, kind, place, seat, judged):
    """Makes a move on the board and says, if it is to be judged, whether it had a point.

    A tile that shortens the way to some objective has one, or one that lengthens a way of one or two tiles; a destroyed
    tile if a way gets longer; a map if the seat has not seen the objective.
    """
    if kind == LOOK:
        fresh = not s.seen[seat] >> place & 1
        s.seen[seat] |= 1 << place
        return fresh
    before = measured(s, w) if judged else (0, 0, 0)
    if kind == BLAST:
        blast(s, place)
    else:
        lay(s, place, kind)
        reveal(s)
    after = measured(s, w) if judged else (0, 0, 0)
    for i in range(3):
        if (kind == BLAST or before[i] < 3) and after[i] > before[i]:
            return True
        if kind < LAID and after[i] < before[i]:
            return True
    return False


@helper
def measured(s, w):
    """How many tiles are missing to each objective."""
    return survey(s, w, 1), survey(s, w, 2), survey(s, w, 4)
