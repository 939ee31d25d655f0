"""The store, on SQLite and on a real PostgreSQL server: every game at once, runs that continue, clear refusals."""

import contextlib
import csv
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from arena_agents import TICTACTOE, spec

from daedalus import DaedalusError, InvalidOption, arena
from daedalus.arena.games import GameResult
from daedalus.arena.store import Store
from daedalus.core.record import read_records

SETTINGS = {"kind": "match", "game": "nim", "options": "", "specs": ["a", "b"], "seed": 3, "sprt": None}

SECRET = b"secret of the run"


def game(number: int, **changes: Any) -> GameResult:
    seen = {"payoffs": (0.25, -0.25), "plies": 9, "wall": (0.5, 0.25), "cpu": (0.1, 0.2), "moves": (5, 4)}
    return GameResult(
        **{"number": number, "pair": number // 2, "seats": (0, 1), **seen, "forfeit": None, "record": "é\n"} | changes
    )


@pytest.fixture(params=["sqlite", "postgresql"])
def db(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "deep" / "folder" / "store.sqlite")
    address: str = request.getfixturevalue("postgres")
    import psycopg

    with psycopg.connect(address) as connection:
        connection.execute("DROP TABLE IF EXISTS secrets, games, runs")
    return address


# --- the store itself -----------------------------------------------------------------------------------------------


def test_games_come_back_as_they_were(db: str) -> None:
    games = [game(0), game(1, seats=(1, 0), forfeit=(1, "late: 'ö' \"quoted\"")), game(2, payoffs=(1 / 3, -1.0))]
    with Store(db) as store:
        run = store.begin("r", SETTINGS, 10, SECRET)
        for result in reversed(games):
            assert store.add(run, result) is result
    with Store(db) as store:
        assert store.results(store.run("r")) == games
        info = store.run("r")
        assert (info.done, info.total, info.ended, info.settings) == (3, 10, None, SETTINGS)


def test_the_first_game_of_a_number_counts(db: str) -> None:
    with Store(db) as store:
        run = store.begin("r", SETTINGS, 10, SECRET)
        store.add(run, game(4))
        assert store.add(run, game(4, plies=99)) == game(4)
        assert store.results(run) == [game(4)]


def test_a_game_is_there_for_others_as_soon_as_it_is_added(db: str) -> None:
    with Store(db) as store, Store(db) as other:
        run = store.begin("r", SETTINGS, 10, SECRET)
        for number in range(3):
            store.add(run, game(number))
            assert len(other.results(run)) == number + 1


def test_runs_of_two_names_do_not_mix(db: str) -> None:
    with Store(db) as store:
        one, two = (store.begin(name, SETTINGS, 10, SECRET) for name in "ab")
        store.add(one, game(0))
        store.add(two, game(0, plies=1))
        assert store.results(one) == [game(0)] and store.results(two) == [game(0, plies=1)]
        assert [run.name for run in store.runs()] == ["a", "b"]


def test_other_settings_are_refused_by_name(db: str) -> None:
    with Store(db) as store:
        store.begin("r", SETTINGS, 10, SECRET)
        assert store.begin("r", dict(SETTINGS), 10, SECRET).settings == SETTINGS
        with pytest.raises(InvalidOption, match=r"run 'r' was begun with seed 3, not 4"):
            store.begin("r", SETTINGS | {"seed": 4}, 10, SECRET)
        with pytest.raises(InvalidOption, match=r"run 'r' was begun with specs a, b, not a, c"):
            store.begin("r", SETTINGS | {"specs": ["a", "c"]}, 10, SECRET)


def test_the_end_forgets_games_beyond_it(db: str) -> None:
    with Store(db) as store:
        run = store.begin("r", SETTINGS, 10, SECRET)
        for number in range(6):
            store.add(run, game(number))
        store.end(run, 4)
        assert store.results(run) == [game(number) for number in range(4)]
        assert store.run("r").ended is not None


def test_a_deleted_run_is_gone_with_its_games(db: str) -> None:
    with Store(db) as store:
        for name in "ab":
            store.add(store.begin(name, SETTINGS, 10, SECRET), game(0))
        gone = store.run("a")
        store.delete("a")
        assert [run.name for run in store.runs()] == ["b"] and store.results(gone) == []
        with pytest.raises(InvalidOption, match="there is no run 'a' .* the last ones: b"):
            store.run("a")
        with pytest.raises(DaedalusError):  # a process that still plays it
            store.add(gone, game(1))


def test_many_writers_at_once_lose_nothing(db: str) -> None:
    """They also make the tables at the same time."""

    def write(writer: int) -> None:
        with Store(db) as store:
            own, shared = store.begin(f"own {writer}", SETTINGS, 10, SECRET), store.begin("shared", SETTINGS, 10, SECRET)
            for number in range(25):
                store.add(own, game(number))
                store.add(shared, game(number, plies=writer))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    with Store(db) as store:
        assert {run.name: run.done for run in store.runs()} == {f"own {n}": 25 for n in range(4)} | {"shared": 25}


# --- runs -----------------------------------------------------------------------------------------------------------


def run(db: Any, **settings: Any) -> Any:
    given = {"games": 8, "seed": 1, "workers": 1, "name": "r"} | settings
    return arena.match(TICTACTOE, spec("Dice"), "random", db=db, **given)


def test_a_finished_run_is_not_played_again(db: str) -> None:
    first = run(db)
    told: list[int] = []
    second = run(db, progress=lambda progress: told.append(progress.kept))
    assert second.results == first.results and told == [8]
    assert arena.load_run("r", db).results == first.results


def test_a_run_continues_where_it_stopped(db: str) -> None:
    def stop(progress: arena.Progress) -> None:
        if progress.done == 3:
            raise KeyboardInterrupt

    with pytest.raises(arena.Interrupted, match="start it again to continue"):
        run(db, progress=stop)
    kept = arena.load_run("r", db).results
    assert [game.number for game in kept] == [0, 1, 2] and arena.list_runs(db)[0].ended is None
    result = run(db)
    assert result.results[:3] == kept and len(result.results) == 8
    assert arena.list_runs(db)[0].ended is not None


@pytest.mark.parametrize(
    "change, reason",
    [
        ({"seed": 2}, "seed 1, not 2"),
        ({"games": 10}, "games 8, not 10"),
        ({"limit": "simulations=5"}, "limit none, not simulations=5"),
        ({"random_plies": 1}, "random_plies 4, not 1"),
        ({"sprt": (0, 10)}, "sprt none, not 0,10"),
    ],
)
def test_a_run_with_other_settings_is_refused(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    run(tmp_path / "store")
    with pytest.raises(InvalidOption, match=f"run 'r' was begun with {reason}"):
        run(tmp_path / "store", **change)
    assert len(arena.load_run("r", tmp_path / "store").results) == 8


def test_how_it_is_played_may_change(tmp_path: Path) -> None:
    assert run(tmp_path / "store").results == run(tmp_path / "store", workers=2).results


def test_a_run_without_a_name_gets_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert arena.list_runs() == []
    names = [run(None, name=None, games=2).name for _ in range(2)]
    assert len(set(names)) == 2 and [info.name for info in arena.list_runs()] == names
    assert arena.default_database().is_relative_to(tmp_path)


def test_a_tournament_is_read_back_as_one(tmp_path: Path) -> None:
    settings = {"games": 2, "workers": 1, "db": tmp_path / "store", "name": "t", "anchor": ("random", 1000)}
    made = arena.tournament(TICTACTOE, ["random", spec("First"), spec("Dice")], **settings)
    read = arena.load_run("t", tmp_path / "store")
    assert isinstance(read, arena.TournamentResult) and read.results == made.results
    assert read.anchor == (0, 1000.0) and {rating.spec: rating.elo for rating in read.ratings}["random"] == 1000.0


def test_an_export_holds_all_games_in_every_form(db: str, tmp_path: Path) -> None:
    result = run(db)
    files = {path.name: path for path in arena.export_run("r", tmp_path / "out", db)}
    assert [record.text for record in read_records(files["records.txt"])] == [game.record for game in result.results]
    rows = [json.loads(line) for line in files["games.jsonl"].read_text().splitlines()]
    assert rows == result.rows() and len(rows) == 16
    with open(files["games.csv"], newline="") as file:
        assert [{**row} for row in csv.DictReader(file)] == [{key: str(value) for key, value in row.items()} for row in rows]
    assert json.loads(files["run.json"].read_text())["specs"] == result.specs
    if find_spec("pyarrow"):
        import pyarrow.parquet

        assert pyarrow.parquet.read_table(files["games.parquet"]).to_pylist() == rows


def test_a_deleted_run_can_be_played_anew(tmp_path: Path) -> None:
    run(tmp_path / "store")
    arena.delete_run("r", tmp_path / "store")
    assert len(run(tmp_path / "store", seed=2).results) == 8


# --- a store that may only be read ----------------------------------------------------------------------------------


@contextlib.contextmanager
def only_reading(*paths: Path) -> Iterator[None]:
    """Takes the right to write from everybody; root, whom no right binds, is somebody else meanwhile."""
    before = {path: path.stat().st_mode for path in paths}
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    user = os.geteuid()
    if not user:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)
        for path, mode in before.items():
            path.chmod(mode)


@pytest.fixture
def shelf() -> Iterator[Path]:
    """A folder that others may look into, with a store; pytest's own are closed to them."""
    folder = Path(tempfile.mkdtemp(prefix="daedalus-store-"))
    folder.chmod(0o755)
    run(folder / "store")
    yield folder
    shutil.rmtree(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_store_in_a_folder_that_cannot_be_written_is_read(shelf: Path, tmp_path: Path) -> None:
    whole, before = arena.load_run("r", shelf / "store"), contents(shelf)
    with only_reading(shelf / "store", shelf):
        assert [info.done for info in arena.list_runs(shelf / "store")] == [8]
        assert arena.load_run("r", shelf / "store").results == whole.results
        with pytest.raises(DaedalusError, match="the store .*: Permission denied"):
            arena.delete_run("r", shelf / "store")
    assert contents(shelf) == before


def test_games_of_a_killed_writer_are_read_where_nothing_can_be_written(shelf: Path) -> None:
    """They stand beside the store, in SQLite's log."""
    script = "import os, sys; from test_arena_store import *\nstore = Store(sys.argv[1])\n"
    script += "store.add(store.begin('new', SETTINGS, 9, SECRET), game(0)); os._exit(0)"
    subprocess.run([sys.executable, "-c", script, shelf / "store"], check=True, cwd=Path(__file__).parent)
    assert (shelf / "store-wal").stat().st_size
    with only_reading(*shelf.iterdir(), shelf):
        assert [info.name for info in arena.list_runs(shelf / "store")] == ["r", "new"]


def test_reading_changes_nothing(shelf: Path) -> None:
    before = contents(shelf)
    arena.list_runs(shelf / "store")
    arena.load_run("r", shelf / "store")
    assert contents(shelf) == before


def test_a_database_without_runs_gets_none_by_being_read(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with pytest.raises(DaedalusError, match="the store .*empty: no such table: runs"):
        arena.list_runs(tmp_path / "empty")
    assert (tmp_path / "empty").stat().st_size == 0


# --- a connection that is lost --------------------------------------------------------------------------------------


class Breaking:
    """Makes the next statements of a store fail as if the server had gone away."""

    def __init__(self, store: Store, times: int) -> None:
        self.left = times
        sa.event.listen(store._engine, "before_cursor_execute", self.fail)
        sa.event.listen(store._engine, "handle_error", self.lost)

    def fail(self, *_: Any) -> None:
        if self.left:
            self.left -= 1
            raise sqlite3.OperationalError("server closed the connection unexpectedly")

    def lost(self, context: Any) -> None:
        context.is_disconnect = True


def test_a_lost_connection_is_tried_again_with_a_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("daedalus.arena.store._PAUSES", (0.0,) * 5)
    with Store(tmp_path / "store") as store:
        kept = store.begin("r", SETTINGS, 10, SECRET)
        Breaking(store, times=3)
        assert store.add(kept, game(0)) == game(0) and store.results(kept) == [game(0)]
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 3 and told[0].endswith("server closed the connection unexpectedly; trying again (1 of 5)")


def test_a_server_that_stays_away_ends_the_attempts_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("daedalus.arena.store._PAUSES", (0.0,) * 5)
    with Store(tmp_path / "store") as store:
        kept = store.begin("r", SETTINGS, 10, SECRET)
        breaking = Breaking(store, times=100)
        with pytest.raises(DaedalusError, match="the store .*: server closed the connection unexpectedly$"):
            store.add(kept, game(0))
        assert breaking.left == 100 - 6


def test_a_run_outlives_the_connections_that_its_server_ends(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    monkeypatch.setattr("daedalus.arena.store._PAUSES", (0.01,) * 5)
    with psycopg.connect(postgres, autocommit=True) as admin:
        admin.execute("DROP TABLE IF EXISTS secrets, games, runs")

        def cut(progress: arena.Progress) -> None:
            admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

        result = run(postgres, progress=cut)
    assert result.results == arena.load_run("r", postgres).results and len(result.results) == 8


# --- what goes wrong ------------------------------------------------------------------------------------------------


def test_reading_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="there is no store .*typo"):
        arena.list_runs(tmp_path / "typo")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_is_refused_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Sir, " * 200)
    with pytest.raises(DaedalusError, match="the store .*letter.txt: file is not a database"):
        run(file)


@pytest.mark.parametrize(
    "address, reason",
    [
        ("mysql://host/games", "SQLite or PostgreSQL, not mysql"),
        ("postgresql://arena@/x?host=/nowhere", "the store postgresql"),
    ],
)
def test_an_address_that_does_not_do_is_refused(address: str, reason: str) -> None:
    if "mysql" not in address and find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed (pip install 'daedalus[postgres]')")
    with pytest.raises(DaedalusError, match=reason):
        run(address)
