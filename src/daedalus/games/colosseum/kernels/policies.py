"""The heuristic choice of Pelletier and Wittmann (2022, section 1), as a rollout policy and by list.

Of the moves at hand it takes one that wins at once; else, moves that end the game otherwise left aside, any one that
leaves its cell fewer than 3 walls; else any one off the border; else any one. Only if every move ends the game, any.
Each of these parts can be switched off (`choice` in what follows); without any of them the choice is uniform.
"""

from typing import NamedTuple

import numpy as np

from daedalus.core import ONE, helper, lowest, popcount, random_below
from daedalus.core.kernels.bitsets import both, cells_of, count, either, has, less, lowered, nth, raised, single

from .territory import DOWN, LEFT, RIGHT, UP, cuts, edge_of, most_steps, open_sides, reach, zone

WINS, ROOMY, INNER, OTHER, ENDS = 0, 1, 2, 3, 4  # grades of a move, best first
NOTHING = -1


@helper
def lead_after(game, s, right, down, cell, lower, at):
    """(are the zones apart, cells ahead) for the player to move, standing on `at`, after the barrier."""
    other = np.int64(s.cell[1 - s.turn])
    closed = single(right, cell)
    if lower:
        down = less(down, closed)
    else:
        right = less(right, closed)
    mine = zone(right, down, game.size, at)
    if has(mine, other):
        return False, 0
    return True, count(mine) - count(zone(right, down, game.size, other))


@helper
def grade_of(game, choice, s, right, down, m):
    """How good the heuristic choice finds move m."""
    size = game.size
    i = m >> 2
    cell, lower = edge_of(i, m & 3, size)
    if (choice.wins or choice.safe) and cuts(s, cell, lower, size):
        apart, lead = lead_after(game, s, right, down, cell, lower, i)
        if apart and choice.wins and lead > 0:
            return WINS
        if apart and choice.safe and lead <= 0:
            return ENDS
    if choice.roomy and popcount(open_sides(s, i, size)) >= 3:  # one of them gets the barrier
        return ROOMY
    row, col = i // size, i % size
    return INNER if choice.inner and 0 < row < size - 1 and 0 < col < size - 1 else OTHER


@helper
def best_graded(game, choice, s, w, n):
    """The heuristic choice among the first n moves of w.buf: the first that wins, else any of the best grade."""
    right, down = cells_of(s, "right"), cells_of(s, "down")
    best = ENDS + 1
    found = 0
    pick = NOTHING
    for k in range(n):
        m = np.int64(w.buf[k])
        grade = grade_of(game, choice, s, right, down, m)
        if grade == WINS:
            return m
        if grade < best:
            best = grade
            found = 0
        if grade == best:
            found += 1
            if random_below(w, found) == 0:  # each of those found so far is equally likely
                pick = m
    return pick


# --- the same without a list, for rollouts --------------------------------------------------------------------------


@helper
def may_cut(right, down, size):
    """The open right and lower sides whose two corners both touch a wall: no other barrier can cut a zone."""
    loose = both(both(right, down), both(lowered(right, size), lowered(down, 1)))  # no wall at the lower right corner
    return less(right, either(loose, raised(loose, size))), less(down, either(loose, raised(loose, 1)))


@helper
def note_ending(game, choice, s, w, right, down, cell, lower, cells, noted):
    """If a barrier on that side would part the zones with the player to move on one of `cells`: its move, if it wins.

    One that does not win is noted in w.ending, if the choice leaves such moves aside. Returns (winning move or NOTHING,
    how many are noted).
    """
    size = game.size
    if not cuts(s, cell, lower, size):
        return NOTHING, noted
    at, d = cell, (DOWN if lower else RIGHT)
    apart, lead = lead_after(game, s, right, down, cell, lower, at)
    if not apart:  # the opponent is on this side of it: the player must stand on the other
        at, d = (cell + size, UP) if lower else (cell + 1, LEFT)
        apart, lead = lead_after(game, s, right, down, cell, lower, at)
    if not apart or not has(cells, at):
        return NOTHING, noted
    if lead > 0:
        return (at * 4 + d if choice.wins else NOTHING), noted
    w.ending[noted] = at * 4 + d
    return NOTHING, noted + choice.safe


