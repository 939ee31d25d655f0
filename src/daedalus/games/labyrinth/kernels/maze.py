"""The maze as bits: which tiles connect, what a push moves, which cells a pawn can reach.

Cells are numbered with a stride of 8 on boards up to 8 x 8 (one 64-bit word a set) and of 16 on larger ones (four words):

    stride 8     0  1  2 .. 7          stride 16    word 0   rows 0..3, 16 bits a row
                 8  9 10 .. 15                      word 1   rows 4..7
                16 ..                               ...

`exits[d]` is the set of cells whose tile opens to the side d: 0 north, 1 east, 2 south, 3 west. A tile's own exits are the
bits 1 2 4 8 of a number; turning it clockwise rotates these four bits to the left:

    L  north+east   3  6 12  9         T  all but north  14 13 11 7         I  north+south  5 10

A location is where a tile can be pushed in: 2 * (which movable line) + end, movable rows first, then columns; end 0 is
the left or the top, 1 the right or the bottom. Sets (core/kernels/bitsets.py) live in the workspace: `w.exits` of a board
after a push that is only imagined, the maze `w.across` and `w.down` of its passages, `w.reach` the cells flooded last.
"""

import numpy as np

from daedalus.core import ONE, ZERO, U, helper, lowest, popcount
from daedalus.core.kernels.bitsets import (
    both,
    cells_at,
    cells_of,
    count,
    either,
    empty,
    holds,
    is_empty,
    less,
    lowered,
    masked,
    raised,
    set_cells,
    set_cells_at,
    single,
    spread,
)

ORIGINAL, RANDOM, GENERATED, GIVEN = 0, 1, 2, 3  # kinds of boards
ROWS, COLUMNS = 1, 2  # places in a board's tuple, see boards.py
LETTERS = 26  # objects are the markers 1 to this
RED, YELLOW, GREEN, BLUE = 27, 28, 29, 30  # markers of the homes
NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
ELL, TEE, BAR = 3, 14, 5  # exits of the three kinds of tile as they lie at rotation 0
MANY = 8  # walls, no more of which are counted
OFF = -1  # where a marker on the extra tile is

_NOT_LAST_8 = U(0x7F7F7F7F7F7F7F7F)  # all columns but the last: nothing connects across the edge of the board
_NOT_LAST_16 = U(0x7FFF7FFF7FFF7FFF)
_COLUMN_8 = U(0x0101010101010101)
_COLUMN_16 = U(0x0001000100010001)


@helper
def is_small(t):
    """Is a set one word? The compiler knows the answer from the record type and drops the other branch."""
    return t.exits.size == 4


@helper
def log_stride(t):
    """The stride as a power of two."""
    return 3 if t.exits.size == 4 else 4


_BASES = 0xEE3E533E3533333  # the exits at rotation 0, four bits for every number that exits can be
_BARS = 0b10000100000  # which of those numbers are bars


@helper
def base(exits):
    """A tile's exits at rotation 0; without a branch, since play-outs ask it of every tile."""
    return (_BASES >> (4 * exits)) & 15


@helper
def rotations(exits):
    """In how many ways a tile can lie: a bar in two, the others in four."""
    return 4 - 2 * ((_BARS >> exits) & 1)


@helper
def turned(exits, rotation):
    """The tile laid at a rotation."""
    b = base(exits)
    return ((b << rotation) | (b >> (4 - rotation))) & 15


@helper
def rotation_of(exits):
    """At which rotation a tile lies."""
    r = 0
    while turned(exits, r) != exits:
        r += 1
    return r


# --- pushing ----------------------------------------------------------------------------------------------------------


@helper
def way(s, location):
    """(cell where the tile comes in, cell whose tile falls out, step from one to the other) of a location."""
    shift = log_stride(s)
    line = np.int64(s.lines[location >> 1])
    if line < (1 << shift):
        first, last, step = line << shift, (line << shift) + np.int64(s.columns) - 1, 1
    else:
        column = line - (1 << shift)
        first, last, step = column, ((np.int64(s.rows) - 1) << shift) + column, 1 << shift
    if location & 1:
        return last, first, -step
    return first, last, step


