"""Branching factor and length of games as agents play them, with standard errors."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from daedalus.arena import GameResult
from daedalus.arena.plan import Plan
from daedalus.core import Game

from .games import played
from .report import Progress
from .request import StudyRequest


class Pairing(NamedTuple):
    """An agent that plays itself: so many games, fewer when quick. Agents without dice need openings that differ."""

    spec: str
    games: int
    quick: int
    random_plies: int = 0


class Mean(NamedTuple):
    """A mean with its standard error."""

    value: float
    error: float


class Measured(NamedTuple):
    """Games, those that ended without a winner, their plies, and the legal moves at each decision."""

    games: int
    draws: int
    length: Mean
    branching: Mean


def self_play(study: str, game: Game, pairing: Pairing, request: StudyRequest, progress: Progress) -> Measured:
    """Plays an agent against itself and measures the games; raises InvalidSpec if there is no such agent."""
    plan = Plan(
        kind="match",
        rules=game,
        specs=(pairing.spec, pairing.spec),
        games=request.games or (pairing.quick if request.quick else pairing.games),
        seed=request.seed,
        random_plies=pairing.random_plies,
    )
    return measured(played(study, [plan], request, progress, pairing.spec)[0])


def measured(results: Iterable[GameResult]) -> Measured:
    """What finished games tell. Opening moves count too: the choice was there, whoever made it."""
    played = [result for result in results if result.forfeit is None]
    groups: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for result in played:
        groups[result.pair].append((1, result.plies, sum(choices(result))))
    pairs = [tuple(map(sum, zip(*games, strict=True))) for games in groups.values()]
    games, plies, moves = (list(column) for column in zip(*pairs, strict=True))
    draws = sum(max(result.payoffs) <= 0 for result in played)
    return Measured(len(played), draws, ratio(plies, games), ratio(moves, plies))


def choices(result: GameResult) -> list[int]:
    """The number of legal moves before each move of a game."""
    return [len(position.legal_moves) for position in result.parsed.positions()][:-1]


def ratio(above: Sequence[float], below: Sequence[float]) -> Mean:
    """Sum by sum over independent groups. The two games of a pair share an opening, so the pair is the group."""
    value = sum(above) / sum(below)
    n = len(above)
    if n < 2:
        return Mean(value, math.nan)
    spread = sum((a - value * b) ** 2 for a, b in zip(above, below, strict=True))
    return Mean(value, math.sqrt(spread * n / (n - 1)) / sum(below))
