"""A perceptron that estimates the value of every action (Q), inside kernels: Hoľa's (2016, section 4.7) and better ones.

Four kinds of inputs:

    PUBLISHED  the thesis's 133 numbers as they are: who is to move, both pawns 0..80, both stocks, a bit for each wall
    MOVER      the game's features: from the mover's side, with distances
    PATHS      those, and the cells of all shortest paths of both
    COSTS      those, and for every wall that may be laid how many steps it would add to the way of either, in quarters

Actions of the first are numbered from White's side whoever moves, those of the others from the mover's.
"""

from typing import Any, NamedTuple

import numpy as np

from daedalus.core import ONE, ZERO, helper, lowest
from daedalus.search.kernels.policies import level

from .bitboards import STRIDE, cutters, distance, goal, only, shortest_path, shortest_paths, steps
from .features import numbered, put_walls, seen, write_features

PUBLISHED, MOVER, PATHS, COSTS = 0, 1, 2, 3
SIGMOID, RELU = 0, 1
WEIGHTS = ("w1", "b1", "w2", "b2", "w3", "b3")


def qnet_type(inputs, first, second, actions):
    """The record of a network, with its scratch: whoever plays on several threads gives each a copy."""
    fields = [
        ("inputs", "i8"),
        ("bend", "i8"),
        ("both", "i8"),  # is the position judged as it is and with left and right swapped?
        ("inputs_swapped", "i8", (inputs,)),
        ("actions_swapped", "i8", (actions,)),
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
        ("other_x", "f4", (inputs,)),
        ("other_q", "f4", (actions,)),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def inputs_of(game, kind):
    """How many inputs a kind has."""
    walls, cells = 2 * (game.width - 1) * (game.height - 1), game.width * game.height
    if kind == PUBLISHED:
        return 5 + walls
    return game.FEATURES + (kind >= PATHS) * 2 * cells + (kind >= COSTS) * 2 * walls


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
def put_costs(game, s, seat, who, w, out, begin):
    """How many steps every wall would add to the way of seat `who`, in quarters, two at most; 0 where it cuts the way off.

    Only walls across one shortest path can add any.
    """
    far = distance(game, s, who)
    a, b = shortest_path(game, s, who, w)
    h0, h1, v0, v1 = cutters(a, b, s.n0, s.n1, s.e0, s.e1)
    put_costs_of(game, s, seat, who, h0 & s.hfree0, 0, False, far, out, begin)
    put_costs_of(game, s, seat, who, h1 & s.hfree1, 64, False, far, out, begin)
    put_costs_of(game, s, seat, who, v0 & s.vfree0, 0, True, far, out, begin)
    put_costs_of(game, s, seat, who, v1 & s.vfree1, 64, True, far, out, begin)


@helper
def put_costs_of(game, s, seat, who, word, first, upright, far, out, begin):
    """The same for the walls in a word of anchors."""
    p, q = only(s.pawn[who])
    g0, g1 = goal(game, who, 2)
    slots = (game.width - 1) * (game.height - 1)
    while word != ZERO:
        anchor = first + lowest(word)
        word &= word - ONE
        x0, x1 = only(anchor)
        y0, y1 = only(anchor + (STRIDE if upright else 1))
        x0 |= y0
        x1 |= y1
        if upright:
            longer = steps(p, q, g0, g1, s.n0, s.n1, s.e0 & ~x0, s.e1 & ~x1) - far
        else:
            longer = steps(p, q, g0, g1, s.n0 & ~x0, s.n1 & ~x1, s.e0, s.e1) - far
        if longer > 0:
            row, column = seen(game, seat, 2, anchor, 1)
            out[begin + (slots if upright else 0) + row * (game.width - 1) + column] = min(longer, 8) / 4.0


@helper
def write_inputs(game, s, kind, w, out):
    """What the network sees of the seat to move."""
    if kind == PUBLISHED:
        write_published(game, s, out)
        return
    me = s.turn
    write_features(game, s, me, out)
    cells, walls = game.width * game.height, 2 * (game.width - 1) * (game.height - 1)
    begin = out.size - (2 * cells if kind >= PATHS else 0) - (2 * walls if kind >= COSTS else 0)
    if kind >= PATHS:
        for k in range(2):
            a, b = shortest_paths(game, s, me if k == 0 else 1 - me, w)
            put_cells(game, me, a, 0, out, begin, 1.0)
            put_cells(game, me, b, 64, out, begin, 1.0)
            begin += cells
    if kind == COSTS:
        for k in range(2):
            put_costs(game, s, me, me if k == 0 else 1 - me, w, out, begin)
            begin += walls


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
def forward_both(net):
    """Fills net.q with the mean of what it is for net.x and for the same with left and right swapped."""
    for i in range(net.x.size):
        net.other_x[i] = net.x[net.inputs_swapped[i]]
    forward(net)
    for a in range(net.q.size):
        net.other_q[a] = net.q[a]
    for i in range(net.x.size):
        net.x[i] = net.other_x[i]
    forward(net)
    for a in range(net.q.size):
        net.other_q[a] += net.q[net.actions_swapped[a]]
    for a in range(net.q.size):
        net.q[a] = np.float32(0.5) * net.other_q[a]


@helper
def best_move(game, net, s, w, n, both):
    """Of the n legal moves in w.buf the one whose value is estimated highest."""
    write_inputs(game, s, net.inputs, w, net.x)
    if both:
        forward_both(net)
    else:
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
        return best_move(game, self.net, s, w, game.moves(s, w), self.net.both != 0)

    def prior(self, game, s, w, n):
        level(w, n)
