"""How simple players move: van der Zwaag's random and rule-based ones, and two of ours that make better play-outs.

`take_turn` plays a whole turn in place, which play-outs need; the policies below it pick a move for any search. Both read
of the cards only what the seat to move knows.
"""

from typing import NamedTuple

import numpy as np

from daedalus.core import ONE, ZERO, U, helper, lowest, random_below, random_bits
from daedalus.core.kernels.bitsets import add, cells_at, cells_of, empty, holds, set_cells, set_cells_at
from daedalus.search.kernels.policies import level

from .knowledge import ANY, look
from .maze import (
    EAST,
    NORTH,
    OFF,
    SOUTH,
    WEST,
    closest,
    exits_at,
    facing,
    flood,
    imagine,
    join,
    log_stride,
    nth_reached,
    pawn_after,
    reached,
    rotations,
    slide_exits,
    touching,
    turned,
    way,
)
from .rules import (
    POSITION,
    arrive,
    foresee,
    goal,
    goal_after,
    goal_reached,
    insertion_of,
    is_allowed,
    markers_after,
    push,
    random_insertion,
    roam,
    walk,
)

RANDOM, RULEBASED, EAGER, PLANNING, GUARDING = 0, 1, 2, 3, 4
TRIES = 6  # random insertions a planning player looks at when its goal is out of reach
SECONDS = 5  # random insertions of the turn after, for each of those
ENOUGH = 3  # of which no more need to reach the goal
KNOWN = 2  # of n cards that may be a goal so many would be guessed right: moves betray goals
GUARDS = 8  # and a guarding one when the next seat is about to come home or to find a goal that it knows


# --- finding an insertion ---------------------------------------------------------------------------------------------


@helper
def scan(self, s, w, begin):
    """The first insertion (location * 4 + rotation) from location `begin` on that lets the mover reach its goal, or OFF.

    Each line is flooded once without the tile that comes in; a rotation joins pawn and goal if it opens to both floods.
    """
    if self.block or (self.goals == ANY and s.found[s.turn] < s.cards):
        return scan_plainly(self, s, w, begin)
    me = np.int64(s.turn)
    marker = goal(s, me)
    extra = np.int64(s.extra)
    n = np.int64(s.locations)
    for i in range(n):
        location = begin + i - (n if begin + i >= n else 0)
        if location == s.barred and self.undo == POSITION:
            continue
        entry, out, step = way(s, location)
        target = goal_after(s, marker, entry, out, step)
        if target == OFF:
            continue
        cell = pawn_after(s, np.int64(s.pawn[me]), entry, out, step)
        near, far = openings(s, w, entry, step, cell, target)
        if near and far:
            for rotation in range(rotations(extra)):
                exits = turned(extra, rotation)
                if exits & near and exits & far and is_allowed(self, s, location, exits):
                    return location * 4 + rotation
    return OFF


@helper
def openings(s, w, entry, step, cell, target):
    """To which sides the tile that comes in must open, to one of the first and one of the second, for cell to meet target."""
    if cell == target:
        return 15, 15
    imagine(s, w, entry, step, 0)
    sides = facing(s, w, entry)
    if cell == entry:
        flood(w, target)
        return 15, touching(w, entry, sides)
    flood(w, cell)
    if target == entry:
        return touching(w, entry, sides), 15
    if holds(w, "reach", target):
        return 15, 15
    near = touching(w, entry, sides)
    if near == 0:
        return 0, 0
    flood(w, target)
    return near, touching(w, entry, sides)


@helper
def scan_plainly(self, s, w, begin):
    """The same insertion by trying each, for variants where pawns block or several goals count."""
    me = np.int64(s.turn)
    n = np.int64(s.locations)
    for i in range(n):
        location = begin + i - (n if begin + i >= n else 0)
        entry, out, step = way(s, location)
        cell = pawn_after(s, np.int64(s.pawn[me]), entry, out, step)
        markers_after(self, s, w, entry, out, step)
        for rotation in range(rotations(np.int64(s.extra))):
            exits = turned(np.int64(s.extra), rotation)
            if is_allowed(self, s, location, exits):
                imagine(s, w, entry, step, exits)
                walk(self, s, w, me, cell, entry, out, step)
                if goal_reached(self, s, w, me, w) != OFF:
                    return location * 4 + rotation
    return OFF


@helper
def nearest_goal(self, s, me, t, cell):
    """The cell of the seat's goal, of the one closest to `cell` if there are several; OFF if none is on the board."""
    if self.goals != ANY or s.found[me] >= s.cards:
        return np.int64(t.where[goal(s, me)])
    shift = log_stride(s)
    best, least = OFF, 1 << 20
    first = me * np.int64(s.cards)
    for i in range(first + np.int64(s.found[me]), first + np.int64(s.cards)):
        target = np.int64(t.where[s.deck[i]])
        far = distance(shift, cell, target)
        if target != OFF and far < least:
            best, least = target, far
    return best


@helper
def distance(shift, a, b):
    """Manhattan distance of two cells."""
    mask = (1 << shift) - 1
    return abs((a >> shift) - (b >> shift)) + abs((a & mask) - (b & mask))


