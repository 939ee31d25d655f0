"""A web server within the tests, on a port of its own, and clients that keep all that they receive."""

import asyncio
import contextlib
import dataclasses
import json
import pickle
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

pytest.importorskip("fastapi", reason="the web extra is not installed: pip install 'daedalus[web]'")

import uvicorn
from websockets.sync.client import ClientConnection, connect

from daedalus.core import Position
from daedalus.web.app import create_app
from daedalus.web.catalogue import Catalogue
from daedalus.web.searches import Heard, Ticket
from daedalus.web.server import listening
from daedalus.web.settings import Settings
from daedalus.web.store import TableStore

PATIENCE = 30.0  # seconds; never waited out unless something is wrong
CALM = Settings(
    messages_a_second=1e6,
    burst=10**6,
    tables_a_minute=10**6,
    pace_seconds=0.0,
    again_seconds=0.05,
    effort=1e6,
    effort_burst=1e6,
)


def until(true: Callable[[], Any], what: str = "it") -> Any:
    """Waits until something is so."""
    deadline = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.005)
    return found


class QuickSearches:
    """Stands in for the worker processes: answers with a legal move, at once or when `release` is called."""

    def __init__(self) -> None:
        self.hold = False
        self.fail: Exception | None = None
        self.asked: list[Ticket] = []
        self.stopped: list[Ticket] = []
        self._number = 0

    def warm(self, games: Any) -> None:
        pass

    def close(self) -> None:
        pass

    def ask(self, job: Any, client: str, heard: Heard | None = None) -> Ticket:
        self._number += 1
        ticket = Ticket(self._number, job, client, heard)
        self.asked.append(ticket)
        if self.fail is not None:
            ticket.answer.set_exception(self.fail)
        elif not self.hold:
            asyncio.get_running_loop().call_soon(self.reply, ticket)
        return ticket

    def reply(self, ticket: Ticket) -> None:
        if ticket.answer.done():
            return
        view: Position = pickle.loads(ticket.job.view)
        move = Random(len(view.history)).choice(list(view.legal_moves))
        ticket.hear("thought", {"value": 0.25, "depth": 1, "line": [str(move)], "simulations": 1})
        ticket.answer.set_result({"value": 0.25, "depth": 1, "line": [str(move)], "simulations": 1, "move": str(move)})

    def stop(self, ticket: Ticket) -> None:
        self.stopped.append(ticket)
        self.reply(ticket)

    def cancel(self, ticket: Ticket) -> None:
        self.stopped.append(ticket)
        if not ticket.answer.done():
            ticket.answer.cancel()


