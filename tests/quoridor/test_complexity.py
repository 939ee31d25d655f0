"""The study of Quoridor's size: its counts against enumeration and the game itself, its report, its command."""

import json
import math
import sys
from collections import Counter
from itertools import combinations
from random import Random
from types import SimpleNamespace

import pytest

import daedalus
from daedalus.core.record import Record
from daedalus.games.quoridor.complexity import estimates, published
from daedalus.games.quoridor.complexity import report as study
from daedalus.games.quoridor.complexity.paths import Board, pawn_pairs_with_paths, sampled_pairs, weighted_sum
from daedalus.games.quoridor.complexity.pawns import official_jumps, pattern_counts, undecided
from daedalus.games.quoridor.complexity.report import Pairing, verdict
from daedalus.games.quoridor.complexity.walls import (
    completions,
    drawn_walls,
    excluded,
    free_slots,
    least_loss,
    wall_configurations,
)
from daedalus.report import Mean
from daedalus.studies import StudyRequest, run_study
from daedalus.studies.games import choices, measured, ratio

GAME = daedalus.game("quoridor")


def name(wall):
    return f"{'abcdefgh'[wall[0]]}{wall[1] + 1}{wall[2]}"


def square(cell):
    return f"{'abcdefghi'[cell[0]]}{cell[1] + 1}"


def placements(columns, rows, walls):
    """All ways to lay so many walls, by trying every set of slots."""
    slots = [(x, y, way) for x in range(columns) for y in range(rows) for way in "hv"]
    for chosen in combinations(slots, walls):
        if not any(a in excluded(b) for a, b in combinations(chosen, 2)):
            yield chosen


@pytest.fixture(scope="module")
def counts():
    return estimates.count()


# --- walls -------------------------------------------------------------------------------------------------------------


def test_a_wall_leaves_the_slots_that_the_game_still_offers():
    position = daedalus.new("quoridor")
    laid = [(0, 0, "h"), (7, 7, "v"), (3, 4, "v"), (2, 2, "h"), (4, 2, "h")]
    for wall in laid:
        position.push(name(wall))
    assert {str(move) for move in position.legal_moves if str(move)[-1] in "hv"} == set(map(name, free_slots(8, 8, laid)))


@pytest.mark.parametrize("columns, rows, most", [(1, 1, 2), (2, 2, 8), (3, 1, 6), (1, 3, 6), (2, 3, 7), (3, 3, 5), (4, 4, 3)])
def test_wall_configurations_are_those_that_enumeration_finds(columns, rows, most):
    found = [sum(1 for _ in placements(columns, rows, walls)) for walls in range(most + 1)]
    assert wall_configurations(columns, rows, most) == found


def test_all_wall_configurations_of_the_real_board_are_the_published_number(counts):
    assert sum(counts.walls[:21]) == int(published.WALL_CONFIGURATIONS.text)


@pytest.mark.parametrize("columns, rows, most", [(1, 1, 5), (2, 2, 5), (3, 2, 5), (2, 3, 5), (3, 3, 5), (3, 4, 4), (4, 3, 4)])
def test_no_placement_leaves_more_slots_than_the_least_loss_says(columns, rows, most):
    expected = []
    for walls in range(most + 1):
        left = [len(free_slots(columns, rows, laid)) for laid in placements(columns, rows, walls)]
        expected += [2 * columns * rows - max(left)] if left else []
    loss = least_loss(columns, rows, most)
    assert loss.least == expected
    assert [len(walls) for walls in loss.walls] == list(range(len(expected)))


def test_the_walls_found_leave_as_many_slots_as_claimed(counts):
    for walls, (laid, left) in enumerate(zip(counts.loss.walls, counts.most_left, strict=True)):
        assert len(set(laid)) == walls and len(free_slots(8, 8, laid)) == left
        assert not any(a in excluded(b) for a, b in combinations(laid, 2))


def test_table_3_2_can_be_bettered_after_5_and_6_walls_only(counts):
    better = [i for i in range(20) if counts.most_left[i] != published.SLOTS_LEFT[i]]
    assert better == [5, 6] and counts.most_left[5:7] == [116, 114]
    position = daedalus.new("quoridor")
    for wall in counts.loss.walls[5]:
        position.push(name(wall))
    assert sum(str(move)[-1] in "hv" for move in position.legal_moves) == 116  # the game itself says so


