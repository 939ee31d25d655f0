"""Pictures of Quoridor: what they must show, on boards of every size."""

import random
import re

import pytest
from drawn import elements, faults, pieces, tag, touches, touches_of

import daedalus
from daedalus.games.quoridor.paths import shortest_path
from daedalus.games.quoridor.picture import svg_with_paths

pytestmark = pytest.mark.interpreted
BOARDS = [
    {},
    {"players": 4},
    {"width": 3, "height": 3, "walls": 1, "players": 4},
    {"width": 11, "height": 11, "walls": 30, "players": 4},
    {"width": 4, "height": 11, "walls": 30},
]


def game_after(moves, **options):
    position = daedalus.new("quoridor", **options)
    for move in moves.split():
        position.push(move)
    return position


def live(svg):
    """What can be touched, with where it is drawn."""
    return {element.get("data-touch"): (element, x, y) for element, x, y in elements(svg) if element.get("data-touch")}


def test_the_plain_board_shows_pawns_targets_walls_and_stocks():
    position = game_after("b2 b4 a1h b2v", width=3, height=5, walls=3)
    assert str(position).split("\n") == [
        " 5   ·     ·     ·     B ▮▮",
        "                    ",
        " 4   ·     B     ·  ",
        "                    ",
        " 3   ·     o  ┃  ·  ",
        "              ┃     ",
        " 2   o     W  ┃  ·  ",
        "   ━━━━━━━━━━━      ",
        " 1   ·     ·     ·   > W ▮▮",
        "     a     b     c",
    ]


def test_the_pawn_that_moved_stands_in_brackets():
    assert "[W]" in str(game_after("e2")) and "[" not in str(game_after("e2 e3h"))


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_the_terminal_board_fits_eighty_columns_and_shows_every_stock(options):
    position = daedalus.new("quoridor", **options)
    assert max(map(len, str(position).split("\n"))) <= 80
    for name in position.game.SEAT_NAMES:
        assert any(f"{name[0]} ▮" in line for line in str(position).split("\n"))


@pytest.mark.parametrize("options", BOARDS, ids=str)
@pytest.mark.parametrize("flip", [False, True])
def test_every_move_is_one_touch_that_the_board_offers(options, flip):
    position, choice = daedalus.new("quoridor", **options), random.Random(2)
    for _ in range(6):
        picture = position.parts(flip=flip)
        assert not faults(picture)
        sequences = [position.touches(move) for move in position.legal_moves]
        assert {touch for (touch,) in sequences} <= set(touches(picture.board))
        assert position.next_touches() == {touch: move for (touch,), move in zip(sequences, position.legal_moves, strict=True)}
        position.push(choice.choice(position.legal_moves))


def test_touches_count_rows_from_the_top():
    position = daedalus.new("quoridor")
    assert position.touches(position.parse("e2")) == ("cell-7-4",)
    assert position.touches(position.parse("a8h")) == ("wall-h-0-0",)
    assert position.touches(position.parse("h1v")) == ("wall-v-7-7",)


def box(element, x=0.0, y=0.0):
    left, top, width, height = (float(element.get(side)) for side in ("x", "y", "width", "height"))
    return left + x, top + y, width, height


@pytest.mark.parametrize("flip", [False, True])
def test_a_wall_is_as_long_as_two_squares_and_a_gap_and_lies_between_its_squares(flip):
    board = game_after("e3h d6v").parts(flip=flip).board
    rects = [(element, box(element, x, y)) for element, x, y in elements(board) if tag(element) == "rect"]
    level, upright = ([place for element, place in rects if element.get("fill") == "url(#qu-wall)"][k] for k in (0, 1))
    squares = {name.split(",")[0]: place for element, place in rects if (name := element.get("aria-label"))}
    if flip:  # seen from the other side, what is above is below and what is left is right
        squares = {name: (-x - width, -y - height, width, height) for name, (x, y, width, height) in squares.items()}
        level, upright = ((-x - width, -y - height, width, height) for x, y, width, height in (level, upright))
    x, y, width, height = level
    assert squares["e3"][0] <= x and x + width <= squares["f3"][0] + squares["f3"][2]
    assert width > 2 * squares["e3"][2] > 10 * height  # the gap between the squares is covered too
    assert squares["e4"][1] + squares["e4"][3] < y and y + height < squares["e3"][1]
    x, y, width, height = upright
    assert squares["d6"][0] + squares["d6"][2] < x and x + width < squares["e6"][0]
    assert squares["d7"][1] <= y and y + height <= squares["d6"][1] + squares["d6"][3] and height > 2 * squares["d6"][3]


def test_a_flipped_board_shows_every_square_on_the_opposite_side():
    position = game_after("e2 e8 a1h")
    plain, flipped = (pieces(position.parts(flip=flip).board) for flip in (False, True))
    middle = [sum(plain[name][k] for name in ("pawn-0", "pawn-1")) / 2 for k in (0, 1)]  # e2 and e8: the middle is e5
    for name, (x, y) in plain.items():
        assert flipped[name] == (2 * middle[0] - x, 2 * middle[1] - y)


def inside(point, corners):
    """Is a point in a polygon? Counts the sides that a ray to the right crosses."""
    x, y = point
    crossed = False
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            crossed = not crossed
    return crossed


