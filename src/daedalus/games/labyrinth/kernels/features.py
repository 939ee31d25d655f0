"""What a network sees of a Labyrinth board, and the numbers of its moves, from the side of one seat.

Every seat sees its home where Red's is on the original board, on the upper left: Yellow and Blue see left and right swapped,
Green and Blue top and bottom. A mirrored maze is a maze: a passage to the east leads west, the first movable row is the last.

What the seat does not know of goals is a chance: each card that a rival may look for is equally likely.
"""

import numpy as np

from daedalus.core import ONE, ZERO, U, helper, lowest, popcount
from daedalus.core.kernels.bitsets import both, cells_at, has, lowered, masked, same, single, spread

from .knowledge import ANY, NEXT, is_sought, unknown
from .maze import (
    BAR,
    EAST,
    ELL,
    LETTERS,
    NORTH,
    OFF,
    RED,
    SOUTH,
    WEST,
    base,
    exits_at,
    is_small,
    log_stride,
    rotation_of,
    turned,
)

_NOT_LAST_8 = U(0x7F7F7F7F7F7F7F7F)
_NOT_LAST_16 = U(0x7FFF7FFF7FFF7FFF)
_KINDS = 3  # of tiles: L, T, I
OBJECTS = (1 << (LETTERS + 1)) - 2  # markers 1..26 as bits


# --- mirrors: bit 0 swaps left and right, bit 1 top and bottom ----------------------------------------------------------


@helper
def mirror_of(s, seat):
    """How a seat sees the board: R as it is, Y, G and B mirrored."""
    return (np.int64(s.home[seat]) - RED) & 3


@helper
def seen(s, mirror, cell):
    """The place of a cell in a grid, row by row."""
    shift = log_stride(s)
    row, column = cell >> shift, cell & ((1 << shift) - 1)
    if mirror & 1:
        column = np.int64(s.columns) - 1 - column
    if mirror & 2:
        row = np.int64(s.rows) - 1 - row
    return row * np.int64(s.columns) + column


@helper
def seen_exits(mirror, exits):
    """A tile's exits in the mirror."""
    if mirror & 1:
        exits = (exits & 5) | (exits & 2) << 2 | (exits & 8) >> 2
    if mirror & 2:
        exits = (exits & 10) | (exits & 1) << 2 | (exits & 4) >> 2
    return exits


@helper
def movable_rows(s):
    """How many of the movable lines are rows."""
    side = 1 << log_stride(s)
    n = 0
    for k in range(np.int64(s.locations) >> 1):
        if s.lines[k] < side:
            n += 1
    return n


@helper
def seen_location(s, mirror, location):
    """Where a tile comes in, in the mirror: the ends of lines and their order are swapped."""
    line, end = location >> 1, location & 1
    rows, lines = movable_rows(s), np.int64(s.locations) >> 1
    if line < rows:
        end ^= mirror & 1
        line = rows - 1 - line if mirror & 2 else line
    else:
        end ^= mirror >> 1
        line = rows + lines - 1 - line if mirror & 1 else line
    return 2 * line + end


# --- what a seat may know -----------------------------------------------------------------------------------------------


@helper
def chance_of_goal(self, s, seat, who, places, card, pool):
    """How likely seat `who` looks for a card, as `seat` knows it; `pool` are the cards at the unknown places, as bits."""
    cards, found = np.int64(s.cards), np.int64(s.found[who])
    if found >= cards:
        return 0.0
    if is_sought(s, who, places):
        possible = pool & ~U(s.ruled_out[who])
        missing = cards - found if self.goals == ANY else 1
        return min(1.0, missing / max(popcount(possible), 1)) if (possible >> U(card)) & ONE != ZERO else 0.0
    last = cards if self.goals != NEXT and (who == seat or self.goals == ANY) else found + 1
    for i in range(found, last):
        if s.deck[who * cards + i] == card:
            return 1.0 if self.goals == ANY else 1.0 / (1 + i - found)
    return 0.0


@helper
def unseen_cards(s, places):
    """The cards at these places of the deck, as bits."""
    pool = ZERO
    while places != ZERO:
        pool |= ONE << U(s.deck[lowest(places)])
        places &= places - ONE
    return pool


