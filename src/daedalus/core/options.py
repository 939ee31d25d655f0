"""Options of games: how the text a user types becomes the number a kernel reads, and back.

Kernels read numbers only, so a choice between words is kept as the word's place in the list.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import InvalidOption, valid
from .printable import printable


@dataclass(frozen=True)
class Choice:
    """One of a few numbers, kept as itself."""

    help: str
    values: tuple[int, ...]

    def read(self, name: str, value: Any) -> int:
        number = _whole(name, value)
        if number not in self.values:
            raise InvalidOption(f"{shown(name, value)}: takes {self.takes()}")
        return number

    def write(self, value: Any) -> str:
        return str(int(value))

    def takes(self) -> str:
        return "|".join(map(str, self.values))


@dataclass(frozen=True)
class Word:
    """One of a few words, kept as its place in the list."""

    help: str
    words: tuple[str, ...]

    def read(self, name: str, value: Any) -> int:
        if isinstance(value, str) and value in self.words:
            return self.words.index(value)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(self.words):
            return value
        raise InvalidOption(f"{shown(name, value)}: takes {self.takes()}")

    def write(self, value: Any) -> str:
        return self.words[int(value)]

    def takes(self) -> str:
        return "|".join(self.words)


@dataclass(frozen=True)
class Number:
    """A whole number in a range."""

    help: str
    low: int
    high: int

    def read(self, name: str, value: Any) -> int:
        number = _whole(name, value)
        if not self.low <= number <= self.high:
            raise InvalidOption(f"{shown(name, value)}: takes {self.takes()}")
        return number

    def write(self, value: Any) -> str:
        return str(int(value))

    def takes(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True)
class Switch:
    """Yes or no."""

    help: str

    def read(self, name: str, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        word = value.lower() if isinstance(value, str) else str(value) if isinstance(value, int) and value in (0, 1) else ""
        if word not in _YES | _NO:
            raise InvalidOption(f"{shown(name, value)}: takes {self.takes()}")
        return word in _YES

    def write(self, value: Any) -> str:
        return "yes" if value else "no"

    def takes(self) -> str:
        return "yes|no"


Option = Choice | Word | Number | Switch
_YES, _NO = {"1", "yes", "true", "on"}, {"0", "no", "false", "off"}


def _whole(name: str, value: Any) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidOption(f"{shown(name, value)}: takes a whole number") from None
    if isinstance(value, float) and value != number:
        raise InvalidOption(f"{shown(name, value)}: takes a whole number")
    return number


def shown(name: str, value: Any) -> str:
    """`size=7`, for a message about it; of a long value its beginning."""
    try:
        return f"{name}={printable(str(value), 80)}"
    except (ValueError, RecursionError):  # a number of thousands of digits, lists within lists
        return f"{name}=..."


def options_of(rules: Any) -> dict[str, Option]:
    """The options of a game class: those it describes, and for the rest what their defaults suggest."""
    described: dict[str, Option] = dict(getattr(rules, "OPTIONS", {}))
    for name, default in rules._field_defaults.items():
        if name not in described and not name.endswith("_"):
            described[name] = Switch("") if isinstance(default, bool) else Number("", -(2**31), 2**31)
    return described


def make(rules: Any, options: Mapping[str, Any]) -> Any:
    """A game of class `rules` with the given options, each read by its description."""
    known = options_of(rules)
    read: dict[str, Any] = {}
    for name, value in options.items():
        if name not in known:
            raise InvalidOption(valid("option", name, known))
        read[name] = known[name].read(name, value)
    game = rules(**read)
    agree = getattr(rules, "agree", None)  # options that must fit together
    if agree is not None:
        agree(game)
    return game


def written(game: Any) -> str:
    """The options of `game` that differ from the defaults, as `size=7 hole=pass`."""
    rules = type(game)
    default = rules()
    return " ".join(
        f"{name}={option.write(getattr(game, name))}"
        for name, option in options_of(rules).items()
        if getattr(game, name) != getattr(default, name)
    )


def parsed(text: str) -> dict[str, str]:
    """`size=7 hole=pass` as a dictionary; the reverse of `written`."""
    pairs: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not (name and equals):
            raise InvalidOption(f"option '{printable(word, 80)}': write it as name=value")
        pairs[name] = value
    return pairs
