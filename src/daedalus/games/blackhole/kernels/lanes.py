"""A line of the board as a seat sees it, from both its ends and for both sides at once: four lanes of a word.

    bits  0..15   the seat's own ships in a row, bit c = column c
    bits 16..31   the other side's
    bits 32..47   its own on the board turned by half a turn
    bits 48..63   the other side's there

The hole's column comes in the same shape, bit r = row r. A slide up or to the left is one down or to the right on the
turned board, so that each is a few instructions for all lanes together. Of the 16 bits of a lane a board needs 9, and a
sum one more: nothing runs over into the next. Words are signed, as all small numbers in kernels are; their highest bit
is never set.
"""

import numpy as np

from daedalus.core import helper

from .evaluation_terms import LINES, PASS

LANE = 16  # bits of a lane
PLACES = (1 << LANE) - 1
EVERY = 1 | 1 << LANE | 1 << 2 * LANE | 1 << 3 * LANE  # the first place in every lane
OWN = PLACES | PLACES << 2 * LANE
NINE = (LINES - 1).bit_length()  # places of the longest line
BACKWARDS = np.array([int(f"{line:0{NINE}b}"[::-1], 2) for line in range(LINES)], np.int16)


@helper
def row_of(s, seat, row):
    """The ships in a row as the seat sees the board."""
    size = len(s.columns)  # the compiler knows it, which it does not of game.size
    back, other = size - 1 - row, 1 - seat
    straight = np.int64(s.ships[seat, row]) | np.int64(s.ships[other, row]) << LANE
    turned = np.int64(BACKWARDS[s.ships[seat, back]]) | np.int64(BACKWARDS[s.ships[other, back]]) << LANE
    turned >>= NINE - size
    return straight | turned << 2 * LANE if seat == 0 else turned | straight << 2 * LANE


@helper
def occupied(line):
    """The places of all ships, in every lane."""
    return line | (line >> LANE & OWN) | (line & OWN) << LANE


@helper
def free(s, line):
    """The empty places, in every lane."""
    return EVERY * ((1 << len(s.columns)) - 1) & ~occupied(line)


@helper
def within_reach(game, empty, behind):
    """The empty places for slides that come to the hole: if it swallows, none gets to the place behind it."""
    return empty & ~(EVERY << behind) if game.hole == PASS else empty


@helper
def slides(line, empty):
    """Where ships end that slide to the right: a sum carries each through the run of empty places beside it."""
    beside = line << 1 & empty
    return ((empty + beside) & ~empty) >> 1
