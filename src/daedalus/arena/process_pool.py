"""A pool of processes on this machine. One that dies is replaced; none outlives the run, however it ends."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from types import FrameType, ModuleType
from typing import Any

from .dispatch import Played, dispatch
from .games import GameTask
from .worker import Answer, Worker, answered

_NAME = "daedalus worker"
_FAREWELL = 5.0  # seconds a worker has to end its engines
_context = multiprocessing.get_context("spawn")  # a fork would copy locks that threads of ours or of a notebook hold


class _Stop(BaseException):
    """Raised in a worker that is told to end in the middle of a game."""


def in_processes(tasks: Iterable[GameTask], workers: int) -> Generator[Played, None, None]:
    """Plays the games in so many processes."""
    handles: list[ProcessHandle] = []
    try:
        handles.extend(ProcessHandle() for _ in range(workers))
        yield from dispatch(tasks, handles, ProcessHandle, _speaking)
    finally:
        for handle in handles:
            handle.dismiss()
        for handle in handles:
            handle.stop(busy=False)


def inside_worker() -> bool:
    """Is this process a worker of a pool?"""
    return multiprocessing.current_process().name.startswith(_NAME)


def _speaking(handles: list["ProcessHandle"]) -> list["ProcessHandle"]:
    found = wait([handle.pipe for handle in handles])
    return [handle for handle in handles if handle.pipe in found]


class ProcessHandle:
    """A worker process at the other end of a pipe."""

    def __init__(self) -> None:
        self.pipe, theirs = _context.Pipe()
        self._process = _context.Process(target=work, args=(theirs,), name=_NAME)
        with _no_main(), _no_interrupts():
            self._process.start()
        theirs.close()  # so that the end of the process is the end of the pipe
        self._given = 0

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def give(self, task: GameTask) -> None:
        self._given += 1
        with contextlib.suppress(OSError):
            self.pipe.send(task)

    def take(self) -> Answer | None:
        try:
            answer: Answer = self.pipe.recv()
        except (EOFError, OSError):
            return None
        self._given -= 1
        return answer

    def epitaph(self) -> str:
        self._process.join(_FAREWELL)
        code = self._process.exitcode
        if code is not None and code < 0:
            return f"by {signal.Signals(-code).name}"
        return f"with exit code {code}"

    def dismiss(self) -> None:
        """Tells the process to end, without waiting."""
        if self._given:
            self._process.terminate()
        with contextlib.suppress(OSError):
            self.pipe.send(None)

    def stop(self, busy: bool) -> None:
        if busy:
            self._process.kill()
        self._process.join(_FAREWELL)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.pipe.close()
        self._process.close()


@contextlib.contextmanager
def _no_main() -> Iterator[None]:
    """Starts processes that do not run the user's script again, as `spawn` would: they need nothing of it."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Ctrl-C reaches every process of the terminal: a worker starts deaf to it, until it has its own handler."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def work(pipe: "Connection[Any, Any]") -> None:
    """A worker: plays what comes through the pipe until there is no more, or until the process that started it ends."""
    signal.signal(signal.SIGINT, _ignore)  # a handler, not SIG_IGN, which the engines would inherit
    signal.signal(signal.SIGTERM, _stop)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_die_with_parent, daemon=True).start()
    os.environ.pop("DAEDALUS_KEY", None)  # a worker gets seeds, and what plays in it need not know where they come from
    worker = Worker()
    try:
        while (task := pipe.recv()) is not None:
            pipe.send(answered(worker, task))
    except (_Stop, EOFError, OSError):
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it is ending already
        worker.close()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # taking a loaded compiler apart would take as long as a hundred games


def _ignore(number: int, frame: FrameType | None) -> None:
    """The process that started us decides what Ctrl-C means."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise _Stop


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # engines end with us
