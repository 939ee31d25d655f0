"""Pairs of games of Saboteur that a seat cannot tell apart: the same moves, another deal of all that it has not seen.

`DAEDALUS_PAIRS=10000 pytest tests/test_saboteur_leaks.py -o timeout=0` looks at so many pairs.
"""

import os
import random

import numpy as np
import pytest
from drawn import touches_of

import daedalus
from daedalus import IllegalMove, Limit, Position
from daedalus.agents.spec import describe
from daedalus.core import ONLOOKER
from daedalus.core.compile import INTERPRETED
from daedalus.games.saboteur.kernels.rules import Saboteur

PAIRS = int(os.environ.get("DAEDALUS_PAIRS", "3" if INTERPRETED else "40"))
GAME = daedalus.game("saboteur")
LIMIT = Limit(simulations=2 if INTERPRETED else 16, depth=1)
SPECS = [info.name for info in describe("saboteur") if info.name != "engine"]
SPECS += [
    "ismcts:adapt=no",
    "ismcts:patient=no,infer=no",
    "ismcts:patient=no,infer=no,endgame=no",
    "ismcts:threads=2",
    "careful:patient",
    "careful:patient,endgame",
    "mcts:rollout=own,select=uct",
    "greedy:map=no,malus=no,measure=ends",
]


def opening(cards, goals):
    """A position before the first move; the cards are both hands, seven each, then the deck."""
    hands = " ".join(cards[:7]), " ".join(cards[7:14]), " ".join(cards[14:])
    return Position.from_text(GAME, f"0 | 0 0 | 000 000 000 | {' '.join(goals)} | {' | '.join(hands)} |")


def wander(chance, plies):
    """(cards, goals, position after some sensible and some senseless moves)."""
    fields = Position(GAME, chance.getrandbits(40)).text.split(" | ")
    cards, goals = " ".join(fields[4:7]).split(), fields[3].split()
    position, builder = opening(cards, goals), daedalus.agent("greedy", GAME, chance.getrandbits(30))
    sense = chance.choice((0.1, 0.5, 0.9))
    while position.outcome() is None and len(position.history) < plies:
        sensible = chance.random() < sense
        position.push(builder.choose(position.view()).move if sensible else chance.choice(position.legal_moves.codes))
    return cards, goals, position


def unseen(cards, moves, seat):
    """The places of the cards that a seat has not seen: the other's hand and drops, the deck."""
    hands, left, dropped = [list(range(7)), list(range(7, 14))], list(range(14, len(cards))), []
    for number, move in enumerate(moves):
        hand = hands[number % 2]
        if move.startswith("drop:"):
            place = hand.pop("abcdefg".index(move.removeprefix("drop:")))
            dropped += [place] if number % 2 != seat else []
        else:
            card = move.partition("@")[0].removesuffix("f")
            hand.pop([cards[place] for place in hand].index(card))
        if left:
            hand.append(left.pop(0))
    return hands[1 - seat] + left + dropped


def twin_of(chance, cards, goals, position, seat):
    """A game with the same moves from another deal; None if the moves do not go with it."""
    places = unseen(cards, [str(move) for move in position.history], seat)
    dealt = [cards[place] for place in places]
    chance.shuffle(dealt)
    other = list(cards)
    for place, card in zip(places, dealt, strict=True):
        other[place] = card
    blind = [goal for goal in range(3) if position.text.split(" | ")[2].split()[1 + seat][goal] == "0"]
    hidden = [goals[goal] for goal in blind]
    chance.shuffle(hidden)
    turned = list(goals)
    for goal, letter in zip(blind, hidden, strict=True):
        turned[goal] = letter
    twin = opening(other, turned)
    try:
        for move in position.history:
            twin.push(str(move))
    except IllegalMove:  # the other played the first of two equal cards, and would have dropped its twin
        return None
    return twin if twin.text != position.text else None


