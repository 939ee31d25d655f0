"""Boards that are turned or mirrored, as networks of Black-Hole Escape learn from them."""

import random
from itertools import product

import numpy as np
import pytest

import daedalus
from daedalus import Position
from daedalus.core.features import observed

pytestmark = pytest.mark.interpreted


def legal_actions(position):
    """The legal actions as a table of numbers."""
    legal = np.zeros(position.game.ACTIONS)
    legal[[position.game.action(position.state, move) for move in position.legal_moves.codes]] = 1
    return legal


def turned(position, quarters, mirrored):
    """The position on a board that is turned and mirrored, by its text."""
    board, mover = position.text.split()
    cells = np.rot90(np.array([list(row) for row in board.split("/")]), quarters)
    cells = cells[:, ::-1] if mirrored else cells
    return Position.from_text(position.game, f"{'/'.join(map(''.join, cells))} {mover}")


@pytest.mark.parametrize("options", [{}, {"size": 7, "hole": "pass"}], ids=str)
def test_features_and_legal_actions_turn_with_the_board(options):
    game, choice = daedalus.game("blackhole", **options), random.Random(1)
    ways = [way for way in product(range(4), (False, True)) if any(way)]
    seen = 0
    while seen < 6:
        position = Position(game, 1)
        for _ in range(choice.randrange(24)):
            if position.outcome() is None:
                position.push(choice.choice(position.legal_moves.codes))
        if position.outcome() is not None:
            continue
        seen += 1
        for way, (inputs, actions) in zip(ways, game.symmetries(), strict=True):
            after = turned(position, *way)
            assert (observed(after) == observed(position)[inputs]).all()
            assert (legal_actions(after) == legal_actions(position)[actions]).all()
