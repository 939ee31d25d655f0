"""Pictures of Black-Hole Escape: what they must show, on every size of board."""

import random
import xml.etree.ElementTree as ElementTree

import pytest

import daedalus
from daedalus import Position
from daedalus.games.blackhole.layout import trail

BOARDS = [(size, hole) for size in (5, 7, 9) for hole in ("stop", "pass")]


def wander(size: int, hole: str, plies: int = 120):
    """Positions of a random game with the move that led to each."""
    position = daedalus.new("blackhole", seed=1, size=size, hole=hole)
    choice = random.Random(size)
    for _ in range(plies):
        if position.outcome():
            return
        position.push(choice.choice(position.legal_moves))
        yield position


def name(game, cell: int) -> str:
    return "abcdefghi"[cell % game.size] + str(game.size - cell // game.size)


def test_the_plain_board_shows_coordinates_ships_hole_and_the_last_move():
    position = daedalus.new("blackhole")
    position.push("b4-b3")
    assert [line.split() for line in str(position).split("\n")] == [
        ["5", "R", "·", "·", "·", "R"],
        ["4", "·", "[·]", "·", "R", "·"],
        ["3", "·", "[R]", "(*)", "·", "·"],
        ["2", "·", "B", "·", "B", "·"],
        ["1", "B", "·", "·", "·", "B"],
        ["a", "b", "c", "d", "e"],
    ]


def test_red_and_blue_have_colours_of_their_own():
    picture = daedalus.new("blackhole").picture()
    styles = {picture.plain[span.start : span.end].strip(): str(span.style).split(" on ")[0] for span in picture.spans}
    assert len({styles["R"], styles["B"], styles["·"], styles["(*)"]}) == 4


@pytest.mark.parametrize("size, hole", BOARDS)
def test_the_trail_joins_the_two_squares_of_the_move_text(size, hole):
    for position in wander(size, hole):
        start, end = trail(position.game, position.state, position.last)
        assert str(position.last) == f"{name(position.game, start)}-{name(position.game, end)}"


@pytest.mark.parametrize("size, hole", BOARDS)
def test_a_bare_code_gives_the_same_trail_unless_a_friend_stands_just_behind_the_hole(size, hole):
    for position in wander(size, hole):
        told, seen = (trail(position.game, position.state, move) for move in (position.last, int(position.last)))
        if told != seen:
            step = {0: -size, 1: 1, 2: size, 3: -1}[position.last & 3]
            assert (told[1], seen[1]) == (size * size // 2, size * size // 2 + step)


def test_a_ship_that_fell_into_the_hole_is_marked_there():
    position = Position.from_text(daedalus.game("blackhole"), "R...R/...../R.*B./.B.../B...B R")
    position.push("a3-c3")
    for last in (position.last, int(position.last)):
        assert trail(position.game, position.state, last) == (10, 12)
    assert "[*]" in str(position)


@pytest.mark.parametrize("size, hole", BOARDS)
def test_every_square_can_be_touched_once_and_moves_are_distinct_pairs_of_squares(size, hole):
    squares = {f"cell-{row}-{col}" for row in range(size) for col in range(size)}
    for position in wander(size, hole, 30):
        document = ElementTree.fromstring(position.svg())
        live = [element.get("data-touch") for element in document.iter() if element.get("data-touch")]
        assert sorted(live) == sorted(squares)
        pairs = [position.touches(move) for move in position.legal_moves]
        assert len(set(pairs)) == len(pairs)
        assert all(len(pair) == 2 and set(pair) <= squares for pair in pairs)


def test_the_svg_shows_each_ship_on_the_board_and_at_home():
    position = Position.from_text(daedalus.game("blackhole"), "R...R/...../..*B./.B.../B...B B")  # Red has two ships home
    markup = position.svg()
    assert markup.count("url(#bh-seat0)") == 4  # two on the board, two home
    assert markup.count("url(#bh-seat1)") == 4
    assert 'aria-label="a5, Red ship"' in markup and 'aria-label="c3, black hole"' in markup
