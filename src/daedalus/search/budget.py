"""How a search keeps its limit: it works in chunks and looks at the clock between them."""

from daedalus.core import Clock

CHUNK_SECONDS = 0.01  # between two looks at the clock


class Budget:
    """Says how much to do next, from how fast the work went so far; 0 when the limit is reached.

    It ends while there is still time for a chunk to be held up twice as long as any was so far: on a busy machine some are.
    """

    def __init__(self, clock: Clock, total: int | None = None) -> None:
        self._clock = clock
        self._left = total
        self._asked_at = clock.elapsed
        self._rate = 0.0
        self._held_up = 0.0  # seconds, the most that a chunk took too long
        self.done = 0

    @property
    def counted(self) -> int:
        """What was done, as a thought tells it: the last step of a search may do a little more than is allowed."""
        return self.done if self._left is None else min(self.done, self._left)

    def next(self) -> int:
        """The size of the next chunk."""
        self._asked_at = self._clock.elapsed
        seconds = min(CHUNK_SECONDS, self._clock.left)
        if self.done and (seconds <= 0 or self._clock.left < 2 * self._held_up):
            return 0
        chunk = max(1, int(self._rate * seconds)) if self.done else 16
        return chunk if self._left is None else max(0, min(chunk, self._left - self.done))  # a search may overshoot

    def note(self, done: int) -> None:
        """So much of the last chunk was done."""
        spent = self._clock.elapsed - self._asked_at
        if self.done:  # the first chunk may have had to load its kernels
            self._held_up = max(self._held_up, spent - CHUNK_SECONDS)
        self.done += done
        if done and spent > 0:
            rate = done / spent
            # grow carefully: the first chunks are small and their time is mostly overhead
            self._rate = min(rate, 8 * self._rate) if self._rate else min(rate, 16 / CHUNK_SECONDS * 8)
