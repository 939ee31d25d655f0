"""Alpha-beta from Python: iterative deepening within a limit, the table kept between moves."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from daedalus.core import Candidate, Clock, Limit, Position, Thought, scramble

from .budget import Budget
from .context import SearchContext, repetition_matters, seen_positions
from .kernels.alphabeta import HISTORY, LEARNT, MAX_DEPTH, NATURAL, RANDOM, SCALE, STATIC, frame_type
from .kernels.frames import PROVEN, WIN, entry_type
from .kernels.policies import Own

ORDERS = {"natural": NATURAL, "random": RANDOM, "static": STATIC, "learnt": LEARNT}


@dataclass
class AlphaBetaSearch:
    """Deepens ply by ply until the limit, a proven result, or the depth asked for.

    `order` is how successors are sorted: as the rules list them, at random, by their evaluation, or by what refuted
    before (table move, killers, history). `table` is the size of the transposition table as a power of two, 0 for none.
    `full` scores every root move exactly, not only the best.
    """

    evaluation: Any = Own()
    order: str = "learnt"
    table: int = 18
    full: bool = False
    seed: int = 0
    _entries: Any = field(default=None, repr=False)
    _of: Any = field(default=None, repr=False)

    def think(self, view: Position, limit: Limit) -> Thought:
        """The best move found within the limit; `simulations` of the limit counts nodes."""
        run = _Run(self, view)
        run.advance(1)  # compiles or loads before the clock starts
        clock = Clock(limit)
        budget = Budget(clock, limit.simulations)
        deepest = min(limit.depth or MAX_DEPTH, MAX_DEPTH)
        run.begin(1)
        while chunk := budget.next():
            finished, nodes = run.advance(chunk)
            budget.note(nodes)
            if finished:
                run.keep()
                if run.depth >= deepest or run.is_decided():
                    break
                run.begin(run.depth + 1)
        run.keep_partial()
        return run.thought(budget.done, clock.elapsed)

    def entries(self, view: Position) -> Any:
        """The transposition table; a fresh one for another game or another root seat (scores depend on who `we` are)."""
        use = type(view.game), view.game, view.turn if view.game.SEATS > 2 else 0
        if self._of != use:
            self._entries = np.zeros(1 << self.table, entry_type())
            self._of = use
        return self._entries


class _Run:
    """One search: its memory, the best result of the last finished depth, and the depth under way."""

    def __init__(self, search: AlphaBetaSearch, view: Position) -> None:
        self.search, self.view = search, view
        self.context = SearchContext(
            view, "daedalus.search.kernels.alphabeta", MAX_DEPTH + 2, scramble(search.seed, len(view.history))
        )
        self.F = np.zeros(MAX_DEPTH + 2, frame_type())
        self.line = np.full((MAX_DEPTH + 3, MAX_DEPTH + 4), -1, np.int64)
        self.history = np.zeros((2, HISTORY))
        self.scores = np.zeros(len(view.legal_moves), np.int64)
        self.table = search.entries(view)
        self.seen = seen_positions(view)
        self.results: list[tuple[int, int, bool]] = []
        self.best_line: list[int] = []
        self.score = 0
        self.reached = 0
        self.begin(1, clear=True)

    def begin(self, depth: int, clear: bool = False) -> None:
        self.depth = depth
        self.ply = 0
        self.context.kernels.set_root(self.F, depth, clear)

    def advance(self, nodes: int) -> tuple[bool, int]:
        """Searches on; (is this depth finished, nodes spent)."""
        context, search = self.context, self.search
        how = (ORDERS[search.order], repetition_matters(self.view), search.full)
        memory = (self.line, self.table, self.history, self.scores, self.seen)
        ply, spent = context.kernels.search(
            context.game, search.evaluation, context.S, context.W, self.F, *memory, self.ply, nodes, *how
        )
        self.ply = max(int(ply), 0)
        return ply < 0, int(spent)

    def keep(self) -> None:
        """Takes over what the depth under way has found at the root so far."""
        root = self.F[0]
        moves = self.context.W[0].buf[: root.place].tolist()
        improved = -(2**62)
        self.results = []
        for move, score in zip(moves, self.scores.tolist(), strict=False):
            exact = self.search.full or score > improved
            improved = max(improved, score)
            self.results.append((move, score, exact))
        self.score, self.reached = int(root.best), self.depth
        line = self.line[0].tolist()
        self.best_line = line[: line.index(-1)]

    def keep_partial(self) -> None:
        """A depth cut short counts if its first move, the best of the depth before, was searched and bettered or held."""
        root = self.F[0]
        unfinished = self.depth > self.reached
        if unfinished and (root.place > 0 or not self.results):
            if root.place == 0:  # not even one move at depth 1: any legal move
                self.results = [(code, 0, False) for code in self.view.legal_moves.codes]
                self.best_line = self.view.legal_moves.codes[:1]
                return
            if self.search.order in ("natural", "random") and self.results:
                return  # there the first move searched is not the best so far
            before = {move: (score, False) for move, score, _ in self.results}
            depth = self.reached
            self.keep()
            tried = {move for move, _, _ in self.results}
            self.results += [(move, *rest) for move, rest in before.items() if move not in tried]
            self.reached = depth

    def is_decided(self) -> bool:
        """A win or loss found to its end, or no choice."""
        return abs(self.score) > PROVEN or len(self.results) < 2

    def thought(self, nodes: int, seconds: float) -> Thought:
        best = self.best_line[0]
        ranked = sorted(self.results, key=lambda result: (result[0] != best, -result[1], not result[2]))
        candidates = tuple(
            Candidate(self.view.move(move), as_value(score), note=explain(score, exact)) for move, score, exact in ranked
        )
        text = tuple(str(move) for move in spelled(self.view, self.best_line))
        note = explain(self.score, True)
        return Thought(self.view.move(best), as_value(self.score), candidates, text, nodes, self.reached, seconds, note)


def as_value(score: int) -> float:
    """A score as a value in [-1, 1]."""
    return max(-1.0, min(1.0, score / SCALE))


def explain(score: int, exact: bool) -> str:
    """Words for a score: a proven result with its distance, or that it is only a bound."""
    proven = f"{'win' if score > 0 else 'loss'} in {WIN - abs(score)}" if abs(score) > PROVEN else ""
    return proven if exact else f"at most {proven}".strip()


def spelled(view: Position, codes: list[int]) -> list[str]:
    """A line of move numbers as texts; it ends where the position does not allow a move."""
    position, texts = view.copy(), []
    for code in codes:
        if code not in position.legal_moves.codes:
            break
        texts.append(str(position.push(code)))
    return texts
