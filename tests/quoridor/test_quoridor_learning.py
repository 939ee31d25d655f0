"""Q-learning of Quoridor: transitions by the rules of the recipe, updates as in equation 2.2, runs that go on after a kill."""

import tomllib
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

import daedalus
from daedalus.core import DaedalusError, InvalidOption, InvalidSpec
from daedalus.core.memory import copies, workspaces
from daedalus.games.quoridor.kernels.bitboards import distance
from daedalus.games.quoridor.kernels.qnet import COSTS, PATHS, PUBLISHED, forward, forward_both, inputs_of, write_inputs
from daedalus.games.quoridor.positions import plies_back
from daedalus.games.quoridor.qlearning import Player, QRecipe, Run, fresh_weights, interval, unpacked
from daedalus.games.quoridor.qnet import mirrored, policy_of, read_qnet, write_qnet
from daedalus.learn.recipe import read_recipe

GAME = daedalus.game("quoridor")
RECIPES = Path(daedalus.__file__).parent / "learn" / "recipes"
TINY = QRecipe(
    layers=(16, 12), replay=2000, batch=64, games=4, updates=2, total=40, evaluate=5, evaluation=4, target=3, opening=2,
    shaping=0.1, imitation=16, n=2, gamma=0.9, opponents=("path",), shares=(1.0,),
)  # fmt: skip  # one opponent: each compiles the games anew


def after(moves):
    position = daedalus.new("quoridor")
    for move in moves.split():
        position.push(move)
    return position


def test_the_published_inputs_are_133_numbers_as_they_are():
    position = after("e2 e8 e3h")
    x = np.zeros(inputs_of(GAME, PUBLISHED), np.float32)
    write_inputs(GAME, position.state, PUBLISHED, workspaces(GAME, 1, 1)[0], x)
    assert len(x) == 133
    assert x[:5].tolist() == [1, 9 + 4, 7 * 9 + 4, 9, 10], "Black to move; e2, e8; a wall less"
    assert x[5:].sum() == 1


def test_inputs_with_paths_mark_every_shortest_path():
    position = after("e2 e8 d2h a8h")  # d2h stands before e2: White goes round it by f2 alone
    x = np.zeros(inputs_of(GAME, PATHS), np.float32)
    write_inputs(GAME, position.state, PATHS, workspaces(GAME, 1, 1)[0], x)
    own = x[GAME.FEATURES : GAME.FEATURES + 81].reshape(9, 9)
    assert np.argwhere(own[7]).ravel().tolist() == [4, 5], "rank 2: e2 and f2"
    assert np.argwhere(own[6]).ravel().tolist() == [5], "rank 3: f3"
    assert own.sum() == 9, "from there straight on"


def test_costs_tell_what_every_wall_adds_to_either_way():
    position = after("e2 e8 a1h d1h b3v")
    x = np.zeros(inputs_of(GAME, COSTS), np.float32)
    write_inputs(GAME, position.state, COSTS, workspaces(GAME, 1, 1)[0], x)
    numbers = {str(m): int(GAME.action(position.state, m)) for m in position.legal_moves}
    for seat, seen in zip((1, 0), x[-256:].reshape(2, 128), strict=True):  # Black is to move
        for move in (text for text in numbers if text[-1] in "hv"):
            later = position.copy()
            later.push(move)
            added = distance(GAME, later.state, seat) - distance(GAME, position.state, seat)
            assert seen[numbers[move]] == added / 4, move


def test_what_is_mirrored_is_seen_and_numbered_as_the_mirrored_position():
    position, other = after("e2 e8 d3h f6v d2"), after("e2 e8 e3h c6v f2")
    inputs, actions = mirrored(GAME, "costs")
    w = workspaces(GAME, 1, 1)[0]
    x, y = np.zeros((2, inputs_of(GAME, COSTS)), np.float32)
    write_inputs(GAME, position.state, COSTS, w, x)
    write_inputs(GAME, other.state, COSTS, w, y)
    assert np.array_equal(x[inputs], y)
    numbers = {str(m): int(GAME.action(other.state, m)) for m in other.legal_moves}
    number = {str(m): int(GAME.action(position.state, m)) for m in position.legal_moves}
    for move in number:
        file = chr(ord("a") + (7 if move[-1] in "hv" else 8) - (ord(move[0]) - ord("a")))
        assert actions[numbers[file + move[1:]]] == number[move]


