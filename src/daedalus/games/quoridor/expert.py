"""The strong players of the game for two: iterative deepening over the search of pvs.py."""

import copy
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from daedalus.core import Candidate, InvalidSpec, Limit, Position, Thought, scramble, setting
from daedalus.search import SearchAgent
from daedalus.search.budget import Budget
from daedalus.search.context import SearchContext, seen_positions
from daedalus.search.deepening import DeepeningRun, DeepeningSearch
from daedalus.search.kernels.frames import INFINITE, NOTHING, PROVEN

from . import judge
from .kernels import pvs as kernels
from .kernels.bitboards import STRIDE
from .kernels.evaluation import Weights

WINDOW = 60  # a deeper search rarely changes the score by more
DROP = 200  # how far below a score that fell the search looks for a floor, and twice as far each time it finds none
NEAR = 40  # a score that fell is found to within so much
RACE = f"{__package__}.kernels.race"


# Each sees less far than the one above it; one ply alone would be weaker than anybody who has played before.
LEVELS = {"novice": "expert:depth=2,lapse=0.5", "club": "expert:depth=4", "strong": "expert:depth=8"}


@dataclass
class Expert(SearchAgent):
    """Alpha-beta that knows paths and walls, for two players."""

    simulations: int | None = setting(None, "at most so many nodes", int, low=1)
    depth: int | None = setting(None, "at most so many plies ahead", int, low=1, high=kernels.MAX_DEPTH)
    lapse: float = setting(0.0, "how often it looks only one ply ahead", float, low=0, high=1)
    table: int = setting(20, "size of the transposition table as a power of two", int, low=4, high=26)
    threads: int = setting(1, "so many threads meet in the table if only time ends the search; else one", int, low=1, high=256)
    judge: str = setting("network", "how positions are judged: network (9 x 9) or formula", choices=("network", "formula"))
    wall: int = setting(140, "worth of a wall by the formula, 100 = one step", int)
    any_wall: int = setting(250, "worth of having walls left at all, by the formula", int)

    ENDED_BY = ("seconds", "simulations", "depth")

    def make(self, game: Any) -> "PathSearch":
        if game.SEATS != 2:
            raise InvalidSpec("expert plays the game for two; four players: mcts or alphabeta")
        weights = Weights(wall=self.wall, any_wall=self.any_wall)
        if self.judge == "network" and judge.knows(game):
            weights = weights._replace(network=judge.shipped())
        return PathSearch(weights, self.seed, self.threads, table=self.table)

    def own_limit(self, view: Position) -> Limit:
        """Who nods looks one ply ahead; the same seed nods at the same moves."""
        nods = scramble(self.seed, len(view.history), view.turn) < self.lapse * 2**64
        return super().own_limit(view) & Limit(depth=1 if nods else None)

    def prepare(self, game: Any) -> None:
        """Compiles the race at the end too, which no first move needs."""
        solved_race(SearchContext(Position(game, 1).view(), RACE, 2, 1), np.zeros(0, np.int64))
        super().prepare(game)

    def decided(self, view: Position) -> Thought | None:
        return super().decided(view) if view.state.stock.any() else race(view)


@dataclass
class PathSearch(DeepeningSearch):
    """Principal variation search over paths and walls."""

    weights: Weights = Weights()
    seed: int = 0
    threads: int = 1

    def run(self, view: Position, limit: Limit) -> "_Run":
        """With helpers only where the clock ends it: what a number of nodes or plies finds is to be found again."""
        run = _Run(self, view, limit)
        if limit.simulations is None and limit.depth is None:
            run.helpers = [_Run(self, view, limit) for _ in range(self.threads - 1)]
        return run


class Fall(NamedTuple):
    """A depth whose score fell out of its window: what it is not below, if a move is known, and not above; how far to look down."""

    floor: int | None
    ceiling: int
    drop: int

    @property
    def bound(self) -> int:
        """What the next probe asks: is some move better than this?"""
        if self.floor is None:
            return self.ceiling - self.drop
        return self.floor - 1 if self.is_narrow else (self.floor + self.ceiling) // 2

    @property
    def is_narrow(self) -> bool:
        """Is it known well enough?"""
        return self.floor is not None and self.ceiling - self.floor <= NEAR


