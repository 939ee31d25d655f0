"""Kernels of the expert: a look at every move over sampled replies, then play-outs for the best few.

`race[a, b]` is the chance to win of a player to move who needs a more goals against one who needs b; `assess` corrects it
with how likely each side is to find its next goal on its next turn, and the play-outs use it where they stop. On large
boards, where goals take many turns, both count the walls in the way too. Of more than one rival each has his own odds
against me, which add up: so the one nearest to winning is worth hindering most.
"""

import numpy as np

from daedalus.core import ONE, ZERO, U, helper, kernel, lowest, random_bits
from daedalus.core.kernels.bitsets import add, holds

from .knowledge import ANY, SUSPECTED, conceal, hide, likelihood, look
from .maze import (
    OFF,
    flood,
    imagine,
    is_small,
    note_walls,
    pawn_after,
    rides,
    rotations,
    turned,
    walls_between,
    way,
)
from .policies import EAGER, take_turn
from .rules import arrive, goal, goal_after, is_allowed, push

WALL = 0.15  # the part of a goal that a wall in the way costs on boards larger than 8 x 8; on others walls tell too little
USUAL = 1  # walls in the way

# --- chances of the next turn -----------------------------------------------------------------------------------------


@helper
def add_sources(game, s, w, marker):
    """Adds to w.other the cells from which a pawn, with one push of the mover, reaches the tile of a marker."""
    extra = np.int64(s.extra)
    for location in range(np.int64(s.locations)):
        entry, out, step = way(s, location)
        target = goal_after(s, marker, entry, out, step)
        if target == OFF:
            continue
        for rotation in range(rotations(extra)):
            exits = turned(extra, rotation)
            if is_allowed(game, s, location, exits):
                imagine(s, w, entry, step, exits)
                flood(w, target)
                take_back(s, w, entry, out, step)


@helper
def take_back(s, w, entry, out, step):
    """Adds to w.other the cells whose pawns a push brings into w.reach."""
    for k in range(w.reach.size):
        r = w.reach[k]
        while r != ZERO:
            cell = (k << 6) + lowest(r)
            r &= r - ONE
            if rides(s, cell, entry, step):
                cell = out if cell == entry else cell - step
            add(w, "other", cell)


@helper
def sources(game, s, w, seat):
    """w.other: the cells from which the seat to move finds a goal this turn."""
    for k in range(w.other.size):
        w.other[k] = ZERO
    if game.goals == ANY and s.found[seat] < s.cards:
        first = seat * np.int64(s.cards)
        for i in range(first + np.int64(s.found[seat]), first + np.int64(s.cards)):
            add_sources(game, s, w, np.int64(s.deck[i]))
    else:
        add_sources(game, s, w, goal(s, seat))


@helper
def sources_by_insertion(game, s, w, seat):
    """w.pool[cell]: how many insertions let a pawn on the cell reach the goal of a seat, were it to move."""
    for cell in range(s.marker.size):
        w.pool[cell] = 0
    marker = goal(s, seat)
    extra = np.int64(s.extra)
    for location in range(np.int64(s.locations)):
        entry, out, step = way(s, location)
        target = goal_after(s, marker, entry, out, step)
        if target == OFF:
            continue
        for rotation in range(rotations(extra)):
            exits = turned(extra, rotation)
            if is_allowed(game, s, location, exits):
                for k in range(w.other.size):
                    w.other[k] = ZERO
                imagine(s, w, entry, step, exits)
                flood(w, target)
                take_back(s, w, entry, out, step)
                for k in range(w.other.size):
                    r = w.other[k]
                    while r != ZERO:
                        w.pool[(k << 6) + lowest(r)] += 1
                        r &= r - ONE


@helper
def markers_in_reach(game, s, w, seat):
    """The markers a seat could reach with one push, as bits."""
    found = ZERO
    extra = np.int64(s.extra)
    for location in range(np.int64(s.locations)):
        entry, out, step = way(s, location)
        cell = pawn_after(s, np.int64(s.pawn[seat]), entry, out, step)
        for rotation in range(rotations(extra)):
            exits = turned(extra, rotation)
            if is_allowed(game, s, location, exits):
                imagine(s, w, entry, step, exits)
                flood(w, cell)
                for marker in range(1, 31):
                    place = goal_after(s, marker, entry, out, step)
                    if place != OFF and holds(w, "reach", place):
                        found |= ONE << U(marker)
    return found