def test_the_mean_of_the_slots_left_is_that_of_all_placements():
    configurations = wall_configurations(3, 3, 3)
    for walls in range(3):
        left = [len(free_slots(3, 3, laid)) for laid in placements(3, 3, walls)]
        assert (walls + 1) * configurations[walls + 1] == sum(left)


def test_walls_are_drawn_with_the_same_chance_each():
    tables, dice = completions(2, 2, 2), Random(1)
    draws = 4000
    drawn = Counter(frozenset(drawn_walls(tables, 2, 2, dice)) for _ in range(draws))
    assert set(drawn) == set(map(frozenset, placements(2, 2, 2)))
    expected = draws / len(drawn)
    assert sum((seen - expected) ** 2 / expected for seen in drawn.values()) < 60  # chi square; 1 in 100,000 is above


# --- paths -------------------------------------------------------------------------------------------------------------


def has_legal_start(walls, pawns):
    listed = ["".join(name(wall)[:-1] for wall in walls if wall[2] == way) for way in "hv"]
    try:
        daedalus.Position.from_text(GAME, f"{listed[0]} / {listed[1]} / {square(pawns[0])} {square(pawns[1])} / 0 0 / 1")
    except daedalus.InvalidText as error:
        assert "path" in str(error) or "goal" in str(error)
        return False
    return True


def test_a_pawn_has_a_path_where_the_game_says_so():
    tables, dice = completions(8, 8, 20), Random(5)
    seen = Counter()
    while min(seen[True], seen[False]) < 20:
        walls = drawn_walls(tables, 8, 20, dice)
        board = Board.with_walls(9, walls)
        up, down = board.reached(board.last_row), board.reached(board.first_row)
        first, second = [(dice.randrange(9), dice.randrange(8)), (dice.randrange(9), dice.randrange(1, 9))]
        paths = bool(up >> first[1] * 9 + first[0] & down >> second[1] * 9 + second[0] & 1)
        if first != second and seen[paths] < 20:
            assert has_legal_start(walls, (first, second)) == paths
            seen[paths] += 1


def test_pairs_of_pawns_with_paths_on_boards_counted_by_hand():
    assert pawn_pairs_with_paths(Board.with_walls(9, [])) == estimates.pawn_pairs()
    cut = Board.with_walls(4, [(0, 1, "h"), (2, 1, "h")])  # two halves of 8 cells: each pawn must be in that of its goal
    assert pawn_pairs_with_paths(cut) == 8 * 8 - 4 * 4


def test_a_sample_gives_the_mean_of_all_placements():
    truth = [[pawn_pairs_with_paths(Board.with_walls(4, laid)) for laid in placements(3, 3, walls)] for walls in range(4)]
    for mean, found in zip(sampled_pairs(4, 3, 2000, seed=3), truth, strict=True):
        assert abs(mean.value - sum(found) / len(found)) <= 4 * mean.error
    assert weighted_sum([Mean(2, 3), Mean(5, 4)], [1, 1]) == (7, 5)


# --- pawns -------------------------------------------------------------------------------------------------------------


def test_table_3_1_agrees_but_for_two_patterns(counts):
    counted = {name: (count.positions, count.decisions) for name, count in counts.patterns.items()}
    assert {name for name in counted if counted[name] != published.PATTERNS[name]} == {"BC_4", "BB_6"}
    assert counted["BC_4"] == (2, 6) and counted["BB_6"] == (2856, 4 * 2856)


def test_the_printed_table_adds_up_to_the_printed_sums():
    sums = [sum(column) for column in zip(*published.PATTERNS.values(), strict=True)]
    assert sums == [int(published.PATTERN_POSITIONS.text), int(published.PATTERN_DECISIONS.text)]


def test_every_pair_of_cells_has_a_pattern(counts):
    assert counts.pawns.positions == 72 * 72 - 63  # each pawn off its goal row, both not on one cell


