"""Handing out games to workers: all are kept busy, one that dies is replaced, and its game is played again."""

import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable
from typing import Any, Protocol

from daedalus.core import DaedalusError

from .games import GameResult, GameTask
from .worker import Answer, Failure

_RETRIES = 3  # a game whose worker dies is played again so many times
_QUICK = 0.05  # seconds; games as short as this are handed out a few at a time, so that no worker waits for the next
_AHEAD = 4

Played = tuple[GameTask, GameResult]


class WorkerLost(DaedalusError):
    """A game ended the worker that played it, again and again."""


class WorkerHandle(Protocol):
    """A worker, seen from the outside: it takes tasks and gives answers in the same order."""

    def give(self, task: GameTask) -> None:
        """Hands over a task without waiting; a dead worker shows in `take`."""

    def take(self) -> Answer | None:
        """The next answer, None when the worker has died."""

    def epitaph(self) -> str:
        """How a dead worker ended."""

    def stop(self, busy: bool) -> None:
        """Ends the worker; a busy one at once."""


class _Slot:
    """A handle with the tasks it has, oldest first, and how fast it is."""

    def __init__(self, handle: WorkerHandle) -> None:
        self.handle = handle
        self.tasks: deque[GameTask] = deque()
        self._since = time.monotonic()
        self._quick = False

    @property
    def wants(self) -> bool:
        return len(self.tasks) < (_AHEAD if self._quick else 1)

    def give(self, task: GameTask) -> None:
        if not self.tasks:
            self._since = time.monotonic()
        self.tasks.append(task)
        self.handle.give(task)

    def done(self) -> GameTask:
        """Takes the oldest task off the list: it has been answered."""
        now = time.monotonic()
        self._quick, self._since = now - self._since < _QUICK, now
        return self.tasks.popleft()


def dispatch(
    tasks: Iterable[GameTask],
    handles: list[Any],
    start: Callable[[], WorkerHandle],
    wait: Callable[[list[Any]], Iterable[Any]],
) -> Generator[Played, None, None]:
    """Keeps all handles busy. `wait` returns those that have something to say; a dead one is replaced by `start`.

    `handles` is kept up to date, so that the caller can stop them whatever happens.
    """
    slots = {id(handle): _Slot(handle) for handle in handles}
    waiting, again, lives = iter(tasks), deque[GameTask](), Counter[tuple[str, int]]()
    while True:
        for slot in slots.values():
            while slot.wants and (task := again.popleft() if again else next(waiting, None)) is not None:
                slot.give(task)
        busy = [slot.handle for slot in slots.values() if slot.tasks]
        if not busy:
            return
        for handle in wait(busy):
            slot = slots[id(handle)]
            answer = handle.take()
            if answer is None:
                _blame(slot, lives)
                again.extend(slot.tasks)
                handles.remove(handle)
                handle.stop(busy=True)
                del slots[id(handle)]
                handles.append(start())
                slots[id(handles[-1])] = _Slot(handles[-1])
            elif isinstance(answer, Failure):
                raise DaedalusError(answer.reason)
            else:
                yield slot.done(), answer


def _blame(slot: _Slot, lives: Counter[tuple[str, int]]) -> None:
    """Notes that a worker died over a game, and gives up on the run if that happens again and again."""
    task = slot.tasks[0]
    lives[task.run, task.number] += 1
    if (times := lives[task.run, task.number]) > _RETRIES:
        raise WorkerLost(
            f"game {task.number} ({' v '.join(task.specs)}) ended its worker {times} times, at last "
            f"{slot.handle.epitaph()}; all other games are kept"
        )
