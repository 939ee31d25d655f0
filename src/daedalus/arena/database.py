"""The database behind the store: its tables, and opening it on SQLite or PostgreSQL, to write or only to read."""

import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.pool import StaticPool

from daedalus.core import InvalidOption

from .rows import default_database

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

# Apart from `runs`, so that what lists or exports those cannot tell it, and so that stores made before it can be read.
SECRETS = sa.Table(
    "secrets",
    _metadata,
    sa.Column("run", sa.ForeignKey(RUNS.c.id, ondelete="CASCADE"), primary_key=True),
    sa.Column("secret", sa.String, nullable=False),  # what the seeds of the run derive from, in hexadecimal digits
)


def url_of(db: str | os.PathLike[str] | None) -> URL:
    """The address of a store, given as a file or a URL."""
    place = os.fspath(default_database() if db is None else db)
    if "\0" in place:
        raise InvalidOption("the name of a store cannot hold a zero character")
    if "://" not in place:
        return URL.create("sqlite", database=place)
    try:
        url = make_url(place)
    except (sa.exc.ArgumentError, ValueError):
        raise InvalidOption(f"cannot read the address {place[:200]}; write postgresql://user@host/database") from None
    kind = url.drivername.split("+")[0]
    if kind not in ("postgresql", "postgres", "sqlite"):
        raise InvalidOption(f"the store can be SQLite or PostgreSQL, not {kind}; write postgresql://user@host/database")
    return url if kind == "sqlite" else url.set(drivername="postgresql+psycopg")


def file_of(url: URL) -> Path | None:
    """The file of a SQLite store; None for one in memory or on a server."""
    if not url.drivername.startswith("sqlite") or url.database in (None, "", ":memory:"):
        return None
    return Path(str(url.database))


def open_to_write(url: URL, tables: Sequence[sa.Table] | None = None) -> Engine:
    """An engine whose tables (those of the arena unless others are named) are there. A new file is its owner's alone: it holds what deals the cards."""
    file = file_of(url)
    if url.drivername.startswith("postgresql"):
        engine = _postgresql(url)
    elif file is None:
        # one connection for all threads: each would be another database
        engine = sa.create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        engine = sa.create_engine(url, connect_args={"timeout": _BUSY})
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _set_up)
    _make_tables(engine, (RUNS, GAMES, SECRETS) if tables is None else tables)
    return engine


def open_to_read(url: URL) -> Engine:
    """An engine that changes nothing: no table, no file beside the store, whoever may write there."""
    file = file_of(url)
    if file is None:
        return open_to_write(url) if url.drivername.startswith("sqlite") else _postgresql(url)
    if _writable(file) and _writable(file.parent):
        engine = sa.create_engine(url, connect_args={"timeout": _BUSY})
        sa.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA query_only = ON"))
        return engine
    # SQLite shares a store with its writers through files beside it, which it cannot make here; without them there are
    # no writers either
    how = {"mode": "ro"} if Path(f"{file}-wal").exists() else {"immutable": "1"}
    read_only = URL.create("sqlite", database=f"file:{quote(str(file.absolute()))}", query={**how, "uri": "true"})
    return sa.create_engine(read_only, connect_args={"timeout": _BUSY})


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _postgresql(url: URL) -> Engine:
    try:
        return sa.create_engine(url)
    except ModuleNotFoundError:
        raise ImportError("PostgreSQL needs psycopg: pip install 'daedalus[postgres]'") from None


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


def _make_tables(engine: Engine, tables: Sequence[sa.Table]) -> None:
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_DDL_LOCK)))
        for table in tables:
            connection.execute(sa.schema.CreateTable(table, if_not_exists=True))
