"""The numbers of Saboteur's moves: every tile, place and card its own, equal cards dropped the same."""

import pytest

import daedalus
from daedalus import Position
from daedalus.games.saboteur.kernels.tiles import LAID, SIZE

pytestmark = pytest.mark.interpreted


def test_dropping_either_of_two_equal_cards_is_one_action():
    for seed in range(40):
        position = Position(daedalus.game("saboteur"), seed)
        hand = position.state.hand[position.turn, :7].tolist()
        if len(set(hand)) < 7:
            break
    drops = [m for m in position.legal_moves if str(m).startswith("drop")]
    numbers = [int(position.game.action(position.state, m)) for m in drops]
    first = (LAID + 1) * SIZE * SIZE + 5
    assert [number - first for number in numbers] == hand
    assert len(set(numbers)) < len(numbers)
