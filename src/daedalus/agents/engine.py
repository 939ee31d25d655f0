"""External engines: programs in any language that play over JSON lines on stdin and stdout (docs/engines.md).

    > {"type": "hello", "protocol": 1, "daedalus": "0.2.0"}
    < {"type": "hello", "name": "Theseus"}
    > {"type": "move", "id": 1, "game": "blackhole", ..., "legal": ["b4-b3", "a5-d5"], "limit": {"seconds": 1.0}}
    < {"type": "move", "id": 1, "move": "a5-d5", "value": 0.3}
    > {"type": "bye"}

`Engine` is an agent that asks such a program; `serve` makes any agent such a program.
"""

import contextlib
import json
import os
import shlex
import shutil
import signal
import sys
import time
import weakref
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, TextIO

from daedalus import __version__
from daedalus.core import Agent, Candidate, EngineFailure, IllegalMove, Limit, Move, Position, Thought
from daedalus.core.options import make, parsed, written
from daedalus.core.printable import printable, printable_error, visible, visible_values
from daedalus.core.registry import find

from .engine_process import MAX_LINE, EngineProcess

PROTOCOL = 1
_SEEDS = 2**31 - 1  # a number that every language reads as it is
_MOST = 1000  # entries of a list, and characters of a note, that are kept
_TOLD = ("value", "simulations", "depth", "line", "candidates", "note")  # what a reply, or the last info, may tell


class _Fault(Exception):
    """What an engine did wrong, in a few words."""


class _Silence(_Fault):
    """It said nothing; if it has exited, that is the reason."""


@dataclass
class Engine(Agent):
    """An external program that speaks JSON lines, started at the first move and afresh after a failure."""

    command: str
    grace: float = 0.5  # a reply may be so many seconds later than the limit
    patience: float = 60.0  # seconds for a reply when the limit sets none
    greeting: float = 10.0  # seconds for the first hello
    about: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)  # its hello
    _child: EngineProcess | None = field(default=None, init=False, repr=False, compare=False)
    _goodbye: Any = field(default=None, init=False, repr=False, compare=False)
    _asked: int = field(default=0, init=False, repr=False, compare=False)

    def bind(self, game: Any) -> None:
        """Says at once when there is no such program."""
        try:
            _program(self.command)
        except _Fault as fault:
            raise EngineFailure(self._epitaph(fault)) from None

    def prepare(self, game: Any) -> None:
        """Starts the program and exchanges hellos; raises EngineFailure."""
        try:
            if self._child is None:
                self._start()
        except _Fault as fault:
            raise EngineFailure(self._epitaph(fault)) from None

    @property
    def pid(self) -> int | None:
        """The process that is thinking; None when none is."""
        return self._child.pid if self._child else None

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        """Asks the engine; anything but a legal move in time raises EngineFailure and leaves no process."""
        if not view.legal_moves:
            raise IllegalMove("the game is over, there is no move to choose")
        try:
            return self._ask(self._child or self._start(), view, limit or Limit())
        except _Fault as fault:
            raise EngineFailure(self._epitaph(fault)) from None
        except BaseException:
            self._kill()
            raise

    def close(self) -> None:
        """Says bye and ends the program."""
        if self._goodbye is not None:
            self._goodbye()
        self._child = self._goodbye = None

    def _start(self) -> EngineProcess:
        words = _program(self.command)
        try:
            child = EngineProcess(words)
        except OSError as error:
            raise _Fault(f"cannot be started: {error.strerror}") from None
        self._child, self._goodbye = child, weakref.finalize(self, _farewell, child)
        _send(child, {"type": "hello", "protocol": PROTOCOL, "daedalus": __version__})
        self.about = _reply(child, "hello", self.greeting, f"no hello within {self.greeting:g} s")
        if not isinstance(self.about.get("name"), str):
            raise _Fault("its hello has no name")
        try:
            self.about = visible_values(self.about, partial(visible, most=_MOST))
        except ValueError as error:
            raise _Fault(f"its hello is no good: {error}") from None
        return child

    def _ask(self, child: EngineProcess, view: Position, limit: Limit) -> Thought:
        games = self.about.get("games")
        if isinstance(games, list) and view.name not in games:
            raise _Fault(f"plays {printable(', '.join(game for game in games if isinstance(game, str)), 200)}, not {view.name}")
        self._asked += 1
        begun = time.perf_counter()
        _send(child, _request(self._asked, view if view.seat is not None else view.view(), limit, self.seed))
        seconds = self.patience if limit.seconds is None else limit.seconds
        reply = _reply(child, "move", seconds + self.grace, f"no move within {seconds} s")
        if reply.get("id") != self._asked or isinstance(reply["id"], bool):
            raise _Fault(f"answered request {_brief(reply.get('id'))} when asked {self._asked}")
        return _thought(view, reply, time.perf_counter() - begun)

    def _epitaph(self, fault: _Fault) -> str:
        """Ends the engine and tells why."""
        child, code, reason = self._child, self._kill(), str(fault)
        if isinstance(fault, _Silence) and code is not None and code != -signal.SIGKILL:
            reason = f"exited with code {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"
        words = f"; it last wrote: {child.last_words}" if child and child.last_words else ""
        return f"engine {printable(self.command, 200)}".rstrip() + f": {reason}{words}"

    def _kill(self) -> int | None:
        child, self._child = self._child, None
        if self._goodbye is not None:
            self._goodbye.detach()
        self._goodbye = None
        return child.stop() if child else None


