"""Counting walls of Quoridor: how many ways to lay them, and how few slots they can cost.

A wall has one of (width - 1) x (height - 1) anchors and lies there horizontally or vertically: two slots an anchor.
Here walls only have to fit, paths do not matter: no two on an anchor, no horizontal one beside a horizontal one in its
row, no vertical one above a vertical one in its file.

Both counts go from anchor to anchor, row by row, and remember of the past what the future can feel. That is the anchor
to the left and those of the last row from there on:

    1 2 3 4 5 6 7 8       at the anchor *: left is c, above it is 4; what matters of the rows so far
    a b c * . . . .       are a b c 4 5 6 7 8, the last `columns` anchors
"""

from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple

import numpy as np

Wall = tuple[int, int, str]  # column and row of the anchor from 0, "h" or "v"


# --- how many configurations -------------------------------------------------------------------------------------------

# The files whose last anchor is vertical, as bits, and whether the anchor to the left is horizontal.
Profile = tuple[int, bool]
NOTHING_LAID: Profile = (0, False)


def wall_configurations(columns: int, rows: int, most: int) -> list[int]:
    """In how many ways 0, 1, .. `most` walls fit on a board of so many anchors."""
    return completions(columns, rows, most)[0][NOTHING_LAID]


def completions(columns: int, rows: int, most: int) -> list[dict[Profile, list[int]]]:
    """[anchor][profile][n]: in how many ways n walls fit on the anchors from this one on."""
    profiles = [(verticals, beside) for verticals in range(1 << columns) for beside in (False, True)]
    tables: list[dict[Profile, list[int]]] = [dict.fromkeys(profiles, [1] + [0] * most)]
    for anchor in range(columns * rows - 1, -1, -1):
        after = tables[-1]
        tables.append({profile: _ways(after, profile, anchor % columns) for profile in profiles})
    return tables[::-1]


def _ways(after: dict[Profile, list[int]], profile: Profile, column: int) -> list[int]:
    """The completions with every choice for one anchor, from those of the next."""
    steps = choices(profile, column)
    total = list(after[steps.pop("")])
    for following in steps.values():
        for walls, number in enumerate(after[following][:-1]):
            total[walls + 1] += number
    return total


def choices(profile: Profile, column: int) -> dict[str, Profile]:
    """What an anchor can hold ("" for nothing, "h", "v") and the profile after it."""
    verticals, beside_horizontal = profile
    here = 1 << column
    after = {"": (verticals & ~here, False)}
    if column == 0 or not beside_horizontal:
        after["h"] = (verticals & ~here, True)
    if not verticals & here:
        after["v"] = (verticals | here, False)
    return after


