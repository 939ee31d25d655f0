"""Perft and playouts from Python: counting, not choosing."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from daedalus.core import Position

from .context import SearchContext
from .kernels.policies import Own


def perft(position: Position, depth: int) -> int:
    """How many move sequences of this length there are; an ended game has none."""
    if position.outcome() is not None and depth > 0:
        return 0
    context = SearchContext(position, "daedalus.search.kernels.perft", depth + 1, seed=1)
    place = np.zeros(depth + 1, np.int64)
    return int(context.kernels.perft(context.game, context.S, context.W, depth, place, place.copy()))


def divide(position: Position, depth: int) -> dict[str, int]:
    """Perft of each move, the usual way to find the move two programs disagree on."""
    counts: dict[str, int] = {}
    for move in position.legal_moves if depth > 0 else ():
        after = position.copy()
        after.push(move)
        counts[str(move)] = perft(after, depth - 1)
    return counts


@dataclass(frozen=True)
class Playouts:
    """What many random games from one position gave."""

    games: int
    payoffs: tuple[float, ...]
    plies: float
    draws: int


def playouts(position: Position, games: int, policy: Any = None, cutoff: int = -1, seed: int = 1) -> Playouts:
    """Plays so many games with a policy (default: the game's own rollout); mean payoffs, mean length, draws."""
    context = SearchContext(position, "daedalus.search.kernels.playouts", 2, seed)
    totals = np.zeros(position.game.SEATS + 2)
    context.kernels.playouts(context.game, policy or Own(), Own(), context.S, context.W, games, cutoff, totals)
    *payoffs, plies, draws = totals.tolist()
    return Playouts(games, tuple(p / games for p in payoffs), plies / games, int(draws))
