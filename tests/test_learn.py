"""Training: the same sums in JAX, recipes, runs that go on after a kill with the same numbers."""

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from network_files import random_network
from rich.console import Console

from daedalus import Position
from daedalus.core import DaedalusError, InvalidOption
from daedalus.core.features import observed
from daedalus.core.files import trained_by_one
from daedalus.core.memory import copies, workspaces
from daedalus.core.registry import make_game
from daedalus.learn.evaluation import Evaluator, match_name
from daedalus.learn.kernels.selfplay import GAMES, ILLEGAL, row_type
from daedalus.learn.lessons import lessons, teacher_of, value_rows
from daedalus.learn.recipe import Recipe, read_recipe
from daedalus.learn.replay import Replay
from daedalus.learn.run import Progress, Run
from daedalus.learn.selfplay import self_play
from daedalus.report import Estimate
from daedalus.search import shipped
from daedalus.terminal.training import picture, sparkline

needs_jax = pytest.mark.skipif(
    any(__import__("importlib.util").util.find_spec(name) is None for name in ("jax", "optax")), reason="needs JAX"
)
TINY = Recipe.of(
    {
        "layers": [16, 8],
        "simulations": 8,
        "openings": 8,
        "cap": 40,
        "rows": 300,
        "window": 2,
        "decided": 0.2,
        "batch": 64,
        "evaluate": 3,
        "games": 2,
        "play": 4,
        "opponents": ["random"],
        "sprt_games": 2,
        "iterations": 6,
    }
)
TAUGHT = dataclasses.replace(TINY, teacher="alphabeta:depth=2", lessons=2, astray=0.1)
MEASURED = ("seconds", "cpu", "games_a_second")  # what differs from run to run


@needs_jax
@pytest.mark.parametrize("name", ["blackhole", "colosseum", "labyrinth", "quoridor", "saboteur"])
@pytest.mark.parametrize("trained", [False, True])
def test_jax_says_what_the_kernels_say(name, trained):
    """Of random weights, and of the network that comes with the game."""
    from daedalus.learn.training import forward

    game = make_game(name)
    network, position = shipped(game) if trained else random_network(game, 32, 16), Position(game, 1)
    net, W = network.judge(game), workspaces(game, 1, 1)
    rng = np.random.default_rng(1)
    for _ in range(12):
        S = copies(game, [position.state], 1)
        value, logits = (np.asarray(part) for part in forward(network.weights, observed(position, position.turn)))
        assert net.value(game, S[0], position.turn, W[0]) == pytest.approx(float(value), abs=1e-5)
        n = game.moves(S[0], W[0])
        net.prior(game, S[0], W[0], n)
        told = logits[[game.action(S[0], m) for m in W[0].buf[:n]]]
        assert W[0].prior[:n] == pytest.approx(np.exp(told - told.max()) / np.exp(told - told.max()).sum(), abs=1e-5)
        position.push(position.legal_moves[int(rng.integers(len(position.legal_moves)))])


@needs_jax
def test_the_losses_are_those_by_hand():
    from daedalus.learn.training import losses

    weights = {
        "w1": np.eye(2, 4, dtype=np.float32),
        "b1": np.zeros(4, np.float32),
        "w2": np.eye(4, dtype=np.float32),
        "b2": np.zeros(4, np.float32),
        "value": np.array([1, 0, 0, 0], np.float32),
        "value_bias": np.zeros(1, np.float32),
        "policy": np.array([[0, 0, 0, 0], [0, 1, 0, 0], [0, 9, 0, 0]], np.float32),
        "policy_bias": np.zeros(3, np.float32),
    }
    x = np.array([[0.5, np.log(3)]], np.float32)  # value tanh 0.5; of the legal actions 0 and 1 shares 1/4 and 3/4
    value_loss, policy_loss = losses(weights, x, np.array([[0.5, 0.5, -1]], np.float32), np.array([1.0], np.float32))
    assert float(value_loss) == pytest.approx((1 - np.tanh(0.5)) ** 2, abs=1e-6)
    assert float(policy_loss) == pytest.approx(0.5 * np.log(0.5 / 0.25) + 0.5 * np.log(0.5 / 0.75), abs=1e-6)


