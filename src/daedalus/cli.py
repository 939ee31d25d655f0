"""The command `daedalus`: what can be asked for, and how it ends when something is wrong.

Every error of the user is one line on stderr and exit code 2. What is heavy is imported inside the commands, so that
the small ones answer at once.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from daedalus.core import Limit
    from daedalus.terminal.screen import Screen

app = typer.Typer(
    help="A laboratory for board games whose paths are built, blocked and moved while you play.",
    epilog="Begin with: daedalus play blackhole",
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Game = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or path/to/file.py:Class.")]
AnyGame = Annotated[str | None, typer.Argument(metavar="GAME", help="A game's name, or path/to/file.py:Class.")]
Options = Annotated[
    list[str] | None, typer.Option("-o", "--option", metavar="KEY=VALUE", help="An option of the game; may be repeated.")
]
PositionText = Annotated[
    str | None, typer.Option("--position", metavar="TEXT", help="A position as text, instead of the start.")
]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="The same seed, the same deal and the same agents.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
RecordFile = Annotated[
    Path | None, typer.Option("--record", metavar="FILE", help="Take the position from the last game of this file of records.")
]
Ply = Annotated[int | None, typer.Option("--ply", metavar="K", help="With a record: the position after K moves.")]
LimitText = Annotated[
    str | None,
    typer.Option("--limit", metavar="LIMIT", help="How long an agent may think: seconds=1,simulations=1000,depth=5."),
]


def _screen() -> "Screen":
    from daedalus.terminal.screen import Screen

    return Screen()


def _limit(text: str | None) -> "Limit | None":
    from daedalus.core import Limit

    return None if text is None else Limit.parse(text)


def _seed(seed: int | None) -> int:
    import secrets

    return secrets.randbits(32) if seed is None else seed


def _version(wanted: bool) -> None:
    if wanted:
        from daedalus import __version__

        typer.echo(f"daedalus {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def begin(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command(epilog="Example: daedalus games --json")
def games(as_json: Json = False) -> None:
    """The games with their options."""
    from daedalus.terminal import catalogue

    catalogue.games(_screen(), as_json)


@app.command(epilog="Example: daedalus agents blackhole")
def agents(game: AnyGame = None, as_json: Json = False) -> None:
    """The agents that can be named, with their options."""
    from daedalus.terminal import catalogue

    catalogue.agents(_screen(), game, as_json)


@app.command(epilog="Example: daedalus show blackhole -o size=7 --svg board.svg")
def show(
    game: AnyGame = None,
    options: Options = None,
    position: PositionText = None,
    seed: Seed = None,
    record: RecordFile = None,
    ply: Ply = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the picture as SVG.")] = None,
    moves: Annotated[bool, typer.Option("--moves", help="List the legal moves.")] = False,
    view: Annotated[str | None, typer.Option(metavar="SEAT", help="As this seat (number or name) sees it.")] = None,
    as_json: Json = False,
) -> None:
    """A position: its picture, its text, who is to move."""
    from daedalus.terminal import reports, request, words

    shown = request.position_of(game, options, position, seed, record, ply)
    if view is not None:
        shown = shown.view(words.seat_number(shown.game, view))
    reports.show(_screen(), shown, svg, moves, as_json)


@app.command(epilog="Example: daedalus play blackhole --seats human,perfect --limit seconds=1")
def play(
    game: AnyGame = None,
    options: Options = None,
    position: PositionText = None,
    seed: Seed = None,
    record: RecordFile = None,
    ply: Ply = None,
    seats: Annotated[
        str | None, typer.Option(metavar="SPECS", help="Who plays, in order of the seats: human,perfect or mcts,random.")
    ] = None,
    limit: LimitText = None,
    delay: Annotated[float, typer.Option(metavar="SECONDS", min=0, help="A pause after each move of an agent.")] = 0.0,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Add the game to this file of records.")] = None,
) -> None:
    """Play a game: you against an agent, you against each other, agents among themselves. Without a game a menu asks."""
    import daedalus
    from daedalus.terminal import menu, request
    from daedalus.terminal.entry import best_entry
    from daedalus.terminal.session import Session

    screen, ask = _screen(), best_entry()
    given: list[str] | None = None
    if game is None and record is None:
        try:
            game, given = menu.choose(screen, ask)
        except EOFError:
            return
    begun = request.position_of(game, options, position, seed, record, ply)
    if given is None or seats is not None:
        given = request.seats_of(seats, begun.game)
    session = Session(begun, given, screen, ask, make=daedalus.agent, limit=_limit(limit), seed=_seed(seed), delay=delay)
    session.run(save)


@app.command(epilog="Example: daedalus replay games.txt --list")
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of records.")],
    number: Annotated[int | None, typer.Option("--game", metavar="N", help="The N-th game of the file; else the last.")] = None,
    ply: Ply = None,
    delay: Annotated[float | None, typer.Option(metavar="SECONDS", min=0, help="Step on by itself.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the games of the file.")] = False,
    as_json: Json = False,
) -> None:
    """Step through a recorded game: Enter next, b back, q quit."""
    from daedalus.terminal import keeping
    from daedalus.terminal import replay as replaying
    from daedalus.terminal.entry import at_terminal, best_entry

    screen = _screen()
    if listing:
        replaying.listing(screen, keeping.records_in(file), as_json)
        return
    record = keeping.pick(file, number)
    if as_json:
        screen.data(replaying.data(record, ply))
        return
    shown = replaying.Replay(record, screen, ply or 0)
    if delay is None and at_terminal():
        shown.walk(best_entry())
    elif ply is not None and delay is None:
        shown.draw()
    else:
        shown.run_through(delay or 0.0)


@app.command(epilog="Example: daedalus analyse blackhole --position 'R...R/.R.R./..*../.B.B./B...B R' -n 5")
def analyse(
    game: AnyGame = None,
    options: Options = None,
    position: PositionText = None,
    seed: Seed = None,
    record: RecordFile = None,
    ply: Ply = None,
    agent: Annotated[str | None, typer.Option(metavar="SPEC", help="Who analyses; else the game's strongest.")] = None,
    limit: LimitText = None,
    best: Annotated[int, typer.Option("-n", metavar="N", min=1, help="Show so many moves.")] = 10,
    as_json: Json = False,
) -> None:
    """The best moves of a position, as an agent sees them."""
    from daedalus.terminal import reports, request

    shown = request.position_of(game, options, position, seed, record, ply)
    reports.analyse(_screen(), shown, agent, _limit(limit), seed or 0, best, as_json)


@app.command(epilog="Example: daedalus perft blackhole --depth 6 --divide")
def perft(
    game: Game,
    depth: Annotated[int, typer.Option(metavar="N", min=0, max=100, help="Count sequences of so many moves.")],
    divide: Annotated[bool, typer.Option("--divide", help="Count for each first move.")] = False,
    options: Options = None,
    position: PositionText = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Count the move sequences of a length, the usual test of rules."""
    from daedalus.terminal import reports, request

    reports.perft(_screen(), request.position_of(game, options, position, seed), depth, divide, as_json)


