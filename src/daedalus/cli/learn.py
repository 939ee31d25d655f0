"""The command that trains networks: train."""

from pathlib import Path
from typing import Annotated

import typer

from .app import AnyGame, Options, app, screen_here


@app.command(
    epilog="Examples: daedalus train blackhole -o hole=pass --minutes 2; daedalus train --resume train-blackhole --minutes 10"
)
def train(
    game: AnyGame = None,
    options: Options = None,
    recipe: Annotated[
        str, typer.Option("--recipe", metavar="NAME|FILE.toml", help="How to train; `selfplay` suits any game with features.")
    ] = "selfplay",
    minutes: Annotated[
        float | None, typer.Option("--minutes", metavar="M", help="So long in all, what an earlier command spent included.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Decides the first weights, the games, the samples.")] = 0,
    workers: Annotated[int, typer.Option("--workers", metavar="N", min=1, max=256, help="Threads that play.")] = 1,
    out: Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="Keep the run there; else in train-GAME.")] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="FOLDER", help="Go on with a run, killed or not, from its last checkpoint."),
    ] = None,
) -> None:
    """Train a network that plays: self-play, training, evaluation; the best one is net:FOLDER/best.safetensors.

    Needs JAX (pip install 'daedalus\\[learn]'); playing with the network does not.
    """
    from daedalus.core import InvalidOption
    from daedalus.learn.learners import Request
    from daedalus.terminal import training
    from daedalus.terminal.arguments import game_of

    if (game is None) == (resume is None):
        raise InvalidOption("name a game to train for, or a run to go on with (--resume FOLDER)")
    if game is None:
        assert resume is not None
        training.train(screen_here(), Request(resume, minutes=minutes))
        return
    name = Path(game.rpartition(":")[2] or game).stem.lower()
    request = Request(out or Path(f"train-{name}"), game_of(game, options), recipe, minutes, seed, workers)
    training.train(screen_here(), request)
