"""Players that know Colosseum Survival!: `walk`, `report`, `expert` and the levels below it."""

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from daedalus.core import Agent, Game, Limit, Move, Position, Thought, Watch, scramble, setting
from daedalus.core.memory import workspaces
from daedalus.search import SearchAgent
from daedalus.search.agents import moves_made

from .expert import PrincipalSearch
from .kernels.evaluations import EVALUATIONS
from .kernels.policies import POLICIES, HeuristicChoice
from .kernels.rules import WALK, Colosseum
from .report import FINALS, ROLLOUTS, UNTRIED, ReportSearch

VARIANTS: dict[str, dict[str, object]] = {
    "size8": {},
    "size6": {"size": 6, "rule": 2022},
    "size10": {"size": 10},
    "size12": {"size": 12},
}
DEFAULTS: dict[str, dict[str, object]] = {"mcts": {"cutoff": 0}}


def walk_move(view: Position, seed: int) -> Move:
    """The course's random walk for the player to move."""
    w = workspaces(view.game, 1, scramble(seed, len(view.history), view.turn))[0]
    with np.errstate(over="ignore"):  # the generator's 64-bit numbers wrap
        return view.move(int(view.game.random_move(view.state, w)))


def fault_move(view: Position, seed: int) -> Move | None:
    """What is played instead of an illegal or late move: a random walk if the option `faults` says so, else nothing."""
    return walk_move(view, seed) if cast(Colosseum, view.game).faults == WALK else None


def kept_back(limit: Limit) -> Limit:
    """A little less time than allowed: setting out, the last chunk and telling what was thought take some milliseconds."""
    if limit.seconds is None:
        return limit
    return replace(limit, seconds=max(0.5 * limit.seconds, 0.99 * limit.seconds - 0.004))


@dataclass
class Walk(Agent):
    """The course's random agent: a random walk of 0 to K steps, then a barrier on any open side."""

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        return Thought(walk_move(view, self.seed))


@dataclass
class TimedAgent(SearchAgent):
    """A searching player that may think longer at its first move."""

    first: float | None = setting(None, "think at most so long at the first move, instead of `seconds`", float, low=1e-6)

    def decided(self, view: Position) -> Thought | None:
        return None  # its searches see a win at hand themselves

    def own_limit(self, view: Position) -> Limit:
        return replace(super().own_limit(view), first=self.first).at(moves_made(view))

    def bounds(self, view: Position, limit: Limit) -> Limit:
        return kept_back(super().bounds(view, limit))


@dataclass
class Expert(TimedAgent):
    """Principal variation search with territory, mobility and spare barriers: the strongest player here."""

    depth: int | None = setting(None, "at most so many plies ahead", int, low=1, high=40)
    eval: str = setting("territory", "evaluation of the leaves", choices=tuple(EVALUATIONS))
    table: int = setting(18, "size of the transposition table as a power of two", int, low=4, high=26)

    ENDED_BY = ("seconds", "simulations", "depth")

    def make(self, game: Game) -> PrincipalSearch:
        return PrincipalSearch(EVALUATIONS[self.eval], table=self.table)


@dataclass
class ReportPlayer(TimedAgent):
    """The published report's agent: UCT with the heuristic choice in the tree and in rollouts, wins at once if it can."""

    c: float = setting(0.5, "exploration: Q/N + c*sqrt(2 ln N_parent / N)", float, low=0)
    implicit: float = setting(0.0, "weight of implicit minimax backups", float, low=0, high=1)
    untried: str = setting("zero", "value of a move never tried: 0 (report) or above all (its program)", choices=tuple(UNTRIED))
    final: str = setting("value", "play the move of largest value (report) or most visits (its program)", choices=FINALS)
    wins: bool = setting(True, "heuristic choice: a move that wins at once comes first, before any search too", bool)
    safe: bool = setting(True, "heuristic choice: moves that end the game with a loss or a tie are left aside", bool)
    roomy: bool = setting(True, "heuristic choice, A: moves that leave their cell fewer than 3 walls", bool)
    inner: bool = setting(True, "heuristic choice, B: if there are none, moves to a cell off the border", bool)
    rollout: str = setting("heuristic", "moves of the rollouts: the heuristic choice (report), or any", choices=ROLLOUTS)
    reuse: bool = setting(True, "keep the tree between moves", bool)
    nodes: int = setting(2_000_000, "a tree grows no larger", int, low=2)

    USUAL = Limit(seconds=1.0, first=20.0)

    def make(self, game: Game) -> ReportSearch:
        choice = HeuristicChoice(int(self.wins), int(self.safe), int(self.roomy), int(self.inner))
        how = (self.c, self.implicit, self.untried, self.final, choice, self.rollout)
        return ReportSearch(*how, self.reuse, self.nodes, self.seed)


AGENTS: dict[str, Any] = {
    "walk": Walk,
    "report": ReportPlayer,
    "expert": Expert,
    "strong": "expert:depth=5",
    "club": "expert:depth=3",
    "novice": "expert:depth=1,eval=voronoi",
    "seed": "report",  # its name in records of version 0.1
}


def opponent(game: Game) -> str:
    """Whom one plays against when nobody is named."""
    return "expert:seconds=0.5"


__all__ = [
    "AGENTS",
    "DEFAULTS",
    "EVALUATIONS",
    "POLICIES",
    "VARIANTS",
    "Expert",
    "ReportPlayer",
    "Walk",
    "fault_move",
    "opponent",
    "walk_move",
]