def test_official_jumps_are_those_of_the_game():
    size = 5
    game = daedalus.game("quoridor", width=size, height=size, walls=0)
    total = 0
    for mover, other in undecided(size):
        position = daedalus.Position.from_text(game, f"/ / {square(mover)} {square(other)} / 0 0 / 1")
        assert {str(move) for move in position.legal_moves} == set(map(square, official_jumps(mover, other, size)))
        total += len(position.legal_moves)
    assert total == sum(count.official for count in pattern_counts(size).values())


# --- equations ---------------------------------------------------------------------------------------------------------


def test_stock_factors_are_those_of_equations_3_2_and_3_4():
    f = [i + 1 if i <= 10 else 21 - i for i in range(21)]
    g = [i + 1 if i <= 9 else 20 - i for i in range(21)]
    assert [estimates.stock_splits(i) for i in range(21)] == f
    assert [estimates.stock_splits_with_wall(i) for i in range(21)] == g


def test_a_printed_number_may_be_rounded_or_cut_off():
    printed = published.Printed("2.2775e27", "")
    assert verdict(printed, 2.27751e27) == "agrees"
    assert verdict(printed, 2.27758e27) == "agrees; printed cut off instead of rounded"
    assert verdict(printed, 2.27762e27) == "differs"


# --- games -------------------------------------------------------------------------------------------------------------


def test_a_ratio_has_the_standard_error_of_its_groups():
    mean = ratio([3, 5], [1, 1])  # the mean of 3 and 5 with a standard deviation of sqrt 2
    assert mean.value == 4 and mean.error == pytest.approx(1.0)
    assert ratio([30, 50], [10, 10]) == pytest.approx((4, 1.0))


def test_a_pair_of_equal_games_counts_as_one_observation():
    position = daedalus.new("quoridor", width=3, height=3, walls=0)
    for move in ("a1", "b2", "a2", "b1"):
        position.push(move)
    game = SimpleNamespace(pair=0, plies=4, payoffs=(-1.0, 1.0), forfeit=None, parsed=Record.from_position(position))
    assert choices(game) == [3, 3, 2, 5]
    both = measured([game, game])
    assert both[:2] == (2, 0) and both.length.value == 4 and both.branching.value == 13 / 4
    assert math.isnan(both.length.error)  # one pair has no spread


# --- report and command ------------------------------------------------------------------------------------------------


@pytest.fixture
def few_games(monkeypatch, counts):
    monkeypatch.setattr(study, "count", lambda: counts)
    monkeypatch.setattr(study, "QUICK_SAMPLES", 2)
    monkeypatch.setattr(study, "PAIRINGS", (Pairing("path", 4, 2),))


def command(capsys, monkeypatch, *arguments):
    from daedalus.cli import main

    monkeypatch.setattr(sys, "argv", ["daedalus", "study", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code, *capsys.readouterr()


def test_every_printed_equation_is_what_its_formula_gives(few_games):
    report = run_study("quoridor-complexity", StudyRequest(quick=True, workers=1))
    equations = next(table for table in report.tables if table.name == "equations")
    assert len(equations.rows) == 12 and all(row[-1].startswith("agrees") for row in equations.rows)
    games = next(table for table in report.tables if table.name == "games")
    assert games.rows[0][:3] == ["path", 2, 0] and games.rows[-1][3] == 60.4
    assert games.rows[0][4] is games.rows[0][6] is None  # one pair has no spread, and JSON has no word for that


def test_an_agent_that_does_not_exist_is_named_and_left_out(few_games, monkeypatch):
    monkeypatch.setattr(study, "PAIRINGS", (Pairing("nobody", 2, 2),))
    report = run_study("quoridor-complexity", StudyRequest(quick=True, workers=1))
    assert any("unknown agent 'nobody'" in text for text in report.texts)


def test_the_command_writes_its_report_to_a_folder(few_games, capsys, monkeypatch, tmp_path):
    arguments = ["quoridor-complexity", "--quick", "--workers", "1", "--out", str(tmp_path / "new" / "folder"), "--json"]
    code, out, _ = command(capsys, monkeypatch, *arguments)
    data = json.loads(out)
    assert code == 0 and data["study"] == "quoridor-complexity" and "time taken" in data["facts"]
    endings = [file.rpartition(".")[2] for file in data["files"]]
    assert endings == ["md", "html"] + ["csv"] * len(data["tables"])
    assert all((tmp_path / "new" / "folder" / file).stat().st_size for file in data["files"])
