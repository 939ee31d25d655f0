"""Carrying out a plan: continue what the store has, play the rest, keep every game at once, stop when a test decides."""

import contextlib
import os
import re
import secrets
import time
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from daedalus.agents import make_agent
from daedalus.core import DaedalusError

from .executors import check_executor, execute
from .games import GameResult, GameTask
from .plan import Plan
from .process_pool import inside_worker
from .results import MatchResult, TournamentResult, result_of
from .rows import RunInfo
from .saving import SavedRecords, check_name, check_target
from .sprt import Sprt
from .statistics import pair_scores
from .worker import warm

if TYPE_CHECKING:
    from .store import Store


@dataclass(frozen=True)
class Progress:
    """Told after every game, and once at the start: so many of `total` games are done, `kept` of them before this run.

    `results` are the finished games in order of their numbers, not to be changed.
    """

    name: str
    done: int
    total: int
    kept: int
    results: list[GameResult]


Listener = Callable[[Progress], None]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run: everything finished is in the store, and `result` holds it."""

    def __init__(self, result: MatchResult | TournamentResult) -> None:
        super().__init__(f"run '{result.name}' was interrupted; start it again to continue")
        self.result = result


class Scoreboard:
    """The games of a run as they come. A test looks at whole pairs in their order, so it decides the same every time."""

    def __init__(self, total: int, sprt: Sprt | None) -> None:
        self._sprt = sprt
        self._total = self.end = total  # games from `end` on do not count
        self._games: dict[int, GameResult] = {}
        self._pairs = [0] * 5  # that the test has looked at, by A's score in them
        self.results: list[GameResult] = []  # the games that count, in order of their numbers
        self.gapless = 0  # games 0 to this one are all there

    def __contains__(self, number: int) -> bool:
        return number in self._games

    def __getitem__(self, number: int) -> GameResult:
        return self._games[number]

    def add(self, result: GameResult) -> None:
        """Takes in a game; one beyond the end is forgotten."""
        if result.number >= self.end:
            return
        self._games[result.number] = result
        insort(self.results, result, key=_number)  # games come nearly in order, so near the end of the list
        while self.gapless in self._games:
            self.gapless += 1
        while self._sprt and not self.decided and (pair := self._next_pair()):
            (score,) = pair_scores(pair)
            self._pairs[round(4 * score)] += 1
            if self._sprt.judge(self._pairs).decision:
                self.end = 2 * sum(self._pairs)
                self.gapless = min(self.gapless, self.end)
                del self.results[self.end :]

    def _next_pair(self) -> list[GameResult]:
        """The two games that the test looks at next; none while one is missing."""
        first = 2 * sum(self._pairs)
        numbers = (first, first + 1)
        return [self._games[number] for number in numbers] if all(number in self._games for number in numbers) else []

    @property
    def decided(self) -> bool:
        return self.end < self._total

    @property
    def complete(self) -> bool:
        return len(self.results) == self.end


def _number(game: GameResult) -> int:
    return game.number


class _Run:
    """A run under way: its plan, what the store knows of it, and its games as they come."""

    def __init__(
        self, store: "Store", plan: Plan, name: str, progress: Listener | None, save: str | os.PathLike[str] | None
    ) -> None:
        self._store = store
        self.settings = plan.settings()
        self._info = store.begin(name, self.settings, plan.total, plan.secret)
        self.name = self._info.name
        self._scoreboard = Scoreboard(plan.total, plan.sprt)
        results = store.results(self._info)
        for result in results:
            self._scoreboard.add(result)
        self.plan = self._as_begun(plan)
        self._told = _Told(self._info, self._scoreboard, progress)
        self._saved = _Saved(save, self._scoreboard, results) if save is not None else None

    def _as_begun(self, plan: Plan) -> Plan:
        """The plan with the secret of the run's first start: this one may be on another machine or by another user."""
        kept = self._store.secret(self._info)
        if kept is None and not self.over:
            raise DaedalusError(
                f"run '{self.name}' was begun by Daedalus {self._info.version}, which dealt in another way: it can be shown"
                " and exported but not continued; give this one another name, or delete that one"
            )
        return plan if kept is None else replace(plan, kept=kept)

    @property
    def over(self) -> bool:
        return self._scoreboard.complete or self._scoreboard.decided

    def tasks(self, warmed: bool) -> Iterator[GameTask]:
        """The games that are missing; before the first one what the agents need is compiled, for all workers at once."""
        if self._scoreboard.complete:
            return
        if warmed:
            warm(self.plan.rules, self.plan.specs, self.plan.limit)
        for number in range(self.plan.total):
            if self._scoreboard.decided:
                return
            if number not in self._scoreboard:
                yield replace(self.plan.task(number), run=self.name)

    def add(self, result: GameResult) -> None:
        """Keeps a game, and tells of it."""
        standing = self._store.add(self._info, result)
        self._scoreboard.add(standing)
        if self._saved:
            self._saved.more(standing)
        self._told.more()

    def end(self) -> None:
        """Closes the run if nothing of it is missing."""
        if self.over:
            self._store.end(self._info, self._scoreboard.end)
        if self._saved:
            self._saved.rest()

    @property
    def result(self) -> MatchResult | TournamentResult:
        return result_of(self.name, self.settings, self._scoreboard.results)


