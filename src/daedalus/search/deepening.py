"""Iterative deepening: what alpha-beta searches over a stack of frames share, the generic one and the games' own.

Their kernels have `frame_type`, `MAX_DEPTH`, `set_root`, and a `search` that goes on from a ply for so many nodes.
"""

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from daedalus.core import Candidate, Limit, Position, Thought

from .base import Run, Search, Texts
from .budget import Budget
from .context import SearchContext
from .kernels.frames import INFINITE, PROVEN, WIN, entry_type


@dataclass
class DeepeningSearch(Search):
    """Deepens ply by ply until the limit, a proven result, or the depth asked for; `simulations` of a limit counts nodes.

    `table` is the size of the transposition table as a power of two.
    """

    table: int = field(default=18, kw_only=True)
    _entries: Any = field(default=None, init=False, repr=False)
    _of: Any = field(default=None, init=False, repr=False)

    def run(self, view: Position, limit: Limit) -> "DeepeningRun":
        """The memory of one search."""
        raise NotImplementedError

    def begin(self, view: Position, limit: Limit) -> "DeepeningRun":
        run = self.run(view, limit)
        run.set_root(1)
        run.advance(1)  # compiles or loads before the clock starts
        return run

    def entries(self, view: Position) -> Any:
        """The transposition table; a new one for another game or another root seat (scores depend on who `we` are)."""
        use = type(view.game), view.game, view.turn if view.game.SEATS > 2 else 0
        if self._of != use:
            self._entries, self._of = np.zeros(1 << self.table, entry_type()), use
        return self._entries


class DeepeningRun(Run):
    """One search: its memory, the results of the last finished depth, and the depth under way."""

    full = False  # was every move of the root searched with a full window?

    def __init__(self, view: Position, limit: Limit, table: Any, kernels: ModuleType, seed: int) -> None:
        most = int(kernels.MAX_DEPTH)
        self.view, self.table, self.texts = view, table, Texts(view)
        self.deepest = min(limit.depth or most, most)
        self.context = SearchContext(view, kernels.__name__, most + 2, seed)
        self.F: Any = np.zeros(most + 2, kernels.frame_type())
        self.line = np.full((most + 3, most + 4), -1, np.int64)
        self.results: dict[int, tuple[int, bool]] = {}  # move: its score, and is it more than a bound?
        self.best_line: list[int] = []
        self.score = self.reached = self.ply = 0

    # --- what a game's own search says -----------------------------------------------------------------------------

    def set_root(self, depth: int) -> None:
        """Sets out for a depth from the root."""
        raise NotImplementedError

    def go_on(self, nodes: int) -> tuple[int, int]:
        """Calls the kernel `search` from `self.ply` on; (the ply where it stopped, -1 at the end of a depth, nodes spent)."""
        raise NotImplementedError

    def tried(self) -> Iterable[tuple[int, int]]:
        """The moves that the root has searched at the depth under way, with their scores."""
        raise NotImplementedError

    def is_settled(self) -> bool:
        """Does a finished depth count? If not, its root was set again."""
        return True

    def partial_counts(self) -> bool:
        """Does a depth cut short count as far as it went? Its first move was the best of the depth before."""
        return bool(self.F[0].place > 0)

    def value(self, score: int) -> float:
        """A score as a value in [-1, 1]."""
        raise NotImplementedError

    def remark(self, score: int, exact: bool) -> str:
        """Words for a score: a proven result with its distance, or that it is only a bound."""
        proven = f"{'win' if score > 0 else 'loss'} in {WIN - abs(score)}" if abs(score) > PROVEN else ""
        return proven if exact else f"at most {proven}".strip()

    # --- the search ------------------------------------------------------------------------------------------------

    def search(self, budget: Budget) -> None:
        self.set_root(self.reached + 1)
        while self.reached < self.deepest and not self.is_decided() and (chunk := budget.next()):
            finished, nodes = self.advance(chunk)
            budget.note(nodes)
            if finished and self.is_settled():
                self.keep()
                self.reached += 1
                self.set_root(self.reached + 1)

    def advance(self, nodes: int) -> tuple[bool, int]:
        """Searches on; (is this depth finished, nodes spent)."""
        ply, spent = self.go_on(nodes)
        self.ply = max(int(ply), 0)
        return ply < 0, int(spent)

    def is_decided(self) -> bool:
        """A win or loss found to its end, or no choice."""
        return self.reached > 0 and (abs(self.score) > PROVEN or len(self.view.legal_moves) == 1)

    def keep(self) -> None:
        """Takes over what the depth under way has found at the root so far; of the other moves the last depth's scores."""
        best = -INFINITE
        found: dict[int, tuple[int, bool]] = {}
        for move, score in self.tried():
            found[move] = score, self.full or score > best
            best = max(best, score)
        self.results = found | {move: (score, False) for move, (score, _) in self.results.items() if move not in found}
        self.score = int(self.F[0].best)
        line = self.line[0].tolist()
        self.best_line = line[: line.index(-1)]

    # --- what it found ---------------------------------------------------------------------------------------------

    def thought(self, budget: Budget) -> Thought:
        now = copy.copy(self)
        if now.partial_counts():
            now.keep()
        elif not now.results:  # not even one move was searched: any legal one
            now.results = dict.fromkeys(now.view.legal_moves.codes, (0, False))
            now.best_line = now.view.legal_moves.codes[:1]
        return now.told(budget.counted, budget.clock.elapsed)

    def told(self, nodes: int, seconds: float) -> Thought:
        """What is kept, as a thought."""
        best = self.best_line[0]
        ranked = sorted(self.results.items(), key=lambda result: (result[0] != best, -result[1][0], not result[1][1]))
        candidates = tuple(self.candidate(move, *result) for move, result in ranked)
        value, note = self.value(self.score), self.remark(self.score, True)
        return Thought(
            self.texts.move(best), value, candidates, self.texts.line(self.best_line), nodes, self.reached, seconds, note
        )

    def candidate(self, move: int, score: int, exact: bool) -> Candidate:
        return Candidate(self.texts.move(move), self.value(score), note=self.remark(score, exact))
