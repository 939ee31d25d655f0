"""What the games of two agents tell: how often A wins, by how much it is better, and how sure that is.

Games come in pairs with swapped seats, and the two games of a pair are not independent: they share a board. So the
spread is measured between pairs, never between games, and pairs that are the same games again are one.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median, quantiles
from typing import TYPE_CHECKING, Any, NamedTuple

from daedalus.report import Estimate

from .evidence import distinct_games, same_pairs

if TYPE_CHECKING:
    from .games import GameResult

_CONFIDENCE = 0.975  # of each side: an interval of 95 %
_FEW = 8  # with fewer pairs their spread says too little, and the binomial one takes its place
_UNSEEN = 0.5  # added to the squared deviations of pairs: a kind of pair too rare to have been seen yet has a spread too


class Tally(NamedTuple):
    """Games won, drawn, lost."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return sum(self)

    @property
    def score(self) -> float:
        """A win 1, a draw a half; a half also when nothing was played."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @classmethod
    def of(cls, scores: Iterable[float]) -> "Tally":
        """Counts games by their scores 1, 0.5, 0."""
        listed = list(scores)
        return cls(listed.count(1.0), listed.count(0.5), listed.count(0.0))


class Lengths(NamedTuple):
    """How long the games were, in plies; `deciles` are the nine numbers below which 10 %, 20 % .. 90 % of them lie."""

    mean: float
    median: float
    shortest: int
    longest: int
    deciles: tuple[float, ...]


class Times(NamedTuple):
    """What an agent used, in seconds: of wall clock and of CPU, a move and a game."""

    wall_move: float
    cpu_move: float
    wall_game: float
    cpu_game: float


class Forfeit(NamedTuple):
    """A game lost off the board, or a move the game made for an agent: which game, which agent (its number), its seat, why."""

    game: int
    agent: int
    seat: int
    reason: str


@dataclass(frozen=True)
class Summary:
    """Everything a match tells, from the side of A, the first agent."""

    total: Tally
    by_seat: tuple[Tally, ...]  # A's games in seat 0, 1, ..
    pairs: tuple[int, ...]  # whole pairs by A's score in them: 0, 1/2, 1, 3/2, 2 points
    score: Estimate
    elo: Estimate
    los: float
    first_seat_score: float
    plies: Lengths | None
    times: tuple[Times, ...]  # of A and of B
    forfeits: tuple[Forfeit, ...]
    faults: tuple[Forfeit, ...]  # that cost a move, not the game
    distinct: int  # games; the same one again is no new evidence, and the intervals count it once

    def json(self, specs: Sequence[str]) -> dict[str, Any]:
        """The object that `daedalus match --json` prints; an infinite difference is null."""
        wins, draws, losses = self.total
        return {
            "games": self.total.games,
            "wins": wins,
            "draws": draws,
            "losses": losses,
            **_interval("score", self.score),
            **_interval("elo", self.elo),
            "los": self.los,
            "forfeits": told(self.forfeits, specs),
            "faults": told(self.faults, specs),
            "plies": self.plies and self.plies._asdict(),
            "seconds_per_move": {name: times.wall_move for name, times in zip("ab", self.times, strict=True)},
            "first_seat_score": self.first_seat_score,
            "distinct": self.distinct,
        }


def told(lost: Iterable[Forfeit], specs: Sequence[str]) -> list[dict[str, Any]]:
    """Forfeits or faults for programs, agents by their specs."""
    return [one._asdict() | {"agent": specs[one.agent]} for one in lost]


def _interval(name: str, estimate: Estimate) -> dict[str, float | None]:
    finite = [value if math.isfinite(value) else None for value in estimate]
    return dict(zip((name, f"{name}_low", f"{name}_high"), finite, strict=True))


def summarise(results: Sequence["GameResult"], dealt: bool = True) -> Summary:
    """What the games between agents 0 (A) and 1 (B) tell; games whose twin is missing count too.

    `dealt` tells whether the start depends on the seed: where it does not, games with the same moves are the same.
    """
    scores = [score_of(result) for result in results]
    groups = [[score_of(game) for game in group] for group in same_pairs(results, dealt)]
    spread = standard_error(groups)
    total, distinct = Tally.of(scores), distinct_games(results, dealt)
    score = score_interval(total, spread, len(groups), distinct)
    seats = max((len(result.seats) for result in results), default=2)
    return Summary(
        total=total,
        by_seat=tuple(
            Tally.of(score for result, score in zip(results, scores, strict=True) if result.seats[seat] == 0)
            for seat in range(seats)
        ),
        pairs=tuple(map([round(score * 4) for score in pair_scores(results)].count, range(5))),
        score=score,
        elo=Estimate(*map(elo_of, score)),
        los=superiority(total, spread, len(groups), distinct),
        first_seat_score=first_seat_score(results),
        plies=lengths(results),
        times=tuple(times_of(results, agent) for agent in (0, 1)),
        forfeits=forfeits(results),
        faults=faults(results),
        distinct=distinct,
    )


# --- games and pairs ------------------------------------------------------------------------------------------------


def beaten(mine: float, other: float) -> float:
    """The score of one payoff against another: 1, a half, 0."""
    return 1.0 if mine > other else 0.5 if mine == other else 0.0


def score_of(result: "GameResult", agent: int = 0) -> float:
    """An agent's score in a game: 1 if its seats got more than the others on the average, 0.5 if the same, 0 if less."""
    own = [payoff for seat, payoff in enumerate(result.payoffs) if result.seats[seat] == agent]
    rest = [payoff for seat, payoff in enumerate(result.payoffs) if result.seats[seat] != agent]
    return beaten(fmean(own), fmean(rest))


