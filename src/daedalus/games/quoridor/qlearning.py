"""Q-learning of Quoridor: the published experiment (Hoľa 2016) and what makes it work, one loop with options.

A run's folder holds recipe.toml, checkpoint.npz (weights, optimiser, replay, curve), curve.csv, curve.png and
qnet.safetensors, the best network so far. All that is drawn at random follows from the seed and the number of the update,
so a run that was killed comes to the same numbers as one that was not.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from daedalus.core import DaedalusError, InvalidOption, scramble
from daedalus.core.errors import valid
from daedalus.core.files import kept_arrays, replacing, trained_by_one
from daedalus.core.memory import state_type, workspaces
from daedalus.core.options import refusal
from daedalus.core.recipes import TomlRecipe
from daedalus.core.registry import make_game, registration_of

from .kernels.policies import Heuristic
from .kernels.policies import Path as Runner
from .kernels.qlearning import MOST_TURNS, Manner, Transitions
from .kernels.qnet import inputs_of
from .positions import plies_back
from .qnet import ACTIVATIONS, INPUTS, mirrored, policy_of, write_qnet

OPPONENTS: dict[str, Callable[[], Any]] = {"path": lambda: Runner(0), "heuristic": Heuristic}
Say = Callable[[str], None]


@dataclass(frozen=True)
class QRecipe(TomlRecipe):
    """How a network of Q-values is trained; `learner` and `game` say by whom and for what.

    inputs, layers, activation  the network
    backup                      whose value is learnt: that of the action `played`, or of `all` legal ones at each position
    mask, double, n, gamma      the target: legal actions only, chosen by one network and valued by another, n turns on
    target, replay              updates between copies to the target network, rows kept; 0 for none
    fresh, least                rows of a round that are kept, 0 for all; rows without which nothing is learnt
    mirror                      learns half of the rows with left and right swapped; the finished player takes the mean of both
    average                     factor a step of the running mean of the weights, which plays; 0 for the weights themselves
    optimiser, rate, batch      adam in batches from the replay, or sgd turn by turn as played; the rate's first and last value
    shaping                     what a step gained on the other is worth beside the result, which is 1
    imitation                   during so many games to begin with it learns only what each action gains at once
    epsilon, explore, guided    exploration from, to, over how many games, and the share that the heuristic decides
    generator, opening          games that begin near the end; random plies at the beginning of the others
    opponents, shares           whom it plays, how often
    games, updates, total       games between updates, updates after them, games in all
    evaluate, evaluation        rounds between evaluations, games of each
    """

    learner: str = "qlearning"
    game: str = "quoridor"
    inputs: str = "paths"
    layers: tuple[int, int] = (128, 64)
    activation: str = "relu"
    backup: str = "played"
    mask: bool = True
    double: bool = True
    n: int = 1
    gamma: float = 1.0
    target: int = 0
    replay: int = 0
    fresh: int = 0
    least: int = 0
    mirror: bool = False
    average: float = 0.0
    optimiser: str = "adam"
    rate: tuple[float, float] = (0.001, 0.001)
    batch: int = 512
    imitation: int = 0
    shaping: float = 0.0
    epsilon: tuple[float, float] = (0.5, 0.02)
    explore: int = 10000
    guided: float = 0.0
    generator: int = 0
    opening: int = 0
    opponents: tuple[str, ...] = ("heuristic", "path")
    shares: tuple[float, ...] = (0.5, 0.5)
    games: int = 64
    updates: int = 1
    total: int = 100000
    evaluate: int = 100
    evaluation: int = 400

    def check(self) -> None:
        """Refuses what cannot be trained."""
        for name, choices in (
            ("inputs", INPUTS),
            ("activation", ACTIVATIONS),
            ("optimiser", ("adam", "sgd")),
            ("backup", ("played", "all")),
        ):
            if getattr(self, name) not in choices:
                raise InvalidOption(valid(name, getattr(self, name), choices))
        for opponent in self.opponents:
            if opponent not in OPPONENTS:
                raise InvalidOption(valid("opponent", opponent, OPPONENTS))
        if len(self.shares) != len(self.opponents):
            raise refusal("shares", list(self.shares), "a share for each opponent")
        if not self.replay and (self.imitation or self.backup == "all"):
            raise refusal("replay", self.replay, "more than 0 where all actions are learnt from")
        if self.mirror and self.inputs == "published":
            raise refusal("mirror", self.mirror, "false with published inputs")
        if len(self.layers) != 2 or min(self.layers) < 1 or max(self.layers) > 4096:
            raise refusal("layers", list(self.layers), "two numbers of units, up to 4096")
        for name, (low, high) in _BOUNDS.items():
            value = getattr(self, name)
            if not all(low <= number <= high for number in (value if isinstance(value, tuple) else (value,))):
                raise refusal(name, list(value) if isinstance(value, tuple) else value, f"{low:g} to {high:g}")
        for name in ("rate", "epsilon"):
            if len(getattr(self, name)) != 2:
                raise refusal(name, list(getattr(self, name)), "two numbers, the first and the last")
        if not self.opponents or not sum(self.shares) > 0:
            raise refusal("shares", list(self.shares), "at least one opponent, and a share above 0")

    def epsilon_after(self, games: int) -> float:
        """How often a move is explored after so many games."""
        first, last = self.epsilon
        return first + (last - first) * min(1.0, games / max(self.explore, 1))


_BOUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("gamma", "average", "epsilon", "guided", "shares"), (0, 1)),
    **dict.fromkeys(("target", "imitation", "explore", "generator", "total"), (0, 10**9)),
    **dict.fromkeys(("fresh", "least", "replay"), (0, 10**7)),
    **dict.fromkeys(("updates", "evaluate"), (1, 10**6)),
    "games": (1, 10**4),
    "evaluation": (4, 10**6),  # two pairs of games have an interval
    "batch": (1, 1 << 16),
    "rate": (1e-9, 1),
    "n": (1, MOST_TURNS),
    "shaping": (0, 1),
    "opening": (0, 100),
}


def transitions(game: Any, rows: int) -> Transitions:
    """Room for so many transitions."""
    words = (game.ACTIONS + 63) // 64
    kind = state_type(game)
    numbers = (np.zeros(rows, np.int64), np.zeros(rows, np.float32), np.zeros(rows, np.float32))
    return Transitions(np.zeros(rows, kind), np.zeros(rows, kind), *numbers, *np.zeros((2, rows, words), np.uint64))


def unpacked(masks: Any, actions: int) -> Any:
    """Legal actions as a table of booleans."""
    bits = np.unpackbits(np.ascontiguousarray(masks).view(np.uint8), axis=1, bitorder="little")
    return bits[:, :actions].astype(bool)


class Player:
    """The side of training that plays: games of a network in kernels."""

    def __init__(self, game: Any, recipe: QRecipe) -> None:
        self.game, self.recipe = game, recipe
        self.kernels = registration_of(game).kernels.load("daedalus.games.quoridor.kernels.qlearning")
        self.inputs = inputs_of(game, INPUTS[recipe.inputs])
        self.S = np.zeros(game.cap + 4, state_type(game))
        turns = transitions(game, MOST_TURNS)
        self.turns = (turns.state, turns.legal, turns.played)

    def manner(self, played: int) -> Manner:
        """How it plays after so many games."""
        recipe = self.recipe
        return Manner(
            float(recipe.epsilon_after(played)),
            float(recipe.guided),
            recipe.n,
            float(recipe.gamma),
            float(recipe.shaping),
            recipe.opening,
            plies_back(played, recipe.generator),
            recipe.mask,
            recipe.double,
        )

    def gathered(self, weights: dict[str, Any], games: int, played: int, seed: int) -> tuple[Transitions, float]:
        """Transitions of so many games against the recipe's opponents, and their mean result."""
        recipe = self.recipe
        manner = self.manner(played)
        net = policy_of(self.game, weights, recipe.inputs, recipe.activation)
        parts, total, sum_ = [], 0, 0.0
        for k, (name, share) in enumerate(zip(recipe.opponents, recipe.shares, strict=True)):
            count = max(2, round(games * share / sum(recipe.shares)))
            rows = transitions(self.game, (count + 1) * MOST_TURNS)
            W = workspaces(self.game, 1, scramble(seed, k))
            self.S[-1] = np.zeros((), self.S.dtype)
            n, result = self.kernels.gather(
                self.game, net, OPPONENTS[name](), Heuristic(), self.S, W, *self.turns, rows, manner, count
            )
            parts.append([part[:n] for part in rows])
            total, sum_ = total + count, sum_ + result
        return Transitions(*map(np.concatenate, zip(*parts, strict=True))), sum_ / total

    def inputs_at(self, states: Any, places: Any) -> Any:
        """What the network sees of some states."""
        X = np.zeros((len(places), self.inputs), np.float32)
        self.kernels.fill(self.game, INPUTS[self.recipe.inputs], states, places, workspaces(self.game, 1, 1), X)
        return X

    def gains_at(self, states: Any, places: Any) -> Any:
        """What every legal action gains at once."""
        Y = np.zeros((len(places), self.game.ACTIONS), np.float32)
        W = workspaces(self.game, 1, 1)
        self.kernels.advise(self.game, INPUTS[self.recipe.inputs], states, places, self.S, W, float(self.recipe.shaping), Y)
        return Y

    def values_at(self, chooser: dict[str, Any], judge: dict[str, Any], states: Any, places: Any) -> Any:
        """What every legal action gains at once, less what the other's best answer is worth by the networks."""
        Y = np.zeros((len(places), self.game.ACTIONS), np.float32)
        nets = [policy_of(self.game, weights, self.recipe.inputs, self.recipe.activation) for weights in (chooser, judge)]
        moves = np.zeros(self.game.MAX_MOVES, np.int64)
        W = workspaces(self.game, 1, 1)
        self.kernels.look_ahead(self.game, *nets, states, places, self.S, W, moves, self.manner(0), Y)
        return Y

    def scores(self, weights: dict[str, Any], opponent: str, games: int, seed: int) -> Any:
        """Results in [0, 1] of the greedy network, in pairs with the same opening of four random plies."""
        net = policy_of(self.game, weights, self.recipe.inputs, self.recipe.activation, self.recipe.mirror)
        results = np.zeros(games)
        self.S[-1] = np.zeros((), self.S.dtype)
        self.kernels.score(self.game, net, OPPONENTS[opponent](), self.S, workspaces(self.game, 1, seed), games, 4, results)
        return (results + 1) / 2


