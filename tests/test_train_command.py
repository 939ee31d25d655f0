"""The command train: what it refuses in one line, where its workers play, and life without JAX."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from network_files import random_network

from daedalus.cli import main
from daedalus.core import DaedalusError
from daedalus.core.registry import make_game
from daedalus.learn.recipe import Recipe
from daedalus.learn.remote import demand_place, workers_on
from daedalus.learn.selfplay import self_play

RECIPE = Recipe.of({"layers": [16, 8], "simulations": 8, "openings": 8, "cap": 40, "rows": 1500})
needs_jax = pytest.mark.skipif(
    any(find_spec(name) is None for name in ("jax", "optax")), reason="JAX is not installed (pip install 'daedalus[learn]')"
)
FEATURELESS = Path(__file__).parent / "games" / "small.py"
WITHOUT_JAX = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("jax", "jaxlib", "optax", "equinox", "safetensors"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
from daedalus.cli import main
main()
"""


def without_jax(folder, *words):
    command = [sys.executable, "-c", WITHOUT_JAX, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize("words", [("blackhole", "--minutes", "1"), ("quoridor", "--recipe", "fixed")], ids=" ".join)
def test_without_jax_training_says_what_to_install(tmp_path, words):
    done = without_jax(tmp_path, "train", *words)
    assert done.returncode == 2
    assert done.stderr == "daedalus: training needs jax, playing does not: pip install 'daedalus[learn]'\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ("blackhole", "-o", "hole=pass", "net:simulations=4", "random"),
        ("quoridor", "qnet", "random"),
    ],
    ids=" ".join,
)
def test_without_jax_networks_play(tmp_path, words):
    done = without_jax(tmp_path, "match", *words, "-n", "2", "--workers", "1", "--db", str(tmp_path / "runs.sqlite"))
    assert done.returncode == 0, done.stderr


@needs_jax
@pytest.mark.parametrize(
    "words, reason",
    [
        (("blackhole", "--minutes", "0"), "minutes=0: takes more than 0"),
        (("blackhole", "--minutes", "-1"), "minutes=-1: takes more than 0"),
        (("blackhole", "--recipe", "selfpaly", "--minutes", "1"), "unknown recipe 'selfpaly'; did you mean 'selfplay'?"),
        ((f"{FEATURELESS}:Nim", "--minutes", "1"), "no features"),
        (("blackhole", "--minutes", "1", "--out", "file"), "file: File exists"),
        (("blackhole", "--minutes", "1", "--out", "/proc/none"), "/proc/none: "),
        (("--resume", "nothing"), "nothing holds no training run"),
        (("--resume", "."), "holds no training run"),
        (("--resume", "broken"), "broken/recipe.toml: no TOML"),
        (("--resume", "broken", "--seed", "1"), "--seed: a run goes on with its own"),
        (("blackhole", "--recipe", "fixed"), "this recipe trains for quoridor, not for blackhole"),
        (("quoridor", "-o", "walls=5", "--recipe", "fixed"), "with its usual options, not with walls=5"),
        (("quoridor", "--recipe", "fixed", "--minutes", "1"), "--minutes is for self-play"),
        (("quoridor", "--recipe", "fixed", "--out", "run"), "run holds a run already: continue it with --resume run"),
        (("blackhole", "--minutes", "1", "--on", "spark"), "on=spark: wants ray, or ray://host:port"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else "",
)
def test_what_cannot_be_trained_is_refused_in_a_line(tmp_path, monkeypatch, capsys, words, reason):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["daedalus", "train", *words])
    (tmp_path / "file").write_text("something else")
    for folder, name, text in (("broken", "recipe.toml", "x = = 1"), ("run", "run.toml", "")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text)
    before = set(tmp_path.rglob("*"))
    with pytest.raises(SystemExit) as left:
        main()
    told = capsys.readouterr()
    assert left.value.code == 2 and not told.out
    assert told.err.startswith("daedalus: ") and reason in told.err and told.err.count("\n") == 1
    assert set(tmp_path.rglob("*")) == before


@pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed (pip install 'daedalus[ray]')")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("cores", [1, 2], ids=["more workers than cores", "a core each"])
def test_ray_plays_the_rows_that_threads_play(cores):
    import ray

    game = make_game("blackhole")
    networks = [random_network(game, seed=seed) for seed in (1, 2)]
    here = [self_play(game, network, RECIPE, 7, 2) for network in networks]
    ray.init(num_cpus=cores, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        with workers_on("ray", 2) as worker:  # joins the one that runs
            there = [self_play(game, network, RECIPE, 7, 2, worker=worker) for network in networks]
    finally:
        ray.shutdown()
    for one, other in zip(here, there, strict=True):
        assert np.array_equal(one.counts, other.counts)
        assert all(np.array_equal(one.rows[name], other.rows[name]) for name in one.rows.dtype.names)


def test_without_ray_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(DaedalusError, match=r"Ray is not installed: pip install 'daedalus\[ray\]'"):
        demand_place("ray")
    demand_place(None)
