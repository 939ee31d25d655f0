"""Who plays the games: this process, a pool of processes, or Ray. The results are the same, only their order differs.

An executor is a generator of results from tasks. Closing it early (a test has decided, Ctrl-C) ends its workers.
"""

import os
from collections.abc import Generator, Iterable

from daedalus.core import InvalidOption

from .dispatch import Played
from .games import GameTask
from .process_pool import in_processes
from .ray_pool import on_ray
from .worker import Worker

_MOST = 1000  # workers


def execute(tasks: Iterable[GameTask], workers: int | None, on: str | None) -> Generator[Played, None, None]:
    """All tasks with their results, as they come. Workers load their modules while the first task is made.

    `on` is None for processes of this machine, `ray`, or `ray://host:port`; `workers` is by default one a core. One
    worker needs no process of its own.
    """
    if on is not None:
        return on_ray(tasks, on, workers)
    workers = workers or os.cpu_count() or 1
    return sequential(tasks) if workers == 1 else in_processes(tasks, workers)


def check_executor(workers: int | None, on: str | None) -> None:
    """Refuses what `execute` could not do."""
    if workers is not None and not 1 <= workers <= _MOST:
        raise InvalidOption(f"workers={str(workers)[:20]}: wants at least 1 and at most {_MOST}")
    if on is not None and on != "ray" and not on.startswith("ray://"):
        raise InvalidOption(f"on={on}: wants ray, or ray://host:port, or nothing for this machine")


def sequential(tasks: Iterable[GameTask]) -> Generator[Played, None, None]:
    """Plays one game after the other in this process."""
    worker = Worker()
    try:
        for task in tasks:
            yield task, worker.play(task)
    finally:
        worker.close()
