"""Monte Carlo tree search from Python: pacing, growing trees, threads, reuse between moves."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from daedalus.core import Candidate, Clock, Limit, Position, Thought, scramble
from daedalus.core.contract import offers

from .alphabeta import spelled
from .budget import Budget
from .context import SearchContext, repetition_matters, seen_positions
from .kernels.ismcts import NONE
from .kernels.mcts import UNOPENED
from .kernels.policies import Own

DEEPEST = 1023  # plies a simulation may go down inside the tree
COPY_SECONDS = 5e-8  # about what taking over one node of the last tree costs


@dataclass
class TreeSearch:
    """UCT or PUCT for games with 2 to 4 seats; games with hidden cards are searched over many deals of the view.

    c          exploration; `puct` uses priors of the policy and the first-play value parent - fpu
    implicit   weight of the minimax of evaluations below a node, 0 for none
    cutoff     a rollout is judged by the evaluation after so many plies, -1 plays to the end
    solver     wins and losses found in the tree are proven and backed up
    reuse      the subtree of the moves played is kept for the next move
    threads    independent trees whose roots are added up
    nodes      a tree grows no larger
    """

    policy: Any = Own()
    evaluation: Any = Own()
    puct: bool = False
    c: float = 1.0
    fpu: float = 0.1
    implicit: float = 0.0
    cutoff: int = -1
    solver: bool = True
    reuse: bool = True
    threads: int = 1
    nodes: int = 2_000_000
    seed: int = 0
    _trees: list["_Tree"] = field(default_factory=list, repr=False)
    _root: Any = field(default=None, repr=False)
    _compiled: bool = field(default=False, repr=False)
    _spare: list[Any] = field(default_factory=list, repr=False)  # node arrays for the next search: fresh pages cost time

    def think(self, view: Position, limit: Limit) -> Thought:
        """The most visited move within the limit, or a proven win."""
        if not self._compiled:  # compiles or loads before the clock starts
            self._spare.append(self._planted(view, 0, limit).compiled())
            self._compiled = True
        clock = Clock(limit)
        trees = self._prepared(view, limit)
        shares = _shares(limit.simulations, len(trees))
        if len(trees) == 1:
            done = trees[0].run(clock, shares[0])
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                done = sum(pool.map(lambda tree, share: tree.run(clock, share), trees, shares))
        self._trees, self._root = trees, (_origin(view), list(view.history))
        return _thought(view, trees, done, clock.elapsed)

    def _prepared(self, view: Position, limit: Limit) -> list["_Tree"]:
        """A tree a thread, each continuing its last one where the moves played lead into it."""
        trees = [self._planted(view, thread, limit) for thread in range(self.threads)]
        played = self._played(view) if self.reuse and len(self._trees) == self.threads else None
        if played is not None:
            for tree, old in zip(trees, self._trees, strict=True):
                if limit.seconds is None or COPY_SECONDS * old.used < 0.2 * limit.seconds:
                    tree.take_over(old, played)
        self._spare += [old.T for old in self._trees]
        return trees

    def nodes_of(self, kind: Any, size: int) -> Any:
        """Memory for a tree of so many nodes of this type, from an earlier search or new.

        New zeroed memory is only reserved: the system hands out a page when a node on it is first used.
        """
        while self._spare:
            array = self._spare.pop()
            if array.dtype == kind and len(array) == size:
                return array
        return np.zeros(size, kind)

    def _planted(self, view: Position, thread: int, limit: Limit) -> "_Tree":
        """A new tree: over many deals if the game hides something."""
        kind = _DealtTree if offers(type(view.game), "redeal") else _Tree
        return kind(self, view, thread, limit)

    def _played(self, view: Position) -> list[int] | None:
        """The moves from the last root to this view; None if it does not follow from there."""
        if self._root is None or offers(type(view.game), "redeal"):
            return None  # in a hidden game each move tells something new: the old tree's deals no longer fit
        origin, history = self._root
        follows = origin == _origin(view) and view.history[: len(history)] == history
        return [int(move) for move in view.history[len(history) :]] if follows else None


def _origin(view: Position) -> tuple[Any, ...]:
    """Where a game began."""
    return type(view.game), view.game, view.setup, view.seed


def _shares(total: int | None, n: int) -> list[int | None]:
    return [None] * n if total is None else [total // n + (i < total % n) for i in range(n)]


class _Tree:
    """One tree on one thread."""

    kernels = "daedalus.search.kernels.mcts"

    def __init__(self, search: TreeSearch, view: Position, thread: int, limit: Limit) -> None:
        self.search, self.view = search, view
        self.context = SearchContext(view, self.kernels, 3, scramble(search.seed, len(view.history), thread))
        size = search.nodes + view.game.MAX_MOVES + 1  # room to open one more node than asked for
        self.T: Any = search.nodes_of(self.context.kernels.node_type(view.game.SEATS), size)
        self.plant()
        self.used = 1
        self.deepest = min(limit.depth or DEEPEST, DEEPEST)
        self.path = np.zeros(self.deepest + 1, np.int64)  # the root too
        self.keys = np.zeros(self.deepest + 1, np.uint64)
        self.repeats = repetition_matters(view)
        self.seen = seen_positions(view)

    def plant(self) -> None:
        """A root without children."""
        self.T[:1] = np.zeros(1, self.T.dtype)
        self.T[0].count = UNOPENED

    def take_over(self, old: "_Tree", played: list[int]) -> None:
        """Continues the subtree that the moves played lead to, if it was searched."""
        node = 0
        for move in played:
            children = [child for child in old.children(node) if old.T[child].move == move]
            if not children:
                return
            node = children[0]
        self.used = int(self.context.kernels.copy_subtree(old.T, self.T, node))
        if self.T[0].solved and self.T[0].count <= 0:  # a solved leaf has no moves to choose from
            self.plant()

    def run(self, clock: Clock, share: int | None) -> int:
        """Simulates until the limit or until the root is solved."""
        budget = Budget(clock, share)
        while (chunk := budget.next()) and not self.is_solved():
            budget.note(self.simulate(chunk))
        return budget.done

    def compiled(self) -> Any:
        """Makes sure that the kernels are ready, also those of the next move; gives the memory back."""
        self.simulate(0)
        self.context.kernels.copy_subtree(self.T, self.T[:1].copy(), 0)
        return self.T

    def simulate(self, n: int) -> int:
        """So many simulations, fewer if the root gets solved; returns how many were made."""
        context, search = self.context, self.search
        choice = (search.puct, search.c, search.fpu, search.implicit, int(search.solver), search.cutoff)
        memory = (self.repeats, self.seen, self.path, self.keys)
        self.used, done = context.kernels.simulate(
            context.game, search.policy, search.evaluation, context.S, context.W, self.T, self.used, n, *choice, *memory
        )
        return int(done)

    def is_solved(self) -> bool:
        return bool(self.T[0].solved)

    def children(self, node: int) -> list[int]:
        first, count = int(self.T[node].first), int(self.T[node].count)
        return list(range(first, first + count)) if count > 0 else []

    def move_of(self, child: int) -> int:
        return int(self.T[child].move)

    def proven(self, child: int) -> float | None:
        """What a solved child is worth to the seat that moves into it."""
        return float(self.T[child].best[self.view.turn]) if self.T[child].solved else None

    def line(self) -> list[int]:
        """The moves most visited, from the root down."""
        moves: list[int] = []
        node = 0
        while len(moves) < self.deepest and (children := self.children(node)):
            mover = int(self.T[node].mover)
            node = max(children, key=lambda child: self._merit(child, mover))
            if not self.T[node].visits and not self.T[node].solved:
                break
            moves.append(self.move_of(node))
        return moves

    def _merit(self, child: int, mover: int) -> tuple[float, int]:
        t = self.T[child]
        sure = float(t.best[mover]) if t.solved else 0.0
        return (sure if abs(sure) == 1.0 else 0.0, int(t.visits))


class _DealtTree(_Tree):
    """One tree over many deals of a view."""

    kernels = "daedalus.search.kernels.ismcts"

    def __init__(self, search: TreeSearch, view: Position, thread: int, limit: Limit) -> None:
        super().__init__(search, view, thread, limit)
        self.slots = np.full(view.game.LABELS, NONE, np.int32)
        self.labels = {int(view.game.label(view.state, code)): code for code in reversed(view.legal_moves.codes)}

    def plant(self) -> None:
        self.T[:1] = np.zeros(1, self.T.dtype)
        self.T[0].child = NONE

    def compiled(self) -> Any:
        self.simulate(0)
        return self.T

    def simulate(self, n: int) -> int:
        context, search = self.context, self.search
        choice = (search.puct, search.c, search.fpu, search.cutoff)
        self.used, done = context.kernels.simulate(
            context.game,
            search.policy,
            search.evaluation,
            context.S,
            context.W,
            self.T,
            self.used,
            n,
            *choice,
            self.slots,
            self.path,
        )
        return int(done)

    def is_solved(self) -> bool:
        return False

    def children(self, node: int) -> list[int]:
        found: list[int] = []
        child = int(self.T[node].child)
        while child != NONE:
            found.append(child)
            child = int(self.T[child].sibling)
        return found

    def move_of(self, child: int) -> int:
        return self.labels[int(self.T[child].label)]

    def proven(self, child: int) -> float | None:
        return None

    def line(self) -> list[int]:
        """Only the own move: what follows differs from deal to deal."""
        children = self.children(0)
        return [self.move_of(max(children, key=lambda child: int(self.T[child].visits)))] if children else []


def _thought(view: Position, trees: list[_Tree], done: int, seconds: float) -> Thought:
    """Adds up the roots of all trees and picks: a proven win, else the most visited move that is not a proven loss."""
    visits: dict[int, int] = dict.fromkeys(view.legal_moves.codes, 0)
    totals: dict[int, float] = dict.fromkeys(visits, 0.0)
    sure: dict[int, float] = {}
    for tree in trees:
        for child in tree.children(0):
            move = tree.move_of(child)
            visits[move] += int(tree.T[child].visits)
            totals[move] += float(tree.T[child].value[view.turn])
            exact = tree.proven(child)
            if exact is not None:
                sure[move] = exact
    values = {move: sure.get(move, totals[move] / visits[move] if visits[move] else None) for move in visits}
    all_sure = len(sure) == len(visits)

    def merit(move: int) -> tuple[float, int, float]:
        exact = sure.get(move, 0.0)
        certain = exact if all_sure or abs(exact) == 1.0 else 0.0
        value = values[move]
        return certain, visits[move], -1.0 if value is None else value

    ranked = sorted(visits, key=merit, reverse=True)
    names = {1.0: "proven win", -1.0: "proven loss", 0.0: "proven draw"}
    candidates = tuple(
        Candidate(view.move(move), values[move], visits[move], note=names.get(sure[move], "proven") if move in sure else "")
        for move in ranked
    )
    best = candidates[0]
    lines = [line for tree in trees if (line := tree.line()) and line[0] == best.move]
    texts = tuple(spelled(view, lines[0])) if lines else (str(best.move),)
    return Thought(best.move, best.value, candidates, texts, done, len(texts), seconds, best.note)
