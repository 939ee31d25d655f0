"""Saboteur as text and as pictures: what is written reads back, what is wrong is refused with the reason."""

import contextlib
import random
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import daedalus
from daedalus import IllegalMove, InvalidText, Position
from daedalus.core import Record
from daedalus.core.compile import INTERPRETED

pytestmark = pytest.mark.interpreted
GAME = daedalus.game("saboteur")
START = "0 | 0 0 | 000 000 000 | p n p | 0 10 5 10 6 malus map | bonus 9 bonus 5 7 5 0 | 9 bonus 9 malus | "


def wander(seed, plies):
    choice, position = random.Random(seed), Position(GAME, seed)
    while position.outcome() is None and len(position.history) < plies:
        position.push(choice.choice(position.legal_moves))
    return position


def with_field(place, value):
    fields = [field.strip() for field in START.split("|")]
    fields[place] = value
    return " | ".join(fields)


def test_the_issue_s_example_of_a_text_reads_back():
    position = Position.from_text(GAME, START)
    assert position.text == START
    assert Position.from_text(GAME, START + "6,5:0 7,5:6f").text == START + "6,5:0 7,5:6f"
    assert [str(m) for m in position.legal_moves][:2] == ["drop:a", "0@4,5"]


@pytest.mark.parametrize("seed", range(6))
def test_a_text_reads_back_to_the_same_game(seed):
    position = wander(seed, 5 * seed + 3)
    again = Position.from_text(GAME, position.text)
    assert again.text == position.text
    for move in position.legal_moves[:: 1 + len(position.legal_moves) // 8]:
        one, two = position.copy(), again.copy()
        assert one.push(move) == two.push(str(move)) and one.text == two.text


def test_a_record_that_begins_with_a_text_replays():
    position = Position.from_text(GAME, START)
    for move in ("malus", "bonus", "10@5,6"):
        position.push(move)
    assert Record.parse(Record.from_position(position).text).replay().text == position.text


@pytest.mark.parametrize("seed", range(8))
def test_a_view_s_text_reads_back_as_a_possible_deal(seed):
    position = wander(seed, 6 * seed)
    for seat in (0, 1):
        view = position.view(seat)
        filled = Position.from_text(GAME, view.text)
        assert "?" not in filled.text and filled.view(seat).text == view.text
        assert filled.text == Position.from_text(GAME, view.text).text, "the same text, the same deal"
        cards = [card for field in filled.text.split(" | ")[4:7] for card in field.split()]
        assert all(cards.count(name) <= 6 for name in cards)
        if seat == position.turn and position.outcome() is None:
            assert filled.legal_moves.codes == position.legal_moves.codes


def test_what_the_text_proves_was_played_is_not_dealt_again():
    """Both malus cards stand and one map was looked at: they lie in no hand and not in the deck."""
    text = "0 | 1 1 | 000 100 000 | ? ? ? | 6 6 | ? ? ? ? ? ? ? | " + "? " * 39 + "|"
    for seed in range(20):
        filled = Position.from_text(GAME, text.replace("6 6", f"6 {seed % 16}"))
        cards = " ".join(filled.text.split(" | ")[4:7]).split()
        assert "malus" not in cards and cards.count("map") <= 5


WRONG = {
    "2": ["seat to move", 0],
    "0": ["two numbers", 1],
    "3 0": ["malus", 1],
    "000 000": ["three flags", 2],
    "100 000 000": ["seen by both", 2],
    "n n p": ["one objective", 3],
    "p p p": ["one objective", 3],
    "x n p": ["three of", 3],
    "0 0 0 0 0 0 0 0": ["full hand", 4],
    "0 16": ["not a card", 4],
    "map nugget": ["not a card", 5],
    "destroy destroy destroy destroy": ["the deck has 3", 6],
    "6,5:16": ["not a tile", 7],
    "6,5:0f": ["not a tile", 7],
    "14,5:0": ["no empty cell", 7],
    "5,5:8": ["no empty cell", 7],
    "6,5:0 6,5:6": ["no empty cell", 7],
    "6,5:0 7,5:6 8,5:6 9,5:6 10,5:6 11,5:8": ["revealed", 7],
}


@pytest.mark.parametrize("value, what", list(WRONG.items()), ids=list(WRONG))
def test_a_wrong_field_is_refused_with_the_reason(value, what):
    reason, place = what
    with pytest.raises(InvalidText, match=reason):
        Position.from_text(GAME, with_field(place, value))


def test_seven_fields_are_refused():
    with pytest.raises(InvalidText, match="eight fields"):
        Position.from_text(GAME, START.rpartition("|")[0])


MOVES = {
    "6@4,4": "joins no path",
    "10@6,5": "joins no path",
    "6@5,4": "joins no path",
    "6@5,5": "lies there already",
    "8@6,5": "no card '8'",
    "0f@6,5": "can be turned",
    "16@6,5": "tiles are 0 to 15",
    "6@14,5": "0 to 13",
    "bonus": "no card 'bonus'",
    "destroy@5,5": "no card 'destroy'",
    "map@12,4": "12,3 and 12,5",
    "drop:h": "7 cards, a to g",
    "drop:7": "7 cards, a to g",
    "drop": "is not a move",
    "hello": "is not a move",
}


@pytest.mark.parametrize("text", MOVES)
def test_a_wrong_move_is_refused_with_the_reason_and_changes_nothing(text):
    position = Position.from_text(GAME, START)
    with pytest.raises(IllegalMove, match=MOVES[text]):
        position.push(text)
    assert position.text == START and not position.history


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="0123456789 |?np,:fmapbonusdestry@-", max_size=80), st.integers(0, 7))
def test_no_text_does_more_than_raise(noise, place):
    for text in (noise, with_field(place, noise)):
        with contextlib.suppress(InvalidText):
            Position.from_text(GAME, text)
    with pytest.raises(IllegalMove):
        Position.from_text(GAME, START).push(f"{noise}!")


