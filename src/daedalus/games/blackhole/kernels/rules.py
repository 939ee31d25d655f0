"""Black-Hole Escape: ships slide until something stops them; bring half of yours into the hole in the centre.

Cells are (row, col), row 0 on top. A ship's move is coded cell * 4 + direction, cell = row * size + col:

              0 north
    3 west  <-- ship -->  1 east
              2 south

A state keeps, for each seat and row, the columns of its ships as bits (bit c = column c), and beside them for each
column the rows of all ships. A slide is then one look at a row or a column, on any board size:

    row 1 of the 5 x 5 start   . R . R .    ships[0, 1] = 0b01010
    column 1 of the start      R in row 1, B in row 3: columns[1] = 0b01010
"""

from typing import Any, NamedTuple

import numpy as np

from daedalus.core import Choice, Number, U, Word, helper, lowest, mix64, nonzero, popcount, random_below

from .evaluation_terms import PASS, STOP, aligned, distance, mobility, ready
from .features import numbered, write_features
from .slides import can_slide, slide

RUNNING, HOME, STUCK, CAPPED = 0, 1, 2, 3


@helper
def has_move(self, s, seat):
    """Can any ship of the seat slide?"""
    for row in range(self.size):
        ships = np.int64(s.ships[seat, row])
        if ships == 0:
            continue
        line = np.int64(s.ships[0, row]) | np.int64(s.ships[1, row])
        if ((ships << 1) | (ships >> 1)) & ~line & ((1 << self.size) - 1):
            return True
        if row > 0 and ships & ~(np.int64(s.ships[0, row - 1]) | np.int64(s.ships[1, row - 1])):
            return True
        if row < self.size - 1 and ships & ~(np.int64(s.ships[0, row + 1]) | np.int64(s.ships[1, row + 1])):
            return True
    return False


@helper
def verdict(self, s):
    """How the position stands for the side to move: running, or why it is over."""
    if s.home[1 - s.turn] >= self.size // 2:
        return HOME
    if not has_move(self, s, s.turn):
        return STUCK
    if s.ply >= self.cap:
        return CAPPED
    return RUNNING


class BlackHole(NamedTuple):
    """Ships slide until something stops them; bring half of yours into the hole in the centre."""

    size: int = 5
    hole: int = STOP
    repetition: int = 3
    cap: int = 500

    OPTIONS = {
        "size": Choice("squares on a side", (5, 7, 9)),
        "hole": Word("stop: a ship must end its slide on the hole; pass: the hole swallows what crosses it", ("stop", "pass")),
        "repetition": Number("a position that occurs this often is a draw, 0 for never", 0, 1000),
        "cap": Number("a draw after so many plies", 1, 30000),
    }
    SEAT_NAMES = ("Red", "Blue")

    @property
    def STATE(self) -> Any:
        return [
            ("ships", "u2", (2, self.size)),
            ("columns", "u2", (self.size,)),
            ("home", "i1", (2,)),
            ("turn", "i1"),
            ("ended", "i1"),
            ("ply", "i2"),
        ]

    @property
    def MAX_MOVES(self) -> int:
        return 4 * (self.size - 1)

    @property
    def ACTIONS(self) -> int:
        return 4 * self.size * self.size

    def start(self, s, w):
        """Both diagonals without the centre: Red the upper half, Blue the lower."""
        for row in range(self.size):
            if row != self.size // 2:
                seat = 0 if row < self.size // 2 else 1
                s.ships[seat, row] = (1 << row) | (1 << (self.size - 1 - row))
                s.columns[row] = (1 << row) | (1 << (self.size - 1 - row))

    def turn(self, s):
        return np.int64(s.turn)

    def moves(self, s, w):
        n = 0
        for row in range(self.size):
            ships = np.int64(s.ships[s.turn, row])
            while ships:
                col = lowest(ships)
                for d in range(4):
                    if can_slide(self, s, row, col, d):
                        w.buf[n] = (row * self.size + col) * 4 + d
                        n += 1
                ships &= ships - 1
        return n

    def play(self, s, m):
        cell = m >> 2
        row, col = cell // self.size, cell % self.size
        end = slide(self, s, row, col, m & 3)
        me = s.turn
        s.ships[me, row] ^= 1 << col
        s.columns[col] ^= 1 << row
        row, col = end // self.size, end % self.size
        if end == (self.size * self.size) // 2:
            s.home[me] += 1
        else:
            s.ships[me, row] |= 1 << col
            s.columns[col] |= 1 << row
        s.turn = 1 - me
        s.ply += 1
        s.ended = verdict(self, s)

    def over(self, s):
        return s.ended != RUNNING

    def payoff(self, s, seat):
        if s.ended == CAPPED or s.ended == RUNNING:
            return 0.0
        return -1.0 if seat == s.turn else 1.0  # the mover before has won: last ship home, or the other cannot move

    def random_move(self, s, w):
        """Uniform without a list: draw a ship and a direction until that ship can slide."""
        me = s.turn
        count = self.size - 1 - s.home[me]
        while True:
            k = random_below(w, 4 * count)
            d = k & 3
            k >>= 2
            row = 0
            inside = popcount(s.ships[me, 0])
            while k >= inside:
                k -= inside
                row += 1
                inside = popcount(s.ships[me, row])
            ships = np.int64(s.ships[me, row])
            while k:
                ships &= ships - 1
                k -= 1
            col = lowest(ships)
            if can_slide(self, s, row, col, d):
                return np.int64((row * self.size + col) * 4 + d)

    def evaluate(self, s, seat, w):
        """Landings that are ready, ships home, and how well the others stand, with weights fitted to the solved 5 x 5 game."""
        me, other = s.turn, 1 - s.turn
        lead = 2 * (np.int64(s.home[me]) - np.int64(s.home[other])) / (self.size // 2)
        mine, theirs = ready(self, s, me), ready(self, s, other)
        moves = mobility(self, s, me) - mobility(self, s, other)
        if mine and s.home[me] == self.size // 2 - 1:
            x = 40.0  # wins now
        elif self.hole == PASS:
            x = 0.35 + 1.0 * lead + 0.25 * min(mine, 2) - 0.4 * min(theirs, 2) + 0.06 * moves
        else:
            near = distance(self, s, me) - distance(self, s, other) - 10 * (s.home[me] - s.home[other])
            beside = aligned(self, s, 0, 0) * (1 if me == 0 else -1)
            x = 0.04 + 0.1 * lead + 0.2 * min(mine, 2) - 0.1 * min(theirs, 2) + 0.01 * moves + 0.04 * near + 0.07 * beside
        if theirs and not mine and s.home[other] == self.size // 2 - 1:
            x -= 0.4
        value = x / (1.0 + abs(x))
        return value if seat == me else -value

    def key(self, s):
        """Boards and side to move; plies do not count."""
        h = U(s.turn)
        for row in range(self.size):  # a polynomial whose coefficients are the rows
            h = h * U(0xD1342543DE82EF95) + (U(s.ships[0, row]) | (U(s.ships[1, row]) << U(16)))
        return nonzero(mix64(h))

    def features(self, s, seat, out):
        """Ships, ships home and landings from the seat's side, see features.py."""
        write_features(self, s, seat, out)

    def action(self, s, m):
        """The move's own code, on the board as the mover sees it."""
        return numbered(self, s, m)
