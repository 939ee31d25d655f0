"""Tables in a database: a table and each of its moves, committed before anybody is told of them."""

import contextlib
import datetime
import json
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs
import sqlalchemy as sa

from daedalus.arena.database import open_to_write, url_of
from daedalus.core import DaedalusError
from daedalus.core.printable import printable

_CHANNEL = "daedalus_tables"  # on which servers of one PostgreSQL store tell each other what changed
_PATIENCE = 1.0  # seconds

_metadata = sa.MetaData()

TABLES = sa.Table(
    "web_tables",
    _metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("seed", sa.String, nullable=False),
    sa.Column("secret", sa.String, nullable=False),  # what the seeds of agents derive from
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("clock", sa.String),
    sa.Column("pace", sa.Float),
    sa.Column("creator", sa.String, nullable=False, index=True),  # hash of a client's id
    sa.Column("ended", sa.JSON(none_as_null=True)),  # how, for lists and for endings off the board
    sa.Column("turn", sa.Integer),  # the seat to move, for lists; none when the game is over
    sa.Column("next", sa.String),  # the rematch
    sa.Column("created", sa.DateTime, nullable=False),
    sa.Column("updated", sa.DateTime, nullable=False),
)

MOVES = sa.Table(
    "web_moves",
    _metadata,
    sa.Column("table", sa.ForeignKey(TABLES.c.id, ondelete="CASCADE"), primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True),  # so that no move is taken twice, whoever writes
    sa.Column("move", sa.String, nullable=False),
    sa.Column("value", sa.Float),  # for seat 0, where an agent thought so
    sa.Column("clocks", sa.JSON(none_as_null=True)),
)

