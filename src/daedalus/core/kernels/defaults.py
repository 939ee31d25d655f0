"""Kernel methods of a game that does not define them itself."""

import numpy as np

from .random import random_below


def random_move(self, s, w):
    """Uniform over the legal moves."""
    n = self.moves(s, w)
    return np.int64(w.buf[random_below(w, n)])


def evaluate(self, s, seat, w):
    """Knows nothing: everything is even."""
    return 0.0


def redeal(self, s, seat, w):
    """Nothing is hidden."""


def key(self, s):
    """No key: no transpositions, no repetition."""
    return np.uint64(0)


def label(self, s, m):
    """Everybody sees the move itself."""
    return m


def features(self, s, seat, out):
    """Nothing for a network to see."""


def action(self, s, m):
    """The number of the move itself."""
    return np.int64(m)
