"""The race to the nugget: how many tiles are missing, who may lay the last one, and where it would lie.

Everything here is asked for one seat and reads what that seat knows: the board, its own hand, the objectives it has seen.

Free cells are filed by how many tiles a path needs from there to a target, the cell itself included (`near`). While all
open ways hang together that is the distance on the board, a table. Where a Destroy has cut the path, a lost piece may
shorten it: then waves go out from the targets, one tile further each, free of charge along the piece's ways (`joint`).
"""

import numpy as np

from daedalus.core import ZERO, helper
from daedalus.core.kernels.bitsets import (
    both,
    cells_at,
    cells_of,
    either,
    empty,
    is_empty,
    less,
    meet,
    same,
    set_cells,
    set_cells_at,
    single,
    spread,
)

from .tiles import CENTRE, FITS, GOALS, PLAYABLE, SIDES, TILES, TURNED, bit, cell_at, front, moved, neighbour, passages, words

LEVELS = 26  # no path on the board needs as many tiles
FAR = 99

# For every set of targets (as bits) and every distance, the cells at that distance from the nearest of them.
NEAR = np.zeros((8, LEVELS, 4), np.uint64)
for _targets in range(1, 8):
    _columns = [3 + 2 * goal for goal in range(3) if _targets >> goal & 1]
    _cells: list[list[int]] = [[] for _ in range(LEVELS)]
    for _row in range(14):
        for _col in range(14):
            _cells[min(abs(_row - 12) + abs(_col - column) for column in _columns)].append(cell_at(_row, _col))
    NEAR[_targets] = [words(_level) for _level in _cells]

# The patterns of open sides (bits 0..15) in which a side is open.
OPEN = np.array([sum(1 << sides for sides in range(16) if sides >> d & 1) for d in range(4)], np.int64)

SCRATCH = [
    ("front", "u8", (4,)),
    ("near", "u8", (LEVELS, 4)),
    ("joint", "u8", (LEVELS, 4)),
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
def cells_near(targets, level):
    """The cells at a distance from the nearest target."""
    return NEAR[targets, level, 0], NEAR[targets, level, 1], NEAR[targets, level, 2], NEAR[targets, level, 3]


@helper
def is_cut(s):
    """Do open ways lie on the board that are not joined to the entrance?"""
    upright, level = (
        either(cells_at(s, "ways", 0), cells_at(s, "ways", 2)),
        either(cells_at(s, "ways", 1), cells_at(s, "ways", 3)),
    )
    return meet(less(either(upright, level), cells_of(s, "reach")), PLAYABLE)


@helper
def look(s, w, seat):
    """Surveys the race for a seat; returns how many tiles are missing. Fills w.front, w.targets and, if cut, the waves."""
    return survey(s, w, candidates(s, seat))


@helper
def survey(s, w, targets):
    """The same for any objectives as targets."""
    w.targets = targets
    ends = front(s)
    set_cells(w, "front", ends)
    w.cut = is_cut(s)
    if w.cut:
        return send_waves(s, w, ends)
    for level in range(1, LEVELS):
        if meet(ends, cells_near(targets, level)):
            return level
    return FAR


# --- waves, where the path is cut -----------------------------------------------------------------------------------


@helper
def send_waves(s, w, ends):
    """Files free cells and lost pieces by the tiles missing from there, until an open end is met; returns its level."""
    left = cells_of(s, "free")
    cells = empty(left)
    tiles = empty(left)
    for goal in range(3):
        if w.targets >> goal & 1:
            tiles = either(tiles, single(tiles, GOALS[goal]))
    tiles = piece(s, tiles)
    set_cells_at(w, "near", 0, cells)
    set_cells_at(w, "joint", 0, tiles)
    for level in range(1, LEVELS):
        cells = both(around(s, cells, tiles), left)
        left = less(left, cells)
        set_cells_at(w, "near", level, cells)
        if meet(cells, ends):
            return level
        if is_empty(cells):
            return FAR
        tiles = piece(s, touched(s, cells))
        set_cells_at(w, "joint", level, tiles)
    return FAR


@helper
def around(s, cells, tiles):
    """The cells one step from a level: beside its free cells, or where its pieces open."""
    x = empty(cells)
    for d in range(4):
        x = either(x, moved(either(cells, both(tiles, cells_at(s, "ways", d))), d))
    return x


@helper
def touched(s, cells):
    """The lost tiles that open onto a free cell of a level."""
    x = empty(cells)
    for d in range(4):
        x = either(x, both(moved(cells, d), cells_at(s, "ways", d ^ 2)))
    return less(x, cells_of(s, "reach"))


@helper
def piece(s, tiles):
    """Lost tiles with all that hang on them; those met before, on a lower level, do no harm."""
    across, down = passages(s)
    reached = cells_of(s, "reach")
    while True:
        wider = either(tiles, less(spread(tiles, across, down, 16), reached))
        if same(wider, tiles):
            return tiles
        tiles = wider


# --- what a surveyed race tells -------------------------------------------------------------------------------------


@helper
def ends_at(w, level):
    """The open ends from which so many tiles are missing."""
    return both(cells_of(w, "front"), cells_at(w, "near", level) if w.cut else cells_near(w.targets, level))


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
    return below & bit(other) != ZERO


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