@helper
def threat(game, s, w, seat, hidden):
    """How likely another seat finds a goal if it moves now, for the one that prepared `hidden`, see `hide_by_weight`."""
    markers = markers_in_reach(game, s, w, seat)
    cards, found = np.int64(s.cards), np.int64(s.found[seat])
    if found >= cards:
        return np.float64((markers >> U(goal(s, seat))) & ONE)
    place = seat * cards + found
    if (hidden >> U(place)) & ONE == ZERO:
        sought = ZERO
        for i in range(place, (seat + 1) * cards if game.goals == ANY else place + 1):
            sought |= ONE << U(s.deck[i])
        return 1.0 if markers & sought != ZERO else 0.0
    missed = 1.0 - likelihood(w, seat, markers) / likelihood(w, seat, w.possible[seat])
    return 1.0 - missed ** (cards - found) if game.goals == ANY else 1.0 - missed


# --- the race ---------------------------------------------------------------------------------------------------------


@helper
def left(s, seat):
    """How many goals a seat still needs, its home included."""
    return np.int64(s.cards) + 1 - np.int64(s.found[seat])


@helper
def outlook(race, a, b, theirs, mine, further):
    """My chance with a goals to find against b, they to move and find theirs with one chance, then I with another.

    `further`: the part of a goal that walls in my way cost if I do not find it.
    """
    if a == 0:
        return 1.0
    ahead = a + further
    won = 0.0
    if b > 1:
        won = mine * (1.0 - race[b - 1, a - 1]) + (1.0 - mine) * (1.0 - between(race, b - 1.0, ahead))
    return theirs * won + (1.0 - theirs) * (mine * (1.0 - race[b, a - 1]) + (1.0 - mine) * (1.0 - between(race, b, ahead)))


@helper
def between(race, a, b):
    """The race with parts of goals to find."""
    most = race.shape[0] - 1.000001
    a, b = min(a, most), min(b, most)
    i, j = np.int64(a), np.int64(b)
    x, y = a - i, b - j
    upper = (1.0 - y) * race[i, j] + y * race[i, j + 1]
    lower = (1.0 - y) * race[i + 1, j] + y * race[i + 1, j + 1]
    return (1.0 - x) * upper + x * lower


@helper
def detour(s, seat, walls):
    """The part of a goal that walls in the way of a seat cost, more than the usual one; a home is guarded, walls or not."""
    cost = WALL * (walls - USUAL)
    return cost if s.found[seat] < s.cards else max(cost, 0.0)


@helper
def way_left(game, s, w, seat):
    """The goals a seat still needs, on large boards with the walls in its way to the next one."""
    goals = np.float64(left(s, seat))
    if is_small(s) or game.goals == ANY:
        return goals
    look(game, s, w, seat)
    target = np.int64(s.where[goal(s, seat)])
    if target == OFF:
        return goals
    return goals + detour(s, seat, walls_between(s, w, np.int64(s.pawn[seat]), target))


@helper
def verdict(game, s, w, me, race):
    """My chance where a play-out stops, by the race with each of the others."""
    if game.over(s):
        return 0.5 + 0.5 * game.payoff(s, me)
    mine = way_left(game, s, w, me)
    odds = 0.0
    for p in range(game.players):
        if p != me:
            theirs = way_left(game, s, w, p)
            odds += against(between(race, mine, theirs) if s.turn == me else 1.0 - between(race, theirs, mine))
    return 1.0 / (1.0 + odds)


@helper
def against(chance):
    """The odds against something."""
    return (1.0 - chance) / max(chance, 1e-6)


# --- what is suspected of goals ---------------------------------------------------------------------------------------


@helper
def note_weights(game, w, weights):
    """How likely each seat looks for each marker, see suspicion.py."""
    for p in range(game.players):
        for marker in range(weights.shape[1]):
            w.weight[p, marker] = weights[p, marker]


@helper
def hide_by_weight(game, s, w, me):
    """Prepares deals in which goals are as likely as the weights noted say; else like knowledge.hide."""
    hidden = hide(game, s, w, me)
    if game.goals != ANY:
        w.evidence = SUSPECTED
    return hidden


# --- a look at every move ---------------------------------------------------------------------------------------------


@helper
def replies(game, S, w, me, first, last, moves, cells):
    """The others move in S[2] until it is my turn; my pawn's possible cells (w.tiles of each destination) ride along."""
    s = S[2]
    while s.turn != me and not game.over(s):
        take_turn(game, s, w, EAGER)
        entry, out, step = way(s, np.int64(s.barred) ^ 1)
        for i in range(first, last):
            cell = moves[i] % cells
            w.tiles[cell] = pawn_after(s, np.int64(w.tiles[cell]), entry, out, step)