@helper
def note_endings(game, choice, s, w, right, down, cells):
    """The first winning move, or NOTHING, and how many other moves that end the game are now in w.ending."""
    size = game.size
    sideways, upright = may_cut(right, down, size)
    noted = 0
    base = 0
    for word in both(sideways, either(cells, lowered(cells, 1))):
        while word:
            cell = base + lowest(word)
            word &= word - ONE
            winning, noted = note_ending(game, choice, s, w, right, down, cell, False, cells, noted)
            if winning != NOTHING:
                return winning, noted
        base += 64
    base = 0
    for word in both(upright, either(cells, lowered(cells, size))):
        while word:
            cell = base + lowest(word)
            word &= word - ONE
            winning, noted = note_ending(game, choice, s, w, right, down, cell, True, cells, noted)
            if winning != NOTHING:
                return winning, noted
        base += 64
    return NOTHING, noted


@helper
def is_ending(w, noted, m):
    for k in range(noted):
        if w.ending[k] == m:
            return True
    return False


@helper
def spacious(right, down, size):
    """The cells with at least 3 open sides: one of them gets the barrier."""
    above, before = raised(down, size), raised(right, 1)
    return either(both(both(above, right), either(down, before)), both(both(down, before), either(above, right)))


@helper
def any_move(w, right, down, size, cells, noted):
    """Any move to one of the cells that is not noted as ending the game, NOTHING if there is none."""
    above, before = raised(down, size), raised(right, 1)
    up, east, south = count(both(cells, above)), count(both(cells, right)), count(both(cells, down))
    n = up + east + south + count(both(cells, before))
    left = n
    for k in range(noted):
        left -= has(cells, np.int64(w.ending[k]) >> 2)
    if left <= 0:
        return NOTHING
    while True:
        k = random_below(w, n)
        if k < up:
            m = nth(both(cells, above), k) * 4 + UP
        elif k < up + east:
            m = nth(both(cells, right), k - up) * 4 + RIGHT
        elif k < up + east + south:
            m = nth(both(cells, down), k - up - east) * 4 + DOWN
        else:
            m = nth(both(cells, before), k - up - east - south) * 4 + LEFT
        if not is_ending(w, noted, m):
            return m


class HeuristicChoice(NamedTuple):
    """The report's heuristic choice among all legal moves, or what is left of it with some parts switched off (0)."""

    wins: int = 1  # a move that wins at once comes first
    safe: int = 1  # moves that end the game otherwise are left aside
    roomy: int = 1  # then those that leave their cell fewer than 3 walls
    inner: int = 1  # then those off the border

    def pick(self, game, s, w):
        right, down = cells_of(s, "right"), cells_of(s, "down")
        at, other = np.int64(s.cell[s.turn]), np.int64(s.cell[1 - s.turn])
        cells = reach(right, down, game.size, at, other, most_steps(game))
        m, noted = NOTHING, 0
        if self.wins or self.safe:
            m, noted = note_endings(game, self, s, w, right, down, cells)
        if m == NOTHING and (self.roomy or not self.inner):
            liked = both(cells, spacious(right, down, game.size)) if self.roomy else cells
            m = any_move(w, right, down, game.size, liked, noted)
        if m == NOTHING:
            m = best_graded(game, self, s, w, game.moves(s, w))
        return m

    def prior(self, game, s, w, n):
        for k in range(n):
            w.prior[k] = 1.0 / n

    def value(self, game, s, seat, w):
        return game.evaluate(s, seat, w)


UNIFORM = HeuristicChoice(0, 0, 0, 0)
POLICIES = {"heuristic": HeuristicChoice}
