"""The store: runs and their games in a database, each game committed as it ends.

SQLite by default, one file that several processes may write at once; PostgreSQL by URL. Nothing else is kept of a run
while it plays, so one that was killed continues from what stands here.
"""

import contextlib
import datetime
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from daedalus.core import DaedalusError, InvalidOption

from .database import GAMES, RUNS, SECRETS, file_of, open_to_read, open_to_write, url_of
from .games import GameResult
from .rows import RunInfo, clean_settings, read_game, read_run

_FACTS = ("deals",)  # settings that follow from others; runs of older stores do not tell them
_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)  # seconds between attempts to reach a server that went away

T = TypeVar("T")


def now() -> datetime.datetime:
    """The time in UTC, as both databases keep it."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


def machine() -> str:
    """This machine, for the record."""
    return f"{platform.node()} ({platform.system()} {platform.machine()}, {os.cpu_count()} cores)"


class Store:
    """An open database; a context manager. `db` is a file, a URL, `:memory:` to keep nothing, None for the user's own."""

    def __init__(self, db: str | os.PathLike[str] | None = None, read_only: bool = False) -> None:
        url = url_of(db)
        self.place = str(url.database) if url.drivername == "sqlite" else url.render_as_string(hide_password=True)
        with self._plainly():
            self._engine = (open_to_read if read_only else open_to_write)(url)
        # Inserts do nothing where the unique key is taken: another process may have been quicker.
        dialect = postgresql if self._engine.dialect.name == "postgresql" else sqlite
        self._insert_run = dialect.insert(RUNS).on_conflict_do_nothing().returning(RUNS.c.id)
        self._insert_game = dialect.insert(GAMES).on_conflict_do_nothing().returning(GAMES.c.id)

    @classmethod
    def existing(cls, db: str | os.PathLike[str] | None = None, read_only: bool = True) -> "Store":
        """A database to read from, or to change: a file that is not there is not made, but refused."""
        file = file_of(url_of(db))
        if file is not None and not os.path.exists(file):
            raise InvalidOption(f"there is no store {file}: no run has been kept there yet")
        return cls(db, read_only)

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
            raise DaedalusError(f"the store {self.place}: {_first_line(error)}") from None  # rows may be damaged

    def _transaction(self, work: Callable[[Connection], T]) -> T:
        """What `work` does, all of it or nothing; done again when the connection is lost, as often as `_PAUSES` says.

        So it must be the same done twice: the first time may have succeeded though nobody was told.
        """
        with self._plainly():
            for attempt, pause in enumerate(_PAUSES, 1):
                try:
                    with self._engine.begin() as connection:
                        return work(connection)
                except sa.exc.DBAPIError as error:
                    if not self._lost(error):
                        raise
                    what = f"daedalus: the store {self.place}: {_first_line(error)}; trying again ({attempt} of {len(_PAUSES)})"
                    print(what, file=sys.stderr)
                    time.sleep(pause)
            with self._engine.begin() as connection:
                return work(connection)

    def _lost(self, error: sa.exc.DBAPIError) -> bool:
        """Did the server go away? It may not be back yet at the next attempt, which fails with another error."""
        broken = isinstance(error, (sa.exc.OperationalError, sa.exc.InterfaceError))
        return error.connection_invalidated or (broken and self._engine.dialect.name == "postgresql")

    # --- runs ---------------------------------------------------------------------------------------------------------

    def begin(self, name: str, settings: dict[str, Any], total: int, secret: bytes) -> RunInfo:
        """The run of that name, made if there is none; InvalidOption if it was begun with other settings."""
        from daedalus import __version__

        settings = clean_settings(settings)
        row = {"name": name, "settings": settings, "total": total, "version": __version__}

        def insert(connection: Connection) -> None:
            made = connection.execute(self._insert_run, row | {"machine": machine(), "created": now()}).first()
            if made:
                connection.execute(SECRETS.insert(), {"run": made.id, "secret": secret.hex()})

        self._transaction(insert)
        run = self.run(name)
        for key in dict.fromkeys([*run.settings, *settings]):
            old, new = run.settings.get(key), settings.get(key)
            if old != new and not (key in _FACTS and old is None):
                raise InvalidOption(
                    f"run '{name}' was begun with {key} {_shown(old)}, not {_shown(new)}; "
                    "continue it with the same settings, give this one another name, or delete that one"
                )
        return run

    def secret(self, run: RunInfo) -> bytes | None:
        """What the seeds of a run derive from; None for a run begun before stores kept it."""
        chosen = sa.select(SECRETS.c.secret).where(SECRETS.c.run == run.id)
        kept = self._transaction(lambda connection: connection.execute(chosen).scalar())
        return None if kept is None else bytes.fromhex(kept)

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
        return self._transaction(lambda connection: [read_run(dict(row)) for row in connection.execute(chosen).mappings()])

    def end(self, run: RunInfo, games: int) -> None:
        """Marks a run as complete with its first `games` games; later ones, of which a test took no notice, go."""
        late = GAMES.delete().where(GAMES.c.run == run.id, GAMES.c.number >= games)
        ended = RUNS.update().where(RUNS.c.id == run.id, RUNS.c.ended.is_(None)).values(ended=now())
        self._transaction(lambda connection: [connection.execute(step) for step in (late, ended)])

    def delete(self, name: str) -> None:
        """Removes a run with its games."""
        run = self.run(name)
        self._transaction(lambda connection: connection.execute(RUNS.delete().where(RUNS.c.id == run.id)))

    # --- games --------------------------------------------------------------------------------------------------------

    def add(self, run: RunInfo, result: GameResult) -> GameResult:
        """Commits a game and returns what stands: if another process was quicker with this number, its game counts."""
        row = result.row() | {"run": run.id, "machine": machine(), "finished": now()}
        if self._transaction(lambda connection: connection.execute(self._insert_game, row).first()):
            return result
        return self._games(run, GAMES.c.number == result.number)[0]

    def results(self, run: RunInfo) -> list[GameResult]:
        """The games of a run in order."""
        return self._games(run, sa.true())

    def _games(self, run: RunInfo, which: sa.ColumnElement[bool]) -> list[GameResult]:
        columns = [GAMES.c[name] for name in GameResult.__dataclass_fields__]
        chosen = sa.select(*columns).where(GAMES.c.run == run.id, which).order_by(GAMES.c.number)
        return self._transaction(
            lambda connection: [read_game(dict(row), run) for row in connection.execute(chosen).mappings()]
        )


def _first_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(getattr(error, "orig", None) or error).strip().split("\n")[0]


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "none" if value is None else str(value) or "the default"