class House:
    """A server in a thread."""

    def __init__(self, store: Path | str, settings: Settings = CALM, own: tuple[str, ...] = (), **more: Any) -> None:
        self.searches = QuickSearches()
        self.store = TableStore(store)
        door = listening("127.0.0.1", 0)
        self.port = door.getsockname()[1]
        self.app = create_app(settings, self.store, Catalogue(own), searches=more.pop("searches", self.searches), **more)
        config = uvicorn.Config(
            self.app,
            log_config=None,
            access_log=False,
            ws="websockets-sansio",
            ws_max_size=4 * settings.message,
            timeout_graceful_shutdown=1,
            lifespan="on",
        )
        self._server = uvicorn.Server(config)
        self._server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(door)), daemon=True)
        self._thread.start()
        until(lambda: self._server.started, "the server")

    async def _serve(self, door: socket.socket) -> None:
        self.loop = asyncio.get_running_loop()
        await self._server.serve(sockets=[door])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def web(self) -> Any:
        """What the app's requests share."""
        return self.app._app.state.web  # type: ignore[attr-defined]

    def on_loop(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Does something in the server's loop and returns what came out."""
        done: Any = []
        self.loop.call_soon_threadsafe(lambda: done.append(work(*arguments)))
        return until(lambda: done)[0]

    def room(self, table: str) -> Any:
        return self.web.rooms._rooms[table]

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self.store.close()


class Client:
    """A browser: a cookie jar, and all the answers it got."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.http = httpx.Client(base_url=house.address, timeout=PATIENCE)
        self.answers: list[str] = []

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        answer = self.http.request(method, path, **more)
        self.answers.append(answer.text)
        return answer

    def get(self, path: str, **more: Any) -> Any:
        answer = self.ask("GET", path, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any = None, **more: Any) -> Any:
        answer = self.ask("POST", path, json=body, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def table(self, game: str = "blackhole", seats: str = "you friend", **more: Any) -> Any:
        """A new table; seats are `you`, `friend` or an agent's spec."""
        wishes = [{"who": who} if who in ("you", "friend") else {"who": "agent", "spec": who} for who in seats.split()]
        return self.post("/api/tables", {"game": game, "seats": wishes, **more})

    @property
    def cookie(self) -> str | None:
        return self.http.cookies.get("daedalus")

    def sit(self, table: str, token: str | None = None, **more: Any) -> "Seat":
        """A socket of this browser at a table."""
        headers = {"Cookie": f"daedalus={self.cookie}"} if self.cookie else {}
        return Seat(self.house, table, token, headers=headers, **more)


class Seat:
    """A socket at a table; keeps every message."""

    def __init__(
        self, house: House, table: str, token: str | None = None, hello: bool = True, headers: Any = None, **more: Any
    ) -> None:
        address = f"ws://127.0.0.1:{house.port}/api/tables/{table}/socket"
        self._open = contextlib.ExitStack()
        self.socket: ClientConnection = self._open.enter_context(
            connect(address, additional_headers=headers or {}, max_size=None, open_timeout=PATIENCE, proxy=None, **more)
        )
        self.texts: list[str] = []
        self.state: dict[str, Any] = {}
        if hello:
            self.send(type="hello", token=token, flip=False)
            self.await_state()

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self) -> dict[str, Any]:
        text = self.socket.recv(timeout=PATIENCE)
        assert isinstance(text, str)
        self.texts.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "state":
            self.state = message
        return message

    def hear(self, kind: str, true: Callable[[dict[str, Any]], Any] = lambda message: True) -> dict[str, Any]:
        """The next message of a kind for which something holds."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            message = self.receive()
            if message["type"] == kind and true(message):
                return message
        raise AssertionError(f"no {kind}; the last was {self.texts[-1][:300]}")

    def await_state(self, true: Callable[[dict[str, Any]], Any] | None = None) -> dict[str, Any]:
        """The state of which something holds, the present one if it does; without a condition the next one."""
        if true is None:
            return self.hear("state")
        return self.state if self.state and true(self.state) else self.hear("state", true)

    def ask(self, kind: str, **more: Any) -> dict[str, Any]:
        """Sends a message and returns the answer of its kind, or its refusal."""
        self.send(type=kind, **more)
        while True:
            message = self.receive()
            if message["type"] == kind or (message["type"] == "refused" and message["to"] == kind):
                return message

    def refusal(self, kind: str, **more: Any) -> str:
        self.send(type=kind, **more)
        return str(self.hear("refused", lambda message: message["to"] == kind)["reason"])

    def move(self, move: str, ply: int | None = None) -> dict[str, Any]:
        """Makes a move and waits for the state after it."""
        ply = self.state["ply"] if ply is None else ply
        self.send(type="move", ply=ply, move=move)
        while True:
            message = self.receive()
            assert message["type"] != "refused", message
            if message["type"] == "state" and (message["ply"] > ply or message["outcome"]):
                return message

    def close(self) -> None:
        self._open.close()


@contextlib.contextmanager
def opened(folder: Path, settings: Settings = CALM, **more: Any) -> Iterator[House]:
    house = House(folder / "tables.sqlite", settings, **more)
    try:
        yield house
    finally:
        house.close()


def bounded(**more: Any) -> Settings:
    """Calm settings but for what is under test."""
    return dataclasses.replace(CALM, **more)