@helper
def rides(s, cell, entry, step):
    """Is the cell on the line that is pushed?"""
    shift = log_stride(s)
    if step == 1 or step == -1:
        return cell >> shift == entry >> shift
    return cell & ((1 << shift) - 1) == entry & ((1 << shift) - 1)


@helper
def pawn_after(s, cell, entry, out, step):
    """Where a pawn is after the push: the one pushed out goes to the tile that came in."""
    if not rides(s, cell, entry, step):
        return cell
    return entry if cell == out else cell + step


@helper
def slid(x, lane, step):
    """A word with the bits of the lane moved by a step; what leaves the lane is gone."""
    on = x & lane
    on = on << U(step) if step > 0 else on >> U(-step)
    return (x & ~lane) | (on & lane)


@helper
def slide_exits(s, t, entry, step, exits):
    """Moves the line of t.exits (t the state s or a workspace) and lays a tile with these exits at its beginning."""
    if is_small(t):
        if step == 1 or step == -1:
            lane = ((ONE << U(np.int64(s.columns))) - ONE) << U(entry & 56)
        else:
            lane = (_COLUMN_8 >> U(8 * (8 - np.int64(s.rows)))) << U(entry & 7)
        for d in range(4):
            t.exits[d, 0] = slid(t.exits[d, 0], lane, step) | (U((exits >> d) & 1) << U(entry))
    elif step == 1 or step == -1:
        k = entry >> 6
        lane = ((ONE << U(np.int64(s.columns))) - ONE) << U(entry & 48)
        for d in range(4):
            t.exits[d, k] = slid(t.exits[d, k], lane, step) | (U((exits >> d) & 1) << U(entry & 63))
    else:
        slide_column(s, t, entry, step, exits)


@helper
def column_lane(s, column, k):
    """The cells of a column that lie in word k of a large board."""
    rows = min(max(np.int64(s.rows) - 4 * k, 0), 4)
    return (_COLUMN_16 >> U(16 * (4 - rows))) << U(column) if rows > 0 else ZERO


@helper
def slide_column(s, t, entry, step, exits):
    """A column of a large board runs through all four words: what leaves one is carried into the next."""
    for d in range(4):
        carried = ZERO
        for i in range(4):
            k = i if step > 0 else 3 - i
            lane = column_lane(s, entry & 15, k)
            on = t.exits[d, k] & lane
            moved = on << U(16) if step > 0 else on >> U(16)
            t.exits[d, k] = (t.exits[d, k] & ~lane) | ((moved | carried) & lane)
            carried = on >> U(48) if step > 0 else on << U(48)
        t.exits[d, entry >> 6] |= U((exits >> d) & 1) << U(entry & 63)


@helper
def exits_at(t, cell):
    """The exits of the tile on a cell."""
    k, bit = cell >> 6, U(cell & 63)
    e = ZERO
    for d in range(4):
        e |= ((t.exits[d, k] >> bit) & ONE) << U(d)
    return np.int64(e)


# --- flooding ---------------------------------------------------------------------------------------------------------


@helper
def join(t, w):
    """The passages between neighbours on t's board: both tiles must open to each other."""
    not_last = _NOT_LAST_8 if is_small(t) else _NOT_LAST_16
    across = both(cells_at(t, "exits", EAST), lowered(cells_at(t, "exits", WEST), 1))
    set_cells(w, "across", masked(across, not_last))
    set_cells(w, "down", both(cells_at(t, "exits", SOUTH), lowered(cells_at(t, "exits", NORTH), 1 << log_stride(t))))


@helper
def flood(w, cell):
    """Fills w.reach with the cells connected to one by the passages in w."""
    set_cells(w, "reach", single(cells_of(w, "reach"), cell))
    flow(w)