def arms(element, x, y):
    """The two polygons in which a slot is touched."""
    path = next(child for child in element if tag(child) == "path")
    polygons = []
    for arm in path.get("d").split("M")[1:]:
        points, at = [], (0.0, 0.0)
        for letter, numbers in re.findall(r"([LHV]?)([-\d. ]+)", arm):
            given = [float(number) for number in numbers.split()]
            at = (given[0], at[1]) if letter == "H" else (at[0], given[0]) if letter == "V" else tuple(given)
            points.append(at)
        turned = [(-b, a) for a, b in points] if path.get("transform") else points
        polygons.append([(x + a, y + b) for a, b in turned])
    return polygons


def test_a_finger_meets_one_slot_wherever_it_lands_and_every_slot_on_both_sides_of_its_middle():
    board = daedalus.new("quoridor").parts().board
    slots = {name: arms(*place) for name, place in live(board).items() if name.startswith("wall")}
    assert len(slots) == 128 and all(len(polygons) == 2 for polygons in slots.values())
    choice, met = random.Random(1), set()
    for _ in range(1500):
        point = choice.uniform(0, 630), choice.uniform(0, 600)
        hits = {name for name, polygons in slots.items() if any(inside(point, polygon) for polygon in polygons)}
        assert len(hits) <= 1
        met |= hits
    assert len(met) > 120
    scale = 374 / 624  # a phone of 390 pixels with a margin of 8
    for first, second in slots.values():
        sides = [max(values) - min(values) for values in zip(*first, *second, strict=True)]
        assert min(sides) * scale >= 24


def test_a_square_where_the_pawn_can_go_is_touched_in_a_circle_above_the_slots():
    board = daedalus.new("quoridor").parts().board
    order = touches(board)
    for touch in ("cell-7-4", "cell-8-3", "cell-8-5"):  # e2, d1, f1
        circle = next(child for child in live(board)[touch][0] if child.get("pointer-events") == "all")
        assert 2 * float(circle.get("r")) * 374 / 624 >= 24
        assert order.index(touch) > max(place for place, name in enumerate(order) if name.startswith("wall"))


def test_ghosts_of_walls_wait_in_their_slots_and_a_touched_one_is_shown():
    position = daedalus.new("quoridor")
    plain, chosen = position.parts().board, position.parts(("wall-h-5-4",)).board
    assert plain.count('class="ghost"') == 128 and chosen.count('class="ghost"') == 127
    with pytest.raises(daedalus.IllegalMove, match="no legal move begins with"):
        position.parts(("cell-0-0",))


def test_the_last_move_is_marked():
    def marked(position):
        return [
            e.get("data-touch") or e.get("data-piece") for e, *_ in elements(position.parts().board) if e.get("class") == "last"
        ]

    assert marked(daedalus.new("quoridor")) == []
    assert marked(game_after("e2")) == ["cell-7-4"]
    assert marked(game_after("e2 e3h")) == ["wall-h-5-4"]


def test_beside_the_board_are_the_stocks_from_the_top_down():
    position = game_after("e2 e3h")
    beside = position.parts().beside
    assert [(part.seat, part.label) for part in beside] == [(1, "9 walls, 9 to go"), (0, "10 walls, 8 to go")]
    assert [part.seat for part in position.parts(flip=True).beside] == [0, 1]
    assert [part.svg.count("url(#qu-wall)") for part in beside] == [9, 10]


def test_touches_moves_and_positions_are_spoken():
    position = game_after("e2 e3h")
    assert position.touch_name("wall-h-5-4") == "horizontal wall above e3 and f3, stands"
    assert position.touch_name("wall-v-5-4") == "vertical wall right of e3 and e4"
    assert position.touch_name("cell-7-4") == "e2, White pawn" and position.touch_name("cell-8-4") == "e1, empty"
    assert position.touch_name("cell-9-0") == "cell-9-0"  # no square of this board
    assert [position.spoken_move(position.parse(text)) for text in ("e3", "a1v")] == [
        "the pawn goes to e3",
        "a vertical wall right of a1 and a2",
    ]
    assert position.spoken == (
        "White to move. White is on e2, 8 steps from its goal, with 10 walls. Black is on e9, 9 steps from its goal, with 9"
        " walls. Walls on the board: e3h."
    )


def test_path_hints_come_on_request_only():
    position = game_after("e2 e8 e2h")
    assert "polyline" not in position.svg()
    for seats in (None, (0,), (0, 1)):
        lines = [e for e, *_ in elements(svg_with_paths(position, seats)) if tag(e) == "polyline"]
        assert {e.get("class") for e in lines} == {f"qu-path-{seat}" for seat in seats or (0, 1)}
        assert len(lines[0].get("points").split()) == len(shortest_path(position, 0))


def test_a_finished_board_offers_no_targets_and_no_slots():
    position = daedalus.Position.from_text(daedalus.game("quoridor"), "/ / e9 d5 / 10 10 / 2")
    assert not [touch for touch in touches_of(position.parts()) if touch.startswith("wall")] and ' r="7"' not in position.svg()
    assert " o " not in str(position)
