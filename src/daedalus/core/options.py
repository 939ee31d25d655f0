"""Options of games and of agents: one system that describes them, reads what a user types and writes it back.

What an option takes is told by one of the classes here, or by any other with their methods: a game's in its `OPTIONS`, an
agent's in its `setting(...)` fields. Options that nobody describes are taken as their defaults suggest. `options_of` lists
them all, for tables, for forms, for engine dialects.
"""

import ast
import dataclasses
import inspect
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from .errors import InvalidOption, valid
from .printable import printable

MOST = 10**15  # a whole number that kernels can count to


@dataclass(frozen=True)
class OptionType:
    """What an option takes and means. This one is any text; others override what differs."""

    help: str

    type = "text"  # or whole, number, switch, choice

    @property
    def choices(self) -> tuple[str, ...]:
        """The texts that are taken, if only a few are."""
        return ()

    @property
    def low(self) -> float | None:
        """The least number that is taken."""
        return None

    @property
    def high(self) -> float | None:
        """The largest."""
        return None

    def read(self, name: str, value: Any) -> Any:
        """The value that a text, or a value, means; raises InvalidOption with what is taken instead."""
        return str(value)

    def write(self, value: Any) -> str:
        """A value as a user would write it."""
        return str(value)

    def takes(self) -> str:
        """What may be written, in a few words: `5|7|9`, `0..1`, `yes|no`."""
        return "|".join(self.choices) or self.type


@dataclass(frozen=True)
class Number(OptionType):
    """A whole number in a range."""

    low: float | None = None
    high: float | None = None

    type = "whole"

    def read(self, name: str, value: Any) -> Any:
        number = _whole(name, value)
        if abs(number) > MOST:
            raise refusal(name, value, f"at most {MOST:g}")
        self._demand_within(name, value, number)
        return number

    def _demand_within(self, name: str, given: Any, number: float) -> None:
        if (self.low is None or number >= self.low) and (self.high is None or number <= self.high):
            return
        low, high = (None if bound is None else f"{bound:g}" for bound in (self.low, self.high))
        raise refusal(name, given, f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}")

    def write(self, value: Any) -> str:
        return str(int(value))

    def takes(self) -> str:
        if self.low is None or self.high is None:
            return "whole number" if self.type == "whole" else self.type
        return f"{self.low}..{self.high}"


