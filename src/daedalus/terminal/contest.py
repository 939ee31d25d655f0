"""Matches, tournaments and runs as commands: what is said before, during and after, and when Ctrl-C ends it."""

import contextlib
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from daedalus import __version__, arena
from daedalus.arena.openings import deals, opening_plies
from daedalus.arena.report import json_of, rated, reference_of, report_of
from daedalus.arena.saving import check_target
from daedalus.arena.store import machine
from daedalus.core import Game, InvalidOption
from daedalus.report.charts import check_format, ratings_file
from daedalus.report.writers import write_page

from . import format
from .scoreboard import lead_line, meter, score_line, show_report
from .screen import Screen

if TYPE_CHECKING:
    from daedalus.arena.archive import Result


class Contest:
    """A command about a run: where its games are kept and how its report is given."""

    def __init__(self, screen: Screen, as_json: bool, db: str | None, html: Path | None, plot: Path | None = None) -> None:
        self._screen, self._as_json, self._db = screen, as_json, db
        self._html, self._plot = html, plot and check_format(plot)
        for path in filter(None, (html, plot)):
            check_target(path, make_folders=True)

    def run(
        self,
        play: Callable[..., "Result"],
        game: Game,
        specs: Sequence[str],
        random_plies: int | None,
        openings: Path | None,
        **settings: Any,
    ) -> None:
        """Plays a match or a tournament, with a bar where a person looks on, and reports."""
        remarks = _before(game, random_plies, openings)
        is_match = play is arena.match
        line = score_line(deals(game)) if is_match else lead_line(specs, deals(game))
        settings |= {"random_plies": random_plies, "openings": openings, "db": self._db}
        try:
            with meter(self._screen, self._as_json, line, remarks) as progress, _stdout_kept(self._as_json):
                result = play(game, *(specs if is_match else (specs,)), progress=progress, **settings)
        except arena.Interrupted as stop:
            self._finish(stop.result, () if progress else remarks)
            self._how_to_continue(stop.result)
            raise typer.Exit(130) from None
        self._finish(result, () if progress else remarks)
        if not self._as_json and self._db != ":memory:":
            self._aside(f"The run is kept: daedalus runs show {shlex.quote(result.name)}{self._where()}")

    def _finish(self, result: "Result", remarks: Sequence[str]) -> None:
        for remark in remarks:
            self._aside(remark)
        self._report(result, _here())

    def again(self, name: str) -> None:
        """Reports on a run that is in the store."""
        info = run_info(name, self._db)
        facts = {"version": info.version, "machine": info.machine, "begun": f"{info.created:%Y-%m-%d %H:%M} UTC"}
        if info.ended:
            facts["ended"] = f"{info.ended:%Y-%m-%d %H:%M} UTC"
        self._report(arena.load_run(name, self._db), facts)
        if info.ended is None:
            self._aside(f"Unfinished: {info.done:,} of {info.total:,} games are played")

    def _report(self, result: "Result", facts: dict[str, str]) -> None:
        report = report_of(result, facts)
        if self._html is not None:
            write_page(report, self._html)
        if self._plot is not None:
            self._draw(result, self._plot, report.title)
        if self._as_json:
            self._screen.data(json_of(result))
            return
        show_report(self._screen, report)
        for path in filter(None, (self._html, self._plot)):
            self._screen.say(f"Written: {path}")

    def _draw(self, result: "Result", path: Path, title: str) -> None:
        if not isinstance(result, arena.TournamentResult):
            raise InvalidOption("--plot draws the ratings of a tournament, and this is a match")
        ratings_file(rated(result.ratings), path, title, reference_of(result))

    def _how_to_continue(self, result: "Result") -> None:
        typed = sys.argv[1:]
        named = [] if any(word.split("=")[0] == "--name" for word in typed) else ["--name", result.name]
        self._aside(f"Interrupted after {len(result.results):,} games; all are kept. Continue with:")
        self._aside(shlex.join(["daedalus", *typed, *named]))

    def _where(self) -> str:
        return f" --db {shlex.quote(self._db)}" if self._db else ""

    def _aside(self, text: str) -> None:
        """Something for the person who looks on, out of the way of what a program reads."""
        if self._as_json:
            print(text, file=sys.stderr)
        else:
            self._screen.say(text, "dim")


@contextlib.contextmanager
def _stdout_kept(wanted: bool) -> Iterator[None]:
    """Keeps stdout for our JSON: what agents, workers and libraries print meanwhile goes to stderr, whoever prints it."""
    if not wanted:
        yield
        return
    sys.stdout.flush()
    ours = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        sys.stdout.flush()
        os.dup2(ours, 1)
        os.close(ours)


def _here() -> dict[str, str]:
    """The command that was given, and where."""
    return {"command": shlex.join(["daedalus", *sys.argv[1:]]), "version": __version__, "machine": machine()}


def _before(game: Game, random_plies: int | None, openings: Path | None) -> list[str]:
    """What to know about the openings of a game that always starts the same."""
    if openings is not None or random_plies or deals(game):
        return []
    same = f"{format.title(game)} always starts the same"
    if random_plies is None:
        return [f"{same}: {opening_plies(game, openings)} random plies open each pair (--random-plies K or --openings FILE)"]
    return [f"Beware: {same} and there are no openings: agents without dice play one game over and over"]


def anchor_of(text: str | None) -> tuple[str, float] | None:
    """`random=1000` as a spec and its rating; the spec may hold `=` too."""
    if text is None:
        return None
    spec, _, rating = text.rpartition("=")
    try:
        return spec, float(rating) if spec else float("")
    except ValueError:
        raise InvalidOption(f"anchor '{text}': write it as SPEC=RATING, for example random=1000") from None


def run_info(name: str, db: str | None) -> arena.RunInfo:
    """What the store knows of a run."""
    runs = {run.name: run for run in arena.list_runs(db)}
    if name not in runs:
        raise InvalidOption(f"there is no run '{name}'; the last ones: {', '.join(list(runs)[-8:]) or 'none'}")
    return runs[name]


def list_runs(screen: Screen, db: str | None, as_json: bool) -> None:
    """All runs of a store, the newest last."""
    runs = arena.list_runs(db)
    if as_json:
        screen.data([_listed(run) for run in runs])
        return
    if not runs:
        screen.say("No runs yet; daedalus match and daedalus tournament make them")
        return
    rows = []
    for run in runs:
        agents = (
            " v ".join(run.settings["specs"]) if run.settings["kind"] == "match" else f"{len(run.settings['specs'])} agents"
        )
        rows.append([run.name, f"{run.settings['game']} {run.settings['options']}", agents, f"{run.done:,}"])
        rows[-1] += [f"{run.total:,}", f"{run.ended:%Y-%m-%d %H:%M}" if run.ended else "unfinished"]
    screen.table(["run", "game", "agents", "games", "of", "ended (UTC)"], rows)


def _listed(run: arena.RunInfo) -> dict[str, Any]:
    told = {"name": run.name, "done": run.done, "total": run.total, "version": run.version, "machine": run.machine}
    times = {"created": run.created.isoformat(), "ended": run.ended.isoformat() if run.ended else None}
    return told | times | {"settings": run.settings}