def test_with_its_mirror_image_a_position_and_the_mirrored_one_are_judged_alike():
    w = workspaces(GAME, 1, 1)[0]
    recipe = replace(TINY, inputs="costs")
    net = policy_of(GAME, fresh_weights(inputs_of(GAME, COSTS), recipe, GAME.ACTIONS, 1), "costs", "relu", mirror=True).net
    judged = []
    for moves in ("e2 e8 d3h f6v d2", "e2 e8 e3h c6v f2"):
        write_inputs(GAME, after(moves).state, COSTS, w, net.x)
        forward_both(net)
        judged.append(net.q.copy())
    assert np.abs(judged[0][mirrored(GAME, "costs")[1]] - judged[1]).max() < 1e-6


@pytest.mark.parametrize("inputs", ["published", "mover", "paths", "costs"])
def test_the_kernel_and_jax_compute_the_same_values(inputs):
    jax = pytest.importorskip("jax")
    from daedalus.games.quoridor.qupdates import values

    recipe = replace(TINY, inputs=inputs, activation="sigmoid" if inputs == "published" else "relu")
    player = Player(GAME, recipe)
    weights = fresh_weights(player.inputs, recipe, GAME.ACTIONS, 3)
    S = copies(GAME, [after("e2 e8 e3h d6v").state], 1)
    x = player.inputs_at(S, np.array([0]))
    net = policy_of(GAME, weights, inputs, recipe.activation).net
    net.x[:] = x[0]
    forward(net)
    assert np.abs(net.q - np.asarray(jax.jit(lambda x: values(recipe, weights, x))(x))[0]).max() < 1e-5


def test_transitions_span_n_turns_and_end_with_the_result():
    recipe = replace(TINY, shaping=0.0, n=3, gamma=0.5, epsilon=(1.0, 1.0), guided=1.0)
    player = Player(GAME, recipe)
    rows, result = player.gathered(fresh_weights(player.inputs, recipe, GAME.ACTIONS, 1), 2, 0, seed=5)
    assert set(rows.discount.tolist()) == {0.125, 0.0}
    last = np.flatnonzero(rows.discount == 0)
    assert sorted(map(abs, rows.gain[last].tolist())) == [0.25, 0.25, 0.5, 0.5, 1, 1], "three last turns of two games"
    assert not rows.gain[rows.discount > 0].any()
    legal = unpacked(rows.legal, GAME.ACTIONS)
    assert legal[np.arange(len(legal)), rows.played].all(), "what is played is legal"
    assert -1 <= result <= 1


def test_an_action_gains_at_once_the_steps_it_puts_the_mover_ahead():
    player = Player(GAME, TINY)
    position = after("d1 e8")
    Y = player.gains_at(copies(GAME, [position.state], 1), np.array([0]))[0]
    number = {str(m): int(GAME.action(position.state, m)) for m in position.legal_moves}
    gains = {move: round(float(Y[number[move]]), 3) for move in ("d2", "e1", "e7h", "d7h")}
    assert gains == {"d2": 0.1, "e1": 0.0, "e7h": 0.1, "d7h": 0.0}, "d7h stands in both ways"


