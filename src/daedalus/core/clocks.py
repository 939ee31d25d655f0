"""Chess clocks at the table: so much time for all moves of a seat, and a little more after each."""

import re
import time
from collections.abc import Sequence

from .errors import InvalidOption
from .limits import Limit

_MOVES = 25  # an agent plans its time for so many more moves
_LEAST = 0.02  # seconds that an agent gets, however little is left


def read_clock(text: str) -> tuple[float, float]:
    """`5+3`, five minutes and three seconds a move, in seconds; `5` is five minutes for everything."""
    found = re.fullmatch(r"(\d{1,4}(?:\.\d+)?)(?:\+(\d{1,4}(?:\.\d+)?))?", text.strip())
    if not found or not float(found[1]) + float(found[2] or 0) > 0:
        raise InvalidOption(f"clock '{text}': write minutes+seconds, as in 5+3 (five minutes, and three seconds a move)")
    return 60 * float(found[1]), float(found[2] or 0)


class Clocks:
    """What is left to each seat; one runs at a time, or none."""

    def __init__(self, seats: int, seconds: float, increment: float, left: Sequence[float] | None = None) -> None:
        self._left = [seconds] * seats if left is None else list(left)
        self._given, self._increment = seconds, increment
        self._running: tuple[int, float] | None = None

    def fresh(self) -> "Clocks":
        """The same clocks for another game."""
        return Clocks(len(self._left), self._given, self._increment)

    def start(self, seat: int) -> None:
        """Lets a seat's clock run, and no other."""
        if self._running is None or self._running[0] != seat:
            self.stop()
            self._running = seat, time.monotonic()

    def stop(self, moved: bool = False) -> None:
        """Halts the clock that runs; after a move its seat gets the increment, unless the flag has fallen."""
        if self._running is None:
            return
        seat, since = self._running
        self._left[seat] -= time.monotonic() - since
        if moved and self._left[seat] > 0:
            self._left[seat] += self._increment
        self._running = None

    def left(self, seat: int) -> float:
        """Seconds left to a seat now; not positive when its flag has fallen."""
        running = self._running
        passed = time.monotonic() - running[1] if running and running[0] == seat else 0.0
        return self._left[seat] - passed

    def limit(self, seat: int) -> Limit:
        """How long an agent should think, so that its time lasts."""
        left = self.left(seat)
        return Limit(seconds=max(_LEAST, min(left / _MOVES + 0.8 * self._increment, 0.8 * left)))

    def shown(self, seat: int) -> str:
        """`4:59`, or `7.2` seconds when few are left."""
        left = max(0.0, self.left(seat))
        return f"{int(left) // 60}:{int(left) % 60:02}" if left >= 10 else f"{left:.1f}"
