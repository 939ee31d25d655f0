"""The command `daedalus web`: killed and started again, ended, refused its port or its store, or writing to a full disk."""

import importlib.util
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from web.house import PATIENCE, Client, House, opened, until

from daedalus.core import DaedalusError
from daedalus.web.server import _Lines, listening
from daedalus.web.store import SavedMove, SavedTable, StoreFailed, TableStore

ROOT = Path(__file__).parents[2]


def kills() -> ModuleType:
    """The benchmark that kills servers; a test does it a few times."""
    spec = importlib.util.spec_from_file_location("web_kills", ROOT / "benchmarks" / "web_kills.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(os.name == "nt", reason="kill -9")
def test_no_move_is_lost_or_doubled_when_the_server_is_killed(tmp_path: Path) -> None:
    found = kills().killed(tmp_path, 3)
    assert found["faults"] == [] and found["all went on"]
    assert sum(found["kills"].values()) == 3 and found["moves made"] > 10
    assert (tmp_path / "log").read_text().count("Daedalus is at") == 4


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "daedalus", "web", "--no-open", *words]


def refused(*words: str) -> str:
    """What the command says when it cannot start: one line."""
    done = subprocess.run(command(*words), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode != 0 and done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    return done.stderr


@pytest.mark.skipif(os.name == "nt", reason="SIGINT")
def test_ctrl_c_ends_the_server_with_its_searches_and_open_sockets(tmp_path: Path) -> None:
    """Within a second: the graceful part has one, and what still works then is not waited for."""
    module = kills()
    server = module.Server(tmp_path)
    server.start()
    table, tokens = server.table("blackhole", "mcts:seconds=10")
    player = module.Player(server, table, tokens[0], 1)
    player.start()
    until(lambda: player.state.get("thinking") is not None, "the agent to think")
    children = [int(pid) for pid in Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()]
    took = server.interrupt()
    player.over.set()
    assert server.process.returncode == 0 and took < PATIENCE / 2
    until(
        lambda: (
            not any(
                Path(f"/proc/{pid}/cmdline").exists() and b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
                for pid in children
            )
        )
    )
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_port_in_use_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"port {port} is in use" in refused("--port", port, "--db", str(tmp_path / "a"))


def test_a_store_that_cannot_be_opened_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("no database " * 1000)
    (tmp_path / "inside").write_text("")
    for place in (tmp_path / "folder", tmp_path / "text", tmp_path / "inside" / "x", "mysql://nobody@nowhere/x"):
        with pytest.raises((DaedalusError, ImportError)) as error:
            TableStore(str(place))
        assert "\n" not in str(error.value)
    assert "cannot open the store" in refused("--port", "0", "--db", str(tmp_path / "folder"))


def test_games_and_hosts_that_are_none_are_one_clear_line(tmp_path: Path) -> None:
    store = str(tmp_path / "a")
    assert "no.py" in refused("no.py:Game", "--port", "0", "--db", store)
    assert "cannot listen on" in refused("--host", "no.such.host.invalid", "--port", "0", "--db", store)
    with pytest.raises(DaedalusError, match="cannot listen"):
        listening("a" * 300, 0)


def test_the_server_says_where_it_is_and_offers_own_games(tmp_path: Path) -> None:
    words = [
        "--port",
        "0",
        "--db",
        str(tmp_path / "a"),
        "--workers",
        "1",
        str(ROOT / "examples" / "connect_four.py") + ":ConnectFour",
    ]
    with subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert line.startswith("Daedalus is at http://127.0.0.1:")
        address = line.split()[3]
        with urllib.request.urlopen(f"{address}api/games", timeout=PATIENCE) as answer:
            assert json.load(answer)[-1]["id"] == "own-1"
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 0


# --- the store while the server runs --------------------------------------------------------------------------------------


def test_a_full_disk_refuses_the_move_and_the_game_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        client = Client(house)
        made = client.table("blackhole", "you you")
        seat = client.sit(made["table"])
        seat.move(seat.state["legal"][0])
        broken = Broken(house)
        assert "nothing has been changed" in seat.refusal("move", ply=1, move=seat.state["legal"][0])
        for order in ({"type": "resign"}, {"type": "undo"}):
            seat.send(**order)
            assert "nothing has been changed" in seat.hear("refused")["reason"]
        assert seat.ask("look", ply=1)["type"] == "look"
        answer = client.ask("POST", "/api/tables", json={"game": "blackhole", "seats": [{"who": "you"}, {"who": "you"}]})
        assert answer.status_code == 503 and "store" in answer.json()["error"]
        broken.mend()
        assert len(house.store.load(made["table"]).moves) == 1
        assert seat.move(seat.state["legal"][0])["ply"] == 2
        assert [move.text for move in house.store.load(made["table"]).moves] == [move["text"] for move in seat.state["moves"]]


def test_an_agent_does_not_lose_by_a_full_disk(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        client = Client(house)
        table = client.table("blackhole", "you random")["table"]
        seat = client.sit(table)
        house.searches.hold = True
        seat.move(seat.state["legal"][0])
        until(lambda: house.searches.asked, "the agent to be asked")
        broken = Broken(house)
        house.searches.hold = False
        house.on_loop(house.searches.reply, house.searches.asked[-1])
        for _ in range(4):
            assert "must wait" in seat.hear("refused")["reason"]
        broken.mend()
        state = seat.await_state(lambda state: state["ply"] == 2)
        assert state["outcome"] is None and len(house.store.load(table).moves) == 2


def test_a_flag_that_falls_on_a_full_disk_is_kept_later(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with opened(tmp_path) as house:
        client = Client(house)
        seat = client.sit(client.table("blackhole", "you you", clock="0.01")["table"])  # 0.6 seconds
        for _ in range(2):
            seat.move(seat.state["legal"][0])
        broken = Broken(house)
        until(lambda: "flag not kept" in caplog.text, "the flag to fall")
        broken.mend()
        assert seat.await_state(lambda state: state["outcome"])["outcome"]["reason"] == "Red has no time left"


class Broken:
    """Every write to the store fails, as on a full disk."""

    def __init__(self, house: House) -> None:
        self._engine = house.store._engine
        sa.event.listen(self._engine, "before_cursor_execute", self._fail)

    @staticmethod
    def _fail(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if not statement.lstrip().upper().startswith("SELECT"):
            raise sa.exc.OperationalError(statement, {}, Exception("database or disk is full"))

    def mend(self) -> None:
        sa.event.remove(self._engine, "before_cursor_execute", self._fail)


def test_a_disk_that_is_really_full_leaves_nothing_half_written(tmp_path: Path) -> None:
    """SQLite itself says so, in the midst of a transaction of several moves."""
    store = TableStore(tmp_path / "tables.sqlite")
    table = SavedTable("t", "blackhole", {}, 1, b"s", [{"who": "human"}] * 2, None, None, "c", turn=0)
    store.add(table)
    pages = 40

    def limit(connection: Any, _: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    sa.event.listen(store._engine, "connect", limit)
    store._engine.dispose()
    moves = [SavedMove("x" * 10_000)] * 5
    with pytest.raises(StoreFailed, match="full"):
        for batch in range(50):
            store.add_moves("t", 5 * batch, moves, None, batch % 2)
    kept = store.load("t")
    assert kept is not None and len(kept.moves) % 5 == 0 and len(kept.moves) < 50
    assert kept.turn == (len(kept.moves) // 5 - 1) % 2 if kept.moves else kept.turn == 0
    store.close()


def test_a_store_that_became_read_only_refuses_and_the_server_goes_on(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        client = Client(house)
        seat = client.sit(client.table("blackhole", "you you")["table"])
        engine = house.store._engine
        sa.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA query_only = ON"))
        engine.dispose()
        assert "readonly" in seat.refusal("move", ply=0, move=seat.state["legal"][0])
        assert client.get("/api/tables")[0]["ply"] == 0 and seat.ask("look", ply=0)["type"] == "look"


# --- logs -----------------------------------------------------------------------------------------------------------------


def test_a_log_line_is_json_and_tells_no_secret() -> None:
    record = logging.LogRecord("daedalus.web", logging.WARNING, "x", 1, "agent failed", None, None)
    record.table, record.reason, record.token, record.cookie = "abcdef", "no move", "secret", "secret"
    told = json.loads(_Lines().format(record))
    assert told["event"] == "agent failed" and told["table"] == "abcdef" and told["level"] == "warning"
    assert "secret" not in json.dumps(told)


def test_nothing_that_is_logged_opens_a_seat(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), opened(tmp_path) as house:
        client = Client(house)
        made = client.table("blackhole", "you random")
        token = made["seats"][0]["token"]
        client.post(f"/api/tables/{made['table']}/claim", headers={"Authorization": f"Bearer {token}"})
        house.searches.fail = DaedalusError("gone")
        seat = client.sit(made["table"], token)
        seat.move(seat.state["legal"][0])
        seat.await_state(lambda state: state["outcome"])
        ours = [record for record in caplog.records if record.name in ("daedalus.web", "uvicorn", "uvicorn.error")]
        everything, told = (
            " ".join(_Lines().format(record) for record in ours if record.levelno >= level)
            for level in (logging.INFO, logging.WARNING)
        )
    assert "agent failed" in told and made["table"] not in told
    for secret in (token, client.cookie):
        assert secret and secret not in everything
