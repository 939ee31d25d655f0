"""Commands that play many games and tell what they mean: match, tournament, and runs, which are kept in the store."""

import contextlib
from pathlib import Path
from typing import Annotated

import typer

from . import completion
from .app import AllowCode, Game, Json, LimitText, Options, app, limit_of, screen_here, trust

Seconds = Annotated[float | None, typer.Option("--seconds", metavar="S", help="Seconds an agent may take for a move.")]
Simulations = Annotated[
    int | None, typer.Option("--simulations", metavar="N", help="Simulations an agent may make for a move.")
]
Depth = Annotated[int | None, typer.Option("--depth", metavar="D", help="Plies an agent may look ahead.")]
RunSeed = Annotated[int, typer.Option("--seed", metavar="K", help="Decides boards, openings and the agents' dice.")]
Workers = Annotated[int | None, typer.Option("--workers", metavar="W", help="Processes that play; else one a core.")]
On = Annotated[
    str | None, typer.Option("--on", metavar="ray|ray://HOST:PORT", help="Play on Ray: one of its own, or a cluster.")
]
Openings = Annotated[Path | None, typer.Option("--openings", metavar="FILE", help="Openings: moves, one opening a line.")]
Plies = Annotated[
    int | None,
    typer.Option(
        "--random-plies",
        metavar="K",
        help="Open each pair with K random moves; else 4 where the game always starts the same and there are no openings.",
    ),
]
Grace = Annotated[
    float | None, typer.Option("--grace", metavar="S", help="Seconds over the limit forgiven; else a tenth, 0.2 at least.")
]
Save = Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Add the games to this file of records.")]
Database = Annotated[
    str | None,
    typer.Option("--db", metavar="FILE|URL", help="Where runs are kept: a SQLite file or postgresql://...; else your own."),
]
Name = Annotated[
    str | None, typer.Option("--name", metavar="RUN", help="The run's name; one of that name is continued where it stopped.")
]
Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write the report as one HTML file.")]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the ratings as FILE.png or FILE.svg.")]
Run = Annotated[
    str, typer.Argument(metavar="NAME", help="A run's name, as `daedalus runs` lists them.", autocompletion=completion.runs)
]


@app.command(epilog="Example: daedalus match blackhole mcts:simulations=200 greedy -n 100 --seed 1")
def match(
    game: Game,
    a: Annotated[str, typer.Argument(metavar="A", help="The spec of one agent.", autocompletion=completion.specs)],
    b: Annotated[str, typer.Argument(metavar="B", help="The spec of the other.", autocompletion=completion.specs)],
    games: Annotated[int, typer.Option("-n", "--games", metavar="N", help="How many games, in whole pairs.")] = 200,
    options: Options = None,
    limit: LimitText = None,
    seconds: Seconds = None,
    simulations: Simulations = None,
    depth: Depth = None,
    seed: RunSeed = 0,
    workers: Workers = None,
    on: On = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt", metavar="ELO0,ELO1[,ALPHA,BETA]", help="Stop as soon as one of the two is ruled out, with these errors."
        ),
    ] = None,
    openings: Openings = None,
    random_plies: Plies = None,
    fixed_seats: Annotated[bool, typer.Option("--fixed-seats", help="A always sits first; else seats are swapped.")] = False,
    grace: Grace = None,
    save: Save = None,
    db: Database = None,
    name: Name = None,
    as_json: Json = False,
    html: Html = None,
) -> None:
    """Which of two agents is better, by how much, and how sure that is."""
    from daedalus import arena
    from daedalus.core import Limit
    from daedalus.terminal.arguments import game_of
    from daedalus.terminal.contest import Contest

    contest = Contest(screen_here(), as_json, db, html)
    contest.run(
        arena.match,
        game_of(game, options),
        (a, b),
        games=games,
        limit=Limit(seconds, simulations, depth) & (limit_of(limit) or Limit()),
        seed=seed,
        workers=workers,
        on=on,
        sprt=sprt,
        openings=openings,
        random_plies=random_plies,
        fixed_seats=fixed_seats,
        grace=grace,
        save=save,
        name=name,
    )