@needs_jax
def test_steps_lower_the_losses(tmp_path):
    from daedalus.learn.training import Trainer

    game = make_game("blackhole")
    network = random_network(game)
    replay = Replay(tmp_path, 2)
    replay.add(1, self_play(game, network, TINY, 1, 1).rows)
    trainer = Trainer(network.weights, TINY)
    first = trainer.train(replay, 1, 1)
    for k in range(8):
        last = trainer.train(replay, 1, k)
    assert last[0] < first[0] and last[1] < first[1]


def test_a_replay_keeps_its_window_and_comes_back(tmp_path):
    kind = [("x", "f4", (2,)), ("policy", "f4", (3,)), ("value", "f4")]
    replay = Replay(tmp_path, 2)
    for number in (1, 2, 3):
        rows = np.zeros(4, kind)
        rows["value"] = number
        replay.add(number, rows)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000002.npz", "000003.npz"]
    again = Replay(tmp_path, 2)
    again.load(3)
    for kept in (replay, again):
        x, policy, value = kept.sample(np.random.default_rng(1), 50)
        assert x.shape == (50, 2) and policy.shape == (50, 3) and set(value.tolist()) == {2.0, 3.0}


def test_decided_positions_are_drawn_more_often_where_a_recipe_says_so(tmp_path):
    """Two of 100 rows are decided; two of five draws are by the square of the value, 16 to 1 between those two."""
    rows = np.zeros(100, [("x", "f4", (2,)), ("policy", "f4", (3,)), ("value", "f4")])
    rows["value"][[7, 50]] = -1.0, 0.25
    replay = Replay(tmp_path, 2, decided=0.4)
    replay.add(1, rows)
    _, _, value = replay.sample(np.random.default_rng(1), 20_000)
    assert np.mean(value == -1.0) == pytest.approx(0.6 * 0.01 + 0.4 * 16 / 17, abs=0.015)
    assert np.mean(value == 0.25) == pytest.approx(0.6 * 0.01 + 0.4 * 1 / 17, abs=0.006)
    replay.add(2, np.zeros(10, rows.dtype))
    replay.add(3, np.zeros(10, rows.dtype))  # nothing but draws is left
    assert not replay.sample(np.random.default_rng(1), 500)[2].any()


def test_workers_play_the_same_games_again():
    game = make_game("blackhole")
    network = random_network(game)
    first, again = (self_play(game, network, TINY, 7, 2) for _ in range(2))
    assert all(np.array_equal(first.rows[name], again.rows[name]) for name in first.rows.dtype.names)


def told_rows(movers):
    rows = np.zeros(len(movers), row_type(1, 1))
    rows["mover"] = movers
    return rows


def test_what_came_later_is_told_to_the_rows_before():
    rows = value_rows(told_rows([0, 1, 0]), [0.2, None, 0.4], [False] * 3, [1.0, -1.0], 0.5)
    # from the end: 0.4 and 1 make 0.7; the second thought nothing and takes -0.7; 0.2 and 0.7 make 0.45
    assert rows["value"] == pytest.approx([0.45, -0.7, 0.7])


def test_what_followed_a_random_move_is_not_told_to_the_row_before():
    rows = value_rows(told_rows([0, 1, 0]), [0.2, 0.5, 0.4], [False, True, False], [1.0, -1.0], 0.5)
    assert rows["value"] == pytest.approx([-0.15, 0.5, 0.7])  # 0.2 and -0.5 make -0.15


def test_a_game_cut_off_leaves_out_what_nobody_knows():
    rows = value_rows(told_rows([0, 1, 0]), [None, 0.5, None], [False] * 3, [None, None], 0.5)
    assert rows["mover"].tolist() == [0, 1] and rows["value"] == pytest.approx([-0.5, 0.5])


