"""Many games at once: each goes exactly as a position that is given the same moves, whatever the others and the threads do."""

from typing import NamedTuple

import numpy as np
import pytest
from games.small import Nim

import daedalus
from daedalus.core import DaedalusError, IllegalMove, InvalidOption
from daedalus.core.features import observed
from daedalus.core.memory import copies
from daedalus.core.registry import registration_of

GAMES = [
    ("quoridor", {"width": 5, "height": 5, "walls": 3}),
    ("quoridor", {"players": 4, "width": 5, "height": 5}),
    ("labyrinth", {}),
    ("labyrinth", {"players": 3}),
    ("labyrinth", {"players": 4}),
    ("colosseum", {}),
    ("saboteur", {}),
    ("blackhole", {"hole": "pass"}),
    ("blackhole", {"repetition": 2}),
    ("blackhole", {"repetition": 1000, "cap": 150}),
]


def numbered(position):
    """The legal moves by action, the first of those that share one."""
    codes = np.array(position.legal_moves.codes, np.int64)
    numbers = np.zeros_like(codes)
    registration_of(position.game).transitions.actions(
        position.game, copies(position.game, [position.state], 1), codes, numbers
    )
    return dict(zip(reversed(numbers.tolist()), reversed(codes.tolist()), strict=True))


@pytest.mark.parametrize("name, options", GAMES, ids=lambda value: str(value))
def test_every_game_goes_as_a_position_does(name, options):
    games = daedalus.vector(name, 3, seed=5, **options)
    seen = games.reset()
    positions = [games.position(i) for i in range(3)]
    ended = 0
    for _ in range(160 if name == "blackhole" else 50):
        for i, position in enumerate(positions):
            assert seen.turns[i] == position.turn
            assert np.flatnonzero(seen.masks[i]).tolist() == sorted(numbered(position))
            assert np.array_equal(seen.observations[i], observed(position))
        actions = games.sample()
        for position, action in zip(positions, actions, strict=True):
            position.push(numbered(position)[int(action)])
        seen = games.step(actions)
        for i, position in enumerate(positions):
            outcome = position.outcome()
            assert seen.done[i] == (outcome is not None)
            assert seen.rewards[i].tolist() == pytest.approx(outcome.payoffs if outcome else [0] * games.game.SEATS)
            if outcome:
                ended += 1
                positions[i] = games.position(i)
    assert ended or name != "blackhole"  # random games of others may be longer


@pytest.mark.parametrize("name", ["labyrinth", "saboteur"])
def test_observations_do_not_depend_on_what_the_seat_cannot_know(name):
    games = daedalus.vector(name, 4, seed=2)
    seen = games.reset()
    for _ in range(20):
        for i in range(4):
            for seed in range(3):
                deal = games.position(i).view(seed=seed)
                assert np.array_equal(observed(deal), seen.observations[i])
                assert set(numbered(deal)) == set(np.flatnonzero(seen.masks[i]))
        seen = games.step(games.sample())


def played(n, threads, moves=40):
    games = daedalus.vector("blackhole", n, seed=3, threads=threads, hole="pass")
    games.reset()
    steps = [[array.copy() for array in games.step(games.sample())] for _ in range(moves)]
    games.close()
    return steps


def test_games_do_not_depend_on_the_threads_nor_on_the_other_games():
    whole = played(11, 1)
    assert any(step[4].any() for step in whole)  # some have ended and begun anew
    for alone, threaded, fewer in zip(whole, played(11, 3), played(5, 1), strict=True):
        for a, b, c in zip(alone, threaded, fewer, strict=True):
            assert np.array_equal(a, b) and np.array_equal(a[:5], c)


@pytest.mark.interpreted
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("wrong", [100, -1, 2**40, 0])
def test_an_illegal_action_changes_no_game(wrong, threads):
    games = daedalus.vector("blackhole", 3, threads=threads)
    seen = games.reset()
    actions = games.sample()
    kept = [array.copy() for array in seen]
    actions[2] = wrong  # 0: the ship on the corner cannot go north
    with pytest.raises(IllegalMove, match=f"game 2: action {wrong} is not legal there; legal: 1, 2"):
        games.step(actions)
    assert all(np.array_equal(a, b) for a, b in zip(seen, kept, strict=True))
    assert len({games.position(i).text for i in range(3)}) == 1  # the others have not moved either
    games.close()


@pytest.mark.interpreted
@pytest.mark.parametrize("actions", [[1, 1], [1.0, 1.0, 1.0], [[1], [1], [1]], 1])
def test_anything_but_one_whole_number_a_game_is_refused(actions):
    games = daedalus.vector("blackhole", 3)
    games.reset()
    with pytest.raises(DaedalusError, match="one whole number a game: an array of 3"):
        games.step(actions)


