"""What `daedalus train` asks for, and who carries it out: the general learner, or one of a game's own."""

import importlib
import importlib.util
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daedalus.core import DaedalusError, InvalidOption
from daedalus.core.files import trained_by_one
from daedalus.core.options import written
from daedalus.core.registry import registration_of

from .recipe import SELFPLAY, Recipe, read_recipe
from .remote import demand_place, workers_on
from .run import Listener, Run, refuse_run

USUAL_MINUTES = 10.0  # of training where nobody says how long


@dataclass(frozen=True)
class Request:
    """A run to begin in a folder, with a game and a recipe, or (without a game) one to go on with."""

    folder: Path
    game: Any = None
    recipe: str = SELFPLAY
    minutes: float | None = None
    seed: int = 0
    workers: int = 1
    on: str | None = None


def carry_out(request: Request, listener: Listener, say: Callable[[str], None]) -> Run | None:
    """Trains as asked; the general learner's run, if it was that."""
    if request.minutes is not None and not request.minutes > 0:
        raise InvalidOption(f"minutes={request.minutes:g}: takes more than 0")
    demand_place(request.on)
    given = read_recipe(request.recipe, request.game) if request.game is not None else _kept(request.folder)
    learner = given.get("learner", SELFPLAY)
    if learner != SELFPLAY:
        _refuse_other(request, given)
        _other(learner).run(given, request.folder, request.seed, say)
        return None
    if request.game is None:
        run = Run(request.folder, listener)
    else:
        run = Run.create(request.folder, request.game, Recipe.of(given), request.seed, request.workers, listener)
    minutes = request.minutes
    if minutes is None and not run.recipe.iterations:
        minutes = run.seconds / 60 + USUAL_MINUTES
    with trained_by_one(run.folder), workers_on(request.on, run.workers) as run.worker:
        run.train(minutes)
    return run


def _refuse_other(request: Request, given: dict[str, Any]) -> None:
    """Refuses what only the general learner heeds, for learners of their own."""
    unheeded = [name for name in ("minutes", "workers", "on") if getattr(request, name) != getattr(Request, name)]
    if unheeded:
        raise InvalidOption(f"--{unheeded[0]} is for self-play: this recipe says itself how long it trains, in one process")
    if request.game is None:
        return
    refuse_run(request.folder)
    name, wanted = registration_of(request.game).name, given.get("game", "")
    if wanted and name != wanted:
        raise InvalidOption(f"this recipe trains for {wanted}, not for {name}")
    if wanted and written(request.game):
        raise InvalidOption(f"this recipe trains for {wanted} with its usual options, not with {written(request.game)}")


def _kept(folder: Path) -> dict[str, Any]:
    """The recipe that a run's folder keeps."""
    try:
        return tomllib.loads((folder / "recipe.toml").read_text())
    except OSError:
        raise DaedalusError(f"{folder} holds no training run") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DaedalusError(f"{folder / 'recipe.toml'}: no TOML: {error}") from None


def _other(learner: Any) -> Any:
    """A learner of its own: a module here with a function `run`."""
    name = f"{__package__}.{learner}"
    if not (isinstance(learner, str) and learner.isidentifier() and importlib.util.find_spec(name)):
        raise InvalidOption(f"learner={learner}: no such learner; {SELFPLAY} is the general one")
    module = importlib.import_module(name)
    if not hasattr(module, "run"):
        raise InvalidOption(f"learner={learner}: no such learner; {SELFPLAY} is the general one")
    return module