@pytest.mark.parametrize("name, teacher", [("quoridor", "expert:simulations=50"), ("saboteur", "careful")])
def test_a_teacher_gives_the_same_rows_again(name, teacher):
    """Also where cards are hidden: each row shows what its mover may know, and the move chosen is a legal one."""
    game = make_game(name)
    recipe = dataclasses.replace(TAUGHT, teacher=teacher, rows=60, cap=80, simulations=0)
    first, again = (lessons(game, recipe, 3, 1) for _ in range(2))
    assert len(first.rows) >= 60 and first.counts[GAMES] >= 1
    assert all(np.array_equal(first.rows[column], again.rows[column]) for column in first.rows.dtype.names)
    policy = first.rows["policy"]
    assert np.where(policy == ILLEGAL, 0, policy).sum(axis=1) == pytest.approx(np.ones(len(policy)))
    assert (np.abs(first.rows["value"]) <= 1).all()


def test_a_teacher_that_a_clock_stops_is_refused(tmp_path):
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    for teacher in ("mcts", "mcts:seconds=0.1", "mcts:simulations=5,seconds=1"):
        recipe = dataclasses.replace(TAUGHT, teacher=teacher)
        with pytest.raises(InvalidOption, match="no seconds"):
            Run.create(tmp_path / "run", make_game("blackhole"), recipe, 1, 1)
    assert not (tmp_path / "run").exists()


@needs_jax
def test_a_hidden_game_is_refused_self_play_only(tmp_path):
    with pytest.raises(InvalidOption, match="a recipe with a teacher and simulations = 0"):
        Run.create(tmp_path / "run", make_game("saboteur"), TINY, 1, 1)


@needs_jax
@pytest.mark.parametrize("simulations", [0, 8])
def test_a_run_with_a_teacher_goes_on_with_the_same_numbers(tmp_path, simulations):
    """Stopped in the lessons, then after them; with self-play and without."""
    game, recipe = make_game("blackhole"), dataclasses.replace(TAUGHT, simulations=simulations)
    Run.create(tmp_path / "whole", game, recipe, 4, 1).train()
    Run.create(tmp_path / "parts", game, recipe, 4, 1)

    def stopping_at(iteration):
        def listener(progress):
            if progress.iteration == iteration and progress.step == "training":
                raise KeyboardInterrupt

        return listener

    for stop in (2, 5):
        with pytest.raises(KeyboardInterrupt):
            Run(tmp_path / "parts", stopping_at(stop)).train()
    run = Run(tmp_path / "parts")
    run.train()
    assert numbers(tmp_path / "parts") == numbers(tmp_path / "whole")
    kept = sorted(path.stem for path in (tmp_path / "parts" / "replay").iterdir())
    assert kept == ["000001", "000002", *(["000005", "000006"] if simulations else [])]


def numbers(folder):
    """The curve of a run without what was measured by a clock."""
    with np.load(folder / "checkpoint.npz") as kept:
        curve = json.loads(str(kept["about"]))["curve"]
        weights = [kept[name].tobytes() for name in sorted(kept.files) if name.startswith("part")]
    return [{name: value for name, value in entry.items() if name not in MEASURED} for entry in curve], weights


def command(*words):
    return [sys.executable, "-m", "daedalus", "train", *words]


