"""Alpha-beta from Python: how the generic search of kernels/alphabeta.py is asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from daedalus.core import Limit, Position, scramble

from .context import repetition_matters, seen_positions
from .deepening import DeepeningRun, DeepeningSearch
from .kernels import alphabeta as kernels
from .kernels.alphabeta import HISTORY, LEARNT, NATURAL, RANDOM, SCALE, STATIC
from .kernels.policies import Own

ORDERS = {"natural": NATURAL, "random": RANDOM, "static": STATIC, "learnt": LEARNT}


@dataclass
class AlphaBetaSearch(DeepeningSearch):
    """Alpha-beta for any game.

    `order` is how successors are sorted: as the rules list them, at random, by their evaluation, or by what refuted
    before (table move, killers, history). A `table` of 0 is none. `full` scores every root move exactly, not only the best.
    """

    evaluation: Any = Own()
    order: str = "learnt"
    full: bool = False
    seed: int = 0

    def run(self, view: Position, limit: Limit) -> "_Run":
        return _Run(self, view, limit)


class _Run(DeepeningRun):
    def __init__(self, how: AlphaBetaSearch, view: Position, limit: Limit) -> None:
        seed = scramble(how.seed, len(view.history))
        super().__init__(view, limit, how.entries(view), kernels, seed)
        self.how, self.full = how, how.full
        self.history = np.zeros((2, HISTORY))
        self.scores = np.zeros(len(view.legal_moves), np.int64)
        self.seen = seen_positions(view)

    def set_root(self, depth: int) -> None:
        self.ply = 0
        self.context.kernels.set_root(self.F, depth, depth == 1)

    def go_on(self, nodes: int) -> tuple[int, int]:
        context, how = self.context, self.how
        memory = (self.line, self.table, self.history, self.scores, self.seen)
        bounds = (self.ply, nodes, ORDERS[how.order], repetition_matters(self.view), how.full)
        spent: tuple[int, int] = context.kernels.search(
            context.game, how.evaluation, context.S, context.W, self.F, *memory, *bounds
        )
        return spent

    def tried(self) -> Iterable[tuple[int, int]]:
        place = int(self.F[0].place)
        return zip(self.context.W[0].buf[:place].tolist(), self.scores[:place].tolist(), strict=True)

    def partial_counts(self) -> bool:
        best_first = self.how.order not in ("natural", "random")
        return super().partial_counts() and (best_first or not self.results)

    def value(self, score: int) -> float:
        return max(-1.0, min(1.0, score / SCALE))
