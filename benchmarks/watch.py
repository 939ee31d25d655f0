"""What watching costs every searching agent, and how fast it stops: python benchmarks/watch.py [GAME...]

For each agent: the share of a search's CPU time that went into showing thoughts; the ratio of simulations a CPU-second,
watched to unwatched, of the same work done in turns, which a busy machine blurs; the longest wait between two calls of the
watch, and the longest from its False to the answer, both in milliseconds and for an idle machine.
"""

import itertools
import sys
import time
from unittest.mock import patch

import daedalus
from daedalus import Limit, Position
from daedalus.agents.spec import GENERIC
from daedalus.core.registry import find
from daedalus.search import SearchAgent
from daedalus.search.budget import Budget

ROUNDS, SECONDS, STOPS = 8, 0.5, 5


def speed(spec: str, position: Position) -> float:
    """Simulations a CPU-second, watched to unwatched, of the same work: the best of several rounds, in changing order."""
    game, agent = position.game, daedalus.agent(spec, position.game)
    spent: dict[bool, list[float]] = {True: [], False: []}
    agent.prepare(game)
    work = Limit(simulations=max(1, agent.choose(position.view(), Limit(seconds=SECONDS)).simulations))
    for place in range(ROUNDS):
        for watched in (True, False) if place % 2 else (False, True):
            agent.new_game(place)
            begun = time.process_time()
            agent.choose(position.view(), work, (lambda thought: None) if watched else None)
            spent[watched].append(time.process_time() - begun)
    return min(spent[False]) / min(spent[True])


def share(spec: str, position: Position) -> float:
    """The part of a second's search that was spent on looking up, making thoughts and calling the watch."""
    agent, showing, usual = daedalus.agent(spec, position.game), 0.0, Budget.stopped
    agent.prepare(position.game)

    def timed(budget: Budget) -> bool:
        nonlocal showing
        begun = time.thread_time()
        stopped = usual(budget)
        showing += time.thread_time() - begun
        return stopped

    begun = time.process_time()
    with patch.object(Budget, "stopped", timed):
        agent.choose(position.view(), Limit(seconds=2.0), lambda thought: None)
    return showing / (time.process_time() - begun)


def waits(spec: str, position: Position) -> tuple[float, float, int]:
    """The longest time between two calls, the longest from False to the answer, and how often the watch was called."""
    agent, longest, slowest, called = daedalus.agent(spec, position.game), 0.0, 0.0, 0
    agent.prepare(position.game)
    for stop_at in range(1, STOPS + 1):
        calls = [time.perf_counter()]

        def watch(thought: object, calls: list[float] = calls, stop_at: int = stop_at) -> bool:
            calls.append(time.perf_counter())
            return len(calls) <= stop_at

        agent.choose(position.view(), Limit(seconds=2.0), watch)
        if len(calls) > stop_at:  # it was not done before
            slowest = max(slowest, time.perf_counter() - calls[-1])
        longest = max([longest, *(later - earlier for earlier, later in itertools.pairwise(calls))])
        called += len(calls) - 1
    return 1000 * longest, 1000 * slowest, called


def main(names: list[str]) -> None:
    print(f"{'agent':32}{'share':>8}{'ratio':>8}{'calls':>7}{'gap ms':>9}{'stop ms':>9}")
    for name in names or daedalus.game_names():
        position = Position(daedalus.game(name), 1)
        for _ in range(4):
            position.push(position.legal_moves[3])
        players = GENERIC | find(name).agents
        specs = [spec for spec, player in players.items() if isinstance(player, type) and issubclass(player, SearchAgent)]
        for spec in [*specs, "mcts:threads=2"]:
            gap, stop, calls = waits(spec, position)
            cost = f"{share(spec, position):8.2%}{speed(spec, position):8.3f}"
            print(f"{name + ' ' + spec:32}{cost}{calls:7}{gap:9.1f}{stop:9.1f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
