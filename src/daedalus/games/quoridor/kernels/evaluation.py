"""What a position for two is worth by the look of it, 100 = one step, for the side to move.

A formula of distances and stocks serves every board. On 9 x 9 a small network corrects it: it sees the walls as they lie
around either pawn. It has one hidden layer, whose units come in pairs, one for each seat's view, so that what is good for
one is as bad for the other. A position is a sum of rows, one for each thing on the board:

    for each pawn its cell and every wall by its place relative to it      handed on from node to node
    the gap between the pawns, stocks, steps, whose turn it is             looked up for each node

All rows lie in one record, so that new weights compile nothing. They are whole numbers of 16 bits: a correction is then a
few dozen vector instructions, and no two machines differ. Rows are added four a pass: one at a time is five times slower.
"""

from typing import Any, NamedTuple

import numpy as np

from daedalus.core import ONE, ZERO, helper, lowest
from daedalus.search.kernels.frames import WIN

from .bitboards import CELL, STRIDE, H, V

UNITS = 16  # hidden units for each seat's view
LANES = 2 * UNITS
SIDE = 9  # of the board that the network knows
STOCKS = 11  # 0 to 10 walls
STEPS = 32  # distances are told apart below this
AROUND = 256  # places of a wall relative to a pawn, 16 rows of 16: first the horizontal walls, then the vertical ones
NO_WALL = 2 * AROUND  # a row of zeros
GAPS = 32 * 32  # places of a pawn relative to the other
ROWS = 24  # more walls than there are, in whole passes
SHIFT = 15  # a score of 1 is this power of two in the sum of the outputs


