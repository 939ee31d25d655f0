"""How fast things are: rates a CPU-second on one core, each beside an interpreted run of the same source.

A game may have a module `bench.py` with works of its own, each `(name, work, unit)`: `works()` are measured after those of
every game, `against(rival)` are those of another program that plays the game. `work(n)` does about n and returns how
much it was; the units `s` and `us` tell how long one takes, every other unit how many there are a second.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from daedalus.agents import make_agent
from daedalus.core import InvalidSpec, Limit, Position, options
from daedalus.core.memory import copies, workspaces
from daedalus.core.registry import find, game_names
from daedalus.search import Own, perft, playouts
from daedalus.search.kernels import playouts as interpreted

SECONDS = 0.6  # CPU time a measurement lasts at least
Work = tuple[str, Callable[[int], int], str]


@dataclass(frozen=True)
class Measure:
    """One result: `blackhole.pass.playouts`, 368000, `1/s`."""

    name: str
    value: float
    unit: str


def run(game_name: str | None = None, rival: str | None = None) -> Iterator[Measure]:
    """Measures one game, or all of them, and another program beside it; each result comes as soon as it is there."""
    theirs = _works_of(game_name, rival) if rival else []  # first: an unknown program is told before the long wait
    for name in [game_name] if game_name else game_names():
        kind = find(name)
        short = name.rpartition(":")[2].lower()
        for variant, given in (kind.variants or {"": {}}).items():
            game = options.make(kind.rules, given)
            prefix = f"{short}.{variant}." if variant else f"{short}."
            for measure in _measures(Position(game, 1)):
                yield Measure(prefix + measure.name, measure.value, measure.unit)
        module: Any = kind.module("bench")
        for work_name, work, unit in module.works() if module else ():
            yield Measure(f"{short}.{work_name}", _measured(work, unit), unit)
    for work_name, work, unit in theirs:
        yield Measure(work_name, _measured(work, unit), unit)


def _works_of(game_name: str | None, rival: str) -> list[Work]:
    """What is measured of another program."""
    module: Any = find(game_name).module("bench") if game_name else None
    if module is None or not hasattr(module, "against"):
        raise InvalidSpec(f"there is no comparison with {rival} in {game_name or 'all games at once: name a game'}")
    return list(module.against(rival))


def _measured(work: Callable[[int], int], unit: str) -> float:
    rated = rate(work, 1)
    return {"s": 1.0, "us": 1e6}[unit] / rated if unit in ("s", "us") else rated


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
    yield Measure("uct", _searching(position, "mcts:uct,cutoff=-1,rollout=own,reuse=no"), "simulations/s")
    yield Measure("alphabeta", _searching(position, "alphabeta:depth=12,table=0"), "nodes/s")
    yield Measure("perft", rate(lambda n: _perft(position, n), 1), "leaves/s")


def _interpreted(position: Position, n: int) -> int:
    """The same playouts without the compiler."""
    game = position.game
    S, W = copies(game, [position.state], 2), workspaces(game, 1, 1)
    interpreted.playouts(game, Own(), Own(), S, W, n, -1, np.zeros(game.SEATS + 2))
    return n


def _searching(position: Position, spec: str) -> float:
    """Searches from the start as often as needed, with nothing kept: a solved or finished search ends early."""
    agent = make_agent(spec, position.game)

    def search(n: int) -> int:
        return sum(agent.choose(position.view(), Limit(simulations=20_000)).simulations for _ in range(n))

    return rate(search, 2)


def _perft(position: Position, n: int) -> int:
    """Counts leaves as deep as they pass a million, n times."""
    depth, leaves = 1, perft(position, 1)
    while leaves < 1_000_000 and depth < 8:
        depth += 1
        leaves = perft(position, depth)
    return sum(perft(position, depth) for _ in range(n))
