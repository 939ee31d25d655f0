"""The conformance check passes on every game, in every mode, and finds what it is meant to find."""

from pathlib import Path

import numpy as np
import pytest
from games.small import Dice, HighCard, Nim, TicTacToe

import daedalus
from daedalus.agents import check_game as check
from daedalus.agents.check_game import _values_and_keys
from daedalus.agents.conformance import Broken
from daedalus.core import U
from daedalus.core.registry import find, registration_of

CONNECT_FOUR = f"{Path(__file__).parents[2] / 'examples' / 'connect_four.py'}:ConnectFour"


VARIANTS = [(name, options) for name in daedalus.game_names() for options in (find(name).variants or {"": {}}).values()]


@pytest.mark.parametrize("name, options", VARIANTS, ids=str)
def test_every_built_in_game_keeps_the_contract(name, options):
    report = check(daedalus.game(name, **options), games=4)
    assert report.ok, str(report)


@pytest.mark.interpreted
def test_black_hole_keeps_the_contract_interpreted_too():
    report = check(daedalus.game("blackhole", hole="pass", cap=30), games=2)
    assert report.ok, str(report)


@pytest.mark.interpreted
def test_the_example_game_keeps_the_contract():
    report = check(daedalus.game(CONNECT_FOUR), games=2)
    assert report.ok, str(report)


@pytest.mark.interpreted
@pytest.mark.parametrize("game", [Nim(), Nim(seats=4, stones=20), HighCard(), TicTacToe(), Dice()], ids=repr)
def test_small_games_keep_the_contract(game):
    report = check(game, games=3)
    assert report.ok, str(report)


class Leaky(HighCard):
    """Shows the other's card in the text of a view."""

    def position_text(self, s, seat):
        return f"{','.join(map(str, s.deck[: self.cards].tolist()))} {s.ply} {s.folded}"


class Peeking(HighCard):
    """Leaves a high card of the other seat where it is."""

    def redeal(self, s, seat, w):
        if s.deck[1 - seat] < 3:
            HighCard.redeal(self, s, seat, w)


class Frozen(HighCard):
    """Claims to redeal and does not."""

    def redeal(self, s, seat, w):
        s.ply = s.ply


class Twice(Nim):
    """Lists a move twice."""

    def moves(self, s, w):
        w.buf[0], w.buf[1] = 1, 1
        return 2


class Mumbling(Nim):
    """All moves have the same text."""

    def move_text(self, s, m):
        return "take"


class Excited(Nim):
    """Evaluates outside (-1, 1)."""

    def evaluate(self, s, seat, w):
        return 2.0


class Colliding(Nim):
    """A key in which taking two stones more looks like another's turn."""

    def key(self, s):
        return U(s.left) + U(2) * U(s.turn) + U(1)


@pytest.mark.interpreted
def test_equal_keys_of_neighbours_are_found():
    for game in (Nim(), Colliding()):
        registration_of(game)  # completes the class
    with np.errstate(over="ignore"):
        assert "distinct" in _values_and_keys(Nim(), 1, 1)
    with np.errstate(over="ignore"), pytest.raises(Broken, match="two positions have the same key"):
        _values_and_keys(Colliding(), 1, 1)


class Narrow(Nim):
    """Keeps a list that is too short for more than 40 stones."""

    STATE = [*Nim.STATE, ("taken", "i1", (40,))]

    def play(self, s, m):
        s.taken[self.stones - 1] = m
        Nim.play(self, s, m)


@pytest.mark.interpreted
def test_nothing_more_is_tried_when_the_interpreted_game_fails():
    report = check(Narrow(100), games=1)
    assert not report.ok and len(report.lines) == 1, "compiled, a wrong index may end the process"
    name, held, detail = report.lines[0]
    assert (name, held) == ("smoke game", False) and "IndexError" in detail and "play" in detail


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "game, complaint",
    [
        (Leaky(), "view text of seat 0 tells hidden cards"),
        (Peeking(), "depends on hidden cards"),
        (Frozen(), "redeal never changes anything"),
        (Twice(), "a move is listed twice"),
        (Mumbling(), "two moves have the same text"),
        (Excited(), "evaluate gives 2.0"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_check_finds_a_broken_rule(game, complaint):
    report = check(game, games=2)
    assert not report.ok
    assert complaint in str(report)
