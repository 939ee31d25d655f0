"""Labyrinth's boards and texts: files, names, moves, positions, and what is said of wrong ones."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import daedalus
from daedalus import DaedalusError, Position
from daedalus.core.options import parsed, written
from daedalus.games.labyrinth.boards import from_inline, inline, read_board

pytestmark = pytest.mark.interpreted

EXAMPLE = """3
6
L1a L3b T0A I1A T3c T2A
I0R I0A I0d I0e I0A I0Y
T3A I0f T3g T3h I0i T3A
L3A
1 2
0 2 3 5
"""


def test_the_thesis_file_is_read_also_without_its_line_breaks(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text(EXAMPLE)
    position = daedalus.new("labyrinth", seed=1, board=str(path))
    board, extra = position.text.split()[:2]
    assert board == "L1aL3bT0AI1AT3cT2A/I0RI0AI0dI0eI0AI0Y/T3AI0fT3gT3hI0iT3A" and extra == "L3A"
    assert position.game.SEAT_NAMES == ("Red", "Yellow")
    assert position.text.split()[4] == "R1,0;Y1,5"
    assert position.state.cards == 4, "nine objects: four each, one left over"
    assert read_board(EXAMPLE.replace("\n", " ")) == read_board(EXAMPLE) == position.game.board
    again = daedalus.game("labyrinth", **parsed(written(position.game)))
    assert again == position.game, "a record needs no file"


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        ("3\n6", "3\nsix", "line 2: the number of columns is wanted here, not 'six'"),
        ("3\n6", "30\n6", "line 1: 30 rows, a board has 1 to 16"),
        ("L3b", "L4b", "line 3: 'L4b' is not a tile"),
        ("L3b", "L3a", "line 3: marker a is on line 3 already"),
        ("I0Y", "I0A", "line 6: only R on the board, but two players need two of the homes"),
        ("L3A", "L3G", "line 6: home G is on the extra tile"),
        ("1 2\n", "1 3\n", "line 7: there is no row 3, rows are 0 to 2"),
        ("0 2 3 5", "0 2 2 5", "line 8: column 2 is listed twice"),
        ("0 2 3 5", "0 2 c 5", "line 8: the number of a movable line is wanted here, not 'c'"),
        (" I0Y", "", "line 4: 5 tiles, a row of this board has 6"),
        ("L3A\n1 2\n0 2 3 5\n", "", "line 5: 18 tiles up to here, but 3 rows of 6 and the extra tile are 19"),
        ("1 2\n0 2 3 5\n", "", "line 6: no movable line follows"),
        (EXAMPLE, "3", "line 1: the board ends here, but the number of columns is missing"),
        (EXAMPLE, "", "line 1: the board ends here, but the number of rows is missing"),
        (EXAMPLE, "1 3 I1R I1A I1B I0a 0", "line 1: only a on the board, but every player needs at least one object"),
    ],
)
def test_a_wrong_file_is_refused_with_the_line_and_the_rule(old, new, complaint):
    with pytest.raises(DaedalusError, match=complaint.replace("(", r"\(")):
        read_board(EXAMPLE.replace(old, new, 1))


def test_every_broken_rule_is_named_in_one_go():
    with pytest.raises(DaedalusError) as error:
        read_board(EXAMPLE.replace("L3b", "L4b").replace("I0Y", "I0R").replace("1 2\n", "1 7\n"))
    assert [fault.split(":")[0] for fault in str(error.value).split("; ")] == ["line 3", "line 4", "line 6", "line 7"]


def test_the_lists_of_movable_lines_end_where_a_line_or_the_rise_ends():
    for lists, rows, columns in (
        ("1 2\n0 2 3 5", 0b110, 0b101101),
        ("1 2 0 2 3 5", 0b110, 0b101101),
        ("2 1\n\n5 0", 0b110, 0b100001),
        ("\n0 2", 0, 0b101),  # an empty line: no rows
        ("0 2", 0b101, 0),
    ):
        assert read_board(EXAMPLE.replace("1 2\n0 2 3 5", lists))[3:5] == (rows, columns)


@pytest.mark.parametrize(
    "options, complaint",
    [
        ({"board": "17x3"}, "generated boards are 2x2 to 16x16"),
        ({"board": "nowhere.txt"}, "takes original, random, 3x3, 5x5, a size such as 9x9, or a board file"),
        ({"board": "12x12", "objects": 27}, "objects are the letters a-z, so a board has 26 at most"),
        ({"board": "original", "objects": 12}, "this board has 24"),
        ({"board": "3x3", "objects": 7}, "a 3 x 3 board has 6 tiles without a home"),
        ({"board": "2x2"}, "no line of a 2 x 2 board is movable"),
        ({"board": "5x5", "rows": "1,7"}, "the board has rows 0 to 4"),
        ({"rows": "some"}, "takes board|all|odd|even"),
        ({"board": "5x5", "objects": 11, "even": True}, "11 objects cannot be dealt equally to 2 players"),
        ({"board": "3x3", "objects": 3, "players": 4}, "each of 4 players needs at least one"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, complaint):
    with pytest.raises(DaedalusError) as error:
        daedalus.game("labyrinth", **options)
    assert complaint in str(error.value)


@pytest.mark.parametrize("board", ["original", "random", "3x3", "5x5", "3x5", "3x7", "12x12", "15x15", "16x16"])
def test_boards_have_their_size_homes_objects_and_tiles(board):
    position = daedalus.new("labyrinth", board=board, seed=5, players=4)
    rows = position.text.split()[0].split("/")
    tiles = [row[i : i + 3] for row in rows for i in range(0, len(row), 3)] + [position.text.split()[1]]
    height, width = position.game.board[1:3]
    assert len(tiles) == height * width + 1
    letters = sorted(tile[2] for tile in tiles if tile[2] != "A")
    assert letters == sorted("RYGB" + "abcdefghijklmnopqrstuvwxyz"[: position.game.board[5]])
    if board == "original":
        kinds = [tile[0] for tile in tiles]
        assert (kinds.count("L"), kinds.count("T"), kinds.count("I")) == (4 + 15, 12 + 6, 13)
        assert rows[0][:3] == "L1R" and rows[0][6:8] == "T0" and rows[2][6:8] == "T3" and rows[6][-3:] == "L3B"


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="NESW0123456789LTI-, x", max_size=12), st.text(alphabet="LTI0123RYAabc/|:;?- ", max_size=60))
def test_any_text_is_a_move_or_a_position_or_refused(move, text):
    position = daedalus.new("labyrinth", board="3x3", seed=1)
    for attempt in (lambda: position.parse(move), lambda: Position.from_text(position.game, text), lambda: from_inline(text)):
        try:
            attempt()
        except (DaedalusError, ValueError) as error:
            assert str(error)


def test_a_move_text_says_line_tile_and_cell_and_errors_say_what_would_be_right():
    position = Position(daedalus.game("labyrinth"), 1, dealing=1)
    assert str(position.legal_moves[0]) == "W1T0-0,0"
    for text, complaint in (
        ("W2T0-0,0", "row 2 cannot be pushed"),
        ("W1L0-0,0", "the extra tile lies as one of T0 T1 T2 T3"),
        ("W1T0-0,9", "no cell 0,9"),
        ("hello", "write side and line"),
    ):
        with pytest.raises(DaedalusError, match=complaint):
            position.push(text)
    position.push("W1T0-0,0")
    with pytest.raises(DaedalusError, match="undo the push before"):
        position.push("E1L0-0,0")


def test_a_position_text_holds_all_and_a_view_only_what_the_seat_knows():
    position = daedalus.new("labyrinth", seed=1, board="5x5", players=3)
    for turn in range(20):
        position.push(position.legal_moves[turn * 31 % len(position.legal_moves)])
        assert Position.from_text(position.game, position.text).text == position.text
    cards = position.view(1).text.split()[5]
    own = position.text.split()[5].split(";")[1].split("|")[1]
    assert cards.split(";")[1].split("|")[1] == own[0] + "?" * (len(own) - 1)
    assert set(cards.split(";")[0].split("|")[1]) == {"?"}
    filled = Position.from_text(position.game, position.view(1).text)
    assert filled.view(1).text == position.view(1).text, "a view's text can be read; what it hides is filled in"


@pytest.mark.parametrize(
    "change, complaint",
    [
        (lambda f: [f[0][:-3], *f[1:]], "rows of 3 tiles"),
        (lambda f: [f[0].replace("L1R", "L1Y"), *f[1:]], "on one tile only"),
        (lambda f: [*f[:2], "G", *f[3:]], "the turn is one of R B"),
        (lambda f: [*f[:4], "R0,0;B9,9", *f[5:]], "no such cell"),
        (lambda f: [*f[:5], "R:|ab;B:|ac", f[6]], "is on one card"),
        (lambda f: f[:6], "7 fields"),
    ],
)
def test_a_wrong_position_is_refused_with_the_reason(change, complaint):
    fields = daedalus.new("labyrinth", seed=1, board="3x3").text.split()
    with pytest.raises(DaedalusError, match=complaint):
        Position.from_text(daedalus.game("labyrinth", board="3x3"), " ".join(change(fields)))


def test_an_inline_board_reads_back():
    board = read_board(EXAMPLE)
    assert from_inline(inline(board)) == board


@pytest.mark.parametrize("cards, goals", [("R:a|R;B:|b", "its only goal"), ("R:ab|R;B:|cd", "all 2 goals")])
def test_the_end_is_told_in_words_that_fit_the_number(cards, goals):
    board = "L1RI1AL2Y/T3aI0bT1A/L0GI1AL3B" if "c" not in cards else "L1RI1AL2Y/T3aI0bT1c/L0GI1dL3B"
    game = daedalus.game("labyrinth", board="3x3", objects=2 if "c" not in cards else 4)
    position = Position.from_text(game, f"{board} I0A R - R0,0;B2,2 {cards} 5")
    assert position.outcome().reason == f"Red has found {goals} and is home"
