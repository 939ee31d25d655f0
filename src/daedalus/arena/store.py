"""The store: runs and their games in a database, each game committed as it ends.

SQLite by default, one file that several processes may write at once; PostgreSQL by URL. Nothing else is kept of a run
while it plays, so one that was killed continues from what stands here.
"""

import contextlib
import datetime
import os
import platform
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.pool import StaticPool

from daedalus.core import DaedalusError, InvalidOption

from .games import GameResult
from .info import RunInfo, default_database
from .rows import clean_settings, read_game, read_run

_BUSY = 60.0  # seconds to wait while others write
_DDL_LOCK = 0x0DAEDA1  # PostgreSQL: one process at a time makes the tables

_metadata = sa.MetaData()

RUNS = sa.Table(
    "runs",
    _metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String, nullable=False, unique=True),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("version", sa.String, nullable=False),
    sa.Column("machine", sa.String, nullable=False),
    sa.Column("created", sa.DateTime, nullable=False),
    sa.Column("ended", sa.DateTime),  # when the last game was played or the test decided
)

GAMES = sa.Table(
    "games",
    _metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("run", sa.ForeignKey(RUNS.c.id, ondelete="CASCADE"), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("pair", sa.Integer, nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("payoffs", sa.JSON, nullable=False),
    sa.Column("plies", sa.Integer, nullable=False),
    sa.Column("wall", sa.JSON, nullable=False),
    sa.Column("cpu", sa.JSON, nullable=False),
    sa.Column("moves", sa.JSON, nullable=False),
    sa.Column("forfeit", sa.JSON(none_as_null=True)),
    sa.Column("record", sa.Text, nullable=False),
    sa.Column("machine", sa.String, nullable=False),
    sa.Column("finished", sa.DateTime, nullable=False),
    sa.UniqueConstraint("run", "number"),
)


def now() -> datetime.datetime:
    """The time in UTC, as both databases keep it."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


def machine() -> str:
    """This machine, for the record."""
    return f"{platform.node()} ({platform.system()} {platform.machine()}, {os.cpu_count()} cores)"


class Store:
    """An open database; a context manager. `db` is a file, a URL, `:memory:` to keep nothing, None for the user's own."""

    def __init__(self, db: str | os.PathLike[str] | None = None) -> None:
        url = _url(db)
        self.place = str(url.database) if url.drivername == "sqlite" else url.render_as_string(hide_password=True)
        with self._plainly():
            self._engine = _engine(url)
            _make_tables(self._engine)
        # Inserts do nothing where the unique key is taken: another process may have been quicker.
        dialect = postgresql if self._engine.dialect.name == "postgresql" else sqlite
        self._insert_run = dialect.insert(RUNS).on_conflict_do_nothing()
        self._insert_game = dialect.insert(GAMES).on_conflict_do_nothing().returning(GAMES.c.id)

    @classmethod
    def existing(cls, db: str | os.PathLike[str] | None = None) -> "Store":
        """A database to read from: a file that is not there is not made, but refused."""
        url = _url(db)
        if url.drivername == "sqlite" and url.database != ":memory:" and not os.path.exists(str(url.database)):
            raise InvalidOption(f"there is no store {url.database}: no run has been kept there yet")
        return cls(db)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the database."""
        self._engine.dispose()

    @contextlib.contextmanager
    def _plainly(self) -> Iterator[None]:
        """What a database has to say, as one sentence."""
        try:
            yield
        except DaedalusError:
            raise
        except (sa.exc.SQLAlchemyError, OSError, ImportError, ValueError, TypeError, LookupError, RecursionError) as error:
            first = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
            raise DaedalusError(f"the store {self.place}: {first}") from None

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._plainly(), self._engine.begin() as connection:
            yield connection

    # --- runs ---------------------------------------------------------------------------------------------------------

    def begin(self, name: str, settings: dict[str, Any], total: int) -> RunInfo:
        """The run of that name, made if there is none; InvalidOption if it was begun with other settings."""
        from daedalus import __version__

        settings = clean_settings(settings)
        row = {"name": name, "settings": settings, "total": total, "version": __version__}
        with self._transaction() as connection:
            connection.execute(self._insert_run, row | {"machine": machine(), "created": now()})
        run = self.run(name)
        for key in dict.fromkeys([*run.settings, *settings]):
            old, new = run.settings.get(key), settings.get(key)
            if old != new:
                raise InvalidOption(
                    f"run '{name}' was begun with {key} {_shown(old)}, not {_shown(new)}; "
                    "continue it with the same settings, give this one another name, or delete that one"
                )
        return run

    def runs(self) -> list[RunInfo]:
        """All runs, the oldest first."""
        return self._runs(sa.true())

    def run(self, name: str) -> RunInfo:
        """One run; InvalidOption if there is none of that name."""
        found = self._runs(RUNS.c.name == name)
        if not found:
            some = ", ".join(run.name for run in self.runs()[-8:]) or "none"
            raise InvalidOption(f"there is no run '{name}' in {self.place}; the last ones: {some}")
        return found[0]

    def _runs(self, which: sa.ColumnElement[bool]) -> list[RunInfo]:
        done = sa.select(sa.func.count()).where(GAMES.c.run == RUNS.c.id).scalar_subquery()
        chosen = sa.select(RUNS, done.label("done")).where(which).order_by(RUNS.c.created, RUNS.c.id)
        with self._transaction() as connection:
            return [read_run(dict(row)) for row in connection.execute(chosen).mappings()]

    def end(self, run: RunInfo, games: int) -> None:
        """Marks a run as complete with its first `games` games; later ones, of which a test took no notice, go."""
        with self._transaction() as connection:
            connection.execute(GAMES.delete().where(GAMES.c.run == run.id, GAMES.c.number >= games))
            connection.execute(RUNS.update().where(RUNS.c.id == run.id, RUNS.c.ended.is_(None)).values(ended=now()))

    def delete(self, name: str) -> None:
        """Removes a run with its games."""
        run = self.run(name)
        with self._transaction() as connection:
            connection.execute(RUNS.delete().where(RUNS.c.id == run.id))

    # --- games --------------------------------------------------------------------------------------------------------

    def add(self, run: RunInfo, result: GameResult) -> GameResult:
        """Commits a game and returns what stands: if another process was quicker with this number, its game counts."""
        with self._transaction() as connection:
            row = result.row() | {"run": run.id, "machine": machine(), "finished": now()}
            if connection.execute(self._insert_game, row).first():
                return result
        return self._games(run, GAMES.c.number == result.number)[0]

    def results(self, run: RunInfo) -> list[GameResult]:
        """The games of a run in order."""
        return self._games(run, sa.true())

    def _games(self, run: RunInfo, which: sa.ColumnElement[bool]) -> list[GameResult]:
        columns = [GAMES.c[name] for name in GameResult.__dataclass_fields__]
        with self._transaction() as connection:
            chosen = sa.select(*columns).where(GAMES.c.run == run.id, which).order_by(GAMES.c.number)
            return [read_game(dict(row), run) for row in connection.execute(chosen).mappings()]


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "none" if value is None else str(value) or "the default"


# --- opening --------------------------------------------------------------------------------------------------------


def _url(db: str | os.PathLike[str] | None) -> URL:
    place = os.fspath(default_database() if db is None else db)
    if "://" not in place:
        return URL.create("sqlite", database=place)
    try:
        url = make_url(place)
    except sa.exc.ArgumentError:
        raise InvalidOption(f"cannot read the address {place}; write postgresql://user@host/database") from None
    kind = url.drivername.split("+")[0]
    if kind not in ("postgresql", "postgres", "sqlite"):
        raise InvalidOption(f"the store can be SQLite or PostgreSQL, not {kind}; write postgresql://user@host/database")
    return url if kind == "sqlite" else url.set(drivername="postgresql+psycopg")


def _engine(url: URL) -> Engine:
    if url.drivername.startswith("postgresql"):
        try:
            return sa.create_engine(url)
        except ModuleNotFoundError:
            raise ImportError("PostgreSQL needs psycopg: pip install 'daedalus[postgres]'") from None
    if url.database in (None, "", ":memory:"):
        engine = sa.create_engine("sqlite://", poolclass=StaticPool)  # one connection: each would be another database
    else:
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
        engine = sa.create_engine(url, connect_args={"timeout": _BUSY})
    sa.event.listen(engine, "connect", _set_up)
    return engine


def _set_up(connection: Any, _: Any) -> None:
    """WAL: readers and one writer at a time do not stop each other, and a commit survives the death of its process."""
    deadline = time.monotonic() + _BUSY
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break  # where it cannot be had (in memory, on some network drives) it stays as it was
        except sqlite3.OperationalError as error:  # here SQLite does not wait for others by itself
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _make_tables(engine: Engine) -> None:
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_DDL_LOCK)))
        for table in (RUNS, GAMES):
            connection.execute(sa.schema.CreateTable(table, if_not_exists=True))