def drawn_walls(tables: list[dict[Profile, list[int]]], columns: int, walls: int, dice: Random) -> list[Wall]:
    """So many walls, each configuration with the same chance; `tables` are the completions."""
    laid: list[Wall] = []
    profile = NOTHING_LAID
    for anchor in range(len(tables) - 1):
        ticket = dice.randrange(tables[anchor][profile][walls - len(laid)])
        for way, following in choices(profile, anchor % columns).items():
            left = walls - len(laid) - (way != "")
            weight = tables[anchor + 1][following][left] if left >= 0 else 0
            if ticket < weight:
                break
            ticket -= weight
        profile = following
        if way:
            laid.append((anchor % columns, anchor // columns, way))
    return laid


# --- the most slots that can be left -----------------------------------------------------------------------------------

# What an anchor can be. Both of the first two are empty; in the second the wall above it has taken the vertical slot.
OPEN, HALF, HORIZONTAL, VERTICAL = range(4)
_NEVER = np.uint8(127)  # more than the slots of 31 walls, 4 each; twice as much still fits into a byte


class Loss(NamedTuple):
    """The fewest slots that 0, 1, .. walls cost, and walls that cost no more, for each number."""

    least: list[int]
    walls: list[list[Wall]]


def least_loss(columns: int, rows: int, most: int) -> Loss:
    """How few slots walls can cost: the one each lies in, those it crosses or would overlap; every placement is weighed."""
    if not 0 <= 4 * most < int(_NEVER):
        raise ValueError(f"{most} walls: this count takes up to {(int(_NEVER) - 1) // 4}")
    prices = [_prices(columns, min(column, 2)) for column in range(columns)]
    tables = [_nothing_laid(columns, most)]
    for anchor in range(columns * rows):
        tables.append(_cheapest(tables[-1], prices[anchor % columns]))
    ends = tables[-1].argmin(axis=1)
    last = columns * rows
    reachable = [walls for walls in range(most + 1) if tables[-1][walls, ends[walls]] < _NEVER]
    return Loss(
        [int(tables[-1][walls, ends[walls]]) for walls in reachable],
        [_traced(tables, prices, columns, last, walls, int(ends[walls])) for walls in reachable],
    )


# A profile is the last `columns` anchors as digits to base 4, the newest lowest; a table has the least loss for each
# number of walls and each profile. A new anchor pushes out the one above it: table[walls, above, rest] tells about
# table[walls, rest, new].


def _nothing_laid(columns: int, most: int) -> Any:
    """Before the first anchor: above the first row is nothing to be taken and nothing that takes, as with HORIZONTAL."""
    table = np.full((most + 1, 4**columns), _NEVER)
    table[0, sum(HORIZONTAL * 4**digit for digit in range(columns))] = 0
    return table


def _prices(columns: int, known: int) -> Any:
    """price[new, above, rest]: the slots that the new anchor costs; `known` (0..2) anchors to its left are in its row."""
    above = np.arange(4)[:, None]
    rest = np.arange(4 ** (columns - 1))[None, :]
    beside = rest % 4 if known >= 1 else np.full_like(rest, VERTICAL)  # which neither takes nor can be taken from
    beyond = rest // 4 % 4 if known >= 2 else np.full_like(rest, VERTICAL)
    taken_from_left = (beside <= HALF) & (beyond != HORIZONTAL)  # an empty anchor whose horizontal slot is still there
    price = np.full((4, 4, rest.size), _NEVER)
    price[OPEN] = np.where(above != VERTICAL, 0 + (beside == HORIZONTAL), _NEVER)
    price[HALF] = np.where(above == VERTICAL, 1 + (beside == HORIZONTAL), _NEVER)
    price[HORIZONTAL] = np.where(beside != HORIZONTAL, 2 + taken_from_left, _NEVER)
    price[VERTICAL] = np.where(above != VERTICAL, 2 + (above == OPEN), _NEVER)
    return price


def _cheapest(table: Any, price: Any) -> Any:
    """The table one anchor further on."""
    walls = len(table)
    before = table.reshape(walls, 4, -1)
    after = np.full((walls, before.shape[2], 4), _NEVER)
    for new in range(4):
        laid = 1 if new >= HORIZONTAL else 0
        least = (before[: walls - laid] + price[new]).min(axis=1)
        after[laid:, :, new] = np.minimum(least, _NEVER)
    return after.reshape(walls, -1)


def _traced(tables: list[Any], prices: list[Any], columns: int, last: int, walls: int, profile: int) -> list[Wall]:
    """Walls that cost what the last table says, found by going back anchor by anchor."""
    found: list[Wall] = []
    for anchor in range(last - 1, -1, -1):
        new, rest = profile % 4, profile // 4
        loss = tables[anchor + 1][walls, profile]
        if new >= HORIZONTAL:
            found.append((anchor % columns, anchor // columns, "h" if new == HORIZONTAL else "v"))
            walls -= 1
        price = prices[anchor % columns][new, :, rest]
        before = tables[anchor][walls].reshape(4, -1)[:, rest]
        above = int(np.flatnonzero((before + price == loss) & (before < _NEVER))[0])
        profile = above * 4 ** (columns - 1) + rest
    return found[::-1]


def free_slots(columns: int, rows: int, walls: Iterable[Wall]) -> set[Wall]:
    """The slots in which one more wall would fit, by the rule itself."""
    slots = {(x, y, way) for x in range(columns) for y in range(rows) for way in "hv"}
    return slots - {slot for wall in walls for slot in excluded(wall)}


def excluded(wall: Wall) -> set[Wall]:
    """The slots, some of them perhaps off the board, that a wall leaves no room for."""
    x, y, way = wall
    beside = {(x - 1, y, "h"), (x + 1, y, "h")} if way == "h" else {(x, y - 1, "v"), (x, y + 1, "v")}
    return {(x, y, "h"), (x, y, "v")} | beside
