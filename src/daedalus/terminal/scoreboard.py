"""What the commands of the arena and of studies show: reports, and a bar with what is under way."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from daedalus.report import Commands, Figure, Heading, Report, Table, silent
from daedalus.report import Progress as StudyProgress

from .screen import Screen

if TYPE_CHECKING:
    from daedalus.arena import GameResult, Progress

Line = Callable[[Sequence["GameResult"]], str]  # what the games so far tell, in a few words

_PACE = 0.25  # seconds between two looks at the running score, at least
_SHARE = 20  # the score is calculated from all games: that may take a twentieth of the time
_STYLES = {"plain": "", "answer": "", "warning": "yellow"}


def show_report(screen: Screen, report: Report) -> None:
    """A report in the terminal: all but its pictures."""
    screen.say()
    screen.say(report.title, "bold")
    if report.brief:
        screen.say(report.brief, "dim")
    for block in report.blocks:
        if isinstance(block, Figure):
            continue
        if isinstance(block, (Heading, Table, Commands)) or block.tone == "plain":
            screen.say()
        if isinstance(block, Table):
            screen.say(block.title + (f": {block.remark}" if block.remark else ""), "bold")
            screen.table(block.head, block.shown)
        elif isinstance(block, Commands):
            screen.say(f"{block.title}:")
            for label, command in block.lines:
                screen.say(f"  {command}  # {label}", "dim")
        elif isinstance(block, Heading):
            screen.say(block.text, "bold underline")
        else:
            screen.say(f"Beware: {block.text}" if block.tone == "warning" else block.text, _STYLES[block.tone])
    if not report.brief:
        screen.say()
        screen.say(" · ".join(f"{name} {value}" for name, value in report.facts.items()), "dim")


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
    with _bars(screen) as bars:
        yield _Meter(bars, line, remarks)


@contextmanager
def steps(screen: Screen, quiet: bool) -> Iterator[StudyProgress]:
    """A bar for what is under way in a study, where somebody looks on."""
    if quiet or not screen.live:
        yield silent
        return
    with _bars(screen) as bars:
        task, now = bars.add_task("", total=None, rate=""), ""

        def show(what: str, done: int, total: int) -> None:
            nonlocal now
            if what != now:
                bars.reset(task, total=total)
                now = what
            bars.update(task, completed=done, total=total, description=what)

        yield show


def _bars(screen: Screen) -> Any:
    from rich import progress

    columns = (
        progress.BarColumn(20),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[rate]}"),
        progress.TimeRemainingColumn(),
        progress.TextColumn("{task.description}", markup=False),
    )
    return progress.Progress(*columns, console=screen.console, transient=True)


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
