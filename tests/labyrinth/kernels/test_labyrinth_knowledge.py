"""What everybody knows of the goals: who stops on an object without finding it does not look for it."""

import random

import numpy as np
import pytest

import daedalus
from daedalus import DaedalusError, Limit, Position
from daedalus.core.memory import copies, workspaces

SMALL = "L1RI1AL2Y/T3aI0bT1c/L0GI1dL3B I0A R - R0,0;B2,2"


class Onlooker:
    """A plain account of what an onlooker has seen: where each seat stopped since its last find, and what it found."""

    def __init__(self, game, seats):
        self.any_order = game.goals == 2
        self.stops = [set() for _ in range(seats)]

    def watch(self, seat, stood_on, found):
        if found and not self.any_order:
            self.stops[seat] = set()
        elif not found:
            self.stops[seat].add(stood_on)

    def faults(self, position):
        """Seats that look for something on which they stopped in vain."""
        wrong = []
        for seat, pile in enumerate(position.text.split()[5].split(";")[: position.game.SEATS]):
            missing = pile.split(":")[1].partition("|")[2].strip("RYGB")  # home is sought when all is found, not before
            sought = set(missing) if self.any_order else set(missing[:1])
            wrong += [(seat, sought & self.stops[seat])] if sought & self.stops[seat] else []
        return wrong


def object_under(position, seat):
    board, pawn = position.text.split()[0].split("/"), position.text.split()[4].split(";")[seat][1:]
    row, column = map(int, pawn.split(","))
    return board[row][3 * column + 2]


VARIANTS = [
    {"board": "3x3", "cap": 60},
    {"board": "5x5", "goals": "own", "cap": 60},
    {"board": "5x5", "goals": "any", "players": 3, "cap": 80},
    {"board": "5x5", "goals": "any", "players": 4, "objects": 15, "again": True, "cap": 80},
    {"board": "5x5", "players": 4, "block": True, "undo": "free", "cap": 80},
    {"board": "3x3", "players": 3, "open": True, "cap": 60},
    {"board": "3x3", "objects": 5, "goals": "any", "cap": 40},
]


@pytest.mark.parametrize("options", VARIANTS, ids=lambda o: ",".join(f"{k}={v}" for k, v in o.items()))
def test_no_deal_gives_a_seat_a_goal_that_it_stopped_on_in_vain(options):
    game = daedalus.game("labyrinth", **options)
    choice = random.Random(str(options))
    dealt = ruled_out = 0
    for seed in range(2):
        position = Position(game, seed)
        onlooker = Onlooker(game, game.SEATS)
        while position.outcome() is None:
            seat, before = position.turn, position.state.found.tolist()
            position.push(choice.choice(position.legal_moves.codes))
            under = object_under(position, seat)
            onlooker.watch(seat, under, position.state.found[seat] > before[seat])
            assert not onlooker.faults(position), "the true deal is never ruled out"
            for viewer in range(game.SEATS):
                for number in range(3):
                    view = position.view(viewer, seed=number)
                    view.seat = None
                    assert not onlooker.faults(view), (viewer, view.text, onlooker.stops)
                    dealt += 1
            ruled_out += any(stops - set("ARYGB") for stops in onlooker.stops)
    assert dealt > 100 and ruled_out > 20


@pytest.mark.parametrize(
    "options, cards, stops, deals",
    [
        ({}, "R:|ab;B:|cd", "B:b", ["abcd", "abdc", "acdb", "adcb"]),  # red looks for a, so blue for c or d
        ({}, "R:|ab;B:|cd", "B:bd", ["abcd", "adcb"]),
        ({"goals": "own"}, "R:|ab;B:|dc", "B:c", ["abdc"]),
        ({"objects": 5, "goals": "any"}, "R:|ab;B:|cd;-:e", "B:e", ["abcde"]),  # the order of a hand means nothing
        ({"objects": 5, "goals": "any"}, "R:|ab;B:|cd;-:e", "R:e", ["abcde", "abced", "abdec"]),
    ],
)
def test_all_deals_that_the_evidence_leaves_are_equally_likely(options, cards, stops, deals):
    from scipy.stats import chisquare

    game = daedalus.game("labyrinth", board="3x3", **options)
    board = SMALL.replace("I0A R", "I0e R") if "objects" in options else SMALL
    position = Position.from_text(game, f"{board} {cards} 7 {stops}")
    counts = dict.fromkeys(deals, 0)
    for seed in range(900):
        deck = "".join(" abcde"[card] for card in position.view(0, seed=seed).state.deck[: position.state.objects])
        if "objects" in options:
            deck = deck[:2] + "".join(sorted(deck[2:4])) + deck[4:]
        counts[deck] += 1
    assert len(counts) == 1 or chisquare(list(counts.values())).pvalue > 1e-3


