"""Setting up a game of Labyrinth: which lines can be pushed, the tiles of each kind of board, homes, pawns and cards."""

import numpy as np

from daedalus.core import U, helper, random_below, shuffle

from .maze import BAR, COLUMNS, ELL, LETTERS, OFF, RED, ROWS, TEE, log_stride, rotations, turned

# the sixteen fixed tiles of the original board, row by row (specification 2.1)
_FIXED = np.array([6, 14, 14, 12, 7, 7, 14, 13, 7, 11, 13, 13, 3, 11, 11, 9])
_CORNERS = np.array([6, 12, 3, 9])  # exits of the corners: top left, top right, bottom left, bottom right
_CORNER_HOMES = np.array([27, 28, 29, 30])  # R Y over G B
_KINDS = np.array([TEE, ELL, BAR])


@helper
def random_tile(w, kind):
    """A tile of a kind, every way it can lie equally likely."""
    return turned(kind, random_below(w, rotations(kind)))


@helper
def lay_lines(self, s):
    """Notes the size of the board and numbers the movable lines: rows, then columns."""
    s.rows, s.columns, s.players = self.board[ROWS], self.board[COLUMNS], self.players
    rows, columns = movable(self)
    side = 1 << log_stride(s)
    n = 0
    for i in range(side):
        if (rows >> i) & 1:
            s.lines[n] = i
            n += 1
    for i in range(side):
        if (columns >> i) & 1:
            s.lines[n] = side + i
            n += 1
    s.locations = 2 * n
    s.barred = OFF


@helper
def place(s, cell, exits, marker):
    """Puts a tile on an empty cell."""
    for d in range(4):
        s.exits[d, cell >> 6] |= U((exits >> d) & 1) << U(cell & 63)
    s.marker[cell] = marker
    s.where[marker] = cell


@helper
def spare(s, exits, marker):
    """Makes a tile the extra one."""
    s.extra = exits
    s.extra_marker = marker
    s.where[marker] = OFF


@helper
def lay_tiles(self, s, w):
    """Places w.tiles, exits and marker of each as in boards.py, row by row, the last one as the extra tile."""
    shift = log_stride(s)
    for marker in range(31):
        s.where[marker] = OFF
    i = 0
    for row in range(self.board[ROWS]):
        for column in range(self.board[COLUMNS]):
            place(s, (row << shift) + column, np.int64(w.tiles[i]) & 15, np.int64(w.tiles[i]) >> 4)
            i += 1
    spare(s, np.int64(w.tiles[i]) & 15, np.int64(w.tiles[i]) >> 4)


