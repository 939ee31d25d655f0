"""The networks that come with the package: each has its card, is small, plays its game, and is as strong as it says."""

import random

import pytest

import daedalus
from daedalus import Position
from daedalus.arena import match
from daedalus.core.contract import offers
from daedalus.core.options import parsed
from daedalus.core.registry import folder_of, make_game
from daedalus.games.blackhole.table import Table
from daedalus.learn.recipe import Recipe
from daedalus.search import read_network, shipped

FILES = [file for name in daedalus.game_names() for file in sorted(folder_of(name).glob("nets/*.safetensors"))]
RANDOM = {"labyrinth": "uniform"}  # its `random` takes a goal when it can
LEAST = {"saboteur": 0.6}  # where nobody reaches the nugget it is a draw: `careful` scores 0.78 against random play
OURS = [file for file in FILES if read_network(file).card.get("role", "net") == "net"]


@pytest.mark.parametrize("file", OURS, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_a_network_has_a_card_and_plays_its_game(file):
    import tomllib

    assert file.stat().st_size < 5_000_000
    card = read_network(file).card
    assert {"game", "options", "recipe", "seed", "cost", "strength"} <= set(card) and card["strength"]
    given = tomllib.loads(card["recipe"])
    assert given.items() <= tomllib.loads(Recipe.of(given).text()).items()  # the recipe can be run again
    game = make_game(card["game"], **parsed(card["options"]))
    assert shipped(game).card == card
    thought = daedalus.agent("net:simulations=50", game).choose(Position(game, 1).view())
    assert thought.simulations and -1 <= thought.value <= 1


@pytest.mark.parametrize("hole", ["stop", "pass"])
def test_other_options_take_the_network_that_differs_least(hole):
    assert shipped(make_game("blackhole", hole=hole, cap=200)).card["options"] == ("" if hole == "stop" else "hole=pass")


@pytest.mark.parametrize("hole", ["stop", "pass"])
def test_the_network_of_the_solved_game_rarely_loses_value(hole):
    """The cards say 0.6 % of 2,000 positions in which moves differ in value; of 300 others it must be under 3 %."""
    game = make_game("blackhole", hole=hole)
    table, choice = Table.open(game), random.Random(77)
    agent = daedalus.agent("net:simulations=200", game)
    position, lost, count = Position(game, 1), 0, 0
    while count < 300:
        if position.outcome() is not None or choice.random() < 0.03:
            position = Position(game, 1)
        position.push(choice.choice(position.legal_moves.codes))
        if position.outcome() is not None:
            continue
        values = {verdict.move: verdict.value for verdict in table.children(game, position.state)}
        if len(set(values.values())) > 1:
            agent.new_game(1)
            lost += values[int(agent.choose(Position.from_text(game, position.text).view()).move)] < max(values.values())
            count += 1
    assert lost < 9


@pytest.mark.parametrize("file", OURS, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_a_network_beats_random_play(file):
    """With few simulations; draws count half."""
    card = read_network(file).card
    game = make_game(card["game"], **parsed(card["options"]))
    score = match(game, "net:simulations=40", RANDOM.get(card["game"], "random"), games=8, seed=3, workers=1).summary.score
    assert score.value >= LEAST.get(card["game"], 0.8)


@pytest.mark.parametrize("name", [name for name in daedalus.game_names() if offers(type(make_game(name)), "redeal")])
def test_a_network_knows_only_what_its_seat_knows(name):
    """Other cards where the seat cannot look: the same choice."""
    game = make_game(name)
    position = Position(game, 1)
    others = [Position.from_state(game, position.view(seed=seed).state) for seed in range(1, 5)]
    assert any(other.bits != position.bits for other in others)
    agent = daedalus.agent("net:simulations=60", game)
    told = {(str(thought.move), thought.value) for p in (position, *others) if (thought := chosen(agent, p))}
    assert len(told) == 1


def chosen(agent, position):
    agent.new_game(1)
    return agent.choose(position.view())
