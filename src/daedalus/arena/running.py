"""Carrying out a plan: continue what the store has, play the rest, keep every game at once, stop when a test decides."""

import contextlib
import os
import re
import secrets
import time
from bisect import insort
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

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
    from .store import Store  # workers, which load this module too, need no database library

    _check(plan, workers, on, save)
    settings = plan.settings()
    with Store(db) as store:
        run = store.begin(name or new_name(plan), settings, plan.total)
        book = Book(plan.total, plan.sprt)
        for result in store.results(run):
            book.add(result)
        told = _Told(run, book, progress, save)
        try:
            for result in _missing(plan, book, workers, on):
                book.add(store.add(run, result))
                told.more(result.number)
                if book.decided:
                    break
        except KeyboardInterrupt:
            raise Interrupted(result_of(run.name, settings, book.results)) from None
        finally:
            told.rest()
        store.end(run, book.end)
    return result_of(run.name, settings, book.results)


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


def _missing(plan: Plan, book: Book, workers: int | None, on: str | None) -> Iterator[GameResult]:
    """Plays the games that are not in the book."""
    if book.complete:
        return
    kept = [number in book for number in range(plan.total)]
    tasks: Iterator[GameTask] = (plan.task(number) for number in range(plan.total) if not kept[number])
    results = execute(tasks, workers, on, lambda: warm(plan.rules, plan.specs))
    with contextlib.closing(results):
        yield from results


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
