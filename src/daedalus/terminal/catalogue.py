"""What there is: the games with their options, the agents with theirs."""

from typing import Any

from daedalus.core.options import options_of
from daedalus.core.registry import find, game_names

from .screen import Screen


def games(screen: Screen, as_json: bool) -> None:
    """Every game that comes with Daedalus."""
    entries = [_game(name) for name in game_names()]
    if as_json:
        screen.data(entries)
        return
    rows: list[list[str]] = []
    for entry in entries:
        rows.append([entry["name"], entry["about"], "", ""])
        rows += [
            ["", option["help"], f"-o {option['name']}={option['takes']}", option["default"]] for option in entry["options"]
        ]
    screen.table(["game", "what it is", "options", "default"], rows)


def _game(name: str) -> dict[str, Any]:
    kind = find(name)
    default = kind.rules()
    options = [
        {"name": key, "takes": option.takes(), "default": option.write(getattr(default, key)), "help": option.help}
        for key, option in options_of(kind.rules).items()
    ]
    return {"name": name, "about": kind.headline, "options": options}


def agents(screen: Screen, game: str | None, as_json: bool) -> None:
    """Every agent that can be named, for one game or for all."""
    from daedalus.agents import describe

    entries = [
        {
            "name": info.name,
            "help": info.help,
            "options": [dict(zip(("name", "takes", "default", "help"), option, strict=True)) for option in info.options],
        }
        for info in describe(game)
    ]
    if as_json:
        screen.data(entries)
        return
    rows: list[list[str]] = []
    for entry in entries:
        rows.append([str(entry["name"]), str(entry["help"]), "", ""])
        rows += [["", option["help"], f"{option['name']}={option['takes']}", option["default"]] for option in entry["options"]]  # type: ignore[index]
    screen.table(["agent", "what it does", "options", "default"], rows)
    screen.say("Write a spec as name:option=value,option=value; path/to/file.py:Class is an agent of your own.")
