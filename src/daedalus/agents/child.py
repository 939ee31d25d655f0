"""A program at the other end of pipes: lines in, lines out, nobody ever waits for it too long, and nothing of it is left.

Three threads serve each program: one starts it and reads what it says, one writes to it, one drains its stderr. So no
full pipe can block us or it. It runs in a process group of its own that is killed as a whole.
"""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import IO

MAX_LINE = 1_000_000  # bytes; what is longer is no message
_READ_AHEAD = 64  # lines kept until somebody asks for them; then the program has to wait
_LAST_WORDS = 4096  # bytes of stderr that are kept
_LAST_SAY = 1.0  # seconds in which a program that has closed its input may end

# Linux kills the program with us, even if we are killed: a small Python asks for that and then becomes the program
# (without a hook between fork and exec, which is unsafe beside threads). Python's own ignored signals are undone.
_LAUNCHER = """\
import ctypes, os, signal, sys
PR_SET_PDEATHSIG = 1
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
    signal.signal(ignored, signal.SIG_DFL)
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""


class Child:
    """A running program. Raises OSError when it cannot be started."""

    def __init__(self, words: Sequence[str]) -> None:
        self._owner = os.getpid()
        self._said: queue.Queue[bytes] = queue.Queue(_READ_AHEAD)
        self._to_say: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._errors = b""
        self._silent, self._stopping = threading.Event(), threading.Event()
        started: queue.SimpleQueue[subprocess.Popen[bytes] | OSError] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._live, args=(words, started), daemon=True)]
        self._threads[0].start()
        process = started.get()
        if isinstance(process, OSError):
            raise process
        self._process = process
        for serve, stream in ((self._write, process.stdin), (self._drain, process.stderr)):
            self._threads.append(threading.Thread(target=serve, args=(stream,), daemon=True))
            self._threads[-1].start()

    @property
    def pid(self) -> int:
        """The process, which also leads its group."""
        return self._process.pid

    def send(self, line: bytes) -> None:
        """Writes a line as soon as the program takes it."""
        self._to_say.put(line + b"\n")

    def receive(self, seconds: float) -> bytes | None:
        """The next line, empty when there will be no more, None when none came in time."""
        if seconds <= 0:
            return None
        try:
            return self._said.get(timeout=seconds)
        except queue.Empty:
            return None

    @property
    def last_words(self) -> str:
        """The last line the program wrote to stderr."""
        lines = self._errors.decode(errors="replace").split("\n")
        return next((line.strip()[:300] for line in reversed(lines) if line.strip()), "")

    def stop(self, grace: float = 0.0) -> int | None:
        """Closes the program's input, gives it `grace` seconds to end and as many after SIGTERM, then kills its group.

        Returns its exit code, negative for the signal that ended it.
        """
        if os.getpid() != self._owner or self._process.returncode is not None:
            return self._process.returncode  # after a fork the program is still the parent's
        self._to_say.put(None)
        if grace and not self._silent.wait(grace):
            self._signal(signal.SIGTERM)
            self._silent.wait(grace)
        self._stopping.set()
        self._signal(signal.SIGKILL)  # before the process is waited for: until then no other can have its number
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        with contextlib.suppress(queue.Full):
            self._said.put_nowait(b"")  # for another thread that may still be listening
        for thread in self._threads:
            thread.join(1)
        return self._process.returncode

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _live(self, words: Sequence[str], started: "queue.SimpleQueue[subprocess.Popen[bytes] | OSError]") -> None:
        """Starts the program and reads it to its end, in one thread: Linux kills it when the thread that started it ends."""
        launcher = [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(os.getpid())]
        try:
            process = subprocess.Popen(
                [*launcher, *words] if sys.platform == "linux" else words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            started.put(error)
            return
        started.put(process)
        assert process.stdout is not None
        with process.stdout as stream, contextlib.suppress(OSError):
            while line := stream.readline(MAX_LINE + 1):
                if not self._hand_over(line) or len(line) > MAX_LINE:
                    break
        self._silent.set()
        self._hand_over(b"")

    def _hand_over(self, line: bytes) -> bool:
        while not self._stopping.is_set():
            with contextlib.suppress(queue.Full):
                self._said.put(line, timeout=0.2)
                return True
        return False

    def _write(self, stream: IO[bytes]) -> None:
        try:
            with stream:
                while (line := self._to_say.get()) is not None:
                    stream.write(line)
                    stream.flush()
        except OSError:  # it reads no more; what it said before comes first, if it has ended
            if not self._silent.wait(_LAST_SAY):
                self._hand_over(b"")

    def _drain(self, stream: IO[bytes]) -> None:
        with stream, contextlib.suppress(OSError):
            while chunk := os.read(stream.fileno(), 65536):
                self._errors = (self._errors + chunk)[-_LAST_WORDS:]
