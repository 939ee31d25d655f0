"""What a run came to: its games, and what they tell."""

import contextlib
import importlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from daedalus.core import DaedalusError

from .evidence import distinct_games, doubts
from .games import GameResult
from .sprt import Sprt, Verdict
from .statistics import Summary, pair_scores, summarise

if TYPE_CHECKING:
    from .ratings import Rating
    from .statistics import Tally


@dataclass
class RunResult:
    """The games of a run, in order, with the settings that the store keeps. `name` is that of the run."""

    name: str
    settings: dict[str, Any]
    results: list[GameResult]

    @property
    def specs(self) -> list[str]:
        """The agents; `GameResult.seats` counts in this list."""
        return list(self.settings["specs"])

    @property
    def dealt(self) -> bool:
        """Whether the start depends on the seed; stores older than the question do not tell, and each game counts."""
        return bool(self.settings.get("deals", True))

    @cached_property
    def distinct(self) -> int:
        """How many different games there are: the same one again is no new evidence."""
        return distinct_games(self.results, self.dealt)

    @cached_property
    def warnings(self) -> list[str]:
        """Reasons to trust the numbers less, one line each."""
        return doubts(self.results, self.dealt)

    def rows(self) -> list[dict[str, Any]]:
        """One row a seat of a game, as plain values: who sat there, against whom, what it got and used."""
        return [row for result in self.results for row in _rows(result, self)]

    def frame(self) -> Any:
        """`rows()` as a DataFrame of pandas, or of polars where only that is installed."""
        for library in ("pandas", "polars"):
            with contextlib.suppress(ModuleNotFoundError):
                return importlib.import_module(library).DataFrame(self.rows())
        raise DaedalusError("a data frame needs pandas or polars: pip install pandas; rows() does without")


def _rows(result: GameResult, run: RunResult) -> list[dict[str, Any]]:
    specs = run.specs
    lost, reason = result.forfeit or (None, "")
    return [
        {
            "run": run.name,
            "game": run.settings["game"],
            "options": run.settings["options"],
            "number": result.number,
            "pair": result.pair,
            "seat": seat,
            "agent": specs[agent],
            "opponents": "; ".join(specs[other] for place, other in enumerate(result.seats) if place != seat),
            "payoff": result.payoffs[seat],
            "plies": result.plies,
            "moves": result.moves[seat],
            "wall": result.wall[seat],
            "cpu": result.cpu[seat],
            "forfeit": reason if seat == lost else "",
            "faults": sum(at_fault == seat for at_fault, _ in result.faults),
        }
        for seat, agent in enumerate(result.seats)
    ]


class MatchResult(RunResult):
    """The games of a match between A and B, the two `specs`."""

    @cached_property
    def summary(self) -> Summary:
        """Wins, score and Elo with intervals, lengths, times, forfeits: all from A's side."""
        return summarise(self.results, self.dealt)

    @property
    def sprt(self) -> Sprt | None:
        """The test that could stop the match."""
        return Sprt.parse(self.settings["sprt"]) if self.settings["sprt"] else None

    @property
    def verdict(self) -> Verdict | None:
        """What the test says; None without one."""
        return self.sprt.decide(pair_scores(self.results)) if self.sprt else None


class TournamentResult(RunResult):
    """The games of a tournament."""

    @property
    def anchor(self) -> tuple[int, float] | None:
        """The agent whose rating was given, by its place in `specs`, and that rating."""
        if not self.settings["anchor"]:
            return None
        spec, rating = self.settings["anchor"]
        return self.specs.index(spec), float(rating)

    @cached_property
    def ratings(self) -> "list[Rating]":
        """Everybody's rating with its interval, best first."""
        from .ratings import rate

        return rate(self.results, self.specs, self.anchor, self.dealt)

    @property
    def crosstable(self) -> "list[list[Tally | None]]":
        """Wins, draws and losses of each agent against each other one."""
        from .ratings import crosstable

        return crosstable(self.results, len(self.specs))


def result_of(name: str, settings: dict[str, Any], results: list[GameResult]) -> MatchResult | TournamentResult:
    """The result of a run by its kind."""
    kind = MatchResult if settings["kind"] == "match" else TournamentResult
    return kind(name, settings, results)
