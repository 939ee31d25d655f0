"""What the commands write on: one rich console, with a line for those who wait and JSON for programs."""

import io
import json
import math
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.text import Text

from daedalus.core import Position

from . import ascii

_APART = 60  # empty lines between what two people may see, where nothing can be wiped
_ERASE = "\x1b[H\x1b[2J\x1b[3J"  # the screen and the lines that have scrolled away
_FOOT = 2  # lines that a prompt takes at the foot of a screen
_MENU = 5  # lines below it, for what completes a word, if there is room


class Screen:
    """Everything that is shown goes through here; `console` may write to a file or a string."""

    def __init__(self, console: Console | None = None) -> None:
        # what is not a terminal has no width: wide enough that no table is cut
        self.console = console or Console(highlight=False, width=None if sys.stdout.isatty() else 200)
        self.shared = False
        self.used = 0  # lines written since the screen was wiped
        self.plain = ascii.is_plain(self.console.encoding)

    @property
    def live(self) -> bool:
        """Does a person look at it?"""
        return self.console.is_terminal

    def say(self, text: str = "", style: str = "", hanging: int = 0) -> None:
        """A line of text as it is, but for what a terminal would obey or could not write; folded between words there."""
        self.write(_text(self.folded(text, hanging), style))

    def folded(self, text: str, hanging: int = 0) -> str:
        """The text with its long lines folded for who reads on a terminal, the rest of each set in so far."""
        width = self.console.width
        if not self.live or len(text) < width:
            return text
        return "\n".join(
            textwrap.fill(line, width - 1, subsequent_indent=" " * hanging, break_on_hyphens=False) for line in text.split("\n")
        )

    def write(self, text: Text) -> None:
        """A styled text with the end of its line; in letters that the terminal has."""
        if self.plain:
            text = text.copy()
            text.plain = ascii.plain(text.plain)
        self.console.print(text, soft_wrap=True)
        self.used += self.lines_of(text)

    def lines_of(self, text: Text | str) -> int:
        """How many lines of the screen a text takes."""
        plain = self.folded(text) if isinstance(text, str) else text.plain
        return sum(max(1, math.ceil(len(line) / self.console.width)) for line in plain.split("\n"))

    @property
    def room(self) -> int:
        """Lines that are left below what was written and the prompt."""
        return self.console.height - self.used - _FOOT

    def overwrite(self, text: str) -> None:
        """A line in place of the one before it, where a terminal can do that; nothing takes it away."""
        if self.wipes:
            text = "".join(map(_visible, text))[: self.console.width - 1]
            self._write("\r\x1b[K" + (ascii.plain(text) if self.plain else text))

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
        self.used = 0

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
        """What the block writes, page by page on a terminal; `turn` waits for a key."""
        if not self.wipes:
            yield
            return
        with self.console.capture() as captured:
            yield
        lines = captured.get().removesuffix("\n").split("\n")
        room = max(5, self.console.height - _FOOT)
        while len(lines) > room:
            self._write("\n".join(lines[:room]) + "\n")
            turn()
            self.wipe()
            lines = lines[room:]
        self._write("\n".join(lines) + "\n")
        self.used = len(lines)

    def _write(self, text: str) -> None:
        self.console.file.write(text)
        self.console.file.flush()

    def board(self, position: Position, below: int = 2, flipped: bool = False) -> None:
        """Picture and summary; on a terminal the largest picture that leaves so many lines below it, else set apart."""
        sizes = position.game.pictures(position.state, position.seat, position.last, flipped)
        if not self.live:
            self.write(Text("\n").append_text(sizes[0]).append("\n"))
        else:
            taken = below + (self.lines_of(position.summary) if position.summary else 0)
            picture = self.fitting(sizes, self.room - taken)
            self.write(picture)
            wide = max(map(len, picture.plain.split("\n")))
            if wide > self.console.width:
                self.wrong(f"this picture is {wide} columns wide, the window {self.console.width}: make it wider")
        if position.summary:
            self.say(position.summary)

    def columns(self, texts: Iterable[str]) -> Text:
        """Short texts side by side, in the width of the screen."""
        from rich.columns import Columns

        page = Console(file=io.StringIO(), width=self.console.width, color_system=None)
        page.print(Columns([Text(text, overflow="fold") for text in texts], padding=(0, 2), equal=True))
        return Text("\n".join(line.rstrip() for line in page.file.getvalue().splitlines()))  # type: ignore[attr-defined]

    def fitting(self, sizes: Sequence[Text], lines: int) -> Text:
        """The largest picture that leaves room for the menu of the prompt, else that fits, else the smallest."""
        for room in (lines - _MENU, lines):
            for picture in sizes:
                rows = picture.plain.split("\n")
                if len(rows) <= room and max(map(len, rows)) <= self.console.width:
                    return picture
        return sizes[-1]

    def table(self, headers: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Rows under headers; numbers stand on the right."""
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for i, header in enumerate(headers):
            numeric = bool(rows) and all(isinstance(row[i], (int, float)) or _number_like(row[i]) for row in rows)
            table.add_column(_text(header), justify="right" if numeric else "left", overflow="fold")
        for row in rows:
            table.add_row(*(_text(_cell(item)) for item in row))
        self.console.print(table)


def _text(text: str, style: str = "") -> Text:
    """A text as it is: no markup of rich's, nothing that a terminal would obey."""
    return Text("".join(map(_visible, text)), style)


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
