"""What `daedalus train` asks for, and who carries it out: the general learner, or one of a game's own."""

import importlib
import importlib.util
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daedalus.core import DaedalusError, InvalidOption

from .recipe import SELFPLAY, Recipe, read_recipe
from .run import Listener, Run


@dataclass(frozen=True)
class Request:
    """A run to begin in a folder, with a game and a recipe, or (without a game) one to go on with."""

    folder: Path
    game: Any = None
    recipe: str = SELFPLAY
    minutes: float | None = None
    seed: int = 0
    workers: int = 1


def carry_out(request: Request, listener: Listener, say: Callable[[str], None]) -> Run | None:
    """Trains as asked; the general learner's run, if it was that."""
    given = read_recipe(request.recipe, request.game) if request.game is not None else _kept(request.folder)
    learner = given.get("learner", SELFPLAY)
    if learner != SELFPLAY:
        _other(learner).run(given, request.folder, request.seed, say)
        return None
    if request.game is None:
        run = Run(request.folder, listener)
    else:
        run = Run.create(request.folder, request.game, Recipe.of(given), request.seed, request.workers, listener)
    run.train(request.minutes)
    return run


def _kept(folder: Path) -> dict[str, Any]:
    """The recipe that a run's folder keeps."""
    try:
        return tomllib.loads((folder / "recipe.toml").read_text())
    except OSError:
        raise DaedalusError(f"{folder} holds no training run") from None


def _other(learner: Any) -> Any:
    """A learner of its own: a module here with a function `run`."""
    name = f"{__package__}.{learner}"
    if not (isinstance(learner, str) and learner.isidentifier() and importlib.util.find_spec(name)):
        raise InvalidOption(f"learner={learner}: no such learner; {SELFPLAY} is the general one")
    module = importlib.import_module(name)
    if not hasattr(module, "run"):
        raise InvalidOption(f"learner={learner}: no such learner; {SELFPLAY} is the general one")
    return module
