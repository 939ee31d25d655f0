"""Fleets of the 5 x 5 board, numbered: every set of four or of three ships, and how the board's symmetries permute them.

The hole is cell 12, so the bits of a fleet fall into two halves of twelve, and a fleet's number is the sum of two
look-ups, whatever its size:

     0  1  2  3  4
     5  6  7  8  9        low half   cells  0..11, bits  0..11
    10 11  *  13 14       high half  cells 13..24, bits 13..24
    15 16 17 18 19
    20 21 22 23 24        number = high[ships, high half] + low[low half]

A position and its reflections have the same value, so a table needs the positions of one fleet in eight as the side to
move: of each class of symmetric fleets, the one with the smallest number, its leader.
"""

from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

SIZE = 5
CENTRE = 12
_BITS = np.array([half.bit_count() for half in range(4096)], np.uint8)
SHIPS = (4, 3)  # ships of a side while the game runs; fleets of four have the smaller numbers

Array = npt.NDArray[Any]


class Fleets(NamedTuple):
    """The numbering, as arrays that kernels read; n fleets in r classes."""

    ships: Array  # (n,) the bits of a fleet
    high: Array  # (5, 4096) by number of ships and high half, see above
    low: Array  # (4096,)
    turned: Array  # (8, n) the fleet that each symmetry makes of a fleet
    row: Array  # (n,) the class of a fleet, a row of the table
    leader: Array  # (r,) the fleet that stands for its class
    upright: Array  # (n,) bit g: symmetry g makes the leader of this fleet
    distinct: Array  # (n,) bit g: no earlier symmetry makes the same of this fleet as symmetry g


@cache
def fleets() -> Fleets:
    """All fleets; computed once, in some hundredths of a second."""
    ships, high, low = _numbering()
    turned = np.array([number(_moved(ships, squares), high, low) for squares in _symmetries()], np.int16)
    first = turned.min(axis=0)
    leader, row = np.unique(first, return_inverse=True)
    distinct = np.zeros(ships.size, np.uint8)
    for g in range(8):
        distinct |= (~(turned[:g] == turned[g]).any(axis=0)).astype(np.uint8) << np.uint8(g)
    upright = np.bitwise_or.reduce([(turned[g] == first).astype(np.uint8) << np.uint8(g) for g in range(8)])
    return Fleets(ships, high, low, turned, row.astype(np.int16), leader, upright, distinct)


def _numbering() -> tuple[Array, Array, Array]:
    """The fleets in order of their numbers, and the two look-ups."""
    halves = [[half for half in range(4096) if half.bit_count() == k] for k in range(5)]
    high, low = np.full((5, 4096), -1, np.int16), np.full(4096, -1, np.int16)
    for same in halves:
        low[same] = range(len(same))
    ships: list[int] = []
    for size in SHIPS:
        for half in range(4096):
            rest = size - half.bit_count()
            if rest >= 0:
                high[size, half] = len(ships)
                ships += [half << 13 | other for other in halves[rest]]
    return np.array(ships, np.int32), high, low


def count(ships: Array) -> Array:
    """How many ships fleets have."""
    counts: Array = _BITS[ships >> 13] + _BITS[ships & 4095]
    return counts


def number(ships: Array, high: Array, low: Array) -> Array:
    """The numbers of fleets given as bits."""
    numbers: Array = high[count(ships), ships >> 13] + low[ships & 4095]
    return numbers


def _symmetries() -> list[list[int]]:
    """Where each symmetry of the board puts each cell; the first leaves all in place."""
    last = SIZE - 1
    turns = []
    for swap, down, right in product((False, True), repeat=3):
        cells = []
        for row, col in product(range(SIZE), repeat=2):
            a, b = (col, row) if swap else (row, col)
            cells.append((last - a if down else a) * SIZE + (last - b if right else b))
        turns.append(cells)
    return turns


def _moved(ships: Array, squares: list[int]) -> Array:
    moved = np.zeros_like(ships)
    for cell, square in enumerate(squares):
        moved |= (ships >> cell & 1) << square
    return moved
