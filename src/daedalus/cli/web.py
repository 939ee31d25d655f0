"""The command that opens the games in a browser: web, which plain `daedalus` starts too."""

from typing import Annotated

import typer

from . import completion
from .app import app


@app.command(epilog="Examples: daedalus web; daedalus web mine.py:Hex --port 8080; daedalus web --host 0.0.0.0 --no-open")
def web(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            help="Games of your own beside those that come with Daedalus: path/to/file.py:Class.",
            autocompletion=completion.games,
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Who can reach it: this machine alone, or with 0.0.0.0 its network too.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="0 takes any that is free.")] = 8000,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser, if there is one.")] = True,
    db: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Where tables are kept: a file, or postgresql://...; else the user's own."),
    ] = None,
    workers: Annotated[int | None, typer.Option(metavar="N", min=1, max=256, help="So many searches at once (2).")] = None,
    allow_code: Annotated[
        bool, typer.Option("--allow-code", help="Players may name agents of any file, module or program on this machine.")
    ] = False,
) -> None:
    """Play in a browser: alone, with a friend, or looking on."""
    start(games or (), host, port, browser, db, workers, allow_code)


def start(*arguments: object) -> None:
    """Starts the server, if what it needs is installed."""
    from daedalus.core import DaedalusError

    try:
        from daedalus.web.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("daedalus"):
            raise
        raise DaedalusError(f"the browser app needs {error.name}: pip install 'daedalus[web]'") from None
    serve(*arguments)  # type: ignore[arg-type]
