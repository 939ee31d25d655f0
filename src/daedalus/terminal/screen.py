"""What the commands write on: one rich console, with a spinner for those who wait and JSON for programs."""

import json
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from daedalus.core import Position

_PATIENCE = 0.5  # seconds before a spinner appears


class Screen:
    """Everything that is shown goes through here; `console` may write to a file or a string."""

    def __init__(self, console: Console | None = None) -> None:
        # what is not a terminal has no width: wide enough that no table is cut
        self.console = console or Console(highlight=False, width=None if sys.stdout.isatty() else 200)

    @property
    def live(self) -> bool:
        """Does a person look at it?"""
        return self.console.is_terminal

    def say(self, text: str = "", style: str = "") -> None:
        """A line of text as it is."""
        self.console.print(Text(text, style), soft_wrap=True)

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


def _cell(item: Any) -> str:
    if item is None:
        return ""
    return f"{item:,}" if isinstance(item, int) and not isinstance(item, bool) else str(item)


def _number_like(item: Any) -> bool:
    return item in (None, "") or (isinstance(item, str) and item.lstrip("+-").replace(".", "", 1).replace(",", "").isdigit())
