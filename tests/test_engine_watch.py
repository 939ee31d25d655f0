"""Engines that are watched and stopped: version 2 of the protocol on both sides, and engines of version 1 as ever."""

import io
import json
import shlex
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from test_engine import AMPLE, GOOD, play_out, start

import daedalus
from daedalus import EngineFailure, Limit, Position, Thought
from daedalus.agents.engine import Engine
from daedalus.agents.engine_server import JsonServer, serve

# A reader thread puts what is said into `heard`; VERSION is what the engine's hello asks for, nothing if it is empty.
ENGINE = """
import json, queue, sys, threading, time
heard = queue.Queue()
def say(**message):
    print(json.dumps(message), flush=True)
def read():
    for line in sys.stdin:
        heard.put(json.loads(line))
    heard.put({{"type": "bye"}})
def stopped(seconds):
    "Was it told to stop within so long?"
    try:
        return heard.get(timeout=seconds)["type"] == "stop"
    except queue.Empty:
        return False
threading.Thread(target=read, daemon=True).start()
while (request := heard.get())["type"] != "bye":
    print(request["type"], request.get("id"), file=open({log!r}, "a"), flush=True)
    if request["type"] == "hello":
        say(type="hello", name="test", {version})
    elif request["type"] == "ready":
        say(type="ready", id=request["id"])
    elif request["type"] == "move":
        number, first, second = request["id"], *request["legal"][:2]
{body}
"""
V1, V2 = "", "protocol=2"


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Callable[..., Engine]]:
    engines: list[Engine] = []

    def make(body: str, version: str = V2, **settings: Any) -> Engine:
        script = tmp_path / f"engine{len(engines)}.py"
        body = textwrap.indent(textwrap.dedent(body), " " * 8)
        script.write_text(ENGINE.format(body=body, version=version, log=str(tmp_path / "log")))
        engines.append(Engine(shlex.join([sys.executable, str(script)]), **settings))
        return engines[-1]

    yield make
    for engine in engines:
        engine.close()


class Watcher:
    """Keeps what it is shown, and says stop after so many."""

    def __init__(self, stop_after: int = 10**6) -> None:
        self.shown: list[Thought] = []
        self.times: list[float] = []
        self._stop_after = stop_after

    def __call__(self, thought: Thought) -> bool:
        self.shown.append(thought)
        self.times.append(time.monotonic())
        return len(self.shown) < self._stop_after


THINKS = """
for n in range(1, 10_000):
    say(type="info", id=number, move=second, value=0.1, depth=n, line=[second, "x"], note="\\x1b[31mred")
    if stopped(0.02):
        break
say(type="move", id=number, move=first, value=0.5)
"""


def test_infos_are_shown_ten_times_a_second_at_most_and_printable(made: Callable[..., Engine]) -> None:
    watcher = Watcher(stop_after=4)
    thought = made(THINKS).choose(start().view(), AMPLE, watcher)
    assert len(watcher.shown) == 4
    assert all(later - earlier >= 0.09 for earlier, later in zip(watcher.times, watcher.times[1:], strict=False))
    last = watcher.shown[-1]
    assert (str(last.move), last.value, last.line, last.note) == ("a5-a2", 0.1, ("a5-a2", "x"), "\\x1b[31mred")
    depths = [shown.depth for shown in watcher.shown]
    assert depths == sorted(depths) and len(set(depths)) == 4  # always the newest
    # told to stop, it answers with the move of its own
    assert str(thought.move) == "a5-d5" and thought.value == 0.5 and thought.depth >= last.depth


def test_a_watched_engine_that_is_not_stopped_answers_as_ever(made: Callable[..., Engine]) -> None:
    engine = made(f"time.sleep(0.4); {GOOD}")
    watcher = Watcher()
    assert str(engine.choose(start().view(), AMPLE, watcher).move) == "a5-d5"
    # an engine of version 2 that tells nothing can be stopped all the same
    assert watcher.shown and all(shown.value is None and "told nothing" in shown.note for shown in watcher.shown)
    assert str(engine.choose(start().view(), AMPLE).move) == "a5-d5"


