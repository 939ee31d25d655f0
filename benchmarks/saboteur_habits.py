"""How Saboteur's habits.csv is learnt: python benchmarks/saboteur_habits.py learn|judge GAMES ...

learn GAMES ... [--into FILE]   the tables under which the true cards of games are most likely
judge GAMES ...                 how much likelier than even deals the expert's deals make the true cards of games

Files of games are written by `python benchmarks/saboteur.py match ONE TWO --keep GAMES`; `--of one` or `--of two` looks at the
moves of one of the two agents only. A card of a hand is foreseen from
the moves that were made with it in the hand: the weight of each card, by the tables `kept` and `stay`, is the product over
those moves, and for a card that is dropped `gone` comes on top. A weight of 100 tells nothing.
"""

import argparse
import csv
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import minimize

import daedalus
from daedalus import Position
from daedalus.core.memory import workspaces
from daedalus.games.saboteur.agents import evidence
from daedalus.games.saboteur.kernels.habits import (
    BY_DROP,
    DEEDS,
    HALF,
    HALVES,
    KINDS,
    SPOTS,
    deed_of,
    kind_of,
    leading_cards,
    spot_of,
)
from daedalus.games.saboteur.kernels.race import candidates, survey
from daedalus.games.saboteur.kernels.rules import DROP
from daedalus.games.saboteur.kernels.tiles import CARDS

SHAPES = {"kept": (SPOTS, DEEDS, KINDS), "stay": (HALVES, DEEDS, CARDS), "gone": (SPOTS, CARDS)}
BEGIN = np.cumsum([0, *(math.prod(shape) for shape in SHAPES.values())])
DOUBT = 10.0  # how strongly a weight is drawn to 100
REPEATED = 0.3  # a card that stays counts so much each turn, since turns repeat themselves
STEPS = 60  # of the descent


def games(options: argparse.Namespace) -> Iterator[tuple[Position, list[str], tuple[int, ...]]]:
    """Starts, the moves made from there, and the seats whose moves count."""
    for name in options.games:
        with open(name) as file:
            for game in file:
                deal, seat, *moves = game.split()
                seats = {"one": (int(seat),), "two": (1 - int(seat),)}.get(options.of, (0, 1))
                yield Position(daedalus.game("saboteur"), int(deal)), moves, seats


def seen_move(position: Position, w: Any, text: str) -> tuple[int, int, int, list[int]]:
    """(spot, deed, place of the card in the hand, kind of each card) of a move about to be made, as the other seat sees it."""
    s, seat, code = position.state, position.turn, int(position.parse(text))
    missing = survey(s, w, candidates(s, 1 - seat))
    leading = leading_cards(s, w, missing)
    deed, card = deed_of(code >> 8, code & 255, leading)
    place = (code & 255) - DROP if deed == BY_DROP else s.hand[seat].tolist().index(card)
    kinds = [kind_of(other, leading, int(s.seen[seat]).bit_count()) for other in range(CARDS)]
    return spot_of(s, missing, seat), deed, place, kinds


def hand_of(s: Any, seat: int) -> list[int]:
    cards: list[int] = s.hand[seat, : s.held[seat]].tolist()
    return cards


def unseen(s: Any, seat: int, drops: list[int]) -> Any:
    """How many of each card the other of a seat has not seen."""
    return np.bincount([*hand_of(s, seat), *drops, *s.deck[: s.left].tolist()], minlength=CARDS)


# --- learning ---------------------------------------------------------------------------------------------------------