@pytest.mark.parametrize("double", [False, True])
def test_all_actions_are_worth_their_gain_less_the_best_legal_answer(double):
    pytest.importorskip("jax")
    from daedalus.games.quoridor.qupdates import values

    recipe = replace(TINY, double=double)
    player = Player(GAME, recipe)
    chooser, judge = (fresh_weights(player.inputs, recipe, GAME.ACTIONS, seed) for seed in (1, 2))
    position = after("e2 e8 d3h")
    S = copies(GAME, [position.state], 1)
    gains = player.gains_at(S, np.array([0]))[0]
    Y = player.values_at(chooser, judge, S, np.array([0]))[0]
    for move in ("e7", "f4h", "a8v"):
        later = position.copy()
        later.push(move)
        x = player.inputs_at(copies(GAME, [later.state], 1), np.array([0]))
        legal = [int(GAME.action(later.state, m)) for m in later.legal_moves]
        judged, chosen = (np.asarray(values(recipe, weights, x))[0, legal] for weights in (judge, chooser))
        action = int(GAME.action(position.state, position.parse(move)))
        best = judged[(chosen if double else judged).argmax()]
        assert Y[action] == pytest.approx(gains[action] - 0.9 * best, abs=1e-5), move


def test_the_published_target_is_the_reward_or_the_best_next_value():
    pytest.importorskip("jax")
    from daedalus.games.quoridor.qupdates import targets, values

    recipe = replace(TINY, inputs="published", mask=False, double=False)
    weights = fresh_weights(133, recipe, 140, 1)
    later = np.random.default_rng(1).normal(size=(2, 133)).astype(np.float32)
    batch = {
        "later": later,
        "gain": np.array([0.0, -1.0]),
        "discount": np.array([1.0, 0.0]),
        "legal_after": np.ones((2, 140), bool),
    }
    wanted = np.asarray(targets(recipe, weights, weights, batch))
    assert wanted == pytest.approx([float(np.asarray(values(recipe, weights, later))[0].max()), -1.0], abs=1e-5)
    masked = replace(recipe, mask=True)
    batch["legal_after"] = np.arange(140) == np.array([[7], [7]])
    assert float(targets(masked, weights, weights, batch)[0]) == pytest.approx(
        float(values(recipe, weights, later)[0, 7]), abs=1e-5
    )


@pytest.mark.parametrize("backup", ["played", "all"])
def test_a_killed_run_comes_to_the_same_numbers(tmp_path, backup):
    pytest.importorskip("jax")
    recipe = replace(TINY, backup=backup, mirror=backup == "all", fresh=20, least=30)
    whole = Run(recipe, tmp_path / "whole", 7, lambda text: None)
    whole.train()
    first = Run(recipe, tmp_path / "parts", 7, lambda text: None)
    first.train(rounds=5)  # as far as the first checkpoint
    first.train(rounds=2)  # lost
    second = Run(recipe, tmp_path / "parts", 0, lambda text: None)
    second.restore()
    assert second.games == 20
    second.train()
    assert [{**entry, "seconds": 0} for entry in second.curve] == [{**entry, "seconds": 0} for entry in whole.curve]
    assert all(np.array_equal(second.weights[name], whole.weights[name]) for name in whole.weights)
    assert (tmp_path / "parts" / "curve.csv").read_text().count("\n") == 3
    assert (tmp_path / "parts" / "curve.png").read_bytes()[:4] == b"\x89PNG"


def test_the_published_recipe_runs_and_writes_a_network_that_plays(tmp_path):
    pytest.importorskip("jax")
    given = read_recipe("published") | {"total": 20, "evaluate": 2, "evaluation": 4, "layers": [16, 12]}
    given |= {"opponents": ["path"], "shares": [1.0]}
    Run(QRecipe.of(given), tmp_path, 1, lambda text: None).train()
    agent = daedalus.agent(f"qnet:file={tmp_path / 'qnet.safetensors'}", GAME, 1)
    position = daedalus.new("quoridor")
    assert agent.choose(position.view()).move in position.legal_moves


def test_files_are_read_back_and_others_refused(tmp_path):
    weights = fresh_weights(133, TINY, 140, 1)
    file = tmp_path / "q.safetensors"
    write_qnet(file, weights, {"inputs": "published", "activation": "relu"})
    read, card = read_qnet(file)
    assert all(np.array_equal(read[name], weights[name]) for name in weights) and card["inputs"] == "published"
    file.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(InvalidSpec, match="not a network of Q-values"):
        read_qnet(file)
    with pytest.raises(InvalidSpec, match="another board"):
        policy_of(daedalus.game("quoridor", width=5, height=5), weights, "published", "relu")


