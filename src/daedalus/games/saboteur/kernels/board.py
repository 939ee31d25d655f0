"""The board of Saboteur: laying and destroying tiles, and what follows for legal places, ways and objectives.

What a state keeps of it:

    tiles     laid tile + 1 on each cell, 0 where there is none
    free      cells that are empty
    need      what the tiles around a cell ask of one laid there, as tiles.py's FITS reads it
    spots     for each pattern of open sides, the empty cells it fits: legal places are a look-up
    ways      for each direction, the cells with an open centre and that side open
    reach     cells whose centre is joined to the entrance
"""

import numpy as np

from daedalus.core import ZERO, helper, lowest
from daedalus.core.kernels.bitsets import add, holds, remove, set_cells

from .tiles import CELLS, CENTRE, ENTRANCE, FITS, GOALS, OBJECTIVE, PLAYABLE, SIDES, START, bit, flood, neighbour, words

ENTERED = words([START])

FIELDS = [
    ("free", "u8", (4,)),
    ("reach", "u8", (4,)),
    ("ways", "u8", (4, 4)),
    ("spots", "u8", (16, 4)),
    ("tiles", "u1", (CELLS,)),
    ("need", "u1", (CELLS,)),
    ("revealed", "u1"),
    ("seen", "u1", (2,)),
]


@helper
def toggle_spots(s, cell, patterns):
    """Adds or removes a cell among the places of some patterns."""
    while patterns:
        s.spots[lowest(patterns), cell >> 6] ^= bit(cell)
        patterns &= patterns - 1


@helper
def is_free(s, cell):
    return holds(s, "free", cell)


@helper
def ask(s, cell, d, sides):
    """A tile with these open sides now lies in direction d of a cell: what may be laid there changes."""
    before = np.int64(s.need[cell])
    side = 1 << d
    after = before | (side if sides & (1 << (d ^ 2)) else side << 4)
    s.need[cell] = after
    if is_free(s, cell):
        toggle_spots(s, cell, FITS[before] ^ FITS[after])


@helper
def ask_no_more(s, cell, d):
    """The tile in direction d of a cell is gone."""
    before = np.int64(s.need[cell])
    after = before & ~(17 << d)
    s.need[cell] = after
    if is_free(s, cell):
        toggle_spots(s, cell, FITS[before] ^ FITS[after])


@helper
def ask_around(s, cell):
    """The tile on a cell makes demands on its four neighbours."""
    sides = SIDES[np.int64(s.tiles[cell]) - 1]
    for d in range(4):
        ask(s, neighbour(cell, d), d ^ 2, sides)


@helper
def put(s, cell, laid):
    """A tile lies on a cell, without any demand on its neighbours yet."""
    if is_free(s, cell):
        toggle_spots(s, cell, FITS[np.int64(s.need[cell])])
        remove(s, "free", cell)
    s.tiles[cell] = laid + 1
    if CENTRE[laid]:
        for d in range(4):
            if SIDES[laid] >> d & 1:
                s.ways[d, cell >> 6] |= bit(cell)


@helper
def joins(s, cell):
    """Does an open side of the tile on a cell meet an open side of a reached one?"""
    for d in range(4):
        other = neighbour(cell, d)
        here = s.ways[d, cell >> 6] & bit(cell) != ZERO
        if here and s.ways[d ^ 2, other >> 6] & s.reach[other >> 6] & bit(other) != ZERO:
            return True
    return False


@helper
def lay(s, cell, laid):
    """Lays a tile and follows the ways it opens."""
    put(s, cell, laid)
    ask_around(s, cell)
    if joins(s, cell):
        add(s, "reach", cell)
        flood(s)


@helper
def blast(s, cell):
    """Removes a tile."""
    conducted = holds(s, "reach", cell)
    s.tiles[cell] = 0
    add(s, "free", cell)
    toggle_spots(s, cell, FITS[np.int64(s.need[cell])])
    for d in range(4):
        s.ways[d, cell >> 6] &= ~bit(cell)
        ask_no_more(s, neighbour(cell, d), d ^ 2)
    if conducted:
        set_cells(s, "reach", ENTERED)
        flood(s)


@helper
def reveal(s):
    """Turns up the objectives that are reached; returns which, as bits."""
    found = 0
    for i in range(3):
        goal = GOALS[i]
        if not s.revealed >> i & 1 and holds(s, "reach", goal):
            found |= 1 << i
            ask_around(s, goal)  # face up it is a tile like any other
    s.revealed |= found
    s.seen[0] |= found
    s.seen[1] |= found
    return found


@helper
def set_board(s):
    """Entrance, objectives and nothing else in a zeroed state."""
    set_cells(s, "free", PLAYABLE)
    put(s, START, ENTRANCE)
    ask_around(s, START)
    for i in range(3):
        put(s, GOALS[i], OBJECTIVE)
    set_cells(s, "reach", ENTERED)
