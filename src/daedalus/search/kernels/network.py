"""A small perceptron inside compiled searches: two hidden layers, a value for the mover, a prior over the legal moves.

    features -> w1, b1 -> h1 -> w2, b2 -> h2 -> value, value_bias -> tanh
                                          h2 -> policy, policy_bias -> softmax over the legal moves' actions

A network is one record, so that its sizes are known to the compiler and new weights of the same sizes compile nothing.
The record has its scratch too: whoever searches on several threads gives each a copy.
Weights lie by rows of inputs. Most inputs are 0, so the rows of the others are gathered, four a pass, and the inner loops
run over the neighbouring outputs: they become vector instructions without reordering any sum.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from daedalus.core import helper, random_unit

from .policies import level

PASS = 4  # rows added to a layer at a time
WEIGHTS = ("w1", "b1", "w2", "b2", "value", "value_bias", "policy", "policy_bias")


def shapes(features, first, second, actions):
    """The weights and their shapes, as files hold them."""
    return {
        "w1": (features, first),
        "b1": (first,),
        "w2": (first, second),
        "b2": (second,),
        "value": (second,),
        "value_bias": (1,),
        "policy": (actions, second),
        "policy_bias": (actions,),
    }


def network_type(features, first, second, actions):
    """The record of a network; each layer's weights have PASS rows more, all 0, with which the last pass is filled."""
    fields = [
        ("seats", "i8"),
        ("actions", "i8"),
        ("w1", "f4", (features + PASS, first)),
        ("b1", "f4", (first,)),
        ("w2", "f4", (first + PASS, second)),
        ("b2", "f4", (second,)),
        ("value", "f4", (second,)),
        ("value_bias", "f4", (1,)),
        ("policy", "f4", (max(actions, 1), second)),
        ("policy_bias", "f4", (max(actions, 1),)),
        ("x", "f4", (features + PASS,)),
        ("h1", "f4", (first + PASS,)),
        ("h2", "f4", (second,)),
        ("rows", "i4", (max(features, first) + PASS,)),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@helper
def active(x, size, rows):
    """Lists the inputs that are not 0, filled up to whole passes with rows behind the last; returns how many are listed."""
    n = 0
    for i in range(size):
        rows[n] = i
        n += x[i] != 0.0
    for i in range(PASS):
        rows[n + i] = size
    return (n + PASS - 1) // PASS * PASS


@helper
def layer(x, weights, biases, rows, n, out):
    """The biases and the listed rows of the weights, each times its input, added up in `out`."""
    for j in range(biases.size):
        out[j] = biases[j]
    for k in range(0, n, PASS):
        a = rows[k]
        b = rows[k + 1]
        c = rows[k + 2]
        d = rows[k + 3]
        xa = x[a]
        xb = x[b]
        xc = x[c]
        xd = x[d]
        for j in range(biases.size):
            out[j] += xa * weights[a, j] + xb * weights[b, j] + xc * weights[c, j] + xd * weights[d, j]


@helper
def rectify(out, size):
    for j in range(size):
        out[j] = max(out[j], np.float32(0.0))


@helper
def forward(net, game, s, seat):
    """Fills net.h2 with what the network makes of a position, seen from a seat."""
    game.features(s, seat, net.x)
    layer(net.x, net.w1, net.b1, net.rows, active(net.x, net.x.size - PASS, net.rows), net.h1)
    rectify(net.h1, net.b1.size)
    layer(net.h1, net.w2, net.b2, net.rows, active(net.h1, net.b1.size, net.rows), net.h2)
    rectify(net.h2, net.b2.size)


@helper
def outlook(net, game, s, seat):
    """The value for a seat, in (-1, 1)."""
    forward(net, game, s, seat)
    total = net.value_bias[0]
    for j in range(net.h2.size):
        total += net.value[j] * net.h2[j]
    return math.tanh(np.float64(total))


@helper
def logit(net, a):
    """The policy's output for an action, from net.h2. Four sums that do not wait for each other are quicker than one."""
    p = np.float32(0.0)
    q = np.float32(0.0)
    r = np.float32(0.0)
    t = np.float32(0.0)
    for j in range(0, net.h2.size, 4):
        p += net.policy[a, j] * net.h2[j]
        q += net.policy[a, j + 1] * net.h2[j + 1]
        r += net.policy[a, j + 2] * net.h2[j + 2]
        t += net.policy[a, j + 3] * net.h2[j + 3]
    return p + q + (r + t) + net.policy_bias[a]


@helper
def softmax(w, n):
    """Makes probabilities of the n numbers in w.prior."""
    top = w.prior[0]
    for i in range(1, n):
        top = max(top, w.prior[i])
    total = 0.0
    for i in range(n):
        w.prior[i] = math.exp(w.prior[i] - top)
        total += w.prior[i]
    for i in range(n):
        w.prior[i] /= total


class Net(NamedTuple):
    """A network as an evaluation and as a policy."""

    weights: Any

    def value(self, game, s, seat, w):
        net = self.weights
        if net.seats != 2:
            return outlook(net, game, s, seat)
        mover = game.turn(s)  # it was trained on positions from the mover's side
        worth = outlook(net, game, s, mover)
        return worth if seat == mover else -worth

    def prior(self, game, s, w, n):
        net = self.weights
        if net.actions == 0:
            level(w, n)
            return
        forward(net, game, s, game.turn(s))
        for i in range(n):
            w.prior[i] = logit(net, game.action(s, w.buf[i]))
        softmax(w, n)

    def pick(self, game, s, w):
        """A move drawn from the prior."""
        n = game.moves(s, w)
        self.prior(game, s, w, n)
        ticket = random_unit(w)
        for i in range(n - 1):
            ticket -= w.prior[i]
            if ticket < 0.0:
                return np.int64(w.buf[i])
        return np.int64(w.buf[n - 1])


Net.ZERO_SUM = True  # with two seats what one gains the other loses: one call tells both values (see judge_seats)
