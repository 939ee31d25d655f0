"""The command `daedalus`: what can be asked for, and how it ends when something is wrong.

Every error of the user is one line on stderr and exit code 2. What is heavy is imported inside the commands, so that
the small ones answer at once.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from . import completion

if TYPE_CHECKING:
    from daedalus.core import Limit
    from daedalus.terminal.screen import Screen


class _Commands(TyperGroup):
    """Commands whose flags, `--help` too, are off unless given: typer would load pydantic to find out, a tenth of a second."""

    def get_params(self, ctx: Any) -> Any:
        return _off(super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _off([command.get_help_option(ctx)])
        return command


def _off(parameters: list[Any]) -> list[Any]:
    for flag in parameters:
        if getattr(flag, "is_flag", False) and not isinstance(flag.default, bool):
            flag.default = False
    return parameters


app = typer.Typer(
    cls=_Commands,
    help="A laboratory for board games whose paths are built, blocked and moved while you play.",
    epilog="Begin with: daedalus play blackhole",
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_GAME = typer.Argument(metavar="GAME", help="A game's name, or path/to/file.py:Class.", autocompletion=completion.games)
Game = Annotated[str, _GAME]
AnyGame = Annotated[str | None, _GAME]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "-o",
        "--option",
        metavar="KEY=VALUE",
        help="An option of the game; may be repeated.",
        autocompletion=completion.game_options,
    ),
]
PositionText = Annotated[
    str | None, typer.Option("--position", metavar="TEXT", help="A position as text, instead of the start.")
]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="The same seed, the same deal and the same agents.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
RecordFile = Annotated[
    Path | None, typer.Option("--record", metavar="FILE", help="Take the position from the last game of this file of records.")
]
View = Annotated[
    str | None,
    typer.Option(
        "--view",
        metavar="SEAT",
        help="As this seat (number or name) sees it; a running game with hidden cards else as its one human does.",
    ),
]
Ply = Annotated[int | None, typer.Option("--ply", metavar="K", help="With a record: the position after K moves.")]
AllowCode = Annotated[
    bool, typer.Option("--allow-code", help="Run the Python code of a game of somebody's own that the file or store names.")
]
LimitText = Annotated[
    str | None,
    typer.Option(
        "--limit",
        metavar="LIMIT",
        help="How long an agent may think: seconds=1,simulations=1000,depth=5, first=30 for its first move; or course.",
        autocompletion=completion.limits,
    ),
]


def screen_here() -> "Screen":
    """The screen a command writes on."""
    from daedalus.terminal.screen import Screen

    return Screen()


def trust(game: str, allow_code: bool) -> None:
    """Loads a game that a record or a store names, so that nobody need ask again.

    If that runs code, the user has to say yes: with `--allow-code`, by naming the game himself, or to a question here.
    """
    from daedalus.core import UntrustedCode
    from daedalus.core.printable import printable
    from daedalus.core.registry import find
    from daedalus.terminal.input import at_terminal

    try:
        find(game, allow_code)
    except UntrustedCode:
        if not at_terminal() or not typer.confirm(f"This runs the Python code of {printable(game, 200)}. Do you trust it?"):
            raise
        find(game)


def trust_record(file: Path | None, allow_code: bool, game: str | None = None) -> None:
    """The same for the game of the record that `--record` means; `game` is what the user named."""
    from daedalus.terminal import savefiles

    if file is not None:
        named = savefiles.named(str(file)).tags["Game"]
        trust(named, allow_code or named == game)


def limit_of(text: str | None) -> "Limit | None":
    """The limit that `--limit` names."""
    from daedalus.core import Limit

    return None if text is None else Limit.parse(text)


def seed_of(seed: int | None) -> int:
    """The seed the user gave, else one that nobody can guess."""
    import secrets

    from daedalus.core.seeds import SEED_BITS

    return secrets.randbits(SEED_BITS) if seed is None else seed


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
    if context.invoked_subcommand is not None:
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        context.invoke(context.command.get_command(context, "web").callback)  # type: ignore[attr-defined]
    else:
        typer.echo(context.get_help())


def main() -> None:
    """The entry point: runs a command, turns whatever goes wrong into one line and an exit code."""
    try:
        with completion.for_bash():
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
        from daedalus.terminal.format import one_line

        return _refuse(one_line(error))


def _refuse(reason: str) -> int:
    from daedalus.core.printable import printable

    print("daedalus: " + printable(reason), file=sys.stderr)
    return 2
