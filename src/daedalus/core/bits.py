"""Bit sets in 64-bit words: plain Python when interpreted, one machine instruction inside a kernel."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from .compile import helper

U = np.uint64  # wrap every constant that meets a bit set: uint64 with int64 silently becomes int64 in Numba
ZERO, ONE = U(0), U(1)


def popcount(x: Any) -> int:
    """How many bits are set."""
    return int(x).bit_count()


def lowest(x: Any) -> int:
    """The index of the lowest set bit; 64 for the empty set."""
    return (int(x) & -int(x)).bit_length() - 1 if x else 64


@intrinsic
def _ctpop(context, x):
    def generate(ctx, builder, signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _cttz(context, x):
    def generate(ctx, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


@overload(popcount, inline="always")
def _popcount(x):
    return lambda x: np.int64(_ctpop(U(x)))


@overload(lowest, inline="always")
def _lowest(x):
    return lambda x: np.int64(_cttz(U(x)))


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