def network_type():
    """The record of the rows, by seat of the pawn where two are listed; `worth` is what a unit's output counts."""
    fields = [
        ("used", "i8"),
        ("wall", "i2", (2, NO_WALL + 1, LANES)),
        ("cell", "i2", (2, STRIDE * STRIDE, LANES)),
        ("gap", "i2", (GAPS, LANES)),
        ("stocks", "i2", (2, STOCKS * STOCKS, LANES)),  # by turn
        ("steps", "i2", (STEPS * STEPS, LANES)),
        ("worth", "i2", (LANES,)),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


NO_NETWORK: Any = np.zeros(1, network_type())[0]


class Weights(NamedTuple):
    """What things are worth, and what a ply may change."""

    tempo: int = 50
    wall: int = 140
    any_wall: int = 250
    race: int = 1500
    margin: int = 100  # a ply rarely changes the score by more
    reduction: float = 2.0  # how much less deep later moves are searched
    network: Any = NO_NETWORK


# --- the formula ------------------------------------------------------------------------------------------------------


@helper
def by_formula(weights, mine, theirs, stock, stock_theirs):
    """The score of a position from distances and stocks.

    A wall is worth more than a step, having any at all more still; against an opponent without walls it is a race.
    """
    score = 100 * (theirs - mine) + weights.tempo + weights.wall * (stock - stock_theirs)
    score += weights.any_wall * (np.int64(stock > 0) - np.int64(stock_theirs > 0))
    if stock_theirs == 0 and mine <= theirs:
        score += weights.race + 20 * (theirs - mine)
    if stock == 0 and theirs < mine:
        score -= weights.race + 20 * (mine - theirs)
    return score


# --- the network ------------------------------------------------------------------------------------------------------


@helper
def spread(c):
    """The number of a cell or anchor with 16 to a row."""
    return c + 5 * (c // STRIDE)


@helper
def around(m, cell):
    """The place of wall m relative to a pawn."""
    return spread(m & CELL) - spread(cell) + 136 + (AROUND if m >= V else 0)


@helper
def gap_between(cell, other):
    """The place of the second pawn relative to the first."""
    dy = other // STRIDE - cell // STRIDE
    dx = other % STRIDE - cell % STRIDE
    return (dy + 16) * 32 + dx + 16


@helper
def list_rows(f, n, word, first, cell):
    """Adds to f.rows[:n] the rows of all walls in a word, the first of which has the number `first`."""
    while word != ZERO:
        f.rows[n] = around(first + lowest(word), cell)
        n += 1
        word &= word - ONE
    return n


@helper
def see(net, s, f, part, seat, cell):
    """Sums up what a seat's pawn on `cell` has around it."""
    n = list_rows(f, 0, s.h0, H, cell)
    n = list_rows(f, n, s.h1, H + 64, cell)
    n = list_rows(f, n, s.v0, V, cell)
    n = list_rows(f, n, s.v1, V + 64, cell)
    f.rows[n] = f.rows[n + 1] = f.rows[n + 2] = NO_WALL
    for u in range(LANES):
        part[u] = net.cell[seat, cell, u]
    for k in range(0, n, 4):
        a = f.rows[k]
        b = f.rows[k + 1]
        c = f.rows[k + 2]
        d = f.rows[k + 3]
        for u in range(LANES):
            part[u] = np.int16(
                part[u] + net.wall[seat, a, u] + net.wall[seat, b, u] + net.wall[seat, c, u] + net.wall[seat, d, u]
            )


@helper
def see_both(net, s, f):
    """Sums up a node from nothing."""
    see(net, s, f, f.first_part, 0, s.pawn[0])
    see(net, s, f, f.second_part, 1, s.pawn[1])


@helper
def pass_on(f, child):
    """A pass changes none of the sums."""
    for u in range(LANES):
        child.first_part[u] = f.first_part[u]
    for u in range(LANES):
        child.second_part[u] = f.second_part[u]


@helper
def hand_on(net, s, f, child, m):
    """Sums up the node behind move m, which the state has made, from the node before."""
    if m >= H:
        row, row_second = around(m, s.pawn[0]), around(m, s.pawn[1])
        for u in range(LANES):
            child.first_part[u] = np.int16(f.first_part[u] + net.wall[0, row, u])
        for u in range(LANES):
            child.second_part[u] = np.int16(f.second_part[u] + net.wall[1, row_second, u])
    elif s.turn == 1:  # the first seat has moved
        see(net, s, child, child.first_part, 0, m)
        for u in range(LANES):
            child.second_part[u] = f.second_part[u]
    else:
        see(net, s, child, child.second_part, 1, m)
        for u in range(LANES):
            child.first_part[u] = f.first_part[u]


@helper
def outlook(net, s, f, stocks, steps):
    """The correction of a node for the first seat."""
    gap = gap_between(s.pawn[0], s.pawn[1])
    total = np.int32(0)
    for u in range(LANES):
        h = np.int16(f.first_part[u] + f.second_part[u] + net.gap[gap, u] + net.stocks[s.turn, stocks, u] + net.steps[steps, u])
        total = np.int32(total + np.int32(max(h, np.int16(0))) * np.int32(net.worth[u]))
    return np.int64(total) >> SHIFT


@helper
def correction(net, s, f):
    """What the network adds to the formula at a node, for the side to move; without walls the formula knows best."""
    if net.used == 0 or s.stock[0] + s.stock[1] == 0:
        return np.int64(0)
    mine, theirs = min(f.mine, STEPS - 1), min(f.theirs, STEPS - 1)
    steps = STEPS * mine + theirs if s.turn == 0 else STEPS * theirs + mine
    score = outlook(net, s, f, STOCKS * s.stock[0] + s.stock[1], steps)
    return score if s.turn == 0 else -score


# --- a node, and what lies behind a move ------------------------------------------------------------------------------


@helper
def judged(weights, s, f):
    """The score of a node."""
    me = s.turn
    return f.extra + by_formula(weights, np.int64(f.mine), np.int64(f.theirs), s.stock[me], s.stock[1 - me])


@helper
def judged_after(game, weights, s, f, d, m, mine, theirs):
    """The score, for the side to move at ply d, of a move that leads to these distances, corrected as its own node is.

    Asked of every leaf the network would cost more, and the best of many may be the one of which it thinks too well.
    """
    if mine == 0:
        return np.int64(WIN - d - 1)
    if s.ply + 1 >= game.cap:
        return np.int64(0)
    me = s.turn
    return f.extra - by_formula(weights, theirs, mine, s.stock[1 - me], s.stock[me] - np.int64(m >= H))
