"""What a network sees of Labyrinth: mirrored for each home, moves numbered alike, goals as far as the seat knows them."""

import random

import numpy as np
import pytest

import daedalus
from daedalus import Position
from daedalus.core.features import by_group, observed
from daedalus.games.labyrinth.kernels.maze import turned

pytestmark = pytest.mark.interpreted
SIDES = ("north", "east", "south", "west")


def parts(position, seat=None):
    return {group.name: part for group, part in by_group(position.game, observed(position, seat))}


def wander(position, plies, seed=1):
    choice = random.Random(seed)
    for _ in range(plies):
        position.push(choice.choice(list(position.legal_moves)))
    return position


def test_every_seat_sees_its_home_on_the_upper_left():
    position = daedalus.new("labyrinth", players=4)
    for seat in range(4):
        assert np.argwhere(parts(position, seat)["own home"]).tolist() == [[0, 0]]
        assert np.argwhere(parts(position, seat)["own pawn"]).tolist() == [[0, 0]]


def test_the_maze_is_mirrored_with_its_passages():
    position = wander(daedalus.new("labyrinth", players=4), 9)
    red = parts(position, 0)
    for seat, swap, flip in ((1, {1: 3, 3: 1}, np.fliplr), (3, {0: 2, 2: 0}, np.flipud)):  # Yellow, Green
        other = parts(position, seat)
        for d, side in enumerate(SIDES):
            mirrored = flip(red[f"open to the {SIDES[swap.get(d, d)]}"])
            assert np.array_equal(other[f"open to the {side}"], mirrored)


def test_an_action_says_in_the_movers_own_picture_what_it_does():
    """On the original board rows 1, 3, 5 and columns 1, 3, 5 move; an action is (location * 4 + rotation) * 49 + destination."""
    for seed in range(4):
        position = wander(Position(daedalus.game("labyrinth"), seed), seed)
        seat = position.turn
        extra = int(position.state.extra)
        for move in list(position.legal_moves)[::37]:
            number = int(position.game.action(position.state, move))
            insertion, target = divmod(number, 49)
            line, end = divmod(insertion // 4, 2)
            across = 6 * end
            entry = (2 * line + 1, across) if line < 3 else (across, 2 * (line - 3) + 1)
            later = position.copy()
            later.push(move)
            seen = parts(later, seat)
            exits = sum(int(seen[f"open to the {side}"][entry]) << d for d, side in enumerate(SIDES))
            assert exits == turned(extra, insertion % 4)
            assert np.argwhere(seen["own pawn"]).tolist() == [list(divmod(target, 7))]


def test_goals_are_seen_as_the_seat_knows_them():
    position = daedalus.new("labyrinth")
    mine = parts(position, 0)
    own = mine["own goal"].sum() + mine["own on the extra tile"][1]
    assert own == 1, "the next card, and none of those after it"
    theirs = mine["other's goal"]
    chances = set(theirs[theirs > 0].tolist())
    assert chances == {np.float32(1 / 23)}, "of 24 objects one is the own goal, any other may be the rival's"
    opened = parts(daedalus.new("labyrinth", open=True), 0)
    assert opened["other's goal"].sum() + opened["other's on the extra tile"][1] == 1


def test_a_stop_rules_a_goal_out():
    position = daedalus.new("labyrinth")
    before = parts(position, 1)["other's goal"]
    for move in position.legal_moves:
        later = position.copy()
        later.push(move)
        cell = later.state.pawn[0]
        if later.state.found[0] == 0 and 1 <= later.state.marker[cell] <= 26 and later.state.ruled_out[0]:
            seen = parts(later, 1)
            row, column = divmod(int(cell), 8)
            assert seen["other's goal"][6 - row, 6 - column] == 0, "Blue sees the board turned"
            assert seen["other's goal"].max() > before.max()
            return
    raise AssertionError("no move of the opening stops on an object")
