"""How many moves a second a core `daedalus.vector` makes, masks and observations included: python benchmarks/vector.py

Moves are random legal ones, whose drawing counts too. Time is that of the processor, since the machine may be busy; the best
of five tries. `opening` starts all games anew every so many moves: random Quoridor soon runs out of walls, and pawns alone are
quick. At the end Connect Four of examples/ beside PettingZoo's own connect_four, in turns, as a ratio.
"""

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import daedalus

CONNECT_FOUR = f"{Path(__file__).parent.parent / 'examples' / 'connect_four.py'}:ConnectFour"
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("blackhole", {"hole": "pass"}),
    ("blackhole", {}),
    ("quoridor", {}),
    ("quoridor", {"players": 4}),
    ("colosseum", {}),
    ("saboteur", {}),
    ("labyrinth", {}),
    (CONNECT_FOUR, {}),
]
TRIES = 5
SECONDS = 0.5
OPENING = 20  # moves


def rate(run: Callable[[], int]) -> float:
    """Moves a second of processor time; `run` makes some and returns how many."""
    begun, made = time.process_time(), 0
    while time.process_time() - begun < SECONDS:
        made += run()
    return made / (time.process_time() - begun)


def steps(games: Any, count: int) -> int:
    """Random moves in all games."""
    for _ in range(count):
        games.step(games.sample())
    return count * int(games.n)


def opening(games: Any) -> int:
    """The first moves of all games."""
    games.reset()
    return steps(games, OPENING)


def pettingzoo_steps(env: Any, count: int) -> int:
    """Random legal moves as a user of PettingZoo makes them."""
    env.reset()
    for _ in range(count):
        seen, _, over, cut, _ = env.last()
        if over or cut:
            env.reset()
            seen, *_ = env.last()
        env.step(random.choice(np.flatnonzero(seen["action_mask"]).tolist()))
    return count


def against_pettingzoo(n: int) -> None:
    """Prints both rates and their ratio."""
    try:
        from pettingzoo.classic import connect_four_v3
    except ImportError as error:
        print(f"no comparison: {error.name or error} is not installed (pip install pettingzoo pygame)")
        return
    games, env = daedalus.vector(CONNECT_FOUR, n), connect_four_v3.env()
    games.reset()
    rates = [(rate(lambda: steps(games, 10)), rate(lambda: pettingzoo_steps(env, 200))) for _ in range(TRIES)]
    ours, theirs = (max(column) for column in zip(*rates, strict=True))
    least = min(a / b for a, b in rates)
    print(
        f"\nConnect Four: {ours:,.0f} moves/s, PettingZoo's own {theirs:,.0f}: {ours / theirs:.0f} times (least of a try {least:.0f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=256, help="games at once")
    n = parser.parse_args().games
    print(f"{'game':30} {'moves/s':>12} {'opening':>12} {'FEATURES':>9} {'ACTIONS':>8}")
    for name, options in GAMES:
        games = daedalus.vector(name, n, **options)
        games.reset()
        steps(games, 2)
        usual = max(rate(lambda: steps(games, 10)) for _ in range(TRIES))  # noqa: B023 (called at once)
        first = max(rate(lambda: opening(games)) for _ in range(TRIES))  # noqa: B023
        told = " ".join([name.rpartition("/")[2], *(f"{option}={value}" for option, value in options.items())])
        print(f"{told:30} {usual:12,.0f} {first:12,.0f} {games.game.FEATURES:9} {games.game.ACTIONS:8}", flush=True)
    against_pettingzoo(n)


if __name__ == "__main__":
    main()
