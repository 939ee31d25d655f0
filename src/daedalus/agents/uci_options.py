"""Options as the text dialect lists and reads them: those of the engine itself, of the agent and of the game."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from daedalus.core import Agent, InvalidOption
from daedalus.core.options import MOST, options_of
from daedalus.core.printable import printable

EMPTY = "<empty>"  # how the dialect writes a text without letters


@dataclass(frozen=True)
class OptionLine:
    """One option: its type is check, spin (a whole number), combo (one of `choices`) or string."""

    name: str
    kind: str
    default: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        bounds = [f"{word} {_plain(bound)}" for word, bound in (("min", self.low), ("max", self.high)) if bound is not None]
        words = ["option name", self.name, "type", self.kind, "default", self.default or EMPTY, *bounds]
        return " ".join(words + [f"var {choice}" for choice in self.choices])

    def now(self, value: int) -> "OptionLine":
        """The same with the value that holds now."""
        return dataclasses.replace(self, default=str(value))

    def whole(self, text: str) -> int:
        """The number that a text sets; raises InvalidOption."""
        low, high = int(self.low or 0), int(self.high or MOST)
        if not (text.isdecimal() and len(text) <= 16) or not low <= int(text) <= high:
            raise InvalidOption(f"{self.name}={printable(text, 80)}: wants a whole number from {low} to {high}")
        return int(text)


def _plain(bound: float) -> str:
    return str(int(bound)) if bound == int(bound) else repr(bound)


def options_in(prefix: str, thing: Any) -> Iterator[OptionLine]:
    """The options of a game or an agent, `game.size`, `agent.c`, with the values that hold now; 0 or empty is not set."""
    for option in options_of(thing):
        name, value = f"{prefix}.{option.name}", option.default_text
        if option.type == "switch":
            yield OptionLine(name, "check", "true" if option.default else "false")
        elif option.type == "choice":
            yield OptionLine(name, "combo", EMPTY if value is None else value, choices=option.choices)
        elif option.type == "whole":
            low = 0 if _may_be_unset(thing, option.name) else -MOST if option.low is None else option.low
            yield OptionLine(name, "spin", value or "0", low, option.high or MOST)
        else:
            yield OptionLine(name, "string", value or "", option.low, option.high)


def _may_be_unset(thing: Any, name: str) -> bool:
    return any(option.name == name and option.default is None for option in options_of(type(thing)))


def unset(name: str, value: str, agent: Agent) -> bool:
    """Does this value of an agent's option mean none, for an option that need not have one?"""
    return value == EMPTY or (value == "0" and _may_be_unset(agent, name))
