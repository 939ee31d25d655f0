"""Flat Monte Carlo: the same number of playouts after each move, and the move with the best mean."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from daedalus.core import Candidate, Clock, Limit, Position, Thought, scramble

from .budget import Budget
from .context import SearchContext
from .kernels.policies import Own


@dataclass
class FlatSearch:
    """Playouts shared equally among the moves; in a hidden game each deals the unknown cards anew."""

    policy: Any = Own()
    evaluation: Any = Own()
    cutoff: int = -1
    seed: int = 0

    def think(self, view: Position, limit: Limit) -> Thought:
        """The move with the best mean payoff within the limit."""
        context = SearchContext(view, "daedalus.search.kernels.playouts", 2, scramble(self.seed, len(view.history)))
        moves = np.array(view.legal_moves.codes)
        totals, squares = np.zeros((2, moves.size))
        visits = np.zeros(moves.size, np.int64)

        def run(begin: int, end: int) -> None:
            judges = (self.policy, self.evaluation)
            bounds = (begin, end, self.cutoff, view.game.SEATS)
            context.kernels.flat(context.game, *judges, context.S, context.W, moves, *bounds, totals, squares, visits)

        run(0, 0)  # compiles or loads before the clock starts
        clock = Clock(limit)
        budget = Budget(clock, limit.simulations)
        while chunk := budget.next():
            run(budget.done, budget.done + chunk)
            budget.note(chunk)
        return self._thought(view, totals, squares, visits, budget.done, clock.elapsed)

    @staticmethod
    def _thought(view: Position, totals: Any, squares: Any, visits: Any, done: int, seconds: float) -> Thought:
        tried = np.maximum(visits, 1)
        means = np.where(visits > 0, totals / tried, -1.0)
        errors = np.sqrt(np.maximum(squares / tried - means**2, 0) / tried)
        order = np.argsort(-means, kind="stable")
        candidates = tuple(
            Candidate(view.legal_moves[i], float(means[i]), int(visits[i]), note=f"± {1.96 * errors[i]:.3f}") for i in order
        )
        best = candidates[0]
        return Thought(best.move, best.value, candidates, (str(best.move),), done, 1, seconds)
