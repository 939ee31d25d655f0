"""The maze: floods, pushes, insertions allowed, goals, home, and the variants of the thesis's last chapter."""

import random

import numba
import numpy as np
import pytest

import daedalus
from daedalus import Position
from daedalus.core.compile import compiler
from daedalus.core.memory import copies, states, workspaces
from daedalus.core.registry import registration_of
from daedalus.games.labyrinth import goals_found
from daedalus.games.labyrinth.kernels.maze import exits_at, flood, join, rotations, turned
from daedalus.games.labyrinth.kernels.rules import push

STEPS = ((-1, 0, 1, 4), (0, 1, 2, 8), (1, 0, 4, 1), (0, -1, 8, 2))  # row, column, own exit, the neighbour's


def joined(exits, start):
    """The cells connected to start, by a plain graph search over {(row, column): exits}."""
    seen, todo = {start}, [start]
    while todo:
        row, column = todo.pop()
        for down, right, out, into in STEPS:
            cell = row + down, column + right
            if cell in exits and cell not in seen and exits[row, column] & out and exits[cell] & into:
                seen.add(cell)
                todo.append(cell)
    return seen


compiler()  # which now knows the helpers that `fill` calls


@numba.njit
def fill(S, W, cell):
    """Floods from a cell of S[0], compiled as kernels are."""
    join(S[0], W[0])
    flood(W[0], cell)


@pytest.mark.interpreted
def test_flood_equals_a_graph_search_on_ten_thousand_random_boards():
    choice = random.Random(3)
    memory = {}
    for name, side in (("8x8", 8), ("16x16", 16)):
        game = daedalus.game("labyrinth", board=name)
        memory[side] = states(game, 1), workspaces(game, 1, 1)
    for _ in range(10_000):
        rows, columns = (choice.randint(1, 8), choice.randint(1, 8)) if choice.random() < 0.7 else (choice.randint(1, 16), 16)
        side = 8 if max(rows, columns) <= 8 else 16
        crowd = choice.choice((3, 5, 7, 11, 14, 15))
        exits = {(r, c): choice.choice((crowd, choice.randrange(16))) for r in range(rows) for c in range(columns)}
        S, W = memory[side]
        words = [[0] * (1 if side == 8 else 4) for _ in range(4)]
        for (r, c), e in exits.items():
            cell = r * side + c
            for d in range(4):
                words[d][cell >> 6] |= (e >> d & 1) << (cell & 63)
        S[0].rows, S[0].columns = rows, columns
        S[0].exits[:] = np.array(words, np.uint64)
        start = choice.choice(list(exits))
        fill(S, W, start[0] * side + start[1])
        reach = sum(int(word) << 64 * k for k, word in enumerate(W[0].reach))
        assert reach == sum(1 << r * side + c for r, c in joined(exits, start)), (rows, columns, exits, start)


@pytest.mark.interpreted
@pytest.mark.parametrize("board", ["original", "random", "3x3", "8x2", "3x7", "16x16", "15x9"])
def test_a_push_shifts_the_line_and_the_opposite_push_restores_the_board(board):
    game = daedalus.game("labyrinth", board=board, rows="all", columns="all", players=4)
    choice = random.Random(board)
    for seed in range(6):
        S = copies(game, [Position(game, seed).state], 2)
        before = S[0]
        for p in range(4):
            before.pawn[p] = choice.randrange(game.board[1]) * game.side + choice.randrange(game.board[2])
        S[1] = S[0]
        s = S[1]
        location = choice.randrange(int(s.locations))
        laid = turned(int(s.extra), choice.randrange(rotations(int(s.extra))))
        expected = shifted(game, before, location, laid)
        push(s, location, laid)
        assert tiles(game, s) == expected
        push(s, location ^ 1, int(s.extra))
        assert tiles(game, s) == tiles(game, before) and int(s.extra) == laid
        assert s.pawn.tolist() == before.pawn.tolist() and s.where[1:].tolist() == before.where[1:].tolist()


def tiles(game, s):
    cells = [(r, c) for r in range(game.board[1]) for c in range(game.board[2])]
    return {(r, c): (int(exits_at(s, r * game.side + c)), int(s.marker[r * game.side + c])) for r, c in cells}


def shifted(game, s, location, laid):
    """The tiles after a push, by hand: the line as a list, the new tile at one end."""
    board = tiles(game, s)
    line = int(s.lines[location >> 1])
    if line < game.side:
        cells = [(line, c) for c in range(game.board[2])]
    else:
        cells = [(r, line - game.side) for r in range(game.board[1])]
    cells = cells[::-1] if location & 1 else cells
    row = [(laid, int(s.extra_marker)), *(board[cell] for cell in cells)]
    return board | dict(zip(cells, row, strict=False))


