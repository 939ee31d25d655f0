"""What a network sees of Black-Hole Escape: Blue's board turned by half a turn is Red's."""

import random

import numpy as np
import pytest

import daedalus
from daedalus import Position
from daedalus.core.features import by_group, observed

pytestmark = pytest.mark.interpreted


def turned(text):
    """Half a turn, with the colours swapped."""
    board, turn, *rest = text.split()
    swap = str.maketrans("RB", "BR")
    return " ".join([board[::-1].translate(swap), turn.translate(swap), *rest])


@pytest.mark.parametrize("options", [{}, {"size": 7, "hole": "pass"}], ids=str)
def test_both_seats_see_the_same_picture_and_number_moves_alike(options):
    choice = random.Random(5)
    position = daedalus.new("blackhole", **options)
    seen = 0
    while position.outcome() is None and seen < 30:
        if all(home == 0 for home in position.state.home):  # texts tell ships home apart by colour in their own order
            other = Position.from_text(position.game, turned(position.text))
            for seat in (0, 1):
                assert np.array_equal(observed(position, seat), observed(other, 1 - seat)), position
            mine = {int(position.game.action(position.state, m)) for m in position.legal_moves.codes}
            assert mine == {int(other.game.action(other.state, m)) for m in other.legal_moves.codes}
            seen += 1
        position.push(choice.choice(list(position.legal_moves)))
    assert seen > 3


def test_landings_and_ships_home_are_seen():
    position = Position.from_text(daedalus.game("blackhole", hole="pass"), "..R../R...R/..*../.B.B./B...B R")
    parts = {group.name: part for group, part in by_group(position.game, observed(position))}
    assert parts["own landings"].tolist() == [0, 1, 0], "only the ship above the hole slides into it"
    assert parts["other's landings"].tolist() == [1, 0, 0]
    assert parts["own ships"].tolist()[:2] == [[0, 0, 1, 0, 0], [1, 0, 0, 0, 1]]
    assert parts["own home"].tolist() == [0, 1, 0], "three of four are left"
