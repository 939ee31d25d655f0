"""The rules of Colosseum Survival!: two trace files of the course's own engine, hand-made positions, texts, starts."""

import gzip
import json
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import daedalus
from daedalus import DaedalusError, IllegalMove, InvalidText, Position
from daedalus.core.compile import INTERPRETED
from daedalus.core.memory import workspaces

DATA = Path(__file__).parents[2] / "data"
SIDES = "urdl"
pytestmark = pytest.mark.interpreted


def position(text, **options):
    return Position.from_text(daedalus.game("colosseum", size=int(text.split()[0]), **options), text)


def traces(rule):
    """The games of a trace file, each a list of its entries."""
    games = []
    with gzip.open(DATA / f"colosseum_traces_{rule}.jsonl.gz", "rt") as file:
        for entry in map(json.loads, file):
            if entry["type"] == "init":
                games.append([])
            games[-1].append(entry)
    return games


def named(r, c, d):
    return f"{r},{c}{SIDES[d]}"


def set_up(state, rule):
    cells = [",".join(map(str, state[player])) for player in ("p0", "p1")]
    walls = " ".join(named(*wall) for wall in state["walls"])
    return position(f"{state['size']} {cells[0]} {cells[1]} {'AB'[state['turn']]} | {walls}", rule=rule)


def check_step(game, step):
    """Replays one step: legal moves before it, cells, end and zones after it."""
    assert game.turn == step["turn"]
    assert sorted(game.legal_moves.codes) == step["legal"], game.text
    game.push(named(*step["move"]))
    assert [list(divmod(int(cell), game.game.size)) for cell in game.state.cell] == [step["p0"], step["p1"]]
    ended, *zones = step["result"]
    assert ended == (game.outcome() is not None)
    if ended:
        assert game.state.zone.tolist() == zones


@pytest.mark.parametrize("rule, games, steps", [(2022, 25, 230), (2023, 60, 1741)])
def test_the_traces_of_the_course_replay_without_a_difference(rule, games, steps):
    played = traces(rule)
    assert len(played) == games and sum(len(entries) - 2 for entries in played) == steps
    for begin, *middle, end in played[:: 6 if INTERPRETED else 1]:
        game = set_up(begin["state"], rule)
        assert begin["state"]["max_step"] == (begin["state"]["size"] + 1) // 2
        for step in middle:
            check_step(game, step)
        assert game.outcome().winner == {0: 0, 1: 1, "tie": None}[end["winner"]]
        assert game.state.zone.tolist() == end["scores"]
        assert game.text.partition("|")[2].split() == [named(*wall) for wall in sorted(end["walls"])]


def test_nobody_walks_through_the_opponent():
    # a corridor along the top: B stands in it, so A reaches nothing beyond
    corridor = position("5 0,0 0,2 A | 0,0d 0,1d 0,2d 0,3d")
    assert {str(move) for move in corridor.legal_moves} == {"0,0r", "0,1l", "0,1r"}
    # without B, three steps reach 0,3
    assert "0,3l" in position("5 0,0 4,4 A | 0,0d 0,1d 0,2d 0,3d").legal_moves


def test_a_walk_is_at_most_k_steps_and_staying_is_one():
    free = position("7 0,0 6,6 A |")
    assert "0,0r" in free.legal_moves and "0,4d" in free.legal_moves and "0,5d" not in free.legal_moves
    assert "0,2d" not in position("7 0,0 6,6 A |", steps=1).legal_moves
    assert "0,5d" in position("7 0,0 6,6 A |", steps=5).legal_moves


def test_a_barrier_is_shared_by_both_cells():
    free = position("5 2,2 4,4 A |")
    free.push("2,2r")
    free.push("4,4l")
    assert "2,3l" not in free.legal_moves and free.text == "5 2,2 4,4 A | 2,2r 4,3r"


def test_the_game_ends_when_the_zones_part_and_the_larger_wins():
    corner = position("5 0,0 4,4 B | 0,0r")
    corner.push("4,4u")
    assert corner.outcome() is None
    corner.push("0,0d")  # walls itself in
    assert corner.outcome().winner == 1 and corner.outcome().payoffs == (-1.0, 1.0)
    assert corner.outcome().reason == "the zones are apart: A 1, B 24 cells"
    assert len(corner.legal_moves) == 0


