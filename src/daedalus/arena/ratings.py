"""Ratings of many agents: strengths on the Elo scale that best explain all their games, with 95 % intervals.

A game is an order of its seats by payoff. The likelihood is Plackett and Luce's: the first place goes to a seat with
probability proportional to its strength, the second among the rest likewise. For two seats that is Bradley and Terry's
model. Seats that tie are averaged over the orders they could have finished in, so a draw is half a win each way.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, permutations, product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .evidence import distinct_games, same_pairs
from .statistics import Tally, beaten

if TYPE_CHECKING:
    from .games import GameResult

SCALE = 400 / math.log(10)  # Elo points to one unit of log-strength
_PRIOR = 1.0  # games each agent is thought to have drawn with an average one: keeps a perfect score finite
_TWO_SIDED = 1.959963984540054  # standard errors to either side of a 95 % interval

Array = np.ndarray[Any, np.dtype[np.float64]]


class Order(NamedTuple):
    """How a game ended: the agents of its seats and their payoffs."""

    agents: tuple[int, ...]
    payoffs: tuple[float, ...]


class Stage(NamedTuple):
    """One place filled: who took it, and how many seats of each agent were still without one."""

    winner: int
    rest: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Rating:
    """An agent's rating with its 95 % interval, and what it rests on."""

    agent: int
    spec: str
    elo: float
    low: float
    high: float
    score: float  # its mean score against all it met
    games: int


def rate(
    results: Sequence["GameResult"], specs: Sequence[str], anchor: tuple[int, float] | None = None, dealt: bool = True
) -> list[Rating]:
    """Ratings of all agents, best first; `dealt` as for `summarise`.

    `anchor` is an agent's number and the rating it shall have; the intervals then are of the difference to it, and its
    own is empty. Without an anchor the mean of all ratings is 0.
    """
    if not specs:
        return []
    counts = _counted(results)
    strengths = _fit(counts, len(specs))
    _, information = _slopes(counts, strengths)
    covariance = np.linalg.inv(information) * _dispersion(results, strengths, dealt)
    frame = _frame(len(specs), anchor)
    ratings = SCALE * (frame @ strengths) + (anchor[1] if anchor else 0.0)
    errors = SCALE * np.sqrt(np.maximum(0.0, np.diag(frame @ covariance @ frame.T)))
    totals = [_total(row) for row in crosstable(results, len(specs))]
    rated = [
        Rating(agent, spec, elo, elo - _TWO_SIDED * error, elo + _TWO_SIDED * error, total.score, games)
        for agent, (spec, elo, error, total, games) in enumerate(
            zip(specs, ratings.tolist(), errors.tolist(), totals, _played(results, len(specs)), strict=True)
        )
    ]
    return sorted(rated, key=lambda rating: (-rating.elo, rating.agent))


def _frame(agents: int, anchor: tuple[int, float] | None) -> Array:
    """The matrix that measures strengths from the anchor, or from their mean."""
    origin: Array = np.full((agents, agents), 1 / agents)
    if anchor:
        origin[:] = 0.0
        origin[:, anchor[0]] = 1.0
    frame: Array = np.eye(agents) - origin
    return frame


def _played(results: Iterable["GameResult"], agents: int) -> list[int]:
    counts = Counter(agent for result in results for agent in set(result.seats))
    return [counts[agent] for agent in range(agents)]


# --- the fit --------------------------------------------------------------------------------------------------------


@cache
def _stages(order: Order) -> Mapping[Stage, float]:
    """The places that were filled, each with its weight: several orders are possible where seats tie."""
    places = sorted(range(len(order.agents)), key=lambda seat: -order.payoffs[seat])
    ties = [list(tied) for _, tied in groupby(places, key=lambda seat: order.payoffs[seat])]
    possible = [[order.agents[seat] for part in parts for seat in part] for parts in product(*map(permutations, ties))]
    stages: Counter[Stage] = Counter()
    for finish in possible:
        for place in range(len(finish) - 1):
            rest = Counter(finish[place:])
            if len(rest) > 1:  # a seat that beats only seats of its own agent says nothing
                stages[Stage(finish[place], tuple(sorted(rest.items())))] += 1 / len(possible)  # type: ignore[assignment]
    return stages


