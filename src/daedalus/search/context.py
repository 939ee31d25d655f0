"""What every search sets out before it starts: copies of the view's state, workspaces, kernels, positions seen."""

from typing import Any

import numpy as np

from daedalus.core import Position
from daedalus.core.memory import copies, workspaces
from daedalus.core.registry import registration_of


class SearchContext:
    """Memory for one search of one view on one thread: S[0] is the view's state, the rest is scratch; and its kernels."""

    def __init__(self, view: Position, module: str, plies: int, seed: int) -> None:
        self.view = view
        self.game = view.game
        self.kernels: Any = registration_of(view.game).kernels.load(module)
        self.S = copies(view.game, [view.state], plies)
        self.W = workspaces(view.game, plies, seed)


def repetition_matters(view: Position) -> bool:
    """Does the game end by repetition?"""
    return bool(getattr(view.game, "repetition", 0))


def seen_positions(view: Position, always: bool = False) -> Any:
    """The keys of the positions that have stood on the board, as the open-addressing table kernels read.

    Empty where repetition does not matter by the rules, unless the search wants to avoid it `always`.
    """
    keys = {key for key in view.keys if key} if always or repetition_matters(view) else set()
    size = 1 << max(4, (2 * len(keys)).bit_length())
    table = np.zeros(size, np.uint64)
    for key in keys:
        place = key & size - 1
        while table[place]:
            place = place + 1 & size - 1
        table[place] = key
    return table