def test_equal_zones_are_a_tie_and_cells_out_of_reach_count_for_nobody():
    half = position("6 0,0 0,5 A | 1,2r 2,2r 3,2r 4,2r 5,2r")
    half.push("0,2r")
    assert half.outcome().winner is None and half.outcome().payoffs == (0.0, 0.0)
    # a closed pocket in the corner: A has the upper three rows without it
    pocket = position("5 1,2 4,4 A | 0,0r 0,0d 2,0d 2,1d 2,2d 2,3d")
    pocket.push("2,4d")
    assert pocket.state.zone.tolist() == [14, 10]


def test_cutting_off_a_pocket_without_a_player_goes_on():
    pocket = position("5 2,2 4,4 A | 0,0r")
    pocket.push("1,0u")
    assert pocket.outcome() is None and pocket.text.endswith("| 0,0r 0,0d")


@pytest.mark.parametrize(
    "size, rule, pairs", [(5, 2023, 1), (8, 2023, 3), (11, 2023, 4), (5, 2022, 3), (8, 2022, 4), (12, 2022, 6)]
)
def test_a_start_has_its_pairs_of_barriers_and_players_opposite(size, rule, pairs):
    game = daedalus.game("colosseum", size=size, rule=rule)
    for seed in range(5):
        start = Position(game, seed)
        _, a, b, turn, _, *walls = start.text.split()
        assert turn == "A" and len(walls) == 2 * pairs and start.outcome() is None
        cells = [tuple(map(int, cell.split(","))) for cell in (a, b)]
        assert cells[1] == tuple(size - 1 - x for x in cells[0])
        assert {mirrored(wall, size) for wall in walls} == set(walls)


def mirrored(wall, size):
    """The reflection of a wall in the board's centre, named by its left or upper cell."""
    row, col, side = re.fullmatch(r"(\d+),(\d+)([rd])", wall).groups()
    row, col = size - 1 - int(row), size - 1 - int(col)
    return f"{row},{col - 1}r" if side == "r" else f"{row - 1},{col}d"


def walk_chances(game, cell, steps_left, chances, p):
    """Follows every way a random walk with so many steps may go; adds the chance of each move."""
    size, other = game.game.size, int(game.state.cell[1 - game.turn])
    sides = [side for side in range(4) if not wall_on(game, cell, side)]
    ways = [side for side in sides if cell + (-size, 1, size, -1)[side] != other]
    if steps_left == 0 or not ways:
        for side in sides:
            chances[cell * 4 + side] += p / len(sides)
    else:
        for side in ways:
            walk_chances(game, cell + (-size, 1, size, -1)[side], steps_left - 1, chances, p / len(ways))


def wall_on(game, cell, side):
    """Is there a wall, read off the position's text?"""
    size = game.game.size
    row, col = divmod(cell, size)
    if (row, col, side) in ((0, col, 0), (row, size - 1, 1), (size - 1, col, 2), (row, 0, 3)):
        return True
    name = (f"{row - 1},{col}d", f"{row},{col}r", f"{row},{col}d", f"{row},{col - 1}r")[side]
    return name in game.text.partition("|")[2].split()


def test_the_random_walk_is_the_courses_and_not_uniform():
    game = position("5 0,0 0,1 A | 1,1r 1,1d 0,2r 2,0r")
    chances = Counter()
    for steps in range(4):
        walk_chances(game, 0, steps, chances, 1 / 4)
    assert set(chances) == set(game.legal_moves.codes)
    n, w = 4000, workspaces(game.game, 1, 5)[0]
    with np.errstate(over="ignore"):
        seen = Counter(int(game.game.random_move(game.state, w)) for _ in range(n))
    for move, p in chances.items():
        assert abs(seen[move] - n * p) < 4.5 * (n * p * (1 - p)) ** 0.5, (move, p)


def test_the_example_of_the_notation_reads_and_the_border_is_a_wall_anyway():
    game = position("7 2,0 4,6 A | 0,4r 1,4r 5,1r 6,1r")
    assert game.text == "7 2,0 4,6 A | 0,4r 1,4r 5,1r 6,1r" and "2,0d" in game.legal_moves
    assert position("7 2,0 4,6 A | 0,4r 1,4r 5,1r 6,1d").text == "7 2,0 4,6 A | 0,4r 1,4r 5,1r"


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", "a position is"),
        ("7 2,0 4,6 A", "a position is"),
        ("8 2,0 4,6 A |", "size"),
        ("7 2,0 2,0 A |", "both"),
        ("7 2,7 4,6 A |", "not a cell"),
        ("7 2,0 4,6 C |", "to move"),
        ("7 2,0 4,6 A | 0,4u", "not a wall"),
        ("7 2,0 4,6 A | 0,4r 0,4r", "twice"),
        ("7 2,0 4,6 A | 0,-4r", "not a cell"),
    ],
)
def test_a_wrong_position_says_what_is_wrong(text, reason):
    with pytest.raises(InvalidText, match=reason):
        Position.from_text(daedalus.game("colosseum", size=7), text)