@helper
def flow(w):
    """Fills w.reach with the cells connected to some of it by the passages in w."""
    if w.reach.size == 1:
        across, down = w.across[0], w.down[0]
        r = w.reach[0]
        before = ZERO
        while r != before:
            before = r
            # all four ways from the same cells: more rounds than one way after the other, but none waits for another
            r |= ((r & across) << U(1)) | ((r >> U(1)) & across) | ((r & down) << U(8)) | ((r >> U(8)) & down)
        w.reach[0] = r
    else:
        flow_large(w)


@helper
def flow_large(w):
    """The same over four words; rows that meet at the border of two words are carried over."""
    a0, a1, a2, a3 = w.across[0], w.across[1], w.across[2], w.across[3]
    d0, d1, d2, d3 = w.down[0], w.down[1], w.down[2], w.down[3]
    r0, r1, r2, r3 = w.reach[0], w.reach[1], w.reach[2], w.reach[3]
    grown = ONE
    while grown != ZERO:
        b0, b1, b2, b3 = r0, r1, r2, r3
        r0 |= (r0 & a0) << U(1)
        r1 |= (r1 & a1) << U(1)
        r2 |= (r2 & a2) << U(1)
        r3 |= (r3 & a3) << U(1)
        r0 |= (r0 >> U(1)) & a0
        r1 |= (r1 >> U(1)) & a1
        r2 |= (r2 >> U(1)) & a2
        r3 |= (r3 >> U(1)) & a3
        r3 |= ((r3 & d3) << U(16)) | ((r2 & d2) >> U(48))
        r2 |= ((r2 & d2) << U(16)) | ((r1 & d1) >> U(48))
        r1 |= ((r1 & d1) << U(16)) | ((r0 & d0) >> U(48))
        r0 |= (r0 & d0) << U(16)
        r0 |= ((r0 >> U(16)) | (r1 << U(48))) & d0
        r1 |= ((r1 >> U(16)) | (r2 << U(48))) & d1
        r2 |= ((r2 >> U(16)) | (r3 << U(48))) & d2
        r3 |= (r3 >> U(16)) & d3
        grown = (r0 ^ b0) | (r1 ^ b1) | (r2 ^ b2) | (r3 ^ b3)
    w.reach[0], w.reach[1], w.reach[2], w.reach[3] = r0, r1, r2, r3


@helper
def through_walls(w, board):
    """Adds to w.reach the cells of the board beside it, and all that is connected to them."""
    not_last = _NOT_LAST_8 if is_small(w) else _NOT_LAST_16
    stride = 1 << log_stride(w)
    r = cells_of(w, "reach")
    beside = either(raised(masked(r, not_last), 1), masked(lowered(r, 1), not_last))
    beside = both(either(beside, either(raised(r, stride), lowered(r, stride))), board)
    set_cells(w, "reach", either(r, beside))
    flow(w)


@helper
def whole_board(s):
    """All cells that have a tile."""
    north_east = either(cells_at(s, "exits", NORTH), cells_at(s, "exits", EAST))
    return either(north_east, either(cells_at(s, "exits", SOUTH), cells_at(s, "exits", WEST)))


@helper
def walls_between(s, w, cell, target):
    """How many walls stand between two cells on the board of s, as few as there are on any way, at most MANY."""
    join(s, w)
    flood(w, cell)
    board = whole_board(s)
    walls = 0
    while walls < MANY and not holds(w, "reach", target):
        through_walls(w, board)
        walls += 1
    return walls


@helper
def write_walls(w, cells, walls):
    """Notes for some cells how many walls stand in the way."""
    base = 0
    for word in cells:
        while word != ZERO:
            w.walls[base + lowest(word)] = walls
            word &= word - ONE
        base += 64


@helper
def note_walls(s, w, target):
    """w.walls[cell]: how many walls stand between each cell of the board of s and a target, at most MANY."""
    join(s, w)
    flood(w, target)
    board = whole_board(s)
    rest = board
    walls = 0
    while walls < MANY and not is_empty(rest):
        fresh = both(rest, cells_of(w, "reach"))
        write_walls(w, fresh, walls)
        rest = less(rest, fresh)
        through_walls(w, board)
        walls += 1
    write_walls(w, rest, MANY)


