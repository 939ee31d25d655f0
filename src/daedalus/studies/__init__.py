"""Studies: published experiments run again, with the old and the new numbers side by side.

Most are data, a TOML file each in `data/` that `experiment.py` plays on the arena (`design.py` says what a file holds; a
user's own file works the same). A study that needs more than games is an entry of `CALCULATIONS`: a module with `run`.
"""

import importlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from daedalus.core import InvalidOption
from daedalus.core.errors import valid

from .report import Progress, Report, silent
from .request import StudyRequest

__all__ = ["Progress", "Report", "Study", "StudyRequest", "run_study", "studies", "study"]


class Runner(Protocol):
    """Makes a report as wished."""

    def __call__(self, request: StudyRequest, progress: Progress) -> Report: ...


@dataclass(frozen=True)
class Study:
    """A study by its name, with what it asks and what it costs."""

    name: str
    about: str
    cost: str
    run: Runner


def _calculation(module: str) -> Runner:
    """The `run` of a module, which is loaded only when the study is run."""

    def run(request: StudyRequest, progress: Progress) -> Report:
        return cast(Runner, importlib.import_module(f"{__name__}.{module}").run)(request, progress)

    return run


CALCULATIONS = {
    entry.name: entry
    for entry in (
        Study(
            "quoridor-complexity",
            "how large Quoridor is: positions, wall configurations, game tree, branching and length",
            "3 minutes on two cores, 30 seconds with --quick",
            _calculation("quoridor_complexity"),
        ),
    )
}


def studies() -> dict[str, Study]:
    """The studies that come with the package, by name."""
    from .spec import DATA, designs

    experiments = {name: _experiment(DATA / f"{name}.toml") for name in designs()}
    return dict(sorted((experiments | CALCULATIONS).items()))


def study(name: str) -> Study:
    """The study of that name, or in that file (`mine.toml`); raises InvalidOption with those there are."""
    if name.endswith(".toml"):
        return _experiment(Path(name))
    known = studies()
    if name not in known:
        raise InvalidOption(valid("study", name, [*known, "all"]) + ", or path/to/file.toml")
    return known[name]


def _experiment(path: Path) -> Study:
    from .experiment import run
    from .spec import read_design

    design = read_design(path)
    return Study(design.name, design.about, design.cost, lambda request, progress: run(design, request, progress))


def run_study(name: str, request: StudyRequest | None = None, progress: Progress = silent) -> Report:
    """Runs a study by name; the report also tells the command, version, machine and the time it took."""
    from daedalus import __version__
    from daedalus.arena.store import machine

    request, begun = request or StudyRequest(), time.monotonic()
    report = study(name).run(request, progress)
    report.facts = {"command": request.command(name)} | report.facts
    report.facts |= {
        "seed": str(request.seed),
        "size": "quick" if request.quick else "full",
        "time taken": f"{time.monotonic() - begun:,.0f} s in this sitting",
        "version": __version__,
        "machine": machine(),
    }
    return report