@app.command(epilog="Example: daedalus tournament blackhole random greedy mcts:simulations=100 -n 20 --plot ratings.png")
def tournament(
    game: Game,
    specs: Annotated[list[str], typer.Argument(metavar="SPEC...", help="The agents.", autocompletion=completion.specs)],
    games: Annotated[int, typer.Option("-n", "--games", metavar="N", help="Games of each meeting, in whole pairs.")] = 20,
    options: Options = None,
    gauntlet: Annotated[bool, typer.Option("--gauntlet", help="The first agent against all others, and nobody else.")] = False,
    anchor: Annotated[
        str | None, typer.Option("--anchor", metavar="SPEC=RATING", help="Give one agent this rating; else the mean is 0.")
    ] = None,
    limit: LimitText = None,
    seconds: Seconds = None,
    simulations: Simulations = None,
    depth: Depth = None,
    seed: RunSeed = 0,
    workers: Workers = None,
    on: On = None,
    openings: Openings = None,
    random_plies: Plies = None,
    grace: Grace = None,
    save: Save = None,
    db: Database = None,
    name: Name = None,
    as_json: Json = False,
    html: Html = None,
    plot: Plot = None,
) -> None:
    """Rates many agents: everybody against everybody, or the first against all others."""
    from daedalus import arena
    from daedalus.core import Limit
    from daedalus.terminal.arguments import game_of
    from daedalus.terminal.contest import Contest, anchor_of

    contest = Contest(screen_here(), as_json, db, html, plot)
    contest.run(
        arena.tournament,
        game_of(game, options),
        specs,
        games=games,
        gauntlet=gauntlet,
        anchor=anchor_of(anchor),
        limit=Limit(seconds, simulations, depth) & (limit_of(limit) or Limit()),
        seed=seed,
        workers=workers,
        on=on,
        openings=openings,
        random_plies=random_plies,
        grace=grace,
        save=save,
        name=name,
    )


runs = typer.Typer(help="Runs in the store: list them, show, export, delete.", epilog="Example: daedalus runs show my-run")
app.add_typer(runs, name="runs")


@runs.callback(invoke_without_command=True)
def list_runs(context: typer.Context, db: Database = None, as_json: Json = False) -> None:
    """Runs in the store: list them, show, export, delete."""
    from daedalus.terminal import contest

    context.obj = db
    if context.invoked_subcommand is None:
        contest.list_runs(screen_here(), db, as_json)


@runs.command(epilog="Example: daedalus runs show my-run --html report.html")
def show(
    context: typer.Context,
    name: Run,
    db: Database = None,
    allow_code: AllowCode = False,
    as_json: Json = False,
    html: Html = None,
    plot: Plot = None,
) -> None:
    """The report of a run, finished or not."""
    from daedalus.core import DaedalusError
    from daedalus.terminal.contest import Contest, run_info

    db = db or context.obj
    with contextlib.suppress(DaedalusError):  # a run can be shown without its game, which only knows the seats' names
        trust(run_info(name, db).settings["game"], allow_code)
    Contest(screen_here(), as_json, db, html, plot).again(name)


@runs.command(epilog="Example: daedalus runs export my-run results/")
def export(
    context: typer.Context,
    name: Run,
    folder: Annotated[Path | None, typer.Argument(metavar="FOLDER", help="Where to; else a folder of the run's name.")] = None,
    db: Database = None,
) -> None:
    """Writes a run to files: records as text, rows as CSV and JSON lines (and Parquet with pyarrow), its settings."""
    from daedalus import arena

    screen = screen_here()
    for path in arena.export_run(name, folder, db or context.obj):
        screen.say(str(path))


@runs.command(epilog="Example: daedalus runs delete my-run")
def delete(
    context: typer.Context,
    name: Run,
    db: Database = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Removes a run with all its games."""
    from daedalus import arena
    from daedalus.terminal.contest import run_info
    from daedalus.terminal.input import at_terminal

    db = db or context.obj
    info = run_info(name, db)
    if not yes and at_terminal():
        typer.confirm(f"Delete run {name} with its {info.done:,} games?", abort=True)
    arena.delete_run(name, db)
    screen_here().say(f"Run {name} is deleted")