@helper
def reached(w):
    """How many cells were reached."""
    return count(cells_of(w, "reach"))


@helper
def nth_reached(w, n):
    """The n-th cell reached, row by row."""
    k = 0
    inside = popcount(w.reach[0])
    while n >= inside:
        n -= inside
        k += 1
        inside = popcount(w.reach[k])
    return (k << 6) + nth_of_few(w.reach[k], n)


@helper
def nth_of_few(x, n):
    """The index of the n-th set bit; quicker than nth_bit when there are few, as a rule, since it does not branch."""
    for _ in range(n):
        x &= x - ONE
    return lowest(x)


@helper
def imagine(s, w, entry, step, exits):
    """The board after a push into w, with its passages; s stays as it is."""
    for d in range(4):
        set_cells_at(w, "exits", d, cells_at(s, "exits", d))
    slide_exits(s, w, entry, step, exits)
    join(w, w)


@helper
def facing(s, w, cell):
    """The sides of a cell, as exits, to which the tile beside it opens, on the board imagined in w."""
    shift = 3 if w.reach.size == 1 else 4
    stride = 1 << shift
    row, column = cell >> shift, cell & (stride - 1)
    sides = 0
    if row > 0:
        sides |= opens(w, SOUTH, cell - stride)
    if column < np.int64(s.columns) - 1:
        sides |= opens(w, WEST, cell + 1) << 1
    if row < np.int64(s.rows) - 1:
        sides |= opens(w, NORTH, cell + stride) << 2
    if column > 0:
        sides |= opens(w, EAST, cell - 1) << 3
    return sides


@helper
def opens(w, d, cell):
    """1 if the tile on a cell opens to the side d."""
    return np.int64((w.exits[d, cell >> 6] >> U(cell & 63)) & ONE)


@helper
def touching(w, cell, sides):
    """Those of the sides of a cell beyond which the cells flooded last begin."""
    stride = 8 if w.reach.size == 1 else 16
    met = 0
    if sides & 1 and holds(w, "reach", cell - stride):
        met |= 1
    if sides & 2 and holds(w, "reach", cell + 1):
        met |= 2
    if sides & 4 and holds(w, "reach", cell + stride):
        met |= 4
    if sides & 8 and holds(w, "reach", cell - 1):
        met |= 8
    return met


@helper
def closest(w, cell, columns_shift):
    """The cell reached with the least Manhattan distance to `cell`, the first in order of those."""
    row, column = cell >> columns_shift, cell & ((1 << columns_shift) - 1)
    best, least = -1, 1 << 20
    for k in range(w.reach.size):
        r = w.reach[k]
        while r != ZERO:
            c = (k << 6) + lowest(r)
            r &= r - ONE
            far = abs((c >> columns_shift) - row) + abs((c & ((1 << columns_shift) - 1)) - column)
            if far < least:
                best, least = c, far
    return best


# --- pawns in the way (option block) ----------------------------------------------------------------------------------


@helper
def blocked_cells(s, w, me, cell, entry, out, step):
    """The other pawns' cells after a push (step 0: as they stand), the mover's own cell left free."""
    x = empty(cells_of(w, "reach"))
    for p in range(s.players):
        if p != me:
            c = np.int64(s.pawn[p])
            if step != 0:
                c = pawn_after(s, c, entry, out, step)
            if c != cell:
                x = either(x, single(x, c))
    return x


@helper
def flood_blocked(w, cell, blocked):
    """Floods around the blocked cells, which may be entered but not passed."""
    stride = 8 if w.reach.size == 1 else 16
    across, down = cells_of(w, "across"), cells_of(w, "down")
    set_cells(w, "across", less(across, either(blocked, lowered(blocked, 1))))
    set_cells(w, "down", less(down, either(blocked, lowered(blocked, stride))))
    flood(w, cell)
    set_cells(w, "across", across)
    set_cells(w, "down", down)
    x = cells_of(w, "reach")
    set_cells(w, "reach", either(x, both(blocked, spread(x, across, down, stride))))
