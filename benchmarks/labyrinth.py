"""Strength at Labyrinth: python benchmarks/labyrinth.py [--literal] [--games N] [--seconds S] [--board B] [A B]

Without names the expert plays the thesis's best agent and its rule-based one. Games come in pairs on the same board with
seats changed. `--literal` plays the thesis's players, the first of them red and first as there, and prints turns less one.
"""

import argparse
import math
import time

import numpy as np

import daedalus
from daedalus import Limit, Position
from daedalus.core import scramble
from daedalus.core.memory import states, workspaces
from daedalus.core.registry import registration_of

LITERAL = [(board, policies) for policies in ((0, 0), (1, 0)) for board in ("3x3", "5x5", "original")]
PAIRS = [("expert", "mc:single,rulebased,allstar"), ("expert", "rulebased")]


def literal(games: int) -> None:
    """Simple players, all inside one kernel, and S-MC once."""
    print("| pairing | board | games | won by the first | turns - 1 | error |\n|---|---|---|---|---|---|")
    for board, policies in LITERAL:
        game = daedalus.game("labyrinth", board=board, cap=0)
        totals = np.zeros(7)
        kernels = registration_of(game).kernels.load("daedalus.games.labyrinth.kernels.montecarlo")
        kernels.play_games(game, states(game, 2), workspaces(game, 1, 7), games, np.array(policies), totals)
        mean = totals[5] / games
        error = math.sqrt((totals[6] / games - mean**2) / games)
        names = " v ".join(("random", "rulebased")[policy] for policy in policies)
        print(f"| {names} | {board} | {games:,} | {100 * totals[0] / games:.1f} % | {mean - 1:.1f} | {error:.2f} |", flush=True)
    literal_single(games // 20)


def literal_single(games: int) -> None:
    """S-MC against the rule-based player on the smallest board."""
    game = daedalus.game("labyrinth", board="3x3", cap=0)
    players = [daedalus.agent("mc:single", game), daedalus.agent("rulebased", game)]
    won, turns = 0, []
    for number in range(games):
        position = Position(game, scramble(3, number) >> 16)
        for seat, player in enumerate(players):
            player.new_game(scramble(number, seat))
        while position.outcome() is None:
            position.push(players[position.turn].choose(position.view()).move)
        won += position.outcome().winner == 0
        turns.append(len(position.history))
    share, mean, error = 100 * won / games, np.mean(turns) - 1, np.std(turns) / math.sqrt(games)
    print(f"| mc:single v rulebased | 3x3 | {games:,} | {share:.1f} % | {mean:.1f} | {error:.2f} |", flush=True)


def match(first: str, second: str, board: str, games: int, limit: Limit | None, seed: int = 1) -> None:
    """Prints the score of `first` with its 95 % interval, the mean length, and CPU time a move of both."""
    game = daedalus.game("labyrinth", board=board)
    players = [daedalus.agent(first, game), daedalus.agent(second, game)]
    for player in players:
        player.prepare(game)
    points, turns, spent, made = [], 0, [0.0, 0.0], [0, 0]
    for number in range(games):
        position = Position(game, scramble(seed, number // 2) >> 16)
        for k, player in enumerate(players):
            player.new_game(scramble(seed, number, k))
        while position.outcome() is None:
            k = (position.turn + number) % 2
            begun = time.process_time()
            thought = players[k].choose(position.view(), limit if k == 0 else None)
            spent[k] += time.process_time() - begun
            made[k] += 1
            position.push(thought.move)
        points.append((position.outcome().payoffs[number % 2] + 1) / 2)
        turns += len(position.history)
    mean = float(np.mean(points))
    error = 1.96 * float(np.std(points)) / math.sqrt(games)
    times = " ".join(f"{1000 * s / m:.1f}" for s, m in zip(spent, made, strict=True))
    print(
        f"| `{first}` v `{second}` | {board} | {100 * mean:.1f} ± {100 * error:.1f} % | {games} | {turns / games:.0f} | {times} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agents", nargs="*")
    parser.add_argument("--literal", action="store_true")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--simulations", type=int)
    parser.add_argument("--board", default="original")
    given = parser.parse_args()
    if given.literal:
        literal(given.games * 100)
        return
    print("| pairing | board | score | games | turns | CPU ms a move |\n|---|---|---|---|---|---|")
    limit = Limit(given.seconds, given.simulations)
    for first, second in [tuple(given.agents)] if given.agents else PAIRS:
        match(first, second, given.board, given.games, limit or None)


if __name__ == "__main__":
    main()
