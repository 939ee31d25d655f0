"""Sets of cells in several words do what Python's sets do, and the same inside a kernel."""

import random

import numba
import numpy as np
import pytest

from daedalus.core.compile import INTERPRETED
from daedalus.core.kernels import bitsets
from daedalus.core.kernels.bits import U

STRIDE = 11


def words(cells, n):
    """A Python set as a set of n words."""
    bits = sum(1 << cell for cell in cells)
    return tuple(U(bits >> 64 * k & 2**64 - 1) for k in range(n))


def members(a):
    return {cell for cell in range(64 * len(a)) if int(a[cell >> 6]) >> (cell & 63) & 1}


def some(choice, n):
    return {cell for cell in range(64 * n) if choice.random() < 0.3}


def neighbours(x, across, down):
    """The cells of x and those one step away, one by one."""
    steps = {cell + 1 for cell in x & across} | {cell - 1 for cell in x if cell - 1 in across}
    steps |= {cell + STRIDE for cell in x & down} | {cell - STRIDE for cell in x if cell - STRIDE in down}
    return x | steps


@pytest.mark.interpreted
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_operations_are_those_of_sets(n):
    choice = random.Random(n)
    board = set(range(64 * n))
    for _ in range(30):
        a, b, i = some(choice, n), some(choice, n), choice.randrange(64 * n)
        x, y = words(a, n), words(b, n)
        assert members(bitsets.both(x, y)) == a & b
        assert members(bitsets.either(x, y)) == a | b
        assert members(bitsets.less(x, y)) == a - b
        assert members(bitsets.raised(x, STRIDE)) == {cell + STRIDE for cell in a} & board
        assert members(bitsets.lowered(x, STRIDE)) == {cell - STRIDE for cell in a} & board
        assert members(bitsets.single(x, i)) == {i}
        assert members(bitsets.masked(x, U(0b1010))) == {cell for cell in a if cell % 64 in (1, 3)}
        assert (bitsets.count(x), bool(bitsets.has(x, i)), bitsets.first(x)) == (len(a), i in a, min(a))
        assert (bitsets.meet(x, y), bitsets.same(x, y), bitsets.same(x, words(a, n))) == (bool(a & b), a == b, True)
        assert [bitsets.nth(x, k) for k in range(len(a))] == sorted(a)
        assert bitsets.is_empty(bitsets.empty(x)) and not bitsets.is_empty(x)


@pytest.mark.interpreted
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_step_goes_through_open_passages_only(n):
    choice = random.Random(n)
    last = 64 * n - STRIDE
    for _ in range(30):
        x, across, down = some(choice, n), some(choice, n) - {64 * n - 1}, {cell for cell in some(choice, n) if cell < last}
        maze = words(across, n), words(down, n)
        assert members(bitsets.spread(words(x, n), *maze, STRIDE)) == neighbours(x, across, down)


def in_a_record(t, i):
    """Uses every operation on the fields of a record and keeps the results there."""
    a, b = bitsets.cells_of(t, "a"), bitsets.cells_at(t, "rows", 1)
    x = bitsets.spread(bitsets.either(bitsets.both(a, b), bitsets.single(a, i)), a, b, STRIDE)
    x = bitsets.less(bitsets.spread(x, b, a, STRIDE), bitsets.masked(bitsets.raised(b, 5), U(255)))
    bitsets.set_cells_at(t, "rows", 0, bitsets.lowered(x, 3))
    bitsets.set_cells(t, "a", x)
    bitsets.add(t, "a", i)
    bitsets.remove(t, "a", bitsets.first(x))
    n = bitsets.list_cells(bitsets.cells_of(t, "a"), t, 0, 4, 1)
    k = bitsets.nth(x, bitsets.count(x) - 1)
    return n, k, bitsets.has(x, i), bitsets.holds(t, "a", i), bitsets.meet(a, b), bitsets.same(a, b)


@pytest.mark.skipif(INTERPRETED, reason="compares with the compiler")
def test_a_kernel_computes_the_same():
    fields = [("a", "u8", (3,)), ("rows", "u8", (2, 3)), ("buf", "i8", (192,))]
    compiled = numba.njit(lambda R, i: run(R[0], i))
    run = numba.extending.register_jitable(in_a_record)
    choice = random.Random(1)
    for _ in range(50):
        here, there = (np.zeros(1, np.dtype((np.record, fields))) for _ in range(2))
        here[0].a[:], here[0].rows[1] = words(some(choice, 3), 3), words(some(choice, 3), 3)
        there[:] = here
        i = choice.randrange(192)
        assert compiled(here, i) == in_a_record(there[0], i)
        assert here.tobytes() == there.tobytes()
