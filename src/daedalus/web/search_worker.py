"""A process that thinks for the server: jobs come through a pipe, thoughts and answers go back; it stops when told to."""

import contextlib
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from daedalus.agents import make_agent
from daedalus.core import Agent, Limit, Position, Thought
from daedalus.core.options import written
from daedalus.core.printable import printable

_PIECE = 40  # moves of a line that are told


@dataclass(frozen=True)
class Job:
    """A search: a pickled view and who shall think about it; `key` names whose agent it is, to find its tree again."""

    key: str
    spec: str
    seed: int
    view: bytes
    limit: Limit | None = None
    private: bool = False  # thoughts are told to nobody
    thoughts_a_second: float = 5.0


@dataclass(frozen=True)
class Warming:
    """Compile what the usual opponents of a game need."""

    game: str


def work(pipe: "Connection[Any, Any]", kept: int, nice: int) -> None:
    """The process: obeys the pipe until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then tells us
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    os.environ.pop("DAEDALUS_KEY", None)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    worker = _Worker(pipe, kept)
    threading.Thread(target=worker.listen, daemon=True).start()
    with contextlib.suppress(OSError, EOFError):
        worker.run()
    _leave()


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _leave() -> None:
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(0)  # taking a loaded compiler apart would take long


class _Worker:
    def __init__(self, pipe: "Connection[Any, Any]", kept: int) -> None:
        self._pipe, self._kept = pipe, kept
        self._inbox: queue.Queue[tuple[int, Job | Warming]] = queue.Queue()
        self._stopped: set[int] = set()
        self._agents: dict[tuple[str, str, int], Agent] = {}
        self._prepared: set[tuple[str, str, str]] = set()
        self._lock = threading.Lock()

    def listen(self) -> None:
        """Reads the pipe; the end of it is the end of the process, whatever is being thought."""
        while True:
            try:
                message = self._pipe.recv()
            except (EOFError, OSError):
                _leave()
            if message is None:
                _leave()
            what, number, *rest = message
            if what == "stop":
                self._stopped.add(number)
            else:
                self._inbox.put((number, rest[0]))

    def say(self, what: str, number: int, content: Any = None) -> None:
        with self._lock:
            self._pipe.send((what, number, content))

    def run(self) -> None:
        while True:
            number, job = self._inbox.get()
            try:
                answer = _warm(job) if isinstance(job, Warming) else self._think(number, job)
            except (Exception, SystemExit) as error:  # of code that we may not know
                self.say("failed", number, f"{type(error).__name__}: {printable(str(error), 300)}")
            else:
                self.say("done", number, answer)
            self._stopped.discard(number)

    def _think(self, number: int, job: Job) -> dict[str, Any]:
        view: Position = pickle.loads(job.view)
        agent = self._agent(number, job, view)
        last = 0.0

        def watch(thought: Thought) -> bool:
            nonlocal last
            now = time.monotonic()
            if not job.private and now - last >= 1 / job.thoughts_a_second:
                last = now
                self.say("thought", number, told(thought))
            return number not in self._stopped

        thought = agent.choose(view, job.limit, watch)
        if thought.move not in view.legal_moves.codes:
            raise ValueError(f"{job.spec} chose an illegal move")
        return told(thought) | {"move": str(view.move(int(thought.move)))}

    def _agent(self, number: int, job: Job, view: Position) -> Agent:
        key = job.key, job.spec, job.seed
        agent = self._agents.pop(key, None) or make_agent(job.spec, view.game, job.seed)
        while len(self._agents) >= self._kept:
            _dismiss(self._agents.pop(next(iter(self._agents))))
        self._agents[key] = agent  # last in the order of use
        kind = job.spec, view.name, written(view.game)
        if kind not in self._prepared:
            self.say("preparing", number)
            agent.prepare(view.game)
            self._prepared.add(kind)
            self.say("ready", number)
        return agent


def _warm(job: Warming) -> dict[str, Any]:
    """Compiles what the levels of a game need; an agent that cannot will say so to who asks for it."""
    from daedalus.agents.levels import levels
    from daedalus.core.registry import find

    game = find(job.game).rules()
    for spec in levels(game).values():
        with contextlib.suppress(Exception):
            agent = make_agent(spec, game)
            agent.prepare(game)
            _dismiss(agent)
    return {}


def _dismiss(agent: Agent) -> None:
    with contextlib.suppress(Exception):
        agent.close()


def told(thought: Thought) -> dict[str, Any]:
    """A thought in plain values; an agent that we do not know may have filled it with anything."""
    value = thought.value
    return {
        "value": min(1.0, max(-1.0, float(value))) if value is not None and value == value else None,
        "depth": int(thought.depth),
        "line": [printable(str(move), 80) for move in list(thought.line)[:_PIECE]],
        "simulations": int(thought.simulations),
        "move": printable(str(thought.move), 200),
    }
