"""The expert of Black-Hole Escape: exact on the solved board, a network's search on the larger ones, and the levels below it."""

import random
from dataclasses import replace
from itertools import product

import pytest

import daedalus
from daedalus import Limit, Position
from daedalus.agents.levels import levels
from daedalus.games.blackhole.agents import network_of


@pytest.mark.parametrize("hole", ["stop", "pass"])
def test_on_the_solved_board_the_expert_is_perfect(hole):
    game, choice = daedalus.game("blackhole", hole=hole), random.Random(2)
    expert, perfect = daedalus.agent("expert:simulations=1", game), daedalus.agent("perfect", game)
    position = Position(game, 1)
    while position.outcome() is None and len(position.history) < 12:
        told, exact = (replace(agent.choose(position.view()), seconds=0.0) for agent in (expert, perfect))
        assert told == exact
        position.push(choice.choice(position.legal_moves.codes))


@pytest.mark.parametrize("size", [7, 9])
def test_the_network_is_that_of_the_size_whatever_the_other_options(size):
    card = network_of(daedalus.game("blackhole", size=size, hole="pass", cap=77, repetition=0)).card
    assert card["options"] == f"size={size} hole=pass"


@pytest.mark.parametrize(("size", "hole"), [(7, "stop"), (9, "stop"), (9, "pass")])
def test_the_same_limit_gives_the_same_move_whatever_was_played_before(size, hole):
    game = daedalus.game("blackhole", size=size, hole=hole)
    fresh, used = (daedalus.agent("expert:simulations=60", game) for _ in range(2))
    position = Position(game, 1)
    used.choose(position.view())
    position.push(position.legal_moves[3])
    used.new_game(5)
    fresh.new_game(5)
    told = [replace(agent.choose(position.view()), seconds=0.0) for agent in (fresh, used)]
    assert told[0] == told[1]
    assert told[0].simulations == 60


def test_the_expert_brings_the_last_ship_home():
    game = daedalus.game("blackhole", size=7, hole="pass")
    position = Position.from_text(game, "...R.../R.....R/......./R..*..B/.B...B./B.....B/....B.. R")
    assert str(daedalus.agent("expert", game).choose(position.view(), Limit(simulations=1)).move) in ("d7-d4", "a4-d4")


def test_every_level_is_the_games_own_and_plays_every_size():
    for size, hole in product((5, 7, 9), ("stop", "pass")):
        game = daedalus.game("blackhole", size=size, hole=hole)
        assert list(levels(game).values()) == ["novice", "club", "strong", "expert"]
