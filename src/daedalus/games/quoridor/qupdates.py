"""The updates of Q-learning in JAX: equation 2.2 of Hoľa (2016), with a target network, double Q and masks where asked."""

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

if TYPE_CHECKING:
    from .qlearning import QRecipe


_SCALE = 30.0  # the error of all values is a mean over all actions, of which few differ
_SOFT = 0.03  # differences of values that begin to decide a choice: a third of a step
_CHOICE = 0.3  # what a choice weighs beside the values


def values(recipe: "QRecipe", weights: Any, x: Any) -> Any:
    """The estimated values of all actions."""
    bend = jax.nn.relu if recipe.activation == "relu" else jax.nn.sigmoid
    x = bend(x @ weights["w1"] + weights["b1"])
    x = bend(x @ weights["w2"] + weights["b2"])
    return x @ weights["w3"] + weights["b3"]


def _at(table: Any, actions: Any) -> Any:
    return jnp.take_along_axis(table, actions[:, None], axis=1)[:, 0]


def targets(recipe: "QRecipe", weights: Any, frozen: Any, batch: Any) -> Any:
    """What the played actions should be worth: the result, or the best value when it is to move again."""
    later = values(recipe, frozen, batch["later"])
    judged = values(recipe, weights, batch["later"]) if recipe.double else later
    if recipe.mask:
        judged = jnp.where(batch["legal_after"], judged, -jnp.inf)
    best = _at(later, jnp.argmax(judged, axis=1))
    return batch["gain"] + batch["discount"] * jax.lax.stop_gradient(best)


def loss(weights: Any, recipe: "QRecipe", frozen: Any, batch: Any) -> Any:
    """The error of the values of all legal actions where they are known, else of the played one's."""
    estimated = values(recipe, weights, batch["seen"])
    if "wanted" in batch:
        return jnp.mean(errors(estimated, batch["wanted"], batch["legal"] if recipe.mask else True))
    wanted = jax.lax.stop_gradient(targets(recipe, weights, frozen, batch))
    return jnp.mean(batch["learnt"] * optax.huber_loss(_at(estimated, batch["action"]), wanted))


def errors(estimated: Any, wanted: Any, legal: Any) -> Any:
    """How far values are from the wanted ones, and choices by them from choices by those: the highest values matter most."""
    squares = jnp.where(legal, jnp.square(estimated - wanted), 0.0)
    mine = jax.nn.log_softmax(jnp.where(legal, estimated / _SOFT, -1e9))
    theirs = jax.nn.softmax(jnp.where(legal, wanted / _SOFT, -1e9))
    return _SCALE * jnp.mean(squares, axis=1) - _CHOICE * jnp.sum(theirs * jnp.where(legal, mine, 0.0), axis=1)


class Updates:
    """Weights under training: steps of a batch, or of single turns in order where nothing is replayed."""

    def __init__(self, recipe: "QRecipe") -> None:
        self.recipe, self.count = recipe, 0
        rounds = recipe.total // recipe.games
        rate = optax.linear_schedule(*recipe.rate, rounds * recipe.updates) if recipe.replay else recipe.rate[0]
        self.optimiser = optax.adam(rate) if recipe.optimiser == "adam" else optax.sgd(rate)
        self._mean = jax.jit(lambda old, new: optax.incremental_update(new, old, 1 - recipe.average))
        self._step = jax.jit(self._one if recipe.replay else self._in_order)

    def begin(self, weights: dict[str, Any]) -> None:
        """Starts from these weights."""
        self.trained = {name: jnp.asarray(value) for name, value in weights.items()}
        self.frozen = self.averaged = self.trained
        self.memory = self.optimiser.init(self.trained)

    def weights(self) -> dict[str, Any]:
        """The weights that play, as NumPy arrays: the running mean of the trained ones, which sway."""
        return {name: np.asarray(value) for name, value in self.averaged.items()}

    def _one(self, weights: Any, frozen: Any, memory: Any, batch: Any) -> Any:
        slope = jax.grad(loss)(weights, self.recipe, frozen, batch)
        change, memory = self.optimiser.update(slope, memory, weights)
        return optax.apply_updates(weights, change), memory

    def _in_order(self, weights: Any, frozen: Any, memory: Any, batch: Any) -> Any:
        """Turn by turn, each from the weights that the one before has left."""

        def turn(carried: Any, row: Any) -> Any:
            now, memory = carried
            return self._one(now, now, memory, {name: value[None] for name, value in row.items()}), None

        return jax.lax.scan(turn, (weights, memory), batch)[0]

    def judge(self) -> dict[str, Any]:
        """The weights that value what comes next, as NumPy arrays."""
        return {name: np.asarray(value) for name, value in (self.frozen if self.recipe.target else self.averaged).items()}

    def step(self, batch: dict[str, Any]) -> None:
        """One update; single turns are filled up to a round number without weight, since every other number compiles anew."""
        count = len(batch["seen"])
        batch["learnt"] = np.ones(count, np.float32)
        if not self.recipe.replay:
            more = -count % 512
            batch = {
                name: np.concatenate([value, np.zeros((more, *value.shape[1:]), value.dtype)]) for name, value in batch.items()
            }
            batch["legal_after"][count:] = True
        frozen = self.frozen if self.recipe.target else self.trained
        self.trained, self.memory = self._step(self.trained, frozen, self.memory, batch)
        self.averaged = self._mean(self.averaged, self.trained)
        self.count += 1
        if self.recipe.target and self.count % self.recipe.target == 0:
            self.frozen = self.averaged

    def arrays(self) -> dict[str, Any]:
        """All of it, for a checkpoint."""
        leaves = jax.tree_util.tree_leaves((self.trained, self.frozen, self.averaged, self.memory))
        return {f"leaf_{k}": np.asarray(leaf) for k, leaf in enumerate(leaves)} | {"updates": np.array(self.count)}

    def restore(self, kept: Any) -> None:
        """The reverse, into the shapes that `begin` has made."""
        shape = jax.tree_util.tree_structure((self.trained, self.frozen, self.averaged, self.memory))
        leaves = [jnp.asarray(kept[f"leaf_{k}"]) for k in range(shape.num_leaves)]
        self.trained, self.frozen, self.averaged, self.memory = jax.tree_util.tree_unflatten(shape, leaves)
        self.count = int(kept["updates"])
