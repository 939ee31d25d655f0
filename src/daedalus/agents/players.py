"""The players people name that know no game: random, greedy, mc, alphabeta, mcts, net."""

from dataclasses import dataclass
from typing import Any, ClassVar

from daedalus.core import Agent, Candidate, InvalidSpec, Limit, Position, Thought, Watch, scramble
from daedalus.core.errors import valid
from daedalus.core.options import setting
from daedalus.core.registry import registration_of
from daedalus.search import (
    EVALUATIONS,
    ORDERS,
    POLICIES,
    AlphaBetaSearch,
    FlatSearch,
    Network,
    SearchAgent,
    TreeSearch,
    read_network,
    shipped,
    win_at_hand,
)

NETWORK = "net"  # what names a network as an agent, an evaluation or a policy
MOST_NODES = 100_000_000  # some gigabytes


def judge(what: str, name: str, view_game: Any) -> Any:
    """A policy or an evaluation by name: one of the game's own, or one that fits every game; `net` and `net:FILE` are networks."""
    if is_network(name):
        return network(name.partition(":")[2], view_game).judge(view_game)
    kind = registration_of(view_game)
    known = POLICIES | kind.policies if what == "rollout" else EVALUATIONS | kind.evaluations
    if name not in known:
        raise InvalidSpec(valid(f"{what} for {kind.name}", name, {*known, NETWORK}) + f", {NETWORK}:FILE")
    made = known[name]
    return made() if isinstance(made, type) else made


def is_network(name: str) -> bool:
    """Does a judge's name mean a network?"""
    return name.partition(":")[0] == NETWORK


def network(file: str, game: Any) -> Network:
    """The network in a file, or the one that comes with the game."""
    return read_network(file) if file else shipped(game)


@dataclass
class Random(Agent):
    """Any legal move, each equally likely."""

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        moves = view.legal_moves
        return Thought(moves[scramble(self.seed, len(view.history), view.turn) % len(moves)])


@dataclass
class Greedy(Agent):
    """The move after which the game's evaluation likes it best; wins at once if it can."""

    eval: str = setting("own", "evaluation to use")

    def bind(self, game: Any) -> None:
        judge("eval", self.eval, game)

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        won = win_at_hand(view)
        if won is not None:
            return won
        search = AlphaBetaSearch(judge("eval", self.eval, view.game), order="natural", table=0, full=True)
        thought = search.think(view, Limit(depth=1))
        best = [c for c in thought.candidates if c.value == thought.candidates[0].value]
        pick: Candidate = best[scramble(self.seed, len(view.history), view.turn) % len(best)]
        ranked = (pick, *(c for c in thought.candidates if c is not pick))
        line = (str(pick.move),)
        return Thought(pick.move, pick.value, ranked, line, depth=1, seconds=thought.seconds, note=pick.note)


@dataclass
class MonteCarlo(SearchAgent):
    """Flat Monte Carlo: random playouts after each move, the best mean wins."""

    rollout: str = setting("own", "policy of the playouts")
    cutoff: int = setting(-1, "judge a playout after so many plies by the evaluation, -1 plays to the end", int, low=-1)
    eval: str = setting("own", "evaluation at the cut-off")

    def make(self, game: Any) -> FlatSearch:
        return FlatSearch(judge("rollout", self.rollout, game), judge("eval", self.eval, game), self.cutoff, self.seed)


@dataclass
class AlphaBeta(SearchAgent):
    """Alpha-beta: looks ahead ply by ply, judging the leaves with an evaluation."""

    depth: int | None = setting(None, "at most so many plies ahead", int, low=1, high=64)
    eval: str = setting("own", "evaluation of the leaves")
    order: str = setting("learnt", "how successors are sorted", choices=tuple(ORDERS))
    table: int = setting(18, "size of the transposition table as a power of two, 0 for none", int, low=0, high=26)
    full: bool = setting(False, "score every move exactly, not only the best", bool)

    ENDED_BY = ("seconds", "simulations", "depth")

    def make(self, game: Any) -> AlphaBetaSearch:
        evaluation = judge("eval", self.eval, game)
        return AlphaBetaSearch(evaluation, self.order, self.full, self.seed, table=self.table)


@dataclass
class TreePlayer(SearchAgent):
    """Monte Carlo tree search; with hidden cards over many deals of what it cannot see."""

    select: str = setting("uct", "how a branch is chosen", choices=("uct", "puct"))
    c: float = setting(1.0, "exploration", float, low=0)
    fpu: float = setting(0.1, "an untried move counts its parent's value minus this (puct)", float)
    rollout: str = setting("own", "policy of the playouts")
    cutoff: int = setting(-1, "judge a playout after so many plies by the evaluation, -1 plays to the end", int, low=-1)
    eval: str = setting("own", "evaluation at the cut-off and for implicit minimax")
    implicit: float = setting(0.0, "weight of implicit minimax backups", float, low=0, high=1)
    solver: bool = setting(True, "prove wins and losses in the tree", bool)
    reuse: bool = setting(True, "keep the tree between moves", bool)
    threads: int = setting(1, "independent trees on so many threads", int, low=1, high=256)
    nodes: int = setting(2_000_000, "a tree grows no larger", int, low=1, high=MOST_NODES)

    def make(self, game: Any) -> TreeSearch:
        rollout, evaluation = judge("rollout", self.rollout, game), judge("eval", self.eval, game)
        # a network judges leaves: whoever names one without a cut-off does not mean games to the end
        cutoff = 0 if is_network(self.eval) and self.cutoff < 0 and not self.implicit else self.cutoff
        choice = (self.select == "puct", self.c, self.fpu, self.implicit, cutoff, self.solver)
        return TreeSearch(rollout, evaluation, *choice, self.reuse, self.threads, self.nodes, self.seed)


@dataclass
class NetworkPlayer(SearchAgent):
    """Tree search with a network as policy and evaluation: net:FILE, or the one that comes with the game."""

    file: str = setting("", "the network's file, none for the one that comes with the game")
    c: float = setting(1.5, "exploration", float, low=0)
    fpu: float = setting(0.2, "an untried move counts its parent's value minus this", float)
    solver: bool = setting(True, "prove wins and losses in the tree", bool)
    reuse: bool = setting(True, "keep the tree between moves", bool)
    threads: int = setting(1, "independent trees on so many threads", int, low=1, high=256)
    nodes: int = setting(2_000_000, "a tree grows no larger", int, low=1, high=MOST_NODES)

    BARE: ClassVar[str] = "file"

    def bind(self, game: Any) -> None:
        network(self.file, game).demand_fits(game)

    def make(self, game: Any) -> TreeSearch:
        net = network(self.file, game).judge(game)
        choice = (True, self.c, self.fpu, 0.0, 0, self.solver)
        return TreeSearch(net, net, *choice, self.reuse, self.threads, self.nodes, self.seed)
