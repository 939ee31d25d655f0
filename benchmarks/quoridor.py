"""How fast Quoridor's expert searches, whether it keeps its time, who is stronger: python benchmarks/quoridor.py [...]

depth [--depth D] [--positions N]              CPU-seconds to a depth, nodes a CPU-second
limits [--seconds S] [--moves N] [--spec A]    how far over its limit an agent ever goes, by the clock on the wall
threads [--threads T] [--nodes N]              how much sooner a thread that others help reaches a depth
match A B [--seconds S] [--nodes N] [--games N] [--out FILE]    A against B, timed by the CPU

Threads are simulated by turns of 300 nodes, so that the numbers are the same on a busy machine and on one with a single core.
A match is of pairs of games from an opening that both judge as balanced, with swapped seats. A game ends by the rules, or
once both searches have proven the same result. FILE gets a line a game; the games that are in it are not played again.
"""

import argparse
import json
import math
import random
import statistics
import time
from pathlib import Path

import daedalus
from daedalus import Limit, Position, Thought
from daedalus.core import Clock

TURN = 300  # nodes
BALANCED = 0.2  # the most that a search may think of an opening: one step


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


# --- threads ----------------------------------------------------------------------------------------------------------


def deepening(run):
    """A search that stops after every turn; gives the nodes spent."""
    run.set_root(1)
    while run.reached < run.deepest and not run.is_decided():
        finished, nodes = run.advance(TURN)
        yield nodes
        if finished and run.is_settled():
            run.keep()
            run.reached += 1
            run.set_root(run.reached + 1)


def nodes_to_depths(position: Position, number: int, nodes: int) -> dict[int, int]:
    """How many nodes the first of so many threads has spent when it begins each depth."""
    agent = daedalus.agent(f"expert:threads={number}", position.game)
    first = agent.make(position.game).begin(position.view(), Limit())
    turns, helping = deepening(first), [deepening(helper) for helper in first.helpers]
    spent, begun = 0, {1: 0}
    for done in turns:
        spent += done
        begun.setdefault(first.reached, spent)
        for helper in helping:
            next(helper, None)
        if spent >= nodes:
            break
    return begun


def threads(options: argparse.Namespace) -> None:
    gains = []
    for position in midgames(options.positions):
        alone, helped = (nodes_to_depths(position, number, options.nodes) for number in (1, options.threads))
        depth = max(alone.keys() & helped.keys())
        gains.append(math.log(alone[depth] / helped[depth]))
    mean, error = statistics.mean(gains), 1.96 * statistics.stdev(gains) / len(gains) ** 0.5
    print(f"{math.exp(mean):.2f} times as fast [{math.exp(mean - error):.2f}, {math.exp(mean + error):.2f}]")


# --- matches ----------------------------------------------------------------------------------------------------------


def opening(specs: list[str], number: int) -> Position:
    """The first balanced position after 2 to 8 moves, half of them at random."""
    game = daedalus.game("quoridor")
    for attempt in range(1000):
        choice = random.Random(f"{number} {attempt}")
        players = [daedalus.agent(spec, game) for spec in specs]
        position = Position(game, 1)
        for ply in range(choice.randint(2, 8)):
            pawn = [code for code in position.legal_moves.codes if code < 128]
            some = pawn if choice.random() < 0.6 else position.legal_moves.codes
            thought = players[ply % 2].choose(position.view(), Limit(simulations=500))
            position.push(choice.choice(some) if choice.random() < 0.5 else thought.move)
        thoughts = [player.choose(position.view(), Limit(simulations=20_000)) for player in players]
        if all(abs(thought.value) <= BALANCED for thought in thoughts):
            return position
    raise SystemExit("no balanced opening")


def one_game(specs: list[str], position: Position, first: int, limit: Limit) -> float:
    """What the first spec scores in a game in which it has seat `first`."""
    players = [daedalus.agent(spec, position.game) for spec in specs]
    said = [0.0, 0.0]  # what either search has proven
    while position.outcome() is None:
        who = position.turn ^ first
        thought: Thought = players[who].choose(position.view(), limit)
        said[who] = thought.value if abs(thought.value) == 1 else 0.0
        if said[0] and said[0] == -said[1]:
            return (1 + said[0]) / 2
        position.push(thought.move)
    winner = position.outcome().winner
    return 0.5 if winner is None else float(winner == first)


def told(scores: list[float]) -> str:
    """The share of points, with its 95 % interval from the scores of the pairs."""
    pairs = [sum(pair) / 2 for pair in zip(scores[::2], scores[1::2], strict=False)]
    spread = 196 * statistics.stdev(pairs) / len(pairs) ** 0.5 if len(pairs) > 1 else 50.0
    draws = f", {scores.count(0.5)} draws" if 0.5 in scores else ""
    return f"{100 * statistics.mean(scores):.1f} ± {spread:.1f} % of {len(scores)} games{draws}"


def match(options: argparse.Namespace) -> None:
    Clock.now = staticmethod(time.process_time)  # what others do on the machine is not held against anyone
    limit = Limit(seconds=None if options.nodes else options.seconds, simulations=options.nodes)
    specs = [options.first, options.second]
    lines = options.out.read_text().splitlines() if options.out and options.out.exists() else []
    scores = [json.loads(line)["score"] for line in lines]
    for number in range(len(scores), options.games):
        position = opening(specs, number // 2)
        begun, opened = time.process_time(), len(position.history)
        scores.append(one_game(specs, position, number % 2, limit))
        if options.out:
            moves = [str(move) for move in position.history]
            game = {"score": scores[-1], "seat": number % 2, "opening": opened, "moves": moves}
            with options.out.open("a") as file:
                file.write(json.dumps(game) + "\n")
        print(f"{told(scores)} ({len(position.history)} plies, {time.process_time() - begun:.0f} s)", flush=True)


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
    kind = kinds.add_parser("threads")
    kind.add_argument("--threads", type=int, default=2)
    kind.add_argument("--nodes", type=int, default=200_000)
    kind.add_argument("--positions", type=int, default=60)
    kind.set_defaults(run=threads)
    kind = kinds.add_parser("match")
    kind.add_argument("first", metavar="A")
    kind.add_argument("second", metavar="B")
    kind.add_argument("--seconds", type=float, default=0.1)
    kind.add_argument("--nodes", type=int)
    kind.add_argument("--games", type=int, default=400)
    kind.add_argument("--out", type=Path)
    kind.set_defaults(run=match)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
