"""The names of what a network sees of Black-Hole Escape."""

from itertools import product
from typing import Any

import numpy as np

from daedalus.core.features import total

from .kernels.features import LANDINGS


def feature_names(self: Any) -> list[tuple[str, Any, str]]:
    """Ships from the seat's own side, its own ones starting on top; the hole is in the middle."""
    board = (self.size, self.size)
    return [
        ("own ships", board, "1 where one is"),
        ("other's ships", board, "1 where one is"),
        *(
            group
            for name in ("own", "other's")
            for group in (
                (f"{name} home", self.size // 2 + 1, "1 at the number of ships in the hole"),
                (f"{name} landings", LANDINGS, "1 at the number of moves that would land a ship now: none, one, more"),
            )
        ),
        ("own turn", 1, "1 if the seat is to move"),
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
    ways = [steps[int(cells[hole + down, hole + right])] for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1))]
    board = cells.ravel()
    inputs = np.concatenate([board, board + size * size, np.arange(2 * size * size, total(game))])
    return inputs, (4 * board[:, None] + np.array(ways)).ravel()