@pytest.mark.interpreted
@pytest.mark.parametrize("goals", ["next", "any"])
def test_a_play_out_deals_no_goal_that_the_evidence_rules_out(goals):
    from daedalus.games.labyrinth.kernels.knowledge import conceal, hide, look

    game = daedalus.game("labyrinth", board="3x3", players=3, objects=6, goals=goals)
    board = "L1RI1aL2Y/T3bI0cT1d/L0GI1eL3B I0f R - R0,0;Y0,2;B2,2"
    position = Position.from_text(game, f"{board} R:|ab;Y:|cd;B:|ef 9 Y:ef;B:c")
    S, W = copies(game, [position.state], 2), workspaces(game, 1, 4)
    seen = set()
    places = hide(game, S[0], W[0], 0)
    for _ in range(300):
        S[1] = S[0]
        with np.errstate(over="ignore"):  # random bits wrap
            conceal(game, S[1], W[0], places)
            for seat in (2, 1):
                look(game, S[1], W[0], seat)
        deck = "".join(" abcdef"[card] for card in S[1].deck[:6])
        goals_of = {1: deck[2:4], 2: deck[4:6]} if goals == "any" else {1: deck[2], 2: deck[4]}
        assert not set(goals_of[1]) & set("ef") and not set(goals_of[2]) & set("c")
        seen.add(str(goals_of))
    assert len(seen) == (1 if goals == "any" else 10)  # yellow c d, blue e f; else yellow b c d, blue b d e f, not the same


@pytest.mark.interpreted
def test_what_is_ruled_out_is_forgotten_with_the_goal_and_kept_in_the_text():
    game = daedalus.game("labyrinth", board="3x3")
    position = Position.from_text(game, f"{SMALL} R:|ab;B:|cd 0")
    assert len(position.text.split()) == 7, "nothing is known of a position without a past"
    position.push("W2I0-0,0")
    for move in position.legal_moves:
        position.push(move)
        if object_under(position, 1) in "abd":  # blue looks for c
            break
        position.pop()
    stop = f"B:{object_under(position, 1)}"
    assert position.text.split()[7:] == [stop]
    again = Position.from_text(game, position.text)
    assert again.text == position.text and again.state.ruled_out.tolist() == position.state.ruled_out.tolist()
    assert position.view(0).text.split()[7:] == position.view(1).text.split()[7:] == [stop]
    position.pop()
    assert len(position.text.split()) == 7


@pytest.mark.interpreted
def test_unknown_cards_of_a_text_are_filled_in_as_far_as_the_evidence_allows():
    game = daedalus.game("labyrinth", board="3x3")
    for stops, cards in (("R:ab;B:c", "R:|ca;B:|bd"), ("B:bcd", "R:|cb;B:|ad")):  # red gives its a up: blue has nothing else
        assert Position.from_text(game, f"{SMALL} R:|??;B:|?? 3 {stops}").text.split()[5] == cards
    for wrong, complaint in (("B:c", "stopped on the object that it looks for"), ("G:a", "the objects stopped on are")):
        with pytest.raises(DaedalusError, match=complaint):
            Position.from_text(game, f"{SMALL} R:|ab;B:|cd 3 {wrong}")


@pytest.mark.interpreted
def test_a_goal_found_by_the_move_under_trial_may_be_followed_by_one_stopped_on_before():
    """Blue finds a and then looks for d, on which it stopped while it looked for a; b is all that is left for Red."""
    game = daedalus.game("labyrinth", board="3x3", again=True, cap=12)
    position = Position.from_text(game, "L0RT0aL0Y/L3AI1cT1d/L0GT1AL3B I0b B E0 R1,2;B1,1 R:c|b;B:|ad 8 R:d;B:cd")
    for spec in ("mc", "expert"):
        thought = daedalus.agent(spec, game, seed=3).choose(position.view(), Limit(simulations=40))
        assert thought.move in position.legal_moves
