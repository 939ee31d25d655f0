"""Moves, thoughts and positions are values: equal when they say the same, whole after pickling and deep copies."""

import copy
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from games.small import HighCard, Nim, TicTacToe

import daedalus
from daedalus import Candidate, Move, Position, Thought
from daedalus.core.compile import INTERPRETED
from daedalus.core.memory import scratch

pytestmark = pytest.mark.interpreted
CONNECT_FOUR = Path(__file__).parent.parent / "examples" / "connect_four.py"


def through_pickle(value):
    return pickle.loads(pickle.dumps(value))


def played(game, plies=5, seed=3):
    position = Position(game, seed)
    for ply in range(plies):
        position.push(position.legal_moves[ply % len(position.legal_moves)])
    return position


@pytest.mark.parametrize("through", [through_pickle, copy.copy, copy.deepcopy])
def test_a_move_keeps_its_text(through):
    move = through(Move(7, "e3h"))
    assert move == 7 == Move(7, "e3h") and str(move) == "e3h" and repr(move) == "Move('e3h')"
    assert type(move) is Move and hash(move) == hash(7) and move in [7] and move != Move(8, "e3h")


@pytest.mark.parametrize("through", [through_pickle, copy.copy, copy.deepcopy])
def test_a_thought_stays_the_same(through):
    thought = Thought(Move(7, "e3h"), 0.25, (Candidate(Move(7, "e3h"), 0.25, 12, "good"),), ("e3h", "a1"), 12)
    again = through(thought)
    assert again == thought and hash(again) == hash(thought) and str(again.candidates[0].move) == "e3h"


GAMES = [daedalus.game("blackhole", hole="pass"), Nim(seats=3), HighCard(), TicTacToe()]


@pytest.mark.parametrize("through", [through_pickle, copy.copy, copy.deepcopy])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_a_position_is_whole_after_being_copied(game, through):
    position = played(game, 1 if isinstance(game, HighCard) else 5)
    again = through(position)
    assert again == position and again is not position
    assert (again.seed, again.turn, again.keys, again.text) == (position.seed, position.turn, position.keys, position.text)
    assert again.outcome() == position.outcome() and list(again.legal_moves) == list(position.legal_moves)
    again.pop()
    assert again != position and len(position.history) == len(again.history) + 1
    before = position.copy()
    before.pop()
    assert again == before and [str(move) for move in again.legal_moves] == [str(move) for move in before.legal_moves]
    again.push(position.last)
    assert again == position


@pytest.mark.parametrize("through", [through_pickle, copy.deepcopy])
def test_a_copy_of_a_state_in_python_objects_is_independent(through):
    position = played(TicTacToe())
    again = through(position)
    again.state.squares[0] = "?"
    assert position.state.squares[0] != "?" and again != position


def game_played(game, seed, plies=40):
    """A whole game and what each seat saw of it, as texts."""
    position, told = Position(game, seed), []
    while position.outcome() is None and len(position.history) < plies:
        views = [position.view(seat, seed=seed) for seat in range(game.SEATS)]
        told += [position.text, *(view.text for view in views), [str(move) for move in views[position.turn].legal_moves]]
        position.push(position.legal_moves[(seed + len(told)) % len(position.legal_moves)])
    return [*told, position.text, str(position.outcome())]


def test_positions_of_several_threads_share_nothing():
    games = [
        (game, seed) for seed in range(3) for game in (GAMES[0], daedalus.game("blackhole", size=7), Nim(30, 3), HighCard())
    ]
    alone = [game_played(game, seed) for game, seed in games]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(game_played, *zip(*games * 4, strict=True)))
    assert together == alone * 4
    spaces = {}
    begin = threading.Barrier(2)

    def look(name):
        begin.wait(60)
        spaces[name] = scratch(GAMES[0]), scratch(GAMES[0])

    both = [threading.Thread(target=look, args=(name,)) for name in "ab"]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert spaces["a"][0] is spaces["a"][1] and not np.shares_memory(spaces["a"][0], spaces["b"][0])


@pytest.mark.parametrize("name", [*(daedalus.game_names() if INTERPRETED else ["blackhole"]), "HighCard"])
def test_what_lies_in_the_workspace_changes_no_position(name, monkeypatch):
    game = HighCard() if name == "HighCard" else daedalus.game(name)
    clean = game_played(game, 1, plies=6)

    def soiled(game):
        space = scratch(game)
        space.view(np.uint8)[:] = 0xFF
        return space

    monkeypatch.setattr("daedalus.core.position.scratch", soiled)
    assert game_played(game, 1, plies=6) == clean


def test_a_copy_of_a_position_copies_no_workspace():
    position = daedalus.new("blackhole")
    held = [value for value in vars(position.copy()).values() if isinstance(value, np.ndarray)]
    assert [value.nbytes for value in held] == [position._S.nbytes], "the state alone"


def test_positions_are_equal_by_game_options_state_moves_and_seat():
    one, same = played(Nim(12)), played(Nim(12))
    assert one == same
    assert one != played(Nim(12), plies=4)
    assert Position(Nim(12), 1) == Position(Nim(12), 2), "a seed that changes nothing is no difference"
    assert Position(Nim(12), 1) != Position(Nim(12, seats=3), 1)
    assert one != one.view() and one.view() == one.view() and one.view(0) != one.view(1)
    assert Position(HighCard(), 1) != Position(HighCard(), 4)
    assert Position.from_text(Nim(12), "left=9 turn=0 last=0") != Position.from_text(Nim(12), "left=9 turn=1 last=0")
    assert one != one.text and one != None  # noqa: E711
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_a_position_can_be_sent_to_another_process(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(CONNECT_FOUR.read_text())
    monkeypatch.chdir(tmp_path)
    positions = [played(daedalus.game("blackhole", hole="pass")), played(daedalus.game("mine.py:ConnectFour"))]
    (tmp_path / "positions").write_bytes(pickle.dumps(positions))
    script = (
        "import pickle, sys\n"
        "positions = pickle.load(open(sys.argv[1], 'rb'))\n"
        "for p in positions: print(p.text, len(p.legal_moves), p.pop(), p.push(str(p.legal_moves[0])))\n"
    )
    (tmp_path / "elsewhere").mkdir()
    command = [sys.executable, "-c", script, str(tmp_path / "positions")]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path / "elsewhere", timeout=120)
    expected = []
    for p in positions:
        expected.append(f"{p.text} {len(p.legal_moves)} {p.pop()} {p.push(str(p.legal_moves[0]))}")
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == expected
