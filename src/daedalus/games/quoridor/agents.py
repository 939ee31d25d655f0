"""Players that know Quoridor: `path` only runs, `heuristic` follows the six rules of Hoľa (2016, section 4.6)."""

from dataclasses import dataclass
from typing import Any

from daedalus.core import Game, setting
from daedalus.search import PolicyPlayer

from .expert import LEVELS, Expert
from .kernels.policies import POLICIES, Heuristic, Path
from .qnet import QNetPlayer
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
class PathPlayer(PolicyPlayer):
    """Always one step of a shortest path, never a wall."""

    def policy(self) -> Path:
        return Path(stray=0)


@dataclass
class HeuristicPlayer(PolicyPlayer):
    """The six rules of Hoľa (2016, section 4.6): runs, and now and then puts a wall across the path of who is ahead."""

    patience: float = setting(0.6, "how often it runs although it could block", float, low=0, high=1)

    def policy(self) -> Heuristic:
        return Heuristic(self.patience)


AGENTS: dict[str, Any] = {"path": PathPlayer, "heuristic": HeuristicPlayer, "qnet": QNetPlayer, **LEVELS, "expert": Expert}


def opponent(game: Game) -> str:
    """Whom one plays against when nobody is named."""
    return "expert:seconds=1" if game.SEATS == 2 else "mcts:seconds=1"


__all__ = ["AGENTS", "DEFAULTS", "POLICIES", "VARIANTS", "Expert", "HeuristicPlayer", "PathPlayer", "opponent", "solve"]
