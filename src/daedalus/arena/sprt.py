"""Stopping a match early: the sequential probability ratio test on pairs of games.

Two hypotheses about A's strength over B, `elo0` and `elo1`. After every pair the likelihoods of what was seen are
compared, and the match ends as soon as one is nineteen times the other (or what the shares of errors ask for). A pair
with swapped seats is one observation with five possible scores, so that a lucky board or a strong first seat does not
count as evidence (the pentanomial model of fishtest).
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from daedalus.core import InvalidOption

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of A in two games: LL, LD, WL or DD, WD, WW
_UNSEEN = 1e-3  # counted for a score that never occurred: only so may it have a likelihood at all
_USUAL = 0.05  # the share of errors when nobody says
_RAREST = 1e-9
_INSIDE = 1 - 1e-12


class Verdict(NamedTuple):
    """`decision` is None while the match must go on; `llr` the log-likelihood ratio, which ends it at either bound."""

    decision: Literal["H0", "H1"] | None
    llr: float
    bounds: tuple[float, float]


@dataclass(frozen=True)
class Sprt:
    """The test of `elo0` against `elo1`; each is accepted wrongly in at most a share `alpha` or `beta` of matches."""

    elo0: float
    elo1: float
    alpha: float = _USUAL
    beta: float = _USUAL

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise InvalidOption(f"sprt {self}: wants elo0,elo1 with elo0 less than elo1, as 0,10")
        if max(abs(self.elo0), abs(self.elo1)) > 2000:
            raise InvalidOption(f"sprt {self}: wants differences within 2000")
        if not (_RAREST <= self.alpha < 0.5 and _RAREST <= self.beta < 0.5):
            raise InvalidOption(
                f"sprt {self}: wants shares of errors alpha,beta from {_RAREST:g} to less than 0.5, as 0.05,0.05"
            )

    @classmethod
    def parse(cls, text: str) -> "Sprt":
        """`0,10` as a test of 0 against 10 Elo; `0,10,0.01,0.01` with these shares of errors."""
        try:
            numbers = [float(word) for word in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise InvalidOption(f"sprt '{text[:40]}': write it as elo0,elo1 or elo0,elo1,alpha,beta, for example 0,10")
        return cls(*numbers)

    def __str__(self) -> str:
        """What `parse` reads; the usual shares of errors are not told."""
        errors = () if self.alpha == self.beta == _USUAL else (self.alpha, self.beta)
        return ",".join(map(_exact, (self.elo0, self.elo1, *errors)))

    @property
    def bounds(self) -> tuple[float, float]:
        """At or below the first, H0 is accepted; at or above the second, H1 (Wald's bounds)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def decide(self, pair_scores: Iterable[float]) -> Verdict:
        """The verdict on the scores of A in whole pairs, each from 0 (lost both) to 1 (won both)."""
        counts = Counter(round(score * 4) for score in pair_scores)
        return self.judge([counts[place] for place in range(5)])

    def judge(self, counts: Sequence[int]) -> Verdict:
        """The verdict on whole pairs counted by A's score in them, as PAIR_SCORES lists them."""
        low, high = self.bounds
        llr = _llr(counts, expected(self.elo0), expected(self.elo1))
        return Verdict("H0" if llr <= low else "H1" if llr >= high else None, llr, (low, high))

    def words(self, verdict: Verdict) -> str:
        """The verdict for people."""
        low, high = verdict.bounds
        state = f"LLR {round(verdict.llr, 2) + 0.0:+.2f} in [{low:.2f}, {high:.2f}]"
        if verdict.decision is None:
            return f"SPRT {self} undecided: {state}"
        held, fallen = (self.elo0, self.elo1) if verdict.decision == "H0" else (self.elo1, self.elo0)
        return f"SPRT {self} accepts {verdict.decision}, {held:+g} Elo rather than {fallen:+g}: {state}"


def _exact(number: float) -> str:
    """A number as short as it can be read back."""
    short = f"{number:g}"
    return short if float(short) == number else repr(float(number))


def expected(elo: float) -> float:
    """The score that a difference in Elo means, in the logistic model."""
    return 1 / (1 + math.exp(-elo * math.log(10) / 400))


def _llr(counts: Sequence[int], score0: float, score1: float) -> float:
    """How much likelier `counts` are when the true score is `score1` than when it is `score0`, as a logarithm.

    Either hypothesis fixes the mean score only; of the distributions with that mean the likeliest is taken.
    """
    if not sum(counts):
        return 0.0
    weights = [count or _UNSEEN for count in counts]
    tilt0, tilt1 = _tilt(weights, score0), _tilt(weights, score1)
    return sum(
        weight * math.log((1 + tilt0 * (score - score0)) / (1 + tilt1 * (score - score1)))
        for weight, score in zip(weights, PAIR_SCORES, strict=True)
    )


def _tilt(weights: list[float], mean: float) -> float:
    """The Lagrange multiplier x of the likeliest distribution with this mean, p = weight / (1 + x (score - mean)).

    It solves sum weight (score - mean) / (1 + x (score - mean)) = 0, whose left side falls with x.
    """
    from scipy.optimize import brentq

    gaps = [score - mean for score in PAIR_SCORES]

    def pull(x: float) -> float:
        return sum(weight * gap / (1 + x * gap) for weight, gap in zip(weights, gaps, strict=True))

    # at -1 / (1 - mean) and 1 / mean, beyond which some p would be negative, it is infinite
    return float(brentq(pull, -_INSIDE / (1 - mean), _INSIDE / mean, xtol=1e-15, rtol=1e-15))
