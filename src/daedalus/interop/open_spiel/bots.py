"""Our agents as bots of OpenSpiel: they get the view of the seat to move and answer with the number of their move."""

from typing import Any

import pyspiel

from daedalus.agents import make_agent
from daedalus.core import Limit

from .states import OpenSpielState


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """An agent by its spec: `Bot(game, "mcts:simulations=200")`. Every `restart` begins a new game with the next seed."""

    def __init__(self, game: Any, spec: str, limit: Limit | None = None, seed: int = 0) -> None:
        super().__init__()
        self.agent = make_agent(spec, game.rules.game, seed)
        self._limit, self._seed = limit, seed

    def restart(self) -> None:
        """A new game begins."""
        self._seed += 1
        self.agent.new_game(self._seed)

    def restart_at(self, state: OpenSpielState) -> None:
        """A new game begins at this state."""
        self.restart()

    def step(self, state: OpenSpielState) -> int:
        """The number of the move that the agent chooses."""
        thought = self.agent.choose(state.position.view(), self._limit)
        return state.action_of(thought.move)