@app.command(epilog="Example: daedalus check examples/connect_four.py:ConnectFour")
def check(game: Game, options: Options = None, as_json: Json = False) -> None:
    """Check that a game keeps the contract; exit code 1 if it does not."""
    from daedalus.terminal import reports, request

    if not reports.check(_screen(), request.game_of(game, options), as_json):
        raise typer.Exit(1)


@app.command(epilog="Example: daedalus bench blackhole --json")
def bench(game: AnyGame = None, as_json: Json = False) -> None:
    """How fast playouts and searches run, a CPU-second on one core."""
    from daedalus.terminal import reports

    reports.bench(_screen(), game, as_json)


@app.command(epilog="Example: daedalus warm")
def warm(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="The games to prepare; else all.")] = None,
) -> None:
    """Compile the games ahead of time, so that no first move has to wait."""
    from daedalus.terminal import reports

    reports.warm(_screen(), games or ())


@app.command(epilog="Example: daedalus solve blackhole -o hole=pass")
def solve(game: Game, options: Options = None, as_json: Json = False) -> None:
    """Solve a game exactly, where it is small enough."""
    from daedalus.terminal import reports, request

    reports.solve(_screen(), request.game_of(game, options), as_json)


def main() -> None:
    """The entry point: runs a command, turns whatever goes wrong into one line and an exit code."""
    try:
        code = _run()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough, as in `daedalus games | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python complains once more when it exits
        code = 1
    sys.exit(code)


# typer carries its own copy of click or uses the installed one, by version: this finds the ClickException of either
_Complaint: Any = typer.BadParameter.__mro__[2]


def _run() -> int:
    try:
        code = app(prog_name="daedalus", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except BrokenPipeError:
        raise
    except _Complaint as complaint:
        context = getattr(complaint, "ctx", None)
        return _refuse(complaint.format_message() + (f" (see {context.command_path} --help)" if context else ""))
    except Exception as error:
        if os.environ.get("DAEDALUS_TRACEBACK"):
            raise
        from daedalus.terminal.words import one_line

        return _refuse(one_line(error))


def _refuse(reason: str) -> int:
    print("daedalus: " + " ".join(reason.split()), file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
