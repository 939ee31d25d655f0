"""What a network sees of Colosseum Survival!: B's board turned by half a turn is A's; territory counted by hand."""

import random

import numpy as np
import pytest

import daedalus
from daedalus import Position
from daedalus.core.features import by_group, observed

pytestmark = pytest.mark.interpreted


def turned(text):
    """Half a turn of the board, players swapped: a barrier right of a cell lies then left of one."""
    size, first, second, turn, bar, *barriers = text.split()
    last = int(size) - 1

    def cell(row, column):
        return f"{last - int(row)},{last - int(column)}"

    moved = []
    for barrier in barriers:
        row, column = map(int, barrier[:-1].split(","))
        moved.append(cell(row, column + 1) + "r" if barrier[-1] == "r" else cell(row + 1, column) + "d")
    return " ".join([size, cell(*second.split(",")), cell(*first.split(",")), "AB"[turn == "A"], bar, *sorted(moved)])


def test_both_seats_see_the_same_picture_and_number_moves_alike():
    choice = random.Random(2)
    for seed in range(3):
        position = Position(daedalus.game("colosseum", size=6), seed)
        while position.outcome() is None:
            other = Position.from_text(position.game, turned(position.text))
            for seat in (0, 1):
                assert np.array_equal(observed(position, seat), observed(other, 1 - seat)), position
            mine = {int(position.game.action(position.state, m)) for m in position.legal_moves.codes}
            assert mine == {int(other.game.action(other.state, m)) for m in other.legal_moves.codes}
            position.push(choice.choice(list(position.legal_moves)))


def test_territory_of_an_empty_board():
    position = Position.from_text(daedalus.game("colosseum", size=5, steps=1), "5 0,0 0,4 A |")
    parts = {group.name: part * 25 for group, part in by_group(position.game, observed(position))}
    assert parts["reached first"].tolist() == pytest.approx([10, 10]), "two columns each, the middle one is nobody's"
    assert parts["near"].tolist() == pytest.approx([3, 3])
    assert parts["far"].tolist() == pytest.approx([6, 6])
    assert parts["spare barriers"].tolist() == pytest.approx([13, 13]), "2 x 4 upright and 5 level sides"
    assert parts["between"] / 25 == pytest.approx(4 / 5)