class _Run(DeepeningRun):
    def __init__(self, how: PathSearch, view: Position, limit: Limit) -> None:
        super().__init__(view, limit, how.entries(view), kernels, scramble(how.seed, len(view.history)))
        self.weights = how.weights
        self.history = np.zeros((2, 512), np.int64)
        self.seen = seen_positions(view, always=True)
        self.window = (-INFINITE, INFINITE)
        self.nodes = 0
        self.allowance: int | None = None  # nodes that the window under way may still cost
        self.fall: Fall | None = None  # what is known of a depth whose score fell out of its window
        self.helpers: list[_Run] = []  # deepen on threads of their own

    def search(self, budget: Budget) -> None:
        """Every thread deepens by itself and finds in the table what the others have searched; the first one answers."""
        if not self.helpers:
            super().search(budget)
            return
        done = Event()
        with ThreadPoolExecutor(len(self.helpers)) as pool:
            helping = [pool.submit(helper.search, Budget(budget.clock, stop=done)) for helper in self.helpers]
            try:
                super().search(budget)
            finally:
                done.set()
        for each in helping:
            each.result()

    def set_root(self, depth: int) -> None:
        near = self.results and abs(self.score) < PROVEN
        self._open(depth, (self.score - WINDOW, self.score + WINDOW) if near else (-INFINITE, INFINITE))

    def _open(self, depth: int, window: tuple[int, int], allowance: int | None = None) -> None:
        self.window, self.allowance, self.ply = window, allowance, 0
        first = self.best_line[0] if self.best_line else NOTHING
        context = self.context
        context.kernels.set_root(context.game, context.S, self.F, depth, *window, first, depth == 1)

    def go_on(self, nodes: int) -> tuple[int, int]:
        context = self.context
        memory = (self.line, self.table, self.history, self.seen)
        most = nodes if self.allowance is None else min(nodes, self.allowance)
        ply, spent = context.kernels.search(context.game, self.weights, context.S, context.W, self.F, *memory, self.ply, most)
        self.nodes += spent
        if self.allowance is not None:
            self.allowance -= spent
            if ply >= 0 and self.allowance <= 0:
                self._probe()
                ply = 0
        return ply, spent

    def is_settled(self) -> bool:
        """A depth whose score left its window is searched again: above it with an open window, below it step by step."""
        best = int(self.F[0].best)
        low, high = self.window
        if best >= high and self.fall and high - low == 1:
            self.best_line = [int(self.F[0].best_move)]
            self.fall = self.fall._replace(floor=best, ceiling=max(best, self.fall.ceiling))
        elif best >= high:
            self._open(self.reached + 1, (low, INFINITE))
            return False
        elif best <= low:
            self._sink(best)
            return False
        if self.fall and high - low == 1 and not self.fall.is_narrow:
            self._probe()
            return False
        self.fall = self.allowance = None
        return True

    def _sink(self, best: int) -> None:
        """At most so much. An open window may cost half of all nodes so far: whoever asks of 45 defences whether one is better
        than a loss in 12 does not come to an end. Then probes close in on the score."""
        if self.fall is None:
            self.fall = Fall(None, best, DROP)
            self._open(self.reached + 1, (-INFINITE, self.window[1]), self.nodes // 2)
            return
        floor = self.fall.floor
        if floor is not None and best >= floor:
            self.fall = self.fall._replace(ceiling=best)
        else:
            self.fall = Fall(None, best, 2 * self.fall.drop)
        self._probe()

    def _probe(self) -> None:
        """Asks whether some move is better than a bound; if only a loss can be, how long it takes."""
        assert self.fall
        bound = self.fall.bound
        self._open(self.reached + 1, (bound, bound + 1) if bound > -PROVEN else (-INFINITE, self.fall.ceiling + 1))

    def tried(self) -> Iterable[tuple[int, int]]:
        root = self.F[0]
        return zip(root.move[: root.place].tolist(), root.score[: root.place].tolist(), strict=True)

    def keep(self) -> None:
        """Equally good moves stay in the order in which they were first found."""
        before = self.results
        super().keep()
        self.results = {move: (self.results[move][0], True) for move in before | self.results}

    def partial_counts(self) -> bool:
        """Not if the best move so far has failed low."""
        return super().partial_counts() and bool(self.F[0].best > self.window[0])

    def thought(self, budget: Budget) -> Thought:
        """A move that fell is not told with the score that it had before."""
        if self.fall is None or self.partial_counts():
            return super().thought(budget)
        now = copy.copy(self)
        now.score = self.fall.ceiling if self.fall.floor is None else self.fall.floor
        now.results = self.results | {self.best_line[0]: (now.score, False)}
        return now.told(budget.counted, budget.clock.elapsed)

    def told(self, nodes: int, seconds: float) -> Thought:
        return super().told(nodes + sum(helper.nodes for helper in self.helpers), seconds)

    def value(self, score: int) -> float:
        """A lead of four steps is worth 0.5."""
        if abs(score) > PROVEN:
            return 1.0 if score > 0 else -1.0
        return score / (400 + abs(score))

    def remark(self, score: int, exact: bool) -> str:
        return super().remark(score, exact) if abs(score) > PROVEN else f"{score / 100:+.1f} steps"

    def candidate(self, move: int, score: int, exact: bool) -> Candidate:
        """No other move is worth more than the best, whatever its bound."""
        bounded = score if move == self.best_line[0] else min(score, self.score)
        return Candidate(self.texts.move(move), self.value(bounded), note=self.remark(score, exact))


def solved_race(context: SearchContext, cells: Any) -> tuple[Any, Any]:
    """The number of each cell among `cells`, and the plies of every race between two of these numbers (see race.py)."""
    number = np.full(STRIDE * STRIDE, -1)
    number[cells] = np.arange(cells.size)
    plies = np.zeros((cells.size, cells.size, 2), np.int16)
    context.kernels.solve_race(context.game, context.S, context.W, cells, number, plies)
    return number, plies


def race(view: Position) -> Thought:
    """No walls are left: the fastest win, the slowest loss, exactly."""
    begun = time.perf_counter()
    game: Any = view.game
    cells = np.array([STRIDE * row + file for row in range(game.height) for file in range(game.width)])
    number, plies = solved_race(SearchContext(view, RACE, 2, 1), cells)

    def judge(position: Position) -> int:
        """Plies to win, minus plies to lose, 0 for a draw, for who has just moved."""
        outcome = position.outcome()
        if outcome is not None:
            return 1 if outcome.winner is not None else 0
        pawns = (number[cell] for cell in position.state.pawn)
        reply = int(plies[(*pawns, position.turn)])
        return 1 - reply if reply < 0 else -1 - reply if reply > 0 else 0

    line: list[str] = []
    position = view.copy()
    ranked: list[tuple[int, int]] = []
    while position.outcome() is None and len(line) < 40:
        judged = []
        for code in position.legal_moves.codes:
            after = position.copy()
            after.push(code)
            judged.append((code, judge(after)))
        judged.sort(key=lambda pair: _merit(pair[1]), reverse=True)
        ranked = ranked or judged
        line.append(str(position.push(judged[0][0])))
    candidates = tuple(Candidate(view.move(code), float(np.sign(n)), note=_race_note(n)) for code, n in ranked)
    best = candidates[0]
    return Thought(best.move, best.value, candidates, tuple(line), 0, abs(ranked[0][1]), time.perf_counter() - begun, best.note)


def _merit(n: int) -> float:
    """Larger is better: soon wins, then draws, then late losses."""
    return 1.0 / n if n > 0 else -1.0 + -n / 1000 if n < 0 else 0.0


def _race_note(n: int) -> str:
    return f"win in {n}" if n > 0 else f"loss in {-n}" if n < 0 else "draw"