def _by_pair(results: Iterable["GameResult"]) -> list[list[float]]:
    """A's scores in the games of each pair, in order of the pairs; a pair may lack a game."""
    groups: dict[int, list[float]] = defaultdict(list)
    for result in results:
        groups[result.pair].append(score_of(result))
    return [groups[pair] for pair in sorted(groups)]


def pair_scores(results: Iterable["GameResult"]) -> list[float]:
    """A's mean score in each whole pair of games for two, in order of the pairs: 0, 0.25, 0.5, 0.75 or 1."""
    groups = _by_pair(result for result in results if len(result.seats) == 2)
    return [fmean(group) for group in groups if len(group) == 2]


# --- score and Elo --------------------------------------------------------------------------------------------------


def standard_error(groups: Sequence[Sequence[float]]) -> float | None:
    """The standard error of the mean score, from the spread between groups; None if they are too few or all alike.

    The groups are the pairs, those that are the same games again together. One that lacks a game weighs half, as in any
    mean of clusters of unequal size.
    """
    count = len(groups)
    if count < _FEW:
        return None
    games = sum(map(len, groups))
    mean = sum(map(sum, groups)) / games
    squares = sum((sum(group) - len(group) * mean) ** 2 for group in groups)
    return math.sqrt((squares + _UNSEEN) * count / (count - 1)) / games if squares > 1e-12 else None


def score_interval(total: Tally, spread: float | None, groups: int, distinct: int | None = None) -> Estimate:
    """The score with its 95 % interval, of Wilson's form, which stays within 0 and 1 and does not close at the ends.

    With a measured spread the games count for as many independent ones as would spread that much; without, for
    themselves, or for the distinct ones among them.
    """
    games, score = total.games, total.score
    if not games:
        return Estimate(0.5, 0.0, 1.0)
    z, worth = quantile(None), float(distinct or games)
    if spread is not None:
        z, worth = quantile(groups - 1), score * (1 - score) / spread**2
    square = z * z / worth
    middle = (score + square / 2) / (1 + square)
    half = z / (1 + square) * math.sqrt(score * (1 - score) / worth + square / (4 * worth))
    # an end that is 0 or 1 by calculation must not miss it by rounding: it means an unbounded difference
    low = 0.0 if score == 0 else max(0.0, middle - half)
    high = 1.0 if score == 1 else min(1.0, middle + half)
    return Estimate(score, low, high)


def quantile(freedom: int | None) -> float:
    """The point below which 97.5 % of the normal distribution lie, or of Student's for so many degrees of freedom."""
    from scipy import special

    return float(special.ndtri(_CONFIDENCE) if freedom is None else special.stdtrit(freedom, _CONFIDENCE))


def elo_of(score: float) -> float:
    """The difference in Elo that a score means, in the logistic model; infinite for 0 and 1."""
    if score <= 0 or score >= 1:
        return -math.inf if score <= 0 else math.inf
    return 400 * (math.log10(score) - math.log10(1 - score))


def superiority(total: Tally, spread: float | None, groups: int, distinct: int | None = None) -> float:
    """The likelihood that A is the better one, given these games and no opinion before them."""
    from scipy import special

    if spread is not None:
        return float(special.stdtr(groups - 1, (total.score - 0.5) / spread))
    # wins and losses as throws of a coin whose bias was uniform before: draws say nothing about who is better
    share = distinct / total.games if distinct else 1.0
    return float(special.betainc(share * total.losses + 1, share * total.wins + 1, 0.5))


def first_seat_score(results: Sequence["GameResult"]) -> float:
    """The mean score of whoever sits in seat 0, against each of the other seats."""
    duels = [beaten(result.payoffs[0], other) for result in results for other in result.payoffs[1:]]
    return fmean(duels) if duels else 0.5


# --- lengths, times, forfeits ---------------------------------------------------------------------------------------


def lengths(results: Sequence["GameResult"]) -> Lengths | None:
    """How long the games were; None when there are none."""
    plies = [result.plies for result in results]
    if not plies:
        return None
    cuts = quantiles(plies, n=10, method="inclusive") if len(plies) > 1 else [float(plies[0])] * 9
    return Lengths(fmean(plies), median(plies), min(plies), max(plies), tuple(cuts))


def times_of(results: Iterable["GameResult"], agent: int) -> Times:
    """The time an agent used for all its moves in all its seats, a move and a game."""
    wall = cpu = 0.0
    moves = games = 0
    for result in results:
        own = [seat for seat, player in enumerate(result.seats) if player == agent]
        games += bool(own)
        wall += sum(result.wall[seat] for seat in own)
        cpu += sum(result.cpu[seat] for seat in own)
        moves += sum(result.moves[seat] for seat in own)
    return Times(*(total / (count or 1) for count in (moves, games) for total in (wall, cpu)))


def forfeits(results: Iterable["GameResult"]) -> tuple[Forfeit, ...]:
    """The games that were lost off the board, in order."""
    lost = [(result, *result.forfeit) for result in results if result.forfeit]
    return tuple(sorted(Forfeit(result.number, result.seats[seat], seat, reason) for result, seat, reason in lost))


def faults(results: Iterable["GameResult"]) -> tuple[Forfeit, ...]:
    """The moves that a game made for an agent at fault, in order of the games."""
    made = [(result, *fault) for result in results for fault in result.faults]
    return tuple(Forfeit(result.number, result.seats[seat], seat, reason) for result, seat, reason in made)