def pairs(number):
    """So many pairs, with the seat that cannot tell them apart."""
    chance, made = random.Random(7), 0
    while made < number:
        cards, goals, position = wander(chance, chance.randrange(54))
        if position.outcome() is not None:
            continue
        seat = position.turn if chance.random() < 0.8 else 1 - position.turn
        twin = twin_of(chance, cards, goals, position, seat)
        if twin is not None:
            made += 1
            yield position, twin, seat


def appearance(view):
    """All that a view tells."""
    features = np.zeros(Saboteur.FEATURES)
    GAME.features(view.state, view.seat, features)
    history = [(int(move), str(move)) for move in view.history]
    told = (view.text, view.summary, repr(view), str(view), view.svg(), view.turn, view.keys, view.seed, view.setup)
    return view.bits, history, view.legal_moves.codes, features.tobytes(), told, shown_and_said(view)


def shown_and_said(view):
    """The parts of pictures, from both sides and of moves under way, and all words."""
    pictures = [view.parts(), view.parts(flip=True)]
    pictures += [view.parts(view.touches(move)[:1]) for move in view.legal_moves[::9]]
    asked = [*touches_of(pictures[0])[::3], *(f"drop-{index}" for index in range(7))]  # anybody may ask for any name
    words = [view.touch_name(touch) for touch in asked]
    return pictures, words, view.spoken, [view.spoken_move(move) for move in view.legal_moves]


def overlooked(position):
    """What somebody who looks on is shown."""
    view = position.view(ONLOOKER)
    return view.text, view.summary, str(view), view.svg(), len(view.legal_moves), shown_and_said(view)


@pytest.mark.interpreted
def test_views_features_and_moves_do_not_depend_on_what_a_seat_cannot_know():
    agents = {spec: daedalus.agent(spec, GAME) for spec in SPECS}
    searched = 0
    for number, (position, twin, seat) in enumerate(pairs(PAIRS)):
        views = position.view(seat, seed=number), twin.view(seat, seed=number)
        assert appearance(views[0]) == appearance(views[1])
        assert overlooked(position) == overlooked(twin)
        truths = np.zeros((2, Saboteur.FEATURES))
        for state, out in zip((position.state, twin.state), truths, strict=True):
            GAME.features(state, seat, out)
        assert (truths[0] == truths[1]).all()
        if seat != position.turn:
            continue
        searched += 1
        for spec, agent in agents.items():
            moves = []
            for view in views:
                agent.new_game(number)
                thought = agent.choose(view, LIMIT)
                moves.append((str(thought.move), int(thought.move), thought.value, thought.candidates))
            assert moves[0] == moves[1], spec
    assert searched > PAIRS // 2


@pytest.mark.interpreted
def test_the_pairs_differ_in_every_hidden_thing():
    different = {"hand": 0, "deck": 0, "nugget": 0, "dropped": 0}
    for position, twin, _ in pairs(max(PAIRS, 60)):
        for thing in different:
            different[thing] += position.state[thing].tolist() != twin.state[thing].tolist()
    assert min(different.values()) > 2, different


@pytest.mark.interpreted
def test_an_onlooker_knows_what_lies_face_up_and_no_more():
    text = "0 | 0 0 | 000 110 011 | p n p | 0 10 5 malus map | bonus 9 7 5 0 | 9 bonus 9 8 | 6,5:0 7,5:6f"
    view = Position.from_text(GAME, text).view(ONLOOKER)
    told = view.text.split(" | ")
    assert told[3:7] == ["? ? ?", "? ? ? ? ?", "? ? ? ? ?", "? ? ? ?"] and len(view.legal_moves) == 0
    assert [part.label for part in view.parts().beside] == ["5 cards", "4 cards to draw", "5 cards"]
    assert touches_of(view.parts()) and not [touch for touch in touches_of(view.parts()) if not touch.startswith("cell-")]
    assert "nugget" not in view.spoken and view.spoken.count("not seen") == 3
