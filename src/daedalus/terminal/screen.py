"""What the commands write on: one rich console, with a spinner for those who wait and JSON for programs."""

import json
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from daedalus.core import Position

_PATIENCE = 0.5  # seconds before a spinner appears
_APART = 60  # empty lines between what two people may see, where nothing can be wiped
_ERASE = "\x1b[H\x1b[2J\x1b[3J"  # the screen and the lines that have scrolled away
_FOOT = 10  # lines that a prompt with its menu takes at the foot of a screen


class Screen:
    """Everything that is shown goes through here; `console` may write to a file or a string."""

    def __init__(self, console: Console | None = None) -> None:
        # what is not a terminal has no width: wide enough that no table is cut
        self.console = console or Console(highlight=False, width=None if sys.stdout.isatty() else 200)
        self.shared = False

    @property
    def live(self) -> bool:
        """Does a person look at it?"""
        return self.console.is_terminal

    def say(self, text: str = "", style: str = "") -> None:
        """A line of text as it is, but for what a terminal would obey or could not write."""
        self.console.print(Text("".join(map(_visible, text)), style), soft_wrap=True)

    def wrong(self, text: str) -> None:
        """A line about something that did not work."""
        self.say(text, "yellow")

    def show(self, thing: Any) -> None:
        """Anything rich can print."""
        self.console.print(thing)

    def data(self, thing: Any) -> None:
        """A value as one line of JSON."""
        self.console.file.write(json.dumps(thing, ensure_ascii=False) + "\n")
        self.console.file.flush()

    def wipe(self) -> None:
        """An empty screen, where there is a screen."""
        if self.live:
            self.console.clear()

    # --- a screen before which several people sit, who may not see the same ------------------------------------------

    @property
    def wipes(self) -> bool:
        """Can what was written be taken away again?"""
        return self.live and not self.console.is_dumb_terminal

    def share(self, forget: bool) -> None:
        """From here on a wipe leaves nothing, for lines do not scroll back on the alternate screen of a terminal.

        With `forget` the lines written before are erased too, all that can be scrolled back to.
        """
        if self.shared:
            return
        self.shared = True
        if self.wipes:
            self._write(_ERASE if forget else "")
            self.console.set_alt_screen(True)
        elif self.live:
            self.wrong("This terminal cannot be wiped: who scrolls back sees the cards of all.")

    def part(self) -> None:
        """Between two people: where nothing can be wiped, at least out of sight."""
        if not self.wipes:
            self._write("\n" * _APART)

    def unshare(self) -> None:
        """Back to the ordinary screen, which has nothing of what was written meanwhile."""
        if self.shared and self.wipes:
            self.wipe()
            self.console.set_alt_screen(False)
        self.shared = False

    @contextmanager
    def pages(self, turn: Callable[[], object]) -> Iterator[None]:
        """What the block writes, page by page where it is shared and nothing can be scrolled back; `turn` waits for a key."""
        if not (self.shared and self.wipes):
            yield
            return
        with self.console.capture() as captured:
            yield
        lines = captured.get().split("\n")
        room, last = max(5, self.console.height - 3), max(5, self.console.height - _FOOT)
        while len(lines) > last:
            page = min(room, len(lines) - last)
            self._write("\n".join(lines[:page]) + "\n")
            turn()
            lines = lines[page:]
        self._write("\n".join(lines))

    def _write(self, text: str) -> None:
        self.console.file.write(text)
        self.console.file.flush()

    def board(self, position: Position) -> None:
        """Picture and summary, set apart from what stands above and below."""
        self.console.print()
        self.console.print(position.picture(), soft_wrap=True)
        self.console.print()
        if position.summary:
            self.say(position.summary)

    def table(self, headers: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Rows under headers; numbers stand on the right."""
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for i, header in enumerate(headers):
            numeric = bool(rows) and all(isinstance(row[i], (int, float)) or _number_like(row[i]) for row in rows)
            table.add_column(header, justify="right" if numeric else "left", overflow="fold")
        for row in rows:
            table.add_row(*(escape(_cell(item)) for item in row))
        self.console.print(table)

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """A spinner while the block runs, if it takes long enough to be noticed."""
        if not self.live:
            yield
            return
        status = self.console.status(escape(text))
        timer = threading.Timer(_PATIENCE, status.start)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()  # else a spinner that starts right now would never stop
            status.stop()


def _visible(letter: str) -> str:
    if letter.isprintable() or letter == "\n":
        return letter
    return " " if letter.isspace() else letter.encode("unicode_escape").decode()


def _cell(item: Any) -> str:
    if item is None:
        return ""
    return f"{item:,}" if isinstance(item, int) and not isinstance(item, bool) else str(item)


def _number_like(item: Any) -> bool:
    return item in (None, "") or (isinstance(item, str) and item.lstrip("+-").replace(".", "", 1).replace(",", "").isdigit())
