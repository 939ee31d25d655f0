"""Searches in worker processes: bounded, fair between clients, watched and stopped; one that dies is replaced."""

import asyncio
import contextlib
import logging
import multiprocessing
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

from daedalus.core import DaedalusError

from .search_worker import Job, Warming, work
from .settings import Settings

log = logging.getLogger("daedalus.web")
_context = multiprocessing.get_context("spawn")  # a fork would copy locks that threads of ours hold
_POLITE, _READY = 15, 5  # how far workers stand back behind the server: one that compiles ahead, one that somebody waits for
_starting = threading.Lock()

Heard = Callable[[str, Any], None]  # what is heard of a search: ("thought", ...), ("preparing", None), ("ready", None)


class Busy(DaedalusError):
    """Too many searches wait already."""


class Ticket:
    """A search that was asked for."""

    def __init__(self, number: int, job: Job | Warming, client: str, heard: Heard | None) -> None:
        self.number, self.job, self.client, self._heard = number, job, client, heard
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.worker: _Process | None = None
        self.stopped = False
        self.prepared = False
        self.tried = 0
        self.patience: asyncio.TimerHandle | None = None

    def hear(self, what: str, content: Any) -> None:
        if self._heard is not None and not self.answer.done():
            self._heard(what, content)


class _Process:
    """A worker process; a thread listens to it and tells the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, hear: Callable[["_Process", Any], None], kept: int, nice: int) -> None:
        self.ticket: Ticket | None = None
        self._pipe, theirs = _context.Pipe()
        self._process = _context.Process(target=work, args=(theirs, kept, nice), name="daedalus search", daemon=True)
        with _starting, _no_main():
            self._process.start()
        theirs.close()
        self._loop, self._hear = loop, hear
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def _listen(self) -> None:
        while True:
            try:
                message = self._pipe.recv()
            except (EOFError, OSError):
                message = None
            with contextlib.suppress(RuntimeError):  # the loop may have ended
                self._loop.call_soon_threadsafe(self._hear, self, message)
            if message is None:
                return

    def send(self, message: Any) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._pipe.send(message)

    def kill(self) -> None:
        with contextlib.suppress(Exception):
            self._process.kill()

    def end(self) -> None:
        self.send(None)
        self.kill()
        with contextlib.suppress(Exception):
            self._process.join(1)


@contextlib.contextmanager
def _no_main() -> Iterator[None]:
    """Starts processes that do not run the caller's script again: they need nothing of it."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


class Searches:
    """The workers and the line before them: each client has its own, and they take turns."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._waiting: dict[str, deque[Ticket]] = {}
        self._processes: list[_Process] = []
        self._warmer: _Process | None = None
        self._number = 0
        self._closed = False

    def close(self) -> None:
        """Ends all processes."""
        self._closed = True
        for process in [*self._processes, *([self._warmer] if self._warmer else [])]:
            process.end()
        self._processes, self._warmer = [], None

    def pids(self) -> list[int]:
        return [process.pid for process in self._processes if process.pid is not None]

    def warm(self, games: Iterable[str]) -> None:
        """Compiles the common kernels in a process that stands back, and ends when all is done."""
        self._warmer = self._process(nice=_POLITE)
        names = list(games)
        for name in names:
            self._number += 1
            self._warmer.send(("job", self._number, Warming(name)))
        self._warming = len(names)

    def ask(self, job: Job, client: str, heard: Heard | None = None) -> Ticket:
        """Begins a search, or puts it in line; `ticket.answer` will hold what was found."""
        line = self._waiting.setdefault(client, deque())
        if len(line) >= self._settings.waiting_a_client or sum(map(len, self._waiting.values())) >= self._settings.waiting:
            raise Busy("too many searches wait; try again in a moment")
        self._number += 1
        ticket = Ticket(self._number, job, client, heard)
        line.append(ticket)
        self._next()
        return ticket

    def stop(self, ticket: Ticket) -> None:
        """The search shall answer with what it has found so far."""
        if ticket.answer.done() or ticket.stopped:
            return
        ticket.stopped = True
        if ticket.worker is not None:
            ticket.worker.send(("stop", ticket.number))
            self._wait(ticket, self._settings.stubborn_seconds)

    def cancel(self, ticket: Ticket) -> None:
        """Nobody wants the answer any more."""
        line = self._waiting.get(ticket.client)
        if line and ticket in line:
            line.remove(ticket)
        else:
            self.stop(ticket)
        if not ticket.answer.done():
            ticket.answer.cancel()

    def _wait(self, ticket: Ticket, seconds: float) -> None:
        """From now on the search has so many seconds; its timer goes when it ends, and the ticket with it."""
        if ticket.patience is not None:
            ticket.patience.cancel()
        ticket.patience = asyncio.get_running_loop().call_later(seconds, self._lose_patience, ticket)

    def _lose_patience(self, ticket: Ticket) -> None:
        if ticket.worker is not None and ticket.worker.ticket is ticket:
            ticket.tried = 2
            ticket.worker.kill()

    def _process(self, nice: int = _READY) -> _Process:
        return _Process(asyncio.get_running_loop(), self._hear, self._settings.agents_kept, nice)

    def _next(self) -> None:
        """Gives waiting searches to free workers, a client after the other."""
        while not self._closed:
            self._waiting = {client: line for client, line in self._waiting.items() if line}
            if not self._waiting:
                return
            free = next((process for process in self._processes if process.ticket is None), None)
            if free is None:
                if len(self._processes) >= self._settings.workers:
                    return
                free = self._process()
                self._processes.append(free)
            client = next(iter(self._waiting))
            line = self._waiting.pop(client)
            ticket = line.popleft()
            if line:
                self._waiting[client] = line  # behind the others
            self._give(free, ticket)

    def _give(self, process: _Process, ticket: Ticket) -> None:
        process.ticket, ticket.worker = ticket, process
        ticket.tried += 1
        process.send(("job", ticket.number, ticket.job))
        self._wait(ticket, self._settings.job_seconds)
        if ticket.stopped:
            process.send(("stop", ticket.number))
            self._wait(ticket, self._settings.stubborn_seconds)

    def _hear(self, process: _Process, message: Any) -> None:
        if self._closed:
            return
        if process is self._warmer:
            self._hear_warmer(message)
            return
        ticket = process.ticket
        if message is None:
            self._bury(process)
            return
        what, number, content = message
        if ticket is None or ticket.number != number:
            return
        if what in ("done", "failed"):
            process.ticket = ticket.worker = None
            if ticket.patience is not None:
                ticket.patience.cancel()
            if not ticket.answer.done():
                if what == "done":
                    ticket.answer.set_result(content)
                else:
                    ticket.answer.set_exception(DaedalusError(content))
            self._next()
        else:
            ticket.hear(what, content)

    def _hear_warmer(self, message: Any) -> None:
        if message is None:
            self._warmer = None
        elif message[0] in ("done", "failed"):
            self._warming -= 1
            if not self._warming and self._warmer:
                self._warmer.send(None)

    def _bury(self, process: _Process) -> None:
        """A worker has died: its search is tried once more by another."""
        if process in self._processes:
            self._processes.remove(process)
        ticket = process.ticket
        log.warning("search process ended", extra={"pid": process.pid})
        if ticket is not None and not ticket.answer.done():
            ticket.worker = None
            if ticket.tried < 2:
                self._waiting.setdefault(ticket.client, deque()).appendleft(ticket)
            else:
                ticket.answer.set_exception(DaedalusError("the search process ended twice"))
        self._next()