# --- pictures -------------------------------------------------------------------------------------------------------


def live(svg):
    return {node.get("data-touch") for node in ElementTree.fromstring(svg).iter() if node.get("data-touch")}


@pytest.mark.parametrize("seed", range(2 if INTERPRETED else 6))
def test_every_touch_of_a_legal_move_can_be_touched_and_pictures_fit_80_columns(seed):
    position = wander(seed, 9 * seed + 4)
    if position.outcome() is None:
        view = position.view()
        touched = {touch for move in view.legal_moves for touch in view.touches(move)}
        assert touched <= live(view.svg())
    for shown in (position, position.view(0), position.view(1)):
        assert max(map(len, str(shown).split("\n"))) <= 80


def test_a_path_across_the_whole_board_still_fits():
    tiles = " ".join(f"{row},0:8 {row},13:8" for row in (0, 13)) + " 0,5:6"
    position = Position.from_text(GAME, f"0 | 0 0 | 000 000 000 | p n p | 7 9 6 5 9 11 12 | 7 | | {tiles}")
    lines = str(position).split("\n")
    assert max(map(len, lines)) <= 80 and lines[0].split() == [str(col) for col in range(14)]


def test_the_terminal_shows_passages_dead_ends_objectives_hand_malus_and_the_last_move():
    text = "1 | 0 1 | 000 000 010 | p n p | 8 | 6 13 map | 0 0 | 6,5:0 6,4:2"
    position = Position.from_text(GAME, text)
    position.push("drop:a")
    lines = str(position.view(1)).split("\n")
    rows = {line[:4].strip(): line[4:] for line in lines}
    cols = [int(col) for col in lines[0].split()]
    cell = {(row, col): rows[str(row)][5 * k : 5 * k + 5] for row in (5, 6, 12) for k, col in enumerate(cols)}
    assert cell[5, 5] == "──E──" and cell[6, 5] == "  │  " and cell[6, 4] == "  ✕ ─"
    assert [cell[12, col] for col in (3, 5, 7)] == ["░ ? ░", "░ ★ ░", "░ ? ░"]
    assert "Blue played drop:a" in lines and "Blue · malus ✗" in lines and "Red to move: 1 card" in lines
    assert "1 card to draw" in lines and any(line.startswith("a: 13  b: map") for line in lines)
    position.push("8@4,5")
    assert "[─┼─]" in str(position)


def test_touches_are_a_card_then_a_cell_and_one_for_a_drop():
    position = Position.from_text(GAME, START)
    touches = {str(move): position.touches(move) for move in position.legal_moves}
    assert touches["5f@6,5"] == ("card-5f", "cell-6-5") and touches["map@12,7"] == ("card-map", "cell-12-7")
    assert touches["drop:d"] == ("drop-3",) and touches["malus"] == ("card-malus",)


def test_tiles_alone_have_numbers_and_the_cards_of_a_hand_letters():
    position = Position.from_text(GAME, START)
    assert str(position.parse("drop:3")) == str(position.parse("drop d")) == "drop:d"  # numbers in records of version 0.2
    assert not any(str(move).startswith("drop:") and str(move)[5:].isdigit() for move in position.legal_moves)