def _order(result: "GameResult") -> Order:
    return Order(tuple(result.seats), tuple(result.payoffs))


def _counted(results: Iterable["GameResult"]) -> Mapping[Stage, float]:
    """All stages of all games with how often each occurred."""
    orders = Counter(map(_order, results))
    total: defaultdict[Stage, float] = defaultdict(float)
    for order, times in orders.items():
        for stage, weight in _stages(order).items():
            total[stage] += times * weight
    return total


def _pull(stage: Stage, strengths: Array) -> tuple[list[int], Array]:
    """The agents that were in for a place and the chance of each to take it."""
    agents = [agent for agent, _ in stage.rest]
    seats = np.array([count for _, count in stage.rest], float)
    gap = strengths[agents]
    chances = seats * np.exp(gap - gap.max())
    return agents, chances / chances.sum()


def _slopes(counts: Mapping[Stage, float], strengths: Array) -> tuple[Array, Array]:
    """The gradient of the log-likelihood and the information, its negative second derivative; the prior included."""
    gradient, information = _prior(strengths)
    for stage, weight in counts.items():
        agents, chances = _pull(stage, strengths)
        gradient[stage.winner] += weight
        gradient[agents] -= weight * chances
        information[np.ix_(agents, agents)] += weight * (np.diag(chances) - np.outer(chances, chances))
    return gradient, information


def _prior(strengths: Array) -> tuple[Array, Array]:
    """Every agent has drawn a game or so with an average one."""
    chance = 1 / (1 + np.exp(-strengths))
    return _PRIOR * (0.5 - chance), np.diag(_PRIOR * chance * (1 - chance))


def _fit(counts: Mapping[Stage, float], agents: int) -> Array:
    """The likeliest strengths, by Newton's method; the likelihood is concave, so steps that are kept short converge."""
    strengths = np.zeros(agents)
    for _ in range(500):
        gradient, information = _slopes(counts, strengths)
        step = np.linalg.solve(information, gradient)
        longest = np.abs(step).max()
        strengths = strengths + step / max(1.0, longest)
        if longest < 1e-10:
            break
    return strengths


def _dispersion(results: Sequence["GameResult"], strengths: Array, dealt: bool) -> float:
    """How much more the pairs spread than independent games would, at least 1.

    Where the two games of a pair tend to have the same winner they are worth less than two, and the same game again is
    worth nothing.
    """
    measured = expected = 0.0
    for group in same_pairs(results, dealt):
        pull = np.zeros(len(strengths))
        for stage, weight in (item for result in group for item in _stages(_order(result)).items()):
            agents, chances = _pull(stage, strengths)
            pull[stage.winner] += weight
            pull[agents] -= weight * chances
            expected += weight * float((chances * (1 - chances)).sum())
        measured += float(pull @ pull)
    repeated = len(results) / max(1, distinct_games(results, dealt))
    return max(1.0, repeated, measured / expected if expected else 1.0)


# --- the crosstable -------------------------------------------------------------------------------------------------


def crosstable(results: Iterable["GameResult"], agents: int) -> list[list[Tally | None]]:
    """For each agent its wins, draws and losses against each other one; None where they never met.

    In games of more than two seats every seat meets every other, and the higher payoff wins.
    """
    scores: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for one, other, score in _duels(results):
        scores[one, other].append(score)
    return [
        [Tally.of(scores[one, other]) if (one, other) in scores else None for other in range(agents)] for one in range(agents)
    ]


def _duels(results: Iterable["GameResult"]) -> Iterator[tuple[int, int, float]]:
    for result in results:
        for seat, other in permutations(range(len(result.seats)), 2):
            if result.seats[seat] != result.seats[other]:
                yield result.seats[seat], result.seats[other], beaten(result.payoffs[seat], result.payoffs[other])


def _total(row: Iterable[Tally | None]) -> Tally:
    met = [tally for tally in row if tally]
    return Tally(*(sum(tally[i] for tally in met) for i in range(3)))
