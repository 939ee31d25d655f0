"""Where a ship slides, and whether it can: one look at a row or a column."""

import numpy as np

from daedalus.core import U, helper, lowest

from .evaluation_terms import LENGTH, PASS

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3


@helper
def end_of(self, s, row, col, d):
    """The row (north, south) or column (east, west) where a ship on (row, col) ends when it slides in direction d."""
    hole = self.size // 2
    if d == NORTH or d == SOUTH:
        at, line, crossing = row, np.int64(s.columns[col]), col == hole
    else:
        at, line, crossing = col, np.int64(s.ships[0, row]) | np.int64(s.ships[1, row]), row == hole
    if d == EAST or d == SOUTH:
        end = at + lowest((line | (1 << self.size)) >> (at + 1))  # what stops it, the border at the latest
    else:
        end = np.int64(LENGTH[U(line & ((1 << at) - 1))])
    if crossing and self.hole == PASS and (at < hole) != (end < hole) and at != hole:
        end = hole
    return end


@helper
def slide(self, s, row, col, d):
    """The cell where a ship on (row, col) ends when it slides in direction d; its own cell if it cannot move."""
    end = end_of(self, s, row, col, d)
    if d == NORTH or d == SOUTH:
        return end * self.size + col
    return row * self.size + end


@helper
def can_slide(self, s, row, col, d):
    """Is the next square in direction d free?"""
    last = self.size - 1
    if d == NORTH:
        return row > 0 and (s.columns[col] >> (row - 1)) & 1 == 0
    if d == SOUTH:
        return row < last and (s.columns[col] >> (row + 1)) & 1 == 0
    line = s.ships[0, row] | s.ships[1, row]
    if d == EAST:
        return col < last and (line >> (col + 1)) & 1 == 0
    return col > 0 and (line >> (col - 1)) & 1 == 0
