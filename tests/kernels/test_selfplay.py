"""Games of a network against itself: what the rows say is what happened, and what is proven is true."""

import numpy as np
import pytest
from network_files import random_network

from daedalus.core.memory import workspaces
from daedalus.core.registry import make_game
from daedalus.learn.kernels.selfplay import CAPPED, DRAWS, GAMES, PLIES, row_type, teach
from daedalus.learn.recipe import Recipe
from daedalus.learn.selfplay import Worker

SMALL = {"simulations": 12, "openings": 6, "sampled": 4, "cap": 40, "layers": [16, 8]}


def played(name="blackhole", options=None, wanted=200, seed=3, **changes):
    game = make_game(name, **(options or {}))
    worker = Worker(game, random_network(game), Recipe.of(SMALL | changes), seed)
    return worker.play(wanted), worker.counts


def test_rows_are_whole_games():
    rows, counts = played(wanted=200)
    assert len(rows) == counts[PLIES] >= 200
    assert counts[GAMES] > 1


def test_policies_are_shares_of_the_legal_moves():
    rows, _ = played()
    legal = rows["policy"] >= 0
    assert (legal.sum(axis=1) > 0).all() and not legal.all()
    assert np.where(legal, rows["policy"], 0).sum(axis=1) == pytest.approx(np.ones(len(rows)), abs=1e-5)
    assert (rows["policy"][~legal] == -1).all()


def test_values_are_within_bounds_and_proven_ones_exact():
    rows, _ = played(options={"hole": "pass"}, simulations=60, openings=20)
    assert (np.abs(rows["value"]) <= 1).all()
    proven = rows[rows["proven"] != 0]
    assert len(proven) and set(proven["value"].tolist()) <= {-1.0, 0.0, 1.0}


def test_with_the_result_alone_a_game_has_one_value_for_each_side():
    """Nothing is proven within one simulation: every row is told the result, from its mover's side."""
    rows, counts = played(simulations=1, later=1.0, openings=0, wanted=1, cap=500, seed=5)
    assert counts[GAMES] == 1 and counts[CAPPED] == 0
    open_ = rows[rows["proven"] == 0]
    assert (
        len({float(value if mover == 0 else -value) for value, mover in zip(open_["value"], open_["mover"], strict=True)}) == 1
    )


def test_a_capped_game_has_no_result():
    rows, counts = played(cap=2, openings=0, later=1.0, wanted=10)
    assert counts[CAPPED] == counts[GAMES]
    assert not np.isin(rows["value"], (-1.0, 0.0, 1.0)).any()  # what the network thinks, which is never exact


def test_a_repeated_position_ends_the_game_as_a_draw():
    _, counts = played(options={"repetition": 2}, cap=200, openings=0, wanted=600)
    assert counts[DRAWS] > 0


def test_the_same_seed_plays_the_same_games():
    first, again, other = (played(seed=seed)[0] for seed in (3, 3, 4))
    assert all(np.array_equal(first[name], again[name]) for name in first.dtype.names)
    assert not np.array_equal(first["policy"][:50], other["policy"][:50])


def test_games_without_random_openings_begin_at_the_start():
    game = make_game("blackhole")
    rows, counts = played(openings=0, noise=0.0)
    from daedalus import Position
    from daedalus.core.features import observed

    start = observed(Position(game, 1), 0)
    assert sum(np.array_equal(row, start) for row in rows["x"]) >= counts[GAMES]


def test_targets_mix_what_came_later_from_the_end_backwards():
    """Seat 0 won. By hand with a share of a half, from the last row: (0.2 + 1) / 2 = 0.6; the proven draw stays, and the row
    before it hears of the draw, from the other side: (0.4 + 0) / 2 = 0.2; and the first: (-0.6 - 0.2) / 2 = -0.4."""

    class Won:
        def payoff(self, s, seat):
            return 1.0 - 2.0 * seat

    game = make_game("blackhole")
    rows = np.zeros(4, row_type(1, 1))
    for row, (mover, value, proven) in zip(rows, [(1, -0.6, 0), (0, 0.4, 0), (1, 0.0, 1), (0, 0.2, 0)], strict=True):
        row.mover, row.value, row.proven = mover, value, proven
    W = workspaces(game, 1, 1)
    teach(Won(), None, rows, 0, 4, 0.5, True, False, W[0], 2)
    assert rows["value"].tolist() == pytest.approx([-0.4, 0.2, 0.0, 0.6])