def carry_out(
    plan: Plan,
    workers: int | None = None,
    on: str | None = None,
    db: str | os.PathLike[str] | None = None,
    name: str | None = None,
    progress: Listener | None = None,
    save: str | os.PathLike[str] | None = None,
) -> MatchResult | TournamentResult:
    """Plays what is missing of a run and returns all of it."""
    return carry_out_all({name or new_name(plan): plan}, workers, on, db, progress, save)[0]


def carry_out_all(
    plans: Mapping[str, Plan],
    workers: int | None = None,
    on: str | None = None,
    db: str | os.PathLike[str] | None = None,
    progress: Listener | None = None,
    save: str | os.PathLike[str] | None = None,
) -> list[MatchResult | TournamentResult]:
    """Plays what is missing of several runs, given by their names, one after the other with the same workers."""
    from .store import Store  # workers, which load this module too, need no database library

    for name, plan in plans.items():
        _check(name, plan, workers, on, save)
    with Store(db) as store:
        runs = {name: _Run(store, plan, name, progress, save) for name, plan in plans.items()}
        tasks = (task for run in runs.values() for task in run.tasks(warmed=on is None or on == "ray"))
        try:
            if not all(run.over for run in runs.values()):
                _play(tasks, runs, workers, on)
        except KeyboardInterrupt:
            _end(runs)
            under_way = next((run for run in runs.values() if not run.over), next(iter(runs.values())))
            raise Interrupted(under_way.result) from None
        except BaseException:
            with contextlib.suppress(DaedalusError):  # what went wrong first is what is told
                _end(runs)
            raise
        _end(runs)
    return [run.result for run in runs.values()]


def _end(runs: Mapping[str, _Run]) -> None:
    for run in runs.values():
        run.end()


def _play(tasks: Iterator[GameTask], runs: Mapping[str, _Run], workers: int | None, on: str | None) -> None:
    """Plays games until there are no more, or no run needs one: a test may decide while others are still played."""
    with contextlib.closing(execute(tasks, workers, on)) as played:
        for task, result in played:
            run = runs[task.run]
            run.add(result)
            if run.over and all(other.over for other in runs.values()):
                return


def _check(name: str, plan: Plan, workers: int | None, on: str | None, save: str | os.PathLike[str] | None) -> None:
    """Refuses at once what would fail later."""
    if inside_worker():
        raise DaedalusError(
            "a run cannot be started by a worker of another: in a script that also defines a game or an agent, "
            "start it under `if __name__ == '__main__':`"
        )
    check_executor(workers, on)
    check_name(name)
    if save is not None:
        check_target(save)
    for spec in dict.fromkeys(plan.specs):
        make_agent(spec, plan.rules).close()


class _Told:
    """Tells the listener of every game."""

    def __init__(self, run: RunInfo, scoreboard: Scoreboard, progress: Listener | None) -> None:
        self._run, self._scoreboard, self._progress = run, scoreboard, progress
        self._kept = len(scoreboard.results)
        self.more()

    def more(self) -> None:
        if self._progress is not None:
            scoreboard = self._scoreboard
            self._progress(Progress(self._run.name, len(scoreboard.results), scoreboard.end, self._kept, scoreboard.results))


class _Saved:
    """Keeps a file of records as the store has the games: in order while they come, and those beyond a gap at the end."""

    def __init__(self, save: str | os.PathLike[str], scoreboard: Scoreboard, results: Iterable[GameResult]) -> None:
        self._file, self._scoreboard = SavedRecords(save), scoreboard
        self._records = {result.number: result.record for result in results}
        self._written = 0
        self._restore(range(scoreboard.gapless))

    def more(self, result: GameResult) -> None:
        self._records[result.number] = result.record
        while self._written < self._scoreboard.gapless:
            self._file.add(self._scoreboard[self._written].record)
            self._written += 1

    def rest(self) -> None:
        """Writes what was finished beyond a gap, when no more will come, and looks the whole file over."""
        self._restore([result.number for result in self._scoreboard.results])

    def _restore(self, wanted: Iterable[int]) -> None:
        self._file.restore(self._records, list(wanted))
        self._written = self._scoreboard.gapless


def new_name(plan: Plan) -> str:
    """A name for a run that has none: its game, the time, and a few letters against chance."""
    game = re.sub(r"[^A-Za-z0-9]+", "-", plan.game.rpartition(":")[2]).strip("-").lower()
    return f"{game}-{plan.kind}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