@needs_jax
def test_a_killed_run_goes_on_with_the_same_numbers(tmp_path):
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(TINY.text())
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    begin = ["blackhole", "-o", "hole=pass", "--recipe", str(recipe), "--seed", "4", "--out"]
    Run.create(whole, make_game("blackhole", hole="pass"), TINY, seed=4, workers=1).train()
    running = subprocess.Popen(command(*begin, str(killed)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    waited = time.monotonic() + 60
    while not (killed / "checkpoint.npz").exists() and time.monotonic() < waited:
        time.sleep(0.002)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    before, _ = numbers(killed)
    assert 1 <= len(before) < 6  # it was killed on its way
    done = subprocess.run(command("--resume", str(killed)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert numbers(killed) == numbers(whole)
    assert (killed / "best.safetensors").exists() and (killed / "curve.png").read_bytes()[:4] == b"\x89PNG"


@needs_jax
def test_a_folder_with_a_run_is_not_overwritten(tmp_path):
    (tmp_path / "run.toml").write_text("")
    with pytest.raises(DaedalusError, match="holds a run already"):
        Run.create(tmp_path, make_game("blackhole"), TINY, seed=0, workers=1)


@needs_jax
def test_a_folder_of_another_learner_is_not_overwritten(tmp_path):
    for name in ("recipe.toml", "checkpoint.npz"):
        (tmp_path / name).write_text("")
    with pytest.raises(DaedalusError, match="holds a run already"):
        Run.create(tmp_path, make_game("blackhole"), TINY, seed=0, workers=1)


@needs_jax
def test_opponents_that_there_are_not_are_refused_before_training(tmp_path):
    for opponent, reason in (("nobody", "unknown agent"), ("mcts:sims=3", "unknown option of mcts")):
        with pytest.raises(DaedalusError, match=reason):
            Run.create(tmp_path / "run", make_game("blackhole"), dataclasses.replace(TINY, opponents=(opponent,)), 0, 1)
    assert not (tmp_path / "run").exists()


@needs_jax
def test_with_more_than_two_seats_the_best_is_replaced_by_score(tmp_path, monkeypatch):
    """The sequential test knows games for two alone."""
    game = make_game("quoridor", players=4, width=3, height=3, walls=0)
    evaluator = Evaluator(game, tmp_path, TINY, 0, 1)
    for low, better in ((0.51, True), (0.5, False)):
        played = SimpleNamespace(summary=SimpleNamespace(score=Estimate(0.6, low, 0.7)))
        answers = {None: played}
        monkeypatch.setattr("daedalus.learn.evaluation.match", lambda *specs, sprt, answers=answers, **how: answers[sprt])
        assert evaluator.is_better(Path("new"), Path("old")) is better


@needs_jax
def test_a_run_whose_folder_was_moved_after_a_kill_goes_on(tmp_path, monkeypatch):
    """The kill came when the games of an evaluation were kept, and its checkpoint was not."""
    game, recipe = make_game("blackhole", hole="pass"), dataclasses.replace(TINY, iterations=4, evaluate=2)
    run, save = Run.create(tmp_path / "here", game, recipe, 3, 1), Run._save

    def killed(run):
        if run.iteration == 4:
            raise KeyboardInterrupt
        save(run)

    monkeypatch.setattr(Run, "_save", killed)
    with pytest.raises(KeyboardInterrupt):
        run.train()
    monkeypatch.setattr(Run, "_save", save)
    (tmp_path / "here").rename(tmp_path / "there")
    run = Run(tmp_path / "there")
    run.train()
    assert run.iteration == 4 and run.curve[-1]["scores"]


@needs_jax
def test_training_that_runs_away_ends_in_a_line(tmp_path, monkeypatch):
    run = Run.create(tmp_path, make_game("blackhole", hole="pass"), TINY, 0, 1)
    monkeypatch.setattr(run.trainer, "train", lambda *given: (float("nan"), 1.0))
    with pytest.raises(DaedalusError, match="iteration 1: .* try a lower rate"):
        run.train()
    assert not (tmp_path / "checkpoint.npz").exists()


@needs_jax
def test_a_run_of_a_users_game_is_found_from_any_folder(tmp_path, monkeypatch):
    shutil.copy(Path(__file__).parent.parent / "examples" / "connect_four.py", tmp_path / "mine.py")
    monkeypatch.chdir(tmp_path)
    Run.create(tmp_path / "run", make_game("mine.py:ConnectFour"), TINY, 0, 1)
    told = tomllib.loads((tmp_path / "run" / "run.toml").read_text())
    assert told["game"] == f"{tmp_path / 'mine.py'}:ConnectFour"
    monkeypatch.chdir("/")
    assert Run(tmp_path / "run").game.ACTIONS == 7


def test_matches_of_a_run_have_names_of_their_own():
    """However long the path of its folder is: names that were cut off at the same place met at the third evaluation."""
    best = f"net:/{'folder/' * 20}nets/000025.safetensors,simulations=100"
    names = {match_name(f"{number:06}", f"net:/{number}", best) for number in (50, 75)}
    assert len(names) == 2 and max(map(len, names)) <= 80


@needs_jax
def test_a_damaged_run_is_refused_in_a_line(tmp_path):
    recipe = dataclasses.replace(TINY, iterations=1, evaluate=2, layers=(8, 4))
    Run.create(tmp_path, make_game("blackhole", hole="pass"), recipe, 0, 1).train()
    whole = {
        name: (tmp_path / name).read_bytes() for name in ("checkpoint.npz", "replay/000001.npz", "recipe.toml", "run.toml")
    }
    faults = [
        ("checkpoint.npz", whole["checkpoint.npz"][:-100], "checkpoint.npz is damaged"),
        ("checkpoint.npz", b"", "checkpoint.npz is damaged"),
        ("replay/000001.npz", whole["replay/000001.npz"][: 1 << 12], "000001.npz is damaged"),
        ("recipe.toml", whole["recipe.toml"].replace(b"[8, 4]", b"[16, 4]"), "does not fit the recipe"),
        ("run.toml", b"game = ", "run.toml: no TOML"),
        ("run.toml", b"", "run.toml: says no game"),
    ]
    for name, contents, reason in faults:
        (tmp_path / name).write_bytes(contents)
        with pytest.raises(DaedalusError, match=reason):
            Run(tmp_path)
        (tmp_path / name).write_bytes(whole[name])
    assert Run(tmp_path).iteration == 1


def test_one_process_trains_in_a_folder_and_what_a_killed_one_left_is_removed(tmp_path):
    halves = [".checkpoint.npz.a1b2c3d_", "replay/.000007.npz.abcdefgh", "nets/.000007.safetensors.abcdefgh"]
    others = [".mine.npz.abcdefgh", ".checkpoint.npz.swp", "checkpoint.npz", "replay/000006.npz"]
    for name in (*halves, *others):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    with trained_by_one(tmp_path), pytest.raises(DaedalusError, match="another process trains there"), trained_by_one(tmp_path):
        pass
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()} == {*others, "lock"}
    with trained_by_one(tmp_path):
        pass


def test_a_recipe_comes_back_from_its_text(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(TINY.text())
    assert Recipe.of(read_recipe(str(path))) == TINY


@pytest.mark.parametrize(
    "given, reason",
    [
        ({"simulation": 5}, "did you mean 'simulations'"),
        ({"simulations": "many"}, "takes a whole number"),
        ({"simulations": 0}, "takes 1 to"),
        ({"lessons": 3}, "takes 0 to 0"),
        ({"teacher": "expert"}, "takes 1 to"),
        ({"layers": [128, 30]}, "a multiple of four"),
        ({"layers": 128}, "a list of whole numbers"),
        ({"opponents": [1]}, "a list of texts"),
        ({"later": 1.5}, "takes 0 to 1"),
        ({"average": float("nan")}, "takes 0 to 1"),
        ({"decided": -0.1}, "takes 0 to 1"),
        ({"halve": 0}, "takes 0.01 to"),
        ({"rate": -0.1}, "rate=-0.1: takes"),
        ({"iterations": -1}, "takes 0 to"),
        ({"openings": -5}, "takes 0 to"),
        ({"games": 0}, "takes 1 to"),
        ({"simulations": 10**9}, "takes 0 to"),
        ({"opponents": []}, "at least one agent"),
        ({"sprt": "often"}, "write it as elo0,elo1"),
    ],
)
def test_a_wrong_recipe_is_refused(given, reason):
    with pytest.raises(InvalidOption, match=reason):
        Recipe.of(given)


def test_a_missing_or_broken_recipe_file_is_refused(tmp_path):
    with pytest.raises(InvalidOption, match="No such file"):
        read_recipe(str(tmp_path / "none.toml"))
    (tmp_path / "bad.toml").write_text("rows = = 3")
    with pytest.raises(InvalidOption, match="no TOML"):
        read_recipe(str(tmp_path / "bad.toml"))
    with pytest.raises(InvalidOption, match="unknown recipe 'selfpaly'; did you mean 'selfplay'"):
        read_recipe("selfpaly")


def test_a_sparkline_rises_with_its_values():
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7], plain=False) == "▁▂▃▄▅▆▇█"
    assert len(sparkline(list(range(1000)), plain=True)) <= 48


def test_progress_fits_a_terminal_and_shows_its_newest_points():
    scores = {"expert:simulations=2000": [1.0, 0.9, 1.0], f"mcts:simulations={10**40}": [0.5, 0.4, 0.6]}
    point = {"value_loss": 0.1, "policy_loss": 1.0, "games_a_second": 1234.5, "scores": scores}
    curve = [point | {"value_loss": 1 + (k < 99)} for k in range(100)]
    with (console := Console(width=80, color_system=None)).capture() as shown:
        console.print(picture(Progress(100, "self-play", 5, 16, 754.0, curve), plain=False, width=80))
    lines = [line.rstrip() for line in shown.get().splitlines()]
    assert len(lines) == 6 and all(len(line) <= 80 and "…" not in line for line in lines)
    assert "█▁" in lines[1] or "█▅" in lines[1], "the last fall is to be seen"
    assert lines[4].count("█") > 10, "scores are drawn between 0 and 1"


@needs_jax
def test_training_ends_by_itself_where_nobody_says_when(tmp_path, monkeypatch):
    from daedalus.learn import learners

    monkeypatch.setattr(learners, "USUAL_MINUTES", 1e-9)
    (tmp_path / "endless.toml").write_text(dataclasses.replace(TINY, iterations=0).text())
    request = learners.Request(tmp_path / "run", make_game("blackhole"), str(tmp_path / "endless.toml"))
    assert learners.carry_out(request, lambda progress: None, print).iteration == 1
    assert learners.carry_out(learners.Request(tmp_path / "run"), lambda progress: None, print).iteration == 2


def test_games_that_do_not_learn_by_self_play_alone_have_recipes_of_their_own():
    for name in ("labyrinth", "saboteur", "quoridor", "colosseum"):
        game = make_game(name)
        recipe = Recipe.of(read_recipe("selfplay", game))
        assert recipe.iterations and teacher_of(game, recipe) is not None


@pytest.mark.parametrize("options", [{}, {"hole": "pass"}, {"size": 9}], ids=str)
def test_black_hole_escape_trains_by_a_recipe_of_its_own_without_a_teacher(options):
    recipe = Recipe.of(read_recipe("selfplay", make_game("blackhole", **options)))
    assert recipe.iterations and recipe.decided and not recipe.teacher


def test_the_examples_recipe_is_one():
    given = read_recipe(str(Path(__file__).parent.parent / "examples" / "connect_four.toml"))
    assert Recipe.of(given) != Recipe()


def test_where_the_teacher_does_not_play_the_defaults_train():
    """Quoridor's expert plays for two."""
    recipe = Recipe.of(read_recipe("selfplay", make_game("quoridor", players=4)))
    assert recipe == Recipe()
    assert Recipe.of(read_recipe("selfplay", make_game("quoridor", width=5, height=5, walls=3))).teacher
