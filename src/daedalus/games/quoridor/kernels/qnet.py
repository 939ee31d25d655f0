"""A perceptron that estimates the value of every action (Q), inside kernels: Hoľa's (2016, section 4.7) and better ones.

Four kinds of inputs:

    PUBLISHED  the thesis's 133 numbers as they are: who is to move, both pawns 0..80, both stocks, a bit for each wall
    MOVER      the game's features: from the mover's side, with distances
    PATHS      those, and the cells of all shortest paths of both
    NARROWS    those, and of these cells the ones whose step all shortest paths take there (1) or at one of two cells (a half)

Actions of the first are numbered from White's side whoever moves, those of the others from the mover's.
"""

from typing import Any, NamedTuple

import numpy as np

from daedalus.core import ONE, ZERO, helper, lowest, popcount
from daedalus.search.kernels.policies import level

from .bitboards import LONGEST, STRIDE, goal, grown, only, shortest_paths
from .features import numbered, put_walls, seen, write_features

PUBLISHED, MOVER, PATHS, NARROWS = 0, 1, 2, 3
SIGMOID, RELU = 0, 1
WEIGHTS = ("w1", "b1", "w2", "b2", "w3", "b3")


def qnet_type(inputs, first, second, actions):
    """The record of a network, with its scratch: whoever plays on several threads gives each a copy."""
    fields = [
        ("inputs", "i8"),
        ("bend", "i8"),
        ("w1", "f4", (inputs, first)),
        ("b1", "f4", (first,)),
        ("w2", "f4", (first, second)),
        ("b2", "f4", (second,)),
        ("w3", "f4", (second, actions)),
        ("b3", "f4", (actions,)),
        ("x", "f4", (inputs,)),
        ("h1", "f4", (first,)),
        ("h2", "f4", (second,)),
        ("q", "f4", (actions,)),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def inputs_of(game, kind):
    """How many inputs a kind has."""
    if kind == PUBLISHED:
        return 5 + 2 * (game.width - 1) * (game.height - 1)
    return game.FEATURES + (kind - MOVER) * 2 * game.width * game.height


@helper
def write_published(game, s, out):
    """Numbers as the thesis lists them, not scaled."""
    for i in range(out.size):
        out[i] = 0.0
    out[0] = s.turn
    for k in range(2):
        out[1 + k] = (s.pawn[k] // STRIDE) * game.width + s.pawn[k] % STRIDE
        out[3 + k] = s.stock[k]
    slots = (game.width - 1) * (game.height - 1)
    put_walls(game, 0, 2, s.h0, 0, out, 5, game.width - 1)
    put_walls(game, 0, 2, s.h1, 64, out, 5, game.width - 1)
    put_walls(game, 0, 2, s.v0, 0, out, 5 + slots, game.width - 1)
    put_walls(game, 0, 2, s.v1, 64, out, 5 + slots, game.width - 1)


@helper
def put_cells(game, seat, word, first, out, begin, value):
    """Gives the inputs of the cells in a word of a set a value; the first cell has the number `first`."""
    while word != ZERO:
        row, column = seen(game, seat, 2, first + lowest(word), 0)
        if 0 <= row < game.height and column < game.width:  # goal rows run on beyond a narrow board
            out[begin + row * game.width + column] = value
        word &= word - ONE


@helper
def put_narrows(game, s, seat, who, w, out, begin):
    """Marks where the shortest paths of seat `who` have one cell for a step (1) or two (a half)."""
    a, b = goal(game, who, 2)
    p, q = only(s.pawn[who])
    k = 0
    while (a & p) | (b & q) == ZERO and k < LONGEST:
        w.low[k] = a
        w.high[k] = b
        a, b = grown(a, b, s.n0, s.n1, s.e0, s.e1)
        k += 1
    while k > 0:
        k -= 1
        x, y = grown(p, q, s.n0, s.n1, s.e0, s.e1)
        p = x & w.low[k]
        q = y & w.high[k]
        width = popcount(p) + popcount(q)
        if width <= 2:
            put_cells(game, seat, p, 0, out, begin, 1.0 / width)
            put_cells(game, seat, q, 64, out, begin, 1.0 / width)


@helper
def write_inputs(game, s, kind, w, out):
    """What the network sees of the seat to move."""
    if kind == PUBLISHED:
        write_published(game, s, out)
        return
    me = s.turn
    write_features(game, s, me, out)
    cells = game.width * game.height
    begin = out.size - 2 * cells * (kind - MOVER)
    if kind >= PATHS:
        for k in range(2):
            a, b = shortest_paths(game, s, me if k == 0 else 1 - me, w)
            put_cells(game, me, a, 0, out, begin + k * cells, 1.0)
            put_cells(game, me, b, 64, out, begin + k * cells, 1.0)
    if kind == NARROWS:
        put_narrows(game, s, me, me, w, out, begin + 2 * cells)
        put_narrows(game, s, me, 1 - me, w, out, begin + 3 * cells)


@helper
def action_of(game, s, kind, m):
    """The number of a move among the network's outputs."""
    return numbered(game, s, m, 0 if kind == PUBLISHED else s.turn)


@helper
def bent(x, bend):
    """The activation of a unit."""
    if bend == RELU:
        return x if x > 0.0 else np.float32(0.0)
    return np.float32(1.0) / (np.float32(1.0) + np.float32(np.exp(-x)))


@helper
def forward(net):
    """Fills net.q from net.x; rows of inputs that are 0 are skipped."""
    for j in range(net.h1.size):
        net.h1[j] = net.b1[j]
    for i in range(net.x.size):
        x = net.x[i]
        if x != 0.0:
            for j in range(net.h1.size):
                net.h1[j] += x * net.w1[i, j]
    for j in range(net.h2.size):
        net.h2[j] = net.b2[j]
    for i in range(net.h1.size):
        x = bent(net.h1[i], net.bend)
        if x != 0.0:
            for j in range(net.h2.size):
                net.h2[j] += x * net.w2[i, j]
    for j in range(net.q.size):
        net.q[j] = net.b3[j]
    for i in range(net.h2.size):
        x = bent(net.h2[i], net.bend)
        if x != 0.0:
            for j in range(net.q.size):
                net.q[j] += x * net.w3[i, j]


@helper
def best_move(game, net, s, w, n):
    """Of the n legal moves in w.buf the one whose value is estimated highest."""
    write_inputs(game, s, net.inputs, w, net.x)
    forward(net)
    best = np.int64(w.buf[0])
    top = net.q[action_of(game, s, net.inputs, best)]
    for i in range(1, n):
        value = net.q[action_of(game, s, net.inputs, np.int64(w.buf[i]))]
        if value > top:
            top = value
            best = np.int64(w.buf[i])
    return best


class QNet(NamedTuple):
    """Plays the legal action of the highest value, without any search."""

    net: Any

    def pick(self, game, s, w):
        return best_move(game, self.net, s, w, game.moves(s, w))

    def prior(self, game, s, w, n):
        level(w, n)
