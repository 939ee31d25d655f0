"""How many positions a second a core a network judges inside kernels, features and all: python benchmarks/network.py

Positions are of random games. Weights are random, and then those of the network that comes with the game, which differ in
how many units of a hidden layer are not 0. A prior lists the legal moves too.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

from daedalus.core import Game, Position
from daedalus.core.memory import states, workspaces
from daedalus.core.options import written
from daedalus.core.registry import make_game, registration_of
from daedalus.search import shipped
from daedalus.search.network import Network, fresh_weights, game_name

GAMES: list[tuple[str, dict[str, int]]] = [
    ("quoridor", {}),
    ("quoridor", {"width": 5, "height": 5, "walls": 3}),
    ("blackhole", {}),
    ("colosseum", {}),
    ("saboteur", {}),
    ("labyrinth", {}),
]
POSITIONS = 512


def sampled(game: Game, count: int) -> np.ndarray:
    """Positions of random games."""
    rng = np.random.default_rng(1)
    S = states(game, count)
    position = Position(game, 1)
    for i in range(count):
        if position.outcome() is not None:
            position = Position(game, i)
        S[i] = position.state
        position.push(position.legal_moves[int(rng.integers(len(position.legal_moves)))])
    return S


def rate(run: Callable[[int], object]) -> float:
    """Calls a second of CPU time, the best of five tries: the machine may be busy."""
    run(10)
    best = 0.0
    for _ in range(5):
        begun = time.process_time()
        run(200_000)
        best = max(best, 200_000 / (time.process_time() - begun))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layers", default="64x32,128x32", help="hidden layers")
    shapes = [
        (int(first), int(second)) for text in parser.parse_args().layers.split(",") for first, second in [text.split("x")]
    ]
    print(f"{'game':34} {'network':>24} {'values/s':>12} {'priors/s':>12}")
    for name, options in GAMES:
        game = make_game(name, **options)
        S, W = sampled(game, POSITIONS), workspaces(game, 1, 1)
        kernels = registration_of(game).kernels.load("daedalus.learn.kernels.speed")
        card = {"game": game_name(registration_of(game)), "options": ""}
        made = [Network(fresh_weights(game.FEATURES, *shape, game.ACTIONS, 1), card) for shape in shapes]
        for network in [*made, shipped(game)]:
            net = network.judge(game)
            values = rate(lambda n: kernels.evaluations(game, net, S, W, n))  # noqa: B023 (called at once)
            priors = rate(lambda n: kernels.priors(game, net, S, W, n))  # noqa: B023
            sizes = "-".join(map(str, network.sizes)) + (" shipped" if "recipe" in network.card else "")
            print(f"{name + ' ' + written(game):34} {sizes:>24} {values:12,.0f} {priors:12,.0f}", flush=True)


if __name__ == "__main__":
    main()