@helper
def original_tiles(w):
    """Sixteen fixed tiles, 34 shuffled ones: 6 T and 6 L with objects, 9 L and 13 I without."""
    for i in range(34):
        marker = 13 + i if i < 12 else 0
        kind = TEE if i < 6 else ELL if i < 21 else BAR
        w.pool[i] = random_tile(w, kind) | (marker << 4)
    shuffle(w, w.pool, 34)
    dealt, objects, homes = 0, 0, 0
    for i in range(50):
        row, column = i // 7, i % 7
        if i == 49 or row % 2 or column % 2:
            w.tiles[i] = w.pool[dealt]
            dealt += 1
        else:
            if row % 6 == 0 and column % 6 == 0:
                marker = _CORNER_HOMES[homes]
                homes += 1
            else:
                objects += 1
                marker = objects
            w.tiles[i] = _FIXED[(row // 2) * 4 + column // 2] | (marker << 4)


@helper
def random_tiles(self, w, objects):
    """All tiles and the homes anywhere; dealt again while a home is on the extra tile."""
    n = self.board[ROWS] * self.board[COLUMNS] + 1
    for i in range(n):
        w.tiles[i] = random_tile(w, _KINDS[random_below(w, 3)])
        w.pool[i] = i + 1 if i < objects else RED + i - objects if i < objects + 4 else 0
    shuffle(w, w.pool, n)
    while w.pool[n - 1] >= RED:
        shuffle(w, w.pool, n)
    for i in range(n):
        w.tiles[i] |= w.pool[i] << 4


@helper
def movable(self):
    """Which rows and which columns can be pushed, as bits."""
    rows = (self.rows if self.rows else self.board[3]) & ((1 << self.board[ROWS]) - 1)
    columns = (self.columns if self.columns else self.board[4]) & ((1 << self.board[COLUMNS]) - 1)
    return rows, columns


@helper
def fixed_lines(lines, size, i):
    """The first and the last of the lines around line i that cannot be pushed, itself included."""
    first, last = i, i
    while first > 0 and not (lines >> (first - 1)) & 1:
        first -= 1
    while last < size - 1 and not (lines >> (last + 1)) & 1:
        last += 1
    return first, last


@helper
def ways_kept(self, row, column):
    """The sides to which a tile that never moves must open, so that every cell of a generated board can be left and reached.

    Such tiles lie in rectangles between the lines that can be pushed. A single one has pushed tiles all around it. In a
    larger rectangle each row (or column, if that is shorter) is a way to the line beside it:

        | > > >        the line at the left is pushed; each tile opens to the left, and to the right for the next one
        | > > >

    Where a row and a column can be pushed they cross, and pawns ride along them. Where there are only rows, or only
    columns, the first way between two of them leads on to the second.
    """
    rows, columns = movable(self)
    if (rows >> row) & 1 or (columns >> column) & 1:
        return 0
    top, bottom = fixed_lines(rows, self.board[ROWS], row)
    left, right = fixed_lines(columns, self.board[COLUMNS], column)
    west, east = left > 0, right < self.board[COLUMNS] - 1  # is there a line to be pushed?
    north, south = top > 0, bottom < self.board[ROWS] - 1
    if top == bottom and left == right:
        return 0
    if (west or east) and (right - left <= bottom - top or not (north or south)):
        on = rows == 0 and row == top and west and east
        return chain(column, left, right, west, on, 8, 2)
    on = columns == 0 and column == left and north and south
    return chain(row, top, bottom, north, on, 1, 4)


@helper
def chain(i, first, last, before, on, back, ahead):
    """The sides of tile i of first..last in a way to the line before the first one, else to that after the last one."""
    sides = 0
    if before or i > first:
        sides |= back
    if not before or i < last or on:
        sides |= ahead
    return sides


@helper
def generated_tiles(self, w, objects):
    """Homes in the corners as on the original board, the rest at random, but no tile shut in for ever."""
    rows, columns = self.board[ROWS], self.board[COLUMNS]
    n = rows * columns + 1
    for i in range(n - 4):
        w.pool[i] = i + 1 if i < objects else 0
    shuffle(w, w.pool, n - 4)
    dealt, corners = 0, 0
    for i in range(n):
        row, column = i // columns, i % columns
        if i < n - 1 and (row == 0 or row == rows - 1) and (column == 0 or column == columns - 1):
            w.tiles[i] = _CORNERS[corners] | (_CORNER_HOMES[corners] << 4)
            corners += 1
        else:
            sides = ways_kept(self, row, column) if i < n - 1 else 0
            exits = random_tile(w, _KINDS[random_below(w, 3)])
            while exits & sides != sides:
                exits = random_tile(w, _KINDS[random_below(w, 3)])
            w.tiles[i] = exits | (w.pool[dealt] << 4)
            dealt += 1


@helper
def seat_players(self, s):
    """Gives every seat its home, see boards.seat_homes, and puts its pawn there."""
    n = 0
    for i in range(4):
        if self.players == 2:
            home = RED if i == 0 else 30 if i == 1 else 27 + i - 1
        else:
            home = RED + i if i < 2 else 30 if i == 2 else 29
        if n < self.players and s.where[home] != OFF:
            s.home[n] = home
            s.pawn[n] = s.where[home]
            n += 1


@helper
def collect_objects(s, w):
    """The objects of the board in w.pool, in their order; returns how many."""
    n = 0
    for cell in range(s.marker.size):
        marker = s.marker[cell]
        if 1 <= marker <= LETTERS:
            w.pool[n] = marker
            n += 1
    if 1 <= s.extra_marker <= LETTERS:
        w.pool[n] = s.extra_marker
        n += 1
    for i in range(1, n):  # few: insertion sort
        card = w.pool[i]
        k = i - 1
        while k >= 0 and w.pool[k] > card:
            w.pool[k + 1] = w.pool[k]
            k -= 1
        w.pool[k + 1] = card
    return n
