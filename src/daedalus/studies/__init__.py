"""Studies: published experiments run again, with the old and the new numbers side by side.

A study is an entry of `STUDIES`: what it asks, what it costs, and the module whose `run` makes its report.
"""

import importlib
import time
from dataclasses import dataclass
from typing import Protocol, cast

from daedalus.core import InvalidOption
from daedalus.core.errors import valid

from .report import Progress, Report, silent

__all__ = ["STUDIES", "Progress", "Report", "Study", "Wish", "run_study", "study"]


@dataclass(frozen=True)
class Wish:
    """How much of a study is wanted: `games` of each pairing (else the study's own number), on so many processes."""

    quick: bool = False
    games: int | None = None
    seed: int = 0
    workers: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("games", 2), ("workers", 1)):
            given = getattr(self, name)
            if given is not None and given < least:
                raise InvalidOption(f"{name}={given}: wants at least {least}")


class Runner(Protocol):
    """What the module of a study offers as `run`."""

    def __call__(self, wish: Wish, progress: Progress) -> Report: ...


@dataclass(frozen=True)
class Study:
    """A study by its name; the module is loaded only when the study is run."""

    name: str
    about: str
    cost: str
    module: str

    def run(self, wish: Wish | None = None, progress: Progress = silent) -> Report:
        """Runs the study and returns its report."""
        runner = cast(Runner, importlib.import_module(self.module).run)
        return runner(wish or Wish(), progress)


STUDIES = {
    entry.name: entry
    for entry in (
        Study(
            "quoridor-complexity",
            "how large Quoridor is: positions, wall configurations, game tree, branching and length",
            "3 minutes on two cores, 30 seconds with --quick",
            f"{__name__}.quoridor_complexity",
        ),
    )
}


def study(name: str) -> Study:
    """The study of that name; raises InvalidOption with those there are."""
    if name not in STUDIES:
        raise InvalidOption(valid("study", name, STUDIES))
    return STUDIES[name]


def run_study(name: str, wish: Wish | None = None, progress: Progress = silent) -> Report:
    """Runs a study by name; the report also tells version, machine and the time it took."""
    from daedalus import __version__
    from daedalus.arena.store import machine

    wish, begun = wish or Wish(), time.monotonic()
    report = study(name).run(wish, progress)
    report.facts |= {
        "seed": str(wish.seed),
        "size": "quick" if wish.quick else "full",
        "time taken": f"{time.monotonic() - begun:,.0f} s",
        "version": __version__,
        "machine": machine(),
    }
    return report
