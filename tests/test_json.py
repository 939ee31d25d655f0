"""docs/json.md lists what every `--json` prints: the commands are run and their keys held against it."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from daedalus import bench
from daedalus.cli import app
from daedalus.core.compile import INTERPRETED

PAGE = (Path(__file__).parent.parent / "docs" / "json.md").read_text()
SECTIONS = {re.match("`daedalus (.+?)`", text)[1]: text for text in PAGE.split("\n## ")[1:]}
SAVED = ["match", "blackhole", "random", "greedy", "-n", "2", "--workers", "1", "--name", "mine", "--save", "games.txt"]
# The words that make each section's command; a game is saved first where one is needed.
COMMANDS = {
    "games --json": ["games"],
    "agents [GAME] --json": ["agents", "blackhole"],
    "show GAME --json": ["show", "blackhole"],
    "show GAME --features --json": ["show", "blackhole", "--features"],
    "analyse GAME --json": ["analyse", "blackhole", "--agent", "greedy"],
    "replay FILE --list --json": ["replay", "games.txt", "--list"],
    "replay FILE --json": ["replay", "games.txt"],
    "perft GAME --depth N --json": ["perft", "blackhole", "--depth", "1", "--divide"],
    "check GAME --json": ["check", "blackhole"],
    "check --agent SPEC GAME --json": ["check", "--agent", "random", "blackhole"],
    "bench GAME --json": ["bench", "blackhole"],
    "solve GAME --json": ["solve", "quoridor", "-o", "width=3", "-o", "height=3", "-o", "walls=1"],
    "match GAME A B --json": [*SAVED[:-4], "--sprt", "0,10"],
    "tournament GAME SPEC... --json": ["tournament", "blackhole", "random", "greedy", "-n", "2", "--workers", "1"],
    "runs --json": ["runs"],
    "study --list --json": ["study", "--list"],
    "study NAME --json": [
        "study",
        "blackhole",
        "--only",
        "heuristics/H1 v H2",
        "--games",
        "2",
        "--workers",
        "1",
        "--out",
        "out",
    ],
}


def documented(command: str) -> set[str]:
    """The keys in the first column of a section's table; an analysis and features have those of `show` too."""
    cells = re.findall(r"^\| (`.+?) \|", SECTIONS[command], re.MULTILINE)
    keys = {key for cell in cells for key in re.findall("`(.+?)`", cell)}
    return keys | documented("show GAME --json") if command.startswith(("analyse", "show GAME --features")) else keys


def printed(words: list[str]) -> str:
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_page_has_every_command_that_prints_json():
    listed = {re.split(" [A-Z\\[-]", name)[0] for name in SECTIONS}
    commands = {info.callback.__name__: info.callback for info in app.registered_commands}
    commands |= {group.name: group.typer_instance.registered_callback.callback for group in app.registered_groups}
    assert listed == {name for name, command in commands.items() if "as_json" in command.__annotations__}
    assert set(COMMANDS) == set(SECTIONS)


@pytest.mark.skipif(INTERPRETED, reason="searches would take long")
@pytest.mark.parametrize("command", COMMANDS)
def test_the_keys_are_those_of_the_page(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if command.startswith(("replay", "runs")):
        printed(SAVED)
    if command.startswith("bench"):
        monkeypatch.setattr(bench, "run", lambda *_: [bench.Measure("blackhole.playouts", 1.0, "1/s")])
    out = printed(COMMANDS[command])
    found = json.loads(out.splitlines()[0] if command.startswith("bench") else out)
    keys = set((found[0] if isinstance(found, list) else found).keys())
    assert keys >= documented(command)
    if not command.startswith("solve"):  # a game may add what is its own
        assert keys == documented(command)
