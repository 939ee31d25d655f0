"""What every picture keeps to, ours and those of games that draw none: touches, pieces, ghosts, words, both sides."""

import random
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from drawn import contrast, documents, elements, faults, pieces, tag, touches, touches_of
from games.small import HighCard, Nim, TicTacToe

import daedalus
from daedalus import IllegalMove, Position
from daedalus.core.compile import INTERPRETED
from daedalus.core.drawing import Drawing, Grid, size_of, text_as_svg
from daedalus.core.grid import found_board, piece
from daedalus.games.labyrinth import picture as labyrinth
from daedalus.games.quoridor import picture as quoridor

pytestmark = pytest.mark.interpreted
CONNECT_FOUR = f"{Path(__file__).parent.parent / 'examples' / 'connect_four.py'}:ConnectFour"
BOARDS = [
    ("quoridor", {}),
    ("quoridor", {"players": 4, "width": 5, "height": 7, "walls": 4}),
    ("colosseum", {"size": 5}),
    ("labyrinth", {}),
    ("labyrinth", {"players": 4, "board": "9x9"} if INTERPRETED else {"players": 4}),  # large boards compile long
    ("saboteur", {}),
    ("blackhole", {}),
    ("blackhole", {"size": 7, "hole": "pass"}),
    (CONNECT_FOUR, {}),
]
IDS = [f"{name.rpartition(':')[2]} {options or ''}".strip() for name, options in BOARDS]


def walk(name, options, plies, every, seed=1):
    """Every so many positions of a random game."""
    position, choice = daedalus.new(name, seed=seed, **options), random.Random(seed)
    for ply in range(plies + 1):
        if ply % every == 0 or position.outcome():
            yield position
        if position.outcome():
            return
        position.push(choice.choice(position.legal_moves.codes))


@pytest.mark.parametrize("name, options", BOARDS, ids=IDS)
def test_every_beginning_of_a_move_is_drawn_from_both_sides_and_offers_the_touches_that_follow(name, options):
    choice = random.Random(3)
    for position in walk(name, options, plies=12, every=6):
        view = position.view()
        for move in choice.sample(view.legal_moves.codes, min(3, len(view.legal_moves))):
            whole = view.touches(move)
            for length in range(len(whole) + 1):
                following = view.next_touches(whole[:length])
                picture = view.parts(whole[:length], flip=length % 2 == 1)
                assert faults(picture) == []
                assert set(following) <= set(touches_of(picture))
                if length < len(whole):
                    assert following[whole[length]] == (move if length == len(whole) - 1 else None)
            assert following == {} and view.legal_moves.touched(whole) == move
    assert name == CONNECT_FOUR or position.parts().beside


@pytest.mark.parametrize("name, options", BOARDS, ids=IDS)
def test_what_can_be_touched_bears_the_name_that_is_spoken(name, options):
    for position in walk(name, options, plies=10, every=5):
        view = position.view()
        for svg in documents(view.parts()):
            for element, *_ in elements(svg):
                touch = element.get("data-touch")
                if touch:
                    assert element.get("aria-label") == view.touch_name(touch) != touch
        assert view.spoken.endswith(".") and view.touch_name("nothing-of-this") in ("nothing-of-this", "nothing of this")


@pytest.mark.parametrize("name, options", BOARDS, ids=IDS)
def test_touches_that_begin_no_legal_move_are_refused(name, options):
    position = daedalus.new(name, seed=1, **options)
    assert position.next_touches(("nonsense",)) == {} and position.legal_moves.touched(()) is None
    for touched in (("nonsense",), (*position.touches(position.legal_moves[0]), "cell-0-0")):
        with pytest.raises(IllegalMove, match="no legal move begins with"):
            position.parts(touched)


@pytest.mark.parametrize("name, options", BOARDS, ids=IDS)
def test_the_whole_picture_holds_its_parts_and_needs_no_style(name, options):
    for position in walk(name, options, plies=9, every=9):
        picture, svg = position.parts(), position.svg()
        assert set(touches(picture.board)) <= set(touches(svg))
        assert all(part.label in svg for part in picture.beside if part.name != "moves")
        assert "<style" not in svg and " style=" not in svg
        assert svg.startswith('<svg color="#')  # what takes the colour of the page has one in a file
        assert all(whole >= part for whole, part in zip(size_of(svg), size_of(picture.board), strict=True))


