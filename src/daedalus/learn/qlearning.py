"""Q-learning: a recipe names the game whose own module `qlearning` carries it out."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from daedalus.core import InvalidOption
from daedalus.core.registry import find


def run(given: dict[str, Any], folder: Path, seed: int, say: Callable[[str], None]) -> None:
    """Trains as a recipe says; a folder with a checkpoint is gone on with."""
    importlib.import_module(f"{__package__}.training")  # says what to install, before anything is made
    module = find(str(given.get("game", ""))).module("qlearning") if given.get("game") else None
    if module is None:
        raise InvalidOption("a recipe of Q-learning names a game that has it: game = ...")
    module.run(given, folder, seed, say)
