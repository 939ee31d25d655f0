"""What all searches share: how one thinks within a limit while somebody may watch, and the texts of its moves."""

from typing import Any

from daedalus.core import Clock, Limit, Move, Position, Thought, Watch

from .budget import Budget


class Run:
    """One search of one view."""

    def search(self, budget: Budget) -> None:
        """Works until the budget gives no more."""
        raise NotImplementedError

    def thought(self, budget: Budget) -> Thought:
        """What it would answer now. Making it changes nothing in the search."""
        raise NotImplementedError


class Search:
    """A way of searching, with what it keeps from move to move."""

    _ready: Any = None  # the game whose kernels are loaded

    def warm(self, view: Position) -> None:
        """Calls every kernel that a run may need, so that they are compiled or loaded before any clock starts."""

    def begin(self, view: Position, limit: Limit) -> Run:
        """Sets out the memory of one search."""
        raise NotImplementedError

    def think(self, view: Position, limit: Limit, watch: Watch | None = None) -> Thought:
        """The best move found within the limit, or what was shown last to a watch that said stop."""
        game = type(view.game), view.game  # games of two classes may be equal as tuples
        if self._ready != game:
            self.warm(view)
            self._ready = game
        run = self.begin(view, limit)
        budget = Budget(Clock(limit), limit.simulations, watch, run.thought)
        run.search(budget)
        thought: Thought = budget.answer()
        return thought


class Texts:
    """The moves and lines of one position as people read them, spelled once: a watched search tells them again and again."""

    def __init__(self, view: Position) -> None:
        self._view = view
        self._moves: dict[int, Move] = {}
        self._end = view.copy()  # of the last line

    def move(self, code: int) -> Move:
        """A move with its text."""
        if code not in self._moves:
            self._moves[code] = self._view.move(code)
        return self._moves[code]

    def line(self, codes: list[int]) -> tuple[str, ...]:
        """The texts of a line; it ends where the position does not allow a move."""
        end, start = self._end, len(self._view.history)
        while end.history[start:] != codes[: len(end.history) - start]:
            end.pop()
        for code in codes[len(end.history) - start :]:
            if code not in end.legal_moves.codes:
                break
            end.push(code)
        return tuple(map(str, end.history[start:]))
