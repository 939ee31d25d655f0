"""The published report's agent from Python: pacing, the tree kept between moves, the final choice."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from daedalus.core import Candidate, Limit, Position, Thought, scramble
from daedalus.core.memory import copies, workspaces
from daedalus.core.registry import registration_of
from daedalus.search.base import Run, Search, Texts
from daedalus.search.budget import Budget

from .kernels.evaluations import Territory
from .kernels.policies import UNIFORM, HeuristicChoice
from .kernels.uct import NONE, node_type

DEEPEST = 600  # plies inside the tree; no game is longer than its 2M(M-1) sides
COPY_SECONDS = 5e-8  # about what taking over one node of the last tree costs
COPIED = 10_000  # nodes between two looks at who watches
UNTRIED = {"zero": 0.0, "first": 1e30}
FINALS = ("value", "visits")
ROLLOUTS = ("heuristic", "uniform")


@dataclass
class ReportSearch(Search):
    """UCT as Pelletier and Wittmann (2022) describe it; `untried` is what a move without visits is worth, `final` how the move is chosen.

    `choice` is the heuristic choice, or as much of it as is wanted; rollouts follow it too, unless they are uniform.
    """

    c: float = 0.5
    implicit: float = 0.0
    untried: str = "zero"
    final: str = "value"
    choice: HeuristicChoice = HeuristicChoice()
    rollout: str = "heuristic"
    reuse: bool = True
    nodes: int = 2_000_000
    seed: int = 0
    _tree: "_Tree | None" = field(default=None, repr=False)

    def warm(self, view: Position) -> None:
        _Tree(self, view, Limit()).touch()

    def begin(self, view: Position, limit: Limit) -> "_Tree":
        return _Tree(self, view, limit)

    def take(self, seconds: float | None) -> "_Tree | None":
        """The tree of the last search, unless it takes too long to copy; it is given up, also if this search breaks off."""
        tree, self._tree = self._tree, None
        return tree if tree is not None and self.reuse and (seconds or 1e9) > 5 * COPY_SECONDS * tree.used else None

    def keep(self, tree: "_Tree") -> None:
        self._tree = tree


class _Tree(Run):
    """The tree of one position."""

    def __init__(self, how: ReportSearch, view: Position, limit: Limit) -> None:
        self.how, self.view, self.limit, self.texts = how, view, limit, Texts(view)
        self.kernels = registration_of(view.game).kernels.load("daedalus.games.colosseum.kernels.uct")
        self.S = copies(view.game, [view.state], 2)
        self.W = workspaces(view.game, 1, scramble(how.seed, len(view.history)))
        # zeroed memory is only reserved: the system hands out a page when a node on it is used
        self.T: Any = np.zeros(how.nodes, node_type())
        self.deepest = min(limit.depth or DEEPEST, DEEPEST)
        self.path = np.zeros(self.deepest + 1, np.int64)  # the root too
        self.kernels.plant(self.T)
        self.used = 1
        self.is_whole = True  # is all below the root there, or is it being copied?
        self.won: int | None = None  # a move that wins at once

    def search(self, budget: Budget) -> None:
        """A winning move if there is one, else simulations within the limit."""
        self.won = self.winning()
        if self.won is not None:
            return
        old = self.how.take(self.limit.seconds)
        if old is not None:
            self.take_over(old, budget)
        while chunk := budget.next():
            self.simulate(chunk)
            budget.note(chunk)
        if self.is_whole:
            self.how.keep(self)

    def touch(self) -> None:
        """Touches every kernel once."""
        self.winning()
        self.simulate(1)
        self.final()
        self.kernels.copy_subtree(self.T, self.T[:1].copy(), 1, 1, COPIED)

    def winning(self) -> int | None:
        """A move that wins at once."""
        move = int(self.kernels.winning_move(self.view.game, self.how.choice, self.S, self.W))
        return None if move == NONE else move

    def simulate(self, n: int) -> None:
        rules = self.how
        how = (rules.c, rules.implicit, UNTRIED[rules.untried], self.path)
        judges = (rules.choice, rules.choice if rules.rollout == "heuristic" else UNIFORM, Territory())
        self.used = int(self.kernels.simulate(self.view.game, *judges, self.S, self.W, self.T, self.used, n, *how))

    def final(self) -> int:
        """The move to play by the tree as it is; what is drawn for that among equals leaves the search's numbers alone."""
        how = (self.how.c, self.how.implicit, self.how.final == "visits")
        return int(self.kernels.final_move(self.view.game, self.how.choice, self.S, self.W.copy(), self.T, *how))

    def children(self, node: int) -> dict[int, int]:
        """The children of a node by their moves."""
        found: dict[int, int] = {}
        child = int(self.T[node].child)
        while child != NONE:
            found[int(self.T[child].move)] = child
            child = int(self.T[child].sibling)
        return found

    def take_over(self, old: "_Tree", budget: Budget) -> None:
        """Continues the subtree of the moves played since, if this position follows from the old one and it was searched."""
        before = old.view
        same = (before.game, before.setup, before.seed) == (self.view.game, self.view.setup, self.view.seed)
        if not same or self.view.history[: len(before.history)] != before.history:
            return
        node: int | None = 0
        for move in self.view.history[len(before.history) :]:
            node = old.children(node).get(int(move)) if node is not None else None
        if node is not None:
            self._copy(old, node, budget)

    def _copy(self, old: "_Tree", node: int, budget: Budget) -> None:
        self.T[:1] = old.T[node : node + 1]
        self.T[0].sibling = NONE
        self.is_whole, copied = False, 0
        while not self.is_whole:
            copied, self.used = self.kernels.copy_subtree(old.T, self.T, copied, self.used, COPIED)
            self.is_whole = copied == self.used
            if budget.stopped():
                return

    def thought(self, budget: Budget) -> Thought:
        """What is played, and the moves tried, most visits first."""
        seconds = budget.clock.elapsed
        if self.won is not None:
            sure = Candidate(self.texts.move(self.won), 1.0, note="win in 1")
            return Thought(sure.move, 1.0, (sure,), (str(sure.move),), depth=1, seconds=seconds, note=sure.note)
        move = self.final()
        children = self.children(0)
        ranked = sorted(children, key=lambda code: (code != move, -int(self.T[children[code]].visits)))
        candidates = tuple(self._candidate(code, children[code]) for code in ranked)
        value = candidates[0].value if candidates else None
        chosen = self.texts.move(move)
        return Thought(chosen, value, candidates, (str(chosen),), budget.done, self._depth(), seconds)

    def _candidate(self, code: int, child: int) -> Candidate:
        visits = int(self.T[child].visits)
        value = 2.0 * float(self.T[child].q) / visits - 1.0 if visits else None
        return Candidate(self.texts.move(code), value, visits)

    def _depth(self) -> int:
        """Plies of the line most visited."""
        node, depth = 0, 0
        deepest = self.deepest if self.is_whole else 1
        while depth < deepest and (children := self.children(node)):
            node = max(children.values(), key=lambda child: int(self.T[child].visits))
            depth += 1
        return depth
