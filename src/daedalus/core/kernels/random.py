"""The one random source: xorshift64* in the workspace, seeded through splitmix64."""

import numpy as np

from ..compile import helper
from .bits import U

_MASK = 2**64 - 1


def scramble(*numbers: int) -> int:
    """A well mixed 64-bit number, never zero, from any whole numbers: splitmix64 over them in turn."""
    state = 0x9E3779B97F4A7C15
    for number in numbers:
        state = (state ^ (int(number) & _MASK)) + 0x9E3779B97F4A7C15 & _MASK
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        state = (state ^ state >> 27) * 0x94D049BB133111EB & _MASK
        state ^= state >> 31
    return state or 1


@helper
def random_bits(w):
    """The next 64 random bits of workspace w."""
    x = w.rng
    x ^= x >> U(12)
    x ^= x << U(25)
    x ^= x >> U(27)
    w.rng = x
    return x * U(2685821657736338717)


@helper
def random_below(w, n):
    """A uniform whole number in [0, n)."""
    return np.int64(((random_bits(w) >> U(32)) * U(n)) >> U(32))


@helper
def random_unit(w):
    """A uniform real number in [0, 1)."""
    return np.float64(random_bits(w) >> U(11)) * (1.0 / 9007199254740992.0)


@helper
def shuffle(w, items, n):
    """Shuffles items[0:n] in place, every order equally likely."""
    for i in range(n - 1, 0, -1):
        j = random_below(w, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
