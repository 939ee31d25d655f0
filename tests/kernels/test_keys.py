"""Keys of positions: different positions have different ones, the same position the same, by whatever moves it came."""

import numpy as np
import pytest

import daedalus
from daedalus import Position
from daedalus.core.compile import INTERPRETED
from daedalus.core.memory import states, workspaces
from daedalus.core.registry import registration_of

# What tells two positions apart; all else in a state follows from it, or does not count (plies).
FIELDS = {
    "colosseum": ("right", "down", "cell", "turn"),
    "quoridor": ("h0", "h1", "v0", "v1", "pawn", "stock", "turn"),
    "blackhole": ("ships", "turn"),
}
GAMES = [
    ("colosseum", {}, 1_000_000),
    ("colosseum", {"size": 12}, 200_000),
    ("quoridor", {}, 1_000_000),
    ("quoridor", {"players": 4}, 200_000),
    ("blackhole", {}, 1_000_000),
    ("blackhole", {"size": 9, "hole": "pass"}, 200_000),
]


def successors(game, count, seed=1):
    """So many successors of positions of random games, and their keys."""
    after, keys = states(game, count), np.zeros(count, np.uint64)
    registration_of(game).kernels.load("successors").fill(game, states(game, 2), workspaces(game, 1, seed), after, keys)
    return after, keys


def described(name, after):
    """What makes each position what it is, as one row of bytes."""
    fields = [np.ascontiguousarray(after[field]).reshape(len(after), -1) for field in FIELDS[name]]
    return np.concatenate([field.view(np.uint8).reshape(len(after), -1) for field in fields], axis=1)


@pytest.mark.parametrize("name, options, count", GAMES, ids=lambda part: str(part))
def test_no_two_positions_among_a_million_successors_share_a_key(name, options, count):
    count = 2000 if INTERPRETED else count
    after, keys = successors(daedalus.game(name, **options), count)
    rows = described(name, after)
    order = np.argsort(keys)
    alike = keys[order][1:] == keys[order][:-1]
    differing = alike & (rows[order][1:] != rows[order][:-1]).any(axis=1)
    assert keys.all(), "0 means that there is no key"
    assert not differing.any(), f"{differing.sum()} pairs of different positions share their key"
    some = slice(0, count // 10)
    same = len(np.unique(np.ascontiguousarray(rows[some]).view(f"V{rows.shape[1]}")))
    assert len(np.unique(keys[some])) == same, "one position has two keys"


@pytest.mark.parametrize("name, options, count", GAMES, ids=lambda part: str(part))
def test_every_bit_of_a_key_depends_on_the_position(name, options, count):
    """Of a few thousand successors, each bit is set in about half."""
    _, keys = successors(daedalus.game(name, **options), 2000, seed=2)
    keys = np.unique(keys)
    share = [float(((keys >> np.uint64(bit)) & np.uint64(1)).mean()) for bit in range(64)]
    spread = 6 * 0.5 / len(keys) ** 0.5
    assert all(abs(part - 0.5) < spread for part in share), share


@pytest.mark.parametrize(
    "name, start, one, other",
    [
        ("quoridor", None, "a3h h6h c3v f6v", "c3v f6v a3h h6h"),
        ("quoridor", None, "e2 e8 e1 e9", ""),  # the same squares again: plies do not count
        ("colosseum", "8 2,0 4,6 A |", "2,0d 4,6u 2,0u 4,6d", "2,0u 4,6d 2,0d 4,6u"),
        ("blackhole", None, "a5-d5 a1-d1 d5-a5 d1-a1", ""),
    ],
)
def test_a_position_reached_by_other_moves_has_the_same_key(name, start, one, other):
    game = daedalus.game(name)
    ends = [Position.from_text(game, start) if start else Position(game, 1) for _ in range(2)]
    for position, moves in zip(ends, (one, other), strict=True):
        for move in moves.split():
            position.push(move)
    assert ends[0].text == ends[1].text and ends[0].keys[-1] == ends[1].keys[-1]


def test_whose_turn_it_is_tells_positions_apart():
    for name, one, other in (
        ("quoridor", "/ / e1 e9 / 10 10 / 1", "/ / e1 e9 / 10 10 / 2"),
        ("colosseum", "8 2,0 4,6 A |", "8 2,0 4,6 B |"),
        ("blackhole", "R...R/.R.R./..*../.B.B./B...B R", "R...R/.R.R./..*../.B.B./B...B B"),
    ):
        game = daedalus.game(name)
        assert Position.from_text(game, one).keys != Position.from_text(game, other).keys


def test_staying_and_walling_beside_cell_32_changes_the_key():
    position = Position.from_text(daedalus.game("colosseum"), "8 4,0 0,7 A |")
    before = position.keys[-1]
    position.push("4,0r")
    assert position.keys[-1] != before