@pytest.mark.parametrize(
    "bad",
    [
        {"move": "z9"},
        {"move": 5},
        {},
        {"line": 7},
        {"line": "a5-a2"},
        {"line": [["a5-a2"]]},
        {"move": "a5-a2", "value": 37},
        {"move": "a5-a2", "candidates": [{"move": "z9"}]},
    ],
)
def test_an_info_that_is_no_good_is_not_shown(made: Callable[..., Engine], bad: dict[str, Any]) -> None:
    good = {"move": "a5-a2", "value": 0.25}
    body = f"""
    say(type="info", id=number, **{good!r})
    time.sleep(0.25)
    say(type="info", id=number, **{bad!r})
    time.sleep(0.25)
    say(type="info", id=number)
    say(type="move", id=number, move=first)
    """
    watcher = Watcher()
    assert str(made(body).choose(start().view(), AMPLE, watcher).move) == "a5-d5"
    assert watcher.shown
    assert {(str(shown.move), shown.value) for shown in watcher.shown if not shown.note} == {("a5-a2", 0.25)}


def test_an_engine_that_does_not_obey_is_taken_by_its_last_info(made: Callable[..., Engine], tmp_path: Path) -> None:
    """Its late reply, and the infos before it, mean nothing to the next question."""
    body = """
    say(type="info", id=number, move=second, value=0.1)
    time.sleep(1.2 if number == 1 else 0)
    say(type="info", id=number, move=second, value=-0.9, note="late")
    say(type="move", id=number, move=second if number == 1 else first)
    """
    engine = made(body, grace=0.1)
    thought = engine.choose(start().view(), Limit(seconds=30), Watcher(stop_after=1))
    assert (str(thought.move), thought.value) == ("a5-a2", 0.1)
    thought = engine.choose(start().view(), Limit(seconds=30))
    assert str(thought.move) == "a5-d5" and thought.value == -0.9  # its own info
    assert str(engine.choose(start().view(), AMPLE).move) == "a5-d5"
    assert (tmp_path / "log").read_text().count("hello") == 1  # the same process all the time


def test_an_engine_that_neither_tells_nor_obeys_has_failed(made: Callable[..., Engine]) -> None:
    engine = made("time.sleep(60)", grace=0.2)
    with pytest.raises(EngineFailure, match="no move within 0.2 s of being told to stop"):
        engine.choose(start().view(), Limit(seconds=50), Watcher(stop_after=1))


def test_a_stop_that_crosses_the_reply_means_nothing(made: Callable[..., Engine], tmp_path: Path) -> None:
    engine = made(f"time.sleep(0.15); {GOOD}")
    for _ in range(3):
        assert str(engine.choose(start().view(), AMPLE, Watcher(stop_after=1)).move) == "a5-d5"
    assert (tmp_path / "log").read_text().count("hello") == 1


# --- version 1 --------------------------------------------------------------------------------------------------------

OLD = """
say(type="info", value=0.1, depth=4, line=[second, "x"])
time.sleep(0.6)
say(type="move", id=number, move=first)
"""


def test_an_engine_of_version_1_gets_neither_ready_nor_stop(made: Callable[..., Engine], tmp_path: Path) -> None:
    engine = made(OLD, V1)
    engine.prepare(start().game)
    watcher = Watcher(stop_after=2)
    thought = engine.choose(start().view(), AMPLE, watcher)  # stopped: the first move of the line it told
    assert (str(thought.move), thought.value, thought.depth) == ("a5-a2", 0.1, 4) and thought == watcher.shown[-1]
    position = play_out(engine, start(), 3)  # its reply comes, and is dropped
    assert len(position.history) == 3 and str(position.history[0]) == "a5-d5"
    assert [line.split()[0] for line in (tmp_path / "log").read_text().splitlines()] == [
        "hello",
        "move",
        "move",
        "move",
        "move",
    ]


