"""The network with which the expert judges positions on 9 x 9: from its file to the record that kernels read.

The file has a row of weights for each thing that a player may see from its own side, its goal on top. What the two players
see of one thing becomes one row of the record, see kernels/evaluation.py.
"""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from daedalus.search.safetensors import parse_weights

from .kernels.bitboards import STRIDE
from .kernels.evaluation import GAPS, NO_WALL, SHIFT, SIDE, STEPS, STOCKS, network_type

SHIPPED = Path(__file__).parent / "expert.safetensors"
# what a player sees: walls around its own and the other's pawn, both cells, the gap, both stocks, both distances, the turn
SHAPES = {
    "walls": (2, 2, 16, 16),
    "cells": (2, SIDE, SIDE),
    "gap": (17, 17),
    "stocks": (2, STOCKS),
    "steps": (2, STEPS),
    "turn": (2,),
}
NAMES = (*SHAPES, "worth")
SCALE = 6  # a score of 1 is this power of two in `worth`; the rest of SHIFT is in the rows


def knows(game: Any) -> bool:
    """Is the network for this board?"""
    return bool(game.width == game.height == SIDE and 0 < game.walls < STOCKS)


@cache
def shipped() -> Any:
    """The network that comes along."""
    weights, _ = parse_weights(SHIPPED.read_bytes(), NAMES, ("game",))
    return record_of(weights)


def record_of(weights: dict[str, Any]) -> Any:
    """Joins what both players see: the first sees the board as it is, the second upside down."""
    record: Any = np.zeros(1, network_type())
    fine = np.float32(1 << SHIFT - SCALE)  # how many times a unit's output is enlarged
    weights = {name: np.rint(rows * (1 << SCALE if name == "worth" else fine)) for name, rows in weights.items()}
    mine, theirs = 0, 1
    for seat, (first, second) in enumerate(((mine, theirs), (theirs, mine))):
        walls, cells = weights["walls"], weights["cells"]
        record["wall"][0, seat, :NO_WALL] = _joined(walls[first], walls[second][:, ::-1]).reshape(NO_WALL, -1)
        board = np.zeros((STRIDE, STRIDE, record["worth"].shape[1]), np.int16)
        board[:SIDE, :SIDE] = _joined(cells[first], cells[second][::-1])
        record["cell"][0, seat] = board.reshape(STRIDE * STRIDE, -1)
        turn = _joined(weights["turn"][1 - seat], weights["turn"][seat])
        record["stocks"][0, seat] = (_paired(weights["stocks"]) + turn).reshape(STOCKS * STOCKS, -1)
    record["steps"][0] = _paired(weights["steps"]).reshape(STEPS * STEPS, -1)
    gaps = np.zeros((32, 32, record["worth"].shape[1]), np.int16)
    gaps[8:25, 8:25] = _joined(weights["gap"], weights["gap"][:, ::-1])
    record["gap"][0] = gaps.reshape(GAPS, -1)
    record["worth"][0] = np.concatenate([weights["worth"], -weights["worth"]])
    record["used"] = 1
    return record[0]


def _joined(first: Any, second: Any) -> Any:
    """The units of the first seat's view, then those of the second's."""
    return np.concatenate(np.broadcast_arrays(first, second), axis=-1)


def _paired(rows: Any) -> Any:
    """Rows of one's own number and of the other's as rows of two numbers, the first seat's before the second's."""
    mine, theirs = rows
    return _joined(mine[:, None] + theirs[None, :], mine[None, :] + theirs[:, None])