@pytest.mark.parametrize("name, options", BOARDS, ids=IDS)
def test_letters_outside_a_board_take_the_colour_of_the_page(name, options):
    position = daedalus.new(name, seed=1, **options)
    names = [element for element, *_ in elements(position.parts().board) if element.get("class") == "names"]
    assert names and all(element.get("fill") == "currentColor" and len(element) for element in names)


@pytest.mark.parametrize("name, options", BOARDS, ids=IDS)
def test_flipped_the_pieces_of_a_board_change_sides(name, options):
    *_, position = walk(name, options, plies=9, every=3)
    plain, flipped = (pieces(position.parts(flip=flip).board) for flip in (False, True))
    assert set(plain) == set(flipped)
    sums = {
        (round(plain[piece][0] + flipped[piece][0], 2), round(plain[piece][1] + flipped[piece][1], 2))
        for piece in plain
        if not (name == "labyrinth" and piece.startswith("pawn"))  # a pawn stands in the quarter of its colour
    }
    assert len(sums) == 1


# --- pieces that stay the same --------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"size": 7, "hole": "pass"}, {"size": 9}], ids=str)
def test_a_ship_keeps_its_name_wherever_it_slides_and_when_it_is_home(options):
    position, choice = daedalus.new("blackhole", seed=4, **options), random.Random(4)
    began = everything(position)
    for _ in range(60):
        if position.outcome():
            break
        before = pieces(position.parts().board)
        move = choice.choice(position.legal_moves)
        start, end = position.touches(move)
        position.push(move)
        after = pieces(position.parts().board)
        moved = {name for name in before if after.get(name) != before[name]}
        assert set(after) <= set(before)
        (ship,), places = moved, places_of(position)
        assert before[ship] == places[start] and after.get(ship, places[end]) == places[end]
        assert set(everything(position)) == set(began)


def everything(position):
    return [name for svg in documents(position.parts()) for name in pieces(svg)]


def places_of(position):
    """The middle of every square of Black-Hole Escape."""
    size = position.game.size
    grid = Grid(size, size, 72, 38, 9)
    return {f"cell-{row}-{column}": grid.middle(row, column) for row in range(size) for column in range(size)}


@pytest.mark.parametrize("options", [{"board": "3x3"}, {}], ids=str)
def test_a_tile_keeps_its_name_while_lines_are_pushed_and_while_it_is_the_extra_one(options):
    position, choice = daedalus.new("labyrinth", seed=5, **options), random.Random(5)
    rows, columns = position.game.board[1:3]
    names = {f"tile-{row * position.game.side + column}" for row in range(rows) for column in range(columns)} | {"tile-extra"}
    for _ in range(12):
        if position.outcome():
            break
        before = tiles(position.parts())
        move = choice.choice(position.legal_moves)
        begun, whole = (tiles(position.parts(position.touches(move)[:length])) for length in (2, 3))
        position.push(move)
        after = tiles(position.parts())
        assert set(before) == set(after) == names
        moved = [name for name in after if after[name][:2] != before[name][:2]]
        assert len(moved) == (columns if str(move)[0] in "WE" else rows) + 1  # the line, and the tile pushed in
        on_board = [name for name in moved if before[name][0] == after[name][0] == "board"]
        for name in on_board:
            (x, y), (x2, y2) = before[name][1], after[name][1]
            assert abs(x - x2) + abs(y - y2) == 64.0  # one place further
        for name in names - set(extra_of(after)):
            assert begun[name][1] == whole[name][1] == after[name][1]  # as the move under way had shown


def tiles(picture):
    """Where each tile is: on the board or beside it, and in which place."""
    found = {}
    for where, svg in (("board", picture.board), ("beside", picture.beside[0].svg)):
        found |= {name: (where, place) for name, place in pieces(svg).items() if name.startswith("tile")}
    return found


def extra_of(places):
    return [name for name, (where, _) in places.items() if where == "beside"]


def test_a_tile_of_a_labyrinth_shows_the_same_exits_and_object_under_its_name_all_game():
    position, choice = daedalus.new("labyrinth", seed=6), random.Random(6)

    def faces():
        found = {}
        for element, *_ in elements(position.parts().board):
            if (element.get("data-piece") or "").startswith("tile"):
                letters = [child.text for child in element.iter() if tag(child) == "text"]
                found[element.get("data-piece")] = (next(c.get("d") for c in element.iter() if tag(c) == "path"), letters)
        return found

    known = faces()
    for _ in range(15):
        position.push(choice.choice(position.legal_moves.codes))
        for name, face in faces().items():
            assert known.setdefault(name, face) == face


