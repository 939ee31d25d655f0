"""Our games as PettingZoo environments: that project's own tests, and what they do not look at."""

import sys
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: pip install 'daedalus[interop]'")

import daedalus
from daedalus.core import IllegalMove, InvalidOption
from daedalus.core.features import observed
from daedalus.interop.pettingzoo import GameEnv, env, parallel_env

GAMES = [
    ("quoridor", {}),
    ("quoridor", {"players": 4}),
    ("labyrinth", {}),
    ("labyrinth", {"players": 3}),
    ("labyrinth", {"players": 4}),
    ("colosseum", {}),
    ("saboteur", {}),
    ("blackhole", {}),
]
every_game = pytest.mark.parametrize("name, options", GAMES, ids=str)


@every_game
@pytest.mark.filterwarnings(
    "ignore:.*Observation is not a NumPy array", "ignore:.*no legal actions", "ignore:.*space for each agent"
)
def test_their_api_test(name, options):
    from pettingzoo.test import api_test

    api_test(env(name, **options), num_cycles=30)


@every_game
def test_their_seed_test(name, options):
    from pettingzoo.test import seed_test

    seed_test(lambda: env(name, **options), num_cycles=15)


def seeded(made):
    """An environment that goes the same way every time: their test samples actions without a seed."""
    made.reset(seed=1)
    for seat, agent in enumerate(made.possible_agents):
        made.action_space(agent).seed(seat)
    return made


@every_game
def test_their_max_cycles_test(name, options):
    from pettingzoo.test import max_cycles_test

    def make(maker):
        return lambda max_cycles: seeded(maker(name, max_cycles=max_cycles, illegal="random", **options))

    max_cycles_test(SimpleNamespace(env=make(env), parallel_env=make(parallel_env)))


@every_game
def test_their_performance_benchmark(name, options, monkeypatch, capsys):
    from pettingzoo.test import performance_benchmark

    clock = count()  # it goes on for five seconds: by this clock, six rounds of all seats
    module = sys.modules[performance_benchmark.__module__]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(clock)))
    performance_benchmark(env(name, **options))
    assert "Finished performance benchmark" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore:.*Observation is not a NumPy array")
def test_their_render_test(capsys):
    from pettingzoo.test import render_test

    render_test(
        lambda render_mode: env("saboteur", render_mode=render_mode),
        {"ansi": lambda text: "cards" in text, "svg": lambda text: text.startswith("<svg")},
    )


@every_game
def test_a_game_goes_as_its_position(name, options):
    made = env(name, max_cycles=12, **options)
    made.reset(seed=3)
    rng = np.random.default_rng(1)
    for agent in made.agent_iter():
        seen, reward, over, cut, _ = made.last()
        position = made.unwrapped.position
        if over or cut:
            outcome = position.outcome()
            assert reward == (outcome.payoffs[made.possible_agents.index(agent)] if outcome else 0)
            made.step(None)
            continue
        assert agent == f"player_{position.turn}"
        assert np.array_equal(seen["observation"], observed(position.view()))
        legal = np.flatnonzero(seen["action_mask"])
        assert {position.game.action(position.state, int(move)) for move in position.legal_moves} == set(legal)
        for seat, other in enumerate(made.possible_agents):
            shown = made.observe(other)
            assert np.array_equal(shown["observation"], observed(position.view(seat, seed=5)))
            assert shown["action_mask"].any() == (other == agent)
        made.step(int(rng.choice(legal)))


@pytest.mark.parametrize("mode", ["ansi", "svg"])
def test_a_picture_does_not_tell_hidden_cards(mode):
    made = env("saboteur", render_mode=mode)
    made.reset(seed=1)
    shown = made.render()
    made.unwrapped.position = made.unwrapped.position.view(seed=7)  # another deal that the seat holds possible
    made.unwrapped.position.seat = None
    assert made.render() == shown


def test_an_illegal_action_loses_or_is_replaced_or_raises():
    losing = env("quoridor")
    losing.reset(seed=1)
    illegal = int(np.flatnonzero(losing.last()[0]["action_mask"] == 0)[0])
    losing.step(illegal)
    assert losing.rewards == {"player_0": -1.0, "player_1": 0}
    lenient = env("quoridor", illegal="random")
    lenient.reset(seed=1)
    lenient.step(illegal)
    assert len(lenient.unwrapped.position.history) == 1
    strict = GameEnv(daedalus.game("quoridor"))
    strict.reset(seed=1)
    with pytest.raises(IllegalMove, match=f"action {illegal} is not legal for player_0"):
        strict.step(illegal)
    assert strict.position.history == []


def test_what_there_is_not_is_refused():
    with pytest.raises(InvalidOption, match="render_mode is one of"):
        env("quoridor", render_mode="film")
    with pytest.raises(InvalidOption, match="illegal is one of"):
        env("quoridor", illegal="raise")
    with pytest.raises(InvalidOption):
        env("quoridor", players=5)
    for cycles in (0, -1, 1.5, "x"):
        with pytest.raises(InvalidOption, match="max_cycles.*takes a whole number"):
            env("quoridor", max_cycles=cycles)
