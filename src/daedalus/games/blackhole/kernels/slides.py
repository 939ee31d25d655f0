"""Where a ship slides, and whether it can: one look at a row or a column."""

import numpy as np

from daedalus.core import helper, lowest

from .evaluation_terms import PASS, highest

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3


@helper
def slide(self, s, row, col, d):
    """The cell where a ship on (row, col) ends when it slides in direction d; its own cell if it cannot move."""
    last = self.size - 1
    hole = self.size // 2
    if d == NORTH or d == SOUTH:
        at, line = row, np.int64(s.columns[col])
    else:
        at, line = col, np.int64(s.ships[0, row]) | np.int64(s.ships[1, row])
    if d == EAST or d == SOUTH:
        beyond = line >> (at + 1)
        end = at + lowest(beyond) if beyond else last
    else:
        before = line & ((1 << at) - 1)
        end = highest(before) + 1 if before else 0
    crossing = (col if d == NORTH or d == SOUTH else row) == hole
    if self.hole == PASS and crossing and (at < hole) != (end < hole) and at != hole:
        end = hole
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
