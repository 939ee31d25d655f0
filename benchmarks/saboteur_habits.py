"""How habits.csv is learnt: python benchmarks/saboteur_habits.py learn|judge GAMES ... [--into FILE]

learn GAMES ... [--into FILE]     the table from games that `benchmarks/saboteur.py match ... --keep GAMES` has written
judge GAMES ...                   how well deals by a table foresee the true cards of games

Of every move the table tells, by the spot it was made in and by what it was: how often a card of each kind stayed in the
hand, among all moves with such a card left there (`kept`, the largest of a row is 100); and how often a drop in that spot
was each card, among all drops with it in the hand (`gone`, 100 is as often as a card of the hand at random).
"""

import argparse
import csv
import math
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import daedalus
from daedalus import Position
from daedalus.core.memory import workspaces
from daedalus.games.saboteur.agents import evidence
from daedalus.games.saboteur.kernels.habits import BY_DROP, DEEDS, KINDS, SPOTS, deed_of, kind_of, leading_cards, spot_of
from daedalus.games.saboteur.kernels.race import candidates, survey
from daedalus.games.saboteur.kernels.rules import DROP
from daedalus.games.saboteur.kernels.tiles import CARDS

ENOUGH = 100  # a row needs so many moves
DOUBT = 20.0  # cards that pull a share towards the mean


def games(files: list[str]) -> Iterator[tuple[Position, list[str]]]:
    """Starts and the moves made from there."""
    for name in files:
        with open(name) as file:
            for game in file:
                deal, *moves = game.split()
                yield Position(daedalus.game("saboteur"), int(deal)), moves


def seen_move(position: Position, w: Any, text: str) -> tuple[int, int, int, int]:
    """(spot, deed, card, tiles that lead on) of a move about to be made, as the other seat sees it; the card is true."""
    s, seat, code = position.state, position.turn, int(position.parse(text))
    missing = survey(s, w, candidates(s, 1 - seat))
    leading = leading_cards(s, w, missing)
    deed, card = deed_of(code >> 8, code & 255, leading)
    return spot_of(s, missing, seat), deed, int(s.hand[seat, (code & 255) - DROP] if deed == BY_DROP else card), leading


def learn(options: argparse.Namespace) -> None:
    kept, stayed = np.zeros((SPOTS, DEEDS, KINDS)), np.zeros((SPOTS, KINDS))
    gone, chance, moves = np.zeros((SPOTS, CARDS)), np.zeros((SPOTS, CARDS)), np.zeros((SPOTS, DEEDS), int)
    for position, texts in games(options.games):
        w = workspaces(position.game, 1, 1)[0]
        for text in texts:
            spot, deed, card, leading = seen_move(position, w, text)
            hand = position.state.hand[position.turn, : position.state.held[position.turn]].tolist()
            moves[spot, deed] += 1
            if deed == BY_DROP:
                gone[spot, card] += 1
                for other in hand:
                    chance[spot, other] += 1 / len(hand)
            hand.remove(card)
            for other in hand:
                kept[spot, deed, kind_of(other, leading)] += 1
                stayed[spot, kind_of(other, leading)] += 1
            position.push(text)
    with open(options.into, "w", newline="") if options.into else sys.stdout as file:
        write(csv.writer(file, lineterminator="\n"), kept, stayed, gone, chance, moves)


def write(table: Any, kept: Any, stayed: Any, gone: Any, chance: Any, moves: Any) -> None:
    """The rows of spots and deeds that were seen often enough."""
    for spot in range(SPOTS):
        for deed in range(DEEDS):
            if moves[spot, deed] < ENOUGH:
                continue
            mean = kept[spot, deed].sum() / stayed[spot].sum()
            shares = (kept[spot, deed] + DOUBT * mean) / (stayed[spot] + DOUBT)
            table.writerow([spot, deed, *np.rint(100 * shares / shares.max()).astype(int)])
            if deed == BY_DROP:
                shares = (gone[spot] + DOUBT / 7) / (chance[spot] + DOUBT / 7)
                table.writerow([spot, "gone", *np.maximum(np.rint(100 * shares).astype(int), 1)])


def judge(options: argparse.Namespace) -> None:
    gains = []
    for position, texts in games(options.games):
        w, drops = workspaces(position.game, 1, 1)[0], ([], [])  # type: tuple[list[int], list[int]]
        for text in texts:
            gains.append(foresight(position, drops[1 - position.turn]))
            _, deed, card, _ = seen_move(position, w, text)
            drops[position.turn].extend([card] if deed == BY_DROP else [])
            position.push(text)
    print("by how much likelier than even deals those are that are true, in nats, on average over all turns")
    mean, half = np.mean(gains, axis=0), 1.96 * np.std(gains, axis=0) / len(gains) ** 0.5
    for name, one, two in zip(("hand", "drops", "nugget"), mean, half, strict=True):
        print(f"{name:7} {one:+.4f} ± {two:.4f}")


def foresight(position: Position, drops: list[int]) -> tuple[float, float, float]:
    """Of the other's hand, its drops and the nugget: how much likelier deals by the evidence make the truth."""
    s, seat, e = position.state, position.turn, evidence(position.view())[0]
    hand = s.hand[1 - seat, : s.held[1 - seat]].tolist()
    left = np.bincount([*hand, *drops, *s.deck[: s.left].tolist()], minlength=CARDS).astype(float)
    places = [(True, card, e.cards[i]) for i, card in enumerate(hand)] + [(False, card, e.lost[i]) for i, card in enumerate(drops)]
    gain = [0.0, 0.0]
    for is_hand, card, weights in places:
        gain[0 if is_hand else 1] += math.log(weights[card] * left.sum() / (left @ weights))
        left[card] -= 1
    blind = [goal for goal in range(3) if not s.seen[seat] >> goal & 1]
    weight = e.nugget[s.nugget] * len(blind) / sum(e.nugget[goal] for goal in blind) if s.nugget in blind else 1.0
    return gain[0], gain[1], math.log(weight)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(required=True)
    kind = kinds.add_parser("learn")
    kind.add_argument("games", nargs="+")
    kind.add_argument("--into", help="a file for the table, else it is printed")
    kind.set_defaults(run=learn)
    kind = kinds.add_parser("judge")
    kind.add_argument("games", nargs="+")
    kind.set_defaults(run=judge)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
