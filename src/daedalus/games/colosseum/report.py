"""The published report's agent from Python: pacing, the tree kept between moves, the final choice."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from daedalus.core import Candidate, Clock, Limit, Move, Position, Thought, scramble
from daedalus.core.memory import copies, workspaces
from daedalus.core.registry import registration_of
from daedalus.search.budget import Budget

from .kernels.evaluations import Territory
from .kernels.policies import UNIFORM, HeuristicChoice
from .kernels.uct import NONE, node_type

DEEPEST = 600  # plies inside the tree; no game is longer than its 2M(M-1) sides
COPY_SECONDS = 5e-8  # about what taking over one node of the last tree costs
UNTRIED = {"zero": 0.0, "first": 1e30}
FINALS = ("value", "visits")
ROLLOUTS = ("heuristic", "uniform")


@dataclass
class ReportSearch:
    """UCT as the report describes it; `untried` is what a move without visits is worth, `final` how the move is chosen.

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
    _compiled: bool = field(default=False, repr=False)

    def think(self, view: Position, limit: Limit) -> Thought:
        """A winning move if there is one, else the final choice of the tree."""
        if not self._compiled:  # compiles or loads before the clock starts
            _Tree(self, view, limit).warm()
            self._compiled = True
        clock = Clock(limit)
        tree = _Tree(self, view, limit)
        winning = tree.winning()
        if winning is not None:
            return _won(view.move(winning), clock)
        if self.reuse and self._tree is not None and (limit.seconds or 1e9) > 5 * COPY_SECONDS * self._tree.used:
            tree.take_over(self._tree)
        budget = Budget(clock, limit.simulations)
        while (chunk := budget.next()) > 0:
            tree.simulate(chunk)
            budget.note(chunk)
        self._tree = tree
        return tree.thought(budget.done, clock)


def _won(move: Move, clock: Clock) -> Thought:
    """The game ends with this move: there is nothing to search."""
    sure = Candidate(move, 1.0, note="win in 1")
    return Thought(move, 1.0, (sure,), (str(move),), depth=1, seconds=clock.elapsed, note=sure.note)


class _Tree:
    """The tree of one position."""

    def __init__(self, search: ReportSearch, view: Position, limit: Limit) -> None:
        self.search, self.view = search, view
        self.kernels = registration_of(view.game).kernels.load("daedalus.games.colosseum.kernels.uct")
        self.S = copies(view.game, [view.state], 2)
        self.W = workspaces(view.game, 1, scramble(search.seed, len(view.history)))
        # zeroed memory is only reserved: the system hands out a page when a node on it is used
        self.T: Any = np.zeros(search.nodes, node_type())
        self.deepest = min(limit.depth or DEEPEST, DEEPEST)
        self.path = np.zeros(self.deepest + 1, np.int64)  # the root too
        self.kernels.plant(self.T)
        self.used = 1

    def warm(self) -> None:
        """Touches every kernel once."""
        self.winning()
        self.simulate(1)
        self.final()
        self.kernels.copy_subtree(self.T, self.T[:2].copy(), 0)

    def winning(self) -> int | None:
        """A move that wins at once."""
        move = int(self.kernels.winning_move(self.view.game, self.search.choice, self.S, self.W))
        return None if move == NONE else move

    def simulate(self, n: int) -> None:
        search = self.search
        how = (search.c, search.implicit, UNTRIED[search.untried], self.path)
        judges = (search.choice, search.choice if search.rollout == "heuristic" else UNIFORM, Territory())
        self.used = int(self.kernels.simulate(self.view.game, *judges, self.S, self.W, self.T, self.used, n, *how))

    def final(self) -> int:
        how = (self.search.c, self.search.implicit, self.search.final == "visits")
        return int(self.kernels.final_move(self.view.game, self.search.choice, self.S, self.W, self.T, *how))

    def children(self, node: int) -> dict[int, int]:
        """The children of a node by their moves."""
        found: dict[int, int] = {}
        child = int(self.T[node].child)
        while child != NONE:
            found[int(self.T[child].move)] = child
            child = int(self.T[child].sibling)
        return found

    def take_over(self, old: "_Tree") -> None:
        """Continues the subtree of the moves played since, if this position follows from the old one and it was searched."""
        before = old.view
        same = (before.game, before.setup, before.seed) == (self.view.game, self.view.setup, self.view.seed)
        if not same or self.view.history[: len(before.history)] != before.history:
            return
        node: int | None = 0
        for move in self.view.history[len(before.history) :]:
            node = old.children(node).get(int(move)) if node is not None else None
        if node is not None:
            self.used = int(self.kernels.copy_subtree(old.T, self.T, node))

    def thought(self, done: int, clock: Clock) -> Thought:
        """What is played, and the moves tried, most visits first."""
        move = self.final()
        children = self.children(0)
        ranked = sorted(children, key=lambda code: (code != move, -int(self.T[children[code]].visits)))
        candidates = tuple(self._candidate(code, children[code]) for code in ranked)
        value = candidates[0].value if candidates else None
        chosen = self.view.move(move)
        return Thought(chosen, value, candidates, (str(chosen),), done, self._depth(), clock.elapsed)

    def _candidate(self, code: int, child: int) -> Candidate:
        visits = int(self.T[child].visits)
        value = 2.0 * float(self.T[child].q) / visits - 1.0 if visits else None
        return Candidate(self.view.move(code), value, visits)

    def _depth(self) -> int:
        """Plies of the line most visited."""
        node, depth = 0, 0
        while depth < self.deepest and (children := self.children(node)):
            node = max(children.values(), key=lambda child: int(self.T[child].visits))
            depth += 1
        return depth