def _farewell(child: EngineProcess) -> None:
    _send(child, {"type": "bye"})
    child.stop(grace=0.5)


def _program(command: str) -> list[str]:
    """The words of a command, its program found as a shell would find it (and also beside us)."""
    try:
        words = [os.path.expanduser(word) for word in shlex.split(command)]
    except ValueError as error:
        raise _Fault(f"the command cannot be read: {str(error).lower()}") from None
    if not words or "\0" in command:
        raise _Fault("name the program, as in engine:./mine --flag")
    found = shutil.which(words[0]) or shutil.which(os.path.join(".", words[0]))
    if found:
        return [found, *words[1:]]
    if os.path.isfile(words[0]):
        raise _Fault(f"{words[0]} is not executable; chmod +x it, or name its interpreter, as in engine:python {words[0]}")
    raise _Fault(f"there is no program {words[0]}")


def _trace(arrow: str, line: bytes) -> None:
    if os.environ.get("DAEDALUS_ENGINE_TRACE"):
        print(arrow, visible(line.decode(errors="replace").rstrip()), file=sys.stderr, flush=True)


def _send(child: EngineProcess, message: dict[str, Any]) -> None:
    line = json.dumps(message).encode()
    _trace(">", line)
    child.send(line)


def _reply(child: EngineProcess, kind: str, seconds: float, late: str) -> dict[str, Any]:
    """The next message of a kind, with what the last info before it told; raises _Fault for any other."""
    deadline = time.monotonic() + seconds
    info: dict[str, Any] = {}
    while True:
        line = child.receive(deadline - time.monotonic())
        if not line:
            raise _Silence(late if line is None else "closed its input or output")
        _trace("<", line)
        if not line.strip():
            continue
        message = _message(line)
        if message["type"] == kind:
            return info | message
        if message["type"] == "error":
            raise _Fault(f"says: {printable(_text(message, 'message'), 300)}")
        if message["type"] != "info":
            raise _Fault(f"sent {message['type']!r:.20} when a {kind} was due")
        info = {name: message[name] for name in _TOLD if name in message}


