"""The strong players of the game for two: iterative deepening over the search of pvs.py."""

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from daedalus.core import Agent, Candidate, Clock, InvalidSpec, Limit, Position, Thought, scramble, setting
from daedalus.search import win_at_hand
from daedalus.search.alphabeta import spelled
from daedalus.search.budget import Budget
from daedalus.search.context import SearchContext, seen_positions
from daedalus.search.kernels.frames import INFINITE, NOTHING, PROVEN, WIN, entry_type

from .kernels.bitboards import STRIDE
from .kernels.evaluation import Weights
from .kernels.pvs import MAX_DEPTH, frame_type

WINDOW = 60  # a deeper search rarely changes the score by more
RACE = f"{__package__}.kernels.race"


# Each sees less far than the one above it.
LEVELS = {"novice": "expert:depth=1", "club": "expert:depth=3", "strong": "expert:depth=6"}


@dataclass
class Expert(Agent):
    """Alpha-beta that knows paths and walls, for two players."""

    seconds: float | None = setting(None, "think at most so long a move (1 if no limit is given)", float, low=1e-6)
    simulations: int | None = setting(None, "at most so many nodes", int, low=1)
    depth: int | None = setting(None, "at most so many plies ahead", int, low=1, high=MAX_DEPTH)
    table: int = setting(20, "size of the transposition table as a power of two", int, low=4, high=26)
    wall: int = setting(140, "worth of a wall, 100 = one step", int)
    any_wall: int = setting(250, "worth of having walls left at all", int)
    _entries: Any = field(default=None, init=False, repr=False)
    _of: Any = field(default=None, init=False, repr=False)  # the game whose positions are in the table

    def bind(self, game: Any) -> None:
        if game.SEATS != 2:
            raise InvalidSpec("expert plays the game for two; four players: mcts or alphabeta")

    def prepare(self, game: Any) -> None:
        """Compiles the search and the race at the end too, which no first move needs."""
        super().prepare(game)
        view = Position(game, 1).view()
        _Run(self, view).advance(1)
        solved_race(SearchContext(view, RACE, 2, 1), np.zeros(0, np.int64))
        self.new_game(self.seed)

    def new_game(self, seed: int) -> None:
        """Forgets the table too."""
        super().new_game(seed)
        self._entries = None

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        self.bind(view.game)
        if not view.state.stock.any():
            return race(view)
        if won := win_at_hand(view):
            return won
        bounds = (Limit(self.seconds, self.simulations, self.depth) & (limit or Limit())) or Limit(seconds=1.0)
        run = _Run(self, view)
        run.advance(1)  # compiles or loads before the clock starts
        clock = Clock(bounds)
        budget = Budget(clock, bounds.simulations)
        run.begin(1)
        while chunk := budget.next():
            finished, nodes = run.advance(chunk)
            budget.note(nodes)
            if finished and not run.settled():
                continue
            if finished and not self._goes_deeper(run, bounds):
                break
        run.keep_partial()
        return run.thought(budget.counted, clock.elapsed)

    @staticmethod
    def _goes_deeper(run: "_Run", bounds: Limit) -> bool:
        if run.is_decided() or run.depth >= min(bounds.depth or MAX_DEPTH, MAX_DEPTH):
            return False
        run.begin(run.depth + 1)
        return True

    def entries(self, game: Any) -> Any:
        """The transposition table, kept from move to move; a new one for another board, whose keys mean other positions."""
        if self._entries is None or self._of != game:
            self._entries, self._of = np.zeros(1 << self.table, entry_type()), game
        return self._entries


class _Run:
    """One search: its memory, the result of the last finished depth, and the depth under way."""

    def __init__(self, expert: Expert, view: Position) -> None:
        self.view = view
        self.context = SearchContext(
            view, "daedalus.games.quoridor.kernels.pvs", MAX_DEPTH + 2, scramble(expert.seed, len(view.history))
        )
        self.weights = Weights(wall=expert.wall, any_wall=expert.any_wall)
        self.F: Any = np.zeros(MAX_DEPTH + 2, frame_type())
        self.line = np.full((MAX_DEPTH + 3, MAX_DEPTH + 4), -1, np.int64)
        self.history = np.zeros((2, 512), np.int64)
        self.table = expert.entries(view.game)
        self.seen = seen_positions(view, always=True)
        self.results: list[tuple[int, int]] = []
        self.best_line: list[int] = []
        self.score = self.reached = 0
        self.window = (-INFINITE, INFINITE)
        self.begin(1, clear=True)

    def begin(self, depth: int, clear: bool = False) -> None:
        self.depth = depth
        near = self.results and abs(self.score) < PROVEN
        self._open((self.score - WINDOW, self.score + WINDOW) if near else (-INFINITE, INFINITE), clear)

    def _open(self, window: tuple[int, int], clear: bool = False) -> None:
        self.window, self.ply = window, 0
        first = self.best_line[0] if self.best_line else NOTHING
        self.context.kernels.set_root(self.context.game, self.context.S, self.F, self.depth, *window, first, clear)

    def advance(self, nodes: int) -> tuple[bool, int]:
        """Searches on; (is this depth finished, nodes spent)."""
        context = self.context
        memory = (self.line, self.table, self.history, self.seen)
        ply, spent = context.kernels.search(context.game, self.weights, context.S, context.W, self.F, *memory, self.ply, nodes)
        self.ply = max(int(ply), 0)
        return ply < 0, int(spent)

    def settled(self) -> bool:
        """Takes over a finished depth; one whose score fell out of the window is searched again with an open one."""
        best = int(self.F[0].best)
        low, high = self.window
        if low < best < high:
            self.keep()
            self.reached = self.depth
            return True
        self._open((-INFINITE if best <= low else low, INFINITE if best >= high else high))
        return False

    def keep(self) -> None:
        """What the root has found so far."""
        root = self.F[0]
        tried = zip(root.move[: root.place].tolist(), root.score[: root.place].tolist(), strict=True)
        before = dict(self.results)
        self.results = list((before | dict(tried)).items())
        self.score = int(root.best)
        line = self.line[0].tolist()
        self.best_line = line[: line.index(-1)]

    def keep_partial(self) -> None:
        """A depth cut short counts once its first move, the best so far, has been searched without failing low."""
        root = self.F[0]
        if self.depth > self.reached and root.place > 0 and root.best > self.window[0]:
            self.keep()
        if not self.best_line:
            self.best_line = self.view.legal_moves.codes[:1]
            self.results = [(self.best_line[0], 0)]

    def is_decided(self) -> bool:
        return abs(self.score) > PROVEN or len(self.view.legal_moves) == 1

    def thought(self, nodes: int, seconds: float) -> Thought:
        best = self.best_line[0]
        ranked = sorted(self.results, key=lambda result: (result[0] != best, -result[1]))
        candidates = tuple(
            Candidate(self.view.move(m), value(score if m == best else min(score, self.score)), note=remark(score))
            for m, score in ranked
        )
        line = tuple(spelled(self.view, self.best_line))
        return Thought(
            self.view.move(best), value(self.score), candidates, line, nodes, self.reached, seconds, remark(self.score)
        )


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


def value(score: int) -> float:
    """A score as a value in [-1, 1]: a lead of four steps is worth 0.5."""
    if abs(score) > PROVEN:
        return 1.0 if score > 0 else -1.0
    return score / (400 + abs(score))


def remark(score: int) -> str:
    """Words for a score."""
    if abs(score) > PROVEN:
        return f"{'win' if score > 0 else 'loss'} in {WIN - abs(score)}"
    return f"{score / 100:+.1f} steps"
