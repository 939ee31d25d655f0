"""Alpha-beta of the game's own from Python: how the search of kernels/pvs.py is asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from daedalus.core import Limit, Position
from daedalus.search.context import repetition_matters, seen_positions
from daedalus.search.deepening import DeepeningRun, DeepeningSearch
from daedalus.search.kernels.frames import INFINITE, NOTHING, PROVEN

from .kernels import pvs as kernels
from .kernels.lines import board_type
from .kernels.pvs import SQUARES, Tuning

ODDS = 400  # a score that makes odds of e to 1


@dataclass
class LineSearch(DeepeningSearch):
    """Deepens over the search of kernels/pvs.py; `simulations` of a limit counts positions judged."""

    known: Any  # see patterns.py
    tuning: Tuning = Tuning()
    window: int = 60  # a deeper search rarely changes the score by more

    def run(self, view: Position, limit: Limit) -> "_Run":
        return _Run(self, view, limit)


class _Run(DeepeningRun):
    def __init__(self, how: LineSearch, view: Position, limit: Limit) -> None:
        super().__init__(view, limit, how.entries(view), kernels, seed=1)
        self.how = how
        self.boards: Any = np.zeros(kernels.MAX_DEPTH + 2, board_type())
        self.history = np.zeros((2, 4 * SQUARES), np.int64)
        self.seen = seen_positions(view)
        game: Any = view.game
        self.size = int(game.size)
        self.window = (-INFINITE, INFINITE)

    def set_root(self, depth: int) -> None:
        near = self.how.window and self.reached > 2 and abs(self.score) < PROVEN
        self._open(depth, (self.score - self.how.window, self.score + self.how.window) if near else (-INFINITE, INFINITE))

    def _open(self, depth: int, window: tuple[int, int]) -> None:
        self.window, self.ply = window, 0
        first = self.best_line[0] if self.best_line else NOTHING
        context = self.context
        context.kernels.set_root(self.how.known, context.S, self.boards, self.F, depth, *window, first, depth == 1)

    def go_on(self, nodes: int) -> tuple[int, int]:
        memory = (self.boards, self.F, self.line, self.table, self.history, self.seen)
        spent: tuple[int, int] = self.context.kernels.search(
            self.how.known, self.how.tuning, *memory, self.ply, nodes, repetition_matters(self.view)
        )
        return spent

    def is_settled(self) -> bool:
        """A depth whose score left its window is searched again with that side open."""
        best, (low, high) = int(self.F[0].best), self.window
        if low < best < high:
            return True
        if best >= high:
            self.best_line = self.line[0].tolist()[:1]
        self._open(self.reached + 1, (low, INFINITE) if best >= high else (-INFINITE, high))
        return False

    def tried(self) -> Iterable[tuple[int, int]]:
        root = self.F[0]
        moves = root.move[: root.place].astype(np.int64)
        codes = ((moves >> 6) * self.size + (moves >> 2 & 15)) * 4 + (moves & 3)
        return zip(codes.tolist(), root.score[: root.place].tolist(), strict=True)

    def partial_counts(self) -> bool:
        """Not if the best move so far has failed low."""
        return super().partial_counts() and bool(self.F[0].best > self.window[0])

    def value(self, score: int) -> float:
        if abs(score) > PROVEN:
            return 1.0 if score > 0 else -1.0
        return float(np.tanh(score / (2 * ODDS)))
