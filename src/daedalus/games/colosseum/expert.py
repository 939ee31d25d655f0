"""Principal variation search from Python: how the search of kernels/pvs.py is asked."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from daedalus.core import Limit, Position, Thought
from daedalus.search.budget import Budget
from daedalus.search.deepening import DeepeningRun, DeepeningSearch
from daedalus.search.kernels.frames import PROVEN

from .kernels import pvs as kernels
from .kernels.evaluations import UNIT, Territory


@dataclass
class PrincipalSearch(DeepeningSearch):
    """Looks at every move first, then deepens; `simulations` of a limit counts positions judged."""

    judge: Territory = Territory()

    def run(self, view: Position, limit: Limit) -> "_Run":
        return _Run(self, view, limit)

    def warm(self, view: Position) -> None:
        run = self.run(view, Limit())
        run.look()
        run.set_root(2)
        run.advance(1)

    def begin(self, view: Position, limit: Limit) -> "_Run":
        return self.run(view, limit)


class _Run(DeepeningRun):
    def __init__(self, how: PrincipalSearch, view: Position, limit: Limit) -> None:
        super().__init__(view, limit, how.entries(view), kernels, seed=1)
        self.judge = how.judge
        self.scores = np.zeros(len(view.legal_moves), np.int64)

    def search(self, budget: Budget) -> None:
        budget.note(self.look())
        super().search(budget)

    def look(self) -> int:
        """Depth 1: every move by what it leads to at once; returns how many there are."""
        context = self.context
        n = int(context.kernels.first_look(context.game, self.judge, context.S, context.W, self.F, self.scores))
        moves = context.W[0].buf[:n].tolist()
        self.results = {move: (score, True) for move, score in zip(moves, self.scores.tolist(), strict=True)}
        self.best_line = [max(moves, key=lambda move: self.results[move])]
        self.score = self.results[self.best_line[0]][0]
        self.reached = 1
        return n

    def set_root(self, depth: int) -> None:
        self.context.kernels.set_root(self.F, depth)

    def go_on(self, nodes: int) -> tuple[int, int]:
        context = self.context
        memory = (context.S, context.W, self.F, self.line, self.table, self.scores)
        spent: tuple[int, int] = context.kernels.search(context.game, self.judge, *memory, self.ply, nodes)
        return spent

    def tried(self) -> Iterable[tuple[int, int]]:
        place = int(self.F[0].place)
        return zip(self.context.W[0].buf[:place].tolist(), self.scores[:place].tolist(), strict=True)

    def partial_counts(self) -> bool:
        return self.ply > 0 and super().partial_counts()

    def told(self, nodes: int, seconds: float) -> Thought:
        return super().told(max(nodes, len(self.results)), seconds)  # the first look is never cut short

    def value(self, score: int) -> float:
        if abs(score) > PROVEN:
            return 1.0 if score > 0 else -1.0
        return score / (UNIT + abs(score))
