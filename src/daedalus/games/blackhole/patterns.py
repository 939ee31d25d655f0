"""What the search of kernels/pvs.py knows of a game: slides and landings by table, and what lines are worth."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from daedalus.search.safetensors import parse_weights

from .kernels.evaluation_terms import PASS, landing_places
from .kernels.lines import CODES, GOALS, LINES, POWERS, SIDE, known_type

FACTOR = 0xD1342543DE82EF95  # of the polynomial that is the game's key
DISTANCES = SIDE // 2 + 1


def file_of(game: Any) -> Path:
    """Where the worths for a game are, if they are."""
    return Path(__file__).parent / f"lines{game.size}.safetensors"


@lru_cache(4)
def shipped(game: Any) -> Any:
    """The record with the worths that come along."""
    return known(game, tables_of(game, file_of(game)))


def tables_of(game: Any, path: Path) -> Any:
    """What lines are worth by a file, by own and other's ships home, distance and code.

    The file has the lines that differ, seen from either end: what they are worth when nothing is home, and how much more
    those of the hole are worth for the ships home.
    """
    weights, _ = parse_weights(path.read_bytes(), ("common", "special"), ("game", "options"))
    size, goal = game.size, game.size // 2
    every = np.arange(3**size)
    lines = np.minimum(every, mirrored(size))
    across = every[is_across(size)]
    tables = np.zeros((GOALS, GOALS, DISTANCES, CODES), np.int16)
    tables[:goal, :goal, : goal + 1, every] = weights["common"][:, np.searchsorted(distinct(size), lines)]
    where = np.searchsorted(distinct_across(size), lines[across])
    tables[:goal, :goal, 0, across] += weights["special"][..., where].astype(np.int16)
    return tables


def known(game: Any, tables: Any) -> Any:
    """The record for a game, with what lines are worth by own and other's ships home, distance and code."""
    size, hole = game.size, game.size // 2
    record: Any = np.zeros(1, known_type())[0]
    record["rows"], record["hole"], record["goal"], record["cap"] = size, hole, hole, game.cap
    for row in range(size):
        record["power"][row] = pow(FACTOR, size - 1 - row, 1 << 64)
    record["power"][size] = pow(FACTOR, size, 1 << 64)
    record["away"] = np.abs(np.arange(LINES) % SIDE - hole)
    for line in range(1 << size):
        for at in range(size):
            record["end"][0, line, at] = _ends(game, line, at, game.hole == PASS)
            record["end"][1, line, at] = _ends(game, line, at, False)
    record["ready"][: 3**size] = ready(game)
    record["worth"][..., 0] = tables
    record["worth"][..., 1] = tables[..., swapped()]
    return record


def _ends(game: Any, line: int, at: int, swallows: bool) -> int:
    """Where slides from a place of a line end, see `ends` in kernels/lines.py."""
    size = int(game.size)
    hole = size // 2
    low = (line & (1 << at) - 1).bit_length()
    beyond = (line | 1 << size) >> at + 1
    high = at + (beyond & -beyond).bit_length() - 1
    if swallows:
        low, high = (hole if low < hole < at else low), (hole if at < hole < high else high)
    return low | high << 4


def places(size: int) -> Any:
    """The places of a line of any code, one a column: 0 empty, 1 or 2 a ship."""
    return np.arange(3**size)[:, None] // POWERS[:size] % 3


def swapped() -> Any:
    """The code of a line whose ships have changed sides."""
    return ((3 - places(SIDE)) % 3) @ POWERS


def mirrored(size: int) -> Any:
    """The code of a line seen from its other end."""
    return places(size)[:, ::-1] @ POWERS[:size]


def distinct(size: int) -> Any:
    """The codes of all lines that differ, seen from either end."""
    codes = np.arange(3**size)
    return np.flatnonzero(codes <= mirrored(size))


def is_across(size: int) -> Any:
    """Is there no ship in the middle, as on lines across the hole? By code."""
    return places(size)[:, size // 2] == 0


def distinct_across(size: int) -> Any:
    """The codes of all lines across the hole that differ, seen from either end."""
    return np.intersect1d(distinct(size), np.flatnonzero(is_across(size)))


def ready(game: Any) -> Any:
    """Landings that are ready on a line of the hole, by code."""
    ships, bits = places(game.size), 1 << np.arange(game.size)
    red, blue = (ships == 1) @ bits, (ships == 2) @ bits
    landing = np.array([landing_places(game, line) for line in range(1 << game.size)])[red | blue]
    return np.bitwise_count(landing & red) | np.bitwise_count(landing & blue) << 4
