"""The rules of Quoridor: published perft numbers, a slow oracle, and hand-made corners."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from quoridor_oracle import Oracle

import daedalus
from daedalus import IllegalMove, Position
from daedalus.core.memory import copies, workspaces
from daedalus.search import perft, playouts

# specs/quoridor.md, section 7: moves from the start, legal pawn moves, legal moves, perft 2, perft 3
PUBLISHED = [
    ("e2 e8 e3 e7 e4 e6 e5", "d6 e4 e7 f6", 132, 16938, 2111842),
    ("e2 e8 e3 e7 e4 e6 e5 e4h a1h", "d5 d6 e7 f5 f6", 126, 15176, 1800591),
    ("e2 e8 e3 e7 e4 e6 e5 e4h d5v a8h a1h", "e7 f5 f6", 117, 13148, 1442631),
    ("e2 e8 e3 e7 e4 e6 e5 e5h", "d5 e4 f5", 127, 15666, 1876216),
    ("e2 e8 e3 e7 e4 e6 d4 e5 d5 a1h", "c5 d4 d6 f5", 129, 16168, 1967842),
    ("e2 e8 e3 e7 e4 e6 d4 e5 d5 e5v", "c5 d4 d6 e4 e6", 129, 15922, 1936376),
    ("e2 a1h e3 c1h e4 a3h e5 c3h e6 a5h e7 c5h e8 g1h", "d8 d9 e7 f8 f9", 111, 11503, 1194855),
    ("e2 e8 e3 e7 e4 e6 e3h d6h f4v c5v d4 f6 c2h g7h", "c4 d3 d5 e4", 108, 11304, 1145627),
    (
        "b1h e8 e2 a3h e3 e7 e4 e6 e3h e7h d4 c7h d5 f6 e5 g7h e6 f5 f4v a7h c3h e6v e5 f6 g5h g6 h5v g7 f5 h7 f6 i7 g6 i6 g7 i5",
        "f7 g6 h7",
        89,
        7544,
        621991,
    ),
]
# the same section: options, perft 1, 2, ...
OTHER_BOARDS = [
    ({"width": 3, "height": 3, "walls": 1}, [11, 77, 316, 1172, 3452]),
    ({"width": 3, "height": 3, "walls": 2}, [11, 77, 380, 1528]),
    ({"width": 5, "height": 5, "walls": 2}, [35, 1109, 31540]),
    ({"width": 5, "height": 5, "walls": 3}, [35, 1109, 31540]),
    ({"width": 7, "height": 7, "walls": 5}, [75, 5357]),
    ({"players": 4}, [131, 16677]),
]
BOARDS = [
    {},
    {"players": 4},
    {"players": 4, "third": "block", "width": 5, "height": 5},
    {"width": 3, "height": 3, "walls": 4},
    {"width": 3, "height": 4, "walls": 2, "players": 4},
    {"width": 4, "height": 7, "walls": 6},
    {"width": 11, "height": 5, "walls": 12},
    {"width": 11, "height": 11, "walls": 30},
    {"width": 10, "height": 11, "walls": 10, "players": 4},
]


def game_after(moves, **options):
    position = daedalus.new("quoridor", **options)
    for move in moves.split():
        position.push(move)
    return position


def pawn_moves(position):
    return {str(move) for move in position.legal_moves if move < 128}


def wander(options, seed, plies):
    """Positions of a random game in which walls and steps are about as frequent."""
    position, choice = daedalus.new("quoridor", **options), random.Random(seed)
    for _ in range(plies):
        if position.outcome():
            return
        yield position
        steps, walls = ([m for m in position.legal_moves.codes if (m >= 128) == sort] for sort in (False, True))
        position.push(choice.choice(walls if walls and (not steps or choice.random() < 0.5) else steps))


def test_perft_from_the_start_is_the_published_one():
    start = daedalus.new("quoridor")
    assert [perft(start, depth) for depth in range(1, 5)] == [131, 16677, 2062264, 247569030]


@pytest.mark.parametrize("moves, pawn, total, second, third", PUBLISHED)
def test_published_positions_have_the_published_moves(moves, pawn, total, second, third):
    position = game_after(moves)
    assert pawn_moves(position) == set(pawn.split())
    assert [len(position.legal_moves), perft(position, 2), perft(position, 3)] == [total, second, third]


@pytest.mark.interpreted
@pytest.mark.parametrize("moves, pawn, total", [row[:3] for row in PUBLISHED])
def test_published_positions_have_the_published_moves_without_the_compiler_too(moves, pawn, total):
    position = game_after(moves)
    assert pawn_moves(position) == set(pawn.split()) and len(position.legal_moves) == total


@pytest.mark.parametrize("options, counts", OTHER_BOARDS)
def test_perft_of_other_boards_is_the_published_one(options, counts):
    start = daedalus.new("quoridor", **options)
    assert [perft(start, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.interpreted
def test_a_wall_that_seals_the_opponent_off_is_illegal():
    position = game_after(PUBLISHED[-1][0])
    with pytest.raises(IllegalMove, match="without a path"):
        position.push("h4h")


@pytest.mark.interpreted
@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_legal_moves_are_those_of_the_slow_oracle(options):
    for position in wander(options, seed=1, plies=24):
        oracle = Oracle(position.game, position.text)
        assert {str(move) for move in position.legal_moves} == oracle.legal_moves(), position.text


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_legal_moves_are_those_of_the_slow_oracle_in_more_games(options):
    for seed in range(2, 5):
        for position in itertools.islice(wander(options, seed, plies=60), None, None, 2):
            oracle = Oracle(position.game, position.text)
            assert {str(move) for move in position.legal_moves} == oracle.legal_moves(), position.text


def read(text, **options):
    return Position.from_text(daedalus.game("quoridor", **options), text)


@pytest.mark.interpreted
def test_a_third_pawn_behind_is_like_a_wall_or_blocks_as_the_option_says():
    text = "/ / e4 a5 e6 e5 / 5 5 5 5 / 1"  # White on e4 meets Green on e5, Black on e6 stands behind
    assert pawn_moves(read(text, players=4)) == {"d4", "f4", "e3", "d5", "f5"}
    assert pawn_moves(read(text, players=4, third="block")) == {"d4", "f4", "e3"}


@pytest.mark.interpreted
def test_two_ways_to_the_same_square_are_one_move():
    # d5 is reached over Green on e5 (Black behind it) and over Red on d4 (the wall c4v behind it)
    position = read("/ c4 / e4 d4 e6 e5 / 5 5 5 4 / 1", players=4)
    moves = [str(move) for move in position.legal_moves if move < 128]
    assert moves.count("d5") == 1 and set(moves) == {"f4", "e3", "d5", "f5", "d3"}


@pytest.mark.interpreted
@pytest.mark.parametrize("third", ["wall", "block"])
def test_who_is_boxed_in_passes_unless_a_wall_can_be_placed(third):
    # White on a1: the wall a1v on the right, Black on a2, Red behind it on a3
    boxed = read("/ a1 / a1 a3 a2 i5 / 0 1 1 1 / 1", players=4, walls=1, third=third)
    assert [str(move) for move in boxed.legal_moves] == ["pass"]
    S, W = copies(boxed.game, [boxed.state], 1), workspaces(boxed.game, 1, 5)
    assert boxed.game.random_move(S[0], W[0]) == boxed.legal_moves[0]
    boxed.push("pass")
    assert boxed.turn == 1 and boxed.text == "/ a1 / a1 a3 a2 i5 / 0 1 1 1 / 2"
    able = read("/ a1 / a1 a3 a2 i5 / 1 0 1 1 / 1", players=4, walls=1, third=third)
    assert able.legal_moves and all(move >= 128 for move in able.legal_moves)


@pytest.mark.interpreted
def test_landing_on_the_goal_by_a_jump_wins_at_once():
    position = game_after("e2 a1h e3 c1h e4 a3h e5 c3h e6 a5h e7 c5h e8 g1h")
    position.push("f9")
    outcome = position.outcome()
    assert outcome.winner == 0 and outcome.payoffs == (1.0, -1.0) and outcome.reason == "White has reached the other side"
    assert not position.legal_moves and perft(position, 2) == 0


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "seat, pawns, move",
    [(0, "e8 a5 e2 i5", "d8"), (1, "e2 h5 e8 i4", "i5"), (2, "d2 a5 e2 i5", "e1"), (3, "e2 a4 e8 b5", "a5")],
)
def test_each_of_four_seats_wins_on_the_side_opposite_to_its_start(seat, pawns, move):
    position = read(f"/ / {pawns} / 5 5 5 5 / {seat + 1}", players=4)
    position.push("e9" if seat == 0 else move)
    assert position.outcome().winner == seat
    assert position.outcome().payoffs == tuple(1.0 if other == seat else -1.0 for other in range(4))


@pytest.mark.interpreted
def test_starts_are_the_middles_of_the_sides_and_left_of_them_when_there_are_two():
    assert daedalus.new("quoridor").text == "/  / e1 e9 / 10 10 / 1"
    assert daedalus.new("quoridor", players=4).text == "/  / e1 a5 e9 i5 / 5 5 5 5 / 1"
    assert daedalus.new("quoridor", width=4, height=6, players=4, walls=2).text == "/  / b1 a3 b6 d3 / 2 2 2 2 / 1"
    assert daedalus.new("quoridor", width=11, height=3, walls=0).text == "/  / f1 f3 / 0 0 / 1"


@pytest.mark.interpreted
def test_the_cap_is_a_draw_but_not_if_the_last_ply_wins():
    position = game_after("e2 e8 d2", cap=3)
    assert position.outcome().payoffs == (0.0, 0.0) and position.outcome().reason == "3 plies played"
    won = game_after("b2 a3 b3", width=3, height=3, walls=0, cap=3)
    assert won.outcome().winner == 0


@pytest.mark.interpreted
def test_the_third_occurrence_is_a_draw_if_wanted():
    cycle = "e2 e8 e1 e9 "
    assert game_after(cycle * 2, repetition=3).outcome().reason == "position repeated 3 times"
    assert game_after(cycle * 4).outcome() is None


@pytest.mark.interpreted
def test_a_key_tells_pawns_walls_stocks_and_turn_apart():
    texts = [
        "/ / e1 e9 / 10 10 / 1",
        "/ / e1 e9 / 10 10 / 2",
        "/ / e2 e9 / 10 10 / 1",
        "/ / e1 e8 / 10 10 / 1",
        "e4 / / e1 e9 / 9 10 / 1",
        "e4 / / e1 e9 / 10 9 / 1",
        "/ e4 / e1 e9 / 9 10 / 1",
        "e8 / / e1 e9 / 9 10 / 1",
        "/ e8 / e1 e9 / 9 10 / 1",
    ]
    assert len({read(text).keys[-1] for text in texts}) == len(texts)
    one, two = game_after("a1h e8 c1h e7"), game_after("c1h e8 a1h e7")
    assert one.keys[-1] == two.keys[-1]


@pytest.mark.interpreted
def test_random_moves_are_uniform_over_the_legal_ones():
    position = game_after("a2h b3", width=3, height=4, walls=2)
    codes = position.legal_moves.codes
    S, W = copies(position.game, [position.state], 1), workspaces(position.game, 1, 5)
    with np.errstate(over="ignore"):
        counts = Counter(int(position.game.random_move(S[0], W[0])) for _ in range(300 * len(codes)))
    assert set(counts) == set(codes)
    chi_square = sum((counts[code] - 300) ** 2 / 300 for code in codes)
    assert chi_square < len(codes) - 1 + 5 * (2 * (len(codes) - 1)) ** 0.5  # five standard deviations


def test_uniform_playouts_are_fair_and_end():
    result = playouts(daedalus.new("quoridor"), 4000)
    assert abs(result.payoffs[0]) < 0.06 and result.payoffs[0] == -result.payoffs[1]
    four = playouts(daedalus.new("quoridor", players=4), 4000)
    assert all(abs(payoff - four.payoffs[0]) < 0.1 for payoff in four.payoffs)


@pytest.mark.interpreted
def test_walls_default_to_ten_for_two_and_five_for_four():
    assert daedalus.game("quoridor").walls == 10 and daedalus.game("quoridor", players=4).walls == 5
    assert daedalus.game("quoridor", players=4, walls=7).walls == 7
