"""Carrying out a plan: continue what the store has, play the rest, keep every game at once, stop when a test decides."""

import contextlib
import os
import re
import secrets
import time
from bisect import insort
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from daedalus.agents import make_agent
from daedalus.core import DaedalusError
from daedalus.core.record import append_record

from .crew import warm
from .executors import check_executor, execute
from .games import GameResult, GameTask
from .info import RunInfo
from .plan import Plan
from .processes import inside_worker
from .results import MatchResult, TournamentResult, result_of
from .sprt import Sprt
from .statistics import pair_scores

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


class Book:
    """The games of a run as they come. A test looks at whole pairs in their order, so it decides the same every time."""

    def __init__(self, total: int, sprt: Sprt | None) -> None:
        self._sprt = sprt
        self._total = self.end = total  # games from `end` on do not count
        self._games: dict[int, GameResult] = {}
        self._scores: list[float] = []
        self.results: list[GameResult] = []  # the games that count, in order of their numbers

    def __contains__(self, number: int) -> bool:
        return number in self._games

    def __getitem__(self, number: int) -> GameResult:
        return self._games[number]

    def add(self, result: GameResult) -> None:
        """Takes in a game; one beyond the end is forgotten."""
        if result.number >= self.end:
            return
        self._games[result.number] = result
        insort(self.results, result, key=lambda game: game.number)
        while self._sprt and not self.decided and self._next_pair():
            self._scores += pair_scores(self._next_pair())
            if self._sprt.decide(self._scores).decision:
                self.end = 2 * len(self._scores)
                del self.results[self.end :]

    def _next_pair(self) -> list[GameResult]:
        """The two games that the test looks at next; none while one is missing."""
        numbers = (2 * len(self._scores), 2 * len(self._scores) + 1)
        return [self._games[number] for number in numbers] if all(number in self._games for number in numbers) else []

    @property
    def decided(self) -> bool:
        return self.end < self._total

    @property
    def complete(self) -> bool:
        return len(self.results) == self.end


class _Run:
    """A run under way: its plan, what the store knows of it, and its games as they come."""

    def __init__(
        self, store: "Store", plan: Plan, name: str, progress: Listener | None, save: str | os.PathLike[str] | None
    ) -> None:
        self.plan, self._store = plan, store
        self.settings = plan.settings()
        self._info = store.begin(name, self.settings, plan.total)
        self.name = self._info.name
        self._book = Book(plan.total, plan.sprt)
        for result in store.results(self._info):
            self._book.add(result)
        self._told = _Told(self._info, self._book, progress, save)

    @property
    def over(self) -> bool:
        return self._book.complete or self._book.decided

    def tasks(self, warmed: bool) -> Iterator[GameTask]:
        """The games that are missing; before the first one what the agents need is compiled, for all workers at once."""
        if self._book.complete:
            return
        if warmed:
            warm(self.plan.rules, self.plan.specs, self.plan.limit)
        kept = [number in self._book for number in range(self.plan.total)]
        for number in range(self.plan.total):
            if self._book.decided:
                return
            if not kept[number]:
                yield replace(self.plan.task(number), run=self.name)

    def add(self, result: GameResult) -> None:
        """Keeps a game, and tells of it."""
        self._book.add(self._store.add(self._info, result))
        self._told.more(result.number)

    def end(self) -> None:
        """Closes the run if nothing of it is missing."""
        self._told.rest()
        if self.over:
            self._store.end(self._info, self._book.end)

    @property
    def result(self) -> MatchResult | TournamentResult:
        return result_of(self.name, self.settings, self._book.results)


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

    for plan in plans.values():
        _check(plan, workers, on, save)
    with Store(db) as store:
        runs = {name: _Run(store, plan, name, progress, save) for name, plan in plans.items()}
        tasks = (task for run in runs.values() for task in run.tasks(warmed=on is None or on == "ray"))
        try:
            if not all(run.over for run in runs.values()):
                _play(tasks, runs, workers, on)
        except KeyboardInterrupt:
            under_way = next((run for run in runs.values() if not run.over), next(iter(runs.values())))
            raise Interrupted(under_way.result) from None
        finally:
            for run in runs.values():
                run.end()
    return [run.result for run in runs.values()]


def _play(tasks: Iterator[GameTask], runs: Mapping[str, _Run], workers: int | None, on: str | None) -> None:
    """Plays games until there are no more, or no run needs one: a test may decide while others are still played."""
    with contextlib.closing(execute(tasks, workers, on)) as played:
        for task, result in played:
            run = runs[task.run]
            run.add(result)
            if run.over and all(other.over for other in runs.values()):
                return


def _check(plan: Plan, workers: int | None, on: str | None, save: str | os.PathLike[str] | None) -> None:
    """Refuses at once what would fail later."""
    if inside_worker():
        raise DaedalusError(
            "a run cannot be started by a worker of another: in a script that also defines a game or an agent, "
            "start it under `if __name__ == '__main__':`"
        )
    check_executor(workers, on)
    if save is not None and not Path(save).absolute().parent.is_dir():
        raise DaedalusError(f"there is no folder {Path(save).absolute().parent}")
    for spec in dict.fromkeys(plan.specs):
        make_agent(spec, plan.rules).close()


class _Told:
    """Tells the listener of every game, and writes new records to a file in the order of the games."""

    def __init__(self, run: RunInfo, book: Book, progress: Listener | None, save: str | os.PathLike[str] | None) -> None:
        self._run, self._book, self._progress, self._save = run, book, progress, save
        self._new: dict[int, None] = {}
        self._kept = len(book.results)
        self._written = 0
        self._tell()

    def more(self, number: int) -> None:
        self._new[number] = None
        self._write()
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            book = self._book
            self._progress(Progress(self._run.name, len(book.results), book.end, self._kept, book.results))

    def _write(self) -> None:
        """Writes the games up to the first that is missing."""
        while self._save is not None and self._written < self._book.end and self._written in self._book:
            self._append(self._written)
            self._written += 1

    def rest(self) -> None:
        """Writes what was finished beyond a gap, when no more will come."""
        for number in sorted(self._new) if self._save is not None else ():
            if self._written <= number < self._book.end:
                self._append(number)

    def _append(self, number: int) -> None:
        if number in self._new and self._save is not None:
            append_record(self._save, self._book[number].parsed)


def new_name(plan: Plan) -> str:
    """A name for a run that has none: its game, the time, and a few letters against chance."""
    game = re.sub(r"[^A-Za-z0-9]+", "-", plan.game.rpartition(":")[2]).strip("-").lower()
    return f"{game}-{plan.kind}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