@helper
def chance_on(w, cell):
    """1.0 if the cell, carried along by the replies, is among the sources."""
    now = np.int64(w.tiles[cell])
    return np.float64((w.other[now >> 6] >> U(now & 63)) & ONE)


@helper
def note_detours(game, s, w, me):
    """On large boards, w.walls of each cell to my goal."""
    if is_small(s):
        return
    target = np.int64(s.where[goal(s, me)]) if game.goals != ANY else OFF
    if target == OFF:
        for cell in range(w.walls.size):
            w.walls[cell] = USUAL
    else:
        note_walls(s, w, target)


@helper
def detour_on(s, w, me, cell):
    """What the walls between my goal and a cell cost, carried along by the replies."""
    return 0.0 if is_small(s) else detour(s, me, np.int64(w.walls[w.tiles[cell]]))


@kernel
def assess(game, S, W, weights, moves, starts, begin, end, samples, race, values):
    """Values all moves of the insertions begin..end-1; those of one insertion stand at starts[i] .. starts[i + 1].

    S[0] is the view; S[1] the board after the insertion, S[2] after sampled replies, S[3] with the goal found.
    """
    w = W[0]
    me = game.turn(S[0])
    note_weights(game, w, weights)
    hidden = hide_by_weight(game, S[0], w, me)
    cells = S[0].marker.size
    for g in range(begin, end):
        first, last = starts[g], starts[g + 1]
        insertion = moves[first] // cells
        S[1] = S[0]
        s = S[1]
        push(s, insertion >> 2, turned(np.int64(s.extra), insertion & 3))
        s.turn = (me + 1) % game.players
        danger = np.zeros(4)
        for p in range(game.players):
            if p != me:
                danger[p] = threat(game, s, w, p, hidden)
        for i in range(first, last):
            values[i] = 0.0
        further = np.zeros(last - first)
        for _ in range(samples):
            for i in range(first, last):
                w.tiles[moves[i] % cells] = moves[i] % cells
            S[2] = S[1]
            conceal(game, S[2], w, hidden)
            replies(game, S, w, me, first, last, moves, cells)
            sources(game, S[2], w, me)
            note_detours(game, S[2], w, me)
            for i in range(first, last):
                values[i] += chance_on(w, moves[i] % cells) / samples
                further[i - first] += detour_on(S[2], w, me, moves[i] % cells) / samples
        for i in range(first, last):
            s.turn = me
            S[3] = s
            arrive(game, S[3], moves[i] % cells)
            found = np.int64(S[3].found[me]) - np.int64(s.found[me])
            if found and not game.over(S[3]):
                values[i] = 0.0
                further[i - first] = 0.0
                for _ in range(samples):
                    w.tiles[moves[i] % cells] = moves[i] % cells
                    S[2] = S[3]
                    conceal(game, S[2], w, hidden)
                    look(game, S[2], w, me)
                    replies(game, S, w, me, i, i + 1, moves, cells)
                    sources(game, S[2], w, me)
                    values[i] += chance_on(w, moves[i] % cells) / samples
                    note_detours(game, S[2], w, me)
                    further[i - first] += detour_on(S[2], w, me, moves[i] % cells) / samples
            odds = 0.0
            for p in range(game.players):
                if p != me:
                    odds += against(outlook(race, left(S[3], me), left(s, p), danger[p], values[i], further[i - first]))
            values[i] = 1.0 if found and game.over(S[3]) else 1.0 / (1.0 + odds)
    w.unseen = ZERO


# --- play-outs for the best -------------------------------------------------------------------------------------------


@kernel
def make_moves(game, S, C, moves):
    """C[i] becomes S[0] after move i."""
    for i in range(moves.size):
        C[i] = S[0]
        game.play(C[i], moves[i])


@kernel
def compare(game, S, C, W, weights, alive, rounds, depth, policy, race, totals, visits):
    """So many play-outs of `depth` turns for each candidate alive; in a round all begin with the same random numbers.

    A round depends on the generator of W[1] alone, so the rounds may be made in one call or in many.
    """
    w = W[0]
    me = game.turn(S[0])
    note_weights(game, w, weights)
    for _ in range(rounds):
        seed = random_bits(W[1]) | ONE
        for i in alive:
            S[2] = C[i]
            s = S[2]
            w.rng = seed
            conceal(game, s, w, hide_by_weight(game, S[0], w, me))
            turns = 0
            while turns < depth and not game.over(s):
                take_turn(game, s, w, policy)
                turns += 1
            totals[i] += verdict(game, s, w, me, race)
            visits[i] += 1
    w.unseen = ZERO
