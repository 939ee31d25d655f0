"""What training costs and brings.

    python benchmarks/learning.py selfplay [GAME KEY=VALUE...]   games a second a core of self-play, with a network or random weights
    python benchmarks/learning.py blackhole FILE|FOLDER...       how often networks lose value at Black-Hole Escape on 5 x 5

A position counts if its legal moves differ in value by the exact table; a network loses value when it plays one that is
not among the best. The positions are of random games and play no part in training. A run's folder means all its networks.
"""

import argparse
import dataclasses
import time
from pathlib import Path

from blackhole import testing_positions

import daedalus
from daedalus.core.options import parsed, written
from daedalus.core.registry import make_game, registration_of
from daedalus.games.blackhole.table import Table
from daedalus.learn.kernels.selfplay import GAMES, PLIES
from daedalus.learn.recipe import Recipe
from daedalus.learn.selfplay import Worker
from daedalus.search import Network, read_network
from daedalus.search.network import fresh_weights, game_name


def rate(game: daedalus.Game, network: Network, recipe: Recipe, seconds: float = 10.0) -> tuple[float, float]:
    """Games a second and plies a game."""
    worker = Worker(game, network, recipe, 1)
    worker.play(500)  # compiled, and games begin to differ in where they are
    worker.counts[:] = 0
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        worker.play(500)
    games = int(worker.counts[GAMES])
    return games / (time.process_time() - begun), int(worker.counts[PLIES]) / games


def selfplay(words: list[str], file: Path | None, simulations: int, openings: int) -> None:
    game = make_game(words[0], **parsed(" ".join(words[1:])))
    if file:
        network = read_network(file)
    else:
        weights = fresh_weights(game.FEATURES, 128, 32, game.ACTIONS, 1)
        network = Network(weights, {"game": game_name(registration_of(game)), "options": written(game)})
    recipe = dataclasses.replace(Recipe(), simulations=simulations, openings=openings)
    games, plies = rate(game, network, recipe)
    print(
        f"{' '.join(words)}: {games:,.0f} games a second a core of {plies:.1f} plies after 0 to {openings} random ones, {simulations} simulations each"
    )


def blackhole(places: list[str], count: int, simulations: int, picture: Path | None) -> None:
    files = [
        file
        for place in map(Path, places)
        for file in (sorted(place.glob("nets/*.safetensors")) if place.is_dir() else [place])
    ]
    print("| network | hole | CPU minutes | moves that lose value |\n|---|---|---|---|")
    curves: dict[str, list[tuple[float, float]]] = {}
    known: dict[str, list[tuple[daedalus.Position, dict[int, int]]]] = {}
    for file in files:
        card = read_network(file).card
        game = make_game("blackhole", **parsed(card["options"]))
        if card["options"] not in known:
            known[card["options"]] = testing_positions(game, Table.open(game), count)
        lost = 0
        agent = daedalus.agent(f"net:{file},simulations={simulations}", game)
        for position, values in known[card["options"]]:
            agent.new_game(1)
            lost += values[int(agent.choose(position.view()).move)] < max(values.values())
        hole = "pass" if "pass" in card["options"] else "stop"
        minutes = card["cost"]["cpu_seconds"] / 60 if "cpu_seconds" in card["cost"] else card["cost"]["minutes"]
        curves.setdefault(hole, []).append((minutes, 100 * lost / count))
        print(f"| {file.name} | {hole} | {minutes:.1f} | {100 * lost / count:.2f} % |", flush=True)
    if picture:
        draw(curves, picture)


def draw(curves: dict[str, list[tuple[float, float]]], file: Path) -> None:
    """How often value is lost over the minutes of training."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 3.6), layout="constrained")
    axes = figure.subplots()
    for hole, points in curves.items():
        axes.plot(*zip(*sorted(points), strict=True), marker="o", markersize=3, label=f"hole={hole}")
    axes.axhline(1.0, color="grey", linewidth=0.8, linestyle="--")
    axes.set_xlabel("CPU minutes of training")
    axes.set_ylabel("moves that lose value, %")
    axes.set_yscale("log")
    axes.set_yticks([0.5, 1, 2, 5, 10, 20], ["0.5", "1", "2", "5", "10", "20"])
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(file, format="png", dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("selfplay", "blackhole"))
    parser.add_argument("words", nargs="*", default=["quoridor", "width=5", "height=5", "walls=3"])
    parser.add_argument("--net", type=Path, help="a network for selfplay")
    parser.add_argument("--simulations", type=int, help="of each move: 32 for selfplay, 200 for blackhole")
    parser.add_argument("--openings", type=int, default=0, help="random plies that begin a game of selfplay, at most")
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--picture", type=Path, metavar="FILE.png", help="draw the curves of blackhole")
    asked = parser.parse_args()
    if asked.what == "selfplay":
        selfplay(asked.words, asked.net, asked.simulations or 32, asked.openings)
    else:
        blackhole(asked.words, asked.positions, asked.simulations or 200, asked.picture)


if __name__ == "__main__":
    main()