def test_an_engine_of_version_1_that_tells_nothing_is_waited_for(made: Callable[..., Engine]) -> None:
    watcher = Watcher(stop_after=1)
    assert str(made(f"time.sleep(0.4); {GOOD}", V1).choose(start().view(), AMPLE, watcher).move) == "a5-d5"
    assert watcher.shown == []


def test_an_engine_that_is_still_busy_with_the_last_question_has_its_time_for_that_first(made: Callable[..., Engine]) -> None:
    body = """
    say(type="info", move=second)
    time.sleep(1.0 if number == 1 else 0)
    say(type="move", id=number, move=first)
    """
    engine = made(body, V1, grace=0.2)
    engine.choose(start().view(), Limit(seconds=20.0), Watcher(stop_after=1))
    assert str(engine.choose(start().view(), Limit(seconds=0.1)).move) == "a5-d5"


def test_an_error_of_a_question_that_was_broken_off_is_dropped(made: Callable[..., Engine]) -> None:
    body = """
    say(type="info", move=second)
    time.sleep(0.5 if number == 1 else 0)
    say(type="error", message="late") if number == 1 else say(type="move", id=number, move=first)
    """
    engine = made(body, V1)
    engine.choose(start().view(), AMPLE, Watcher(stop_after=1))
    assert str(engine.choose(start().view(), AMPLE).move) == "a5-d5"


def test_an_engine_of_a_version_that_we_do_not_speak_is_refused(made: Callable[..., Engine]) -> None:
    for version in ("3", "'2'", "True", "[2]"):
        with pytest.raises(EngineFailure, match="of the protocol; we speak 1, 2"):
            made(GOOD, f"protocol={version}").choose(start().view(), AMPLE)


def test_an_engine_gets_ready_once_for_a_game(made: Callable[..., Engine], tmp_path: Path) -> None:
    engine = made(GOOD)
    for game in (start().game, start().game, daedalus.game("blackhole", size=7)):
        engine.prepare(game)
    engine.choose(start().view(), AMPLE)
    assert (tmp_path / "log").read_text().split() == ["hello", "None", "ready", "1", "ready", "2", "move", "3"]


def test_an_engine_that_is_not_ready_in_time_has_failed(made: Callable[..., Engine]) -> None:
    slow = made(GOOD, "protocol=2) or heard.get() and time.sleep(30", preparing=0.3)
    with pytest.raises(EngineFailure, match="not ready within 0.3 s"):
        slow.prepare(start().game)
    assert slow.pid is None


def test_what_watch_raises_ends_the_engine(made: Callable[..., Engine]) -> None:
    def watch(thought: Thought) -> bool:
        raise KeyboardInterrupt

    engine = made(THINKS)
    with pytest.raises(KeyboardInterrupt):
        engine.choose(start().view(), AMPLE, watch)
    assert engine.pid is None


# --- our agents, served -----------------------------------------------------------------------------------------------


class Patient(daedalus.Agent):
    """Thinks until it is told to stop, or as many simulations as it may."""

    def choose(self, view: Position, limit: Limit | None = None, watch: Any = None) -> Thought:
        for number in range(1, 1 + ((limit and limit.simulations) or 100_000)):
            thought = Thought(view.legal_moves[1], 0.25, simulations=number)
            if watch is not None and watch(thought) is False:
                return thought
            time.sleep(0.005)
        return Thought(view.legal_moves[0])


class Client:
    """Somebody who asks a server in this process."""

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self.server = JsonServer(lambda game: Patient(), self._take, {"name": "patient"})

    def _take(self, line: str) -> None:
        with self._news:
            self.said.append(json.loads(line))
            self._news.notify_all()

    def ask(self, **request: Any) -> None:
        assert self.server.hear(json.dumps(request))

    def until(self, kind: str, number: int) -> list[dict[str, Any]]:
        def there() -> bool:
            return any(said["type"] == kind and said.get("id") == number for said in self.said)

        with self._news:
            assert self._news.wait_for(there, 60)
            return self.said[:]


