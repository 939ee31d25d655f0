"""The names of what a network sees of Black-Hole Escape."""

from itertools import product
from typing import Any

import numpy as np

from daedalus.core.features import total

from .kernels.features import LANDINGS, MOVES

_SIDES = ("own", "other's")
_WAYS = ("up", "right", "down", "left")
_COUNTED = {
    "threats": "moves that make one landing more ready",
    "forks": "moves after which two landings are ready",
    "parries": "moves after which the other side has no landing ready",
    "sure threats": "moves after which a landing is ready, and none of the other side's",
}


def feature_names(self: Any) -> list[tuple[str, Any, str]]:
    """Ships from the seat's own side, its own ones starting on top; the hole is in the middle."""
    board = (self.size, self.size)
    return [
        *((f"{side} ships", board, "1 where one is") for side in _SIDES),
        *((f"{side} slides {way}", board, "1 where one would end") for side in _SIDES for way in _WAYS),
        *(group for side in _SIDES for group in _counts(self, side)),
        ("own turn", 1, "1 if the seat is to move"),
    ]


def _counts(game: Any, side: str) -> list[tuple[str, Any, str]]:
    """What is counted of a side; turning the board changes none of it."""
    return [
        *(
            (f"{side} {what}", MOVES, f"1 at the number of {meaning}: none, one, two, more")
            for what, meaning in _COUNTED.items()
        ),
        (f"{side} home", game.size // 2 + 1, "1 at the number of ships in the hole"),
        (f"{side} landings", LANDINGS, "1 at the number of moves that would land a ship now: none, one, more"),
    ]


def symmetries(self: Any) -> list[tuple[Any, Any]]:
    """The board may be turned by quarters and mirrored: a ship slides alike in all four directions."""
    return [
        _turned(self, quarters, mirrored) for quarters, mirrored in product(range(4), (False, True)) if quarters or mirrored
    ]


def _turned(game: Any, quarters: int, mirrored: bool) -> tuple[Any, Any]:
    """Where each feature and each action of a turned board is on the board as it is."""
    size, hole = game.size, game.size // 2
    cells = np.rot90(np.arange(size * size).reshape(size, size), quarters)
    cells = cells[:, ::-1] if mirrored else cells
    steps = {hole * size + hole + step: way for way, step in enumerate((-size, 1, size, -1))}  # north, east, south, west
    ways = np.array([steps[int(cells[hole + down, hole + right])] for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1))])
    board = cells.ravel()
    grids = np.concatenate([[0, 1], 2 + ways, 6 + ways])  # ships of both sides, then slides by their direction
    counts = np.arange(len(grids) * size * size, total(game))
    return np.concatenate([(grids[:, None] * size * size + board).ravel(), counts]), (4 * board[:, None] + ways).ravel()
