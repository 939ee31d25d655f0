"""Self-play on Ray: workers in its actors, which play the games that workers of this process would."""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any

from daedalus.arena.executors import check_executor
from daedalus.arena.ray_pool import installed_ray, joined
from daedalus.core import DaedalusError
from daedalus.core.options import parsed, written
from daedalus.core.registry import make_game, registration_of
from daedalus.search import Network

from .recipe import Recipe
from .selfplay import Worker


def demand_place(on: str | None) -> None:
    """Refuses a place to play that there is not: `ray`, `ray://host:port`, or None for this process."""
    check_executor(None, on)
    if on is not None:
        installed_ray()


@contextlib.contextmanager
def workers_on(on: str | None, workers: int) -> Iterator[Callable[..., Worker]]:
    """What makes the workers of self-play; those on Ray share its cores, if they are more."""
    if on is None:
        yield Worker
        return
    with joined(on, workers) as (ray, count):
        crew = _Crew(ray, workers, count)
        try:
            yield crew
        finally:
            crew.dismiss()


class _Actor:
    """Workers inside Ray, by their numbers."""

    def __init__(self) -> None:
        os.environ.pop("DAEDALUS_KEY", None)  # as in the arena's process_pool.work
        self._workers: dict[int, Worker] = {}

    def begin(self, number: int, game: str, options: str, network: Network, recipe: Recipe, seed: int) -> None:
        self._workers[number] = Worker(make_game(game, **parsed(options)), network, recipe, seed)

    def play(self, number: int, wanted: int) -> tuple[Any, Any]:
        worker = self._workers[number]
        return worker.play(wanted), worker.counts.copy()


class _Crew:
    """Actors, and workers that are made in them in turn."""

    def __init__(self, ray: Any, workers: int, actors: int) -> None:
        self._ray, self._workers, self._made = ray, workers, 0
        self._actors = [ray.remote(num_cpus=1)(_Actor).remote() for _ in range(actors)]

    def __call__(self, game: Any, network: Network, recipe: Recipe, seed: int) -> Worker:
        number = self._made % self._workers
        self._made += 1
        return _Remote(self._ray, self._actors[number % len(self._actors)], number, game, network, recipe, seed)

    def dismiss(self) -> None:
        for actor in self._actors:
            with contextlib.suppress(Exception):  # it may be gone, and Ray with it
                self._ray.kill(actor)


class _Remote(Worker):
    """A worker in an actor, as this process knows it."""

    def __init__(self, ray: Any, actor: Any, number: int, game: Any, network: Network, recipe: Recipe, seed: int) -> None:
        self._ray, self._actor, self._number = ray, actor, number
        told = registration_of(game).name, written(game)
        self._begun = actor.begin.remote(number, *told, network, recipe, seed)

    def play(self, wanted: int) -> Any:
        """The rows of whole games, at least so many."""
        try:
            self._ray.get(self._begun)
            rows, self.counts = self._ray.get(self._actor.play.remote(self._number, wanted))
        except self._ray.exceptions.RayError as error:
            reason = getattr(error, "cause", None) or type(error).__name__
            raise DaedalusError(f"a worker on Ray failed: {reason}") from None
        return rows
