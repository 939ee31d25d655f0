"""The little Markdown of guides on a screen: paragraphs, lists, **bold** and `code`, folded to a width."""

import re

from rich.console import Console
from rich.text import Text

_MARK = re.compile(r"\*\*(.+?)\*\*|`(.+?)`")


def folded(text: str, width: int) -> Text:
    """A guide's text for a terminal; the lines of a list's entry hang together."""
    console = Console(width=width)
    lines: list[Text] = []
    for line in text.split("\n"):
        entry = line.startswith("- ")
        parts = styled(line[2:] if entry else line).wrap(console, max(width - 2 * entry, 10)) or [Text()]
        for place, part in enumerate(parts):
            part.rstrip()
            lines.append(Text("  " if place else "- ").append_text(part) if entry else part)
    return Text("\n").join(lines)


def styled(line: str) -> Text:
    """**Bold** and `code` in style, their marks taken away."""
    shown, done = Text(), 0
    for found in _MARK.finditer(line):
        shown.append(line[done : found.start()])
        shown.append(found[1] or found[2], "bold" if found[1] else "bold cyan")
        done = found.end()
    return shown.append(line[done:])
