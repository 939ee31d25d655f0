"""How a search keeps its limit and lets itself be watched: it works in chunks, and looks up between them."""

import time
from collections.abc import Callable
from threading import Event
from typing import Any

from daedalus.core import Clock

CHUNK_SECONDS = 0.01  # between two looks at the clock
SHOW_SECONDS = 0.1  # between two thoughts shown to who watches
SHOW_SHARE = 0.01  # of the time, the most that making them may take
SHOW_LATEST = 0.2  # seconds, whatever they cost


class Budget:
    """Says how much to do next, from how fast the work went so far; 0 when the limit is reached or a watch said stop.

    It ends while there is still time for a chunk to be held up twice as long as any was so far: on a busy machine some are.
    `present(budget)` makes what `watch` is shown; budgets of several threads share the event `stop`, and so end together.
    """

    def __init__(
        self,
        clock: Clock,
        total: int | None = None,
        watch: Callable[[Any], bool | None] | None = None,
        present: Callable[["Budget"], Any] | None = None,
        stop: Event | None = None,
    ) -> None:
        self.clock, self.total = clock, total
        self.done = 0
        self.stop = stop or Event()
        self._watch, self._present = watch, present
        self._shown: Any = None
        self._show_at = SHOW_SECONDS
        self._asked_at = clock.elapsed
        self._rate = 0.0
        self._held_up = 0.0  # seconds, the most that a chunk took too long

    @property
    def is_watched(self) -> bool:
        return self._watch is not None

    @property
    def counted(self) -> int:
        """What was done, as a thought tells it: the last step of a search may do a little more than is allowed."""
        return self.done if self.total is None else min(self.done, self.total)

    def stopped(self) -> bool:
        """Shows what the search would answer now, if it is time to; has it been stopped?"""
        if self._watch is not None and not self.stop.is_set() and self.clock.elapsed >= self._show_at:
            begun = time.thread_time()
            self._shown = self._present(self) if self._present else None
            pause = max(SHOW_SECONDS, min((time.thread_time() - begun) / SHOW_SHARE, SHOW_LATEST))
            going = self._watch(self._shown)
            if going is not None and not going:
                self.stop.set()
            self._show_at = self.clock.elapsed + pause
        return self.stop.is_set()

    def next(self) -> int:
        """The size of the next chunk."""
        if self.stopped():
            return 0
        self._asked_at = self.clock.elapsed
        seconds = min(CHUNK_SECONDS, self.clock.left)
        if self.done and (seconds <= 0 or self.clock.left < 2 * self._held_up):
            return 0
        chunk = max(1, int(self._rate * seconds)) if self.done else 16
        return chunk if self.total is None else max(0, min(chunk, self.total - self.done))  # a search may overshoot

    def note(self, done: int) -> None:
        """So much of the last chunk was done."""
        spent = self.clock.elapsed - self._asked_at
        if self.done:  # the first chunk may have had to load its kernels
            self._held_up = max(self._held_up, spent - CHUNK_SECONDS)
        self.done += done
        if done and spent > 0:
            rate = done / spent
            # grow carefully: the first chunks are small and their time is mostly overhead
            self._rate = min(rate, 8 * self._rate) if self._rate else min(rate, 16 / CHUNK_SECONDS * 8)

    def answer(self) -> Any:
        """What the search answers at its end: if it was stopped, what was shown last."""
        return self._shown if self.stop.is_set() or self._present is None else self._present(self)
