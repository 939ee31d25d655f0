"""What an environment of one game shows of a position: what a seat sees, what it may do, a picture."""

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from daedalus.core import DaedalusError, Game, InvalidOption, Position
from daedalus.core.memory import copies
from daedalus.core.options import refusal
from daedalus.core.registry import registration_of

from .raster import rgb_array

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")
ILLEGAL = ("lose", "random")  # what becomes of an illegal action: the game is lost, or a random legal one is taken instead


def whole_number(name: str, value: Any) -> int:
    """A whole number of any library's; refuses what is none."""
    try:
        return operator.index(value)
    except TypeError:
        raise refusal(name, value, "a whole number") from None


def refuse_unfit(game: Game, render_mode: str | None, illegal: str) -> None:
    """Refuses a game that shows learners nothing, and settings that there are not."""
    if not (game.FEATURES and game.ACTIONS):
        lacking = "actions" if game.FEATURES else "features"
        raise DaedalusError(f"{registration_of(game).name} has no {lacking}: see docs/features.md")
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise InvalidOption(f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
    if illegal not in ILLEGAL:
        raise InvalidOption(f"illegal is one of {', '.join(ILLEGAL)}, not {illegal!r}")


def legal_actions(position: Position) -> dict[int, int]:
    """The legal moves by their actions; of those that share one, the first in the game's order."""
    game = position.game
    codes = np.array(position.legal_moves.codes, np.int64)
    numbers = np.zeros_like(codes)
    registration_of(game).transitions.actions(game, copies(game, [position.state], 1), codes, numbers)
    return dict(zip(reversed(numbers.tolist()), reversed(codes.tolist()), strict=True))


def observation(position: Position, seat: int, legal: dict[int, int]) -> dict[str, npt.NDArray[Any]]:
    """What a seat sees, and the mask of what it may do: nothing unless it is its turn."""
    game = position.game
    numbers = np.zeros(game.FEATURES, np.float32)
    registration_of(game).transitions.features(game, copies(game, [position.state], 1), seat, numbers)
    mask = np.zeros(game.ACTIONS, np.int8)
    if position.turn == seat:
        mask[list(legal)] = 1
    return {"observation": numbers, "action_mask": mask}


def rendered(position: Position, seat: int, mode: str) -> Any:
    """A position as a seat sees it: text, an SVG, an array of pixels, or None after printing it for a human."""
    view = position.view(seat)
    if mode == "svg":
        return view.svg()
    if mode == "rgb_array":
        return rgb_array(view.svg())
    text = f"{view}\n{view.summary}\n"
    if mode == "ansi":
        return text
    print(text)
    return None
