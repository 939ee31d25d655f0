"""Positions to train on, kept from iteration to iteration: one file each, written whole, the oldest removed."""

from pathlib import Path
from typing import Any

import numpy as np

from daedalus.core.files import kept_arrays, replacing


class Replay:
    """The last `window` iterations' rows in a folder, and those of the first ones, `lessons`, for good.

    Numbers are kept with half precision, and trained on as kept. Of the rows drawn a share, `decided`, is drawn by the
    square of the value: where most positions are even, those that are won or lost would be too rare to be learnt.
    """

    def __init__(self, folder: Path, window: int, lessons: int = 0, decided: float = 0.0) -> None:
        self.folder, self.window, self.lessons, self.decided = folder, window, lessons, decided
        self._parts: dict[int, dict[str, Any]] = {}

    def add(self, iteration: int, rows: Any) -> None:
        """Keeps an iteration's rows on disk and in memory; forgets the oldest."""
        part: dict[str, Any] = {name: np.asarray(rows[name], np.float16) for name in ("x", "policy")}
        part["value"] = np.asarray(rows["value"], np.float32)
        with replacing(self._path(iteration)) as fresh, open(fresh, "wb") as file:
            np.savez(file, **part)
        self._parts[iteration] = part
        for old in [number for number in self._parts if self.lessons < number <= iteration - self.window]:
            del self._parts[old]
            self._path(old).unlink(missing_ok=True)

    def load(self, iteration: int) -> None:
        """Reads what was kept up to an iteration; what came after it is played again."""
        for number in range(1, iteration + 1):
            if number > self.lessons and (number <= iteration - self.window or not self._path(number).exists()):
                continue  # forgotten, or nothing was played
            with kept_arrays(self._path(number)) as kept:
                self._parts[number] = {name: kept[name] for name in ("x", "policy", "value")}

    def sample(self, rng: Any, count: int) -> tuple[Any, Any, Any]:
        """So many rows drawn from all, as inputs, policies and values."""
        numbers = sorted(self._parts)
        sizes = [len(self._parts[number]["value"]) for number in numbers]
        starts = np.cumsum([0, *sizes])
        places = np.sort(self._places(rng, count, numbers))  # by file: the order inside a sample is shuffled below
        bounds = np.searchsorted(places, starts)
        picked = [places[bounds[k] : bounds[k + 1]] - starts[k] for k in range(len(numbers))]
        order = rng.permutation(count)
        return tuple(
            np.concatenate([self._parts[number][name][pick] for number, pick in zip(numbers, picked, strict=True)])[order]
            for name in ("x", "policy", "value")
        )

    def _places(self, rng: Any, count: int, numbers: list[int]) -> Any:
        """Which rows are drawn, counted through all files."""
        values = np.concatenate([self._parts[number]["value"] for number in numbers])
        if not self.decided:
            return rng.integers(0, len(values), count)
        sums = np.cumsum(values.astype(np.float64) ** 2)
        sharp = int(rng.binomial(count, self.decided)) if sums[-1] else 0
        even = rng.integers(0, len(values), count - sharp)
        drawn = np.searchsorted(sums, rng.random(sharp) * sums[-1], side="right")
        return np.concatenate([even, np.minimum(drawn, len(values) - 1)])  # a product may be rounded up to the sum

    def _path(self, iteration: int) -> Path:
        return self.folder / f"{iteration:06}.npz"
