"""Counting pawn moves of Quoridor on a board without walls: the patterns of figure 3.4 and table 3.1 of Hoľa (2016).

The pawn to move runs from row A to row C, the other one from C to A; B is every row in between. A decision is possible
while neither has arrived: the mover stands in A or B, the other in B or C.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

Cell = tuple[int, int]  # column and row from 0; row 0 is A

APART, BESIDE, AHEAD = "apart", "side by side", "one behind the other"


class Pattern(NamedTuple):
    """Pairs of cells that look the same to the mover: their areas, how they touch, and whether the board's side matters."""

    areas: str
    contact: str
    at_side: bool


# Figure 3.4 numbers the patterns; these are its numbers by what it shows.
PATTERNS = {
    "AB_1": Pattern("AB", AHEAD, True),
    "AB_2": Pattern("AB", AHEAD, False),
    "AB_3": Pattern("AB", APART, False),
    "AB_4": Pattern("AB", APART, True),
    "BC_1": Pattern("BC", AHEAD, False),
    "BC_2": Pattern("BC", APART, False),
    "BC_3": Pattern("BC", APART, True),
    "BC_4": Pattern("BC", AHEAD, True),
    "AC_1": Pattern("AC", APART, True),
    "AC_2": Pattern("AC", APART, False),
    "BB_1": Pattern("BB", BESIDE, True),
    "BB_2": Pattern("BB", AHEAD, True),
    "BB_3": Pattern("BB", AHEAD, False),
    "BB_4": Pattern("BB", BESIDE, False),
    "BB_5": Pattern("BB", APART, True),
    "BB_6": Pattern("BB", APART, False),
}


class Count(NamedTuple):
    """Positions of a pattern and the moves in all of them together, by Hoľa's jumps and by the official ones."""

    positions: int
    decisions: int
    official: int


def pattern_counts(size: int) -> dict[str, Count]:
    """Every pair of cells in which a decision is possible, sorted by pattern and counted."""
    names = {pattern: name for name, pattern in PATTERNS.items()}
    positions, decisions, official = Counter[str](), Counter[str](), Counter[str]()
    for mover, other in undecided(size):
        name = names[pattern_of(mover, other, size)]
        positions[name] += 1
        decisions[name] += len(free_jumps(mover, other, size))
        official[name] += len(official_jumps(mover, other, size))
    return {name: Count(positions[name], decisions[name], official[name]) for name in PATTERNS}


def undecided(size: int) -> Iterator[tuple[Cell, Cell]]:
    """The cells of mover and other, neither of which has arrived."""
    cells = [(x, y) for y in range(size) for x in range(size)]
    return ((a, b) for a in cells for b in cells if a != b and a[1] < size - 1 and b[1] > 0)


def pattern_of(mover: Cell, other: Cell, size: int) -> Pattern:
    """The pattern that a pair of cells belongs to."""
    areas = "".join("A" if y == 0 else "C" if y == size - 1 else "B" for _, y in (mover, other))
    sides = {0, size - 1}
    if other not in neighbours(mover, size):
        return Pattern(areas, APART, mover[0] in sides)
    if mover[1] == other[1]:
        return Pattern(areas, BESIDE, mover[0] in sides or other[0] in sides)
    return Pattern(areas, AHEAD, mover[0] in sides)


def neighbours(cell: Cell, size: int) -> set[Cell]:
    x, y = cell
    around = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
    return {(x, y) for x, y in around if 0 <= x < size and 0 <= y < size}


def free_jumps(mover: Cell, other: Cell, size: int) -> set[Cell]:
    """Where the mover can go when it may jump to every cell where the other pawn could go (Hoľa, section 3.2)."""
    near = neighbours(mover, size)
    over = neighbours(other, size) if other in near else set()
    return (near | over) - {mover, other}


def official_jumps(mover: Cell, other: Cell, size: int) -> set[Cell]:
    """Where the mover can go by the official rule: straight over the other pawn, aside only where the board ends."""
    targets = free_jumps(mover, other, size)
    aside = targets - neighbours(mover, size)
    beyond = (2 * other[0] - mover[0], 2 * other[1] - mover[1])
    return targets - aside | {beyond} if beyond in aside else targets
