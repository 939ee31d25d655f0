"""The examples do what they say."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def loaded(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_learner_learns():
    scores = loaded("learn").learn(rounds=7, seed=1)
    assert scores[0] == pytest.approx(0.5, abs=0.05)  # knows nothing: as good as random moves
    assert scores[6] > 0.7
