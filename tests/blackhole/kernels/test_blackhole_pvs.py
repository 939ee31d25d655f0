"""The search of Black-Hole Escape's expert: its board against the rules, its scores against plain minimax and exact values."""

import gzip
import json
import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import daedalus
from daedalus import Limit, Position
from daedalus.core import Clock, mix64, nonzero
from daedalus.games.blackhole.expert import LineSearch
from daedalus.games.blackhole.kernels.lines import CODES, GOALS, board_type, inner, outer, set_board, slide
from daedalus.games.blackhole.kernels.pvs import Tuning, frame_type
from daedalus.games.blackhole.kernels.sight import judged, look
from daedalus.games.blackhole.patterns import DISTANCES, known, mirrored, shipped, swapped
from daedalus.search.budget import Budget
from daedalus.search.kernels.frames import INFINITE, PROVEN, WIN

pytestmark = pytest.mark.interpreted
DATA = Path(__file__).parents[2] / "data"
BOARDS = list(product((5, 7, 9), ("stop", "pass")))
WHOLE = Tuning(late=1000)  # every move is searched to the full depth


@pytest.fixture(autouse=True)
def _wrapping():
    """Helpers called from here wrap around silently, as in kernels."""
    with np.errstate(over="ignore"):
        yield


def any_tables():
    return np.random.default_rng(3).integers(-90, 90, (GOALS, GOALS, DISTANCES, CODES)).astype(np.int16)


def board_of(k, position):
    b = np.zeros(1, board_type())[0]
    set_board(k, position.state, b)
    return b


def random_positions(game, seed, plies=60):
    """Positions of a random game, landings preferred so that all numbers of ships home come up."""
    choice, position = random.Random(seed), Position(game, 1)
    while position.outcome() is None and len(position.history) < plies:
        yield position.copy()
        centre = "abcdefghi"[game.size // 2] + str(game.size // 2 + 1)
        landing = [move for move in position.legal_moves if str(move).endswith(centre)]
        position.push(landing[0] if landing and choice.random() < 0.5 else choice.choice(list(position.legal_moves)))


@pytest.mark.parametrize(("size", "hole"), BOARDS)
def test_a_slide_leads_to_the_board_of_the_rules_and_first_sight_to_its_score(size, hole):
    game = daedalus.game("blackhole", size=size, hole=hole)
    k, f, scratch = known(game, any_tables()), np.zeros(1, frame_type())[0], np.zeros(1, board_type())[0]
    for position in random_positions(game, 6):
        before = board_of(k, position)
        f["best"] = -INFINITE
        look(k, before, scratch, f, 0, INFINITE)
        sights = {outer(k, int(m)): int(f["score"][i]) for i, m in enumerate(f["move"][: f["count"]])}
        assert sorted(sights) == sorted(map(int, position.legal_moves))
        for move in map(int, position.legal_moves):
            after, b = position.copy(), before.copy()
            after.push(move)
            slide(k, b, inner(k, move))
            if after.state.home.max() == size // 2:
                assert sights[move] == WIN - 1
                continue
            fresh = board_of(k, after)
            for name in ("key", "total", "ships", "code", "left", "home", "turn", "ply"):
                assert np.array_equal(b[name], fresh[name]), name
            for seat in range(2):
                left = int(b["left"][seat])
                assert sorted(b["fleet"][seat][:left]) == sorted(fresh["fleet"][seat][:left])
            assert sights[move] == -judged(k, fresh, 1)


@pytest.mark.parametrize(("size", "hole"), BOARDS)
def test_the_key_is_that_of_the_rules(size, hole):
    game = daedalus.game("blackhole", size=size, hole=hole)
    k = known(game, any_tables())
    for position in random_positions(game, 7, plies=20):
        assert int(nonzero(mix64(board_of(k, position)["key"]))) == position.keys[-1]


def minimax(k, position, depth, d=0):
    """The score of a position without pruning, by the rules; `judged` sees a landing that wins one ply ahead."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else WIN - d if outcome.winner == position.turn else d - WIN
    if d > 0 and position.keys[-1] in position.keys[:-1]:
        return 0
    if depth == 0:
        return int(judged(k, board_of(k, position), d))
    best = -INFINITE
    for move in position.legal_moves:
        after = position.copy()
        after.push(move)
        best = max(best, -minimax(k, after, depth - 1, d + 1))
    return best


@pytest.mark.parametrize(("size", "hole"), BOARDS)
def test_without_reductions_the_score_is_that_of_plain_minimax(size, hole):
    game = daedalus.game("blackhole", size=size, hole=hole)
    k = known(game, any_tables())
    for position in list(random_positions(game, 8, plies=40))[::13]:
        view = Position.from_text(game, position.text)  # no earlier positions
        for depth in (1, 2) if size > 5 else (1, 2, 3):
            run = LineSearch(k, WHOLE, table=10).begin(view.view(), Limit(depth=depth))
            run.search(Budget(Clock(Limit())))
            assert run.score == minimax(k, view, depth) or (run.reached < depth and abs(run.score) > PROVEN)


def test_a_narrow_window_around_the_last_score_changes_no_score():
    game = daedalus.game("blackhole")
    k = known(game, any_tables())
    position = list(random_positions(game, 9, plies=13))[-1]
    view = Position.from_text(game, position.text)
    run = LineSearch(k, WHOLE, window=1, table=4).begin(view.view(), Limit(depth=4))
    run.search(Budget(Clock(Limit())))
    assert run.score == minimax(k, view, 4)


@pytest.mark.parametrize("hole", ["stop", "pass"])
def test_wins_and_losses_are_those_of_the_solved_game(hole):
    game = daedalus.game("blackhole", hole=hole)
    search = LineSearch(known(game, np.zeros((GOALS, GOALS, DISTANCES, CODES), np.int16)), table=14)
    with gzip.open(DATA / f"blackhole_positions_{hole}.jsonl.gz", "rt") as file:
        entries = [json.loads(line) for line in file]
    proven = 0
    for entry in entries[:60]:
        position = Position.from_text(game, f"{entry['board']} {entry['to_move']}")
        thought = search.think(position.view(), Limit(depth=4))
        if thought.note:
            proven += 1
            assert thought.value == entry["value"]
        assert not (entry["value"] == 1 and entry["distance"] <= 3) or thought.note == f"win in {entry['distance']}"
    assert proven > 5


def test_a_position_that_has_stood_on_the_board_is_worth_a_draw():
    game = daedalus.game("blackhole", size=7)
    position = Position(game, 1)
    for text in ("b6-e6", "a1-a6", "e6-b6", "a6-a1", "b6-e6", "a1-a6"):
        position.push(text)
    thought = LineSearch(shipped(game)).think(position.view(), Limit(depth=2))
    back = next(each for each in thought.candidates if str(each.move) == "e6-b6")
    assert back.value == 0.0


def test_nothing_is_left_to_win_at_the_cap():
    game = daedalus.game("blackhole", size=7, cap=2)
    assert LineSearch(shipped(game)).think(Position(game, 1).view(), Limit(depth=3)).value == 0.0


def test_a_line_is_worth_the_same_from_either_end():
    for size in (7, 9):
        tables = shipped(daedalus.game("blackhole", size=size))["worth"]
        lines = tables[..., : 3**size, :]
        assert np.array_equal(lines, lines[..., mirrored(size), :])
        assert np.array_equal(tables[..., 1], tables[..., swapped(), 0])
        assert np.abs(tables).max() < 2000
