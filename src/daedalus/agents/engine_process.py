"""A program at the other end of pipes: lines in, lines out, nobody ever waits for it too long, and nothing of it is left.

Three threads serve each program: one starts it and reads what it says, one writes to it, one drains its stderr. So no
full pipe can block us or it. It runs in a session of its own, and whatever it started ends with it.
"""

import contextlib
import os
import queue
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from daedalus.core.printable import printable

MAX_LINE = 1_000_000  # bytes; what is longer is no message
_READ_AHEAD = 64  # lines kept until somebody asks for them; then the program has to wait
_LAST_WORDS = 4096  # bytes of stderr that are kept
_LAST_SAY = 1.0  # seconds in which a program that has closed its input may end

_START = 30_000  # milliseconds for the supervisor to tell which process the program is
_KEPT = sys.platform == "linux"
_SUPERVISOR = Path(__file__).with_name("engine_supervisor.py")
_SECRETS = ("DAEDALUS_KEY",)  # of our environment: it would tell a program how hidden cards are dealt


class EngineProcess:
    """A running program. Raises OSError when it cannot be started."""

    def __init__(self, words: Sequence[str]) -> None:
        self._owner = os.getpid()
        self._said: queue.Queue[bytes] = queue.Queue(_READ_AHEAD)
        self._to_say: queue.Queue[bytes | None] = queue.Queue(_READ_AHEAD)
        self._errors = b""
        self._silent, self._stopping = threading.Event(), threading.Event()
        self._pid = 0
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
        return self._pid

    def send(self, line: bytes) -> None:
        """Writes a line as soon as the program takes it; one that never reads does not hear the later ones."""
        with contextlib.suppress(queue.Full):
            self._to_say.put_nowait(line + b"\n")

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
        return next((printable(line, 300) for line in reversed(lines) if line.strip()), "")

    def stop(self, grace: float = 0.0) -> int | None:
        """Closes the program's input, gives it `grace` seconds to end and as many after SIGTERM, then kills all of it.

        Returns its exit code, negative for the signal that ended it.
        """
        if os.getpid() != self._owner or self._process.returncode is not None:
            return self._process.returncode  # after a fork the program is still the parent's
        if grace:
            self._close_input()
            if not self._silent.wait(grace):
                self._signal(signal.SIGTERM)
                self._silent.wait(grace)
        self._signal(signal.SIGUSR1 if _KEPT else signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        if self._process.returncode is None:
            self._process.kill()
            self._process.wait()
        self._stopping.set()  # not before, nor its input closed: it would end by itself, as if it had wanted to
        self._close_input()
        with contextlib.suppress(queue.Full):
            self._said.put_nowait(b"")  # for another thread that may still be listening
        for thread in self._threads:
            thread.join(1)
        return self._process.returncode

    def _close_input(self) -> None:
        with contextlib.suppress(queue.Full):  # then it reads nothing, and never sees the end
            self._to_say.put_nowait(None)

    def _signal(self, number: int) -> None:
        """To the supervisor, or to the group; before either is waited for: until then no other process can have its number."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if _KEPT:
                os.kill(self._process.pid, number)
            else:
                os.killpg(self._process.pid, number)

    def _live(self, words: Sequence[str], started: "queue.SimpleQueue[subprocess.Popen[bytes] | OSError]") -> None:
        """Starts the program and reads it to its end, in one thread: Linux ends it when the thread that started it ends."""
        try:
            process = self._started(words)
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

    def _started(self, words: Sequence[str]) -> "subprocess.Popen[bytes]":
        reader, writer = os.pipe()
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_SUPERVISOR), str(os.getpid()), str(writer), *words] if _KEPT else words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                pass_fds=(writer,) if _KEPT else (),
                env={name: value for name, value in os.environ.items() if name not in _SECRETS},
            )
            os.close(writer)
            writer = -1
            self._pid = (_told(reader) if _KEPT else 0) or process.pid
            return process
        finally:
            os.close(reader)
            if writer >= 0:
                os.close(writer)

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


def _told(reader: int) -> int:
    """The number of the program's process, as the supervisor tells it; 0 if it says nothing."""
    waiting = select.poll()
    waiting.register(reader, select.POLLIN)
    return int(os.read(reader, 20) or 0) if waiting.poll(_START) else 0
