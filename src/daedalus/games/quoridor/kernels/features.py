"""What a network sees of a Quoridor board, and the numbers of its moves, from the side of one seat.

Every seat sees itself start below and its goal on top. Two players see each other's board mirrored, so that both start in
the same file whatever the width; of four each turns the board, and whoever moves next sits on the left. A frame is the board
so seen: row 0 on top, wall slots likewise. With four players it is a square as large as the longer side.

    `across` walls stop a pawn on its way to the goal, `along` walls stop it aside
"""

import numpy as np

from daedalus.core import ONE, ZERO, helper, lowest

from .bitboards import CELL, STRIDE, H, V, distance

FAR = 24  # distances are told apart up to this
STEPS = 12  # what a pawn may do: four steps, four jumps straight on, four aside
# the number of a pawn's move by (rows down + 2) * 5 + files to the right + 2; the middle is to stay, with four players only
PAWN = np.full(25, -1)
for _k, _place in enumerate((7, 17, 13, 11, 2, 22, 14, 10, 6, 8, 16, 18, 12)):
    PAWN[_place] = _k


@helper
def frame(game, seats):
    """(rows, columns) of the board as a seat sees it."""
    if seats == 2:
        return game.height, game.width
    side = max(game.height, game.width)
    return side, side


@helper
def seen(game, seat, seats, cell, rim):
    """(row, column) of a cell in a seat's frame; of a wall slot with rim 1, since slots lie between cells."""
    x, y = cell % STRIDE, cell // STRIDE
    right, top = game.width - 1 - rim, game.height - 1 - rim
    rows, _ = frame(game, seats)
    last = rows - 1 - rim
    side = seat * (4 // seats)
    if side == 0:
        return last - y, x
    if side == 1:
        return last - x, top - y
    if side == 2:
        return last - (top - y), x if seats == 2 else right - x
    return last - (right - x), y


@helper
def put_walls(game, seat, seats, word, first, out, begin, columns):
    """Sets the features of the walls in a word of anchors, the first of which has the number `first`."""
    while word != ZERO:
        row, column = seen(game, seat, seats, first + lowest(word), 1)
        out[begin + row * columns + column] = 1.0
        word &= word - ONE


@helper
def is_turned(seat, seats):
    """Does a seat look along the ranks, so that horizontal walls lie along its way?"""
    return seats == 4 and seat & 1 == 1


@helper
def write_features(game, s, seat, out):
    """See feature_names in ../features.py."""
    seats = s.pawn.size
    rows, columns = frame(game, seats)
    slots = (rows - 1) * (columns - 1)
    for i in range(out.size):
        out[i] = 0.0
    n = 0
    for k in range(seats):
        row, column = seen(game, seat, seats, s.pawn[(seat + k) % seats], 0)
        out[n + row * columns + column] = 1.0
        n += rows * columns
    across, along = (n + slots, n) if is_turned(seat, seats) else (n, n + slots)
    put_walls(game, seat, seats, s.h0, 0, out, across, columns - 1)
    put_walls(game, seat, seats, s.h1, 64, out, across, columns - 1)
    put_walls(game, seat, seats, s.v0, 0, out, along, columns - 1)
    put_walls(game, seat, seats, s.v1, 64, out, along, columns - 1)
    n += 2 * slots
    numbers = n + seats * (game.walls + 1 + FAR)
    for k in range(seats):
        who = (seat + k) % seats
        stock, far = s.stock[who], distance(game, s, who)
        out[n + min(stock, game.walls)] = 1.0
        n += game.walls + 1
        out[n + min(far, FAR - 1)] = 1.0
        n += FAR
        out[numbers + k] = far / 16.0
        out[numbers + seats + k] = stock / 10.0
    out[numbers + 2 * seats] = 1.0 if s.turn == seat else 0.0


@helper
def numbered(game, s, m, seat):
    """The number of a move of the seat to move, on the board as a seat sees it."""
    seats = s.pawn.size
    rows, columns = frame(game, seats)
    slots = (rows - 1) * (columns - 1)
    if m < H:
        row, column = seen(game, seat, seats, m, 0)
        before, beside = seen(game, seat, seats, s.pawn[s.turn], 0)
        return 2 * slots + PAWN[(row - before + 2) * 5 + column - beside + 2]
    row, column = seen(game, seat, seats, m & CELL, 1)
    lies_along = (m >= V) != is_turned(seat, seats)
    return (slots if lies_along else 0) + row * (columns - 1) + column
