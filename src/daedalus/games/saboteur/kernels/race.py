"""The race to the nugget: how many tiles are missing, who may lay the last one, and where it would lie.

Everything here is asked for one seat and reads what that seat knows: the board, its own hand, the objectives it has seen.

Free cells are filed by how many tiles a path needs from there to a target, the cell itself included (`near`). While all
open ways hang together that is the distance on the board, a table. Where a Destroy has cut the path, a lost piece may
shorten it: then waves go out from the targets, one tile further each, free of charge along the piece's ways (`joint`).
"""

import numpy as np

from daedalus.core import U, helper

from .tiles import CENTRE, FITS, GOALS, PLAYABLE, SIDES, TILES, TURNED, bit, cell_at, front, neighbour, shifted, words

LEVELS = 26  # no path on the board needs as many tiles
FAR = 99

# For every set of targets (as bits) and every distance, the cells at that distance from the nearest of them.
NEAR = np.zeros((8, LEVELS, 4), np.uint64)
for _targets in range(1, 8):
    _columns = [3 + 2 * goal for goal in range(3) if _targets >> goal & 1]
    for _level in range(LEVELS):
        NEAR[_targets, _level] = words(
            cell_at(row, col)
            for row in range(14)
            for col in range(14)
            if min(abs(row - 12) + abs(col - column) for column in _columns) == _level
        )

# The patterns of open sides (bits 0..15) in which a side is open.
OPEN = np.array([sum(1 << sides for sides in range(16) if sides >> d & 1) for d in range(4)], np.int64)

SCRATCH = [
    ("front", "u8", (4,)),
    ("near", "u8", (LEVELS, 4)),
    ("joint", "u8", (LEVELS, 4)),
    ("passed", "u8", (4,)),
    ("cut", "b1"),
    ("targets", "i8"),
]


@helper
def candidates(s, seat):
    """The objectives under which the nugget may lie as far as the seat knows, as bits."""
    if s.seen[seat] >> s.nugget & 1:
        return 1 << np.int64(s.nugget)
    return 7 & ~np.int64(s.seen[seat])


@helper
def is_cut(s):
    """Do open ways lie on the board that are not joined to the entrance?"""
    lost = U(0)
    for i in range(4):
        ways = s.ways[0, i] | s.ways[1, i] | s.ways[2, i] | s.ways[3, i]
        lost |= ways & PLAYABLE[i] & ~s.reach[i]
    return lost != U(0)


@helper
def look(s, w, seat):
    """Surveys the race for a seat; returns how many tiles are missing. Fills w.front, w.targets and, if cut, the waves."""
    return survey(s, w, candidates(s, seat))


@helper
def survey(s, w, targets):
    """The same for any objectives as targets."""
    w.targets = targets
    for i in range(4):
        w.front[i] = front(s, i)
    w.cut = is_cut(s)
    if w.cut:
        return send_waves(s, w)
    for level in range(1, LEVELS):
        here = U(0)
        for i in range(4):
            here |= w.front[i] & NEAR[w.targets, level, i]
        if here != U(0):
            return level
    return FAR


# --- waves, where the path is cut -----------------------------------------------------------------------------------


@helper
def send_waves(s, w):
    """Files free cells and lost pieces by the tiles missing from there, until an open end is met; returns its level."""
    for i in range(4):
        w.passed[i] = ~s.free[i]
        w.near[0, i] = U(0)
        w.joint[0, i] = U(0)
    for goal in range(3):
        if w.targets >> goal & 1:
            w.joint[0, GOALS[goal] >> 6] |= bit(GOALS[goal])
    follow_pieces(s, w, 0)
    for level in range(1, LEVELS):
        met = U(0)
        some = U(0)
        for i in range(4):
            cells = around(s, w, level - 1, i) & ~w.passed[i]
            w.near[level, i] = cells
            w.passed[i] |= cells
            met |= cells & w.front[i]
            some |= cells
        if met != U(0):
            return level
        if some == U(0):
            return FAR
        for i in range(4):
            w.joint[level, i] = touched(s, w, level, i)
        follow_pieces(s, w, level)
    return FAR


