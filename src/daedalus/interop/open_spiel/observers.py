"""What a seat may know of a state, for OpenSpiel: as numbers (`features`) and as text (the seat's view), never the truth."""

from typing import Any

import numpy as np
import pyspiel

from daedalus.core.features import groups

from .states import OpenSpielState
from .trail import Rules, features

START, MOVES = "at the start: ", "moves"  # names of what an information state has beside the features


class Observer:
    """OpenSpiel's PyObserver. With perfect recall it also holds the features of the start and the labels of all moves."""

    def __init__(self, rules: Rules, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers of these games take no parameters, not {params}")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("observers of these games show what one seat may know: what all see and what it sees itself")
        self._recall, self._features = kind.perfect_recall, rules.game.FEATURES
        size = 2 * self._features + rules.longest if self._recall else self._features
        self.tensor = np.zeros(size, np.float32)
        self.dict = self._named(rules)

    def _named(self, rules: Rules) -> dict[str, np.ndarray]:
        """The parts of the tensor by the names of their groups, in their shapes."""
        parts = [(group.name, group.shape) for group in groups(rules.game)] or [("features", (self._features,))]
        if self._recall:
            parts += [(START + name, shape) for name, shape in parts] + [(MOVES, (rules.longest,))]
        named, begin = {}, 0
        for name, shape in parts:
            end = begin + int(np.prod(shape))
            named[name] = self.tensor[begin:end].reshape(shape)
            begin = end
        return named

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fills the tensor; before the deal nothing is known."""
        self.tensor.fill(0)
        trail, count = state.trail, self._features
        if trail.position is None or trail.start is None:
            return
        self.tensor[:count] = features(trail.position, player)
        if self._recall:
            self.tensor[count : 2 * count] = features(trail.start, player)
            labels = [seen.label + 1 for seen in trail.seen(player)[1:]]
            self.dict[MOVES][: len(labels)] = labels

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The same as text: the seat's view, with perfect recall all that it saw since the start."""
        if state.trail.position is None:
            return f"seat {player}, not dealt yet"
        if self._recall:
            return "\n".join([f"seat {player}", *(seen.text for seen in state.trail.seen(player))])
        return f"seat {player} {state.trail.position.view(player).text}"