@pytest.mark.parametrize(
    "move, reason",
    [
        ("2,0", "row,column"),
        ("2,9d", "0 to 6"),
        ("2,0l", "has a wall"),
        ("0,4r", "has a wall"),
        ("6,6r", "has a wall"),
        ("6,0u", None),
        ("6,5u", "cannot walk"),
    ],
)
def test_an_illegal_move_says_why(move, reason):
    game = position("7 2,0 4,6 A | 0,4r 1,4r 5,1r 6,1r")
    if reason is None:
        assert game.parse(move) in game.legal_moves
        return
    with pytest.raises(IllegalMove, match=reason):
        game.push(move)
    assert game.history == []


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="0123456789,urdlAB| -x", max_size=24))
def test_any_text_is_read_or_refused_in_one_sentence(text):
    game = daedalus.game("colosseum", size=5)
    for read in (Position(game, 1).parse, lambda text: Position.from_text(game, text)):
        try:
            read(text)
        except DaedalusError as error:
            assert "\n" not in str(error) and len(str(error)) < 300


def test_every_touch_of_a_move_is_in_the_picture():
    for size in (5, 9):
        game = daedalus.new("colosseum", size=size, seed=3)
        live = set(re.findall(r'data-touch="([^"]+)"', game.svg()))
        touched = {touch for move in game.legal_moves for touch in game.touches(move)}
        assert touched <= live and f"cell-{size - 1}-{size - 1}" in live
    assert game.touches(game.parse(str(game.legal_moves[0])))[0].startswith("cell-")


def test_both_cells_of_an_edge_touch_the_same_wall():
    game = position("5 2,2 4,4 A |")
    assert game.touches(game.parse("2,2u")) == ("cell-2-2", "wall-1-2-d")
    assert game.touches(game.parse("1,2d")) == ("cell-1-2", "wall-1-2-d")
    assert game.touches(game.parse("2,2l")) == ("cell-2-2", "wall-2-1-r")


def test_reachable_cells_are_drawn_on_request():
    from daedalus.games.colosseum.picture import svg_with_reach

    game = daedalus.new("colosseum", seed=3)
    reached = {move >> 2 for move in game.legal_moves.codes}
    assert svg_with_reach(game).count('fill-opacity="0.55"') - game.svg().count('fill-opacity="0.55"') >= len(reached)


def test_the_picture_of_the_end_colours_the_zones():
    game = position("5 0,0 4,4 A | 0,0r")
    before = game.svg()
    game.push("0,0d")
    assert "1 cell<" in game.svg() and "24 cells" in game.svg() and "1 cell<" not in before


def test_records_replay_whatever_the_options():
    from daedalus.core import Record

    choice = random.Random(4)
    for options in ({}, {"size": 5, "rule": 2022}, {"size": 9, "steps": 2, "faults": "walk"}):
        game = daedalus.new("colosseum", seed=6, **options)
        while game.outcome() is None:
            game.push(choice.choice(game.legal_moves.codes))
        assert Record.parse(Record.from_position(game).text).replay().bits == game.bits


def test_names_of_compiled_code_tell_records_apart_in_every_process():
    # two sizes compiled by two processes once had the same name in a third, which then called one for the other
    script = (
        "import sys, numba, numpy, daedalus, daedalus.core.numba_internals; from numba.core.itanium_mangler import mangle_type;"
        "from daedalus.core.memory import state_type;"
        "[print(mangle_type(numba.typeof(numpy.zeros(1, state_type(daedalus.game('colosseum', size=int(n))))))) for n in sys.argv[1:]]"
    )
    runs = [
        subprocess.run([sys.executable, "-c", script, *order], capture_output=True, text=True, check=True)
        for order in (["6", "9"], ["9", "6"])
    ]
    first, second = (run.stdout.split() for run in runs)
    assert first == second[::-1] and len(set(first)) == 2
