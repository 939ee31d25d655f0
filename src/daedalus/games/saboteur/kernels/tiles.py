"""What Saboteur is made of: cards, tiles with their passages, the numbering of cells, and sets of cells as bits.

A tile is known by its open sides and its centre. Sides are bits, and directions are their indices:

              0 north, bit 1
    3 west, bit 8  <-- tile -->  1 east, bit 2
              2 south, bit 4

A way leads through a tile only if its centre is open: tile 13 opens on four sides and joins none of them.

The board is 14 x 14, row 0 on top, inside a border of one cell, so that every cell has four neighbours:

    cell = (row + 1) * 16 + col + 1          a step north is -16, east +1, south +16, west -1

A set of cells has four words (core/kernels/bitsets.py). Word 1 holds rows 3 to 6 of the board.
"""

import numpy as np

from daedalus.core import U, helper
from daedalus.core.kernels.bitsets import both, cells_at, cells_of, either, less, lowered, raised, same, set_cells, spread

SIZE = 14
CELLS = 256

# --- cards ----------------------------------------------------------------------------------------------------------

TILES = 16  # cards 0..15 are tiles
MAP, MALUS, BONUS, DESTROY = 16, 17, 18, 19
CARDS = 20

# Every tile card: how many there are, its open sides, its centre (+ open, - closed), whether it may be played turned
# by 180 degrees (the course's list: of the others the turned picture is the same).
_TABLE = """
     0  4  N.S. +        4  1  .E.. + turns   8  5  NESW +       12  1  N... + turns
     1  1  N.S. -        5  4  .ES. + turns   9  5  .ESW + turns 13  1  NESW -
     2  1  NES. - turns  6  5  N.SW + turns  10  3  .E.W +       14  1  N..W - turns
     3  1  NE.. - turns  7  5  NE.. + turns  11  1  .ESW - turns 15  1  .E.W -
"""


def _table():
    """(count, sides, centre, turns) of each tile card, in order."""
    rows = {}
    words = _TABLE.split()
    while words:
        number, count, sides, centre, *words = words
        turns = bool(words) and words[0] == "turns"
        words = words[1:] if turns else words
        rows[int(number)] = (int(count), sum(1 << d for d in range(4) if sides[d] != "."), int(centre == "+"), turns)
    return [rows[number] for number in range(TILES)]


def turned_sides(sides):
    """Open sides after half a turn."""
    return (sides << 2 | sides >> 2) & 15


_ROWS = _table()
_TURNING = [number for number in range(TILES) if _ROWS[number][3]]
STANDARD = (*(row[0] for row in _ROWS), 6, 2, 4, 3)  # how many of each card

# --- tiles as they lie ----------------------------------------------------------------------------------------------

# A tile as it lies on the board, a `laid` tile: 0..15 upright, from 16 the ten turned ones, in the order of their cards.
LAID = TILES + len(_TURNING)
ENTRANCE, OBJECTIVE = LAID, LAID + 1  # full crosses, like tile 8
CARD = np.array([*range(TILES), *_TURNING], np.int64)
TURNED = np.array([TILES + _TURNING.index(card) if card in _TURNING else -1 for card in range(TILES)], np.int64)
SIDES = np.array([row[1] for row in _ROWS] + [turned_sides(_ROWS[card][1]) for card in _TURNING] + [15, 15], np.int64)
CENTRE = np.array([_ROWS[card][2] for card in CARD] + [1, 1], np.int64)
# The patterns of open sides that a tile card can show, either way up, as bits 0..15.
SHOWN = np.array(
    [1 << int(SIDES[card]) | (1 << int(SIDES[TURNED[card]]) if TURNED[card] >= 0 else 0) for card in range(TILES)], np.int64
)
# A through tile joins at least two sides; all others are dead ends.
THROUGH = np.array([CENTRE[laid] * (int(SIDES[laid]).bit_count() > 1) for laid in range(len(SIDES))], np.int64)

# What a cell asks of a tile: low four bits the sides that must be open, high four those that must be closed. The
# table gives the patterns of open sides that fit, as bits 0..15; at least one side must join a path.
FITS = np.array(
    [
        sum(1 << sides for sides in range(16) if need & 15 and sides & need & 15 == need & 15 and not sides & need >> 4)
        for need in range(256)
    ],
    np.int64,
)

# --- cells ----------------------------------------------------------------------------------------------------------


def cell_at(row, col):
    """The number of a cell."""
    return (row + 1) * 16 + col + 1


def row_of(cell):
    return cell // 16 - 1


def col_of(cell):
    return cell % 16 - 1


START = cell_at(5, 5)
GOALS = np.array([cell_at(12, 3), cell_at(12, 5), cell_at(12, 7)], np.int64)


def words(cells):
    """A set of cells as four words."""
    bits = sum(1 << cell for cell in cells)
    return tuple(U(bits >> 64 * i & (1 << 64) - 1) for i in range(4))


_INSIDE = words(cell_at(row, col) for row in range(SIZE) for col in range(SIZE))
PLAYABLE = less(_INSIDE, words([START, *GOALS.tolist()]))  # where tiles may come to lie


@helper
def bit(cell):
    return U(1) << U(cell & 63)


@helper
def neighbour(cell, d):
    """The cell one step in direction d."""
    return cell + (-16 if d == 0 else 1 if d == 1 else 16 if d == 2 else -1)


@helper
def moved(a, d):
    """A set moved one step in direction d."""
    if d == 0:
        return lowered(a, 16)
    if d == 1:
        return raised(a, 1)
    return raised(a, 16) if d == 2 else lowered(a, 1)


@helper
def opened(s):
    """The cells onto which the reached ways open."""
    x = cells_of(s, "reach")
    north, east = moved(both(x, cells_at(s, "ways", 0)), 0), moved(both(x, cells_at(s, "ways", 1)), 1)
    south, west = moved(both(x, cells_at(s, "ways", 2)), 2), moved(both(x, cells_at(s, "ways", 3)), 3)
    return either(either(north, south), either(east, west))


@helper
def front(s):
    """The open ends: empty cells onto which a way from the entrance opens."""
    return both(cells_of(s, "free"), opened(s))


@helper
def passages(s):
    """The maze of all ways, across and down: both touching sides open, both centres open."""
    across = both(cells_at(s, "ways", 1), lowered(cells_at(s, "ways", 3), 1))
    return across, both(cells_at(s, "ways", 2), lowered(cells_at(s, "ways", 0), 16))


@helper
def flood(s):
    """Extends the reached cells along all ways."""
    across, down = passages(s)
    x = cells_of(s, "reach")
    wider = spread(x, across, down, 16)
    while not same(wider, x):
        x = wider
        wider = spread(x, across, down, 16)
    set_cells(s, "reach", x)
