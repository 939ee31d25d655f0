"""The command that trains networks: train."""

from pathlib import Path
from typing import Annotated

import typer

from .app import AnyGame, Options, app, screen_here

# What a run keeps from its beginning, by the names of the parameters below.
_KEPT = {"options": "-o", "recipe": "--recipe", "seed": "--seed", "workers": "--workers", "out": "--out"}


@app.command(
    epilog="Examples: daedalus train blackhole -o hole=pass --minutes 2; daedalus train --resume train-blackhole --minutes 10"
)
def train(
    ctx: typer.Context,
    game: AnyGame = None,
    options: Options = None,
    recipe: Annotated[
        str,
        typer.Option(
            "--recipe",
            metavar="NAME|FILE.toml",
            help="How to train: `selfplay` for any game with features, with the game's own numbers and teacher if it has them; "
            "`published` and `fixed` for Q-learning; or a file of your own (docs/learning.md).",
        ),
    ] = "selfplay",
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes",
            metavar="M",
            help="So long in all, what an earlier command spent included; else as the recipe says, or 10 minutes.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Decides the first weights, the games, the samples.")] = 0,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", min=1, max=256, help="So many play at once; they decide the games too.")
    ] = 1,
    on: Annotated[
        str | None,
        typer.Option("--on", metavar="ray|ray://HOST:PORT", help="Let them play on Ray: one of its own, or a cluster."),
    ] = None,
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
        for name, flag in _KEPT.items():
            source = ctx.get_parameter_source(name)
            if source is not None and source.name == "COMMANDLINE":
                raise InvalidOption(f"{flag}: a run goes on with its own; with --resume only --minutes and --on can be given")
        training.train(screen_here(), Request(resume, minutes=minutes, on=on))
        return
    name = Path(game.rpartition(":")[2] or game).stem.lower()
    request = Request(out or Path(f"train-{name}"), game_of(game, options), recipe, minutes, seed, workers, on)
    training.train(screen_here(), request)
