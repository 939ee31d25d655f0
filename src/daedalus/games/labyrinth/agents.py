"""Players that know Labyrinth: van der Zwaag's, its ideas for better ones, and the expert."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from daedalus.core import Agent, Candidate, Game, Limit, Position, Thought, Watch, scramble
from daedalus.core.memory import copies, workspaces
from daedalus.core.options import setting
from daedalus.search import PolicyPlayer, SearchAgent
from daedalus.search.base import Run, Search, Texts
from daedalus.search.budget import Budget

from .deciding import Deciding, kernels_of
from .expert import Expert
from .kernels.policies import POLICIES, RANDOM, RULEBASED, Random, RuleBased

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
    """Any legal move, each equally likely (van der Zwaag's `random` takes its goal when it can)."""

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        moves = view.legal_moves
        return Thought(moves[scramble(self.seed, len(view.history), view.turn) % len(moves)])


@dataclass
class RandomPlayer(PolicyPlayer):
    """Van der Zwaag's random player: any insertion, then its goal if it can be reached, else any cell that can."""

    def policy(self) -> Random:
        return Random()


@dataclass
class RuleBasedPlayer(PolicyPlayer):
    """Van der Zwaag's rule-based player: the first insertion that reaches the goal, else a random one and the closest cell."""

    def policy(self) -> RuleBased:
        return RuleBased()


class _Judging(Deciding):
    """A player that gives every move points, all looked at without chance, and takes the first of the best."""

    kernel = ""

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        return self.decided(view) or self._best(view)

    def _seen(self, view: Position) -> Any:
        """The moves it looks at."""
        return np.array(view.legal_moves.codes)

    def _best(self, view: Position) -> Thought:
        begun = time.perf_counter()
        moves = self._seen(view)
        points = np.zeros(moves.size)
        S, W = copies(view.game, [view.state], 3), workspaces(view.game, 1, 1)
        getattr(kernels_of(view.game, "planning"), self.kernel)(view.game, S, W, moves, points)
        order = np.argsort(-points, kind="stable")
        ranked = tuple(Candidate(view.move(int(moves[i])), note=f"{points[i]:g} points") for i in order[:20])
        return Thought(ranked[0].move, None, ranked, (str(ranked[0].move),), seconds=time.perf_counter() - begun)


@dataclass
class Advanced(_Judging):
    """Van der Zwaag's better rule-based player: of all ways to the goal the one that leaves the next seat least, else closest."""

    kernel = "advanced"


@dataclass
class Planner(_Judging):
    """Looks at all pairs of own turns: reaches the goal now, or goes where most insertions would reach it next."""

    sees: float = setting(
        1.0, "the share of insertions it thinks of, others each turn: people overlook many", float, low=0, high=1
    )

    kernel = "two_turns"

    def _seen(self, view: Position) -> Any:
        moves = super()._seen(view)
        insertions = moves // view.state.marker.size
        kinds = np.unique(insertions)
        dice = np.random.default_rng(scramble(self.seed, len(view.history), view.turn))
        seen = dice.permutation(kinds)[: max(1, round(self.sees * kinds.size))]
        return moves[np.isin(insertions, seen)]


# --- van der Zwaag's Monte Carlo agents ----------------------------------------------------------------------------------


@dataclass
class MonteCarlo(Deciding, SearchAgent):
    """Van der Zwaag's Monte Carlo agents: play-outs for every move (single), or for insertions, then destinations (double)."""

    seconds: float | None = setting(None, "think at most so long a move", float, low=1e-6)
    simulations: int | None = setting(None, "at most so many play-outs", int, low=1)
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

    USUAL = Limit()  # it ends by itself

    def make(self, game: Game) -> "PlayOutSearch":
        return PlayOutSearch(self)


@dataclass
class PlayOutSearch(Search):
    """The play-outs of van der Zwaag's agents, with the options of one."""

    agent: MonteCarlo

    def warm(self, view: Position) -> None:
        _PlayOuts(self.agent, view, Limit()).play(np.array(view.legal_moves.codes[:1]), 0, 1, 1, True)

    def begin(self, view: Position, limit: Limit) -> Run:
        return _PlayOuts(self.agent, view, limit)


class _PlayOuts(Run):
    """The play-outs of one decision."""

    def __init__(self, agent: MonteCarlo, view: Position, limit: Limit) -> None:
        double = agent.stage == "double"
        self.agent, self.view, self.texts = agent, view, Texts(view)
        self.depth = (5 if double else 4) if agent.depth is None else agent.depth
        if limit.depth is not None:
            self.depth = min(self.depth, limit.depth)
        self.goal = (10.0 if double else 15.0) if agent.goal is None else agent.goal
        self.S = copies(view.game, [view.state], 3)
        self.W = workspaces(view.game, 1, scramble(agent.seed, len(view.history), view.turn))
        self.kernels = kernels_of(view.game, "montecarlo")
        self._compare(np.array(view.legal_moves.codes))

    def _compare(self, moves: Any) -> None:
        """From now on these moves are tried."""
        self.moves, self.totals, self.visits = moves, np.zeros(moves.size), np.zeros(moves.size, np.int64)

    def search(self, budget: Budget) -> None:
        moves = self.moves
        if self.agent.stage == "double":
            cells = self.view.state.marker.size
            insertions = moves // cells
            self._find_best(moves[np.flatnonzero(np.diff(insertions, prepend=-1))], False, budget)
            moves = moves[insertions == self._ranked()[0][0] // cells]
        self._find_best(moves, True, budget)

    def _find_best(self, moves: Any, whole: bool, budget: Budget) -> None:
        """Tries moves equally often, so that van der Zwaag's sums may be means; with allstar the best of a first round again."""
        if self.agent.allstar:
            self._try(moves, self.agent.first, whole, budget)
            kept = self._ranked()[: self.agent.keep]
            moves = np.array(sorted(move for move, _, _ in kept))
        self._try(moves, self.agent.each, whole, budget)

    def _try(self, moves: Any, each: int, whole: bool, budget: Budget) -> None:
        self._compare(moves)
        block = min(each, 10)  # candidates take turns, so that a limit that cuts this short cuts all alike
        done, rest = 0, each * moves.size
        while rest and (chunk := min(budget.next(), rest)):
            self.play(moves, done, done + chunk, block, whole)
            budget.note(chunk)
            done, rest = done + chunk, rest - chunk

    def play(self, moves: Any, begin: int, end: int, block: int, whole: bool) -> None:
        """The play-outs of these numbers."""
        agent = self.agent
        points = (float(agent.win), float(agent.loss), float(self.goal), float(agent.rival))
        how = (block, self.depth, _POLICY[agent.playouts], whole)
        sums = (self.totals, self.visits)
        self.kernels.play_outs(self.view.game, self.S, self.W, moves, begin, end, *how, *points, *sums)

    def _ranked(self) -> list[tuple[int, float, int]]:
        """The moves tried with mean score and play-outs, best first."""
        means = np.where(self.visits > 0, self.totals / np.maximum(self.visits, 1), -np.inf)
        order = np.argsort(-means, kind="stable")
        return [(int(self.moves[i]), float(means[i]), int(self.visits[i])) for i in order]

    def thought(self, budget: Budget) -> Thought:
        scale = abs(self.agent.win) + abs(self.goal) + abs(self.agent.rival)
        candidates = tuple(
            Candidate(self.texts.move(move), max(-1.0, min(1.0, mean / scale)), visits, f"{mean:+.2f} points")
            for move, mean, visits in self._ranked()[:20]
        )
        best = candidates[0]
        seconds = budget.clock.elapsed
        return Thought(best.move, best.value, candidates, (str(best.move),), budget.done, self.depth, seconds)


AGENTS: dict[str, Any] = {
    "random": RandomPlayer,
    "uniform": Uniform,
    "rulebased": RuleBasedPlayer,
    "advanced": Advanced,
    "planner": Planner,
    "mc": MonteCarlo,
    "expert": Expert,
    "strong": "expert:simulations=60,samples=2",
    "club": "planner",
    "novice": "planner:sees=0.25",
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
