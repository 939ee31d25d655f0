"""A training run: a folder that holds all of it, and a loop that goes on from its last checkpoint whatever ended it.

    recipe.toml          every number of the recipe          checkpoint.npz   weights, Adam's memory, the curve
    run.toml             game, options, seed, workers        replay/          positions of the last iterations
    nets/000025...       networks that were evaluated        curve.png        losses and scores
    best.safetensors     the best so far, with its card      matches.sqlite   the games of the evaluations

All that is drawn at random in an iteration follows from the seed and the iteration's number, so a run that was killed
comes to the same numbers as one that was not.
"""

import json
import os
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from daedalus.core import DaedalusError, scramble
from daedalus.core.files import kept_arrays, replacing
from daedalus.core.options import parsed, written
from daedalus.core.registry import make_game, registration_of
from daedalus.search import Network, read_network
from daedalus.search.network import fresh_weights, game_name

from .curves import draw_curve
from .evaluation import Evaluator, demand_opponents
from .kernels.selfplay import CAPPED, DRAWS, GAMES, PLIES
from .lessons import lessons, teacher_of
from .recipe import Recipe
from .replay import Replay
from .selfplay import Played, Worker, demand_trainable, self_play


class Progress(NamedTuple):
    """What a run is about: the step, how much of it is done, and the curve so far."""

    iteration: int
    step: str
    done: int
    total: int
    seconds: float
    curve: list[dict[str, Any]]


Listener = Callable[[Progress], None]


class Run:
    """A training run in a folder. `worker` makes those who play: here, or wherever learn/remote.py puts them."""

    worker: Callable[..., Worker] = Worker

    def __init__(self, folder: Path, listener: Listener = lambda progress: None) -> None:
        about = _about(folder)
        self.folder, self.listener = folder, listener
        self.game = make_game(about["game"], **parsed(about["options"]))
        self.recipe = Recipe.of(tomllib.loads((folder / "recipe.toml").read_text()))
        demand_trainable(self.game, self.recipe)
        self.seed, self.workers = int(about["seed"]), int(about["workers"])
        self.replay = Replay(folder / "replay", self.recipe.window, self.recipe.lessons, self.recipe.decided)
        self.evaluator = Evaluator(self.game, folder, self.recipe, self.seed, self.workers)
        self.trainer = _trainers()(self._first_weights(), self.recipe, self.game.symmetries())
        self.iteration, self.seconds, self.cpu, self.best = 0, 0.0, 0.0, ""
        self.curve: list[dict[str, Any]] = []
        self._load()

    @classmethod
    def create(
        cls, folder: Path, game: Any, recipe: Recipe, seed: int, workers: int, listener: Listener = lambda progress: None
    ) -> "Run":
        """A new run; refuses a folder that has one."""
        _trainers()  # says what to install, before anything is made
        recipe.check()
        demand_trainable(game, recipe)
        demand_opponents(game, recipe)
        if recipe.teacher:
            teacher_of(game, recipe).close()
        refuse_run(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "recipe.toml").write_text(recipe.text())
        told = {"game": _lasting_name(game), "options": written(game), "seed": str(seed), "workers": str(workers)}
        with replacing(folder / "run.toml") as fresh:
            fresh.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in told.items()))
        return cls(folder, listener)

    def train(self, minutes: float | None = None) -> Network:
        """Trains until so many minutes have been spent on the run in all, or its recipe's iterations are done."""
        demand_end(self.recipe, minutes)
        while not self._is_done(minutes):
            begun, worked = time.perf_counter(), _worked()
            entry = self._iterate()
            self.seconds += time.perf_counter() - begun
            self.cpu += _worked() - worked
            self.curve.append(entry | {"seconds": round(self.seconds, 1), "cpu": round(self.cpu, 1)})
            self._save()
        return self.finish()

    def finish(self) -> Network:
        """Evaluates the last network, if that was not done, and writes the best one with its card."""
        if self.iteration and not self.curve[-1].get("scores"):
            self.curve[-1] |= self._evaluate()
            self._save()
        network = self.network() if not self.best else self.network(self.best)
        network.write(self.folder / "best.safetensors")
        return network

    def network(self, file: str = "") -> Network:
        """The network that plays now, or an earlier one by its file, with its card."""
        kept = read_network(self.folder / file) if file else None
        weights = kept.weights if kept else self.trainer.averaged()
        return Network(weights, kept.card if kept else self._card())

    def _is_done(self, minutes: float | None) -> bool:
        late = minutes is not None and self.seconds >= 60 * minutes
        return late or 0 < self.recipe.iterations <= self.iteration

    def _iterate(self) -> dict[str, Any]:
        """One iteration: games, steps, and every so often an evaluation."""
        self.iteration += 1
        begun = time.perf_counter()
        played = self._play()
        spent = time.perf_counter() - begun
        if len(played.rows):
            self.replay.add(self.iteration, played.rows)
        self._tell("training", 0, 1)
        value_loss, policy_loss = self.trainer.train(self.replay, self.iteration, self._seed(2))
        if not np.isfinite([value_loss, policy_loss]).all():
            raise DaedalusError(f"iteration {self.iteration}: the losses have grown beyond all numbers; try a lower rate")
        games, counts = int(played.counts[GAMES]), played.counts
        entry: dict[str, Any] = {
            "iteration": self.iteration,
            "value_loss": value_loss,
            "policy_loss": policy_loss,
            "games": games,
            "plies": int(counts[PLIES]) / max(games, 1),
            "draws": int(counts[DRAWS]) / max(games, 1),
            "capped": int(counts[CAPPED]) / max(games, 1),
            "games_a_second": round(games / spent, 1),
        }
        return entry | (self._evaluate() if self.iteration % self.recipe.evaluate == 0 else {})

    def _play(self) -> Played:
        """An iteration's positions: of the teacher's games, then of self-play, none where that is off."""
        if self.iteration <= self.recipe.lessons:
            return lessons(self.game, self.recipe, self._seed(1), self.workers, self._rows_told("lessons"))
        if not self.recipe.simulations:
            return Played((), np.zeros(5, np.int64))
        told = self._rows_told("self-play")
        return self_play(self.game, self.network(), self.recipe, self._seed(1), self.workers, told, self.worker)

    def _evaluate(self) -> dict[str, Any]:
        """Scores of the network that plays now; it becomes the best if the test says so."""
        self._tell("evaluating", 0, 1)
        name = f"nets/{self.iteration:06}.safetensors"
        file = self.folder / name
        self.network().write(file)
        scores = {opponent: [round(part, 4) for part in score] for opponent, score in self.evaluator.scores(file).items()}
        promoted = not self.best or self.evaluator.is_better(file, self.folder / self.best)
        if promoted:
            self.best = name
        card = self._card() | {"strength": scores}
        Network(self.trainer.averaged(), card).write(file)
        return {"scores": scores, "promoted": promoted}

    def _card(self) -> dict[str, Any]:
        """What a network file tells of itself."""
        return {
            "game": game_name(registration_of(self.game)),
            "options": written(self.game),
            "recipe": self.recipe.text(),
            "seed": self.seed,
            "cost": {
                "iterations": self.iteration,
                "games": sum(entry["games"] for entry in self.curve),
                "minutes": round(self.seconds / 60, 1),
                "cpu_seconds": round(self.cpu),
                "workers": self.workers,
            },
            "strength": {},
        }

    def _first_weights(self) -> dict[str, Any]:
        return fresh_weights(self.game.FEATURES, *self.recipe.layers, self.game.ACTIONS, scramble(self.seed, 0))

    def _seed(self, purpose: int) -> int:
        return scramble(self.seed, self.iteration, purpose)

    def _rows_told(self, step: str) -> Callable[[int], None]:
        done = 0

        def told(rows: int) -> None:
            nonlocal done
            done += rows
            self._tell(step, done, self.recipe.rows)

        return told

    def _tell(self, step: str, done: int, total: int) -> None:
        self.listener(Progress(self.iteration, step, done, total, self.seconds, self.curve))

    def _save(self) -> None:
        """The checkpoint, whole or not at all; pictures after it."""
        about = {"iteration": self.iteration, "seconds": self.seconds, "cpu": self.cpu, "best": self.best, "curve": self.curve}
        arrays = {f"part{k:03}": part for k, part in enumerate(self.trainer.memory())}
        with replacing(self.folder / "checkpoint.npz") as fresh, open(fresh, "wb") as file:
            np.savez(file, about=np.array(json.dumps(about)), **arrays)
        if self.curve[-1].get("scores"):
            draw_curve(self.curve, self.folder / "curve.png")

    def _load(self) -> None:
        """Goes on from the checkpoint, if there is one."""
        path = self.folder / "checkpoint.npz"
        if not path.exists():
            return
        with kept_arrays(path) as kept:
            about = json.loads(str(kept["about"]))
            memory = [kept[name] for name in sorted(kept.files) if name.startswith("part")]
        self.trainer.remember(memory)
        self.iteration, self.seconds, self.best = about["iteration"], about["seconds"], about["best"]
        self.cpu = about.get("cpu", 0.0)
        self.curve = about["curve"]
        self.replay.load(self.iteration)


