"""What a network sees of Quoridor: the same picture from both seats, distances of walls in the way, 140 actions."""

import random

import numpy as np
import pytest

import daedalus
from daedalus import Position
from daedalus.core.features import by_group, observed

pytestmark = pytest.mark.interpreted


def group(position, name, seat=None):
    return {group.name: part for group, part in by_group(position.game, observed(position, seat))}[name]


def after(moves, **options):
    position = daedalus.new("quoridor", **options)
    for move in moves.split():
        position.push(move)
    return position


def swapped(text, height):
    """The same position with colours and the ends of the board swapped: ranks count from the other side."""
    across, along, pawns, stocks, turn = (part.split() for part in text.split("/"))

    def seen(name, top):
        letters = name.rstrip("hv")
        return f"{letters[0]}{top - int(letters[1:])}"

    walls = ["".join(seen(wall, height) for wall in _pairs(part)) for part in (across, along)]
    pawns = [seen(pawn, height + 1) for pawn in reversed(pawns)]
    return f"{walls[0]} / {walls[1]} / {' '.join(pawns)} / {' '.join(reversed(stocks))} / {3 - int(turn[0])}"


def _pairs(part):
    """Anchors written one after the other: e3f12."""
    import re

    return re.findall(r"[a-k]\d+", "".join(part))


@pytest.mark.parametrize("options", [{}, {"width": 6, "height": 5, "walls": 4}], ids=str)
def test_both_seats_see_the_same_picture_and_number_moves_alike(options):
    choice = random.Random(3)
    position = daedalus.new("quoridor", **options)
    for _ in range(24):
        if position.outcome() is not None:
            break
        other = Position.from_text(position.game, swapped(position.text, position.game.height))
        for seat in (0, 1):
            assert np.array_equal(observed(position, seat), observed(other, 1 - seat)), position
        mine = {int(position.game.action(position.state, m)) for m in position.legal_moves.codes}
        theirs = {int(other.game.action(other.state, m)) for m in other.legal_moves.codes}
        assert mine == theirs and len(mine) == len(position.legal_moves)
        position.push(choice.choice(list(position.legal_moves)))


def test_distances_are_those_of_the_walls_in_the_way():
    position = after("e2 e8 d2h a8h")  # d2h stands in both ways: one step aside more than the 7 left
    assert group(position, "own distance").argmax() == 8
    assert group(position, "other's distance").argmax() == 8
    assert group(position, "distances").tolist() == [0.5, 0.5]
    assert group(position, "own walls left").argmax() == 9


def test_black_sees_its_pawn_below_and_a_wall_where_it_lies_for_it():
    position = after("e3h")
    assert np.argwhere(group(position, "own pawn")).tolist() == [[8, 4]]
    assert np.argwhere(group(position, "other's pawn")).tolist() == [[0, 4]]
    # above e3 are six ranks; for Black, who looks down, the slot is the third from its goal: row 2
    assert np.argwhere(group(position, "walls across")).tolist() == [[2, 4]]


def test_pawn_moves_have_the_twelve_last_numbers():
    position = after("e2 e8 e3 e7 e4 e6 e5")  # Black to move, White in front of it
    numbers = {str(m): int(position.game.action(position.state, m)) - 128 for m in position.legal_moves if m < 128}
    assert numbers == {"e4": 4, "e7": 1, "d6": 3, "f6": 2}, "a jump ahead, back, left, right"
    assert position.game.ACTIONS == 140


def test_of_four_every_seat_sees_itself_below_and_the_next_on_the_left():
    position = daedalus.new("quoridor", players=4)
    for seat in range(4):
        assert np.argwhere(group(position, "own pawn", seat)).tolist() == [[8, 4]]
        assert np.argwhere(group(position, "next's pawn", seat)).tolist() == [[4, 0]]
        assert np.argwhere(group(position, "third's pawn", seat)).tolist() == [[0, 4]]
        assert np.argwhere(group(position, "fourth's pawn", seat)).tolist() == [[4, 8]]
    position.push("a1h")
    # Red sits on the left and looks along the ranks: a1h lies along its way, first file behind it, rank 1 on its right
    assert np.argwhere(group(position, "walls along", 1)).tolist() == [[7, 7]]
    assert not group(position, "walls across", 1).any()