@dataclass(frozen=True)
class Real(Number):
    """Any number in a range."""

    type = "number"

    def read(self, name: str, value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise refusal(name, value, "a number") from None
        if not math.isfinite(number):
            raise refusal(name, value, "a number")
        self._demand_within(name, value, number)
        return number

    def write(self, value: Any) -> str:
        return str(float(value))


@dataclass(frozen=True)
class Choice(OptionType):
    """One of a few numbers, kept as itself."""

    values: tuple[int, ...]

    type = "choice"

    @property
    def choices(self) -> tuple[str, ...]:
        return tuple(map(str, self.values))

    def read(self, name: str, value: Any) -> int:
        number = _whole(name, value)
        if number not in self.values:
            raise refusal(name, value, self.takes())
        return number


@dataclass(frozen=True)
class Text(OptionType):
    """A text, kept as itself: one of a few, if there are `choices`."""

    choices: tuple[str, ...] = ()

    @property
    def type(self) -> str:  # type: ignore[override]
        return "choice" if self.choices else "text"

    def read(self, name: str, value: Any) -> Any:
        if not self.choices or value in self.choices:
            return str(value)
        near = get_close_matches(value[:80], self.choices, n=1) if isinstance(value, str) else []
        raise refusal(name, value, self.takes() + (f"; did you mean '{near[0]}'?" if near else ""))


@dataclass(frozen=True)
class Word(Text):
    """One of a few words, kept as its place in the list, since kernels read numbers only."""

    def read(self, name: str, value: Any) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(self.choices):
            return value
        return self.choices.index(super().read(name, value))

    def write(self, value: Any) -> str:
        return self.choices[int(value)]


@dataclass(frozen=True)
class Switch(OptionType):
    """Yes or no."""

    type = "switch"

    def read(self, name: str, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        word = value.lower() if isinstance(value, str) else str(value) if isinstance(value, int) and value in (0, 1) else ""
        if word not in _YES | _NO:
            raise refusal(name, value, self.takes())
        return word in _YES

    def write(self, value: Any) -> str:
        return "yes" if value else "no"

    def takes(self) -> str:
        return "yes|no"


_YES, _NO = {"1", "yes", "true", "on"}, {"0", "no", "false", "off"}


@dataclass(frozen=True)
class Keyword(OptionType):
    """A keyword of a user's constructor, which nobody describes: a number, True, False or None as Python writes them, or text."""

    type: str

    def read(self, name: str, value: Any) -> Any:
        try:
            return ast.literal_eval(value) if isinstance(value, str) else value
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return value


def _whole(name: str, value: Any) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        raise refusal(name, value, "a whole number") from None
    if isinstance(value, float) and value != number:
        raise refusal(name, value, "a whole number")
    return number


def refusal(name: str, value: Any, takes: str) -> InvalidOption:
    """The error for a value that an option does not take."""
    return InvalidOption(f"{shown(name, value)}: takes {takes}")


def shown(name: str, value: Any) -> str:
    """`size=7`, for a message about it; of a long value its beginning."""
    try:
        return f"{name}={printable(str(value), 80)}"
    except (ValueError, RecursionError):  # a number of thousands of digits, lists within lists
        return f"{name}=..."


def setting(
    default: Any,
    help: str,
    kind: type = str,
    choices: tuple[str, ...] = (),
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """An option of an agent's spec, as a dataclass field: `c: float = setting(1.0, "exploration", float, low=0)`."""
    if kind in (int, float):
        about: OptionType = (Number if kind is int else Real)(help, low, high)
    else:
        about = Switch(help) if kind is bool else Text(help, choices)
    return field(default=default, metadata={"option": about})


@dataclass(frozen=True)
class Option:
    """One option of a game or an agent: its name, its default and what it takes.

    type      `whole`, `number`, `switch`, `choice` (one of `choices`) or `text`
    default   a value; None: it depends, see `help`
    takes     what may be written, in a few words: `5|7|9`, `0..1`, `yes|no`
    """

    name: str
    type: str
    default: Any
    choices: tuple[str, ...]
    low: float | None
    high: float | None
    help: str
    takes: str
    _described: OptionType = field(repr=False, compare=False)

    @classmethod
    def of(cls, name: str, default: Any, about: OptionType) -> "Option":
        return cls(name, about.type, default, about.choices, about.low, about.high, about.help, about.takes(), about)

    @property
    def default_text(self) -> str | None:
        """The default as a user would write it; None if it depends."""
        return None if self.default is None else self._described.write(self.default)

    def read(self, value: Any) -> Any:
        """The value that a text, or a value, means; raises InvalidOption with what is taken instead."""
        return self._described.read(self.name, value)


def options_of(thing: Any) -> tuple[Option, ...]:
    """The options of a class of games or agents, with their defaults; of a game or an agent itself, with its own values."""
    owner = thing if isinstance(thing, type) else type(thing)
    found = _described(owner)
    if owner is thing:
        return tuple(found)
    return tuple(dataclasses.replace(option, default=getattr(thing, option.name, option.default)) for option in found)


def _described(owner: Any) -> Iterable[Option]:
    if hasattr(owner, "_field_defaults"):  # a game
        described = getattr(owner, "OPTIONS", {})
        ordered = (*described, *(name for name in owner._fields if name not in described and not name.endswith("_")))
        defaults = owner._field_defaults
        return [Option.of(name, defaults[name], described.get(name) or _suggested(defaults[name])) for name in ordered]
    if dataclasses.is_dataclass(owner):
        settings = [setting for setting in dataclasses.fields(owner) if "option" in setting.metadata]
        if settings:
            return [Option.of(setting.name, setting.default, setting.metadata["option"]) for setting in settings]
    return _keywords(owner)


def _suggested(default: Any) -> OptionType:
    """What an option takes that its game does not describe."""
    if isinstance(default, bool):
        return Switch("")
    return Real("") if isinstance(default, float) else Number("", -(2**31), 2**31)


def _keywords(owner: type) -> Iterable[Option]:
    """The keywords that a class is made with."""
    parameters = inspect.signature(owner).parameters.values() if owner.__init__ is not object.__init__ else ()  # type: ignore[misc]
    for parameter in parameters:
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            default = None if parameter.default is parameter.empty else parameter.default
            kind = "switch" if isinstance(default, bool) else "number" if isinstance(default, (int, float)) else "text"
            yield Option.of(parameter.name, default, Keyword("", kind))


def read_options(known: Iterable[Option], given: Mapping[str, Any], of: str = "") -> dict[str, Any]:
    """Values by name from what was given, each read by its description; `of` names the agent in messages."""
    by_name = {option.name: option for option in known}
    for name in given:
        if name not in by_name:
            raise InvalidOption(valid(f"option of {of}" if of else "option", name, by_name))
    try:
        return {name: by_name[name].read(value) for name, value in given.items()}
    except InvalidOption as error:
        raise InvalidOption(f"{of}: {error}") if of else error from None


def make(rules: Any, given: Mapping[str, Any]) -> Any:
    """A game of class `rules` with the given options."""
    game = rules(**read_options(options_of(rules), given))
    agree = getattr(rules, "agree", None)  # options that must fit together
    if agree is not None:
        agree(game)
    return game


def written(thing: Any, separator: str = " ") -> str:
    """The options of a game that differ from the defaults, as `size=7 hole=pass`; an agent's too, joined as a spec has them."""
    pairs = zip(options_of(thing), options_of(type(thing)), strict=True)
    return separator.join(f"{own.name}={own.default_text}" for own, usual in pairs if own.default != usual.default)


def parsed(text: str, separator: str | None = None) -> dict[str, str]:
    """`size=7 hole=pass` as a dictionary; the reverse of `written`."""
    pairs: dict[str, str] = {}
    for word in filter(None, (part.strip() for part in text.split(separator))):
        name, equals, value = word.partition("=")
        if not (name and equals):
            raise InvalidOption(f"option '{printable(word, 80)}': write it as name=value")
        pairs[name] = value
    return pairs
