"""The arena's clock: it, not the agent, measures a move, and stops an agent that does not come back."""

import signal
import threading
import time
from types import FrameType
from typing import Any

import psutil

from daedalus.agents.engine import Engine
from daedalus.core import Agent, Limit
from daedalus.core.compile import compiling, seconds_compiling

_HANG = 1.0  # seconds after which a move that is too late already is broken off


class Overdue(BaseException):
    """Raised inside an agent that thinks on long after its time; not an Exception, so that it does not swallow it."""


def grace_for(limit: Limit | None, grace: float | None) -> float:
    """How many seconds over the limit are forgiven: as given, else a tenth of the limit and at least a fifth of a second.

    A busy machine may let a process wait that long; a forfeit should tell something about the agent.
    """
    if grace is not None:
        return grace
    return max(0.2, 0.1 * (limit.seconds or 0.0)) if limit else 0.2


def hanging(limit: Limit, grace: float | None = None) -> float:
    """After how many seconds an agent that has still not moved is broken off."""
    return (limit.seconds or 0.0) + grace_for(limit, grace) + _HANG


class MoveClock:
    """Measures one move: `with clock: agent.choose(...)`; then `wall` and `cpu` are what it took, in seconds.

    A player inside this process that hangs is interrupted by Overdue, between two steps of the interpreter; engines
    are timed out by `Engine` itself, with the same grace. Compiling is not thinking: it is taken off `wall`, and nothing
    interrupts it.
    """

    def __init__(self, agent: Agent, limit: Limit | None, grace: float) -> None:
        self._agent = agent
        self.allowed = limit.seconds if limit else None
        self.grace = grace
        self.wall = self.cpu = 0.0
        if isinstance(agent, Engine):
            agent.grace = grace
        unwatched = limit is None or limit.seconds is None or isinstance(agent, Engine)
        self._alarm = _Alarm(None if limit is None or unwatched else hanging(limit, grace))

    def __enter__(self) -> "MoveClock":
        self._cpu = cpu_of(self._agent)
        self._begun = _thinking_time()
        self._alarm.set()
        return self

    def __exit__(self, *_: object) -> None:
        self._alarm.clear()
        self.wall = _thinking_time() - self._begun
        self.cpu = max(0.0, cpu_of(self._agent) - self._cpu)

    @property
    def late(self) -> str | None:
        """What to say of a move that took more than the limit and its grace."""
        if self.allowed is None or self.wall <= self.allowed + self.grace:
            return None
        return f"late: {self.wall:.2f} s for a move, allowed {self.allowed:g} s and {self.grace:g} s of grace"


def _thinking_time() -> float:
    """A clock that stands still while this thread compiles kernels or loads them."""
    return time.perf_counter() - seconds_compiling()


def cpu_of(agent: Agent) -> float:
    """CPU seconds used so far by whatever thinks for an agent: this process, or the engine's and its children's that ended."""
    if not isinstance(agent, Engine):
        return time.process_time()
    try:
        # of a pid that is None psutil would tell our own; user and system time, the engine's and its children's
        return float(sum(psutil.Process(agent.pid).cpu_times()[:4])) if agent.pid else 0.0
    except psutil.Error:
        return 0.0


class _Alarm:
    """Raises Overdue in the main thread after so many seconds of thinking, again every second until it is cleared.

    It is silent while the thread compiles: a kernel broken off half-way would never get ready. Another user of the
    system's one timer (a test runner's timeout) gets it back with what it had left.
    """

    def __init__(self, seconds: float | None) -> None:
        here = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        self._seconds = seconds if here else None
        self._armed = False

    def set(self) -> None:
        if self._seconds is None:
            return
        self._begun, self._thinking = time.monotonic(), _thinking_time()
        self._handler: Any = signal.signal(signal.SIGALRM, self._ring)
        self._armed = True
        self._before = signal.setitimer(signal.ITIMER_REAL, self._seconds, 1.0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if not self._armed or self._seconds is None or compiling():
            return  # it rings again
        left = self._seconds - (_thinking_time() - self._thinking)
        if left > 0:
            signal.setitimer(signal.ITIMER_REAL, left, 1.0)
        else:
            raise Overdue

    def clear(self) -> None:
        if self._seconds is None:
            return
        self._armed = False
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, self._handler)
        left, interval = self._before
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(1e-3, left - (time.monotonic() - self._begun)), interval)


class patience:
    """`with patience(60):` raises Overdue when the block takes longer."""

    def __init__(self, seconds: float) -> None:
        self._alarm = _Alarm(seconds)

    def __enter__(self) -> None:
        self._alarm.set()

    def __exit__(self, *_: object) -> None:
        self._alarm.clear()
