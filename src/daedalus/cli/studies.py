"""The command that reruns published experiments: study."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from .app import Json, app, screen_here


@app.command(epilog="Example: daedalus study quoridor-complexity --quick --out report/")
def study(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A study, as --list names them.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the studies with what they cost.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="A smaller number of games: about a minute on two cores.")] = False,
    games: Annotated[
        int | None, typer.Option("-n", "--games", metavar="N", help="So many games of each pairing instead of the study's own.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Decides the games.")] = 0,
    workers: Annotated[int | None, typer.Option("--workers", metavar="W", help="Processes that play; else one a core.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Write the report there: Markdown, HTML, CSV.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Rerun a published experiment and see the old and the new numbers side by side."""
    from daedalus.core import InvalidOption
    from daedalus.studies import STUDIES, Wish
    from daedalus.terminal import studies

    if listing:
        studies.list_studies(screen_here(), as_json)
        return
    if name is None:
        raise InvalidOption(f"name a study: {', '.join(STUDIES)} (study --list tells more)")
    command = shlex.join(["daedalus", *sys.argv[1:]])
    studies.report_on(screen_here(), name, Wish(quick, games, seed, workers), out, as_json, command)
