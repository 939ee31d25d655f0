"""How large Quoridor is by counting: what is counted, and Hoľa's (2016) equations 3.1 to 3.7 that are built on it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from . import published
from .pawns import Count, pattern_counts
from .walls import Loss, least_loss, wall_configurations

SIZE, STOCK = 9, 10  # the board and the walls of each player
MOST = 2 * STOCK
ANCHORS = SIZE - 1  # on a side
SLOTS = 2 * ANCHORS**2


@dataclass(frozen=True)
class Counts:
    """Everything that is counted, before anything is compared."""

    patterns: dict[str, Count]
    walls: list[int]  # configurations of 0, 1, .. 21 walls: the last tells how much room 20 walls leave
    loss: Loss

    @cached_property
    def pawns(self) -> Count:
        """The sums of table 3.1."""
        return Count(*(sum(column) for column in zip(*self.patterns.values(), strict=True)))

    @cached_property
    def most_left(self) -> list[int]:
        """The most slots that so many walls leave."""
        return [SLOTS - lost for lost in self.loss.least]

    def mean_left(self, walls: int) -> float:
        """The mean number of slots left: each configuration of one wall more is reached from walls + 1 of these."""
        return (walls + 1) * self.walls[walls + 1] / self.walls[walls]


def count() -> Counts:
    """Counts patterns, wall configurations and slots."""
    return Counts(pattern_counts(SIZE), wall_configurations(ANCHORS, ANCHORS, MOST + 1), least_loss(ANCHORS, ANCHORS, MOST))


# --- the formulas ------------------------------------------------------------------------------------------------------


def stock_splits(walls: int) -> int:
    """f(i): in how many ways the walls on the board can come from the two stocks."""
    return sum(walls - mine in range(STOCK + 1) for mine in range(STOCK + 1))


def stock_splits_with_wall(walls: int) -> int:
    """g(i): the same with a wall left to the player to move."""
    return sum(walls - mine in range(STOCK + 1) for mine in range(STOCK))


def any_walls(walls: int) -> int:
    """Hoľa's bound of wall configurations: any slots, whether or not walls cross."""
    return math.comb(SLOTS, walls)


def mertens_walls() -> int:
    """Equation 3.1: sequences of up to 20 walls, of which each takes four slots."""
    return sum(math.prod(SLOTS - 4 * laid for laid in range(walls)) for walls in range(MOST + 1))


def pawn_pairs() -> int:
    """S_p of equation 3.2: two cells, but not both pawns on their goal rows."""
    return SIZE**2 * (SIZE**2 - 1) - SIZE * SIZE


def wall_states(configurations: Sequence[int]) -> int:
    """S_f of equation 3.2: walls on the board and in the stocks."""
    return sum(stock_splits(walls) * configurations[walls] for walls in range(MOST + 1))


@dataclass(frozen=True)
class Tree:
    """Equations 3.5 to 3.7 for given tables: pawn positions, pawn decisions, slots left, wall configurations."""

    positions: int
    pawn_decisions: int
    left: Sequence[float]
    configurations: Sequence[int]

    @property
    def states(self) -> float:
        """S_d: states in which there is something to decide."""
        return float(self.positions * wall_states(self.configurations))

    @property
    def decisions(self) -> float:
        """D: what can be decided in all of them."""
        pawns = self.pawn_decisions * wall_states(self.configurations)
        walls = sum(stock_splits_with_wall(i) * self.left[i] * self.configurations[i] for i in range(MOST + 1))
        return float(pawns + self.positions * walls)

    @property
    def branching(self) -> float:
        return self.decisions / self.states

    @property
    def size(self) -> float:
        """C: the game tree, with the literature's length of a game."""
        return float(self.branching**published.MEASURED_LENGTH.value)


def printed_tree() -> Tree:
    """Hoľa's formulas on Hoľa's own tables."""
    configurations = [any_walls(walls) for walls in range(MOST + 1)]
    totals = int(published.PATTERN_POSITIONS.text), int(published.PATTERN_DECISIONS.text)
    return Tree(*totals, published.SLOTS_LEFT, configurations)


def counted_tree(counts: Counts) -> Tree:
    """Hoľa's formulas on the tables as they come out when counted."""
    configurations = [any_walls(walls) for walls in range(MOST + 1)]
    return Tree(counts.pawns.positions, counts.pawns.decisions, counts.most_left, configurations)


def exact_tree(counts: Counts) -> Tree:
    """The same with walls that fit, the mean of the slots they leave, and the official jumps."""
    left = [counts.mean_left(walls) for walls in range(MOST + 1)]
    return Tree(counts.pawns.positions, counts.pawns.official, left, counts.walls)
