"""Studies as commands: the list, the report in a terminal, a bar while it runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daedalus.studies import STUDIES, Progress, Report, Wish, run_study, study
from daedalus.studies.report import Heading, Table, silent

from .screen import Screen


def list_studies(screen: Screen, as_json: bool) -> None:
    """What can be studied and what it costs."""
    if as_json:
        screen.data([{"name": entry.name, "about": entry.about, "cost": entry.cost} for entry in STUDIES.values()])
        return
    screen.table(["study", "about", "cost"], [[entry.name, entry.about, entry.cost] for entry in STUDIES.values()])


def report_on(screen: Screen, name: str, wish: Wish, out: Path | None, as_json: bool, command: str) -> None:
    """Runs a study, shows its report and writes it to a folder."""
    study(name)  # a wrong name is said before anything is made
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    with _bar(screen, as_json) as progress:
        report = run_study(name, wish, progress)
    report.facts = {"command": command} | report.facts
    files = [str(path) for path in report.write(out)] if out is not None else []
    if as_json:
        screen.data(report.data() | {"files": files})
        return
    _show(screen, report)
    for file in files:
        screen.say(f"Written: {file}")


def _show(screen: Screen, report: Report) -> None:
    screen.say()
    screen.say(report.title, "bold")
    for block in report.blocks:
        screen.say()
        if isinstance(block, Table):
            screen.say(block.title, "bold")
            screen.table(block.headers, block.shown)
        else:
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
