"""The tool set on positions: paths, the walls that matter to them, validity."""

import itertools
import random

import pytest
from quoridor_oracle import Oracle, square

import daedalus
from daedalus import InvalidText, Position
from daedalus.games.quoridor import paths

pytestmark = pytest.mark.interpreted
BOARDS = [{}, {"players": 4}, {"width": 4, "height": 7, "walls": 6}, {"width": 11, "height": 11, "walls": 20}]


def game_after(moves, **options):
    position = daedalus.new("quoridor", **options)
    for move in moves.split():
        position.push(move)
    return position


def wander(options, plies=16):
    position, choice = daedalus.new("quoridor", **options), random.Random(4)
    for _ in range(plies):
        if position.outcome():
            return
        yield position
        steps, walls = ([m for m in position.legal_moves.codes if (m >= 128) == sort] for sort in (False, True))
        position.push(choice.choice(walls if walls and choice.random() < 0.7 else steps))


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_shortest_paths_are_open_ways_of_the_oracles_length_that_end_on_a_goal(options):
    for position in wander(options):
        oracle = Oracle(position.game, position.text)
        for seat in range(position.game.SEATS):
            way = paths.shortest_path(position, seat)
            assert paths.distance(position, seat) == len(way) - 1 == oracle.distance(seat)
            assert square(way[0]) == oracle.pawns[seat] and square(way[-1]) in oracle.goals(seat)
            assert all(oracle.is_open(square(here), square(there)) for here, there in itertools.pairwise(way))


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_lengthening_tells_what_each_wall_adds(options):
    for position in itertools.islice(wander(options), 3, None, 6):
        oracle, seat = Oracle(position.game, position.text), (position.turn + 1) % position.game.SEATS
        before, told = oracle.distance(seat), paths.lengthening(position, seat)
        for move in oracle.wall_moves():
            after = oracle.distance(seat, oracle.walls | {(*square(move[:-1]), move[-1])})
            assert told.get(move, 0) == after - before, move


def test_on_the_empty_board_two_walls_cut_each_step_and_none_is_ruled_out():
    start = daedalus.new("quoridor")
    assert paths.shortest_path(start, 0) == [f"e{rank}" for rank in range(1, 10)]
    assert paths.blockers(start, ["e1", "e2"]) == ["d1h", "e1h"]
    assert paths.blockers(start, ["e1", "f1"]) == ["e1v"]
    assert paths.blockers(start, ["e4", "f4"]) == ["e3v", "e4v"]
    assert len(paths.blockers(start, paths.shortest_path(start, 0))) == 16
    assert paths.ruled_out(start) == [] and paths.cut_off(start) == []


def test_a_path_has_to_go_from_square_to_square():
    with pytest.raises(InvalidText, match="not neighbours"):
        paths.blockers(daedalus.new("quoridor"), ["e1", "e3"])
    with pytest.raises(InvalidText, match="no square"):
        paths.blockers(daedalus.new("quoridor"), ["j1", "k1"])


def test_placed_walls_rule_out_those_that_overlap_or_cross():
    assert set(paths.ruled_out(game_after("e3h"))) == {"d3h", "f3h", "e3v"}
    assert set(paths.ruled_out(game_after("a1v"))) == {"a2v", "a1h"}


def test_walls_that_cut_a_pawn_off_are_told():
    # d8v and e8v stand on both sides of e8 and e9, so that Black has to leave through e7
    assert set(paths.cut_off(game_after("d8v a1h e8v"))) == {"d7h", "e7h"}


@pytest.mark.parametrize(
    "field, value, reason",
    [
        ("pawn", [92, 92], "White and Black stand on the same square, e9"),
        ("pawn", [9, 81], "White's pawn is off the board"),  # j1
        ("pawn", [4, -1], "Black's pawn is off the board"),
        ("stock", [10, 10], "0 walls are missing from the stocks but 1 are on the board"),
        ("stock", [-1, 10], "White has -1 walls in stock"),
        ("turn", 7, "there is no player 8 to move"),
        ("h0", 1 << 9, "wall j1h sticks out of the board"),
        ("v0", 1 << 26, "walls e3h and e3v cross"),
    ],
)
def test_a_broken_state_is_told_why(field, value, reason):
    position = game_after("e3h e8")
    assert paths.fault(position.game, position.state) is None
    state = Position.from_text(position.game, position.text).state.copy()
    state[field] = value
    assert reason in paths.fault(position.game, state)
