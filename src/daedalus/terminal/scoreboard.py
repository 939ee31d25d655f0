"""What the arena's commands show: reports in a terminal, and a bar with the running score while games are played."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .screen import Screen

if TYPE_CHECKING:
    from daedalus.arena import GameResult, Progress
    from daedalus.arena.report import Report

Line = Callable[[Sequence["GameResult"]], str]  # what the games so far tell, in a few words

_TOLD = ("limit", "grace", "seed", "openings", "random plies")  # of the settings, what decides how the games went
_PACE = 0.25  # seconds between two looks at the running score, at least
_SHARE = 20  # the score is calculated from all games: that may take a twentieth of the time


def show_sheet(screen: Screen, report: "Report") -> None:
    """A report: the answer, the doubts, the tables."""
    screen.say()
    screen.say(report.title, "bold")
    screen.say(" · ".join(f"{name} {report.facts[name]}" for name in _TOLD if name in report.facts), "dim")
    for line in report.headlines:
        screen.say(line)
    for line in report.warnings:
        screen.wrong(f"Beware: {line}")
    for table in report.tables:
        screen.say()
        screen.say(table.title + (f": {table.remark}" if table.remark else ""), "bold")
        screen.table(table.headers, table.rows)


def score_line(dealt: bool) -> Line:
    """A function that tells the score of A so far with its interval; `dealt` as for `summarise`."""

    def line(results: Sequence["GameResult"]) -> str:
        from daedalus.arena.report import percent
        from daedalus.arena.statistics import summarise

        summary = summarise(results, dealt)
        low, high = map(percent, summary.score[1:])
        wins, draws, losses = summary.total
        return f"A {wins}-{draws}-{losses}, {percent(summary.score.value)} [{low}, {high}]"

    return line


def lead_line(specs: Sequence[str], dealt: bool) -> Line:
    """A function that tells who leads a tournament."""

    def line(results: Sequence["GameResult"]) -> str:
        from daedalus.arena.ratings import rate

        first = rate(results, specs, dealt=dealt)[0]
        return f"{first.spec} leads, Elo {first.elo:+.0f} [{first.low:+.0f}, {first.high:+.0f}]"

    return line


@contextmanager
def meter(
    screen: Screen, quiet: bool, line: Line, remarks: Sequence[str] = ()
) -> Iterator["Callable[[Progress], None] | None"]:
    """A bar for a run: games done, rate, time left and a line about them; None where nobody looks.

    `remarks` are shown above it when the run begins, not before: what is wrong with a command is said alone.
    """
    if quiet or not screen.live:
        yield None
        return
    from rich import progress

    columns = (
        progress.BarColumn(20),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[rate]}"),
        progress.TimeRemainingColumn(),
        progress.TextColumn("{task.description}", markup=False),
    )
    with progress.Progress(*columns, console=screen.console, transient=True) as bars:
        yield _Meter(bars, line, remarks)


class _Meter:
    """Keeps the bar up to date without calculating more often than anybody can read."""

    def __init__(self, bars: Any, line: Line, remarks: Sequence[str]) -> None:
        self._bars, self._line, self._remarks = bars, line, list(remarks)
        self._task = bars.add_task("", total=None, rate="")
        self._begun, self._next = time.monotonic(), 0.0

    def __call__(self, run: "Progress") -> None:
        while self._remarks:
            self._bars.console.print(self._remarks.pop(0), style="dim", markup=False, soft_wrap=True)
        now = time.monotonic()
        if now < self._next and run.done < run.total:
            return
        rate = (run.done - run.kept) / max(1e-9, now - self._begun)
        said = self._line(run.results) if run.done else "the first games"
        self._bars.update(self._task, completed=run.done, total=run.total, description=said, rate=f"{rate:,.1f}/s")
        self._next = now + max(_PACE, _SHARE * (time.monotonic() - now))