@pytest.mark.parametrize("seed", [1, 2])
def test_where_a_card_may_go_is_lit_once_it_is_chosen(seed):
    position, choice = daedalus.new("saboteur", seed=seed), random.Random(seed)
    seen = set()
    for _ in range(30):
        if position.outcome():
            break
        view = position.view()
        for touch in view.next_touches():
            following = view.next_touches((touch,))
            if following:
                board = view.parts((touch,)).board
                assert board.count('class="reach"') == len(following)
                ghosts = board.count('class="ghost"')
                assert ghosts == (len(following) if touch[5:].removesuffix("f").isdigit() else 0)
                seen.add(touch)
        position.push(choice.choice(position.legal_moves.codes))
    assert {"card-map", "card-destroy"} & seen and len(seen) > 8


def test_the_cells_within_reach_of_a_pushed_labyrinth_are_the_legal_ones():
    for options in ({}, {"block": True}, {"board": "9x9" if INTERPRETED else "5x5", "players": 3}):
        for position in walk("labyrinth", options, plies=4, every=2):
            for move in random.Random(1).sample(position.legal_moves.codes, 4):
                begun = position.touches(move)[:2]
                lit = []
                for element, *_ in elements(position.parts(begun).board):
                    if element.get("data-touch") and any(child.get("class") == "reach" for child in element):
                        lit.append(element.get("data-touch"))
                assert set(lit) == set(position.next_touches(begun)) and lit


def test_a_walk_under_way_in_the_arena_leaves_its_open_sides_to_choose():
    position = Position.from_text(daedalus.game("colosseum", size=5), "5 2,2 4,4 A | 2,2r 1,2d")
    board = position.parts(("cell-2-1",)).board
    walls = {touch for touch in touches(board) if touch.startswith("wall")}
    assert walls == set(position.next_touches(("cell-2-1",))) == {"wall-1-1-d", "wall-2-0-r", "wall-2-1-d", "wall-2-1-r"}
    assert pieces(board)["pawn-0"] == Grid(5, 5, 60, 38, 34).middle(2, 1)


# --- games that draw nothing ----------------------------------------------------------------------------------------


def test_a_board_in_a_state_is_drawn_and_touched_by_its_cells():
    position = Position(TicTacToe())
    for move in (4, 0):
        position.push(move)
    picture = position.parts()
    assert sorted(touches(picture.board)) == sorted(f"cell-{row}-{column}" for row in range(3) for column in range(3))
    assert faults(picture) == [] and picture.beside == ()
    assert position.touches(5) == ("cell-1-2",) and position.touch_name("cell-1-1") == "row 1, column 1, X"
    assert set(pieces(picture.board)) == {"piece-1-1", "piece-0-0"}
    assert position.spoken.startswith("Seat 0 to move. Row 0: O at 0. Row 1: X at 1. Row 2: empty.")


def test_moves_that_are_no_cells_are_buttons_beside_the_picture():
    position = Position(Nim(stones=2))
    (part,) = position.parts().beside
    assert touches(part.svg) == ["move-1", "move-2"] == list(position.next_touches()) and part.seat is None
    assert "move-1" not in position.svg()  # a file is not touched


def test_only_who_is_to_move_sees_the_buttons_of_a_hidden_game():
    position = Position(HighCard(), 1)
    assert touches_of(position.view(0).parts()) == ["move-0", "move-1"]
    assert touches_of(position.view(1).parts()) == touches_of(position.view(daedalus.core.ONLOOKER).parts()) == []


def test_the_example_drops_discs_into_columns():
    position = daedalus.new(CONNECT_FOUR)
    for move in (3, 3, 2):
        position.push(move)
    picture = position.parts()
    assert set(position.next_touches()) == {f"column-{column}" for column in range(7)} <= set(touches(picture.board))
    assert set(pieces(picture.board)) == {"piece-5-3", "piece-4-3", "piece-5-2"}
    assert position.touch_name("cell-4-3") == "row 4, column 3, Red" and picture.beside == ()
    assert str(position).splitlines()[-3:] == [" 4  . . . R . . .", " 5  . . Y Y . . .", "    0 1 2 3 4 5 6"]


class Field(SimpleNamespace):
    """A board, and a field of another shape before it."""

    def __init__(self):
        super().__init__(reserve=[[0] * 7, [0] * 7], field=[[0] * 4 for _ in range(3)], turn=0)


