"""How fast things are: rates a CPU-second on one core, each beside an interpreted run of the same source."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from daedalus.agents import make_agent
from daedalus.core import Limit, Position, options
from daedalus.core.memory import copies, workspaces
from daedalus.core.registry import find, game_names
from daedalus.search import Own, perft, playouts
from daedalus.search.kernels import playouts as interpreted

SECONDS = 0.6  # CPU time a measurement lasts at least


@dataclass(frozen=True)
class Measure:
    """One result: `blackhole.pass.playouts`, 368000, `1/s`."""

    name: str
    value: float
    unit: str


def run(game_name: str | None = None) -> Iterator[Measure]:
    """Measures one game, or all of them; each result comes as soon as it is there."""
    for name in [game_name] if game_name else game_names():
        kind = find(name)
        short = name.rpartition(":")[2].lower()
        for variant, given in (kind.variants or {"": {}}).items():
            game = options.make(kind.rules, given)
            prefix = f"{short}.{variant}." if variant else f"{short}."
            for measure in _measures(Position(game, 1)):
                yield Measure(prefix + measure.name, measure.value, measure.unit)


def rate(work: Callable[[int], int], begin: int) -> float:
    """How much work is done a CPU-second; `work(n)` does about n and returns how much it was."""
    work(1)
    n = begin
    while True:
        before = time.process_time()
        done = work(n)
        spent = time.process_time() - before
        if spent > SECONDS:
            return done / spent
        n = max(2 * n, int(1.2 * n * SECONDS / max(spent, 1e-3)))


def _measures(position: Position) -> Iterator[Measure]:
    yield Measure("playouts", rate(lambda n: playouts(position, n).games, 1000), "1/s")
    yield Measure("playouts.interpreted", rate(lambda n: _interpreted(position, n), 1), "1/s")
    yield Measure("uct", _searching(position, "mcts:uct,cutoff=-1,rollout=own"), "simulations/s")
    yield Measure("alphabeta", _searching(position, "alphabeta:depth=12"), "nodes/s")
    yield Measure("perft", rate(lambda n: _perft(position, n), 1), "leaves/s")


def _interpreted(position: Position, n: int) -> int:
    """The same playouts without the compiler."""
    game = position.game
    S, W = copies(game, [position.state], 2), workspaces(game, 1, 1)
    interpreted.playouts(game, Own(), Own(), S, W, n, -1, np.zeros(game.SEATS + 2))
    return n


def _searching(position: Position, spec: str) -> float:
    """Searches afresh from the start as often as needed: a solved or finished search ends early."""

    def search(n: int) -> int:
        agents = (make_agent(spec, position.game, seed) for seed in range(n))
        return sum(agent.choose(position.view(), Limit(simulations=20_000)).simulations for agent in agents)

    return rate(search, 2)


def _perft(position: Position, n: int) -> int:
    """Counts leaves as deep as they pass a million, n times."""
    depth, leaves = 1, perft(position, 1)
    while leaves < 1_000_000 and depth < 8:
        depth += 1
        leaves = perft(position, depth)
    return sum(perft(position, depth) for _ in range(n))
