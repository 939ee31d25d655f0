"""The forward pass inside kernels, against the same sums written with NumPy, on positions of real games."""

import numpy as np
import pytest
from network_files import dense, random_network

import daedalus
from daedalus.core.features import observed
from daedalus.core.memory import copies, workspaces
from daedalus.core.registry import make_game
from daedalus.search.kernels import network as kernels
from daedalus.search.network import Network

pytestmark = pytest.mark.interpreted


def after(game, plies, seed):
    """A position some random moves into a game."""
    position = daedalus.Position(game, seed)
    rng = np.random.default_rng(seed)
    while len(position.history) < plies and position.outcome() is None:
        position.push(position.legal_moves[int(rng.integers(len(position.legal_moves)))])
    return position


@pytest.mark.parametrize("name, options", [("blackhole", {}), ("quoridor", {"width": 5, "height": 5, "walls": 3})])
def test_value_and_prior_are_those_of_the_matrix_products(name, options):
    game = make_game(name, **options)
    network = random_network(game)
    net, W = network.judge(game), workspaces(game, 1, 1)
    for plies in range(8):
        position = after(game, plies, plies)
        if position.outcome() is not None:
            continue
        S, mover = copies(game, [position.state], 1), position.turn
        value, logits = dense(network, observed(position, mover))
        assert net.value(game, S[0], mover, W[0]) == pytest.approx(value, abs=1e-5)
        assert net.value(game, S[0], 1 - mover, W[0]) == pytest.approx(-value, abs=1e-5)
        n = game.moves(S[0], W[0])
        actions = [int(game.action(S[0], m)) for m in W[0].buf[:n]]
        assert len(set(actions)) == n
        net.prior(game, S[0], W[0], n)
        odds = np.exp(logits[actions] - logits[actions].max())
        assert W[0].prior[:n] == pytest.approx(odds / odds.sum(), abs=1e-5)


def test_the_rows_of_a_last_pass_that_is_not_full_count_nothing():
    rows = np.zeros(12, np.int32)
    for ones in range(9):
        x = np.zeros(12, np.float32)
        x[:ones] = 1.0
        listed = kernels.active(x, 8, rows)
        assert listed == -(-ones // 4) * 4
        assert rows[:listed].tolist() == [*range(ones), *[8] * (listed - ones)]


def test_without_a_policy_head_all_moves_have_the_same_prior():
    game = make_game("blackhole")
    whole = random_network(game).weights
    network = Network(
        whole | {"policy": whole["policy"][:0], "policy_bias": whole["policy_bias"][:0]}, {"game": "blackhole", "options": ""}
    )
    S, W = copies(game, [daedalus.Position(game, 1).state], 1), workspaces(game, 1, 1)
    n = game.moves(S[0], W[0])
    network.judge(game).prior(game, S[0], W[0], n)
    assert W[0].prior[:n].tolist() == [1 / n] * n


def test_a_move_is_drawn_as_often_as_its_prior_says():
    game = make_game("blackhole")
    net = random_network(game).judge(game)
    S, W = copies(game, [daedalus.Position(game, 1).state], 1), workspaces(game, 1, 7)
    n = game.moves(S[0], W[0])
    net.prior(game, S[0], W[0], n)
    expected = dict(zip(W[0].buf[:n].tolist(), W[0].prior[:n].tolist(), strict=True))
    draws = 400
    with np.errstate(over="ignore"):  # the generator wraps
        drawn = [int(net.pick(game, S[0], W[0])) for _ in range(draws)]
    for move, share in expected.items():
        assert drawn.count(move) / draws == pytest.approx(share, abs=4 * (share * (1 - share) / draws) ** 0.5 + 1e-9)