class Sightings:
    """Moves of games, and which of them were made with a card in the hand that is known now: from `first` to before `end`."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.moves: Any = []  # spot, deed, half; kind of each card
        self.stayed: Any = []  # first, end, card; unseen cards
        self.dropped: Any = []
        for position, texts, seats in games(options):
            for seat in seats:
                self.follow(position.copy(), texts, seat)
        self.moves, self.stayed, self.dropped = map(np.array, (self.moves, self.stayed, self.dropped))

    def follow(self, position: Position, texts: list[str], seat: int) -> None:
        """Notes what a seat has in the hand all the time."""
        w, s = workspaces(position.game, 1, 1)[0], position.state
        begun = len(self.moves)
        came, drops = [begun] * int(s.held[seat]), []  # type: list[int], list[int]
        for text in texts:
            if position.turn == seat:
                end = len(self.moves)
                spot, deed, place, kinds = seen_move(position, w, text)
                if deed == BY_DROP:
                    drops.append(hand_of(s, seat)[place])
                    self.dropped.append([came[place], end, drops[-1], *(unseen(s, seat, drops[:-1]))])
                self.moves.append([spot, deed, int(end - begun >= HALF), *kinds])
                came.pop(place)
            position.push(text)
            s = position.state
            if position.turn != seat:
                came += [len(self.moves)] * (int(s.held[seat]) - len(came))
                left = unseen(s, seat, drops)
                self.stayed += [
                    [first, end + 1, card, *left] for first, card in zip(came, hand_of(s, seat), strict=True) if first <= end
                ]


class Fit:
    """Logarithms of the tables' weights, from none, by the likelihood of what was in the hands."""

    def __init__(self, seen: Sightings) -> None:
        spot, deed, half, kinds = (*seen.moves[:, :3].T[:, :, None], seen.moves[:, 3:])
        self.seen, cards = seen, np.arange(CARDS)
        self.kept = BEGIN[0] + (spot * DEEDS + deed) * KINDS + kinds
        self.stay = BEGIN[1] + (half * DEEDS + deed) * CARDS + cards
        self.gone = BEGIN[2] + spot[seen.dropped[:, 1]] * CARDS + cards

    def loss(self, x: Any) -> tuple[float, Any]:
        """How unlikely the cards are, and how that changes with each weight."""
        upto = np.concatenate([np.zeros((1, CARDS)), np.cumsum(x[self.kept] + x[self.stay], axis=0)])
        slope, by_move = DOUBT * x, np.zeros_like(upto)
        total = DOUBT / 2 * float(x @ x)
        for cases, is_drop, share in ((self.seen.stayed, False, REPEATED), (self.seen.dropped, True, 1.0)):
            first, end, card = cases[:, :3].T
            chance = cases[:, 3:] * np.exp(upto[end] - upto[first] + (x[self.gone] if is_drop else 0.0))
            chance /= chance.sum(axis=1, keepdims=True)
            true = np.arange(len(cases)), card
            total -= share * float(np.log(chance[true]).sum())
            chance[true] -= 1.0
            np.add.at(by_move, end, share * chance)
            np.add.at(by_move, first, -share * chance)
            if is_drop:
                slope += np.bincount(self.gone.ravel(), chance.ravel(), len(x))
        following = np.cumsum(by_move[:0:-1], axis=0)[::-1]
        for table in (self.kept, self.stay):
            slope += np.bincount(table.ravel(), following.ravel(), len(x))
        return total, slope


def learn(options: argparse.Namespace) -> None:
    seen = Sightings(options)
    found = minimize(Fit(seen).loss, np.zeros(BEGIN[-1]), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x
    with open(options.into, "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        for (name, shape), weights in zip(SHAPES.items(), np.split(found, BEGIN[1:-1]), strict=True):
            table = np.maximum(np.rint(100 * np.exp(weights.reshape(shape))), 1).astype(int)
            rows.writerows([name, *at, *table[at]] for at in np.ndindex(shape[:-1]) if (table[at] != 100).any())
    print(f"{len(seen.moves)} moves, {len(seen.stayed)} cards that stayed, {len(seen.dropped)} dropped")


# --- judging ----------------------------------------------------------------------------------------------------------


def judge(options: argparse.Namespace) -> None:
    gains = []
    for position, texts, seats in games(options):
        drops: tuple[list[int], list[int]] = [], []
        for text in texts:
            seat, code = position.turn, int(position.parse(text))
            if 1 - seat in seats:
                gains.append(foresight(position, drops[1 - seat]))
            if text.startswith("drop"):
                drops[seat].append(hand_of(position.state, seat)[(code & 255) - DROP])
            position.push(text)
    mean, half = np.mean(gains, axis=0), 1.96 * np.std(gains, axis=0) / len(gains) ** 0.5
    for name, one, two in zip(("hand", "drops", "nugget"), mean, half, strict=True):
        print(f"{name:7} {one:+.3f} ± {two:.3f} nats a turn")


def foresight(position: Position, drops: list[int]) -> tuple[float, float, float]:
    """How much likelier than even the evidence makes the other's hand, its drops and the nugget's place."""
    s, seat, told = position.state, position.turn, evidence(position.view())[0]
    left = unseen(s, 1 - seat, drops).astype(float)
    gains = []
    for cards, weights in ((hand_of(s, 1 - seat), told.cards), (drops, told.lost)):
        gains.append(0.0)
        for card, weight in zip(cards, weights, strict=False):
            gains[-1] += math.log(weight[card] * left.sum() / (left @ weight))
            left[card] -= 1
    blind = [goal for goal in range(3) if not s.seen[seat] >> goal & 1]
    known = int(s.nugget) not in blind
    return gains[0], gains[1], 0.0 if known else math.log(told.nugget[s.nugget] / np.mean(told.nugget[blind]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(required=True)
    for run in (learn, judge):
        kind = kinds.add_parser(run.__name__)
        kind.add_argument("games", nargs="+")
        kind.add_argument("--of", choices=("one", "two"), help="whose moves count, if not both")
        kind.set_defaults(run=run)
    kinds.choices["learn"].add_argument("--into", default="habits.csv", help="the file to write")
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