@pytest.mark.interpreted
@pytest.mark.parametrize("board, lines", [("original", 3 + 3), ("5x5", 2 + 2), ("3x3", 3 + 3), ("3x7", 1 + 3), ("9x12", 4 + 5)])
@pytest.mark.parametrize("undo, less", [("position", None), ("exact", 1), ("free", 0)])
def test_as_many_insertions_as_the_rule_against_undoing_leaves(undo, less, board, lines):
    """The thesis counts t(rm + cm) - b (its section 7.1), t twice the rotations; b is 1 if a push can be undone."""
    position = daedalus.new("labyrinth", seed=4, undo=undo, board=board)
    for turn in range(6):
        ways = rotations(int(position.state.extra))
        insertions = {move // position.game.side**2 for move in position.legal_moves.codes}
        barred = 0 if turn == 0 else ways if less is None else less
        assert len(insertions) == 2 * ways * lines - barred
        position.push(position.legal_moves[turn * 17 % len(position.legal_moves)])


SMALL = "L1RI1AL2Y/T3aI0bT1c/L0GI1dL3B"  # the corners, a b c in the middle row, d below


def small(cards, extra="I0A", turn="R", pawns="R0,0;B2,2", **options):
    game = daedalus.game("labyrinth", board="3x3", **options)
    return Position.from_text(game, f"{SMALL} {extra} {turn} - {pawns} {cards} 0")


@pytest.mark.interpreted
def test_ending_on_the_goal_finds_it_and_only_the_current_one():
    for cards, found in (("R:|ab;B:|cd", 1), ("R:|ba;B:|cd", 0)):
        position = small(cards)
        position.push("W2I1-1,0")  # from the corner south to a
        assert position.state.found.tolist()[0] == found and position.turn == 1


@pytest.mark.interpreted
def test_a_pawn_pushed_out_comes_back_on_the_tile_that_came_in():
    position = small("R:|ab;B:|cd", pawns="R0,2;B0,2")
    position.push("W0I1-0,0")
    assert position.state.pawn.tolist()[:2] == [0, 0]


@pytest.mark.interpreted
def test_being_pushed_onto_the_goal_counts_only_with_the_own_move():
    position = small("R:|ab;B:|cd", turn="B", pawns="R1,0;B2,2")  # red stands on a, its goal
    position.push("W0I1-2,2")
    assert position.state.found.tolist()[:2] == [0, 0]
    assert position.push(next(m for m in map(str, position.legal_moves) if m.startswith("N2") and m.endswith("-1,0")))
    assert position.state.found.tolist()[:2] == [1, 0], "staying on it counts"


@pytest.mark.interpreted
def test_coming_home_with_all_cards_wins():
    position = small("R:ab|;B:|cd", pawns="R0,0;B2,2")
    home = next(str(m) for m in position.legal_moves if str(m).startswith("W1") and str(m).endswith("-0,0"))
    position.push(home)
    outcome = position.outcome()
    assert outcome.winner == 0 and outcome.payoffs == (1.0, -1.0) and outcome.reason == "Red has found all 2 goals and is home"
    assert goals_found(position) == (3, 0), "the home counts as a goal"


@pytest.mark.interpreted
def test_who_finds_a_goal_has_another_turn_if_so_agreed():
    stay = next(
        str(m) for m in small("R:|ab;B:|cd", pawns="R1,0;B2,2").legal_moves if str(m)[:2] == "W0" and str(m).endswith("-1,0")
    )
    for again in (False, True):
        position = small("R:|ab;B:|cd", pawns="R1,0;B2,2", again=again)
        position.push(stay)
        assert position.turn == (0 if again else 1)


@pytest.mark.interpreted
def test_goals_in_any_order_count_whichever_is_found():
    for goals, found in (("next", 0), ("any", 1)):
        position = small("R:|ba;B:|cd", pawns="R1,0;B2,2", goals=goals)  # a is the second card
        position.push(next(str(m) for m in position.legal_moves if str(m)[:2] == "W0" and str(m).endswith("-1,0")))
        assert position.state.found.tolist()[0] == found
        assert position.text.split()[5].startswith("R:a|b" if found else "R:|ba")


@pytest.mark.interpreted
def test_a_pawn_in_the_way_is_entered_but_not_passed():
    row = "L1RI1AI1AI1AL2Y/" + "I0AI0AI0AI0AI0A/" * 3 + "L0GI0aI0bI0cL3B I0A R - R0,0;B0,2 R:|a;B:|b;-:c 0"
    for block, far in ((False, 4), (True, 2)):
        game = daedalus.game("labyrinth", board="5x5", objects=3, block=block)
        position = Position.from_text(game, row)
        reach = {str(m).split("-")[1] for m in position.legal_moves if str(m).startswith("W3")}
        assert max(int(cell.split(",")[1]) for cell in reach if cell.startswith("0")) == far


@pytest.mark.interpreted
def test_at_the_cap_the_most_goals_found_win_and_equal_is_a_draw():
    ahead = small("R:a|b;B:|cd", cap=1)
    ahead.push(next(str(m) for m in ahead.legal_moves if str(m)[:2] == "W0"))
    assert ahead.outcome().payoffs == (1.0, -1.0) and ahead.outcome().reason == "1 turn played"
    even = small("R:a|b;B:c|d", cap=1, pawns="R2,2;B2,2")
    even.push(next(str(m) for m in even.legal_moves if str(m)[:2] == "W0" and str(m).endswith("-2,2")))
    assert even.outcome().payoffs == (0.0, 0.0)


def mean_turns(board, policies, games):
    """(share won by seat 0, mean and standard error of turns - 1) of games between simple players."""
    game = daedalus.game("labyrinth", board=board, cap=0)
    totals = np.zeros(7)
    kernels = registration_of(game).kernels.load("daedalus.games.labyrinth.kernels.montecarlo")
    kernels.play_games(game, states(game, 2), workspaces(game, 1, 9), games, np.array(policies), totals)
    mean = totals[5] / games
    return totals[0] / games, mean - 1, np.sqrt((totals[6] / games - mean**2) / games)


@pytest.mark.parametrize(
    "board, policies, won, turns",
    [
        ("original", (0, 0), 0.50, 327.3),
        ("5x5", (0, 0), 0.51, 129.0),
        ("3x3", (0, 0), 0.54, 25.7),
        ("original", (1, 0), 1.0, 67.6),
        ("5x5", (1, 0), 0.977, 43.0),
        ("3x3", (1, 0), 0.985, 5.3),
    ],
)
def test_simple_players_do_as_the_specification_measured(board, policies, won, turns):
    share, mean, error = mean_turns(board, policies, 1000)
    assert abs(share - won) < 0.05
    assert abs(mean - turns) < 4 * np.sqrt(2) * error  # both are samples