def interval(scores: Any) -> tuple[float, float, float]:
    """Mean and 95 % interval; pairs share an opening, so they are the units."""
    pairs = scores[: len(scores) // 2 * 2].reshape(-1, 2).mean(axis=1)
    half = 1.96 * pairs.std(ddof=1) / len(pairs) ** 0.5
    return float(pairs.mean()), float(max(0.0, pairs.mean() - half)), float(min(1.0, pairs.mean() + half))


class Replay:
    """The last rows, in a ring."""

    def __init__(self, game: Any, size: int) -> None:
        self.rows, self.size, self.filled, self.next = transitions(game, size), size, 0, 0
        self.wanted = np.zeros((size, game.ACTIONS), np.float16)  # what all actions should be worth

    def clear(self) -> None:
        """Forgets all rows."""
        self.filled = self.next = 0

    def add(self, new: Transitions, wanted: Any = None) -> None:
        """Puts rows in, over the oldest."""
        places = (self.next + np.arange(len(new.played))) % self.size
        for kept, part in zip(self.rows, new, strict=True):
            kept[places] = part
        if wanted is not None:
            self.wanted[places] = wanted
        self.next = int((self.next + len(places)) % self.size)
        self.filled = min(self.size, self.filled + len(places))

    def arrays(self) -> dict[str, Any]:
        """All of it, for a checkpoint."""
        parts = {f"replay_{name}": part[: self.filled] for name, part in self.rows._asdict().items()}
        return parts | {"replay_at": np.array([self.filled, self.next]), "replay_wanted": self.wanted[: self.filled]}

    def restore(self, kept: Any) -> None:
        """The reverse."""
        self.filled, self.next = map(int, kept["replay_at"])
        for name, part in self.rows._asdict().items():
            part[: self.filled] = kept[f"replay_{name}"]
        self.wanted[: self.filled] = kept["replay_wanted"]


def fresh_weights(inputs: int, recipe: QRecipe, actions: int, seed: int) -> dict[str, Any]:
    """Weights to begin with: He's or Glorot's by the activation, small at the outputs."""
    rng = np.random.default_rng(seed)
    first, second = recipe.layers
    active = min(inputs, 32) if recipe.inputs != "published" else inputs
    gain = 2.0 if recipe.activation == "relu" else 1.0
    made = {"b1": np.zeros(first), "b2": np.zeros(second), "b3": np.zeros(actions)}
    made["w1"] = rng.normal(0, (gain / active) ** 0.5, (inputs, first))
    made["w2"] = rng.normal(0, (gain / first) ** 0.5, (first, second))
    made["w3"] = rng.normal(0, 0.1 / second**0.5, (second, actions))
    return {name: value.astype(np.float32) for name, value in made.items()}


def _swap(batch: dict[str, Any], count: int, mirror: tuple[Any, Any]) -> None:
    """Swaps left and right in the first rows of a batch."""
    inputs, actions = mirror
    for name, order in (("seen", inputs), ("legal", actions), ("wanted", actions)):
        batch[name][:count] = batch[name][:count, order]


class Run:
    """A training run in a folder."""

    def __init__(self, recipe: QRecipe, folder: Path, seed: int, say: Say) -> None:
        from .qupdates import Updates

        self.recipe, self.folder, self.seed, self.say = recipe, folder, seed, say
        self.game = make_game("quoridor")
        self.player = Player(self.game, recipe)
        self.updates = Updates(recipe)
        self.weights = fresh_weights(self.player.inputs, recipe, self.game.ACTIONS, seed)
        self.mirror = mirrored(self.game, recipe.inputs) if recipe.mirror else ((), ())
        self.replay = Replay(self.game, max(recipe.replay, 1))
        self.curve: list[dict[str, float]] = []
        self.round = self.games = 0
        self.seconds, self.best = 0.0, -1.0
        self.updates.begin(self.weights)

    # --- the loop -------------------------------------------------------------------------------------------------------

    def train(self, rounds: int | None = None) -> None:
        """Goes on to the recipe's number of games, or for so many rounds."""
        begun = time.perf_counter() - self.seconds
        while self.games < self.recipe.total and rounds != 0:
            self._play_and_learn()
            self.round += 1
            rounds = None if rounds is None else rounds - 1
            self.seconds = time.perf_counter() - begun
            if self.round % self.recipe.evaluate == 0 or self.games >= self.recipe.total:
                self._evaluate()
                self.save()

    def _play_and_learn(self) -> None:
        recipe = self.recipe
        rows, _ = self.player.gathered(self.weights, recipe.games, self.games, scramble(self.seed, 3, self.round))
        if self.games < recipe.imitation <= self.games + recipe.games:
            self.replay.clear()  # from here on other things are wanted
        self.games += recipe.games
        rng = np.random.default_rng(scramble(self.seed, 4, self.round))
        if recipe.replay:
            self._keep(rows, rng)
            for _ in range(recipe.updates if self.replay.filled >= recipe.least else 0):
                self._update(self.replay.rows, rng.integers(0, self.replay.filled, recipe.batch))
        else:
            self._update(rows, np.arange(len(rows.played)))
        self.weights = self.updates.weights()

    def _keep(self, rows: Transitions, rng: Any) -> None:
        """Puts some of the new rows into the replay, with what all their actions should be worth where that is learnt."""
        if 0 < self.recipe.fresh < len(rows.played):
            places = np.sort(rng.choice(len(rows.played), self.recipe.fresh, replace=False))
            rows = Transitions(*(part[places] for part in rows))
        places = np.arange(len(rows.played))
        if self._imitates():
            self.replay.add(rows, self.player.gains_at(rows.state, places))
        elif self.recipe.backup == "all":
            self.replay.add(rows, self.player.values_at(self.weights, self.updates.judge(), rows.state, places))
        else:
            self.replay.add(rows)

    def _imitates(self) -> bool:
        return self.games < self.recipe.imitation

    def _update(self, rows: Transitions, places: Any) -> None:
        """One step on the rows at these places."""
        recipe, actions = self.recipe, self.game.ACTIONS
        batch = {"seen": self.player.inputs_at(rows.state, places), "legal": unpacked(rows.legal[places], actions)}
        if self._imitates() or recipe.backup == "all":
            batch["wanted"] = self.replay.wanted[places].astype(np.float32)
            if recipe.mirror:
                _swap(batch, places.size // 2, self.mirror)
        else:
            batch |= {"later": self.player.inputs_at(rows.after, places), "action": rows.played[places].astype(np.int32)}
            batch |= {"legal_after": unpacked(rows.legal_after[places], actions)}
            batch |= {"gain": rows.gain[places], "discount": rows.discount[places]}
        self.updates.step(batch)

    # --- what is kept ---------------------------------------------------------------------------------------------------

    def _evaluate(self) -> None:
        """A point of the curve; the network is kept if it is the best so far against the first opponent."""
        if not all(np.isfinite(part).all() for part in self.weights.values()):
            raise DaedalusError(f"{self.games} games: the weights have grown beyond all numbers; try a lower rate")
        entry: dict[str, float] = {"games": self.games, "seconds": round(self.seconds, 1)}
        for k, opponent in enumerate(self.recipe.opponents):
            scores = self.player.scores(self.weights, opponent, self.recipe.evaluation, scramble(self.seed, 5, self.round, k))
            entry |= dict(zip((opponent, f"{opponent}_low", f"{opponent}_high"), interval(scores), strict=True))
        self.curve.append(entry)
        told = ", ".join(f"{name} {entry[name]:.3f}" for name in self.recipe.opponents)
        self.say(f"{self.games} games, {self.seconds:.0f} s: {told}")
        if entry[self.recipe.opponents[0]] > self.best:
            self.best = entry[self.recipe.opponents[0]]
            write_qnet(self.folder / "qnet.safetensors", self.weights, self.card(entry))

    def card(self, entry: dict[str, float]) -> dict[str, Any]:
        """What is to be known of the network."""
        recipe = self.recipe
        about = {"game": "quoridor", "options": "", "role": "qnet", "inputs": recipe.inputs, "activation": recipe.activation}
        return about | {"mirror": recipe.mirror, "seed": self.seed, "recipe": asdict(recipe), "score": entry}

    def save(self) -> None:
        """Checkpoint and curves."""
        arrays = self.replay.arrays() | self.updates.arrays()
        progress = np.array([self.round, self.games, self.seconds, self.best])
        with replacing(self.folder / "checkpoint.npz") as path, open(path, "wb") as file:
            np.savez(file, progress=progress, seed=self.seed, curve=json.dumps(self.curve), **arrays)
        if not self.curve:
            return
        with replacing(self.folder / "curve.csv") as path:
            names = list(self.curve[-1])
            lines = [",".join(names), *(",".join(str(entry[name]) for name in names) for entry in self.curve)]
            path.write_text("\n".join(lines) + "\n")
        draw_curve(self.curve, self.recipe.opponents, self.folder / "curve.png")

    def restore(self) -> None:
        """Goes back to the last checkpoint."""
        with kept_arrays(self.folder / "checkpoint.npz") as kept:
            self.replay.restore(kept)
            self.updates.restore(kept)
            self.curve = json.loads(str(kept["curve"]))
            self.seed = int(kept["seed"])
            round_, games, self.seconds, self.best = kept["progress"].tolist()
        self.round, self.games = int(round_), int(games)
        self.weights = self.updates.weights()


def draw_curve(curve: list[dict[str, float]], opponents: tuple[str, ...], path: Path) -> None:
    """Scores with their intervals over the games, as PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.0), layout="constrained")
    axes = figure.subplots()
    games = [entry["games"] for entry in curve]
    for name in opponents:
        axes.plot(games, [entry[name] for entry in curve], marker="o", markersize=3, label=f"against {name}")
        axes.fill_between(games, [e[f"{name}_low"] for e in curve], [e[f"{name}_high"] for e in curve], alpha=0.2)
    axes.set_xlabel("games")
    axes.set_ylabel("score")
    axes.set_ylim(0, 1)
    axes.grid(alpha=0.3)
    axes.legend()
    with replacing(path) as fresh:
        figure.savefig(fresh, format="png", dpi=120)


def run(given: dict[str, Any], folder: Path, seed: int, say: Say) -> None:
    """Trains as a recipe says; a folder with a checkpoint is gone on with."""
    recipe = QRecipe.of(given)
    kept = folder / "recipe.toml"
    begun = kept.exists() and (folder / "checkpoint.npz").exists()
    training = Run(recipe, folder, seed, say)
    folder.mkdir(parents=True, exist_ok=True)
    with trained_by_one(folder):
        if begun:
            training.restore()
        else:
            training.save()  # which keeps the seed, so that a run is the same whenever it is killed
            with replacing(kept) as path:
                path.write_text(recipe.text())
        training.train()
    best = f"{100 * training.best:.1f} % against {recipe.opponents[0]}"
    say(f"Best network: qnet:{folder / 'qnet.safetensors'} ({best}); curve: {folder / 'curve.png'}")
