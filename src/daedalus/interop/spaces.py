"""The spaces of Gymnasium that observations and actions of a game lie in."""

from typing import Any

import numpy as np

from daedalus.core import Game

from .extra import missing

try:
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise missing(error) from None


def observation_space(game: Game) -> Any:
    """What a seat sees, and the mask of what it may do."""
    seen = spaces.Box(-np.inf, np.inf, (game.FEATURES,), np.float32)
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (game.ACTIONS,), np.int8)})


def action_space(game: Game) -> Any:
    """The numbers of all actions."""
    return spaces.Discrete(game.ACTIONS)