@helper
def put_marker(s, mirror, marker, value, out, begin, extra):
    """Writes a value where a marker lies in the grid from `begin` on; to the feature `extra` if it lies on the extra tile."""
    cell = np.int64(s.where[marker])
    if cell != OFF:
        out[begin + seen(s, mirror, cell)] = value
    else:
        out[extra] = value


@helper
def reachable(s, cell):
    """The cells that a pawn could walk to from a cell as things stand; pawns do not block."""
    across = both(cells_at(s, "exits", EAST), lowered(cells_at(s, "exits", WEST), 1))
    across = masked(across, _NOT_LAST_8 if is_small(s) else _NOT_LAST_16)
    stride = 1 << log_stride(s)
    down = both(cells_at(s, "exits", SOUTH), lowered(cells_at(s, "exits", NORTH), stride))
    x = single(across, cell)
    while True:
        wider = spread(x, across, down, stride)
        if same(wider, x):
            return x
        x = wider


# --- features -----------------------------------------------------------------------------------------------------------


@helper
def put_maze(s, mirror, seat, out, area):
    """Four grids of exits and one of the cells within reach."""
    shift = log_stride(s)
    reach = reachable(s, np.int64(s.pawn[seat]))
    for row in range(np.int64(s.rows)):
        for column in range(np.int64(s.columns)):
            cell = (row << shift) + column
            exits = seen_exits(mirror, exits_at(s, cell))
            k = seen(s, mirror, cell)
            for d in range(4):
                out[d * area + k] = (exits >> d) & 1
            out[4 * area + k] = has(reach, cell)


@helper
def put_seat(self, s, mirror, seat, who, places, pool, out, begin, extra, area):
    """Three grids of a seat: its pawn, its home, what it may look for; two numbers of what lies on the extra tile."""
    out[begin + seen(s, mirror, np.int64(s.pawn[who]))] = 1.0
    put_marker(s, mirror, np.int64(s.home[who]), 1.0, out, begin + area, extra)
    if s.found[who] >= s.cards:
        put_marker(s, mirror, np.int64(s.home[who]), 1.0, out, begin + 2 * area, extra + 1)
        return
    for card in range(1, LETTERS + 1):
        chance = chance_of_goal(self, s, seat, who, places, card, pool)
        if chance > 0.0:
            put_marker(s, mirror, card, chance, out, begin + 2 * area, extra + 1)


@helper
def write_features(self, s, seat, out):
    """See feature_names in ../features.py."""
    mirror = mirror_of(s, seat)
    area = np.int64(s.rows) * np.int64(s.columns)
    for i in range(out.size):
        out[i] = 0.0
    put_maze(s, mirror, seat, out, area)
    places = unknown(self, s, seat)
    pool = unseen_cards(s, places)
    n = 5 * area
    extra = n + 3 * area * self.players
    left = extra + 2 * self.players
    for k in range(self.players):
        who = (seat + k) % self.players
        put_seat(self, s, mirror, seat, who, places, pool, out, n, extra + 2 * k, area)
        out[left + k] = (np.int64(s.cards) + 1 - np.int64(s.found[who])) / (np.int64(s.cards) + 1)
        n += 3 * area
    n = left + self.players
    kind = base(np.int64(s.extra))
    out[n + (0 if kind == ELL else 2 if kind == BAR else 1)] = 1.0
    n += _KINDS
    if s.barred != OFF:
        out[n + seen_location(s, mirror, np.int64(s.barred))] = 1.0
    out[n + np.int64(s.locations)] = 1.0 if s.turn == seat else 0.0


@helper
def numbered(s, m):
    """The number of move m as the seat to move sees it: (location * 4 + rotation) * area + destination."""
    mirror = mirror_of(s, np.int64(s.turn))
    cells = s.marker.size
    insertion = m // cells
    location = seen_location(s, mirror, insertion >> 2)
    rotation = rotation_of(seen_exits(mirror, turned(np.int64(s.extra), insertion & 3)))
    area = np.int64(s.rows) * np.int64(s.columns)
    return (location * 4 + rotation) * area + seen(s, mirror, m % cells)
