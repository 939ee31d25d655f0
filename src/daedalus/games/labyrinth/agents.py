"""Players that know Labyrinth: the thesis's, its ideas for better ones, and the expert."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from daedalus.core import Agent, Candidate, Clock, Game, Limit, Position, Thought, scramble
from daedalus.core.agent import setting
from daedalus.core.memory import copies, workspaces
from daedalus.search.budget import Budget

from .deciding import Deciding, kernels_of
from .expert import Expert
from .kernels.policies import POLICIES, RANDOM, RULEBASED

_POLICY = {"random": RANDOM, "rulebased": RULEBASED}

VARIANTS: dict[str, dict[str, object]] = {
    "": {},
    "3x3": {"board": "3x3"},
    "three": {"board": "3x5", "players": 3, "again": True, "block": True, "goals": "any", "undo": "exact"},
    "four": {"board": "5x5", "players": 4, "goals": "own", "open": True, "undo": "free", "cap": 60},
}
# Whole games of tree search take long to tell moves apart: few turns with players that know where they go, then the race.
DEFAULTS: dict[str, dict[str, object]] = {
    "mcts": {"select": "puct", "rollout": "planning", "cutoff": 4, "c": 0.5, "fpu": 0.2},
    "alphabeta": {"depth": 2},
}


# --- players that do not search ---------------------------------------------------------------------------------------


@dataclass
class Uniform(Agent):
    """Any legal move, each equally likely (the thesis's `random` takes its goal when it can)."""

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        moves = view.legal_moves
        return Thought(moves[scramble(self.seed, len(view.history), view.turn) % len(moves)])


class _Simple(Agent):
    """A player that moves at once."""

    policy = RANDOM

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        begun = time.perf_counter()
        S = copies(view.game, [view.state], 1)
        W = workspaces(view.game, 1, scramble(self.seed, len(view.history), view.turn))
        code = int(kernels_of(view.game, "montecarlo").choose(view.game, S, W, self.policy))
        return Thought(view.move(code), seconds=time.perf_counter() - begun)


@dataclass
class Random(_Simple):
    """The thesis's random player: any insertion, then its goal if it can be reached, else any cell that can."""


@dataclass
class RuleBased(_Simple):
    """The thesis's rule-based player: the first insertion that reaches the goal, else a random one and the closest cell."""

    policy = RULEBASED


class _Judging(Deciding):
    """A player that gives every move points, all looked at without chance, and takes the first of the best."""

    kernel = ""

    def ponder(self, view: Position, moves: Any, limit: Limit) -> Thought:
        begun = time.perf_counter()
        points = self._points(view, moves)
        order = np.argsort(-points, kind="stable")
        ranked = tuple(Candidate(view.move(int(moves[i])), note=f"{points[i]:g} points") for i in order[:20])
        return Thought(ranked[0].move, None, ranked, (str(ranked[0].move),), seconds=time.perf_counter() - begun)

    def touch(self, view: Position, moves: Any) -> None:
        self._points(view, moves[:1])

    def _points(self, view: Position, moves: Any) -> Any:
        S, W = copies(view.game, [view.state], 3), workspaces(view.game, 1, 1)
        points = np.zeros(moves.size)
        getattr(kernels_of(view.game, "planning"), self.kernel)(view.game, S, W, moves, points)
        return points


@dataclass
class Advanced(_Judging):
    """The thesis's better rule-based player: of all ways to the goal the one that leaves the next seat least, else closest."""

    kernel = "advanced"


@dataclass
class Planner(_Judging):
    """Looks at all pairs of own turns: reaches the goal now, or goes where most insertions would reach it next."""

    kernel = "two_turns"


# --- the thesis's Monte Carlo agents ----------------------------------------------------------------------------------


@dataclass
class MonteCarlo(Deciding):
    """The thesis's Monte Carlo agents: play-outs for every move (single), or for insertions, then destinations (double)."""

    stage: str = setting("single", "moves at once, or first the insertion, then the destination", choices=("single", "double"))
    playouts: str = setting("random", "who plays the play-outs", choices=("random", "rulebased"))
    allstar: bool = setting(False, "a few play-outs for all, then many for the best", bool)
    each: int = setting(100, "play-outs for a candidate (in the second stage of allstar)", int, low=1)
    first: int = setting(10, "play-outs for a candidate in the first stage of allstar", int, low=1)
    keep: int = setting(10, "candidates of the second stage of allstar", int, low=1)
    depth: int | None = setting(None, "turns after the candidate (4; double 5)", int, low=0)
    win: float = setting(50.0, "score of a win", float)
    loss: float = setting(50.0, "what a loss costs", float)
    goal: float | None = setting(None, "score of a goal found (15; double 10)", float)
    rival: float = setting(10.0, "what a goal of another costs", float)
    seconds: float | None = setting(None, "think at most so long a move", float, low=1e-6)

    def touch(self, view: Position, moves: Any) -> None:
        _PlayOuts(self, view, Limit()).scored(moves[:1], 1, True)

    def ponder(self, view: Position, moves: Any, limit: Limit) -> Thought:
        run = _PlayOuts(self, view, Limit(self.seconds) & limit)
        cells = view.state.marker.size
        if self.stage == "double":
            insertions = moves // cells
            firsts = moves[np.flatnonzero(np.diff(insertions, prepend=-1))]
            chosen = run.best(firsts, whole=False)[0][0] // cells
            moves = moves[insertions == chosen]
        ranked = run.best(moves, whole=True)
        scale = abs(self.win) + abs(run.goal) + abs(self.rival)
        candidates = tuple(
            Candidate(view.move(int(move)), max(-1.0, min(1.0, mean / scale)), visits, f"{mean:+.2f} points")
            for move, mean, visits in ranked[:20]
        )
        best = candidates[0]
        return Thought(best.move, best.value, candidates, (str(best.move),), run.budget.done, run.depth, run.clock.elapsed)


class _PlayOuts:
    """The play-outs of one decision, within a limit."""

    def __init__(self, agent: MonteCarlo, view: Position, limit: Limit) -> None:
        double = agent.stage == "double"
        self.agent, self.game = agent, view.game
        self.depth = (5 if double else 4) if agent.depth is None else agent.depth
        if limit.depth is not None:
            self.depth = min(self.depth, limit.depth)
        self.goal = (10.0 if double else 15.0) if agent.goal is None else agent.goal
        self.S = copies(view.game, [view.state], 3)
        self.W = workspaces(view.game, 1, scramble(agent.seed, len(view.history), view.turn))
        self.kernels = kernels_of(view.game, "montecarlo")
        self.clock = Clock(limit)
        self.budget = Budget(self.clock, limit.simulations)

    def best(self, moves: Any, whole: bool) -> list[tuple[int, float, int]]:
        """Candidates with mean score and play-outs, best first; the thesis's sums, since all get equally many."""
        if self.agent.allstar:
            kept = self.scored(moves, self.agent.first, whole)[: self.agent.keep]
            moves = np.array(sorted(move for move, _, _ in kept))
        return self.scored(moves, self.agent.each, whole)

    def scored(self, moves: Any, each: int, whole: bool) -> list[tuple[int, float, int]]:
        totals, visits = np.zeros(moves.size), np.zeros(moves.size, np.int64)
        block = min(each, 10)  # candidates take turns, so that a limit that cuts this short cuts all alike
        done, rest = 0, each * moves.size
        while rest and (chunk := min(self.budget.next(), rest)):
            self._run(moves, done, done + chunk, block, whole, totals, visits)
            self.budget.note(chunk)
            done, rest = done + chunk, rest - chunk
        means = np.where(visits > 0, totals / np.maximum(visits, 1), -np.inf)
        order = np.argsort(-means, kind="stable")
        return [(int(moves[i]), float(means[i]), int(visits[i])) for i in order]

    def _run(self, moves: Any, begin: int, end: int, block: int, whole: bool, totals: Any, visits: Any) -> None:
        agent = self.agent
        points = (float(agent.win), float(agent.loss), float(self.goal), float(agent.rival))
        how = (block, self.depth, _POLICY[agent.playouts], whole)
        self.kernels.play_outs(self.game, self.S, self.W, moves, begin, end, *how, *points, totals, visits)


AGENTS: dict[str, Any] = {
    "random": Random,
    "uniform": Uniform,
    "rulebased": RuleBased,
    "advanced": Advanced,
    "planner": Planner,
    "mc": MonteCarlo,
    "expert": Expert,
    "strong": "expert:simulations=1000,depth=3,samples=6",
    "club": "planner",
    "novice": "rulebased",
}
AGENTS |= {
    f"{stage}{'-RB' if rulebased else ''}{'-AS' if allstar else ''}-MCAgent": "mc:"
    + ",".join(
        [
            "single" if stage == "S" else "double",
            "rulebased" if rulebased else "random",
            f"allstar={'yes' if allstar else 'no'}",
        ]
    )
    for stage in "SD"
    for rulebased in (False, True)
    for allstar in (False, True)
}
AGENTS |= {"RandomAgent": "random", "RuleBasedAgent": "rulebased"}


def opponent(game: Game) -> str:
    """Whom one plays against when nobody is named."""
    return "expert"


__all__ = ["AGENTS", "DEFAULTS", "POLICIES", "VARIANTS", "opponent"]