@helper
def approach(self, s, w, me, t, cell):
    """The cell reached that is closest to the goal, the first one if the goal is off the board."""
    target = nearest_goal(self, s, me, t, cell)
    return nth_reached(w, 0) if target == OFF else closest(w, target, log_stride(s))


# --- planning one turn further ----------------------------------------------------------------------------------------


@helper
def plan(self, s, w):
    """A move (insertion * cells + cell) towards a goal that cannot be reached now, from a few random insertions.

    Preferred is a cell from which many of a few more insertions, again random, would reach the goal, since the others push
    in between; else the closest approach.
    """
    me = np.int64(s.turn)
    shift = log_stride(s)
    cells = s.marker.size
    best, points = OFF, -1 << 20
    for _ in range(TRIES):
        insertion = random_insertion(self, s, w)
        _, cell = foresee(self, s, w, insertion)
        target = nearest_goal(self, s, me, w, cell)
        near = nth_reached(w, 0) if target == OFF else closest(w, target, shift)
        far = distance(shift, near, target) if target != OFF else 1 << 10
        if -far > points:
            best, points = insertion * cells + near, -far
        stone, ways = stepping_stone(s, w, exits_at(s, way(s, insertion >> 2)[1]), insertion >> 2, target)
        if ways > 0 and ways > points:
            best, points = insertion * cells + stone, ways
        if ways == ENOUGH:
            return best
    return best


@helper
def stepping_stone(s, w, extra, location, target):
    """Of the cells of w.reach one that most of a few random pushes after the imagined one join with the goal, and how many.

    It counts to ENOUGH: w.cover are the cells that one push has joined, w.other those that two have.
    """
    stones = cells_of(w, "reach")
    north, east = cells_at(w, "exits", NORTH), cells_at(w, "exits", EAST)
    south, west = cells_at(w, "exits", SOUTH), cells_at(w, "exits", WEST)
    set_cells(w, "cover", empty(stones))
    set_cells(w, "other", empty(stones))
    best, ways = OFF, 0
    for _ in range(SECONDS):
        second = random_below(w, np.int64(s.locations) - 1)
        if second >= location ^ 1:  # never back where it came from
            second += 1
        entry, out, step = way(s, second)
        if target == out:
            continue
        set_cells_at(w, "exits", NORTH, north)
        set_cells_at(w, "exits", EAST, east)
        set_cells_at(w, "exits", SOUTH, south)
        set_cells_at(w, "exits", WEST, west)
        slide_exits(s, w, entry, step, turned(extra, random_below(w, rotations(extra))))
        join(w, w)
        flood(w, entry if target == OFF else pawn_after(s, target, entry, out, step))
        base = 0
        for word in stones:
            while word != ZERO:
                cell = base + lowest(word)
                word &= word - ONE
                if holds(w, "reach", pawn_after(s, cell, entry, out, step)):
                    joined = count_joined(w, cell)
                    if joined > ways:
                        best, ways = cell, joined
            base += 64
    return best, ways


@helper
def count_joined(w, cell):
    """Notes that one more push joins the cell with the goal; how many have, up to ENOUGH."""
    if holds(w, "other", cell):
        return ENOUGH
    if holds(w, "cover", cell):
        add(w, "other", cell)
        return 2
    add(w, "cover", cell)
    return 1


# --- whole turns in place ---------------------------------------------------------------------------------------------


@helper
def finish_turn(self, s, w, policy):
    """After the push: the goal if it can be reached, else any cell (random player) or the closest one."""
    me = np.int64(s.turn)
    roam(self, s, w)
    cell = goal_reached(self, s, w, me, s)
    if cell == OFF:
        if policy == RANDOM:
            cell = nth_reached(w, random_below(w, reached(w)))
        else:
            cell = approach(self, s, w, me, s, np.int64(s.pawn[me]))
    arrive(self, s, cell)


@helper
def random_turn(self, s, w):
    """One turn of the random player, under the usual rules in one piece: play-outs spend their time here."""
    me = np.int64(s.turn)
    look(self, s, w, me)
    bits = random_bits(w)
    insertion = insertion_of(self, s, bits)
    push(s, insertion >> 2, turned(np.int64(s.extra), insertion & 3))
    join(s, w)
    if self.block:
        roam(self, s, w)
    else:
        flood(w, np.int64(s.pawn[me]))
    cell = goal_reached(self, s, w, me, s)
    if cell == OFF:
        cell = nth_reached(w, np.int64(((bits & U(0xFFFFFFFF)) * U(reached(w))) >> U(32)))
    arrive(self, s, cell)


