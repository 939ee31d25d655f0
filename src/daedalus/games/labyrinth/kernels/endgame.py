"""Kernels of the endgame of two players: coming home although the other, who knows that goal, stands in the way.

A seat that needs only its home wins with a move after which every push of the other leaves its way home open. Whether
there is such a move is decided exactly, for all its destinations at once: a set of cells, from which each reply takes
those it cuts off.
"""

import numpy as np

from daedalus.core import ONE, ZERO, helper, kernel, lowest
from daedalus.core.kernels.bitsets import cells_of, first, holds, is_empty, remove, set_cells

from .maze import OFF, flood, join, pawn_after, rotations, turned, way
from .policies import scan
from .rules import is_allowed, push
from .sequential_halving import sources


@helper
def needs_home(s, seat):
    """Has the seat found all its cards?"""
    return s.found[seat] >= s.cards


@helper
def laid(game, s, insertion):
    """The exits of the extra tile at an insertion (location * 4 + rotation), 0 if that is not allowed."""
    extra = np.int64(s.extra)
    if insertion & 3 >= rotations(extra):
        return 0
    exits = turned(extra, insertion & 3)
    return exits if is_allowed(game, s, insertion >> 2, exits) else 0


@helper
def keep_open(s, w, location):
    """Leaves of w.cover the cells that the push just made carries into w.other; returns whether there are any."""
    entry, out, step = way(s, location)
    some = False
    for k in range(w.cover.size):
        rest = w.cover[k]
        while rest != ZERO:
            cell = (k << 6) + lowest(rest)
            rest &= rest - ONE
            now = pawn_after(s, cell, entry, out, step)
            if not holds(w, "other", now):
                remove(w, "cover", cell)
            else:
                some = True
    return some


@helper
def answer(game, S, w, n, me, first):
    """A push in S[n] that cuts off all of w.cover from the home of `me`, tried from `first` on; OFF if there is none."""
    insertions = 4 * np.int64(S[n].locations)
    for i in range(insertions):
        insertion = first + i - (insertions if first + i >= insertions else 0)
        exits = laid(game, S[n], insertion)
        if exits:
            S[n + 1] = S[n]
            s = S[n + 1]
            push(s, insertion >> 2, exits)
            s.turn = me
            sources(game, s, w, me)
            if not keep_open(s, w, insertion >> 2):
                return insertion
    return OFF


@helper
def unanswered(game, S, w, n):
    """A move of the seat to move in S[n], who needs only its home, after which it comes home for certain; OFF if none.

    S[n + 1] and S[n + 2] are scratch.
    """
    me = np.int64(S[n].turn)
    other = 1 - me
    refutation = 0
    for insertion in range(4 * np.int64(S[n].locations)):
        exits = laid(game, S[n], insertion)
        if exits == 0:
            continue
        S[n + 1] = S[n]
        s = S[n + 1]
        push(s, insertion >> 2, exits)
        s.turn = other
        if needs_home(s, other) and scan(game, s, w, 0) != OFF:
            continue
        join(s, w)
        flood(w, np.int64(s.pawn[me]))
        set_cells(w, "cover", cells_of(w, "reach"))
        found = answer(game, S, w, n + 1, me, refutation)
        if found == OFF:
            cover = cells_of(w, "cover")
            if not is_empty(cover):
                return insertion * s.marker.size + first(cover)
        refutation = found
    return OFF


@kernel
def winning_move(game, S, W):
    """The move in S[0] of a seat who needs only its home that wins whatever the other does, OFF if there is none."""
    return unanswered(game, S, W[0], 0)


@kernel
def loses(game, S, W, move):
    """Does a move in S[0] leave the other seat, who needs only its home, such a move?"""
    S[1] = S[0]
    game.play(S[1], move)
    return not game.over(S[1]) and unanswered(game, S, W[0], 1) != OFF
