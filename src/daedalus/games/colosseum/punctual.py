"""How the players of Colosseum Survival! keep a limit even where other programs take the processor away from them."""

from dataclasses import replace

from daedalus.core import Clock, Limit
from daedalus.search.pace import CHUNK_SECONDS, Pace


def kept_back(limit: Limit) -> Limit:
    """A little less time than allowed: setting out, the last chunk and telling what was thought take some milliseconds."""
    if limit.seconds is None:
        return limit
    return replace(limit, seconds=max(0.5 * limit.seconds, 0.99 * limit.seconds - 0.004))


class PunctualPace(Pace):
    """Ends while there is still time for a chunk to be held up twice as long as any was so far: on a busy machine some are."""

    def __init__(self, clock: Clock, total: int | None = None) -> None:
        super().__init__(clock, total)
        self._held_up = 0.0  # seconds, the most that a chunk took too long

    def next(self) -> int:
        return 0 if self.done and self._clock.left < 2 * self._held_up else super().next()

    def note(self, done: int) -> None:
        self._held_up = max(self._held_up, self._clock.elapsed - self._asked_at - CHUNK_SECONDS)
        super().note(done)
