"""Where a player's lines come from: a prompt with completion on a terminal, plain lines from a pipe."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


class TimeUp(Exception):
    """The one who was asked has no time left."""


@dataclass(frozen=True)
class Question:
    """What is asked, which words answer it (with their meaning), which commands are followed by a file name, and whom.

    What one person has typed is not offered to another. Below the prompt there are `room` lines for a menu. Where a clock
    runs, `clock` tells what it shows, None when it has run out.
    """

    prompt: str
    words: Mapping[str, str] = field(default_factory=dict)
    files: frozenset[str] = frozenset()
    hint: str = ""
    whom: str = ""
    room: int = field(default=0, compare=False)
    clock: Callable[[], str | None] | None = field(default=None, compare=False)


# Returns the line without its end; raises EOFError when there are no more, TimeUp when the clock has run out.
Ask = Callable[[Question], str]


def piped(question: Question) -> str:
    """A line of standard input; it is echoed, so that the output reads like a played game."""
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    line = line.rstrip("\r\n")
    print(question.prompt + line.encode(sys.stdout.encoding, "replace").decode(sys.stdout.encoding), flush=True)
    if question.clock is not None and question.clock() is None:
        raise TimeUp
    return line


def best_entry() -> Ask:
    """The prompt with completion when a person sits at both ends, else plain lines."""
    if at_terminal():
        from .prompt import Prompt  # prompt_toolkit takes a while to load

        return Prompt()
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")  # a stray byte is a wrong line, not the end of the game
    return piped


def at_terminal() -> bool:
    """Does a person read and type here?"""
    return sys.stdin.isatty() and sys.stdout.isatty()
