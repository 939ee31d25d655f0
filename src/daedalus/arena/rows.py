"""Runs and games as a store tells them, checked: it may have been edited by hand, or come from a stranger.

Settings and results that pass are of the right shape, their numbers are numbers, their texts can be printed; anything
else is one DaedalusError that names the run and what is wrong.
"""

import datetime
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import platformdirs

from daedalus.core import DaedalusError
from daedalus.core.printable import visible, visible_values

from .games import GameResult

_LONG = 10_000  # characters of a setting: a board may be told tile by tile
_BIG = 2**63  # what a database keeps as a whole number is smaller


@dataclass(frozen=True)
class RunInfo:
    """A run as `list_runs` shows it; `ended` is None while games are missing."""

    id: int
    name: str
    settings: dict[str, Any]
    done: int
    total: int
    version: str
    machine: str
    created: datetime.datetime  # in UTC, as `ended`
    ended: datetime.datetime | None


def default_database() -> Path:
    """Where runs are kept when nobody says."""
    return Path(platformdirs.user_data_dir("daedalus", appauthor=False)) / "arena.sqlite"


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _BIG


def _is_count(value: Any) -> bool:
    return _is_whole(value) and value >= 0


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _BIG and math.isfinite(value)


def _is_used(value: Any) -> bool:
    return _is_number(value) and value >= 0


def _is_share(value: Any) -> bool:
    return _is_number(value) and -1 <= value <= 1


def _is_anchor(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and _is_text(value[0]) and _is_number(value[1])


def _are_specs(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(map(_is_text, value))


def _or_none(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or check(value)


_SETTINGS: dict[str, Callable[[Any], bool]] = {
    "kind": lambda value: value in ("match", "tournament"),
    "game": _is_text,
    "options": _is_text,
    "specs": _are_specs,
    "games": _is_count,
    "seed": _is_whole,
    "limit": _or_none(_is_text),
    "grace": _or_none(_is_used),
    "openings": _or_none(_is_text),
    "random_plies": _or_none(_is_count),
    "sprt": _or_none(_is_text),
    "gauntlet": lambda value: isinstance(value, bool),
    "anchor": _or_none(_is_anchor),
}
_LISTED = ("kind", "game", "options", "specs")  # what is told of every run; the others when it is looked at
_RUN: dict[str, Callable[[Any], bool]] = {
    "id": _is_whole,
    "name": _is_text,
    "settings": lambda value: isinstance(value, dict),
    "done": _is_count,
    "total": _is_count,
    "version": _is_text,
    "machine": _is_text,
    "created": lambda value: isinstance(value, datetime.datetime),
    "ended": _or_none(lambda value: isinstance(value, datetime.datetime)),
}
_GAME: dict[str, Callable[[Any], bool]] = {"number": _is_count, "pair": _is_count, "plies": _is_count, "record": _is_text}
_BY_SEAT: dict[str, Callable[[Any], bool]] = {
    "seats": _is_count,
    "payoffs": _is_share,
    "wall": _is_used,
    "cpu": _is_used,
    "moves": _is_count,
}


def read_run(row: Mapping[str, Any]) -> RunInfo:
    """A run as its row tells it."""
    name = row["name"] if _is_text(row["name"]) else "?"
    _check(_RUN, row, name)
    given = [key for key in _SETTINGS if key in _LISTED or key in row["settings"]]
    _check({key: _SETTINGS[key] for key in given}, row["settings"], name)
    if row["settings"]["kind"] == "match" and len(row["settings"]["specs"]) != 2:
        raise _damaged(name, "a match has two agents")
    anchor = row["settings"].get("anchor")
    if anchor and anchor[0] not in row["settings"]["specs"]:
        raise _damaged(name, "its anchor is none of its agents")
    try:
        settings = clean_settings(row["settings"])
    except ValueError as error:
        raise _damaged(name, str(error)) from None
    texts = {key: visible(row[key], _LONG) for key in ("name", "version", "machine")}
    return RunInfo(**{**row, **texts, "settings": settings})


def check_settings(run: RunInfo) -> None:
    """Raises DaedalusError if a setting is missing that a report needs."""
    _check(_SETTINGS, run.settings, run.name)


def clean_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings as a store keeps and tells them: their texts can be printed."""
    clean: dict[str, Any] = visible_values(settings, partial(visible, most=_LONG))
    return clean


def read_game(row: Mapping[str, Any], run: RunInfo) -> GameResult:
    """A game of a run as its row tells it."""
    where = f"game {row['number']}: " if _is_count(row.get("number")) else ""
    _check(_GAME, row, run.name, where)
    lists: dict[str, Any] = {name: row.get(name) for name in _BY_SEAT}
    seats = len(lists["seats"]) if isinstance(lists["seats"], list) else 0
    for name, is_sound in _BY_SEAT.items():
        if not (isinstance(lists[name], list) and len(lists[name]) == seats and seats >= 1 and all(map(is_sound, lists[name]))):
            raise _damaged(run.name, f"{where}its {name} cannot be")
    if max(lists["seats"]) >= len(run.settings["specs"]):
        raise _damaged(run.name, f"{where}there is no such agent")
    by_seat = {name: tuple(values) for name, values in lists.items()}
    return GameResult(**{**row, **by_seat, "forfeit": _forfeit(row.get("forfeit"), seats, run.name, where)})


def _forfeit(told: Any, seats: int, run: str, where: str) -> tuple[int, str] | None:
    if not told:
        return None
    if not (isinstance(told, list) and len(told) == 2 and _is_count(told[0]) and told[0] < seats and _is_text(told[1])):
        raise _damaged(run, f"{where}its forfeit cannot be")
    return told[0], visible(told[1], _LONG)


def _check(checks: Mapping[str, Callable[[Any], bool]], row: Mapping[str, Any], run: str, where: str = "") -> None:
    for name, is_sound in checks.items():
        if name not in row:
            raise _damaged(run, f"{where}its {name} is missing")
        if not is_sound(row[name]):
            raise _damaged(run, f"{where}its {name} cannot be")


def _damaged(run: str, what: str) -> DaedalusError:
    return DaedalusError(f"run '{visible(run, 80)}' is damaged in the store: {what}")
