"""The command that reruns published experiments: study."""

from pathlib import Path
from typing import Annotated

import typer

from . import completion
from .app import Json, app, screen_here


@app.command(
    epilog="Examples: daedalus study labyrinth --quick; daedalus study labyrinth --only against-random/S-MCAgent; "
    "daedalus study all --quick --out reports/"
)
def study(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="A study as --list names them, `all`, or a file.toml.", autocompletion=completion.studies
        ),
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the studies with what they cost.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="A smaller number of games: about a minute on two cores.")] = False,
    games: Annotated[
        int | None, typer.Option("-n", "--games", metavar="N", help="So many games of each pairing instead of the study's own.")
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            metavar="SECTION[/ROW[/COLUMN]]",
            help="A part of the study: one cell, if you like; `section//column` for all rows.",
        ),
    ] = None,
    scale: Annotated[
        float, typer.Option("--scale", metavar="X", help="Multiply the time limits: 0.1 takes a tenth of the time.")
    ] = 1.0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Decides the games.")] = 0,
    workers: Annotated[int | None, typer.Option("--workers", metavar="W", help="Processes that play; else one a core.")] = None,
    on: Annotated[
        str | None, typer.Option("--on", metavar="ray|ray://HOST:PORT", help="Play on Ray: one of its own, or a cluster.")
    ] = None,
    db: Annotated[
        str | None,
        typer.Option("--db", metavar="FILE|URL", help="Where finished games are kept, to continue from; else your own place."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Play all games anew instead of continuing.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Write the report there (HTML, Markdown, CSV, SVG); else to study-NAME."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Rerun a published experiment and see the old and the new numbers side by side.

    Interrupted, it continues where it stopped when it is started again.
    """
    from daedalus.core import InvalidOption
    from daedalus.studies import StudyRequest, studies
    from daedalus.terminal import studies as screens

    if listing:
        screens.list_studies(screen_here(), as_json)
        return
    if name is None:
        raise InvalidOption(f"name a study: {', '.join(studies())}, or all (study --list tells more)")
    request = StudyRequest(quick, games, seed, workers, on, db, again, only, scale)
    names = list(studies()) if name == "all" else [name]
    screens.report_on(screen_here(), names, request, out, as_json)
