"""Adding a game is adding a folder: dropped into games/, it is listed, played, drawn, measured and checked like the others."""

import inspect
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from games.small import Nim

import daedalus.games
from daedalus.core import InvalidGame
from daedalus.core.registry import game_names, rules_of

pytestmark = pytest.mark.interpreted
PACKAGE = Path(daedalus.__file__).parent
HEAD = "from typing import NamedTuple\nimport numpy as np\nfrom daedalus.core import Number, U\n\n\n"
FOLDER = {
    "__init__.py": '"""Stones to take."""\n',
    "kernels/__init__.py": '"""What is compiled."""\n',
    "kernels/rules.py": HEAD + inspect.getsource(Nim).replace("class Nim", "class Stones"),
    "text.py": "def move_text(self, s, m): return f'take{m}'\ndef ending(self, s): return 'no stones are left'\n",
    "picture.py": "def svg(self, s, seat, last): return f'<svg xmlns=\"http://www.w3.org/2000/svg\"><text>{s.left}</text></svg>'\n",
    "terminal.py": "from rich.text import Text\ndef terminal(self, s, seat, last): return Text('|' + 'o' * int(s.left))\n",
    "agents.py": (
        "from dataclasses import dataclass\nfrom daedalus.core import Agent, Thought, setting\n"
        "@dataclass\nclass Taker(Agent):\n    '''Takes what wins.'''\n"
        "    leave: int = setting(4, 'leaves a multiple of so many', int, low=2, high=9)\n"
        "    def choose(self, view, limit=None):\n"
        "        wanted = int(view.state.left) % self.leave\n"
        "        return Thought(next((m for m in view.legal_moves if int(m) == wanted), view.legal_moves[0]))\n"
        "AGENTS = {'taker': Taker, 'novice': 'random'}\n"
        "VARIANTS = {'': {}, 'short': {'stones': 5}}\n"
        "def opponent(game): return 'taker'\n"
    ),
    "bench.py": "def works():\n    yield 'counting', lambda n: sum(1 for _ in range(n)), '1/s'\n",
    "guide.py": "SENTENCE = 'Take the last stone.'\n",
}
COMMANDS = {
    "games": ["games", "--json"],
    "agents": ["agents", "stones", "--json"],
    "show": ["show", "stones", "--svg", "stones.svg", "--moves"],
    "play": ["play", "stones", "--seats", "taker,random", "--seed", "1", "--save", "played.txt"],
    "replay": ["replay", "played.txt", "--json"],
    "analyse": ["analyse", "stones", "--json"],
    "perft": ["perft", "stones", "-o", "stones=5", "--depth", "3", "--json"],
    "bench": ["bench", "stones", "--json"],
    "check": ["check", "stones", "--json"],
    "check agent": ["check", "--agent", "taker", "stones", "--json"],
    "wrong": ["show", "stones", "-o", "stones=0"],
}
SCRIPT = """
import contextlib, io, json, sys
from daedalus import bench
from daedalus.cli import main
bench.SECONDS = 0.001
said = {}
for name, words in json.loads(sys.argv[1]).items():
    sys.argv = ["daedalus", *words]
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as end:
        said[name] = out.getvalue(), err.getvalue(), end.code
print(json.dumps(said))
"""


def drop(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What the commands answer in a copy of the package with one more folder under games/."""
    home = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, home / "src" / "daedalus", ignore=shutil.ignore_patterns("__pycache__"))
    drop(home / "src" / "daedalus" / "games" / "stones", FOLDER)
    environment = os.environ | {"PYTHONPATH": str(home / "src"), "NUMBA_DISABLE_JIT": "1", "COLUMNS": "200"}
    command = [sys.executable, "-c", SCRIPT, json.dumps(COMMANDS)]
    run = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    answers = json.loads(run.stdout)
    for name, (_, err, code) in answers.items():
        assert name == "wrong" or code in (0, None), (name, err)
    read = {name: [json.loads(line) for line in out.splitlines()] for name, (out, _, _) in answers.items() if is_json(name)}
    read = {name: lines if name == "bench" else lines[0] for name, lines in read.items()}
    texts = {name: out or err for name, (out, err, _) in answers.items() if not is_json(name)}
    return texts | read | {"picture": (home / "stones.svg").read_text()}


def is_json(name):
    return "--json" in COMMANDS[name]


def test_it_is_listed_with_its_options(said):
    (entry,) = [entry for entry in said["games"] if entry["name"] == "stones"]
    assert len(said["games"]) == len(game_names()) + 1
    assert entry["help"].startswith("Take 1 to 3 stones")
    assert entry["options"][0] == {"name": "stones", "takes": "1..100", "default": "12", "help": "stones at the start"}
    assert said["wrong"] == "daedalus: stones=0: takes 1 to 100\n"


def test_its_agents_are_listed_beside_those_of_every_game(said):
    agents = {entry["name"]: entry for entry in said["agents"]}
    assert agents["taker"]["help"] == "Takes what wins." and agents["novice"]["help"] == "the same as random"
    assert agents["taker"]["options"][0] == {
        "name": "leave",
        "takes": "2..9",
        "default": "4",
        "help": "leaves a multiple of so many",
    }
    assert {"random", "mcts", "alphabeta"} <= set(agents)


def test_it_is_shown_and_drawn_by_its_own_modules(said):
    assert "|oooooooooooo\n" in said["show"] and "take1  take2  take3" in said["show"]
    assert said["picture"].startswith("<svg") and "<text>12</text>" in said["picture"]


def test_it_is_played_recorded_and_analysed(said):
    assert "no stones are left" in said["play"]
    assert said["replay"]["tags"]["Game"] == "stones"
    assert (said["analyse"]["agent"], said["analyse"]["move"]) == ("taker", "take1"), "12 is a multiple already"
    assert said["perft"]["nodes"] == 1 + 3 + 6, "three numbers of 1 to 3 whose sum is 3, 4 or 5"


def test_it_is_measured_with_its_variants_and_works_of_its_own(said):
    names = {measure["name"] for measure in said["bench"]}
    assert {"stones.playouts", "stones.short.playouts", "stones.uct", "stones.counting"} <= names


def test_it_and_its_agents_are_checked(said):
    assert said["check"]["ok"] and said["check agent"]["ok"]


@pytest.mark.parametrize(
    "name, files, complaint",
    [
        ("bare", {}, "game 'bare': .*kernels.*; a game's class is in kernels/rules.py of its folder"),
        ("empty", {"kernels/rules.py": "A = 1\n"}, "game 'empty': .* one NamedTuple class with a method `start`, not none"),
    ],
)
def test_a_folder_without_rules_is_refused_in_one_sentence(tmp_path, monkeypatch, name, files, complaint):
    drop(tmp_path / name, {"__init__.py": "", **files})
    monkeypatch.setattr("daedalus.games.__path__", [*daedalus.games.__path__, str(tmp_path)])
    assert name in game_names()
    with pytest.raises(InvalidGame, match=complaint):
        rules_of(name)
