"""Quoridor as text: standard moves, other notations, positions and what is said about wrong ones."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import daedalus
from daedalus import IllegalMove, InvalidText, Position
from daedalus.games.quoridor.text import console_move_text, flipped, read_console_move, read_flipped_move

pytestmark = pytest.mark.interpreted


def read(text, **options):
    return Position.from_text(daedalus.game("quoridor", **options), text)


def game_after(moves, **options):
    position = daedalus.new("quoridor", **options)
    for move in moves.split():
        position.push(move)
    return position


def test_a_wall_is_named_by_the_square_nearest_to_a1():
    position = game_after("e3h d6v")
    assert position.text == "e3 / d6 / e1 e9 / 9 9 / 1"
    state = position.state
    closed = [at for at in range(99) if at % 11 < 9 and not (int(state.n0) | int(state.n1) << 64) >> at & 1 and at < 88]
    assert closed == [2 * 11 + 4, 2 * 11 + 5]  # above e3 and f3
    closed = [at for at in range(99) if at % 11 < 8 and not (int(state.e0) | int(state.e1) << 64) >> at & 1]
    assert closed == [5 * 11 + 3, 6 * 11 + 3]  # beside d6 and d7


def test_the_published_line_is_read_and_written():
    for text in (" /  / e2 e8 / 10 10 / 1", "/ / e2 e8 / 10 10 / 1", "/  /  e2  e8 / 10 10 / 1 "):
        assert read(text).text == "/  / e2 e8 / 10 10 / 1"
    full = "a1e3c6 / d4h8 / e2 e8 / 7 8 / 2"
    assert read(full).text == full and read("c6 a1 E3 / h8d4 / e2 e8 / 7 8 / 2").text == full


@pytest.mark.parametrize(
    "text, reason",
    [
        ("/ / e1 e9 / 10 10", "five parts"),
        ("/ / e1 / 10 10 / 1", "2 pawns"),
        ("/ / e1 e9 / 10 / 1", "2 stocks"),
        ("/ / e1 e10 / 10 10 / 1", "no square e10"),
        ("/ / e1 k9 / 10 10 / 1", "no square k9"),
        ("/ / e1 ee / 10 10 / 1", "'ee' is not a square"),
        ("/ / e5 e5 / 10 10 / 1", "White and Black stand on the same square, e5"),
        ("x / / e1 e9 / 10 10 / 1", "not a list of walls"),
        ("i3 / / e1 e9 / 9 10 / 1", "stick out"),
        ("e9 / / e1 e9 / 9 10 / 1", "stick out"),
        ("e3e3 / / e1 e9 / 9 9 / 1", "e3h is there twice"),
        ("e3f3 / / e1 e9 / 9 9 / 1", "e3h and f3h overlap"),
        ("/ e3e4 / e1 e9 / 9 9 / 1", "e3v and e4v overlap"),
        ("e3 / e3 / e1 e9 / 9 9 / 1", "e3h and e3v cross"),
        ("/ / e1 e9 / 11 10 / 1", "White has 11 walls"),
        ("/ / e1 e9 / 9 10 / 1", "1 walls are missing from the stocks but 0 are on the board"),
        ("e3 / / e1 e9 / 10 10 / 1", "0 walls are missing from the stocks but 1 are on the board"),
        ("/ / e1 e9 / x 10 / 1", "'x' is not a stock"),
        ("/ / e1 e9 / 10 10 / 3", "no player 3"),
        ("/ / e1 e9 / 10 10 / w", "'w' is not the player to move"),
        ("/ / e9 d1 / 10 10 / 2", "White and Black have both reached"),
        ("/ / e9 d5 / 10 10 / 1", "White has won"),
        ("a8c8e8g8h7 / h8 / e5 e9 / 10 4 / 1", "walls leave White on e5 no path"),
    ],
)
def test_every_violation_is_named(text, reason):
    with pytest.raises(InvalidText, match=reason):
        read(text)


def test_a_won_position_is_over():
    won = read("/ / e9 d5 / 10 10 / 2")
    assert won.outcome().winner == 0 and not won.legal_moves
    assert read("/ / d5 e1 / 10 10 / 1").outcome().winner == 1


@pytest.mark.parametrize(
    "text, reason",
    [
        ("e4", "too far"),
        ("d2", "too far"),
        ("e1", "stands there already"),
        ("e10", "no square e10"),
        ("k3", "no square k3"),
        ("i3h", "stick out"),
        ("a0", "is not a square|not a move|no square"),
        ("e3x", "not a move"),
        ("", "not a move"),
        ("pass", "not a legal move"),
    ],
)
def test_a_move_that_cannot_be_is_refused_with_the_reason(text, reason):
    position = daedalus.new("quoridor")
    with pytest.raises(IllegalMove, match=reason):
        position.push(text)
    assert not position.history


def test_steps_and_jumps_that_cannot_be_are_refused_with_the_reason():
    with pytest.raises(IllegalMove, match="a wall stands between e2 and e3"):
        game_after("e2 e2h").push("e3")
    meeting = game_after("e2 e8 e3 e7 e4 e6 e5")  # Black on e6, White on e5 below it
    for text, reason in (("e5", "another pawn"), ("d5", "no jump leads there"), ("e8", "no jump leads there")):
        with pytest.raises(IllegalMove, match=reason):
            meeting.push(text)


def test_walls_that_cannot_be_are_refused_with_the_reason():
    position = game_after("e3h e8")
    for text, reason in (("e3h", "twice"), ("f3h", "overlap"), ("d3h", "overlap"), ("e3v", "cross")):
        with pytest.raises(IllegalMove, match=reason):
            position.push(text)
    with pytest.raises(IllegalMove, match="no walls left"):
        daedalus.new("quoridor", walls=0).push("e3h")


def test_the_flipped_form_is_that_of_glendenning_and_openspiel():
    game = daedalus.game("quoridor")
    pairs = [("e1", "e9"), ("e2", "e8"), ("e3h", "e6h"), ("a1v", "a8v"), ("h8h", "h1h")]
    for ours, theirs in pairs:
        assert flipped(game, ours) == theirs and flipped(game, theirs) == ours
    position = daedalus.new("quoridor")
    assert position.move(read_flipped_move(game, position.state, "e8")).text == "e2"
    assert flipped(daedalus.game("quoridor", height=5), "a1h") == "a4h"
    for bad in ("e10", "e9h", "i3h", "?"):
        with pytest.raises(IllegalMove):
            flipped(game, bad)


def test_the_console_input_of_hola_is_read():
    position = game_after("e2 e8 e3 e7 e4 e6 e5")
    game, state = position.game, position.state

    def meant(text):
        return str(position.move(read_console_move(game, state, text)))

    assert [meant(text) for text in ("dd", "u", "l", "r")] == ["e4", "e7", "d6", "f6"]
    assert [meant(text) for text in ("h0", "h3", "v24", "v63")] == ["a8h", "d8h", "a5v", "h1v"]
    aside = game_after("e2 e8 e3 e7 e4 e6 e5 e4h a1h")  # a wall behind White: Black may jump aside
    assert {str(aside.move(read_console_move(game, aside.state, text))) for text in ("dl", "dr")} == {"d5", "f5"}
    for bad, reason in (("h64", "0 to 63"), ("q", "not a move"), ("ur", "no jump leads there")):
        with pytest.raises(IllegalMove, match=reason):
            read_console_move(game, state, bad)


def test_the_prompt_takes_the_console_input_where_it_means_nothing_else():
    position = daedalus.new("quoridor")
    assert str(position.parse("u")) == "e2" and str(position.parse("v24")) == "a5v" and str(position.parse("h24")) == "a5h"
    with pytest.raises(IllegalMove, match="too far"):
        position.parse("h3")  # a square in standard notation
    with pytest.raises(IllegalMove, match="off the board"):
        position.parse("d")


@pytest.mark.parametrize("options", [{}, {"players": 4}, {"width": 11, "height": 11, "walls": 30}, {"width": 3, "height": 3}])
def test_texts_of_moves_and_positions_read_back_in_all_notations(options):
    position, choice = daedalus.new("quoridor", **options), random.Random(3)
    while not position.outcome() and len(position.history) < 40:
        for move in position.legal_moves:
            assert position.parse(str(move)) == move
            if str(move) != "pass":
                assert flipped(position.game, flipped(position.game, str(move))) == str(move)
                assert (
                    read_console_move(position.game, position.state, console_move_text(position.game, position.state, move))
                    == move
                )
        assert Position.from_text(position.game, position.text).bits[: 14 * 8] == position.bits[: 14 * 8]
        position.push(choice.choice(position.legal_moves))


@settings(max_examples=60, deadline=None)
@given(st.text("abehiv0123459 /u", max_size=12))
@example("e0")
@example("e-1")
def test_any_text_is_a_legal_move_or_refused(text):
    position = daedalus.new("quoridor")
    try:
        assert position.push(text) in daedalus.new("quoridor").legal_moves
    except IllegalMove:
        assert not position.history


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("abei0159 ", max_size=6), min_size=4, max_size=6))
def test_any_text_is_a_position_or_refused(parts):
    try:
        position = read("/".join(parts))
    except InvalidText:
        return
    assert read(position.text).text == position.text
