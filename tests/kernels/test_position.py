"""Positions keep their manners: legal moves, push, pop, copy, outcome, view, text."""

import pytest
from games.small import HighCard, Nim

import daedalus
from daedalus import IllegalMove, InvalidText, Position

pytestmark = pytest.mark.interpreted


def test_str_of_each_legal_move_is_its_text():
    position = daedalus.new("blackhole")
    assert [str(move) for move in position.legal_moves][:3] == ["a5-d5", "a5-a2", "e5-e2"]
    assert "a5-d5" in position.legal_moves
    assert "a5-a1" not in position.legal_moves
    assert all(position.parse(str(move)) == move for move in position.legal_moves)


def test_push_and_pop_restore_every_bit():
    position = daedalus.new("blackhole", hole="pass", seed=4)
    seen = [position.bits]
    for ply in range(12):
        position.push(position.legal_moves[ply % len(position.legal_moves)])
        seen.append(position.bits)
    while position.history:
        assert position.bits == seen.pop()
        position.pop()
    assert position.bits == seen.pop()
    with pytest.raises(IllegalMove, match="no move to take back"):
        position.pop()


def test_an_illegal_move_says_why_and_changes_nothing():
    position = daedalus.new("blackhole")
    before = position.bits
    for text, reason in [
        ("a5-c5", "slides that way as far as d5"),
        ("a1-b1", "Red has no ship on a1"),
        ("a5-b4", "along its row or its column"),
        ("b4-b9", "no square b9"),
        ("a5-a6", "no square a6"),
        ("e2", "write the two squares"),
        ("", "write the two squares"),
    ]:
        with pytest.raises(IllegalMove, match=reason):
            position.push(text)
    with pytest.raises(IllegalMove, match="not a legal move"):
        position.push(999)
    assert position.bits == before and not position.history


def test_a_copy_is_independent():
    position = daedalus.new("blackhole")
    twin = position.copy()
    twin.push("a5-d5")
    assert len(position.legal_moves) == 12 and position.turn == 0 and not position.history
    assert twin.turn == 1 and twin.last == position.parse("a5-d5")


def test_unreadable_text_says_why():
    game = daedalus.game("blackhole")
    for text, reason in [
        ("", "ends with the side to move"),
        ("R...R/.R.R./..*../.B.B./B...B", "ends with the side to move"),
        ("R...R/.R.R./..*../.B.B. R", "5 rows of 5"),
        ("R...R/.R.R./.*.../.B.B./B...B R", "the hole"),
        ("R...R/.R.X./..*../.B.B./B...B R", "'X' on the board"),
        ("RRRRR/.R.R./..*../.B.B./B...B R", "Red has 7 ships; 4 at most"),
        ("R...R/...../..*../.B.B./B...B R", "Red has won already"),
    ]:
        with pytest.raises(InvalidText, match=reason):
            Position.from_text(game, text)


def test_a_view_of_an_open_game_is_the_position():
    position = daedalus.new("blackhole", seed=1)
    position.push("a5-d5")
    view = position.view(0)
    assert view.seat == 0 and view.bits == position.bits and view.history == position.history


def test_a_view_never_holds_the_hidden_truth():
    position = Position(HighCard(), seed=3)
    view = position.view(0)
    assert view.seed is None
    assert view.text.count("?") == 4
    assert view.state.deck[0] == position.state.deck[0]
    others = {int(position.view(0, seed=k).state.deck[1]) for k in range(60)}
    assert len(others) == 4, "every card but the own one must come up"
    with pytest.raises(IllegalMove, match="no seat 5"):
        position.view(5)


def test_an_outcome_names_winner_reason_and_payoffs():
    game = daedalus.game("blackhole", hole="pass")
    position = Position.from_text(game, "R.R../...../..*R./.B.B./B...B R")
    position.push("d3-c3")
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.payoffs) == (0, (1.0, -1.0))
    assert outcome.reason == "Red has 2 ships home"
    assert list(position.legal_moves) == []
    with pytest.raises(IllegalMove, match="the game is over"):
        position.push("b2-b1")


def test_the_same_seed_gives_the_same_deal():
    assert Position(HighCard(), 5).bits == Position(HighCard(), 5).bits
    assert len({Position(HighCard(), seed).text for seed in range(20)}) > 5


def test_a_copy_shows_the_right_texts_after_taking_back():
    position = daedalus.new("blackhole")
    before = [str(move) for move in position.legal_moves]
    kept = position.legal_moves
    position.push("a5-d5")
    position.push("e1-b1")
    twin = position.copy()
    twin.pop()
    twin.pop()
    assert [str(move) for move in twin.legal_moves] == before == [str(move) for move in kept]


def test_a_text_read_field_by_field_is_tried_out_before_kernels_see_it():
    position = Position(Nim(), 1)
    assert Position.from_text(Nim(), position.text).text == position.text
    for text in ("left=5 turn=9 last=0", "left=-3 turn=0 last=0 x=1", "left=a turn=0 last=0", "left=5 turn=-1 last=0"):
        with pytest.raises(InvalidText):
            Position.from_text(Nim(), text)


@pytest.mark.parametrize("name", daedalus.game_names())
def test_a_position_made_of_a_state_goes_on_as_the_one_it_came_from(name):
    position = daedalus.new(name, seed=3)
    for k in range(12):
        position.push(position.legal_moves[k * 7 % len(position.legal_moves)])
    twin = daedalus.Position.from_state(position.game, position.state)
    assert (twin.bits, twin.turn, twin.text, twin.setup) == (position.bits, position.turn, position.text, position.text)
    assert twin.history == [] and list(twin.legal_moves) == list(position.legal_moves)
    before = position.bits
    twin.push(twin.legal_moves[0])
    assert position.bits == before != twin.bits
