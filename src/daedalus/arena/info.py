"""What is known of a run without its games, and where runs are kept; needs no database library."""

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs


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
