"""The wait for an agent: a line that tells what it thinks, overwritten; Enter makes it move now, Ctrl-C ends the wait.

While it lasts the terminal gives every key at once and shows none. Ctrl-C is such a key too: as a signal it would also
reach the program that started us, `make play` for one, and end it.
"""

import _thread
import os
import select
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType

from daedalus.core import Thought
from daedalus.core.compile import compiling_told

from .screen import Screen

try:
    import termios
except ImportError:  # Windows: nothing but waiting
    termios = None  # type: ignore[assignment]

_PATIENCE = 0.5  # seconds before the line appears
_BEAT = 0.1
_DEAF = 3.0  # an agent that has not listened to Ctrl-C for so long is interrupted
_ENTER, _INTERRUPT = b"\r\n", b"\x03"


class Thinking:
    """`with Thinking(screen, "Black") as wait: agent.choose(view, limit, wait.watch)`.

    `private`: nothing of the thought is told, since it may tell hidden cards.
    """

    def __init__(self, screen: Screen, label: str, private: bool = False) -> None:
        self._screen, self._label, self._private = screen, label, private
        self._said = ""
        self._stop = threading.Event()
        self._over = threading.Event()
        self._interrupted: float | None = None
        self._begun = time.monotonic()
        self._thread: threading.Thread | None = None
        self._shown = False

    def watch(self, thought: Thought) -> bool:
        """Notes what the agent would answer now; False when it shall."""
        if not self._private:
            self._said = spoken(thought)
        return not self._stop.is_set()

    def _compiling(self, name: str) -> None:
        """In the line, where a notice on stderr would break it."""
        self._said = f"   compiling {name}, once on this machine"

    def __enter__(self) -> "Thinking":
        if self._screen.live:
            self._keys = keys_at_once() if sys.stdin.isatty() else None
            fd = self._keys.__enter__() if self._keys else None
            self._thread = threading.Thread(target=self._attend, args=(fd,), daemon=True)
            self._thread.start()
            self._told = compiling_told(self._compiling)
            self._told.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        if self._thread:
            self._told.__exit__(None, None, None)
            self._thread.join()
            if self._keys:
                self._keys.__exit__(None, None, None)
            if self._shown:
                self._screen.overwrite("")

    def _attend(self, fd: int | None) -> None:
        """Ten times a second: the line anew, and the keys that were pressed."""
        while not self._over.is_set():
            waited = time.monotonic() - self._begun
            if waited > _PATIENCE:
                self._shown = True
                now = "" if fd is None else " (Enter: move now)"
                self._screen.overwrite(f"{self._label} thinks, {waited:.0f} s{now}{self._said}")
            if fd is None:
                self._over.wait(_BEAT)
            elif select.select([fd], [], [], _BEAT)[0]:
                self._pressed(os.read(fd, 100))
            if self._interrupted and time.monotonic() - self._interrupted > _DEAF and not self._over.is_set():
                self._interrupted = None
                _thread.interrupt_main()

    def _pressed(self, keys: bytes) -> None:
        if any(key in keys for key in _ENTER):
            self._stop.set()
        if _INTERRUPT in keys:
            self._stop.set()
            self._interrupted = time.monotonic()


def spoken(thought: Thought) -> str:
    """Depth, value and line of a thought, to stand behind other words."""
    parts = [
        f"depth {thought.depth}" if thought.depth else f"{thought.simulations:,} simulations" if thought.simulations else "",
        "" if thought.value is None else f"{thought.value:+.2f}",
        " ".join(thought.line[:8]) or str(thought.move),
    ]
    return "".join(f"   {part}" for part in parts if part)


@contextmanager
def keys_at_once() -> Iterator[int | None]:
    """Keys are given as they are pressed and not echoed; yields where to read them, None if that cannot be had."""
    if termios is None:
        yield None
        return
    fd = sys.stdin.fileno()
    try:
        before = termios.tcgetattr(fd)
        quiet = termios.tcgetattr(fd)
        quiet[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG)
        termios.tcsetattr(fd, termios.TCSADRAIN, quiet)
    except termios.error:
        yield None
        return
    try:
        yield fd
    finally:
        with suppress(termios.error):
            termios.tcsetattr(fd, termios.TCSADRAIN, before)