class Passing(NamedTuple):
    """Moves are cells, and one more."""

    none: int = 0

    STATE = Field
    MAX_MOVES = 13

    def start(self, s, w):
        s.field[0][0] = 2

    def turn(self, s):
        return s.turn

    def moves(self, s, w):
        w.buf[0], w.buf[1] = 11, 12
        return 2

    def play(self, s, m):
        if m < 12:
            s.field[m // 4][m % 4] = 1
        s.turn = 1 - s.turn

    def over(self, s):
        return s.field[2][3] != 0

    def payoff(self, s, seat):
        return 0.0


def test_a_move_beyond_the_cells_is_a_button_and_the_board_is_the_field_that_looks_like_one():
    position = Position(Passing())
    assert position.touches(11) == ("cell-2-3",) and position.touches(12) == ("move-12",)
    picture = position.parts()
    assert len(touches(picture.board)) == 12 and touches(picture.beside[0].svg) == ["move-12"]
    assert set(pieces(picture.board)) == {"piece-0-0"}


def test_a_board_is_found_among_the_fields_of_a_record():
    fields = [("hands", "i1", (2, 7)), ("bits", "u8", (4, 4)), ("height", "i1", (7,)), ("plain", "i1", (3, 5)), ("turn", "i1")]

    def found(*more):
        return found_board(np.rec.array(np.zeros(1, [*fields, *more]))[0])

    assert np.shape(found()) == (3, 5)
    assert np.shape(found(("cells", "i4", (9,)))) == (3, 3)  # what is called a board comes first
    assert np.shape(found(("cells", "i4", (8,)))) == (3, 5)  # eight make no square
    assert found_board(np.rec.array(np.zeros(1, fields[:3]))[0]) is None


class Unprintable(Passing):
    """A move whose text no document takes."""

    def move_text(self, s, m):
        return f"a\n\x1b<{m}>"


def test_a_button_can_be_touched_whatever_a_move_is_called():
    position = Position(Unprintable())
    (button,) = {"move-a\\n\\x1b<12>"} & set(position.next_touches())
    assert touches(position.parts().beside[0].svg) == [button]


class Painted(Passing):
    """With a picture of its own."""

    def svg(self, s, seat, last):
        return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><text>mine</text></svg>'


def test_a_picture_of_ones_own_is_the_board():
    position = Position(Painted())
    assert position.parts().board == position.svg() and "mine" in position.svg()
    assert size_of(position.svg()) == (30.0, 20.0)


def test_values_of_a_board_are_pieces_of_the_seats():
    game = daedalus.game(CONNECT_FOUR)
    assert [piece(game, value) for value in (0, ".", "", " ")] == [None] * 4
    assert piece(game, 1)[::3] == piece(game, "Y")[::3] == ("Y", "Yellow")
    assert piece(game, 2)[::3] == piece(game, -1)[::3] == ("R", "Red")
    assert piece(game, 7)[::3] == ("7", "7") and piece(game, np.bool_(True).item()) == piece(game, 1)


# --- the pen --------------------------------------------------------------------------------------------------------


def test_texts_and_attributes_are_escaped_and_definitions_come_only_if_used():
    drawing = Drawing(10, 10, {"one": '<g id="one"/>', "two": '<g id="two"/>'})
    drawing.add("text", "<script>", aria_label='"><script>', fill="url(#one)", x=None)
    assert str(drawing).count("<script>") == 0 and 'id="one"' in str(drawing) and 'id="two"' not in str(drawing)
    assert "script" not in text_as_svg("a\x1b[31m").lower() and "\x1b" not in text_as_svg("a\x1b[31m")


def test_letters_on_the_boards_can_be_read():
    pairs = [(labyrinth._COLOUR[letter], labyrinth._LETTER[letter]) for letter in "RYGB"]
    pairs += [("#f7cf57", "#4a3000"), ("#735a9c", "#ffffff"), ("#e59a1c", "#2d1c00"), ("#6f5a86", "#ffffff")]
    pairs += [(quoridor._COLOUR[name], quoridor._LETTER[name]) for name in ("White", "Black", "Red")]
    pairs += [("#5a342c", "#ffe3d8"), ("#2c4c60", "#ffffff"), ("#2e251d", "#ffffff"), ("#5b3f63", "#ecd9f2")]
    game = daedalus.game(CONNECT_FOUR)
    pairs += [(piece(game, value).fill, piece(game, value).ink) for value in (1, 2, 3, 4, 5, 6)]
    assert {pair: round(contrast(*pair), 1) for pair in pairs if contrast(*pair) < 4.5} == {}
