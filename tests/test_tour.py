"""The tour of the README, line by line, on an empty cache: everything works, and no agent forfeits or compiles on the clock."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from daedalus.core.compile import INTERPRETED

pytestmark = pytest.mark.long
ROOT = Path(__file__).parent.parent
TOUR = re.search(r"## A tour of a minute\n\n```\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1].splitlines()
# Runs a command and tells at its end how many kernels were loaded while an agent's clock ran.
WATCHED = """
import atexit, sys
from daedalus.arena.clock import MoveClock
from daedalus.cli import main
from daedalus.core.compile import kernels_loaded

late, enter, leave = [0], MoveClock.__enter__, MoveClock.__exit__

def start(clock):
    clock.before = kernels_loaded()
    return enter(clock)

def stop(clock, *error):
    leave(clock, *error)
    late[0] += kernels_loaded() - clock.before

MoveClock.__enter__, MoveClock.__exit__ = start, stop
atexit.register(lambda: print("late kernels:", late[0]))
main()
"""
SHORTER = {
    "match": ["-n", "2", "--workers", "1"],
    "tournament": ["-n", "2", "--workers", "1"],
    "study": ["--games", "2", "--workers", "1", "--only", "against-random"],
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tour")
    (folder / "examples").symlink_to(ROOT / "examples")
    return folder


@pytest.mark.skipif(INTERPRETED, reason="nothing compiles")
@pytest.mark.parametrize("line", TOUR)
def test_a_line_of_the_tour(line, home):
    program, command, *words = shlex.split(line, comments=True)
    assert program == "daedalus"
    shorter = SHORTER.get(command, [])
    words = [command, *words, *shorter]
    environment = os.environ | {"DAEDALUS_CACHE": str(home / "cache"), "XDG_DATA_HOME": str(home / "data")}
    if command in ("match", "tournament"):
        words += ["--grace", "600"]  # the machine may be busy: what counts is that nothing is loaded late
    run = subprocess.run(
        [sys.executable, "-c", WATCHED, *words], cwd=home, env=environment, input="quit\n", capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert "late kernels: 0" in run.stdout
    assert "forfeit" not in run.stdout.replace("forfeits 0", "").replace("0 forfeits", "")
