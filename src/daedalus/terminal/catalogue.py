"""What there is: the games with their options, the agents with theirs."""

from collections.abc import Iterable
from typing import Any

from daedalus.core.options import Option, options_of
from daedalus.core.registry import game_names, headline, rules_of

from .screen import Screen

Entry = dict[str, Any]  # name, help, options: each option with name, takes, default, help


def games(screen: Screen, as_json: bool) -> None:
    """Every game that comes with Daedalus."""
    entries = [_game(name) for name in game_names()]
    if as_json:
        screen.data(entries)
    else:
        screen.table(["game", "what it is", "options", "default"], list(_rows(entries, "-o ")))


def agents(screen: Screen, game: str | None, as_json: bool) -> None:
    """Every agent that can be named, for one game or for all."""
    entries = _agents(game)
    if as_json:
        screen.data(entries)
        return
    screen.table(["agent", "what it does", "options", "default"], list(_rows(entries, "")))
    screen.say("Write a spec as name:option=value,option=value; path/to/file.py:Class is an agent of your own.")


def _game(name: str) -> Entry:
    rules = rules_of(name)
    return {"name": name, "help": headline(rules), "options": _options(options_of(rules))}


def _agents(game: str | None) -> list[Entry]:
    from daedalus.agents import describe

    return [{"name": info.name, "help": info.help, "options": _options(info.options)} for info in describe(game)]


def _options(options: Iterable[Option]) -> list[dict[str, str | None]]:
    return [
        {"name": option.name, "takes": option.takes, "default": option.default_text, "help": option.help} for option in options
    ]


def _rows(entries: Iterable[Entry], flag: str) -> Iterable[list[str | None]]:
    """A line for each entry, then one for each of its options."""
    for entry in entries:
        yield [entry["name"], entry["help"], "", ""]
        for option in entry["options"]:
            yield ["", option["help"], f"{flag}{option['name']}={option['takes']}", option["default"]]