@pytest.mark.interpreted
def test_what_cannot_be_is_said():
    games = daedalus.vector("blackhole", 2)
    with pytest.raises(DaedalusError, match=r"reset\(\) comes before"):
        games.step([1, 1])
    with pytest.raises(DaedalusError, match=r"reset\(\) comes before"):
        games.sample()
    with pytest.raises(DaedalusError, match=r"reset\(\) comes before"):
        games.position(0)
    games.reset()
    with pytest.raises(InvalidOption, match="there is no game 2 among 2"):
        games.position(2)
    with pytest.raises(InvalidOption, match="at least one game"):
        daedalus.vector("blackhole", 0)
    for wrong in ({"n": 2.5}, {"n": "3"}, {"n": 3, "threads": 1.5}, {"n": 3, "seed": "x"}):
        with pytest.raises(InvalidOption, match="takes a whole number"):
            daedalus.vector("blackhole", wrong.pop("n"), **wrong)
    with pytest.raises(InvalidOption, match="takes no more options"):
        daedalus.vector(daedalus.game("blackhole"), 1, size=7)
    with pytest.raises(DaedalusError, match="has no features"):
        daedalus.vector(Nim(), 1)


def test_games_are_stepped_on_after_their_threads_have_ended():
    games = daedalus.vector("blackhole", 2, threads=9)
    games.reset()
    games.close()
    games.step(games.sample())
    assert len(games.position(0).text) > 0


@pytest.mark.interpreted
def test_what_is_seen_cannot_be_written():
    for array in daedalus.vector("blackhole", 2).reset():
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_a_seed_gives_the_same_games_and_none_gives_new_ones():
    games = daedalus.vector("labyrinth", 4, seed=9)
    first = games.reset().observations.copy()
    following = games.reset().observations.copy()
    assert not np.array_equal(first, following)
    assert np.array_equal(games.reset(seed=9).observations, first)
    assert len({row.tobytes() for row in first}) == 4


@pytest.mark.interpreted
def test_random_actions_are_all_the_legal_ones():
    games = daedalus.vector("blackhole", 256, seed=1)
    seen = games.reset()
    assert set(games.sample().tolist()) == set(np.flatnonzero(seen.masks[0]).tolist())


class Twins(NamedTuple):
    """One move of four: two look like the one, two like the other."""

    first: int = 0

    STATE = [("made", "i8"), ("plies", "i8")]
    MAX_MOVES = 4
    ACTIONS = 2
    FEATURES = 1

    def start(self, s, w):
        s.made = -1

    def turn(self, s):
        return s.plies % 2

    def moves(self, s, w):
        for k in range(4):
            w.buf[k] = 3 - k
        return 4

    def play(self, s, m):
        s.made = m
        s.plies += 1

    def over(self, s):
        return s.plies >= 4

    def payoff(self, s, seat):
        return 0.5 if seat == 0 else -0.5

    def label(self, s, m):
        return m // 2

    def action(self, s, m):
        return m // 2

    def features(self, s, seat, out):
        out[0] = s.made


@pytest.mark.interpreted
def test_of_moves_that_share_an_action_the_first_of_the_games_order_is_made():
    games = daedalus.vector(Twins(), 2)
    games.reset()
    assert games.step([0, 1]).observations.tolist() == [[1.0], [3.0]]
    games.step([0, 0])
    games.step([0, 0])
    last = games.step([0, 0])
    assert last.done.all() and last.rewards.tolist() == [[0.5, -0.5]] * 2
    assert last.observations.tolist() == [[-1.0]] * 2  # the openings of the next games


class Stones:
    """A state in plain Python."""

    def __init__(self):
        self.left = 5
        self.turn = 0


class PlainNim(Nim):
    """Nim that does not compile."""

    STATE = Stones
    FEATURES = 2
    ACTIONS = 4

    def start(self, s, w):
        s.left = self.stones

    def turn(self, s):
        return s.turn

    def moves(self, s, w):
        n = min(3, s.left)
        w.buf[:n] = range(1, n + 1)
        return n

    def play(self, s, m):
        s.left -= int(m)
        s.turn = 1 - s.turn

    def payoff(self, s, seat):
        return -1.0 if seat == s.turn else 1.0

    def key(self, s):
        return 0

    def features(self, s, seat, out):
        out[:] = s.left, seat


@pytest.mark.interpreted
def test_rules_in_plain_python_objects_are_stepped_too():
    games = daedalus.vector(PlainNim(stones=5), 2, threads=2)
    assert games.reset().observations.tolist() == [[5, 0], [5, 0]]
    seen = games.step([1, 3])
    assert seen.observations.tolist() == [[4, 1], [2, 1]]
    assert seen.masks.tolist() == [[0, 1, 1, 1], [0, 1, 1, 0]]
    seen = games.step([1, 2])
    assert seen.done.tolist() == [False, True]
    assert seen.rewards.tolist() == [[0, 0], [-1, 1]]
    assert seen.observations.tolist() == [[3, 0], [5, 0]]
