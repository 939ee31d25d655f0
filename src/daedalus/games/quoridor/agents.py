"""Players that know Quoridor: `path` only runs, `heuristic` follows the seed's six rules."""

import time
from dataclasses import dataclass
from typing import Any

from daedalus.core import Agent, Game, Limit, Position, Thought, scramble, setting
from daedalus.search.context import SearchContext

from .expert import LEVELS, Expert
from .kernels.policies import POLICIES, Heuristic, Path
from .solving import solve

VARIANTS: dict[str, dict[str, object]] = {
    "": {},
    "four": {"players": 4},
    "small": {"width": 5, "height": 5, "walls": 3},
    "large": {"width": 11, "height": 11, "walls": 15},
}
# Uniform games wander for 230 plies; those that mostly run to the goal end after 18 and tell more.
DEFAULTS: dict[str, dict[str, object]] = {"mcts": {"rollout": "path"}, "mc": {"rollout": "path"}}


@dataclass
class Simple(Agent):
    """What the players without a search share: a policy picks the move."""

    def policy(self) -> Any:
        raise NotImplementedError

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        """The policy's move; the same seed, the same moves."""
        begun = time.perf_counter()
        context = SearchContext(view, f"{__package__}.kernels.policies", 1, scramble(self.seed, len(view.history), view.turn))
        move = view.move(int(context.kernels.picked(context.game, self.policy(), context.S, context.W)))
        return Thought(move, line=(str(move),), seconds=time.perf_counter() - begun)


@dataclass
class PathPlayer(Simple):
    """Always one step of a shortest path, never a wall."""

    def policy(self) -> Path:
        return Path(stray=0)


@dataclass
class HeuristicPlayer(Simple):
    """The six rules of the seed: runs, and now and then puts a wall across the path of who is ahead."""

    patience: float = setting(0.6, "how often it runs although it could block", float, low=0, high=1)

    def policy(self) -> Heuristic:
        return Heuristic(self.patience)


AGENTS: dict[str, Any] = {"path": PathPlayer, "heuristic": HeuristicPlayer, **LEVELS, "expert": Expert}


def opponent(game: Game) -> str:
    """Whom one plays against when nobody is named."""
    return "expert:seconds=1" if game.SEATS == 2 else "mcts:seconds=1"


__all__ = ["AGENTS", "DEFAULTS", "POLICIES", "VARIANTS", "Expert", "HeuristicPlayer", "PathPlayer", "opponent", "solve"]
