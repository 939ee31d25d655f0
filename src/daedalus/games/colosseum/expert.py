"""Principal variation search from Python: iterative deepening within a limit, the table kept between moves."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from daedalus.core import Candidate, Clock, Limit, Position, Thought
from daedalus.core.memory import copies, workspaces
from daedalus.core.registry import registration_of
from daedalus.search.alphabeta import explain, spelled
from daedalus.search.budget import Budget
from daedalus.search.kernels.frames import INFINITE, PROVEN, entry_type

from .kernels.evaluations import UNIT, Territory
from .kernels.pvs import MAX_DEPTH, frame_type


@dataclass
class PrincipalSearch:
    """Deepens ply by ply until the limit, a proven result, or the depth asked for; `table` is a power of two."""

    judge: Territory = field(default_factory=Territory)
    table: int = 18
    _entries: Any = field(default=None, repr=False)
    _compiled: bool = field(default=False, repr=False)

    def think(self, view: Position, limit: Limit) -> Thought:
        """The best move found within the limit; `simulations` of the limit counts positions judged."""
        if self._entries is None:
            self._entries = np.zeros(1 << self.table, entry_type())
        if not self._compiled:  # compiles or loads before the clock starts
            _Run(self, view).warm()
            self._compiled = True
        clock = Clock(limit)
        budget = Budget(clock, limit.simulations)
        run = _Run(self, view)
        budget.note(run.look())
        deepest = min(limit.depth or MAX_DEPTH, MAX_DEPTH)
        while run.reached < deepest and not run.is_decided() and (chunk := budget.next()) > 0:
            finished, spent = run.advance(chunk)
            budget.note(spent)
            if finished:
                run.keep()
        run.keep_partial()
        return run.thought(max(budget.counted, len(run.results)), clock.elapsed)


class _Run:
    """One search: its memory, the results of the last finished depth, and the depth under way."""

    def __init__(self, search: PrincipalSearch, view: Position) -> None:
        self.judge, self.table, self.view = search.judge, search._entries, view
        self.kernels = registration_of(view.game).kernels.load("daedalus.games.colosseum.kernels.pvs")
        self.S = copies(view.game, [view.state], MAX_DEPTH + 2)
        self.W = workspaces(view.game, MAX_DEPTH + 2, 1)
        self.F = np.zeros(MAX_DEPTH + 2, frame_type())
        self.line = np.full((MAX_DEPTH + 3, MAX_DEPTH + 4), -1, np.int64)
        self.scores = np.zeros(len(view.legal_moves), np.int64)
        self.results: dict[int, tuple[int, bool]] = {}  # move: its score, and is it more than a bound?
        self.best_line: list[int] = []
        self.score = self.reached = self.ply = 0

    def warm(self) -> None:
        """Touches every kernel once."""
        self.look()
        self.advance(1)

    def look(self) -> int:
        """Depth 1: every move by what it leads to at once; returns how many there are."""
        n = int(self.kernels.first_look(self.view.game, self.judge, self.S, self.W, self.F, self.scores))
        moves = self.W[0].buf[:n].tolist()
        self.results = {move: (score, True) for move, score in zip(moves, self.scores.tolist(), strict=True)}
        self.best_line = [max(moves, key=lambda move: self.results[move])]
        self.score = self.results[self.best_line[0]][0]
        self.reached = 1
        self.kernels.set_root(self.F, 2)
        return n

    def advance(self, budget: int) -> tuple[bool, int]:
        """Searches on; (is this depth finished, positions judged)."""
        memory = (self.S, self.W, self.F, self.line, self.table, self.scores)
        ply, spent = self.kernels.search(self.view.game, self.judge, *memory, self.ply, budget)
        self.ply = max(int(ply), 0)
        return ply < 0, int(spent)

    def keep(self) -> None:
        """Takes over a finished depth and sets out for the next."""
        self._take()
        self.reached += 1
        self.kernels.set_root(self.F, self.reached + 1)

    def keep_partial(self) -> None:
        """A depth cut short counts as far as it went: its first move was the best of the depth before."""
        if self.ply > 0 and self.F[0].place > 0:
            self._take()

    def _take(self) -> None:
        root = self.F[0]
        improved = -INFINITE
        found: dict[int, tuple[int, bool]] = {}
        for move, score in zip(self.W[0].buf[: root.place].tolist(), self.scores.tolist(), strict=False):
            found[move] = score, score > improved
            improved = max(improved, score)
        self.results = found | {move: (score, False) for move, (score, _) in self.results.items() if move not in found}
        self.score = int(root.best)
        line = self.line[0].tolist()
        self.best_line = line[: line.index(-1)]

    def is_decided(self) -> bool:
        """A win or loss found to its end, or no choice."""
        return abs(self.score) > PROVEN or len(self.results) < 2

    def thought(self, spent: int, seconds: float) -> Thought:
        best = self.best_line[0]
        ranked = sorted(self.results.items(), key=lambda result: (result[0] != best, -result[1][0], not result[1][1]))
        candidates = tuple(
            Candidate(self.view.move(move), as_value(score), note=explain(score, exact)) for move, (score, exact) in ranked
        )
        text = tuple(spelled(self.view, self.best_line))
        note = explain(self.score, True)
        return Thought(self.view.move(best), as_value(self.score), candidates, text, spent, self.reached, seconds, note)


def as_value(score: int) -> float:
    """A score as a value in [-1, 1]."""
    if abs(score) > PROVEN:
        return 1.0 if score > 0 else -1.0
    return score / (UNIT + abs(score))
