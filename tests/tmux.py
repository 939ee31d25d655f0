"""A real terminal for tests: tmux runs one command, keys are typed, and what is shown is waited for, never slept for."""

import os
import shutil
import subprocess
import sys
import time
import uuid

import pytest

needs_tmux = pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed")
PLAY = [sys.executable, "-m", "daedalus", "play"]
_KEPT = ("PATH", "HOME", "PYTHONPATH", "DAEDALUS_CACHE", "DAEDALUS_QUIET", "DAEDALUS_KEY")


def environment(folder, **more):
    """What a command under test may know: our cache, a data folder of its own, a UTF-8 terminal."""
    kept = {key: os.environ[key] for key in _KEPT if key in os.environ}
    return kept | {"XDG_DATA_HOME": str(folder), "TERM": "screen-256color", "LANG": "C.UTF-8"} | more


class Tmux:
    """A terminal that runs one command; all that it writes may be kept in a file."""

    def __init__(self, command, environment, columns=80, lines=24, output=None):
        self.socket = f"daedalus-test-{uuid.uuid4().hex}"
        words = [f"{key}={value}" for key, value in environment.items()] + list(command)
        piped = ["pipe-pane", "-o", f"cat >> {output}", ";"] if output else []
        size = ["-x", str(columns), "-y", str(lines)]
        # the command starts only when everything is set up: a pane's pipe would miss what was written before
        waiting = ["sh", "-c", 'read go; exec env -u COLUMNS -u LINES "$@"', "sh", *words]
        self.call("new-session", "-d", *size, *waiting, ";", *piped, "set", "-g", "status", "off", ";",
                  "set", "-g", "remain-on-exit", "on", ";", "send-keys", "Enter")  # fmt: skip

    def call(self, *arguments):
        words = ["tmux", "-L", self.socket, "-f", "/dev/null", *arguments]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    def type(self, *keys):
        self.call("send-keys", "--", *keys)

    def enter(self, line):
        """Types a line; the keys of words like Enter are no words here."""
        self.call("send-keys", "-l", "--", line)
        self.call("send-keys", "Enter")

    @property
    def shown(self):
        return self.call("capture-pane", "-p")

    def wait(self, *texts, seconds=180):
        return self.until(lambda shown: all(text in shown for text in texts), texts, seconds)

    def until(self, holds, what, seconds=180):
        """The screen as soon as something holds of it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            shown = self.shown
            if holds(shown):
                return shown
            time.sleep(0.05)
        raise AssertionError(f"{what} never came:\n{shown}")

    def ended(self):
        """Waits until the command has ended; what it left on the screen."""
        return self.until(lambda _: self.call("display-message", "-p", "#{pane_dead}").strip() == "1", "the end")

    def resize(self, columns, lines):
        """Another size, waited for until the program can see it: tmux passes it on a moment later."""
        self.call("resize-window", "-x", str(columns), "-y", str(lines))
        tty = self.call("display-message", "-p", "#{pane_tty}").strip()
        with open(tty, "rb") as terminal:
            self.until(lambda _: os.get_terminal_size(terminal.fileno()) == (columns, lines), "the new size")

    def close(self):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
