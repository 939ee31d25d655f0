"""The board as its lines, for a search of the game's own: where ships end, what each line is worth, one ship moved.

Lines are numbered 0..8 for rows and 9..17 for columns. A line is kept twice: `ships` has its squares as bits, and `code`
as a number to the base 3, where a square counts 1 with a red ship and 2 with a blue one. What a position is worth is a
sum over its lines, looked up by their codes, so that a slide changes three terms of it: the line along which the ship
slides, the one that it leaves, and the one that it comes to.

    row 1 of the 5 x 5 start     . R . R .     ships 0b01010, code 1 * 3 + 1 * 27

What a line is worth depends on its distance to the hole, and on how many ships of either side are home; lines that are
mirrored or turned are worth the same. Both seats' views are kept, each as if that seat were to move.

Squares are numbered 16 * row + column here, moves 4 * square + direction.
"""

import numpy as np

from daedalus.core import U, helper, lowest

from .slides import EAST, SOUTH, WEST

SIDE = 9  # squares on a side of the largest board
LINES = 2 * SIDE
CODES = 3**SIDE
FLEET = SIDE - 1
GOALS = 4  # ships home, 0 to 3, while a game is on
POWERS = np.array([3**k for k in range(SIDE)], np.int64)


def known_type():
    """The record of what the search knows of a game: tables of its slides and landings, and what lines are worth."""
    fields = [
        ("rows", "i8"),
        ("hole", "i8"),  # its row and its column
        ("goal", "i8"),  # so many ships home win
        ("cap", "i8"),
        ("power", "u8", (SIDE + 1,)),  # what a row counts in the key, and Blue's turn
        ("away", "u1", (LINES,)),  # a line's distance to the hole
        ("end", "u1", (2, 1 << SIDE, SIDE)),  # of the hole's lines and of others, by ships and start: both ways' ends
        ("ready", "u1", (CODES,)),  # landings that are ready on a line of the hole, by the seat in its lower and upper half
        ("worth", "i2", (GOALS, GOALS, SIDE // 2 + 1, CODES, 2)),  # by own and other's ships home, distance, code, seat
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def board_type():
    """The record of a position."""
    fields = [
        ("key", "u8"),  # the game's own, before it is mixed
        ("total", "i4", (2,)),  # what all lines are worth for each seat, if it is to move
        ("ships", "i2", (LINES,)),
        ("code", "i2", (LINES,)),
        ("fleet", "i2", (2, FLEET)),  # squares of a seat's ships
        ("left", "i2", (2,)),  # ships on the board
        ("home", "i2", (2,)),
        ("turn", "i2"),
        ("ply", "i2"),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


# --- moves as numbers -------------------------------------------------------------------------------------------------


@helper
def inner(k, m):
    """The game's number of a move as it is here."""
    square = m >> 2
    return (square // k.rows * 16 + square % k.rows) * 4 + (m & 3)


@helper
def outer(k, m):
    """And back."""
    return ((m >> 6) * k.rows + (m >> 2 & 15)) * 4 + (m & 3)


# --- worth ------------------------------------------------------------------------------------------------------------


@helper
def worth(k, b, seat, line, code):
    """What a line with this code is worth for a seat."""
    return np.int64(k.worth[U(b.home[seat]), U(b.home[1 - seat]), U(k.away[U(line)]), U(code), U(seat)])


@helper
def worth_of_all(k, b, seat):
    """What all lines are worth for a seat."""
    total = 0
    for line in range(k.rows):
        total += worth(k, b, seat, line, b.code[line])
        total += worth(k, b, seat, SIDE + line, b.code[SIDE + line])
    return total


@helper
def change(k, b, seat, mover, along, base, at, end, across):
    """How much more the lines are worth for a seat after a slide of the mover's.

    `along` is its line, on which it goes from `at` to `end`; the lines that it leaves and comes to begin at `base`, and
    it stands on place `across` of either.
    """
    one = (mover + 1) * POWERS[U(across)]
    way = (mover + 1) * (POWERS[U(end)] - POWERS[U(at)])
    before, left, entered = np.int64(b.code[U(along)]), np.int64(b.code[U(base + at)]), np.int64(b.code[U(base + end)])
    more = worth(k, b, seat, along, before + way) - worth(k, b, seat, along, before)
    more += worth(k, b, seat, base + at, left - one) - worth(k, b, seat, base + at, left)
    return more + worth(k, b, seat, base + end, entered + one) - worth(k, b, seat, base + end, entered)


# --- landings ---------------------------------------------------------------------------------------------------------


@helper
def landings(k, b, seat):
    """How many moves of a seat would land a ship now."""
    ready = np.int64(k.ready[U(b.code[k.hole])]) + np.int64(k.ready[U(b.code[SIDE + k.hole])])
    return ready >> 4 * seat & 15


@helper
def landings_after(k, b, seat, mover, along, base, at, end, across):
    """The same after a slide; see `change`."""
    row, column = np.int64(b.code[k.hole]), np.int64(b.code[SIDE + k.hole])
    way = (mover + 1) * (POWERS[U(end)] - POWERS[U(at)])
    one = (mover + 1) * POWERS[U(across)]
    ended = (one if end == k.hole else 0) - (one if at == k.hole else 0)
    if base == 0:  # along a column, so that it leaves a row and comes to one
        row += ended
        column += way if along == SIDE + k.hole else 0
    else:
        column += ended
        row += way if along == k.hole else 0
    ready = np.int64(k.ready[U(row)]) + np.int64(k.ready[U(column)])
    return ready >> 4 * seat & 15


# --- slides -----------------------------------------------------------------------------------------------------------


@helper
def ends(k, b, along, at):
    """Where a slide from a place on a line ends: towards the line's begin in the lower half of the byte, else in the upper."""
    return np.int64(k.end[U(np.int64(k.away[U(along)]) != 0), U(b.ships[U(along)]), U(at)])


@helper
def put(k, b, seat, row, col, sign):
    """A ship of the seat appears on a square (sign 1) or leaves it (-1); the sums stay as they are."""
    b.ships[row] ^= 1 << col
    b.ships[SIDE + col] ^= 1 << row
    b.code[row] += sign * (seat + 1) * POWERS[col]
    b.code[SIDE + col] += sign * (seat + 1) * POWERS[row]
    mark = k.power[row] << U(col + 16 * seat)
    b.key = b.key + mark if sign > 0 else b.key - mark


@helper
def slide(k, b, m):
    """Makes a move."""
    square, me = m >> 2, np.int64(b.turn)
    row, col, d = square >> 4, square & 15, m & 3
    sideways = d == EAST or d == WEST
    along, at, base, across = (row, col, SIDE, row) if sideways else (SIDE + col, row, 0, col)
    both = ends(k, b, along, at)
    end = both >> 4 if d == EAST or d == SOUTH else both & 15
    i = 0
    while b.fleet[me, i] != square:
        i += 1
    if end == k.hole and across == k.hole:
        put(k, b, me, row, col, -1)
        b.left[me] -= 1
        b.fleet[me, i] = b.fleet[me, b.left[me]]
        b.home[me] += 1
        if b.home[me] < k.goal:
            b.total[0] = worth_of_all(k, b, 0)
            b.total[1] = worth_of_all(k, b, 1)
    else:
        b.total[0] += change(k, b, 0, me, along, base, at, end, across)
        b.total[1] += change(k, b, 1, me, along, base, at, end, across)
        put(k, b, me, row, col, -1)
        row, col = (row, end) if sideways else (end, col)
        put(k, b, me, row, col, 1)
        b.fleet[me, i] = row << 4 | col
    hand_over(k, b)
    b.ply += 1


@helper
def hand_over(k, b):
    """The other seat is to move."""
    b.key = b.key + k.power[k.rows] if b.turn == 0 else b.key - k.power[k.rows]
    b.turn = 1 - b.turn


@helper
def copy_board(b, to):
    """The same position in another record; between places of an array an assignment does it."""
    to.key = b.key
    to.turn, to.ply = b.turn, b.ply
    for line in range(LINES):
        to.ships[line], to.code[line] = b.ships[line], b.code[line]
    for seat in range(2):
        to.total[seat], to.left[seat], to.home[seat] = b.total[seat], b.left[seat], b.home[seat]
        for i in range(FLEET):
            to.fleet[seat, i] = b.fleet[seat, i]


@helper
def set_board(k, s, b):
    """The board of a state of the rules."""
    b.key = U(0)
    b.turn, b.ply = 0, s.ply
    for line in range(LINES):
        b.ships[line] = b.code[line] = 0
    for seat in range(2):
        b.home[seat], b.left[seat] = s.home[seat], 0
        for row in range(k.rows):
            ships = np.int64(s.ships[seat, row])
            while ships:
                col = lowest(ships)
                ships &= ships - 1
                put(k, b, seat, row, col, 1)
                b.fleet[seat, b.left[seat]] = row << 4 | col
                b.left[seat] += 1
    if s.turn == 1:
        hand_over(k, b)
    b.total[0], b.total[1] = worth_of_all(k, b, 0), worth_of_all(k, b, 1)
