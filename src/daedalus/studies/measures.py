"""What can be measured in a finished game.

A measure gives, for each seat of a game, an amount and a count; over games it is the sum of the amounts by the sum of the
counts. So `wins` is (1, 1) or (0, 1), simulations a move are (simulations, moves). What only one game knows is in the
`MEASURES` of `measures.py` in its folder, or of a user's class: functions of a finished game's record.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from daedalus.arena import GameResult
from daedalus.arena.statistics import Tally, quantile, score_interval, score_of, standard_error
from daedalus.core.errors import valid
from daedalus.core.record import Record
from daedalus.core.registry import find
from daedalus.report import Estimate

from .games import ratio
from .spec import InvalidStudy, Measured, Pairing

Seats = Sequence[tuple[float, float]]
Measure = Callable[[GameResult], Seats]


def _outcome(score: float) -> Measure:
    def share(result: GameResult) -> Seats:
        # a match has two agents, so what one did not win and did not draw the other won
        return [(float(score_of(result, agent) == score), 1.0) for agent in result.seats]

    return share


def _score(result: GameResult) -> Seats:
    return [(score_of(result, agent), 1.0) for agent in result.seats]


def _every_seat(amount: Callable[[GameResult], float]) -> Measure:
    return lambda result: [(amount(result), 1.0)] * len(result.seats)


def _simulations(result: GameResult) -> Seats:
    """Simulations a move, or nodes, as the agents tell them."""
    record = result.parsed
    sums = [[0.0, 0.0] for _ in result.seats]
    for position, remark in zip(record.positions(), record.remarks, strict=False):
        if remark is not None and remark.simulations:
            sums[position.turn][0] += remark.simulations
            sums[position.turn][1] += 1
    return [(amount, count) for amount, count in sums]


def _choices(result: GameResult) -> Seats:
    """Legal moves at each of a seat's decisions."""
    sums = [[0.0, 0.0] for _ in result.seats]
    for position in list(result.parsed.positions())[:-1]:
        sums[position.turn][0] += len(position.legal_moves)
        sums[position.turn][1] += 1
    return [(amount, count) for amount, count in sums]


SHARES: dict[str, Measure] = {"wins": _outcome(1.0), "draws": _outcome(0.5), "losses": _outcome(0.0), "score": _score}
MEANS: dict[str, Measure] = {
    "plies": _every_seat(lambda result: result.plies),
    "rounds": _every_seat(lambda result: math.ceil(result.plies / len(result.seats))),
    "cpu_ms_a_game": _every_seat(lambda result: 1e3 * sum(result.cpu)),
    "cpu_ms_a_move": lambda result: [(1e3 * cpu, moves) for cpu, moves in zip(result.cpu, result.moves, strict=True)],
    "simulations": _simulations,
    "branching": _choices,
}


def measure_of(game: str, name: str) -> Measure:
    """A measure by its name; InvalidStudy with those there are."""
    known = SHARES | MEANS | _own(game)
    if name not in known:
        raise InvalidStudy(valid("measure", name, known))
    return known[name]


def _own(game: str) -> dict[str, Measure]:
    return {name: _of_record(measure) for name, measure in find(game).measures.items()}


def _of_record(measure: Callable[[Record], Seats]) -> Measure:
    return lambda result: measure(result.parsed)


class Amount(NamedTuple):
    """What one game gives, for the side that was asked for, with the pair of games it belongs to."""

    pair: int
    value: float
    weight: float


class Sample:
    """The games of a pairing; every game is measured once for each measure, since some replay it."""

    def __init__(self, pairing: Pairing, results: Sequence[GameResult]) -> None:
        self.pairing = pairing
        self.results = [result for result in results if result.forfeit is None]
        self.forfeits = len(results) - len(self.results)
        self._known: dict[str, list[Seats]] = {}

    def estimate(self, wanted: Measured) -> Estimate | None:
        """The measure with its 95 % interval; None when there is nothing to measure."""
        groups = self._groups(wanted)
        counts = [sum(count for _, count in group) for group in groups]
        if not sum(counts):
            return None
        if wanted.measure in SHARES:
            share = _share([[amount for amount, count in group if count] for group in groups])
            return Estimate(*(wanted.times * (value + wanted.plus) for value in share))
        factor = wanted.times * (100 / self.pairing.number(wanted.percent_of) if wanted.percent_of else 1.0)
        mean = ratio([sum(amount for amount, _ in group) for group in groups], counts)
        half = quantile(len(groups) - 1) * mean.error if len(groups) > 1 else math.inf
        value, half = factor * (mean.value + wanted.plus), factor * half
        never_negative = all(amount + count * wanted.plus >= 0 for group in groups for amount, count in group)
        least = 0.0 if never_negative and math.isfinite(half) else -math.inf  # few games spread widely, not below nothing
        return Estimate(value, max(least, value - half), value + half)

    def amounts(self, wanted: Measured) -> list[Amount]:
        """The measure game by game."""
        found = []
        for result, seats in zip(self.results, self._measured(wanted.measure), strict=True):
            if _counts(result, wanted):
                asked = [seats[seat] for seat, agent in enumerate(result.seats) if wanted.of in ("both", "ab"[agent])]
                amount, count = map(sum, zip(*asked, strict=True))
                found.append(Amount(result.pair, amount, count))
        return found

    def _groups(self, wanted: Measured) -> list[list[tuple[float, float]]]:
        groups: dict[int, list[tuple[float, float]]] = defaultdict(list)
        for pair, amount, count in self.amounts(wanted):
            groups[pair].append((amount, count))
        return list(groups.values())

    def _measured(self, name: str) -> list[Seats]:
        if name not in self._known:
            measure = measure_of(self.pairing.plan.game, name)
            self._known[name] = [measure(result) for result in self.results]
        return self._known[name]


def _counts(result: GameResult, wanted: Measured) -> bool:
    """Is this one of the games that are asked for?"""
    if wanted.seat is not None and result.seats[wanted.seat] != 0:
        return False
    return wanted.among == "all" or score_of(result) == {"won": 1.0, "drawn": 0.5, "lost": 0.0}[wanted.among]


def _share(groups: Sequence[Sequence[float]]) -> Estimate:
    """A share of games in per cent; the two games of a pair are not independent, so the spread is that between pairs."""
    tally = Tally.of(score for group in groups for score in group)
    interval = score_interval(tally, standard_error(groups), len(groups))
    return Estimate(*(100 * value for value in interval))
