"""The command line as a user meets it: each command in a process of its own, and one line for every mistake."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

import pytest

import daedalus

START = "R...R/.R.R./..*../.B.B./B...B R"
COMMAND = [sys.executable, "-m", "daedalus"]


def run(*arguments, given="", code=0):
    """Runs a command; (what it printed, what it complained about)."""
    done = subprocess.run([*COMMAND, *map(str, arguments)], input=given, capture_output=True, text=True, timeout=280)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout, done.stderr


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_without_arguments_it_says_what_it_can_do():
    out, _ = run()
    for command in ("games", "agents", "show", "play", "replay", "analyse", "perft", "check", "bench", "warm", "solve"):
        assert re.search(rf"\W{command} ", out)
    assert run("--version")[0] == f"daedalus {daedalus.__version__}\n"


def test_every_command_has_an_example_in_its_help():
    from daedalus.cli import app

    for command in app.registered_commands:
        name = command.callback.__name__
        assert f"daedalus {name}" in command.epilog and command.callback.__doc__


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["show", "blackhol"], "unknown game 'blackhol'; did you mean 'blackhole'?"),
        (["show", "nowhere.py:Game"], "there is no file nowhere.py"),
        (["show", "blackhole", "-o", "size=6"], "size=6: takes 5|7|9"),
        (["show", "blackhole", "-o", "size"], "option 'size': write it as key=value"),
        (["show", "blackhole", "-o", "colour=red"], "unknown option 'colour'"),
        (["show", "blackhole", "--position", "x R"], "a board of size 5 has 5 rows"),
        (["show", "blackhole", "--features", "--svg", "x.svg"], "it goes with neither --svg nor --moves"),
        (["show", "blackhole", "--view", "Green"], "there is no seat 'Green'; valid: 0 (Red), 1 (Blue)"),
        (["show", "blackhole", "--svg", "/nowhere\0/x.svg"], "embedded null"),
        (["show"], "name a game"),
        (["perft", "blackhole"], "Missing option '--depth'"),
        (["perft", "blackhole", "--depth", "many"], "Invalid value for '--depth'"),
        (["analyse", "blackhole", "--limit", "hours=1"], "unknown limit 'hours'"),
        (["analyse", "blackhole", "--agent", "mcts:sims=-3"], "unknown option of mcts 'sims'"),
        (["analyse", "blackhole", "--record", "/nowhere/games"], "cannot read /nowhere/games"),
        (["play", "blackhole", "--seats", "human,nobody"], "unknown agent 'nobody'"),
        (["replay", "/nowhere/games"], "cannot read /nowhere/games: No such file or directory"),
        (["solve", "blackhole", "-o", "size=9"], "only the 5 x 5 board"),
        (["shwo"], "No such command 'shwo'"),
        (["show", "--colour"], "No such option: --colour"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(arguments, complaint, monkeypatch, capsys):
    from daedalus.cli import main

    monkeypatch.setattr(sys, "argv", ["daedalus", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    captured = capsys.readouterr()
    assert end.value.code == 2
    assert captured.out == ""
    assert captured.err.startswith("daedalus: ") and captured.err.count("\n") == 1
    assert complaint in captured.err


def test_a_mistake_is_one_line_in_a_process_too():
    for arguments in (["show", "nosuch"], ["nosuch"], ["replay", "/"]):
        out, err = run(*arguments, code=2)
        assert out == "" and re.fullmatch("daedalus: [^\n]+\n", err)


def test_games_and_agents_tell_their_options():
    (game,) = [entry for entry in json.loads(run("games", "--json")[0]) if entry["name"] == "blackhole"]
    assert {"name": "size", "takes": "5|7|9", "default": "5", "help": "squares on a side"} in game["options"]
    assert "-o hole=stop|pass" in run("games")[0]
    listed = {entry["name"]: entry for entry in json.loads(run("agents", "blackhole", "--json")[0])}
    assert {"random", "mcts", "alphabeta", "perfect", "engine"} <= set(listed)
    assert {option["name"] for option in listed["mcts"]["options"]} >= {"seconds", "rollout"}


def test_show_prints_and_draws_a_position(tmp_path):
    picture = tmp_path / "board.svg"
    out, _ = run("show", "blackhole", "--moves", "--svg", picture)
    assert START in out and "Red to move" in out and "b4-b3" in out and "Red 0/2 home" in out
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    told = json.loads(run("show", "blackhole", "-o", "size=7", "--view", "Blue", "--json")[0])
    assert (told["turn"], told["to_move"], told["view"], told["outcome"]) == (0, "Red", 1, None)
    assert told["options"]["size"] == "7" and len(told["legal_moves"]) > 10


def test_a_game_is_played_through_a_pipe_recorded_and_replayed(tmp_path):
    games = tmp_path / "games.txt"
    out, _ = run("play", "blackhole", "--seats", "human,random", "--seed", 5, "--save", games, given="oops\nb4-b3\nquit\n")
    assert "'oops' is not a move" in out and "Blue (random)" in out and f"Game added to {games}" in out
    run("play", "blackhole", "-o", "hole=pass", "--seats", "random,random", "--seed", 5, "--save", games)
    listed = json.loads(run("replay", games, "--list", "--json")[0])
    assert [(row["number"], row["game"], row["players"]) for row in listed] == [
        (1, "blackhole", "human - random"),
        (2, "blackhole hole=pass", "random - random"),
    ]
    told = json.loads(run("replay", games, "--game", 1, "--json")[0])
    assert [place["ply"] for place in told["positions"]] == [0, 1, 2]
    assert told["positions"][0]["position"] == START and told["positions"][1]["move"] == "b4-b3"
    out, _ = run("replay", games)
    assert out.count(" of ") == listed[1]["plies"] + 1
    assert ("wins: " in out) != ("Draw: " in out)
    assert "of 2" in run("replay", games, "--game", 1, "--ply", 2)[0]


def test_analyse_shows_exact_values_of_a_small_board():
    told = json.loads(run("analyse", "blackhole", "--agent", "perfect", "-n", 3, "--json")[0])
    assert len(told["candidates"]) == 3 and told["value"] == 0 and told["candidates"][0]["move"] == told["move"]
    out, _ = run("analyse", "blackhole", "--position", "R..../...../R.*BR/.B.../B...B R", "--agent", "alphabeta:depth=2")
    assert re.search(r"a3-c3 +\+1\.000", out) and "line   a3-c3" in out and "total " in out


def test_perft_counts():
    told = json.loads(run("perft", "blackhole", "--depth", 3, "--divide", "--json")[0])
    assert told["nodes"] == sum(told["moves"].values()) and len(told["moves"]) == 12
    position = daedalus.new("blackhole")
    for move in list(map(str, position.legal_moves)):
        position.push(move)
        replies = list(map(str, position.legal_moves))
        count = 0
        for reply in replies:
            position.push(reply)
            count += len(position.legal_moves)
            position.pop()
        position.pop()
        assert told["moves"][move] == count


def test_check_fails_a_broken_game_with_exit_code_1(tmp_path):
    file = tmp_path / "broken.py"
    file.write_text(
        "from typing import NamedTuple\n"
        "class Broken(NamedTuple):\n"
        "    '''Two moves each; one of its evaluations is out of bounds.'''\n"
        "    length: int = 4\n"
        "    STATE = [('ply', 'i2')]\n"
        "    MAX_MOVES = 2\n"
        "    def start(self, s, w): s.ply = 0\n"
        "    def turn(self, s): return s.ply & 1\n"
        "    def moves(self, s, w):\n"
        "        w.buf[0] = 0\n"
        "        w.buf[1] = 1\n"
        "        return 2\n"
        "    def play(self, s, m): s.ply += 1\n"
        "    def over(self, s): return s.ply >= self.length\n"
        "    def payoff(self, s, seat): return 1.0 if seat == 0 else -1.0\n"
        "    def evaluate(self, s, seat, w): return 7.0\n"
    )
    told = json.loads(run("check", f"{file}:Broken", "--json", code=1)[0])
    assert not told["ok"] and any(not held and "7.0" in detail for _, held, detail in told["lines"])
    assert "has no solver; games that have one: blackhole" in run("solve", f"{file}:Broken", code=2)[1]


def test_warm_names_what_is_ready():
    assert "blackhole ready" in run("warm", "blackhole")[0]


def test_bench_prints_one_object_a_line():
    process = subprocess.Popen(
        [*COMMAND, "bench", "blackhole", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    measure = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)  # one line shows the form; the rest would only take time
    process.communicate(timeout=60)
    assert set(measure) == {"name", "value", "unit"} and measure["name"].startswith("blackhole") and measure["value"] > 0
    assert process.returncode == 130


def test_a_closed_pipe_and_an_interrupt_are_quiet():
    for command in ("agents", "--version"):  # more than a pipe's buffer, and less
        reader = subprocess.Popen([*COMMAND, command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        reader.stdout.close()
        assert reader.wait(60) == 1 and reader.stderr.read() == b""
    player = subprocess.Popen(
        [*COMMAND, "play", "blackhole", "--seats", "human,random"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert any(b"home" in line for line in player.stdout)  # the board stands, the prompt waits
    time.sleep(0.2)
    player.send_signal(signal.SIGINT)
    _, err = player.communicate(timeout=60)
    assert player.returncode == 130 and err == b""


def test_an_unexpected_error_is_one_line_unless_a_traceback_is_asked_for(tmp_path, monkeypatch):
    file = tmp_path / "late.py"
    file.write_text(
        "from daedalus import Agent\n"
        "class Late(Agent):\n"
        "    def choose(self, view, limit=None):\n"
        "        raise ZeroDivisionError('too\\nlate')\n"
    )
    _, err = run("analyse", "blackhole", "--agent", f"{file}:Late", code=2)
    assert re.fullmatch("daedalus: [^\n]*too late[^\n]*\n", err)
    monkeypatch.setenv("DAEDALUS_TRACEBACK", "1")
    assert "Traceback" in run("analyse", "blackhole", "--agent", f"{file}:Late", code=1)[1]


def test_the_version_the_games_and_the_agents_are_told_without_loading_the_compiler():
    script = (
        "import sys\nfrom daedalus.cli import main\nHEAVY = {'numba', 'llvmlite', 'scipy', 'sqlalchemy', 'pydantic'}\n"
        "for words in (['--version'], ['games'], ['agents'], ['agents', 'quoridor']):\n"
        "    sys.argv = ['daedalus', *words]\n"
        "    try: main()\n"
        "    except SystemExit: print(words, HEAVY & set(sys.modules))\n"
        "    if words == ['games']: HEAVY.discard('pydantic')  # typer reads words with it, not flags\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    for words in (["--version"], ["games"], ["agents"], ["agents", "quoridor"]):
        assert f"{words} set()" in run.stdout.splitlines(), run.stderr
    assert f"daedalus {daedalus.__version__}" in run.stdout and "labyrinth" in run.stdout and "alphabeta" in run.stdout
