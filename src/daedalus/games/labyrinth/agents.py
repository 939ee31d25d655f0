"""Players that know Labyrinth: the thesis's, its ideas for better ones, and the expert."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from daedalus.core import Agent, Candidate, Clock, Game, IllegalMove, Limit, Position, Thought, scramble
from daedalus.core.memory import copies, workspaces
from daedalus.core.registry import kind_of
from daedalus.core.thoughts import setting
from daedalus.search.pace import Pace

from .policies import GUARDING, PLANNING, POLICIES, RANDOM, RULEBASED
from .race import race_table

_HERE = "daedalus.games.labyrinth"
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


def _kernels(game: Any, name: str) -> Any:
    return kind_of(game).workshop.load(f"{_HERE}.{name}")


def _endgame(game: Any) -> Any:
    """The kernels of the endgame, for games that it understands."""
    return _kernels(game, "homecoming") if game.players == 2 and not (game.block or game.again) else None


def _check_running(view: Position) -> None:
    if view.outcome() is not None:
        raise IllegalMove("the game is over: there is no move to choose")


# --- players that do not search ---------------------------------------------------------------------------------------


@dataclass
class Uniform(Agent):
    """Any legal move, each equally likely (the thesis's `random` takes its goal when it can)."""

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        _check_running(view)
        moves = view.legal_moves
        return Thought(moves[scramble(self.seed, len(view.history), view.turn) % len(moves)])


class _Simple(Agent):
    """A player that moves at once."""

    policy = RANDOM

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        _check_running(view)
        begun = time.perf_counter()
        S = copies(view.game, [view.state], 1)
        W = workspaces(view.game, 1, scramble(self.seed, len(view.history), view.turn))
        code = int(_kernels(view.game, "montecarlo").choose(view.game, S, W, self.policy))
        return Thought(view.move(code), seconds=time.perf_counter() - begun)


@dataclass
class Random(_Simple):
    """The thesis's random player: any insertion, then its goal if it can be reached, else any cell that can."""


@dataclass
class RuleBased(_Simple):
    """The thesis's rule-based player: the first insertion that reaches the goal, else a random one and the closest cell."""

    policy = RULEBASED


class _Judging(Agent):
    """A player that gives every move points, all looked at without chance, and takes the first of the best."""

    kernel = ""

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        _check_running(view)
        begun = time.perf_counter()
        moves = np.array(view.legal_moves.codes)
        S, W = copies(view.game, [view.state], 3), workspaces(view.game, 1, 1)
        points = np.zeros(moves.size)
        getattr(_kernels(view.game, "planning"), self.kernel)(view.game, S, W, moves, points)
        order = np.argsort(-points, kind="stable")
        ranked = tuple(Candidate(view.move(int(moves[i])), note=f"{points[i]:g} points") for i in order[:20])
        return Thought(ranked[0].move, None, ranked, (str(ranked[0].move),), seconds=time.perf_counter() - begun)


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
class MonteCarlo(Agent):
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

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        _check_running(view)
        run = _PlayOuts(self, view, Limit(self.seconds) & (limit or Limit()))
        cells = view.state.marker.size
        moves = np.array(view.legal_moves.codes)
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
        return Thought(best.move, best.value, candidates, (str(best.move),), run.pace.done, run.depth, run.clock.elapsed)


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
        self.kernels = _kernels(view.game, "montecarlo")
        self._run(np.array(view.legal_moves.codes[:1]), 0, 0, 1, True, np.zeros(1), np.zeros(1, np.int64))  # compiles
        self.clock = Clock(limit)
        self.pace = Pace(self.clock, limit.simulations)

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
        while rest and (chunk := min(self.pace.next(), rest)):
            self._run(moves, done, done + chunk, block, whole, totals, visits)
            self.pace.note(chunk)
            done, rest = done + chunk, rest - chunk
        means = np.where(visits > 0, totals / np.maximum(visits, 1), -np.inf)
        order = np.argsort(-means, kind="stable")
        return [(int(moves[i]), float(means[i]), int(visits[i])) for i in order]

    def _run(self, moves: Any, begin: int, end: int, block: int, whole: bool, totals: Any, visits: Any) -> None:
        agent = self.agent
        points = (float(agent.win), float(agent.loss), float(self.goal), float(agent.rival))
        how = (block, self.depth, _POLICY[agent.playouts], whole)
        self.kernels.play_outs(self.game, self.S, self.W, moves, begin, end, *how, *points, totals, visits)


# --- the expert -------------------------------------------------------------------------------------------------------


_AT_ONCE = 6  # replies sampled for every insertion before any gets more
_LOOK = 0.35  # share of the time for the first look at all moves
_TRIED = 16  # moves tried for each that is to be compared, near the end


@dataclass
class Expert(Agent):
    """Looks at every move over sampled replies, then compares the best by play-outs, halving their number again and again."""

    seconds: float | None = setting(None, "think at most so long a move", float, low=1e-6)
    simulations: int | None = setting(None, "play-outs a move (12,000 if no limit is given)", int, low=1)
    keep: int = setting(16, "moves compared by play-outs", int, low=1)
    depth: int = setting(5, "turns of a play-out", int, low=0)
    samples: int = setting(24, "replies sampled for each insertion", int, low=1)
    success: float = setting(0.65, "chance to find a goal in a turn, beyond the play-outs", float, low=0.01, high=0.99)
    home: float = setting(0.2, "chance to come home in a turn, which the others can foresee", float, low=0.01, high=0.99)
    guard: bool = setting(True, "players of the play-outs keep each other from coming home", bool)
    exact: bool = setting(True, "near the end, look for moves that come home for certain", bool)
    trust: float = setting(50.0, "play-outs that the first look at a move is worth", float, low=0)

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        _check_running(view)
        wanted = Limit(self.seconds, self.simulations) & (limit or Limit())
        if wanted.seconds is None and wanted.simulations is None:
            wanted &= Limit(simulations=12_000)
        return _Comparison(self, view, wanted).thought()


class _Comparison:
    """One decision of the expert."""

    def __init__(self, agent: Expert, view: Position, limit: Limit) -> None:
        self.agent, self.view, self.game, self.limit = agent, view, view.game, limit
        self.kernels = _kernels(view.game, "halving")
        self.endgame = _endgame(view.game)
        self.S = copies(view.game, [view.state], 4)
        self.W = workspaces(view.game, 2, scramble(agent.seed, len(view.history), view.turn))
        self.policy = GUARDING if agent.guard else PLANNING
        self.race = race_table(agent.success, agent.home)
        self.moves = np.array(view.legal_moves.codes)
        insertions = self.moves // view.state.marker.size
        firsts = np.flatnonzero(np.diff(insertions, prepend=-1))
        self.starts = np.append(firsts, self.moves.size)
        self.values = np.zeros(self.moves.size)
        self.depth = agent.depth if limit.depth is None else min(agent.depth, limit.depth)
        self._warm()
        self.clock = Clock(limit)
        self.pace = Pace(self.clock, limit.simulations)

    def _warm(self) -> None:
        """Compiles or loads before the clock starts."""
        nobody = np.zeros(0, np.int64)
        self.kernels.assess(self.game, self.S, self.W, self.moves, self.starts, 0, 0, 1, self.race, self.values)
        self.kernels.make_moves(self.game, self.S, copies(self.game, [self.view.state], 1), nobody)
        C = copies(self.game, [self.view.state], 1)
        self.kernels.compare(
            self.game, self.S, C, self.W, nobody, 0, 1, GUARDING, self.race, np.zeros(1), np.zeros(1, np.int64)
        )
        if self.endgame is not None:
            self.endgame.winning_move(self.game, self.S, self.W)
            self.endgame.loses(self.game, self.S, self.W, self.moves[0])

    def look(self) -> None:
        """Values every move over sampled replies, a few at a time, for at most a third of the time."""
        groups = self.starts.size - 1
        share = _LOOK * (self.limit.seconds or float("inf"))
        order = scramble(self.agent.seed, len(self.view.history)) % groups
        fresh = np.zeros(self.moves.size)
        for done in range(0, self.agent.samples, _AT_ONCE):
            samples = min(_AT_ONCE, self.agent.samples - done)
            for k in range(groups):
                g = (order + k) % groups
                here = slice(self.starts[g], self.starts[g + 1])
                self.kernels.assess(self.game, self.S, self.W, self.moves, self.starts, g, g + 1, samples, self.race, fresh)
                self.values[here] += (fresh[here] - self.values[here]) * samples / (done + samples)
                if self.clock.elapsed > share:
                    return

    def settle(self) -> None:
        """Near the end: a move that comes home for certain is worth all, one that lets the other do so almost nothing.

        Moves are cleared of that, the best first, until there are as many as will be compared; in a lost position there
        are none, so the search for them ends some time.
        """
        s, me = self.view.state, self.view.turn
        if self.values.max() < 1.0 and s.found[me] >= s.cards:
            move = int(self.endgame.winning_move(self.game, self.S, self.W))
            self.values[self.moves == move] = 1.0
        if self.values.max() == 1.0 or s.found[1 - me] < s.cards:
            return
        cleared = 0
        for i in np.argsort(-self.values, kind="stable")[: _TRIED * self.agent.keep]:
            if self.endgame.loses(self.game, self.S, self.W, self.moves[i]):
                self.values[i] *= 0.02
            else:
                cleared += 1
            if cleared == self.agent.keep or (self.limit.seconds and self.clock.elapsed > 0.5 * self.limit.seconds):
                return

    def thought(self) -> Thought:
        self.look()
        if self.endgame is not None and self.agent.exact:
            self.settle()
        kept = np.argsort(-self.values, kind="stable")[: self.agent.keep]
        totals, visits = np.zeros(kept.size), np.zeros(kept.size, np.int64)
        if kept.size > 1 and self.values[kept[0]] < 1.0:
            self._halve(kept, totals, visits)
        means = (totals + self.agent.trust * self.values[kept]) / np.maximum(visits + self.agent.trust, 1e-9)
        most = visits == visits.max()
        order = np.lexsort((-means, ~most))
        candidates = tuple(
            Candidate(self.view.move(int(self.moves[kept[i]])), float(2 * means[i] - 1), int(visits[i])) for i in order
        )
        best = candidates[0]
        line = (str(best.move),)
        return Thought(best.move, best.value, candidates, line, self.pace.done, self.depth, self.clock.elapsed)

    def _halve(self, kept: Any, totals: Any, visits: Any) -> None:
        C = copies(self.game, [self.view.state], kept.size)
        self.kernels.make_moves(self.game, self.S, C, self.moves[kept])
        alive = np.arange(kept.size)
        stages = max(1, int(np.ceil(np.log2(kept.size))))
        for stage in range(stages):
            self._rounds(C, alive, totals, visits, (stage + 1) / stages)
            if visits.max() == 0:
                return
            means = totals[alive] + self.agent.trust * self.values[kept][alive]
            means /= visits[alive] + self.agent.trust
            if stage + 1 < stages:
                alive = np.sort(alive[np.argsort(-means, kind="stable")[: max(2, (alive.size + 1) // 2)]])

    def _rounds(self, C: Any, alive: Any, totals: Any, visits: Any, share: float) -> None:
        """Play-outs until this share of the limit is used."""
        total, seconds = self.limit.simulations, self.limit.seconds
        end = float("inf") if total is None else max(int(share * total), 1)
        until = float("inf") if seconds is None else (_LOOK + share * (1 - _LOOK)) * seconds
        while self.pace.done < end and self.clock.elapsed < until and (chunk := self.pace.next()):
            rounds = max(1, int(min(chunk, end - self.pace.done)) // alive.size)
            self.kernels.compare(
                self.game, self.S, C, self.W, alive, rounds, self.depth, self.policy, self.race, totals, visits
            )
            self.pace.note(rounds * alive.size)


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
