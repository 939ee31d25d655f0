"""Networks with random weights for tests."""

import numpy as np

from daedalus.core.options import written
from daedalus.core.registry import registration_of
from daedalus.search.network import Network, fresh_weights, game_name


def random_network(game, first=16, second=8, seed=1):
    """A network whose heads and biases are random too."""
    weights = fresh_weights(game.FEATURES, first, second, game.ACTIONS, seed)
    rng = np.random.default_rng(seed)
    for name in ("b1", "b2", "value", "value_bias", "policy", "policy_bias"):
        weights[name] = rng.standard_normal(weights[name].shape).astype(np.float32) / 2
    return Network(weights, {"game": game_name(registration_of(game)), "options": written(game)})


def dense(network, x):
    """Value and logits of all actions by matrix products."""
    w = network.weights
    h1 = np.maximum(x @ w["w1"] + w["b1"], 0)
    h2 = np.maximum(h1 @ w["w2"] + w["b2"], 0)
    return np.tanh(h2 @ w["value"] + w["value_bias"][0]), w["policy"] @ h2 + w["policy_bias"]
