"""Our agents as engines over JSON lines (docs/engines.md): any agent for any program that speaks the protocol."""

import contextlib
import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import IO, Any, TextIO

from daedalus.core import Agent, Game, Limit, Move, Position, Thought
from daedalus.core.contract import offers
from daedalus.core.options import make
from daedalus.core.printable import printable_error
from daedalus.core.registry import find

from .engine_messages import PROTOCOLS, brief, told
from .engine_process import MAX_LINE
from .search_thread import Search, SearchThread

Numbered = int | float | str | None  # what a request may call itself by


class JsonServer:
    """Answers requests line by line. Those that take time are answered by a thread, in order, so that a stop is heard."""

    def __init__(
        self, agent_for: Callable[[Game], Agent], write: Callable[[str], None], about: dict[str, Any], allow_code: bool = False
    ) -> None:
        self._agent_for, self._write, self._about, self._allow_code = agent_for, write, about, allow_code
        self._version = 1
        self._thread = SearchThread()
        self._lock = threading.Lock()
        self._searches: dict[Search, Numbered] = {}  # those that are not answered yet

    def hear(self, line: str | bytes) -> bool:
        """Takes one line; False when it says bye."""
        number: Numbered = None
        try:
            request = _request(line)
            given, kind = request.get("id"), request.get("type")
            number = given if isinstance(given, (int, float, str)) else None
            if kind == "bye":
                return False
            if kind == "stop":
                self._stop(number)
            elif kind == "move":
                self._ask(request, number)
            elif kind in ("hello", "ready"):
                self._do(partial(self._hello if kind == "hello" else self._ready, request, number), number)
            else:
                raise ValueError(f"unknown type {brief(kind)}; valid: hello, ready, move, stop, bye")
        except Exception as error:  # an engine outlives a bad request
            self._do(partial(self._refuse, number, error), number)
        return True

    def close(self, seconds: float | None = None) -> bool:
        """Stops what is being thought about and answers it; is all that done within so many seconds?"""
        with self._lock:
            for search in self._searches:
                search.stop()
        return self._thread.end(seconds)

    def _say(self, kind: str, number: Numbered, said: dict[str, Any]) -> None:
        self._write(json.dumps({"type": kind, "id": number, **said}))

    def _refuse(self, number: Numbered, error: Exception) -> None:
        said = printable_error(error)
        self._say("error", number, {"message": said if isinstance(error, ValueError) else f"{type(error).__name__}: {said}"})

    def _do(self, job: Callable[[], None], number: Numbered) -> bool:
        def safe() -> None:
            try:
                job()
            except Exception as error:
                self._refuse(number, error)

        if not self._thread.do(safe):
            self._refuse(number, ValueError("too many requests wait for their answers"))
            return False
        return True

    def _hello(self, request: dict[str, Any], number: Numbered) -> None:
        spoken = request.get("protocols")
        wanted = spoken if isinstance(spoken, list) else [request.get("protocol")]
        self._version = max((version for version in PROTOCOLS if version in wanted), default=1)
        about = self._about if self._version == 1 else self._about | {"protocol": self._version}
        self._write(json.dumps({"type": "hello", **about}))

    def _ready(self, request: dict[str, Any], number: Numbered) -> None:
        game = self._game(request)
        self._agent_for(game).prepare(game)
        self._say("ready", number, {})

    def _ask(self, request: dict[str, Any], number: Numbered) -> None:
        search = Search()
        with self._lock:
            self._searches[search] = number
        if not self._do(partial(self._move, request, number, search), number):
            self._searches.pop(search)

    def _move(self, request: dict[str, Any], number: Numbered, search: Search) -> None:
        try:
            view = view_of(self._game(request), request)
            search.limit = Limit(**request.get("limit", {}))
            agent = self._agent_for(view.game)
            if request.get("seed", agent.seed) != agent.seed:
                agent.new_game(int(request["seed"]))
            thought = search.think(agent, view, partial(self._inform, number))
        finally:
            with self._lock:
                self._searches.pop(search)
        self._say("move", number, told(thought))

    def _inform(self, number: Numbered, thought: Thought) -> None:
        if self._version >= 2:
            self._say("info", number, told(thought))

    def _stop(self, number: Numbered) -> None:
        """Stops the search of that number; one that is answered already is not looked for."""
        with self._lock:
            for search, asked in self._searches.items():
                if asked == number:
                    search.stop()

    def _game(self, request: dict[str, Any]) -> Game:
        game: Game = make(find(request["game"], self._allow_code).rules, request.get("options", {}))
        return game


def _request(line: str | bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise ValueError(f"a line of more than {MAX_LINE // 1_000_000} MB")
    try:
        request = json.loads(line)
    except RecursionError:
        raise ValueError("lists and objects are nested too deeply") from None
    if not isinstance(request, dict):
        raise ValueError("a request is a JSON object")
    return request


def view_of(game: Game, request: dict[str, Any]) -> Position:
    """The position asked about as its seat may know it, with its history."""
    start, history = request.get("start"), [str(move) for move in request.get("history", [])]
    if offers(type(game), "redeal"):
        return hidden_view(game, request["position"], history, request.get("seat"))
    position = Position.from_text(game, request["position"] if start is None else start)
    for move in history if start is not None else []:
        position.push(move)
    return position.view(request.get("seat"))


def hidden_view(game: Game, text: str, history: list[str], seat: int | None = None) -> Position:
    """A view of a hidden game from the text of a view; moves made before are known by their texts alone.

    Whatever the text tells that the seat cannot know is dealt anew.
    """
    position = Position.from_text(game, text)
    view = position.view(seat)
    view.history = [Move(-1, move) for move in history]
    return view


def lines_of(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream as they come; of one that is too long only so much that this is seen."""
    while line := stream.readline(MAX_LINE + 1):
        yield line
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE + 1)


def serve(
    agent: Agent, requests: Iterable[str | bytes] | None = None, replies: TextIO | None = None, allow_code: bool = False
) -> None:
    """Plays as an engine until `bye` or the end of the input, which stop what is still being thought about.

    A request may name a game of somebody's own, `file.py:Class`; its file is run only with `allow_code`.
    """
    lines = lines_of(sys.stdin.buffer) if requests is None else requests
    answers = sys.stdout if replies is None else replies

    lock = threading.Lock()

    def write(line: str) -> None:
        with lock, contextlib.suppress(BrokenPipeError):
            answers.write(line + "\n")
            answers.flush()

    with contextlib.redirect_stdout(sys.stderr):  # what an agent prints is no reply
        server = JsonServer(lambda game: agent, write, {"name": f"Daedalus {agent.spec or type(agent).__name__}"}, allow_code)
        try:
            all(map(server.hear, lines))
        finally:
            server.close()
