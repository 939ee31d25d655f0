"""Flat Monte Carlo: the same number of playouts after each move, and the move with the best mean."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from daedalus.core import Candidate, Limit, Position, Thought, scramble

from .base import Run, Search, Texts
from .budget import Budget
from .context import SearchContext
from .kernels.policies import Own


@dataclass
class FlatSearch(Search):
    """Playouts shared equally among the moves; in a hidden game each deals the unknown cards anew."""

    policy: Any = Own()
    evaluation: Any = Own()
    cutoff: int = -1
    seed: int = 0

    def warm(self, view: Position) -> None:
        _Run(self, view).play_out(0, 0)

    def begin(self, view: Position, limit: Limit) -> Run:
        return _Run(self, view)


class _Run(Run):
    """The playouts from one view: for each move their number, the sum of their payoffs and of the squares."""

    def __init__(self, how: FlatSearch, view: Position) -> None:
        self.how, self.texts = how, Texts(view)
        self.context = SearchContext(view, "daedalus.search.kernels.playouts", 2, scramble(how.seed, len(view.history)))
        self.moves = np.array(view.legal_moves.codes)
        self.totals, self.squares = np.zeros((2, self.moves.size))
        self.visits = np.zeros(self.moves.size, np.int64)

    def search(self, budget: Budget) -> None:
        while chunk := budget.next():
            self.play_out(budget.done, budget.done + chunk)
            budget.note(chunk)

    def play_out(self, begin: int, end: int) -> None:
        """The playouts of these numbers: each goes to the next move."""
        context, how = self.context, self.how
        bounds = (begin, end, how.cutoff, context.game.SEATS)
        sums = (self.totals, self.squares, self.visits)
        context.kernels.flat(context.game, how.policy, how.evaluation, context.S, context.W, self.moves, *bounds, *sums)

    def thought(self, budget: Budget) -> Thought:
        tried = np.maximum(self.visits, 1)
        means = np.where(self.visits > 0, self.totals / tried, -1.0)
        errors = 1.96 * np.sqrt(np.maximum(self.squares / tried - means**2, 0) / tried)
        order = np.argsort(-means, kind="stable")
        columns = (column[order].tolist() for column in (self.moves, means, self.visits, errors))
        candidates = tuple(
            Candidate(self.texts.move(move), mean, visits, note=f"± {error:.3f}")
            for move, mean, visits, error in zip(*columns, strict=True)
        )
        best = candidates[0]
        return Thought(best.move, best.value, candidates, (str(best.move),), budget.done, 1, budget.clock.elapsed)
