"""Compilation: a notice when a first run compiles, silence when the cache has it, another cache for other sources."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from games.small import Dice, Nim, TicTacToe

from daedalus.core import sources
from daedalus.core.compile import INTERPRETED, KernelLoader
from daedalus.core.memory import states, workspaces
from daedalus.core.registry import registration_of

EXAMPLE = Path(__file__).parent.parent / "examples" / "connect_four.py"
PLAY = "import sys, daedalus; p = daedalus.new(sys.argv[1], seed=1); p.push('3'); print(p.text)"

needs_compiler = pytest.mark.skipif(INTERPRETED, reason="nothing compiles with NUMBA_DISABLE_JIT=1")


def run(cache, place, wait=True):
    environment = {**os.environ, "DAEDALUS_CACHE": str(cache), "DAEDALUS_QUIET": ""}
    process = subprocess.Popen(
        [sys.executable, "-c", PLAY, place], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    return process if not wait else (*process.communicate(timeout=120), process.returncode)


def kernels(cache):
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*.kernel")}


@needs_compiler
def test_the_first_run_says_that_it_compiles_and_the_second_does_not(tmp_path):
    mine = tmp_path / "mine.py"
    shutil.copy(EXAMPLE, mine)
    place = f"{mine}:ConnectFour"
    out, err, code = run(tmp_path / "cache", place)
    assert code == 0 and "turn=1" in out
    assert err.count("compiling ConnectFour") == 1 and len(err.splitlines()) == 1
    before = kernels(tmp_path / "cache")
    assert before
    again, err, code = run(tmp_path / "cache", place)
    assert (again, err, code) == (out, "", 0)
    assert kernels(tmp_path / "cache") == before

    mine.write_text(EXAMPLE.read_text().replace("s.turn = 1 - s.turn", "s.turn = 1 - s.turn  # edited"))
    out, err, code = run(tmp_path / "cache", place)
    assert code == 0 and "compiling ConnectFour" in err, "an edited file must not run the old code"


@needs_compiler
def test_an_edited_rule_takes_effect(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(EXAMPLE.read_text())
    first, _, _ = run(tmp_path / "cache", f"{mine}:ConnectFour")
    mine.write_text(EXAMPLE.read_text().replace("s.height[m] += 1", "s.height[m] += 2"))
    second, _, _ = run(tmp_path / "cache", f"{mine}:ConnectFour")
    assert "height=0,0,0,1,0,0,0" in first and "height=0,0,0,2,0,0,0" in second


@needs_compiler
def test_two_processes_may_fill_one_cache_at_once(tmp_path):
    place = f"{EXAMPLE}:ConnectFour"
    both = [run(tmp_path, place, wait=False) for _ in range(2)]
    outs = [process.communicate(timeout=120)[0] for process in both]
    assert outs[0] == outs[1] and "turn=1" in outs[0]
    assert run(tmp_path, place)[:2] == (outs[0], "")


@needs_compiler
def test_old_kernels_are_forgotten(tmp_path, monkeypatch):
    monkeypatch.setenv("DAEDALUS_CACHE", str(tmp_path))
    old, recent = (tmp_path / "kernels" / f"nim-{name}" for name in ("old", "recent"))
    for folder in (old, recent):
        folder.mkdir(parents=True)
    long_ago = time.time() - 90 * 24 * 3600
    os.utime(old, (long_ago, long_ago))
    game = Nim()
    KernelLoader(Nim, compiled=True).load("daedalus.core.kernels.transitions").opening(
        game, states(game, 1), workspaces(game, 1, 1)
    )
    assert recent.exists() and not old.exists()


@needs_compiler
def test_rules_that_do_not_compile_run_interpreted():
    assert not registration_of(TicTacToe()).kernels.compiled
    assert not registration_of(Dice()).kernels.compiled


@needs_compiler
def test_a_game_that_does_not_compile_says_why_in_every_run(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(EXAMPLE.read_text().replace("s.height[m] += 1", "s.height[m] += len(eval('[1]'))"))
    for _ in range(2):
        out, err, code = run(tmp_path / "cache", f"{mine}:ConnectFour")
        assert code == 0 and "height=0,0,0,1,0,0,0" in out
        assert err.splitlines()[-1].startswith("daedalus: ConnectFour runs interpreted, it does not compile: ")
        assert "eval" in err.splitlines()[-1]


@pytest.mark.interpreted
def test_modules_with_kernels_are_plain_python_when_imported():
    from daedalus.search.kernels import mcts

    assert not hasattr(mcts.simulate, "py_func")


PACKAGE = Path(sources.__file__).parent.parent
SOURCES = {path.relative_to(PACKAGE).parts: path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}
HOLDING = [parts for parts, text in SOURCES.items() if re.search(r"^@(kernel|helper)\b", text, re.M)]


def counts(parts):
    """Is a file part of the fingerprint of the game in its folder (of any game, if it is in none)?"""
    return sources.may_hold_kernels(parts, parts[1] if parts[0] == "games" else "quoridor")


def test_every_file_with_compiled_functions_counts_and_what_it_imports_beside_it():
    assert len(HOLDING) > 30
    for parts in HOLDING:
        beside = re.findall(r"^from \.(\w+) import", SOURCES[parts], re.M)
        for name in (parts[-1], *(f"{module}.py" for module in beside)):
            assert counts((*parts[:-1], name)), f"{'/'.join(parts)} needs {name}"


def test_players_screens_and_other_games_do_not_count():
    others = ("games", "labyrinth", "rules.py"), ("games", "__init__.py"), ("games", "quoridor", "agents.py")
    for parts in (*others, ("search", "mcts.py"), ("cli", "play.py")):
        assert not sources.may_hold_kernels(parts, "quoridor"), parts
