"""`daedalus engine` as a process: the sessions of its documentation, games played by the driver, and how it ends."""

import importlib.util
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from arena_agents import TICTACTOE

import daedalus

ROOT = Path(__file__).parent.parent
SESSIONS = re.findall(r"^```engine (.*)\n((?:[<>].*\n)*)```$", (ROOT / "docs" / "engines.md").read_text(), re.M)

# Prints where it should not, thinks until it is told to stop, or never stops.
LOUD = """
import os, time
from daedalus import Thought

class Loud:
    def choose(self, view, limit, watch=None):
        print("thinking aloud")
        os.write(1, b"louder\\n")
        while True:
            time.sleep(0.02)
            if watch is None or limit.simulations or watch(Thought(view.legal_moves[0])) is False:
                return view.legal_moves[0]

class Endless:
    def prepare(self, game):
        pass
    def choose(self, view, limit, watch=None):
        while True:
            pass
"""


@pytest.fixture
def started() -> Iterator[Callable[..., "subprocess.Popen[bytes]"]]:
    processes: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "daedalus", "engine", *words]
        pipe = subprocess.PIPE
        processes.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def said(process: "subprocess.Popen[bytes]", *lines: str) -> None:
    assert process.stdin is not None
    process.stdin.write("".join(line + "\n" for line in lines).encode())
    process.stdin.flush()


def heard(process: "subprocess.Popen[bytes]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().decode().rstrip("\n")


def matches(pattern: str, line: str) -> bool:
    """Is this the line of the documentation, whatever stands for its `...`?"""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("..."))), line) is not None


@pytest.mark.parametrize("number", range(len(SESSIONS)))
def test_the_sessions_of_the_documentation_are_true(started: Callable[..., "subprocess.Popen[bytes]"], number: int) -> None:
    words, session = SESSIONS[number]
    process = started(*words.split())
    for line in session.splitlines():
        if line.startswith("> "):
            said(process, line[2:])
        else:
            answer = heard(process)
            assert matches(line[2:], answer), (line[2:], answer)
    assert process.wait(60) == 0
    assert heard(process) == ""


def test_the_documentation_has_a_session_of_each_dialect() -> None:
    assert len(SESSIONS) == 3 and sum(session.startswith("> {") for _, session in SESSIONS) == 1


@pytest.fixture(scope="module")
def driver() -> ModuleType:
    spec = importlib.util.spec_from_file_location("engine_games", ROOT / "benchmarks" / "engine_games.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["engine_games"] = module  # its dataclass looks itself up there
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", daedalus.game_names())
def test_the_driver_that_knows_only_the_dialect_plays_every_game(driver: ModuleType, name: str) -> None:
    """One process plays both seats here; the whole match, with late moves counted, is benchmarks/engine_games.py."""
    tally = driver.match(name, [[sys.executable, "-m", "daedalus", "engine", name]], 1, movetime=20, tolerance=0, plies=8)
    assert tally.illegal == [] and tally.moves == 8


def test_nothing_but_the_dialect_is_on_standard_output_and_the_end_of_the_input_ends_all(
    started: Callable[..., "subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    (tmp_path / "loud.py").write_text(LOUD)
    process = started(TICTACTOE, f"{tmp_path / 'loud.py'}:Loud")
    assert process.stdin is not None
    process.stdin.write(b"\n\n \xff\xfe\x00\n" + b"x" * 3_000_000 + b"\n" + b"posi")
    process.stdin.flush()
    said(process, "tion startpos", "isready")
    lines = [heard(process)]
    while lines[-1] != "readyok":
        lines.append(heard(process))
    assert [line for line in lines if line.startswith("info string ")] == lines[:-1] and len(lines) == 3
    said(process, "go infinite")
    assert heard(process).startswith("info ")
    out, err = process.communicate(timeout=60)  # closes its input, in the middle of the search
    assert process.returncode == 0
    *infos, last = out.decode().splitlines()
    assert all(line.startswith("info ") for line in infos) and last.startswith("bestmove ")
    assert b"thinking aloud" in err and b"louder" in err


@pytest.mark.parametrize("end", ["quit", "SIGTERM"])
def test_an_agent_that_never_stops_keeps_nobody_waiting(
    started: Callable[..., "subprocess.Popen[bytes]"], tmp_path: Path, end: str
) -> None:
    (tmp_path / "loud.py").write_text(LOUD)
    process = started(TICTACTOE, f"{tmp_path / 'loud.py'}:Endless")
    said(process, "isready")
    assert heard(process) == "readyok"
    said(process, "go movetime 10", "isready")
    assert heard(process) == "readyok"
    if end == "quit":
        said(process, "quit")
    else:
        os.kill(process.pid, signal.SIGTERM)
    assert process.wait(30) == (0 if end == "quit" else -signal.SIGTERM)


def test_a_spec_or_a_game_that_is_not_there_is_refused_before_anything_is_read() -> None:
    from typer.testing import CliRunner

    from daedalus.cli import app

    for words in (["engine", "chess"], ["engine", "blackhole", "nobody"], ["engine", "blackhole", "mcts:c=x"]):
        result = CliRunner().invoke(app, words)
        assert isinstance(result.exception, daedalus.DaedalusError)