MOVE = {"type": "move", "game": "blackhole", "position": start().text, "options": {"hole": "pass"}}


def test_a_served_search_is_stopped_by_its_number_and_answers_what_it_showed_last() -> None:
    client = Client()
    client.ask(type="hello", protocol=1, protocols=[1, 2, 7])
    client.ask(**MOVE, id=1)
    client.until("info", 1)
    client.ask(type="stop", id=99)
    client.ask(type="stop", id=1)
    said = client.until("move", 1)
    assert said[0] == {"type": "hello", "name": "patient", "protocol": 2}
    infos, answer = said[1:-1], said[-1]
    assert all(info["type"] == "info" and info["id"] == 1 and info["move"] == "a5-a2" for info in infos)
    assert answer == infos[-1] | {"type": "move"}
    client.ask(type="stop", id=1)  # it crossed the answer
    client.ask(**MOVE, id=2, limit={"simulations": 2})
    assert client.until("move", 2)[-1]["move"] == "a5-d5"
    assert client.server.close(60)


def test_to_a_program_of_version_1_a_served_agent_tells_no_infos() -> None:
    for hello in ({"protocol": 1}, {}, {"protocols": [1]}, {"protocols": "12"}):
        client = Client()
        client.ask(type="hello", **hello)
        client.ask(**MOVE, id=1, limit={"simulations": 3})
        assert [said["type"] for said in client.until("move", 1)] == ["hello", "move"]
        assert "protocol" not in client.said[0]
        assert client.server.close(60)


def test_a_served_agent_is_ready_when_it_says_so() -> None:
    client = Client()
    client.ask(type="ready", id=5, game="blackhole", options={"hole": "pass"})
    assert client.until("ready", 5) == [{"type": "ready", "id": 5}]
    client.ask(type="ready", id=6, game="chess")
    assert "unknown game" in client.until("error", 6)[-1]["message"]
    assert client.server.close(60)


def test_requests_are_answered_in_order_and_the_end_stops_them_all() -> None:
    replies = io.StringIO()
    serve(Patient(), [json.dumps(MOVE | {"id": number}) for number in range(3)], replies)
    assert [json.loads(line)["id"] for line in replies.getvalue().splitlines()] == [0, 1, 2]


def test_a_line_without_end_and_lists_without_end_are_errors() -> None:
    replies = io.StringIO()
    serve(Patient(), [b'{"x": "' + b"y" * 1_000_001, "[" * 500_000, b"\xff", json.dumps({"type": "bye"})], replies)
    messages = [json.loads(line) for line in replies.getvalue().splitlines()]
    assert [message["type"] for message in messages] == ["error"] * 3
    assert "more than 1 MB" in messages[0]["message"] and "nested" in messages[1]["message"]


def test_two_daedaluses_speak_version_2() -> None:
    """One drives the other: shown what it thinks, stopped, and answered with the thought shown last."""
    command = shlex.join([sys.executable, "-m", "daedalus", "engine", "blackhole", "mcts", "-o", "hole=pass"])
    engine, watcher = Engine(command, greeting=300.0), Watcher(stop_after=3)
    engine.prepare(start().game)
    assert engine.about == {"type": "hello", "name": "Daedalus mcts", "games": ["blackhole"], "protocol": 2}
    thought = engine.choose(start().view(), Limit(seconds=50), watcher)
    assert thought.move in start().legal_moves and thought.simulations > 0 and thought.seconds < 40
    assert all(shown.candidates and shown.value is not None for shown in watcher.shown[1:])
    with pytest.raises(EngineFailure, match="plays blackhole, not quoridor"):
        engine.choose(daedalus.new("quoridor").view(), AMPLE)
