"""Text from outside (engines, records, stores, files, other people's errors) made fit for a screen, in one place.

A terminal obeys escape sequences, control characters and the marks that turn the direction of writing, and no file or
database takes half a character. So text is cleaned where it comes in: what cannot be printed is spelled out, as `\\x1b`.
"""

import unicodedata
from collections.abc import Callable
from typing import Any

LINE = 500  # characters of a message
DEEP = 20  # levels of lists and objects within each other


def visible(text: str, most: int | None = None) -> str:
    """The text with every character that cannot be printed spelled out, cut off after `most` characters."""
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else _spelled(letter) for letter in text)
    return text if most is None or len(text) <= most else text[: most - 4] + " ..."


def printable(text: str, most: int = LINE) -> str:
    """The text as one line of at most `most` characters, whatever is in it."""
    return visible(" ".join(text.split()), most)


def _spelled(letter: str) -> str:
    if unicodedata.category(letter) == "Zs":  # a blank of another width
        return " "
    return letter.encode("unicode_escape").decode()


def is_count(word: str) -> bool:
    """Is this a whole number, from 0 and of at most nine digits?"""
    return word.isdecimal() and len(word) <= 9


def printable_error(error: BaseException, most: int = LINE) -> str:
    """What an error says, as one line; nothing where it cannot even say that."""
    try:
        return printable(str(error), most)
    except Exception:  # somebody else's class, whose __str__ fails
        return ""


def visible_lines(text: str) -> str:
    """A text of several lines, all of it visible."""
    return "\n".join(visible(line.expandtabs()) for line in text.splitlines())


def visible_values(value: Any, clean: Callable[[str], str] = visible, deep: int = DEEP) -> Any:
    """A value read from JSON or TOML with all its texts clean; ValueError where it is nested too deeply."""
    if isinstance(value, str):
        return clean(value)
    if not isinstance(value, (dict, list)):
        return value
    if not deep:
        raise ValueError(f"lists and objects are nested more than {DEEP} deep")
    if isinstance(value, list):
        return [visible_values(one, clean, deep - 1) for one in value]
    return {clean(str(name)): visible_values(one, clean, deep - 1) for name, one in value.items()}
