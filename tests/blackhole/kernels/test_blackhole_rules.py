"""The rules of Black-Hole Escape, by hand-made positions and by the legal moves of 600 published ones."""

import gzip
import json
from pathlib import Path

import pytest

import daedalus
from daedalus import Position

pytestmark = pytest.mark.interpreted
DATA = Path(__file__).parents[2] / "data"


def oracle(hole):
    with gzip.open(DATA / f"blackhole_positions_{hole}.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def square(row, col):
    return f"{'abcde'[col]}{5 - row}"


@pytest.mark.parametrize("hole", ["stop", "pass"])
def test_legal_moves_are_those_of_the_published_positions(hole):
    game = daedalus.game("blackhole", hole=hole)
    entries = oracle(hole)
    assert len(entries) == 300
    for entry in entries:
        position = Position.from_text(game, f"{entry['board']} {entry['to_move']}")
        expected = {f"{square(*m['m'][:2])}-{square(*m['m'][2:])}" for m in entry["moves"]}
        assert {str(move) for move in position.legal_moves} == expected, entry["board"]


def test_under_stop_a_ship_slides_over_the_hole_unless_stopped_there():
    free = Position.from_text(daedalus.game("blackhole"), "R...R/.R.../R.*../.B.B./B...B R")
    assert "a3-e3" in free.legal_moves
    stopped = Position.from_text(daedalus.game("blackhole"), "R...R/...../R.*B./.B.../B...B R")
    assert "a3-c3" in stopped.legal_moves
    stopped.push("a3-c3")
    assert stopped.text.split()[0] == "R...R/...../..*B./.B.../B...B"
    assert stopped.state.home.tolist() == [2, 0]


def test_under_pass_the_hole_swallows_whoever_reaches_it():
    position = Position.from_text(daedalus.game("blackhole", hole="pass"), "R...R/.R.../R.*../.B.B./B...B R")
    assert "a3-c3" in position.legal_moves and "a3-e3" not in position.legal_moves
    position.push("a3-c3")
    assert position.state.home.tolist() == [1, 0]


def test_bringing_half_the_ships_home_wins():
    position = Position.from_text(
        daedalus.game("blackhole", hole="pass", size=7), "......./.R...R./......./R..*..R/.B.B.B./B.....B/...B... R"
    )
    assert position.state.home.tolist() == [2, 0]
    position.push("a4-d4")
    assert position.outcome().winner == 0 and position.outcome().reason == "Red has 3 ships home"


def test_who_cannot_move_loses():
    # all four red ships are locked in the corner behind their own and the board's edge
    position = Position.from_text(daedalus.game("blackhole"), "RRB../RRB../BB*../...../..... R")
    assert position.outcome() is not None
    assert position.outcome().winner == 1 and position.outcome().reason == "Red cannot move"


def test_the_third_occurrence_is_a_draw():
    position = Position.from_text(daedalus.game("blackhole"), "R...R/R..R./..*../B..B./B...B R")
    cycle = ["d4-e4", "d2-e2", "e4-b4", "e2-b2"]
    back = ["b4-e4", "b2-e2", "e4-b4", "e2-b2"]
    for text in cycle + back:
        assert position.outcome() is None
        position.push(text)
    assert position.outcome() is None, "b4 and b2 with Red to move have come up twice only"
    for text in back:
        position.push(text)
        if position.outcome():
            break
    assert position.outcome().winner is None and position.outcome().reason == "position repeated 3 times"
    never = Position.from_text(daedalus.game("blackhole", repetition=0), "R...R/R..R./..*../B..B./B...B R")
    for text in cycle + back * 4:
        never.push(text)
    assert never.outcome() is None


def test_the_cap_is_a_draw():
    position = daedalus.new("blackhole", cap=3)
    for _ in range(3):
        position.push(position.legal_moves[0])
    assert position.outcome().payoffs == (0.0, 0.0) and position.outcome().reason == "3 plies played"


@pytest.mark.parametrize(
    "size, text",
    [
        (5, "R...R/.R.R./..*../.B.B./B...B R"),
        (7, "R.....R/.R...R./..R.R../...*.../..B.B../.B...B./B.....B R"),
        (9, "R.......R/.R.....R./..R...R../...R.R.../....*..../...B.B.../..B...B../.B.....B./B.......B R"),
    ],
)
def test_the_start_is_the_x_of_both_diagonals(size, text):
    assert daedalus.new("blackhole", size=size).text == text
