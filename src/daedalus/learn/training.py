"""Training in JAX: the forward pass that kernels have too, the losses, and steps of Adam."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from daedalus.core import DaedalusError

from .recipe import Recipe

try:
    import jax
    import jax.numpy as jnp
    import optax
except ModuleNotFoundError as missing:
    raise DaedalusError(f"training needs {missing.name}, playing does not: pip install 'daedalus[learn]'") from None

_STEPS = 8  # a call: enough that calling costs nothing, few enough that their batches fit into memory


def forward(weights: dict[str, Any], x: Any) -> tuple[Any, Any]:
    """Values and logits of all actions for rows of inputs; the same sums as in search/kernels/network.py."""
    h1 = jax.nn.relu(x @ weights["w1"] + weights["b1"])
    h2 = jax.nn.relu(h1 @ weights["w2"] + weights["b2"])
    return jnp.tanh(h2 @ weights["value"] + weights["value_bias"][0]), h2 @ weights["policy"].T + weights["policy_bias"]


def losses(weights: dict[str, Any], x: Any, policy: Any, value: Any) -> tuple[Any, Any]:
    """The squared error of the values, and how far the policy is from the searches' (their divergence)."""
    values, logits = forward(weights, x)
    legal = policy >= 0
    shares = jnp.where(legal, policy, 0.0)
    told = jax.nn.log_softmax(jnp.where(legal, logits, -1e9))
    entropy = jnp.sum(jax.scipy.special.xlogy(shares, shares), axis=-1)
    return jnp.mean((values - value) ** 2), jnp.mean(entropy - jnp.sum(shares * told, axis=-1))


class Trainer:
    """Weights under training, their running mean, and Adam's memory of their gradients."""

    def __init__(self, weights: dict[str, Any], recipe: Recipe, symmetries: Sequence[tuple[Any, Any]] = ()) -> None:
        self.recipe = recipe
        as_it_is = np.arange(len(weights["w1"])), np.arange(len(weights["policy_bias"]))
        self.turned = [np.array(numbers) for numbers in zip(as_it_is, *symmetries, strict=True)] if symmetries else []
        self.optimiser = optax.scale_by_adam()
        trained = {name: jnp.asarray(values) for name, values in weights.items()}
        self.state: Any = (trained, trained, self.optimiser.init(trained))

    def train(self, replay: Any, iteration: int, seed: int) -> tuple[float, float]:
        """An iteration's steps; the mean losses of values and policies."""
        recipe = self.recipe
        rng = np.random.default_rng(seed)
        rate = recipe.rate * 0.5 ** (iteration / recipe.halve)
        calls = max(1, round(recipe.rows * recipe.passes / recipe.batch / _STEPS))
        lost = []
        for _ in range(calls):
            shape = (_STEPS, recipe.batch)
            rows = self._turn(rng, *replay.sample(rng, _STEPS * recipe.batch))
            x, policy, value = (part.reshape(*shape, *part.shape[1:]) for part in rows)
            self.state, told = self._steps(self.state, x, policy, value, rate)
            lost.append(np.asarray(told))
        value_loss, policy_loss = np.mean(lost, axis=0).tolist()
        return value_loss, policy_loss

    def _turn(self, rng: Any, x: Any, policy: Any, value: Any) -> tuple[Any, Any, Any]:
        """The same rows on boards that are turned or mirrored at random, where the game has symmetries."""
        if not self.turned:
            return x, policy, value
        inputs, actions = self.turned
        ways = rng.integers(0, len(inputs), len(value))
        return np.take_along_axis(x, inputs[ways], axis=1), np.take_along_axis(policy, actions[ways], axis=1), value

    @partial(jax.jit, static_argnums=0)
    def _steps(self, state: Any, x: Any, policy: Any, value: Any, rate: Any) -> Any:
        def step(state: Any, batch: Any) -> Any:
            weights, mean, memory = state
            x, policy, value = (part.astype(jnp.float32) for part in batch)
            gradient, told = jax.grad(self._loss, has_aux=True)(weights, x, policy, value)
            change, memory = self.optimiser.update(gradient, memory)
            weights = jax.tree.map(lambda w, d: w - rate * (d + self.recipe.decay * w), weights, change)
            mean = jax.tree.map(lambda m, w: m + (1 - self.recipe.average) * (w - m), mean, weights)
            return (weights, mean, memory), told

        state, told = jax.lax.scan(step, state, (x, policy, value))
        return state, told.mean(axis=0)

    def _loss(self, weights: Any, x: Any, policy: Any, value: Any) -> Any:
        told = jnp.stack(losses(weights, x, policy, value))
        return told[0] + self.recipe.policy * told[1], told

    def averaged(self) -> dict[str, Any]:
        """The weights that play: the running mean."""
        return {name: np.asarray(values) for name, values in self.state[1].items()}

    def memory(self) -> list[Any]:
        """All that training goes on from, as arrays in a fixed order."""
        return [np.asarray(part) for part in jax.tree.leaves(self.state)]

    def remember(self, memory: list[Any]) -> None:
        """Goes on from what `memory` gave; refuses that of other layers or of another game."""
        if [part.shape for part in memory] != [part.shape for part in jax.tree.leaves(self.state)]:
            raise DaedalusError("the checkpoint does not fit the recipe: were its layers changed, or the game's features?")
        self.state = jax.tree.unflatten(jax.tree.structure(self.state), [jnp.asarray(part) for part in memory])
