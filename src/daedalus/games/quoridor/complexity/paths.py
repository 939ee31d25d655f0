"""How many positions of Quoridor leave both pawns a path: a sample of wall configurations, exact for each of them.

Sets of cells are whole numbers with a bit for each cell, row by row from a1.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from statistics import fmean, variance
from typing import NamedTuple

from daedalus.report import Mean

from .walls import Wall, completions, drawn_walls


class Board(NamedTuple):
    """The cells of a square board whose northern and eastern edges can be crossed."""

    size: int
    north: int
    east: int

    @classmethod
    def with_walls(cls, size: int, walls: Iterable[Wall]) -> "Board":
        """The board after so many walls."""
        north = (1 << size * (size - 1)) - 1
        east = sum((1 << size - 1) - 1 << size * row for row in range(size))
        for column, row, way in walls:
            cell = 1 << row * size + column
            if way == "h":
                north &= ~(cell | cell << 1)
            else:
                east &= ~(cell | cell << size)
        return cls(size, north, east)

    def reached(self, cells: int) -> int:
        """All cells joined to these by a path."""
        north, east, size = self.north, self.east, self.size
        grown = 0
        while grown != cells:
            grown = cells
            cells |= (cells & north) << size | cells >> size & north | (cells & east) << 1 | cells >> 1 & east
        return cells

    @property
    def first_row(self) -> int:
        return (1 << self.size) - 1

    @property
    def last_row(self) -> int:
        return self.first_row << self.size * (self.size - 1)


def pawn_pairs_with_paths(board: Board) -> int:
    """Pairs of cells, not both on the goal rows, from which each pawn can reach its goal."""
    up, down = board.reached(board.last_row), board.reached(board.first_row)
    return up.bit_count() * down.bit_count() - (up & down).bit_count() - board.size**2


def sampled_pairs(size: int, most: int, samples: int, seed: int) -> Iterator[Mean]:
    """For 0, 1, .. `most` walls: the mean of the pawn pairs with paths over so many configurations drawn at random."""
    tables = completions(size - 1, size - 1, most)
    dice = Random(seed)
    for walls in range(most + 1):
        boards = (Board.with_walls(size, drawn_walls(tables, size - 1, walls, dice)) for _ in range(samples))
        found = [pawn_pairs_with_paths(board) for board in boards]
        yield Mean(fmean(found), math.sqrt(variance(found) / samples))


def weighted_sum(means: Sequence[Mean], weights: Sequence[int]) -> Mean:
    """A sum of independent means, each so many times."""
    value = sum(weight * mean.value for mean, weight in zip(means, weights, strict=True))
    return Mean(value, math.hypot(*(weight * mean.error for mean, weight in zip(means, weights, strict=True))))
