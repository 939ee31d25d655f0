"""Players that know Black-Hole Escape: `perfect` plays the solved 5 x 5 game, `expert` every one."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daedalus.core import Agent, Candidate, DaedalusError, Game, InvalidSpec, Limit, Position, Thought, Watch, setting
from daedalus.core.plurals import counted
from daedalus.search import Network, SearchAgent, TreeSearch, read_network
from daedalus.search.base import Search

from .expert import LineSearch
from .kernels.evaluation_terms import STOP
from .kernels.evaluations import EVALUATIONS
from .kernels.fleets import SIZE
from .patterns import shipped
from .table import MissingTable, Progress, Table, Verdict, solve

VARIANTS: dict[str, dict[str, object]] = {
    "stop": {},
    "pass": {"hole": "pass"},
    "size7": {"size": 7},
    "size9": {"size": 9, "hole": "pass"},
}
# Random games are hopelessly long (a mean of about 3,000 plies under `stop`): judge them early. Of the cut-offs 0, 4, 8
# and 20, tree search with 0 played the fewest moves that lose value by the solved table (stop), or as few as any (pass).
DEFAULTS: dict[str, dict[str, object]] = {"mcts": {"cutoff": 0}, "mc": {"cutoff": 8}}
_NETS = Path(__file__).parent / "nets"
LINE = 12  # plies of the principal variation


@dataclass
class Perfect(Agent):
    """Exact play on 5 x 5: the fastest win, the slowest loss, and the draw in which most replies lose."""

    def __post_init__(self) -> None:
        self._tables: dict[Game, Table] = {}

    def bind(self, game: Game) -> None:
        """Refuses a board that is not solved, and builds the table before the game begins."""
        try:
            self._table(game)
        except DaedalusError as error:
            raise InvalidSpec(f"perfect: {error}") from None

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        """The best move; no limit matters, since a look at the table takes milliseconds."""
        table = self._table(view.game)
        begun = time.perf_counter()
        candidates = _candidates(view, table)
        best = candidates[0]
        return Thought(
            move=best.move,
            value=best.value,
            candidates=candidates,
            line=_line(view, table, int(best.move)),
            seconds=time.perf_counter() - begun,
            note=f"exact: {best.note}",
        )

    def _table(self, game: Game) -> Table:
        if game not in self._tables:
            try:
                self._tables[game] = Table.open(game, build=False)
            except MissingTable:
                with _shown() as progress:
                    self._tables[game] = Table.open(game, progress)
        return self._tables[game]


@dataclass
class Expert(SearchAgent):
    """The strongest player here: exact on the solved board, else alpha-beta or tree search with a network, as was stronger."""

    c: float = setting(1.5, "exploration of the tree search", float, low=0)
    fpu: float = setting(0.2, "an untried move counts its parent's value minus this, there", float)

    def __post_init__(self) -> None:
        self._perfect = Perfect()

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        return self._perfect.choose(view, limit, watch) if _is_solved(view.game) else super().choose(view, limit, watch)

    def bind(self, game: Any) -> None:
        if _is_solved(game):
            self._perfect.bind(game)
        else:
            super().bind(game)

    def prepare(self, game: Any) -> None:
        """On the solved board there is nothing to search, only the table to open."""
        if _is_solved(game):
            self._perfect.prepare(game)
        else:
            super().prepare(game)

    def make(self, game: Any) -> Search:
        if game.hole == STOP:  # where trained networks lost to alpha-beta, see docs/blackhole.md
            return LineSearch(shipped(game))
        net = network_of(game).judge(game)
        return TreeSearch(net, net, puct=True, c=self.c, fpu=self.fpu, cutoff=0, seed=self.seed)


def network_of(game: Any) -> Network:
    """The network that was trained for the size, with a hole that swallows, whatever the other options."""
    return read_network(_NETS / f"pass{game.size}.safetensors")


def _is_solved(game: Any) -> bool:
    return bool(game.size == SIZE)


AGENTS: dict[str, Any] = {
    "perfect": Perfect,
    "expert": Expert,
    "strong": "alphabeta:depth=4",
    "club": "alphabeta:depth=2",
    "novice": "alphabeta:depth=1,eval=h1",
}


def opponent(game: Game) -> str:
    """Whom one plays against when nobody is named."""
    return "perfect" if _is_solved(game) else "expert:seconds=1"


def _candidates(view: Position, table: Table) -> tuple[Candidate, ...]:
    """All moves, best first; equally good ones in the order of the rules."""
    verdicts = table.children(view.game, view.state)
    pitfalls = table.pitfalls(view.game, view.state)

    def merit(verdict: Verdict) -> tuple[float, ...]:
        losing, replies = pitfalls.get(verdict.move, (0, 1))
        return *_order(verdict), _stood(view, verdict), -losing / replies, -losing

    return tuple(
        Candidate(view.move(verdict.move), float(verdict.value), note=_note(verdict, pitfalls))
        for verdict in sorted(verdicts, key=merit)
    )


def _stood(view: Position, verdict: Verdict) -> int:
    """How often a drawing move's position has stood on the board: whoever only shuffles gives nobody a chance to go wrong."""
    if verdict.value:
        return 0
    after = view.copy()
    after.push(verdict.move)
    return view.keys.count(after.keys[-1])


def _order(verdict: Verdict) -> tuple[float, ...]:
    """Smaller is better: wins, soonest first, then draws, then losses, latest first."""
    return -verdict.value, verdict.value * (verdict.distance or 0)


def _note(verdict: Verdict, pitfalls: dict[int, tuple[int, int]]) -> str:
    if verdict.value:
        return f"{'win' if verdict.value > 0 else 'loss'} in {verdict.distance}"
    losing, replies = pitfalls[verdict.move]
    return f"draw ({losing} of {counted(replies, 'reply', 'replies')} {'loses' if losing == 1 else 'lose'})"


def _line(view: Position, table: Table, move: int) -> tuple[str, ...]:
    """How the game may go on from `move` when both sides play well."""
    position = view.copy()
    line = [str(position.push(move))]
    while len(line) < LINE and position.outcome() is None:
        best = min(table.children(position.game, position.state), key=_order)
        line.append(str(position.push(best.move)))
    return tuple(line)


@contextmanager
def _shown() -> Iterator[Progress | None]:
    """Progress of the solver on stderr: a bar on a terminal, else one line, since it takes a while."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress as Bars

        with Bars(console=Console(stderr=True), transient=True) as bars:
            task = bars.add_task("solving 5 x 5", total=1.0)
            yield lambda done, text: bars.update(task, completed=done, description=f"solving 5 x 5: {text}")
    else:
        if not os.environ.get("DAEDALUS_QUIET"):
            print("daedalus: solving Black-Hole Escape on 5 x 5, a few seconds, once", file=sys.stderr, flush=True)
        yield None


__all__ = ["AGENTS", "DEFAULTS", "EVALUATIONS", "VARIANTS", "Expert", "Perfect", "opponent", "solve"]
