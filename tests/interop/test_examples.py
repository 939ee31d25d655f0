"""The examples do what they say."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_learner_learns():
    one_thread = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # matrices so small are quicker so
    command = [sys.executable, str(ROOT / "examples" / "learn.py")]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300, env=one_thread).stdout
    scores = [float(score) for score in re.findall(r"(\d+\.\d)%", told)]
    assert len(scores) == 20
    assert scores[0] == pytest.approx(50, abs=5)  # knows nothing: as good as random moves
    assert scores[-1] > 90
