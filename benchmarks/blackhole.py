"""How often agents lose value at Black-Hole Escape, by the exact table: python benchmarks/blackhole.py [--positions N]

A position counts if its legal moves differ in value; an agent loses value when it plays one that is not among the best.
"""

import argparse
import random
import time

import daedalus
from daedalus import Position
from daedalus.games.blackhole.table import Table

SPECS = [
    "random",
    "greedy",
    *(f"alphabeta:depth=3,eval={name}" for name in ("h1", "h2", "h3", "h4")),
    "alphabeta:depth=3",
    "alphabeta:depth=5",
    "alphabeta:depth=8",
    "mc:simulations=2000",
    "mcts:simulations=5000",
    "mcts:simulations=5000,cutoff=8",
    "mcts:simulations=5000,cutoff=20",
    "perfect",
]


def testing_positions(game: daedalus.Game, table: Table, count: int) -> list[tuple[Position, dict[int, int]]]:
    """Positions of random games whose moves differ in value, with the value of each move."""
    choice = random.Random(5)
    found: list[tuple[Position, dict[int, int]]] = []
    position = Position(game, 1)
    while len(found) < count:
        if position.outcome() is not None or choice.random() < 0.03:
            position = Position(game, 1)
        position.push(choice.choice(position.legal_moves.codes))
        if position.outcome() is None:
            values = {verdict.move: verdict.value for verdict in table.children(game, position.state)}
            if len(set(values.values())) > 1:
                found.append((Position.from_text(game, position.text), values))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=400)
    count = parser.parse_args().positions
    print("| hole | agent | moves that lose value | ms a move |\n|---|---|---|---|")
    for hole in ("stop", "pass"):
        game = daedalus.game("blackhole", hole=hole)
        positions = testing_positions(game, Table.open(game), count)
        for spec in SPECS:
            agent = daedalus.agent(spec, game, seed=1)
            agent.choose(positions[0][0].view())
            begun = time.process_time()
            lost = sum(values[int(agent.choose(p.view()).move)] < max(values.values()) for p, values in positions)
            spent = time.process_time() - begun
            print(f"| {hole} | `{spec}` | {100 * lost / count:.1f} % | {1000 * spent / count:.1f} |", flush=True)


if __name__ == "__main__":
    main()