# Who holds which seats, to list a client's own games.
HOLDERS = sa.Table(
    "web_holders",
    _metadata,
    sa.Column("client", sa.String, primary_key=True),
    sa.Column("table", sa.ForeignKey(TABLES.c.id, ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
)


class Taken(DaedalusError):
    """Another server was quicker with this ply."""


class StoreFailed(DaedalusError):
    """The database cannot be read or written; nothing has been changed."""


@dataclass
class SavedMove:
    """A move as it is kept."""

    text: str
    value: float | None = None
    clocks: list[float] | None = None


@dataclass
class SavedTable:
    """A table as it is kept; `seats` are dictionaries with who, spec and the token's hash."""

    id: str
    game: str
    options: dict[str, str]
    seed: int
    secret: bytes
    seats: list[dict[str, Any]]
    clock: str | None
    pace: float | None
    creator: str
    ended: dict[str, Any] | None = None
    next: str | None = None
    moves: list[SavedMove] = field(default_factory=list)
    holders: dict[int, set[str]] = field(default_factory=dict)
    turn: int | None = None


@dataclass
class Listed:
    """What a list of games tells about a table."""

    id: str
    game: str
    options: dict[str, str]
    seats: list[dict[str, Any]]
    ended: dict[str, Any] | None
    turn: int | None
    ply: int
    updated: datetime.datetime
    holders: dict[int, set[str]] = field(default_factory=dict)


def default_store() -> Path:
    """Where the user's tables are."""
    return Path(platformdirs.user_data_dir("daedalus", appauthor=False)) / "web.sqlite"


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


class TableStore:
    """An open database of tables. Its methods wait for the disk: call them from a thread."""

    def __init__(self, db: str | os.PathLike[str] | None = None) -> None:
        place = default_store() if db is None else db
        self._closed = False
        try:
            self._engine = open_to_write(url_of(place), (TABLES, MOVES, HOLDERS))
            self._shared = self._engine.dialect.name == "postgresql"
            self._name = secrets.token_hex(8)  # by which we know our own notices
        except DaedalusError:
            raise
        except (sa.exc.SQLAlchemyError, OSError) as error:
            reason = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
            raise DaedalusError(f"cannot open the store {place}: {reason}") from None

    def close(self) -> None:
        self._closed = True
        self._engine.dispose()

    def listen(self, changed: Callable[[str | None], None]) -> None:
        """Calls `changed` with the ids of tables that other servers changed, None if notices may have been missed.

        It is called from a thread. Where a store is a file, one server has it, and nothing is ever heard.
        """
        if self._shared:
            threading.Thread(target=self._listen, args=(changed,), daemon=True, name="notices").start()

    def _listen(self, changed: Callable[[str | None], None]) -> None:
        import psycopg

        address = self._engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._closed:
            try:
                with psycopg.connect(address, autocommit=True) as connection:
                    connection.execute(f"LISTEN {_CHANNEL}")
                    changed(None)
                    while not self._closed:
                        for notice in connection.notifies(timeout=_PATIENCE):
                            sender, _, identity = notice.payload.partition(" ")
                            if sender != self._name:
                                changed(identity)
            except psycopg.Error:
                time.sleep(_PATIENCE)

    def _notify(self, connection: sa.Connection, identity: str) -> None:
        """Tells other servers, when this is committed, that a table has changed."""
        if self._shared:
            connection.execute(sa.select(sa.func.pg_notify(_CHANNEL, f"{self._name} {identity}")))

    @contextlib.contextmanager
    def _connected(self, write: bool = False) -> Iterator[sa.Connection]:
        """A connection, its changes committed together or not at all."""
        try:
            with self._engine.begin() if write else self._engine.connect() as connection:
                yield connection
        except sa.exc.IntegrityError:
            raise
        except (sa.exc.SQLAlchemyError, OSError) as error:
            reason = printable(str(getattr(error, "orig", None) or error), 200)
            raise StoreFailed(f"the store of games fails, nothing has been changed: {reason}") from error

    def add(self, table: SavedTable) -> None:
        """A new table."""
        now = _now()
        values = {
            "id": table.id,
            "game": table.game,
            "options": table.options,
            "seed": str(table.seed),
            "secret": table.secret.hex(),
            "seats": table.seats,
            "clock": table.clock,
            "pace": table.pace,
            "creator": table.creator,
            "turn": table.turn,
            "created": now,
            "updated": now,
        }
        with self._connected(write=True) as connection:
            connection.execute(sa.insert(TABLES).values(values))
            for seat, clients in table.holders.items():
                for client in clients:
                    connection.execute(sa.insert(HOLDERS).values(client=client, table=table.id, seat=seat))

    def load(self, identity: str) -> SavedTable | None:
        """A table with its moves, None if there is none."""
        with self._connected() as connection:
            row = connection.execute(sa.select(TABLES).where(TABLES.c.id == identity)).mappings().first()
            if row is None:
                return None
            moves = connection.execute(sa.select(MOVES).where(MOVES.c.table == identity).order_by(MOVES.c.ply)).mappings()
            kept = [SavedMove(move["move"], move["value"], move["clocks"]) for move in moves]
            held = connection.execute(sa.select(HOLDERS).where(HOLDERS.c.table == identity)).mappings()
            holders: dict[int, set[str]] = {}
            for holder in held:
                holders.setdefault(holder["seat"], set()).add(holder["client"])
            return _read(row, kept, holders)

    def add_moves(
        self, identity: str, ply: int, moves: Sequence[SavedMove], ended: Mapping[str, Any] | None, turn: int | None
    ) -> None:
        """More moves, all of them or none; Taken if this ply has one already."""
        rows = [
            {"table": identity, "ply": ply + place, "move": move.text, "value": move.value, "clocks": move.clocks}
            for place, move in enumerate(moves)
        ]
        try:
            with self._connected(write=True) as connection:
                connection.execute(sa.insert(MOVES), rows)
                self._touch(connection, identity, ended, turn)
        except sa.exc.IntegrityError:
            raise Taken(f"move {ply} has been made already") from None

    def take_back(self, identity: str, ply: int, turn: int | None) -> None:
        """The moves from this ply on are gone, and so is the end."""
        with self._connected(write=True) as connection:
            connection.execute(sa.delete(MOVES).where(MOVES.c.table == identity, MOVES.c.ply >= ply))
            self._touch(connection, identity, None, turn)

    def end(self, identity: str, ended: Mapping[str, Any] | None) -> None:
        """How a game ended off the board."""
        with self._connected(write=True) as connection:
            self._touch(connection, identity, ended, None)

    def hold(self, identity: str, seat: int, client: str) -> None:
        """A client holds a seat from now on."""
        with self._connected(write=True) as connection:
            values = {"client": client, "table": identity, "seat": seat}
            held = sa.select(HOLDERS.c.seat).where(*(HOLDERS.c[name] == value for name, value in values.items()))
            if connection.execute(held).first() is None:
                connection.execute(sa.insert(HOLDERS).values(values))
                self._notify(connection, identity)

    def follow(self, identity: str, following: str) -> None:
        """The rematch of a table."""
        with self._connected(write=True) as connection:
            connection.execute(sa.update(TABLES).where(TABLES.c.id == identity).values(next=following))
            self._notify(connection, identity)

    def running(self, creator: str | None = None) -> int:
        """How many games run, of one client or of all."""
        query = sa.select(sa.func.count()).select_from(TABLES).where(TABLES.c.ended.is_(None))
        if creator is not None:
            query = query.where(TABLES.c.creator == creator)
        with self._connected() as connection:
            return int(connection.execute(query).scalar_one())

    def tables_of(self, client: str, most: int) -> list[Listed]:
        """The tables where a client holds a seat or that it made, the latest first."""
        mine = sa.select(HOLDERS.c.table).where(HOLDERS.c.client == client)
        plies = sa.select(sa.func.count()).where(MOVES.c.table == TABLES.c.id).scalar_subquery()
        names = ("id", "game", "options", "seats", "ended", "turn", "updated")
        query = sa.select(*(TABLES.c[name] for name in names), plies.label("ply"))
        query = query.where(sa.or_(TABLES.c.id.in_(mine), TABLES.c.creator == client))
        with self._connected() as connection:
            rows = connection.execute(query.order_by(TABLES.c.updated.desc()).limit(most)).mappings()
            found = {row["id"]: Listed(**row) for row in rows}
            for holder in connection.execute(sa.select(HOLDERS).where(HOLDERS.c.table.in_(found))).mappings():
                found[holder["table"]].holders.setdefault(holder["seat"], set()).add(holder["client"])
        return list(found.values())

    def _touch(self, connection: sa.Connection, identity: str, ended: Mapping[str, Any] | None, turn: int | None) -> None:
        values = {"updated": _now(), "ended": None if ended is None else json.loads(json.dumps(ended)), "turn": turn}
        connection.execute(sa.update(TABLES).where(TABLES.c.id == identity).values(values))
        self._notify(connection, identity)


def _read(row: Mapping[Any, Any], moves: Sequence[SavedMove], holders: dict[int, set[str]]) -> SavedTable:
    return SavedTable(
        id=row["id"],
        game=row["game"],
        options=dict(row["options"]),
        seed=int(row["seed"]),
        secret=bytes.fromhex(row["secret"]),
        seats=list(row["seats"]),
        clock=row["clock"],
        pace=row["pace"],
        creator=row["creator"],
        ended=row["ended"],
        next=row["next"],
        moves=list(moves),
        holders=holders,
        turn=row["turn"],
    )
