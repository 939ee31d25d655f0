"""Runs in the store: listing, reading back, taking out, deleting."""

import csv
import importlib.util
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from daedalus.core.files import replacing

from .plan import sprt_of
from .results import MatchResult, TournamentResult, result_of
from .rows import RunInfo, check_settings, default_database
from .run import Scoreboard
from .saving import folder_name

if TYPE_CHECKING:
    from .store import Store

Database = str | os.PathLike[str] | None
Result = MatchResult | TournamentResult


def _opened(db: Database, read_only: bool = True) -> "Store":
    from .store import Store  # not before somebody wants it: loading the database library takes a while

    return Store.existing(db, read_only)


def list_runs(db: Database = None) -> list[RunInfo]:
    """All runs of a store, the oldest first; none where nothing has been played yet."""
    if db is None and not default_database().exists():
        return []
    with _opened(db) as store:
        return store.runs()


def load_run(name: str, db: Database = None) -> Result:
    """A run with the games finished so far, as `match` or `tournament` returned it or would."""
    with _opened(db) as store:
        run = store.run(name)
        check_settings(run)
        scoreboard = Scoreboard(run.total, sprt_of(run.settings["sprt"]))
        for result in store.results(run):
            scoreboard.add(result)
        return result_of(run.name, run.settings, scoreboard.results)


def delete_run(name: str, db: Database = None) -> None:
    """Removes a run with all its games."""
    with _opened(db, read_only=False) as store:
        store.delete(name)


def export_run(name: str, folder: str | os.PathLike[str] | None = None, db: Database = None) -> list[Path]:
    """Writes a run to files in a folder, by default one of the run's name here, and returns their paths.

    records.txt    the games, replayable
    games.csv      a row a seat of a game, as `rows()` gives them
    games.jsonl    the same as JSON, one object a line
    games.parquet  the same once more, where pyarrow is installed
    run.json       the settings
    """
    run = load_run(name, db)
    folder = folder_name(name) if folder is None else folder
    written = {"records.txt": _records, "games.csv": _csv, "games.jsonl": _json_lines, "run.json": _settings}
    if importlib.util.find_spec("pyarrow"):
        written["games.parquet"] = _parquet
    return [_write(Path(folder) / file, run, write) for file, write in written.items()]


def _write(path: Path, run: Result, write: Callable[[Path, Result], None]) -> Path:
    with replacing(path) as partial:
        write(partial, run)
        partial.chmod(0o644)
    return path


def _records(path: Path, run: Result) -> None:
    path.write_text("\n".join(result.record for result in run.results), encoding="utf-8")


def _csv(path: Path, run: Result) -> None:
    rows = run.rows()
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]) if rows else [])
        table.writeheader()
        table.writerows(rows)


def _json_lines(path: Path, run: Result) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in run.rows()), encoding="utf-8")


def _settings(path: Path, run: Result) -> None:
    path.write_text(json.dumps({"name": run.name, **run.settings}, indent=2) + "\n", encoding="utf-8")


def _parquet(path: Path, run: Result) -> None:
    table = importlib.import_module("pyarrow").Table.from_pylist(run.rows())
    importlib.import_module("pyarrow.parquet").write_table(table, path)