@helper
def around(s, w, level, i):
    """Word i of the cells one step from a level: beside its free cells, or where its pieces open."""
    cells = U(0)
    for d in range(4):
        before = w.near[level, i - 1] | (w.joint[level, i - 1] & s.ways[d, i - 1]) if i > 0 else U(0)
        after = w.near[level, i + 1] | (w.joint[level, i + 1] & s.ways[d, i + 1]) if i < 3 else U(0)
        cells |= shifted(before, w.near[level, i] | (w.joint[level, i] & s.ways[d, i]), after, d)
    return cells


@helper
def touched(s, w, level, i):
    """Word i of the lost tiles that open onto a free cell of a level."""
    tiles = U(0)
    for d in range(4):
        before = w.near[level, i - 1] if i > 0 else U(0)
        after = w.near[level, i + 1] if i < 3 else U(0)
        tiles |= shifted(before, w.near[level, i], after, d) & s.ways[d ^ 2, i]
    return tiles & ~s.reach[i]


@helper
def follow_pieces(s, w, level):
    """Extends the lost tiles of a level along their ways; those met before, on a lower level, do no harm."""
    changed = True
    while changed:
        changed = False
        for i in range(4):
            grown = w.joint[level, i]
            for d in range(4):
                before = w.joint[level, i - 1] & s.ways[d, i - 1] if i > 0 else U(0)
                after = w.joint[level, i + 1] & s.ways[d, i + 1] if i < 3 else U(0)
                here = w.joint[level, i] & s.ways[d, i]
                grown |= shifted(before, here, after, d) & s.ways[d ^ 2, i] & ~s.reach[i]
            if grown != w.joint[level, i]:
                w.joint[level, i] = grown
                changed = True


# --- what a surveyed race tells -------------------------------------------------------------------------------------


@helper
def ends_at(w, level, i):
    """Word i of the open ends from which so many tiles are missing."""
    return w.front[i] & (w.near[level, i] if w.cut else NEAR[w.targets, level, i])


@helper
def leads_on(s, w, cell, d, level):
    """From an open end at a level: does a step in direction d lead to the level below?"""
    other = neighbour(cell, d)
    i = other >> 6
    if w.cut:
        below = (s.free[i] & w.near[level - 1, i]) | (w.joint[level - 1, i] & s.ways[d ^ 2, i])
    elif level == 1:
        below = NEAR[w.targets, 0, i]
    else:
        below = s.free[i] & NEAR[w.targets, level - 1, i]
    return below & bit(other) != U(0)


@helper
def onward(s, w, cell, level):
    """The patterns of open sides that lead from an open end to the level below, among those that fit there."""
    patterns = 0
    for d in range(4):
        if leads_on(s, w, cell, d, level):
            patterns |= OPEN[d]
    return patterns & FITS[np.int64(s.need[cell])]


@helper
def patterns_held(s, seat, centre):
    """The patterns of open sides of the tiles in a hand, either way up, whose centre is open (1) or closed (0)."""
    patterns = 0
    for i in range(s.held[seat]):
        card = np.int64(s.hand[seat, i])
        if card < TILES and CENTRE[card] == centre:
            patterns |= 1 << SIDES[card]
            if TURNED[card] >= 0:
                patterns |= 1 << SIDES[TURNED[card]]
    return patterns


@helper
def laid_with(s, seat, sides, centre):
    """A laid tile that a hand can make, with these open sides and this centre; -1 if there is none."""
    for i in range(s.held[seat]):
        card = np.int64(s.hand[seat, i])
        if card < TILES and CENTRE[card] == centre:
            if SIDES[card] == sides:
                return card
            turned = TURNED[card]
            if turned >= 0 and SIDES[turned] == sides:
                return turned
    return np.int64(-1)
