"""Connect Four as a user would write it: one file, plain Python, and it runs at C speed.

    daedalus check examples/connect_four.py:ConnectFour
    daedalus play examples/connect_four.py:ConnectFour --seats human,mcts:seconds=1

The board is a 64-bit set a seat, seven bits a column; every seventh stays empty, so that no line wraps:
    5 12 19 26 33 40 47    top row
    0  7 14 21 28 35 42    bottom row
"""

from typing import NamedTuple

import numpy as np

from daedalus.core import ONE, U, Word, helper, mix64, nonzero


@helper
def four(discs):
    """Four discs in a row, in any of the four directions."""
    for step in (1, 7, 6, 8):
        pairs = discs & (discs >> U(step))
        if pairs & (pairs >> U(2 * step)):
            return True
    return False


class ConnectFour(NamedTuple):
    """Drop discs into seven columns; four in a row win."""

    first: int = 0

    OPTIONS = {"first": Word("who begins", ("yellow", "red"))}
    STATE = [("discs", "u8", (2,)), ("height", "i1", (7,)), ("turn", "i1"), ("ply", "i1")]
    MAX_MOVES = 7
    ACTIONS = 7  # a move is its column
    SEAT_NAMES = ("Yellow", "Red")

    def start(self, s, w):
        s.turn = self.first

    def turn(self, s):
        return s.turn

    def moves(self, s, w):
        n = 0
        for column in (3, 2, 4, 1, 5, 0, 6):
            if s.height[column] < 6:
                w.buf[n] = column
                n += 1
        return n

    def play(self, s, m):
        s.discs[s.turn] |= ONE << U(7 * m + s.height[m])
        s.height[m] += 1
        s.turn = 1 - s.turn
        s.ply += 1

    def over(self, s):
        return s.ply == 42 or four(s.discs[1 - s.turn])

    def payoff(self, s, seat):
        if not four(s.discs[1 - s.turn]):
            return 0.0
        return -1.0 if seat == s.turn else 1.0

    def key(self, s):
        return nonzero(mix64(mix64(s.discs[0]) ^ s.discs[1]))  # the discs tell whose turn it is

    def features(self, s, seat, out):
        for k in range(42):
            place = U(7 * (k % 7) + 5 - k // 7)
            out[k] = np.int64(s.discs[seat] >> place & ONE)
            out[42 + k] = np.int64(s.discs[1 - seat] >> place & ONE)
        out[84] = 1.0 if s.turn == seat else 0.0

    def feature_names(self):
        grids = [(name, (6, 7), "1 where a disc is") for name in ("own discs", "other's discs")]
        return [*grids, ("own turn", 1, "1 if the seat is to move")]

    def ending(self, s):
        return "four in a row" if four(s.discs[1 - s.turn]) else "the board is full"

    def grid(self, s, seat):
        """The board as every picture shows it, top row first; seven moves for seven columns: the columns are touched."""
        rows = []
        for row in range(5, -1, -1):
            places = [U(7 * column + row) for column in range(7)]
            rows.append(["Y" if s.discs[0] >> p & ONE else "R" if s.discs[1] >> p & ONE else "." for p in places])
        return rows
