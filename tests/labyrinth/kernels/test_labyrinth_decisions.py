"""Labyrinth's players decide alike however their work is cut, take a win at hand, and compile nothing on the clock."""

import dataclasses
import random

import pytest

import daedalus
from daedalus import Limit, Position
from daedalus.search import budget

JUDGES = [
    "advanced",
    "planner",
    "mc:single,each=4",
    "mc:double,rulebased,allstar,each=5,first=2,keep=3",
    "strong",
    "expert:simulations=120",
]


def some_way_into(game, seed, plies):
    """A position after random moves."""
    choice = random.Random(seed)
    position = Position(game, seed)
    while len(position.history) < plies and position.outcome() is None:
        position.push(choice.choice(position.legal_moves.codes))
    return position


def decide(spec, position, limit):
    thought = daedalus.agent(spec, position.game, seed=5).choose(position.view(), limit)
    return dataclasses.replace(thought, seconds=0.0)


@pytest.mark.parametrize("spec", [*JUDGES, "rulebased", "random", "uniform"])
@pytest.mark.parametrize("limit", [None, Limit(simulations=90)], ids=["own limit", "90 simulations"])
def test_a_decision_does_not_depend_on_how_the_work_is_cut(spec, limit, monkeypatch):
    games = [daedalus.game("labyrinth", board="3x3"), daedalus.game("labyrinth", board="5x5", players=3, goals="any")]
    positions = [some_way_into(game, seed, 7) for game in games for seed in (1, 2)]
    normal = budget.Budget.next
    told = []
    for most in (1, 7, 10**9):
        monkeypatch.setattr(budget, "CHUNK_SECONDS", 1000.0)
        monkeypatch.setattr(budget.Budget, "next", lambda self, most=most: min(normal(self), most))
        told.append([decide(spec, position, limit) for position in positions])
    assert told[0] == told[1] == told[2]
    if limit:
        assert all(thought.simulations <= limit.simulations for thought in told[0])


def test_a_game_before_does_not_change_the_next():
    game = daedalus.game("labyrinth", board="3x3")
    view = some_way_into(game, 4, 5).view()
    for spec in JUDGES:
        used = daedalus.agent(spec, game, seed=1)
        used.choose(some_way_into(game, 9, 3).view())
        used.new_game(8)
        new = daedalus.agent(spec, game, seed=8)
        one, two = (dataclasses.replace(agent.choose(view), seconds=0.0) for agent in (used, new))
        assert one == two, spec


# --- a win at hand ----------------------------------------------------------------------------------------------------


def heading_home(game, seed):
    """A position some way into a game whose seat to move has found all its cards."""
    position = some_way_into(game, seed, 6)
    fields = position.text.split()[:7]
    piles = fields[5].split(";")
    colour, cards = piles[position.turn].split(":")
    piles[position.turn] = f"{colour}:{cards.strip(colour).replace('|', '')}|"  # who is on the way already has his home there
    fields[5] = ";".join(piles)
    return Position.from_text(game, " ".join(fields))


def winning_moves(position):
    """The moves after which the seat to move has won, each tried."""
    won = set()
    for move in position.legal_moves:
        position.push(move)
        outcome = position.outcome()
        position.pop()
        if outcome is not None and outcome.winner == position.turn:
            won.add(str(move))
    return won


@pytest.mark.parametrize("board, players", [("3x3", 2), ("5x5", 2), ("original", 2), ("5x5", 4)])
def test_a_win_at_hand_is_taken_by_every_player_that_judges_moves(board, players):
    game = daedalus.game("labyrinth", board=board, players=players)
    checked = 0
    for seed in range(24):
        position = heading_home(game, seed)
        wins = winning_moves(position)
        if wins and checked < 6:
            checked += 1
            for spec in JUDGES:
                thought = daedalus.agent(spec, game, seed=seed).choose(position.view())
                assert str(thought.move) in wins, (spec, position.text)
                first = thought.candidates[0]
                assert (first.move, first.value, first.note) == (thought.move, 1.0, "proven win"), spec
    assert checked > 2


def test_on_the_last_turn_before_the_cap_the_goal_that_wins_is_found():
    checked = 0
    for seed in range(20):
        position = some_way_into(daedalus.game("labyrinth", board="5x5", cap=9), seed, 8)
        wins = winning_moves(position)
        if wins and len(wins) < len(position.legal_moves):
            checked += 1
            for spec in JUDGES:
                assert str(decide(spec, position, None).move) in wins, (spec, position.text)
    assert checked > 3


@pytest.mark.parametrize("cap, proven", [(0, True), (2, False), (3, True)])
def test_a_homecoming_is_proven_only_if_the_cap_leaves_time_for_it(cap, proven):
    game = daedalus.game("labyrinth", board="4x4", objects=4, rows="1", columns="1", cap=cap)
    claims = 0
    for seed in range(20):
        text = Position(game, seed).text.split()
        cards = "".join(sorted(set(text[5]) & set("abcd")))
        text[4:6] = "R1,2;B2,0", f"R:{cards[:2]}|;B:|{cards[2:]}"
        position = Position.from_text(game, " ".join(text))
        if not winning_moves(position):
            thought = decide("expert:simulations=40", position, None)
            claims += thought.note == "proven win"
            assert (thought.value == 1.0) == (thought.note == "proven win")
            if thought.note:
                assert comes_home_for_certain(position, thought.move)
    assert (claims > 0) == proven


def comes_home_for_certain(position, move):
    """After the move, does every reply leave a win at once?"""
    after = position.copy()
    after.push(move)
    for reply in after.legal_moves.codes:
        after.push(reply)
        if after.outcome() is not None or not winning_moves(after):
            return False
        after.pop()
    return True