def _message(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise _Fault(f"sent a line of more than {MAX_LINE // 1_000_000} MB")
    try:
        message = json.loads(line.decode())
    except UnicodeDecodeError:
        raise _Fault(f"sent a line that is not UTF-8: {line[:40]!r}") from None
    except (ValueError, RecursionError):
        raise _Fault(f"sent a line that is not JSON: {line.decode().strip()[:60]!r}") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise _Fault(f"sent a line that is no object with a type: {line.decode().strip()[:60]!r}")
    return message


def _request(number: int, view: Position, limit: Limit, seed: int) -> dict[str, Any]:
    return {
        "type": "move",
        "id": number,
        "game": view.name,
        "options": parsed(written(view.game)),
        "seat": view.turn,
        "seats": view.game.SEATS,
        "position": view.text,
        "start": _start_text(view),
        "history": list(map(str, view.history)),
        "legal": list(map(str, view.legal_moves)),
        "limit": {name: bound for name, bound in asdict(limit).items() if bound is not None},
        "seed": seed & _SEEDS,
    }


def _start_text(view: Position) -> str | None:
    """The position before the first move; None in a hidden game, whose views know neither seed nor setup."""
    return view.setup if view.seed is None else Position(view.game, view.seed).text


def _thought(view: Position, reply: dict[str, Any], seconds: float) -> Thought:
    moves = {str(move): move for move in view.legal_moves}
    return Thought(
        _move(moves, reply),
        _number(reply, "value", -1, 1),
        tuple(_candidate(moves, said) for said in _list(reply, "candidates")),
        tuple(_expected(said) for said in _list(reply, "line")),
        int(_number(reply, "simulations", 0, 1e15) or 0),
        int(_number(reply, "depth", 0, 1e6) or 0),
        seconds,
        printable(_text(reply, "note"), _MOST),
    )


def _move(moves: dict[str, Move], said: Any) -> Move:
    text = said.get("move") if isinstance(said, dict) else None
    if not isinstance(text, str):
        raise _Fault("its reply has no move")
    if text not in moves:
        some = list(moves)[:8]
        raise _Fault(f"illegal move {text[:40]!r}; legal: {', '.join(some)}{', ...' if len(moves) > len(some) else ''}")
    return moves[text]


def _candidate(moves: dict[str, Move], said: Any) -> Candidate:
    move = _move(moves, said)
    visits = int(_number(said, "visits", 0, 1e15) or 0)
    return Candidate(move, _number(said, "value", -1, 1), visits, printable(_text(said, "note"), _MOST))


def _expected(said: Any) -> str:
    """A move of the line, which need not be legal here."""
    if not isinstance(said, str):
        raise _Fault("its line is not a list of texts")
    return printable(said, 80)


def _text(said: dict[str, Any], name: str) -> str:
    text = said.get(name)
    if text is not None and not isinstance(text, str):
        raise _Fault(f"its {name} is not a text")
    return text or ""


def _number(said: dict[str, Any], name: str, low: float, high: float) -> float | None:
    number = said.get(name)
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not low <= number <= high:
        raise _Fault(f"its {name} is {_brief(number)}, not a number from {low:g} to {high:g}")
    return number


def _brief(said: Any) -> str:
    """What was said instead of what was wanted; of lists and objects only that they are such."""
    return f"{said!r:.40}" if said is None or isinstance(said, (str, int, float)) else f"a {type(said).__name__}"


def _list(said: dict[str, Any], name: str) -> list[Any]:
    found = said.get(name) or []
    if not isinstance(found, list):
        raise _Fault(f"its {name} is {_brief(found)}, not a list")
    return found[:_MOST]


def serve(
    agent: Agent, requests: Iterable[str | bytes] | None = None, replies: TextIO | None = None, allow_code: bool = False
) -> None:
    """Plays as an engine until `bye` or the end of the input: any agent for any program that speaks the protocol.

    A request may name a game of somebody's own, `file.py:Class`; its file is run only with `allow_code`.
    """
    lines = sys.stdin.buffer if requests is None else requests
    answers = sys.stdout if replies is None else replies
    with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(BrokenPipeError):  # what an agent prints is no reply
        for line in lines:
            answer = _answer(agent, line, allow_code)
            if answer["type"] == "bye":
                return
            print(json.dumps(answer), file=answers, flush=True)


def _answer(agent: Agent, line: str | bytes, allow_code: bool) -> dict[str, Any]:
    number = None
    try:
        request = json.loads(line)
        if not isinstance(request, dict):
            raise ValueError("a request is a JSON object")
        kind, given = request.get("type"), request.get("id")
        number = given if isinstance(given, (int, float, str)) else None
        if kind == "hello":
            return {"type": "hello", "name": f"Daedalus {agent.spec or type(agent).__name__}"}
        if kind == "move":
            if request.get("seed", agent.seed) != agent.seed:
                agent.new_game(int(request["seed"]))
            limit = Limit(**request.get("limit", {}))
            return {"type": "move", "id": number, **_told(agent.choose(_view(request, allow_code), limit))}
        if kind == "bye":
            return {"type": "bye"}
        raise ValueError(f"unknown type {_brief(kind)}; valid: hello, move, bye")
    except Exception as error:  # an engine outlives a bad request
        said = printable_error(error)
        what = said if isinstance(error, ValueError) else f"{type(error).__name__}: {said}"
        return {"type": "error", "id": number, "message": what}


def _view(request: dict[str, Any], allow_code: bool) -> Position:
    """The position asked about, with its history where the start is known."""
    game = make(find(request["game"], allow_code).rules, request.get("options", {}))
    start = request.get("start")
    position = Position.from_text(game, request["position"] if start is None else start)
    for move in request.get("history", []) if start is not None else []:
        position.push(str(move))
    return position.view(request.get("seat"))


def _told(thought: Thought) -> dict[str, Any]:
    candidates = [{"move": str(c.move), "value": c.value, "visits": c.visits, "note": c.note} for c in thought.candidates]
    told = {name: getattr(thought, name) for name in _TOLD} | {"candidates": candidates, "move": str(thought.move)}
    return {name: value for name, value in told.items() if value or (name == "value" and value is not None)}
