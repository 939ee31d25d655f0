"""What a network sees, outside kernels: the groups of a game's features with their names, and the numbers of a position.

A game's `feature_names()` lists groups in the order in which `features` writes them: how many numbers each has, or rows and
columns where they are a grid, top row first.
"""

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .errors import DaedalusError

if TYPE_CHECKING:
    from .position import Position


class Group(NamedTuple):
    """Some features that belong together: one grid, or a row of numbers."""

    name: str
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def groups(game: Any) -> list[Group]:
    """The groups of a game's features, in order."""
    return [
        Group(name, (shape,) if isinstance(shape, int) else tuple(shape), meaning)
        for name, shape, meaning in game.feature_names()
    ]


def total(game: Any) -> int:
    """How many features a game has."""
    return sum(group.size for group in groups(game))


def observed(position: "Position", seat: int | None = None) -> np.ndarray:
    """The features of a position from a seat: by default who looks, else who is to move."""
    game = position.game
    if not game.FEATURES:
        raise DaedalusError(f"{position.name} has no features")
    if seat is None:
        seat = position.turn if position.seat is None else position.seat
    if not 0 <= seat < game.SEATS:
        raise DaedalusError("an onlooker has no features: look from a seat")
    out = np.zeros(game.FEATURES, np.float32)
    game.features(position.state, seat, out)
    return out


def by_group(game: Any, numbers: np.ndarray) -> Iterator[tuple[Group, np.ndarray]]:
    """Every group with its part of the features, in its shape."""
    begin = 0
    for group in groups(game):
        yield group, numbers[begin : begin + group.size].reshape(group.shape)
        begin += group.size
