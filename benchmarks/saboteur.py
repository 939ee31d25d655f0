"""How strong agents are at Saboteur: python benchmarks/saboteur.py [--games N] [--simulations N] [--only random,greedy]

Every pair of games has one deal, seats swapped. Simulations stand for time: the searching agents do about 100,000 a second
on one core, so that 50,000 are half a second. The quick agents play a thousand games whatever is asked for.
"""

import argparse
import time

import daedalus
from daedalus import Limit, Position

MATCHES = [  # a match, and how many games it gets at least, since its players are instant
    ("random", "random", 1000),
    ("greedy", "random", 1000),
    ("greedy:destroy", "random", 1000),
    ("greedy:destroy", "greedy", 1000),
    ("careful", "random", 1000),
    ("careful", "greedy", 1000),
    ("strong", "careful", 0),
    ("expert", "random", 0),
    ("expert", "greedy", 0),
    ("expert", "greedy:destroy", 0),
    ("expert", "careful", 0),
    ("expert", "strong", 0),
]


def match(one: str, two: str, games: int, limit: Limit | None) -> tuple[int, int, int]:
    """(wins, losses, draws) of the first agent; the limit is the first agent's."""
    game = daedalus.game("saboteur")
    results = [0, 0, 0]
    for number in range(games):
        deal, seat = divmod(number, 2)
        agents = [daedalus.agent(spec, game, seed=number) for spec in (one, two)]
        position = Position(game, 1000 + deal)
        while position.outcome() is None:
            mine = position.turn == seat
            thought = agents[0 if mine else 1].choose(position.view(seed=number), limit if mine else None)
            position.push(thought.move)
        payoff = position.outcome().payoffs[seat]  # type: ignore[union-attr]
        results[0 if payoff > 0 else 1 if payoff < 0 else 2] += 1
    return results[0], results[1], results[2]


def score(wins: int, losses: int, draws: int) -> tuple[float, float]:
    """Share of the points and half of its 95 % interval, games taken as independent."""
    n = wins + losses + draws
    mean = (wins + draws / 2) / n
    spread = (wins * (1 - mean) ** 2 + losses * mean**2 + draws * (0.5 - mean) ** 2) / n
    return mean, 1.96 * (spread / n) ** 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=5000)
    parser.add_argument("--only", default="", help="matches whose line contains one of these words, joined by commas")
    given = parser.parse_args()
    print("| agent | against | games | wins | losses | draws | points | ms a game |\n|---|---|---|---|---|---|---|---|")
    for one, two, least in MATCHES:
        if given.only and not any(word in f"{one} v {two}" for word in given.only.split(",")):
            continue
        games = max(given.games, least)
        limit = Limit(simulations=given.simulations) if one == "expert" else None
        begun = time.process_time()
        wins, losses, draws = match(one, two, games, limit)
        spent = 1000 * (time.process_time() - begun) / games
        mean, half = score(wins, losses, draws)
        shares = " | ".join(f"{100 * part / games:.1f} %" for part in (wins, losses, draws))
        print(f"| `{one}` | `{two}` | {games} | {shares} | {100 * mean:.1f} ± {100 * half:.1f} % | {spent:.0f} |", flush=True)


if __name__ == "__main__":
    main()