@helper
def guard(self, s, w, insertion):
    """Pushes so that the next seat, whose goal is known, cannot find it; first tries the insertion that finds the own goal.

    Returns whether it has; if nothing of what it tries helps, the board is left as it was.
    """
    me = np.int64(s.turn)
    lying, barred = np.int64(s.extra), np.int64(s.barred)
    for _ in range(GUARDS):
        if insertion == OFF:
            insertion = random_insertion(self, s, w)
        location = insertion >> 2
        push(s, location, turned(lying, insertion & 3))
        s.turn = me + 1 if me + 1 < self.players else 0
        threatened = scan(self, s, w, 0) != OFF
        s.turn = me
        if not threatened:
            return True
        push(s, location ^ 1, np.int64(s.extra))  # and back
        s.extra, s.barred = lying, barred
        insertion = OFF
    return False


@helper
def heads_home(self, s):
    """Does the next seat need its home only?"""
    after = s.turn + 1 if s.turn + 1 < self.players else 0
    return s.found[after] >= s.cards


@helper
def is_to_guard(self, s, w, insertion):
    """Does the seat to move, which finds its goal with the insertion or not (OFF), first look after the next one?"""
    if heads_home(self, s):
        return insertion == OFF or s.found[s.turn] < s.cards
    return insertion == OFF and s.found[s.turn] < s.cards and guesses(self, s, w)


@helper
def leads(self, s, seat):
    """Has no other seat found more than this one?"""
    for p in range(self.players):
        if s.found[p] > s.found[seat]:
            return False
    return True


@helper
def guesses(self, s, w):
    """Does the seat to move guess the goal of the next one, and care? The fewer cards are left, the likelier.

    Of more than two players only who leads is worth it.
    """
    after = s.turn + 1 if s.turn + 1 < self.players else 0
    if self.players > 2 and not leads(self, s, after):
        return False
    if not self.open:
        cards = -1  # all that are left but its own goal
        for p in range(self.players):
            cards += max(np.int64(s.cards) - np.int64(s.found[p]), 0)
        if random_below(w, cards) >= KNOWN:
            return False
    look(self, s, w, np.int64(after))
    return True


@helper
def take_turn(self, s, w, policy):
    """One turn of the seat to move."""
    if policy == RANDOM:
        random_turn(self, s, w)
        return
    look(self, s, w, np.int64(s.turn))
    insertion = scan(self, s, w, 0 if policy == RULEBASED else random_below(w, np.int64(s.locations)))
    if policy == GUARDING and is_to_guard(self, s, w, insertion) and guard(self, s, w, insertion):
        finish_turn(self, s, w, policy)
        return
    if insertion == OFF and policy >= PLANNING:
        m = plan(self, s, w)
        insertion = m // s.marker.size
        push(s, insertion >> 2, turned(np.int64(s.extra), insertion & 3))
        arrive(self, s, m % s.marker.size)
        return
    if insertion == OFF:
        insertion = random_insertion(self, s, w)
    push(s, insertion >> 2, turned(np.int64(s.extra), insertion & 3))
    finish_turn(self, s, w, policy)


# --- for any search ---------------------------------------------------------------------------------------------------


@helper
def picked(self, s, w, policy):
    """The move a policy makes, without making it."""
    me = np.int64(s.turn)
    cells = s.marker.size
    insertion = OFF
    if policy != RANDOM:
        insertion = scan(self, s, w, 0 if policy == RULEBASED else random_below(w, np.int64(s.locations)))
        if insertion == OFF and policy == PLANNING:
            return plan(self, s, w)
    if insertion == OFF:
        insertion = random_insertion(self, s, w)
    target, cell = foresee(self, s, w, insertion)
    if target == OFF:
        if policy == RANDOM:
            target = nth_reached(w, random_below(w, reached(w)))
        else:
            target = approach(self, s, w, me, w, cell)
    return insertion * cells + target


class Random(NamedTuple):
    """Van der Zwaag's random player: any insertion, then its goal if it can be reached, else any cell that can."""

    none: int = 0

    def pick(self, game, s, w):
        return picked(game, s, w, RANDOM)

    def prior(self, game, s, w, n):
        level(w, n)


class RuleBased(NamedTuple):
    """Van der Zwaag's rule-based player: the first insertion that reaches the goal, else a random one and the closest cell."""

    none: int = 0

    def pick(self, game, s, w):
        return picked(game, s, w, RULEBASED)

    def prior(self, game, s, w, n):
        level(w, n)


class Planning(NamedTuple):
    """Reaches the goal if it can, by any insertion; else prepares to reach it next turn."""

    none: int = 0

    def pick(self, game, s, w):
        return picked(game, s, w, PLANNING)

    def prior(self, game, s, w, n):
        """Moves that find the goal first, then those that end close to it."""
        me = np.int64(s.turn)
        cells = s.marker.size
        shift = log_stride(s)
        marker = goal(s, me)
        total = 0.0
        for i in range(n):
            m = np.int64(w.buf[i])
            entry, out, step = way(s, m // cells >> 2)
            target = goal_after(s, marker, entry, out, step)
            far = 8 if target == OFF else distance(shift, m % cells, target)
            w.prior[i] = 200.0 if far == 0 else 1.0 / (1.0 + far * far)
            total += w.prior[i]
        for i in range(n):
            w.prior[i] /= total


POLICIES = {"rulebased": RuleBased, "planning": Planning}
