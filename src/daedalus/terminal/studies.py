"""Studies as commands: the list; running some, with a bar, and their reports on the screen and in a folder."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from daedalus.report.writers import write
from daedalus.studies import StudyRequest, run_study, studies, study

from .scoreboard import show_report, steps
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
        with steps(screen, as_json) as progress:
            report = run_study(name, request, progress)
    except KeyboardInterrupt:
        print(f"{name}: interrupted; finished games are kept, the same command goes on from here", file=sys.stderr)
        raise
    files = [str(path) for path in write(report, folder)]
    if not as_json:
        show_report(screen, report)
        screen.say(f"Written to {folder}: {report.name}.html, {report.name}.md and {len(files) - 2} tables and pictures")
    return report.data() | {"files": files}
