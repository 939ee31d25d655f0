"""Studies as commands: the list, the report in a terminal, a bar while it runs."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from daedalus.studies import Progress, Report, StudyRequest, run_study, studies, study
from daedalus.studies.report import Commands, Figure, Heading, Table, silent

from .screen import Screen


def list_studies(screen: Screen, as_json: bool) -> None:
    """What can be studied and what it costs."""
    entries = studies().values()
    if as_json:
        screen.data([{"name": entry.name, "about": entry.about, "cost": entry.cost} for entry in entries])
        return
    screen.table(["study", "about", "cost"], [[entry.name, entry.about, entry.cost] for entry in entries])


def report_on(screen: Screen, names: Sequence[str], request: StudyRequest, out: Path | None, as_json: bool) -> None:
    """Runs studies, shows their reports and writes each to a folder: `out`, or `study-NAME` here."""
    for name in names:
        study(name)  # a wrong name is said before anything is made
    told = [_report(screen, name, request, out or Path(f"study-{Path(name).stem}"), as_json) for name in names]
    if as_json:
        screen.data(told if len(told) > 1 else told[0])


def _report(screen: Screen, name: str, request: StudyRequest, folder: Path, as_json: bool) -> dict[str, Any]:
    folder.mkdir(parents=True, exist_ok=True)  # what cannot be written is said before the games are played
    try:
        with _bar(screen, as_json) as progress:
            report = run_study(name, request, progress)
    except KeyboardInterrupt:
        print(f"{name}: interrupted; finished games are kept, the same command goes on from here", file=sys.stderr)
        raise
    files = [str(path) for path in report.write(folder)]
    if not as_json:
        _show(screen, report)
        screen.say(f"Written to {folder}: {report.name}.html, {report.name}.md and {len(files) - 2} tables and pictures")
    return report.data() | {"files": files}


def _show(screen: Screen, report: Report) -> None:
    screen.say()
    screen.say(report.title, "bold")
    for block in report.blocks:
        screen.say()
        if isinstance(block, Table):
            screen.say(block.title, "bold")
            screen.table(block.head, block.shown)
        elif isinstance(block, Commands):
            screen.say(f"{block.title}:")
            for label, command in block.lines:
                screen.say(f"  {command}  # {label}", "dim")
        elif not isinstance(block, Figure):
            screen.say(block.text, "bold underline" if isinstance(block, Heading) else "")
    screen.say()
    screen.say(" · ".join(f"{name} {value}" for name, value in report.facts.items()), "dim")


@contextmanager
def _bar(screen: Screen, quiet: bool) -> Iterator[Progress]:
    """A bar for what is under way, where somebody looks on."""
    if quiet or not screen.live:
        yield silent
        return
    from rich import progress

    columns = (
        progress.BarColumn(20),
        progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(),
        progress.TextColumn("{task.description}", markup=False),
    )
    with progress.Progress(*columns, console=screen.console, transient=True) as bars:
        task, now = bars.add_task("", total=None), ""

        def show(what: str, done: int, total: int) -> None:
            nonlocal now
            if what != now:
                bars.reset(task, total=total)
                now = what
            bars.update(task, completed=done, total=total, description=what)

        yield show
