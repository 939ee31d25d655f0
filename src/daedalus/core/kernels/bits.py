"""Bit sets in 64-bit words: plain Python when interpreted, one machine instruction inside a kernel."""

from typing import Any

import numpy as np

from ..compile import helper, instruction

U = np.uint64  # wrap every constant that meets a bit set: uint64 with int64 silently becomes int64 in Numba
ZERO, ONE = U(0), U(1)


@instruction("ctpop")
def popcount(x: Any) -> int:
    """How many bits are set."""
    return int(x).bit_count()


@instruction("cttz")
def lowest(x: Any) -> int:
    """The index of the lowest set bit; 64 for the empty set."""
    return (int(x) & -int(x)).bit_length() - 1 if x else 64


@helper
def nth_bit(x, k):
    """The index of the k-th set bit of x, counting from 0: a binary search on popcounts."""
    base = 0
    width = 32
    while width > 0:
        low = x & ((ONE << U(width)) - ONE)
        count = popcount(low)
        if k >= count:
            k -= count
            x = x >> U(width)
            base += width
        else:
            x = low
        width >>= 1
    return base


@helper
def mix64(x):
    """A word in which every bit of x has changed about half of the bits: a step of splitmix64; no two x give the same.

    Words are hashed in turn, `h = mix64(h ^ word)`.
    """
    x += U(0x9E3779B97F4A7C15)
    x = (x ^ (x >> U(30))) * U(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> U(27))) * U(0x94D049BB133111EB)
    return x ^ (x >> U(31))


@helper
def nonzero(x):
    """x, or 1 in place of 0, which as a key means that there is none."""
    return x if x != ZERO else ONE
