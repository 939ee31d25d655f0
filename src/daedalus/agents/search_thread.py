"""Searches in a thread of their own, for programs that have to listen meanwhile: watched, stopped, pondering."""

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from daedalus.core import Agent, IllegalMove, Limit, Position, Thought
from daedalus.core.agent import takes_watch

FOREVER = 1e8  # seconds, as long as a limit can be
LOOK = 0.1  # seconds between two calls of a watch
USUAL = 1.0  # seconds to think after a ponderhit when no limit was given
MOST = 1000  # jobs that may wait


class SearchThread:
    """Works off jobs in the order in which they were given. A job deals with its own errors."""

    def __init__(self) -> None:
        self._jobs: queue.Queue[Callable[[], None] | None] = queue.Queue(MOST)
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def do(self, job: Callable[[], None]) -> bool:
        """Puts a job at the end of the line; False if that is too long."""
        try:
            self._jobs.put_nowait(job)
        except queue.Full:
            return False
        return True

    def end(self, seconds: float | None = None) -> bool:
        """Ends after the jobs given so far; have they been done within so many seconds?"""
        try:
            self._jobs.put(None, timeout=seconds)
        except queue.Full:
            return False
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


class Search:
    """One search that somebody asked for: how long it may take, and whether it shall stop.

    `infinite`: it answers when it is stopped, not before. `ponder`: it thinks while another seat does; its limit counts from
    the ponderhit.
    """

    def __init__(self, limit: Limit | None = None, infinite: bool = False, ponder: bool = False) -> None:
        self.limit = limit or Limit()
        self.infinite, self.ponder = infinite, ponder
        self.begun = self.finished = self.stopped = False
        self._deadline = float("inf")
        self._released = threading.Event()
        if not (infinite or ponder):
            self._released.set()

    def stop(self) -> None:
        """It shall answer with what it has found."""
        self.stopped = True
        self._released.set()

    def hit(self) -> None:
        """The move pondered on was made: from now on this is an ordinary search."""
        if self.ponder and not self.infinite:
            endless = not self.limit.simulations and not self.limit.depth
            seconds = self.limit.seconds or (USUAL if endless else FOREVER)
            self._deadline = time.monotonic() + seconds
            self._released.set()

    def think(self, agent: Agent, view: Position, report: Callable[[Thought], None]) -> Thought:
        """The agent's answer; `report` gets what it would answer meanwhile."""
        limit = self.limit
        waits = not self._released.is_set()
        if waits and can_be_watched(agent):  # else it keeps its limit, and its answer waits
            limit = replace(limit, seconds=FOREVER)

        def watch(thought: Thought) -> bool:
            report(thought)
            return not self.stopped and not (waits and time.monotonic() + LOOK >= self._deadline)

        thought = agent.choose(view, limit, watch)
        if thought.move not in view.legal_moves:
            raise IllegalMove(f"the agent chose {thought.move}, which is not legal")
        return thought

    def wait(self) -> None:
        """Returns when the answer may be given."""
        self._released.wait()


def can_be_watched(agent: Agent) -> bool:
    """Does the agent show what it thinks, and stop when told to? A user's need not."""
    return takes_watch(getattr(agent, "player", agent).choose)