@pytest.mark.parametrize("name", ["published", "fixed"])
def test_recipes_are_whole(name):
    recipe = QRecipe.of(tomllib.loads((RECIPES / f"{name}.toml").read_text()))
    assert QRecipe.of(tomllib.loads(recipe.text())) == recipe


def test_the_learner_finds_the_games_own(tmp_path):
    pytest.importorskip("jax")
    from daedalus.learn import qlearning

    with pytest.raises(InvalidOption, match="names a game"):
        qlearning.run({"learner": "qlearning"}, tmp_path, 0, print)
    with pytest.raises(InvalidOption, match="nonsense"):
        qlearning.run({"learner": "qlearning", "game": "quoridor", "nonsense": 1}, tmp_path, 0, print)


def test_all_actions_are_learnt_from_a_replay_alone():
    with pytest.raises(InvalidOption, match="replay"):
        QRecipe.of({"backup": "all", "replay": 0})


def test_a_misspelt_entry_is_refused():
    with pytest.raises(InvalidOption, match="gama"):
        QRecipe.of({"gama": 1.0})


@pytest.mark.parametrize(
    "given, reason",
    [
        ({"games": 0}, "games=0: takes 1 to"),
        ({"evaluate": 0}, "takes 1 to"),
        ({"evaluation": 2}, "takes 4 to"),
        ({"rate": [0.1]}, "two numbers"),
        ({"epsilon": [0.5, float("nan")]}, "takes 0 to 1"),
        ({"opponents": [], "shares": []}, "at least one opponent"),
        ({"shares": [0, 0]}, "a share above 0"),
    ],
)
def test_numbers_with_which_nothing_is_trained_are_refused(given, reason):
    with pytest.raises(InvalidOption, match=reason):
        QRecipe.of(given)


def test_a_run_killed_before_its_first_evaluation_keeps_its_seed(tmp_path):
    pytest.importorskip("jax")
    from daedalus.learn import qlearning

    def killed(text):
        raise KeyboardInterrupt

    given = {field.name: getattr(TINY, field.name) for field in fields(TINY)}
    given |= {name: list(value) for name, value in given.items() if isinstance(value, tuple)}
    with pytest.raises(KeyboardInterrupt):
        qlearning.run(given, tmp_path, 7, killed)  # at the first word of the curve, before its checkpoint
    assert not (tmp_path / "curve.csv").exists()
    said = []
    qlearning.run(given, tmp_path, 0, said.append)
    assert said[-1].startswith(f"Best network: qnet:{tmp_path / 'qnet.safetensors'} (")
    whole = Run(TINY, tmp_path / "whole", 7, lambda text: None)
    whole.train()
    again = Run(TINY, tmp_path, 0, lambda text: None)
    again.restore()
    assert [{**entry, "seconds": 0} for entry in again.curve] == [{**entry, "seconds": 0} for entry in whole.curve]


def test_training_that_runs_away_ends_in_a_line(tmp_path):
    pytest.importorskip("jax")
    run = Run(TINY, tmp_path, 1, print)
    run.weights["b3"][0] = np.inf
    with pytest.raises(DaedalusError, match="try a lower rate"):
        run._evaluate()
    assert not list(tmp_path.iterdir())


def test_training_begins_near_the_end_and_moves_back():
    assert plies_back(0, 1000) == 1
    assert plies_back(500, 1000) > plies_back(100, 1000) > 1
    assert plies_back(1000, 1000) == 0, "from then on the initial position alone"


def test_intervals_take_pairs_as_units():
    assert interval(np.array([1.0, 0.0] * 50)) == (0.5, 0.5, 0.5), "every pair is split: no spread between them"
    mean, low, high = interval(np.array([1.0, 1.0, 0.0, 0.0] * 25))
    assert mean == 0.5 and high - low == pytest.approx(2 * 1.96 * 0.5 / 49**0.5, rel=0.01)
