"""What the moves of the others tell of their goals, beyond what stops rule out.

Who can reach its goal goes there, as a rule; who cannot goes where some push of its next turn would reach it. So each of
its turns speaks against the goals that it left and against those from which it turned away, and makes them less likely.
Moves are taken back to see what they left. How a tile lay that fell out is known of the last move alone; of those before
it is taken to have lain as it was pushed in again.
"""

import numpy as np

from daedalus.core import ONE, U, helper, kernel

from .maze import OFF, pawn_after, way
from .rules import push
from .sequential_halving import markers_in_reach

TURNS = 3  # of each rival, since it found its last goal
UNLIKELY = 0.125  # by so much less likely is a goal that one turn speaks against


@helper
def speak_against(weights, seat, markers):
    """Makes some markers less likely to be the goal of a seat."""
    for marker in range(weights.shape[1]):
        if (markers >> U(marker)) & ONE != U(0):
            weights[seat, marker] *= UNLIKELY


@helper
def take_back(s, location, before):
    """Undoes a push; `before` is the location of the one before it, OFF if there was none or it is not known."""
    push(s, location ^ 1, np.int64(s.extra))
    s.barred = OFF if before == OFF else before ^ 1


@helper
def stood(s, locations, cells, i, players):
    """Where the pawn that made move i was before it, on the board as it was then; OFF if that is not known."""
    last = i - players
    if last < 0:
        return np.int64(s.where[s.home[s.turn]]) if i == s.ply else OFF
    cell = cells[last]
    for k in range(last + 1, i):
        entry, out, step = way(s, locations[k])
        cell = pawn_after(s, cell, entry, out, step)
    return cell


@kernel
def suspect(game, S, W, locations, cells, weights):
    """weights[p, marker] becomes how likely seat p looks for a marker, against the others, as the last moves tell.

    S[0] is the view, S[1] scratch; the moves are given by where they pushed and where they ended.
    """
    w = W[0]
    S[1] = S[0]
    s = S[1]
    me = game.turn(S[0])
    silent = np.zeros(4, np.int64)  # turns before these found another goal
    weights[:] = 1.0
    for i in range(locations.size - 1, -1, -1):
        mover = (me + i - locations.size) % game.players
        if mover < 0:
            mover += game.players
        found = np.int64(s.found[mover])
        s.turn = mover
        s.ply -= 1
        s.pawn[mover] = cells[i]
        if found > 0 and s.marker[cells[i]] == s.deck[mover * np.int64(s.cards) + found - 1]:
            silent[mover] = 1
        tells = mover != me and silent[mover] == 0 and found < s.cards
        if tells:
            speak_against(weights, mover, ~markers_in_reach(game, s, w, mover))
        take_back(s, locations[i], locations[i - 1] if i > 0 else OFF)
        cell = stood(s, locations, cells, i, game.players)
        if tells and cell != OFF:
            s.pawn[mover] = cell
            speak_against(weights, mover, markers_in_reach(game, s, w, mover))
