"""Commands that show somebody's record or store run the Python code it names only with the user's word."""

import json
import os
import pty
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from daedalus import arena

COMMAND = [sys.executable, "-m", "daedalus"]
HIGHCARD = Path(__file__).with_name("highcard.py")
RECORD = '[Game "{}"]\n[Seed "1"]\n[Seat0 "\\u001b[31mred"]\n[Result "*"]\n\n1. "\\\\"\n*\n'


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A user's game that notes when its file is run, and a record of it."""
    game = tmp_path / "mine.py"
    game.write_text(HIGHCARD.read_text() + '\nfrom pathlib import Path\nPath(__file__).with_name("ran").touch()\n')
    (tmp_path / "game.txt").write_text(RECORD.format(f"{game}:HighCard"))
    return game


def run(*arguments: object) -> tuple[int, str, str]:
    done = subprocess.run([*COMMAND, *map(str, arguments)], input="", capture_output=True, text=True, timeout=280)
    return done.returncode, done.stdout, done.stderr


def test_a_record_is_shown_only_when_the_user_allows_its_code(mine: Path) -> None:
    record, ran = mine.with_name("game.txt"), mine.with_name("ran")
    for command in (["replay", record], ["show", "--record", record], ["replay", record, "--json"]):
        code, out, complaint = run(*command)
        assert code == 2 and not out and not ran.exists()
        assert complaint.count("\n") == 1 and str(mine) in complaint and "--allow-code" in complaint
    code, out, _ = run("replay", record, "--list")
    assert code == 0 and "\\x1b[31mred" in out and "\x1b" not in out and not ran.exists()
    code, out, complaint = run("replay", record, "--allow-code", "--ply", 0)
    assert code == 0 and ran.exists(), complaint


def test_naming_the_game_is_the_users_word(mine: Path) -> None:
    code, _, complaint = run("show", f"{mine}:HighCard", "--record", mine.with_name("game.txt"), "--json", "--view", "0")
    assert mine.with_name("ran").exists() and (code == 0 or "--allow-code" not in complaint)


@pytest.mark.parametrize("answer", ["y", "n"])
def test_on_a_terminal_the_user_is_asked(mine: Path, answer: str) -> None:
    command = [*COMMAND, "show", "--record", str(mine.with_name("game.txt"))]
    owner, terminal = pty.openpty()
    os.write(owner, f"{answer}\n".encode())
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, close_fds=True)
    os.close(terminal)
    said = b""
    while chunk := _read(owner):
        said += chunk
    os.close(owner)
    assert b"Do you trust it?" in said
    assert (process.wait(60) == 0) == (answer == "y") == mine.with_name("ran").exists()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the other end is closed
        return b""


def test_a_run_of_a_stranger_is_shown_without_its_code(mine: Path, tmp_path: Path) -> None:
    store, ran = tmp_path / "arena.sqlite", mine.with_name("ran")
    arena.match("blackhole", "random", "random", games=2, workers=1, db=store, name="theirs")
    database = sqlite3.connect(store)
    settings = json.loads(database.execute("select settings from runs").fetchone()[0]) | {"game": f"{mine}:HighCard"}
    settings["specs"] = ["\x1b[31m\ud800", f"{mine}:Agent"]
    with database:
        database.execute("update runs set settings = ?", (json.dumps(settings),))
    database.close()
    for command in (["show", "theirs"], ["show", "theirs", "--json"], ["export", "theirs", tmp_path / "out"], []):
        code, out, complaint = run("runs", *command, "--db", store) if command else run("runs", "--db", store)
        assert code == 0 and "\x1b" not in out and not ran.exists(), complaint
    shutil.rmtree(tmp_path / "out")
    code, _, complaint = run("runs", "show", "theirs", "--db", store, "--allow-code")
    assert code == 0 and ran.exists(), complaint
