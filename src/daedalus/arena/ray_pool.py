"""Games on Ray: `ray` starts one on this machine, `ray://host:port` joins a cluster whose machines have Daedalus too."""

import contextlib
import importlib
import os
import warnings
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from daedalus.core import DaedalusError

from .dispatch import Played, dispatch
from .games import GameTask
from .worker import Answer, Worker, answered


def on_ray(tasks: Iterable[GameTask], address: str, workers: int | None) -> Generator[Played, None, None]:
    """Plays the games in actors of Ray, as many as `workers` or as the cluster has cores."""
    with joined(address, workers) as (ray, actors):
        handles: list[RayHandle] = []
        try:
            handles.extend(RayHandle(ray) for _ in range(actors))
            yield from dispatch(tasks, handles, lambda: RayHandle(ray), lambda busy: _speaking(ray, busy))
        finally:
            for handle in handles:
                handle.stop(busy=False)


@contextlib.contextmanager
def joined(address: str, workers: int | None) -> Iterator[tuple[Any, int]]:
    """Ray, started or joined for the block unless this process has one, and for how many of the workers it has cores."""
    ray = installed_ray()
    before = ray.is_initialized()
    try:
        if not before:
            _start(ray, address, workers)
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        yield ray, min(workers or cores, cores)
    finally:
        if not before and ray.is_initialized():
            ray.shutdown()


def installed_ray() -> Any:
    """The package, or a line that says what to install."""
    try:
        return importlib.import_module("ray")
    except ModuleNotFoundError:
        raise DaedalusError("Ray is not installed: pip install 'daedalus[ray]'") from None


def _start(ray: Any, address: str, workers: int | None) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        with warnings.catch_warnings():  # JAX warns of forks, but Ray's processes are other programs from their first step
            warnings.filterwarnings("ignore", message="os.fork", category=RuntimeWarning)
            if address == "ray":
                ray.init(num_cpus=workers or os.cpu_count(), include_dashboard=False, **quiet)
            else:
                ray.init(address=address, **quiet)
    except Exception as error:  # Ray raises anything, plain Exception where it was too slow to start
        raise DaedalusError(f"cannot start or join {address}: {str(error).strip().splitlines()[0]}") from None


class _Actor:
    """A worker inside Ray."""

    def __init__(self) -> None:
        os.environ.pop("DAEDALUS_KEY", None)  # as in process_pool.work
        self._worker = Worker()

    def play(self, task: GameTask) -> Answer:
        return answered(self._worker, task)

    def close(self) -> None:
        self._worker.close()


class RayHandle:
    """An actor, and the answers it owes, oldest first."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._actor = ray.remote(num_cpus=1)(_Actor).remote()
        self.owed: list[Any] = []
        self._end = "without a word"

    def give(self, task: GameTask) -> None:
        self.owed.append(self._actor.play.remote(task))

    def take(self) -> Answer | None:
        try:
            answer: Answer = self._ray.get(self.owed.pop(0))
        except self._ray.exceptions.RayError as error:
            self._end = f"with {type(error).__name__}"
            return None
        return answer

    def epitaph(self) -> str:
        return self._end

    def stop(self, busy: bool) -> None:
        """Lets an idle actor end its engines; a busy one is killed, and Linux ends its engines with it."""
        if not (busy or self.owed):
            with contextlib.suppress(self._ray.exceptions.RayError):
                self._ray.get(self._actor.close.remote(), timeout=5)
        with contextlib.suppress(Exception):  # it may be gone, and Ray with it
            self._ray.kill(self._actor)


def _speaking(ray: Any, handles: list[RayHandle]) -> list[RayHandle]:
    ready, _ = ray.wait([handle.owed[0] for handle in handles], num_returns=1)
    return [handle for handle in handles if handle.owed[0] in ready]
