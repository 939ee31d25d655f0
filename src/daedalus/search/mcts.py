"""Monte Carlo tree search from Python: pacing, growing trees, threads, reuse between moves."""

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from daedalus.core import Candidate, Limit, Position, Thought, scramble
from daedalus.core.contract import offers

from .base import Run, Search, Texts
from .budget import CHUNK_SECONDS, Budget
from .context import SearchContext, repetition_matters, seen_positions
from .kernels.ismcts import NONE
from .kernels.mcts import UNOPENED
from .kernels.policies import Even, Own

DEEPEST = 1023  # plies a simulation may go down inside the tree
COPY_SECONDS = 5e-8  # about what taking over one node of the last tree costs
COPIED = 10_000  # nodes between two looks at who watches


@dataclass
class TreeSearch(Search):
    """UCT or PUCT for games with 2 to 4 seats; games with hidden cards are searched over many deals of the view.

    c          exploration; `puct` uses priors of the policy and the first-play value parent - fpu
    implicit   weight of the minimax of evaluations below a node, 0 for none
    cutoff     a rollout is judged by the evaluation after so many plies, -1 plays to the end
    solver     wins and losses found in the tree are proven and backed up
    reuse      the subtree of the moves played is kept for the next move
    threads    independent trees whose roots are added up
    nodes      a tree grows no larger
    dealer     deals what is hidden, in games that hide something
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
    dealer: Any = Even()
    _trees: list["_Tree"] = field(default_factory=list, repr=False)
    _root: Any = field(default=None, repr=False)
    _spare: list[Any] = field(default_factory=list, repr=False)  # node arrays for the next search: fresh pages cost time

    def warm(self, view: Position) -> None:
        self._spare.append(self.planted(view, 0, Limit()).compiled())

    def begin(self, view: Position, limit: Limit) -> "_Run":
        return _Run(self, view, limit)

    def continue_last(self, view: Position, trees: list["_Tree"], budget: Budget) -> None:
        """Trees continue the last ones, where the moves played lead into those.

        The last ones are given up for them, so that a search that breaks off leaves nothing half done.
        """
        last, played = self._trees, self._played(view) if self.reuse else None
        self._trees, self._root = [], None
        if played is not None and len(last) == len(trees):
            for tree, old in zip(trees, last, strict=True):
                if COPY_SECONDS * old.used < 0.2 * budget.clock.left:
                    tree.take_over(old, played, budget)
        self._spare += [old.T for old in last]

    def keep(self, view: Position, trees: list["_Tree"]) -> None:
        """Keeps the trees of a finished search for the next move."""
        if all(tree.is_whole for tree in trees):
            self._trees, self._root = trees, (_origin(view), list(view.history))

    def nodes_of(self, kind: Any, size: int) -> Any:
        """Memory for a tree of so many nodes of this type, from an earlier search or new.

        New zeroed memory is only reserved: the system hands out a page when a node on it is first used.
        """
        while self._spare:
            array = self._spare.pop()
            if array.dtype == kind and len(array) == size:
                return array
        return np.zeros(size, kind)

    def judges(self, thread: int) -> tuple[Any, Any]:
        """Policy and evaluation for a thread: those with scratch in them, such as networks, are copied for all but the first."""
        if thread == 0:
            return self.policy, self.evaluation
        own = {id(judge): _own(judge) for judge in (self.policy, self.evaluation)}  # one copy, if both are the same
        return own[id(self.policy)], own[id(self.evaluation)]

    def planted(self, view: Position, thread: int, limit: Limit) -> "_Tree":
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


def _own(judge: Any) -> Any:
    """A judge whose scratch no other thread writes to."""
    return judge._replace(**{name: part.copy() for name, part in judge._asdict().items() if isinstance(part, np.record)})


def _origin(view: Position) -> tuple[Any, ...]:
    """Where a game began."""
    return type(view.game), view.game, view.setup, view.seed


def _shares(total: int | None, n: int) -> list[int | None]:
    return [None] * n if total is None else [total // n + (i < total % n) for i in range(n)]


class _Root(NamedTuple):
    """What the root of a tree says after so many simulations."""

    children: list[tuple[int, int, float, float | None]]  # move, visits, sum of payoffs, what it is proven to be worth
    line: list[int]  # the moves most visited
    done: int


class _Run(Run):
    """One search: a tree a thread. The calling thread grows the first one, and it alone talks to who watches."""

    def __init__(self, how: TreeSearch, view: Position, limit: Limit) -> None:
        self.how, self.view, self.limit, self.texts = how, view, limit, Texts(view)
        self.trees: list[_Tree] = []
        self.helping = False  # are other threads at work on their trees?

    def search(self, budget: Budget) -> None:
        self.trees = [self.how.planted(self.view, thread, self.limit) for thread in range(self.how.threads)]
        self.how.continue_last(self.view, self.trees, budget)
        if len(self.trees) == 1:
            self.trees[0].run(budget)
        else:
            self._together(budget)
        self.how.keep(self.view, self.trees)

    def _together(self, budget: Budget) -> None:
        first, *others = self.trees
        budget.total, *shares = _shares(self.limit.simulations, len(self.trees))
        self.helping = True
        with ThreadPoolExecutor(len(others)) as pool:
            try:
                waiting = {pool.submit(tree.help, budget, share) for tree, share in zip(others, shares, strict=True)}
                first.run(budget)
                while waiting and not budget.stopped():
                    done, waiting = wait(waiting, timeout=CHUNK_SECONDS)
                    for future in done:
                        future.result()
            except BaseException:
                budget.stop.set()
                raise
        self.helping = False

    def thought(self, budget: Budget) -> Thought:
        roots = [tree.told if self.helping and tree is not self.trees[0] else tree.root() for tree in self.trees]
        return _thought(self.view, self.texts, roots, budget.clock.elapsed)


class _Tree:
    """One tree on one thread."""

    kernels = "daedalus.search.kernels.mcts"

    def __init__(self, search: TreeSearch, view: Position, thread: int, limit: Limit) -> None:
        self.search, self.view = search, view
        self.policy, self.evaluation = search.judges(thread)
        self.context = SearchContext(view, self.kernels, 3, scramble(search.seed, len(view.history), thread))
        size = search.nodes + view.game.MAX_MOVES + 1  # room to open one more node than asked for
        self.T: Any = search.nodes_of(self.context.kernels.node_type(view.game.SEATS), size)
        self.plant()
        self.used = 1
        self.is_whole = True  # is all below the root there, or is it being copied?
        self.deepest = min(limit.depth or DEEPEST, DEEPEST)
        self.path = np.zeros(self.deepest + 1, np.int64)  # the root too
        self.keys = np.zeros(self.deepest + 1, np.uint64)
        self.repeats = repetition_matters(view)
        self.seen = seen_positions(view)
        self.done = 0
        self.told = _Root([], [], 0)  # what other threads may know of it while it grows

    def plant(self) -> None:
        """A root without children."""
        self.T[:1] = np.zeros(1, self.T.dtype)
        self.T[0].count = UNOPENED

    def take_over(self, old: "_Tree", played: list[int], budget: Budget) -> None:
        """Continues the subtree that the moves played lead to, if it was searched."""
        node = 0
        for move in played:
            places = np.flatnonzero(old._block(node)["move"] == move)
            if not places.size:
                return
            node = int(old.T[node].first + places[0])
        self.T[:1] = old.T[node : node + 1]
        self.is_whole, copied = False, 0
        while not self.is_whole:
            copied, self.used = self.context.kernels.copy_subtree(old.T, self.T, copied, self.used, COPIED)
            self.is_whole = copied == self.used
            if budget.stopped():
                return
        if self.T[0].solved and self.T[0].count <= 0:  # a solved leaf has no moves to choose from
            self.plant()

    def run(self, budget: Budget) -> None:
        """Simulates until the limit or until the root is solved."""
        while not self.is_solved() and (chunk := budget.next()):
            done = self.simulate(chunk)
            budget.note(done)
            self.done += done

    def help(self, budget: Budget, share: int | None) -> None:
        """The same on another thread, for a share of the simulations; it ends with the budget of the first."""
        tell = self.tell if budget.is_watched else None
        self.run(Budget(budget.clock, share, tell, lambda budget: self.root(), budget.stop))

    def tell(self, root: _Root) -> None:
        self.told = root

    def compiled(self) -> Any:
        """Makes sure that the kernels are ready, also those of the next move; gives the memory back."""
        self.simulate(0)
        self.context.kernels.copy_subtree(self.T, self.T[:1].copy(), 1, 1, COPIED)
        return self.T

    def simulate(self, n: int) -> int:
        """So many simulations, fewer if the root gets solved; returns how many were made."""
        context, search = self.context, self.search
        choice = (search.puct, search.c, search.fpu, search.implicit, int(search.solver), search.cutoff)
        memory = (self.repeats, self.seen, self.path, self.keys)
        self.used, done = context.kernels.simulate(
            context.game, self.policy, self.evaluation, context.S, context.W, self.T, self.used, n, *choice, *memory
        )
        return int(done)

    def is_solved(self) -> bool:
        return bool(self.T[0].solved)

    def root(self) -> _Root:
        """What the root says now, of each child for the seat to move."""
        block, seat = self._block(0), self.view.turn
        moves, visits, solved = (block[name].tolist() for name in ("move", "visits", "solved"))
        totals, best = (block[name][:, seat].tolist() for name in ("value", "best"))
        proven = [worth if is_solved else None for worth, is_solved in zip(best, solved, strict=True)]
        return _Root(list(zip(moves, visits, totals, proven, strict=True)), self.line(), self.done)

    def _block(self, node: int) -> Any:
        """The children of a node, which stand side by side."""
        first, count = int(self.T[node].first), max(0, int(self.T[node].count))
        return self.T[first : first + count]

    def line(self) -> list[int]:
        """The moves most visited, from the root down; a proven win comes first, a proven loss last."""
        names = ("move", "first", "count", "visits", "solved", "best", "mover")
        move, first, count, visits, solved, best, mover = (self.T[name] for name in names)
        moves: list[int] = []
        node, deepest = 0, self.deepest if self.is_whole else 1
        while len(moves) < deepest and count[node] > 0:
            here = slice(first[node], first[node] + count[node])
            tries = visits[here]
            if solved[here].any():
                worth = best[here, mover[node]]
                sure = np.where((solved[here] != 0) & (np.abs(worth) == 1.0), worth, 0.0)
                tries = np.where(sure == sure.max(), tries.astype(np.int64), -1)
            node = int(first[node]) + int(tries.argmax())
            if not visits[node] and not solved[node]:
                break
            moves.append(int(move[node]))
        return moves


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
            self.policy,
            self.evaluation,
            search.dealer,
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

    def root(self) -> _Root:
        """Only the own move makes the line: what follows differs from deal to deal."""
        places: list[int] = []
        sibling, child = self.T["sibling"], int(self.T[0].child)
        while child != NONE:
            places.append(child)
            child = int(sibling[child])
        labels, visits = (self.T[name][places].tolist() for name in ("label", "visits"))
        totals = self.T["value"][places, self.view.turn].tolist()
        moves = [self.labels[label] for label in labels]
        line = [moves[visits.index(max(visits))]] if moves else []
        return _Root(list(zip(moves, visits, totals, [None] * len(moves), strict=True)), line, self.done)


def _thought(view: Position, texts: Texts, roots: list[_Root], seconds: float) -> Thought:
    """Adds up the roots of all trees and picks: a proven win, else the most visited move that is not a proven loss."""
    visits: dict[int, int] = dict.fromkeys(view.legal_moves.codes, 0)
    totals: dict[int, float] = dict.fromkeys(visits, 0.0)
    sure: dict[int, float] = {}
    for root in roots:
        for move, tries, total, exact in root.children:
            visits[move] += tries
            totals[move] += total
            if exact is not None:
                sure[move] = exact
    values = {move: sure.get(move, totals[move] / visits[move] if visits[move] else None) for move in visits}
    all_sure = len(sure) == len(visits)

    def merit(move: int) -> tuple[float, int, float]:
        exact = sure.get(move, 0.0)
        certain = exact if all_sure or abs(exact) == 1.0 else 0.0
        value = values[move]
        return certain, visits[move], -1.0 if value is None else value

    names = {1.0: "proven win", -1.0: "proven loss", 0.0: "proven draw"}
    candidates = tuple(
        Candidate(texts.move(move), values[move], visits[move], names.get(sure[move], "proven") if move in sure else "")
        for move in sorted(visits, key=merit, reverse=True)
    )
    best = candidates[0]
    line = next((root.line for root in roots if root.line and root.line[0] == best.move), [int(best.move)])
    told = texts.line(line)
    done = sum(root.done for root in roots)
    return Thought(best.move, best.value, candidates, told, done, len(told), seconds, best.note)
