"""A seat of our games as a Gymnasium environment: that project's own check, and what it does not look at."""

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install 'daedalus[interop]'")

import gymnasium
from games.small import Nim

import daedalus
from daedalus.core import DaedalusError, InvalidOption, InvalidSpec
from daedalus.core.features import observed
from daedalus.core.registry import rules_of
from daedalus.interop.gymnasium import SeatEnv

NAMES = [f"daedalus/{rules_of(name).__name__}-v0" for name in daedalus.game_names()]


def played(env, seed, moves=200):
    """A game of random legal actions: what was seen, and the last step."""
    seen, _ = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    shown = [seen["observation"]]
    for _ in range(moves):
        seen, reward, over, cut, info = env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        shown.append(seen["observation"])
        if over or cut:
            break
        assert reward == 0
    return np.array(shown), reward, over, info


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore:.*infinity")
def test_their_check(name):
    from gymnasium.utils.env_checker import check_env

    check_env(gymnasium.make(name, render_mode="ansi").unwrapped)


@pytest.mark.parametrize("options", [{"seat": 0}, {"seat": 1}, {"seat": None}], ids=str)
def test_a_seat_plays_to_the_end_against_an_agent(options):
    env = gymnasium.make("daedalus/Quoridor-v0", opponent="heuristic", width=5, height=5, walls=2, **options)
    _, reward, over, info = played(env, seed=4)
    position = env.unwrapped.position
    assert over and position.outcome().payoffs[info["seat"]] == reward
    assert info["ending"] == position.outcome().reason
    assert options["seat"] in (None, info["seat"])


def test_every_seat_is_drawn():
    env = gymnasium.make("daedalus/Labyrinth-v0", players=3, seat=None)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2}


def test_it_is_always_the_seats_turn_and_its_own_view():
    env = gymnasium.make("daedalus/Labyrinth-v0", players=4, seat=2)
    seen, _ = env.reset(seed=2)
    for _ in range(6):
        position = env.unwrapped.position
        assert position.turn == 2
        assert np.array_equal(seen["observation"], observed(position.view(2)))
        seen, _, over, _, _ = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
        assert not over


def test_the_same_seed_gives_the_same_game():
    env = gymnasium.make("daedalus/Saboteur-v0", opponent="random")
    first, again, other = (played(env, seed, moves=15)[0] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first[0], other[0])


def test_an_illegal_action_loses_or_is_replaced():
    env = gymnasium.make("daedalus/BlackHole-v0")
    seen, _ = env.reset(seed=1)
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    after, reward, over, _, info = env.step(illegal)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    assert np.array_equal(after["observation"], seen["observation"])
    env = gymnasium.make("daedalus/BlackHole-v0", illegal="random")
    env.reset(seed=1)
    _, _, over, _, info = env.step(illegal)
    assert info["illegal"] and not over and len(env.unwrapped.position.history) == 2


class Seeing(Nim):
    """Nim for learners."""

    FEATURES = 1
    ACTIONS = 4

    def features(self, s, seat, out):
        out[0] = s.left


def test_games_that_end_before_the_seats_turn_are_dealt_again():
    env = SeatEnv(Seeing(stones=3), seat=1)  # who takes all three has won
    for seed in range(10):
        seen, _ = env.reset(seed=seed)
        assert 1 <= seen["observation"][0] <= 2
        assert env.action_masks().tolist() == [False, True, seen["observation"][0] == 2, False]
    with pytest.raises(DaedalusError, match="games end before the first turn of seat 1"):
        SeatEnv(Seeing(stones=1), seat=1).reset(seed=1)


def test_pictures_are_what_the_seat_sees():
    env = gymnasium.make("daedalus/Saboteur-v0", seat=1, render_mode="rgb_array")
    env.reset(seed=1)
    pixels = env.render()
    assert pixels.dtype == np.uint8 and pixels.ndim == 3
    drawn = gymnasium.make("daedalus/Saboteur-v0", seat=1, render_mode="svg")
    drawn.reset(seed=1)
    assert drawn.render() == drawn.unwrapped.position.view(1).svg() != drawn.unwrapped.position.svg()


def test_what_there_is_not_is_refused():
    with pytest.raises(InvalidOption, match="there is no seat 2"):
        gymnasium.make("daedalus/Quoridor-v0", seat=2)
    with pytest.raises(InvalidOption, match="there is no seat 0.5"):
        gymnasium.make("daedalus/Quoridor-v0", seat=0.5)
    with pytest.raises(InvalidSpec):
        gymnasium.make("daedalus/Quoridor-v0", opponent="nobody")
    with pytest.raises(InvalidOption, match="opponent is the spec of an agent, not None"):
        gymnasium.make("daedalus/Quoridor-v0", opponent=None)


def test_what_is_no_action_is_refused_and_changes_nothing():
    env = SeatEnv("blackhole", illegal="random")
    env.reset(seed=1)
    for wrong in (1.7, None, "1"):
        with pytest.raises(InvalidOption, match="action=.*: takes a whole number"):
            env.step(wrong)
    assert not env.position.history


@pytest.mark.parametrize("illegal", ["lose", "random"])
def test_an_ended_game_is_not_played_on(illegal):
    """Neither one that the rules ended nor one that an illegal action lost: a learner would be paid twice."""
    env = SeatEnv("blackhole", illegal=illegal, cap=4)
    env.reset(seed=1)
    over = False
    while not over:
        _, reward, over, _, _ = env.step(0)  # the ship in the corner cannot go north
    assert reward == (-1.0 if illegal == "lose" else 0.0)
    with pytest.raises(DaedalusError, match=r"reset\(\) comes before the next step"):
        env.step(0)
    env.reset()
    env.step(1)


def test_the_name_alone_makes_it_before_anything_is_imported():
    """Gymnasium imports what stands before the colon; it has had no plugins since version 1."""
    code = (
        "import gymnasium, sys\nassert not any(name.startswith('daedalus') for name in sys.modules)\n"
        "env = gymnasium.make('daedalus.interop.gymnasium:daedalus/Quoridor-v0', opponent='heuristic')\n"
        "print(env.spec.id, env.reset(seed=1)[0]['observation'].shape)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout == "daedalus/Quoridor-v0 (365,)\n", done.stderr