def refuse_run(folder: Path) -> None:
    """Refuses a folder that holds a run of any learner."""
    if (folder / "run.toml").exists() or all((folder / name).exists() for name in ("recipe.toml", "checkpoint.npz")):
        raise DaedalusError(f"{folder} holds a run already: continue it with --resume {folder}, or name another folder")


def demand_end(recipe: Recipe, minutes: float | None) -> None:
    """Refuses training that would go on for ever."""
    if minutes is None and not recipe.iterations:
        raise DaedalusError("training has no end: give --minutes, or iterations in the recipe")


def _lasting_name(game: Any) -> str:
    """The name by which a game is found from any folder: a user's by the whole path of its file."""
    where, _, rules = registration_of(game).name.rpartition(":")
    return f"{Path(where).resolve()}:{rules}" if Path(where).is_file() else registration_of(game).name


def _worked() -> float:
    """The processor's seconds that this process and those it has waited for have had."""
    return sum(os.times()[:4])


def _trainers() -> Any:
    """The class that trains, loaded when it is needed: whoever only plays has no JAX."""
    from .training import Trainer

    return Trainer


def _about(folder: Path) -> dict[str, Any]:
    path = folder / "run.toml"
    try:
        about = tomllib.loads(path.read_text())
    except OSError:
        raise DaedalusError(f"{folder} holds no training run") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DaedalusError(f"{path}: no TOML: {error}") from None
    lacking = [name for name in ("game", "options", "seed", "workers") if not isinstance(about.get(name), str)]
    if lacking:
        raise DaedalusError(f"{path}: says no {lacking[0]}")
    return about
