"""How strong agents are at Saboteur: python benchmarks/saboteur.py table|match [...]

table [--games N] [--simulations N] [--only WORDS]      the matches of docs/saboteur.md
match ONE TWO [--games N] [--simulations N] [--from N] [--keep FILE]   two agents; tells after every tenth pair how it stands

Every pair of games has one deal, seats swapped. Simulations stand for time: the searching agents do about 100,000 a second
on one core, so that 20,000 are a fifth of a second. The quick agents of the table play a thousand games whatever is asked for.

Two agents cheat, to tell what knowing is worth. Both search like `expert:endgame=no`, but instead of dealing what they cannot
see they look at the true position: `sees-hands` at the other's hand and at the nugget, `sees-all` at the cards to draw as well.
"""

import argparse
import time
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import daedalus
from daedalus import Limit, Position, Thought
from daedalus.core import shuffle
from daedalus.games.saboteur.agents import InformationSetPlayer, slips_expected
from daedalus.games.saboteur.kernels.policies import Careful

MATCHES = [  # a match, and how many games it gets at least, since its players are instant
    ("random", "random", 1000),
    ("greedy", "random", 1000),
    ("greedy:destroy", "random", 1000),
    ("greedy:destroy", "greedy", 1000),
    ("careful", "random", 1000),
    ("careful", "greedy", 1000),
    ("careful:patient", "careful", 1000),
    ("careful:patient,endgame", "careful", 1000),
    ("careful", "strong", 1000),
    ("expert", "random", 0),
    ("expert", "greedy", 0),
    ("expert", "greedy:destroy", 0),
    ("expert", "careful", 0),
    ("expert", "strong", 0),
]


class Truth(NamedTuple):
    """Deals nothing anew, except for the deck unless that is seen too."""

    deck: int = 1

    def deal(self, game, s, seat, w):  # type: ignore[no-untyped-def]
        if not self.deck:
            shuffle(w, s.deck, s.left)


class Cheat:
    """Searches like the expert without its endgame, and sees what it should not."""

    def __init__(self, deck: bool, game: Any, seed: int) -> None:
        self.search = cast(InformationSetPlayer, daedalus.agent("expert", game, seed=seed)).search(game)
        self.search.dealer = Truth(int(deck))

    def choose(self, position: Position, limit: Limit) -> Thought:
        view = position.view()
        slips = slips_expected(view)
        self.search.policy = Careful(patient=int(slips == 0.0), slips=slips)
        for name in ("hand", "deck", "dropped", "nugget"):
            view.state[name] = position.state[name]
        view.state.seen[view.turn] |= 1 << view.state.nugget
        return self.search.think(view, limit)


CHEATS = {"sees-hands": False, "sees-all": True}


def player(spec, game, seed):  # type: ignore[no-untyped-def]
    """Who chooses a move of the true position."""
    if spec in CHEATS:
        return Cheat(CHEATS[spec], game, seed).choose
    agent = daedalus.agent(spec, game, seed=seed)
    return lambda position, limit: agent.choose(position.view(seed=seed), limit)


def played(one: str, two: str, games: int, limit: Limit, first: int = 0) -> Iterator[tuple[int, Position]]:
    """Games with the seat of the first agent, pair by pair."""
    game = daedalus.game("saboteur")
    for number in range(2 * first, 2 * first + games):
        deal, seat = divmod(number, 2)
        players = [player(spec, game, number) for spec in ((one, two) if seat == 0 else (two, one))]
        position = Position(game, 1000 + deal)
        while position.outcome() is None:
            position.push(players[position.turn](position, limit).move)
        yield seat, position


def payoff(seat: int, finished: Position) -> float:
    outcome = finished.outcome()
    assert outcome is not None
    return float(outcome.payoffs[seat])


def score(payoffs: list[float]) -> tuple[float, float]:
    """Share of the points and half of its 95 % interval, from pairs of games."""
    pairs = [(one + two + 2) / 4 for one, two in zip(payoffs[::2], payoffs[1::2], strict=True)]
    mean = sum(pairs) / len(pairs)
    spread = sum((pair - mean) ** 2 for pair in pairs) / max(1, len(pairs) - 1)
    return mean, 1.96 * (spread / len(pairs)) ** 0.5


def line(one: str, two: str, payoffs: list[float], spent: float) -> str:
    """A line of a table."""
    shares = " | ".join(f"{100 * payoffs.count(got) / len(payoffs):.1f} %" for got in (1.0, -1.0, 0.0))
    mean, half = score(payoffs)
    points = f"{100 * mean:.1f} ± {100 * half:.1f} %"
    return f"| `{one}` | `{two}` | {len(payoffs)} | {shares} | {points} | {1000 * spent / len(payoffs):.0f} |"


def match(options: argparse.Namespace) -> None:
    begun, payoffs = time.process_time(), []
    limit = Limit(simulations=options.simulations)
    for seat, position in played(options.one, options.two, options.games, limit, options.first):
        payoffs.append(payoff(seat, position))
        if options.keep:
            with open(options.keep, "a") as file:
                print(position.seed, seat, *position.history, file=file)
        if len(payoffs) % 20 == 0 or len(payoffs) == options.games:
            print(line(options.one, options.two, payoffs, time.process_time() - begun), flush=True)


def table(options: argparse.Namespace) -> None:
    print("| agent | against | games | wins | losses | draws | points | ms a game |\n|---|---|---|---|---|---|---|---|")
    for one, two, least in MATCHES:
        if options.only and not any(word in f"{one} v {two}" for word in options.only.split(",")):
            continue
        begun = time.process_time()
        games = played(one, two, max(options.games, least), Limit(simulations=options.simulations))
        payoffs = [payoff(seat, position) for seat, position in games]
        print(line(one, two, payoffs, time.process_time() - begun), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(required=True)
    kind = kinds.add_parser("table")
    kind.add_argument("--only", default="", help="matches whose line contains one of these words, joined by commas")
    kind.set_defaults(run=table, games=100)
    kind = kinds.add_parser("match")
    kind.add_argument("one")
    kind.add_argument("two")
    kind.add_argument("--from", type=int, default=0, dest="first", help="the first deal")
    kind.add_argument("--keep", help="append the games to a file, which saboteur_habits.py reads")
    kind.set_defaults(run=match, games=1000)
    for kind in kinds.choices.values():
        kind.add_argument("--games", type=int, default=kind.get_default("games"), help="an even number")
        kind.add_argument("--simulations", type=int, default=5000)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
