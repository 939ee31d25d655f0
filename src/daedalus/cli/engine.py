"""The command that makes an agent an engine for other programs: engine."""

import os
import sys
import threading
from collections.abc import Callable
from typing import Annotated

import typer

from . import completion
from .app import Game, Options, app


@app.command(epilog="Examples: daedalus engine quoridor; daedalus engine mine.py:Hex mcts:threads=2")
def engine(
    game: Game,
    spec: Annotated[
        str | None,
        typer.Argument(metavar="SPEC", help="Who plays; else the game's strongest.", autocompletion=completion.specs),
    ] = None,
    options: Options = None,
) -> None:
    """Play as an engine for another program, over standard input and output.

    It speaks JSON lines if the first line begins with a brace, else the text dialect that begins with `uci`; both are in
    docs/engines.md.
    """
    from daedalus.agents.engine_dialects import engine_spec, play_as_engine
    from daedalus.agents.engine_server import lines_of
    from daedalus.agents.spec import make_agent
    from daedalus.terminal import arguments

    rules = arguments.game_of(game, options)
    spec = spec or engine_spec(rules)
    make_agent(spec, rules).close()  # says at once what is wrong with it
    try:
        play_as_engine(rules, spec, lines_of(sys.stdin.buffer), _only_writer())
        code = 0
    except KeyboardInterrupt:
        code = 130
    sys.stderr.flush()
    os._exit(code)  # whoever said quit does not wait for an agent that does not stop, nor for Python to tidy up


def _only_writer() -> Callable[[str], None]:
    """Writes lines to what is standard output now; whatever else is printed from here on goes to standard error."""
    sys.stdout.flush()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    os.dup2(2, 1)
    lock = threading.Lock()

    def write(line: str) -> None:
        with lock:
            try:
                answers.write(line + "\n")
                answers.flush()
            except OSError:  # nobody listens any more
                os._exit(1)

    return write
