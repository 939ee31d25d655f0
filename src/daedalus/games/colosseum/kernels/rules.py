"""Colosseum Survival!: walk up to K steps, put a barrier beside you; who has the larger zone when the zones part wins.

Cells are numbered row by row, row 0 on top; a move is coded cell * 4 + side, the cell where the walk ends and the side of
it that gets the barrier:

     0  1  2  3  4            0 up
     5  6  7  8  9    3 left  cell  1 right
    10 11 12 ...             2 down

A state keeps the open sides as two sets of cells (`right`, `down`, see territory.py), which barriers hang together
(`corner`), the players' cells, and once the game has ended the sizes of their zones.
"""

from typing import Any, NamedTuple

import numpy as np

from daedalus.core import ONE, Choice, Number, U, Word, helper, mix64, nonzero, popcount, random_below
from daedalus.core.kernels.bitsets import both, cells_of, count, has, list_cells, raised

from .features import numbered, write_features
from .territory import (
    BORDER,
    DOWN,
    LEFT,
    RIGHT,
    UP,
    balance,
    connected,
    edge_of,
    most_steps,
    neighbour,
    nth_side,
    open_sides,
    put_barrier,
    reach,
    toward,
    zone,
)

FORFEIT, WALK = 0, 1  # what becomes of an illegal or late move, the option `faults`


@helper
def clear_board(self, s):
    """No barrier but the border."""
    size = self.size
    for i in range(size * size):
        if i % size < size - 1:
            s.right[i >> 6] |= ONE << U(i & 63)
        if i < size * (size - 1):
            s.down[i >> 6] |= ONE << U(i & 63)
    for k in range(s.corner.size):
        s.corner[k] = BORDER if k < size or k >= size * size or k % size == size - 1 else 0


@helper
def put_pair(self, s, w):
    """A random barrier and its reflection in the centre of the board."""
    size = self.size
    last = size * size - 1
    while True:
        i = random_below(w, last + 1)
        d = random_below(w, 4)
        if (open_sides(s, i, size) >> d) & 1:
            break
    cell, lower = edge_of(i, d, size)
    put_barrier(s, cell, lower, size)
    cell, lower = edge_of(last - i, d ^ 2, size)
    put_barrier(s, cell, lower, size)


@helper
def place_players(self, s, w):
    """A on a random cell, B on its reflection, never the same cell."""
    last = self.size * self.size - 1
    while True:
        i = random_below(w, last + 1)
        if i != last - i:
            break
    s.cell[0] = i
    s.cell[1] = last - i


@helper
def are_together(self, s):
    return connected(cells_of(s, "right"), cells_of(s, "down"), self.size, np.int64(s.cell[0]), np.int64(s.cell[1]))


@helper
def settle(self, s):
    """Ends the game if the players are in two zones."""
    right, down = cells_of(s, "right"), cells_of(s, "down")
    first = zone(right, down, self.size, np.int64(s.cell[0]))
    if not has(first, np.int64(s.cell[1])):
        s.ended = 1
        s.zone[0] = count(first)
        s.zone[1] = count(zone(right, down, self.size, np.int64(s.cell[1])))


