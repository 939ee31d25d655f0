"""Studies: published experiments run again, with the old and the new numbers side by side.

A study is data, a TOML file in the folder of its game (`spec.py` says what a file holds; a user's own file works the same)
that `experiment.py` plays on the arena or, if it needs more than games, hands to a calculation of the game.
"""

import time
from pathlib import Path

from daedalus.core import InvalidOption
from daedalus.core.errors import valid
from daedalus.report import Progress, Report, silent

from .request import StudyRequest
from .spec import Design, read_design, studies_of_games

__all__ = ["Progress", "Report", "StudyRequest", "run_study", "studies", "study"]


def studies() -> dict[str, Design]:
    """The studies that come with the package, by name."""
    return {name: read_design(path, name) for name, path in sorted(studies_of_games().items())}


def study(name: str) -> Design:
    """The study of that name, or in that file (`mine.toml`); raises InvalidOption with those there are."""
    if name.endswith(".toml"):
        return read_design(Path(name))
    known = studies()
    if name not in known:
        raise InvalidOption(valid("study", name, [*known, "all"]) + ", or path/to/file.toml")
    return known[name]


def run_study(name: str, request: StudyRequest | None = None, progress: Progress = silent) -> Report:
    """Runs a study by name; the report also tells the command, version, machine and the time it took."""
    from daedalus import __version__
    from daedalus.arena.store import machine

    from .experiment import run

    request, begun = request or StudyRequest(), time.monotonic()
    report = run(study(name), request, progress)
    report.facts = {"command": request.command(name)} | report.facts
    report.facts |= {
        "seed": str(request.seed),
        "size": "quick" if request.quick else "full",
        "time taken": f"{time.monotonic() - begun:,.0f} s in this sitting",
        "version": __version__,
        "machine": machine(),
    }
    return report
