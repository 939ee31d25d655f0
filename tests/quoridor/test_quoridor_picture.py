"""Pictures of Quoridor: what they must show, on boards of every size."""

import random
import xml.etree.ElementTree as ElementTree

import pytest

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


def parts(markup, **wanted):
    elements = ElementTree.fromstring(markup).iter()
    return [e for e in elements if all(e.get(key.replace("_", "-"), "").startswith(value) for key, value in wanted.items())]


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
def test_every_move_is_one_touch_that_the_svg_offers(options):
    position, choice = daedalus.new("quoridor", **options), random.Random(2)
    for _ in range(6):
        live = [e.get("data-touch") for e in parts(position.svg()) if e.get("data-touch")]
        assert len(set(live)) == len(live)
        sequences = [position.touches(move) for move in position.legal_moves]
        assert all(len(touches) == 1 and touches[0] in live for touches in sequences)
        assert len(set(sequences)) == len(sequences)
        position.push(choice.choice(position.legal_moves))


def test_touches_count_rows_from_the_top():
    position = daedalus.new("quoridor")
    assert position.touches(position.parse("e2")) == ("cell-7-4",)
    assert position.touches(position.parse("a8h")) == ("wall-h-0-0",)
    assert position.touches(position.parse("h1v")) == ("wall-v-7-7",)


def box(element):
    return [float(element.get(side)) for side in ("x", "y", "width", "height")]


def test_a_wall_is_as_long_as_two_squares_and_a_gap_and_lies_between_its_squares():
    markup = game_after("e3h d6v").svg()
    (level,), (upright,) = parts(markup, aria_label="wall e3h"), parts(markup, aria_label="wall d6v")
    squares = {e.get("aria-label").split(",")[0]: box(e) for e in parts(markup, data_touch="cell-")}
    x, y, width, height = box(level)
    assert squares["e3"][0] <= x and x + width <= squares["f3"][0] + squares["f3"][2]
    assert width > 2 * squares["e3"][2] > 10 * height  # the gap between the squares is covered too
    assert squares["e4"][1] + squares["e4"][3] < y and y + height < squares["e3"][1]
    x, y, width, height = box(upright)
    assert squares["d6"][0] + squares["d6"][2] < x and x + width < squares["e6"][0]
    assert squares["d7"][1] <= y and y + height <= squares["d6"][1] + squares["d6"][3] and height > 2 * squares["d6"][3]


def test_a_slot_is_touched_on_either_side_of_its_middle_and_slots_do_not_cover_each_other():
    markup = daedalus.new("quoridor").svg()
    areas = []
    for slot in parts(markup, data_touch="wall-"):
        hits = [box(e) for e in slot if e.get("pointer-events") != "none"]
        assert len(hits) == 2
        areas += hits
    assert len(areas) == 256
    for i, (x, y, width, height) in enumerate(areas):
        for x2, y2, width2, height2 in areas[:i]:
            assert x + width <= x2 or x2 + width2 <= x or y + height <= y2 or y2 + height2 <= y


def test_path_hints_come_on_request_only():
    position = game_after("e2 e8 e2h")
    assert "polyline" not in position.svg()
    for seats in (None, (0,), (0, 1)):
        lines = parts(svg_with_paths(position, seats), points="")
        lines = [e for e in lines if e.tag.endswith("polyline")]
        assert {e.get("class") for e in lines} == {f"qu-path-{seat}" for seat in seats or (0, 1)}
        assert len(lines[0].get("points").split()) == len(shortest_path(position, 0))


def test_a_finished_board_offers_no_targets_and_no_slots():
    position = daedalus.Position.from_text(daedalus.game("quoridor"), "/ / e9 d5 / 10 10 / 2")
    assert not parts(position.svg(), data_touch="wall-") and not parts(position.svg(), r="7")
    assert " o " not in str(position)