class Colosseum(NamedTuple):
    """Two gladiators wall each other in: walk, put a barrier, and have the larger zone when the zones part."""

    size: int = 8
    rule: int = 2023
    steps: int = 0
    faults: int = FORFEIT

    OPTIONS = {
        "size": Choice("cells on a side", tuple(range(5, 17))),
        "rule": Choice("the start: size//2 - 1 pairs of barriers (2023) or (size+1)//2 (2022)", (2023, 2022)),
        "steps": Number("a walk is at most so long, 0 for (size+1)//2", 0, 32),
        "faults": Word("an illegal or late move in a match loses the game, or a random walk replaces it", ("forfeit", "walk")),
    }
    SEAT_NAMES = ("A", "B")

    @property
    def STATE(self) -> Any:
        words = (self.size * self.size + 63) // 64
        return [
            ("right", "u8", (words,)),
            ("down", "u8", (words,)),
            ("corner", "u1", (self.size * (self.size + 1),)),
            ("cell", "i2", (2,)),
            ("zone", "i2", (2,)),
            ("turn", "i1"),
            ("ended", "i1"),
        ]

    @property
    def MAX_MOVES(self) -> int:
        walk = self.steps or (self.size + 1) // 2
        return 4 * min(2 * walk * (walk + 1) + 1, self.size * (self.size - 1))

    @property
    def ACTIONS(self) -> int:
        return 4 * self.size * self.size

    @property
    def SCRATCH(self) -> Any:
        # of the heuristic choice: moves that end the game; marks on moves, all 0 between two uses
        return [("ending", "i8", (self.MAX_MOVES,)), ("tried", "i1", (4 * self.size * self.size,))]

    def start(self, s, w):
        """Barriers in pairs, players opposite each other; only the players (2023) or all (2022) anew if they are apart."""
        pairs = self.size // 2 - 1 if self.rule == 2023 else (self.size + 1) // 2
        clear_board(self, s)
        for _ in range(pairs):
            put_pair(self, s, w)
        place_players(self, s, w)
        while not are_together(self, s):
            if self.rule == 2022:
                for k in range(s.right.size):
                    s.right[k] = 0
                    s.down[k] = 0
                clear_board(self, s)
                for _ in range(pairs):
                    put_pair(self, s, w)
            place_players(self, s, w)

    def turn(self, s):
        return np.int64(s.turn)

    def moves(self, s, w):
        right, down = cells_of(s, "right"), cells_of(s, "down")
        at, other = np.int64(s.cell[s.turn]), np.int64(s.cell[1 - s.turn])
        cells = reach(right, down, self.size, at, other, most_steps(self))
        n = list_cells(both(cells, raised(down, self.size)), w, 0, 4, UP)
        n = list_cells(both(cells, right), w, n, 4, RIGHT)
        n = list_cells(both(cells, down), w, n, 4, DOWN)
        return list_cells(both(cells, raised(right, 1)), w, n, 4, LEFT)

    def play(self, s, m):
        i = m >> 2
        s.cell[s.turn] = i
        s.turn = 1 - s.turn
        cell, lower = edge_of(i, m & 3, self.size)
        if put_barrier(s, cell, lower, self.size):
            settle(self, s)

    def over(self, s):
        return s.ended != 0

    def payoff(self, s, seat):
        if s.ended == 0 or s.zone[0] == s.zone[1]:
            return 0.0
        return 1.0 if s.zone[seat] > s.zone[1 - seat] else -1.0

    def random_move(self, s, w):
        """The course's random walk: 0 to K steps, each to any open side but the opponent's, then any open side."""
        size = self.size
        i, other = np.int64(s.cell[s.turn]), np.int64(s.cell[1 - s.turn])
        for _ in range(random_below(w, most_steps(self) + 1)):
            ways = open_sides(s, i, size) & ~toward(i, other, size)
            if ways == 0:
                break
            i = neighbour(i, nth_side(ways, random_below(w, popcount(ways))), size)
        sides = open_sides(s, i, size)
        return i * 4 + nth_side(sides, random_below(w, popcount(sides)))

    def evaluate(self, s, seat, w):
        """Territory, mobility and spare barriers, these with half the weight that `expert` gives them."""
        mine, theirs = np.int64(s.cell[seat]), np.int64(s.cell[1 - seat])
        x = 0.01 * balance(cells_of(s, "right"), cells_of(s, "down"), self.size, most_steps(self), mine, theirs, 6, 5, 5, 3)
        return x / (1.0 + abs(x))

    def key(self, s):
        """Players, barriers and turn."""
        h = mix64(U(s.cell[0]) | (U(s.cell[1]) << U(16)) | (U(s.turn) << U(32)))
        for k in range(s.right.size):
            h = mix64(mix64(h ^ s.right[k]) ^ s.down[k])
        return nonzero(h)

    def features(self, s, seat, out):
        """Players, barriers and territory from the seat's side, see features.py."""
        write_features(self, s, seat, out)

    def action(self, s, m):
        """The move's own code, on the board as the mover sees it."""
        return numbered(self, s, m)
