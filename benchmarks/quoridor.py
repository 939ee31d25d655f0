"""How fast Quoridor's expert searches and whether it keeps its time: python benchmarks/quoridor.py depth|limits [...]

depth [--depth D] [--positions N]              CPU-seconds to a depth, nodes a CPU-second
limits [--seconds S] [--moves N] [--spec A]    how far over its limit an agent ever goes, by the clock on the wall
"""

import argparse
import random
import time

import daedalus
from daedalus import Limit, Position


def midgames(count: int) -> list[Position]:
    """Positions of games between heuristic players, 10 to 30 plies from the start, always the same ones."""
    game = daedalus.game("quoridor")
    positions: list[Position] = []
    seed = 0
    while len(positions) < count:
        seed += 1
        player = daedalus.agent("heuristic", game, seed=seed)
        position = Position(game, 1)
        for _ in range(random.Random(seed).randint(10, 30)):
            position.push(player.choose(position.view()).move)
            if position.outcome():
                break
        else:
            positions.append(position)
    return positions


def depth(options: argparse.Namespace) -> None:
    positions = midgames(options.positions)
    game = positions[0].game
    daedalus.agent("expert", game).choose(positions[0].view(), Limit(depth=2))  # compiles
    nodes, seconds = 0, 0.0
    for position in positions:
        expert = daedalus.agent("expert", game)
        begun = time.process_time()
        nodes += expert.choose(position.view(), Limit(depth=options.depth)).simulations
        seconds += time.process_time() - begun
    print(f"depth {options.depth}: {seconds / len(positions):.4f} CPU-seconds a position, {nodes / seconds:,.0f} nodes/s")


def limits(options: argparse.Namespace) -> None:
    late = []
    for position in midgames(options.moves):
        agent = daedalus.agent(options.spec, position.game)
        begun = time.perf_counter()
        agent.choose(position.view(), Limit(seconds=options.seconds))
        late.append(time.perf_counter() - begun - options.seconds)
    late.sort()
    print(
        f"{len(late)} moves of {options.seconds} s: late by {late[len(late) // 2]:+.4f} s in the middle, {late[-1]:+.4f} s at most"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(required=True)
    kind = kinds.add_parser("depth")
    kind.add_argument("--depth", type=int, default=13)
    kind.add_argument("--positions", type=int, default=30)
    kind.set_defaults(run=depth)
    kind = kinds.add_parser("limits")
    kind.add_argument("--seconds", type=float, default=0.2)
    kind.add_argument("--moves", type=int, default=50)
    kind.add_argument("--spec", default="expert")
    kind.set_defaults(run=limits)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
