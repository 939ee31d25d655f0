"""Requests made from the OpenAPI document and messages made of nonsense: never an error of the server, nobody else disturbed.

`DAEDALUS_EXAMPLES=500 DAEDALUS_MESSAGES=10000 pytest tests/web/test_web_fuzz.py` tries more of both.
"""

import json
import logging
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from web.house import Client, House, Seat, opened, until

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed: pip install 'daedalus[dev]'")
from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import response_schema_conformance  # noqa: E402

EXAMPLES = int(os.environ.get("DAEDALUS_EXAMPLES", "15"))  # requests an operation
MESSAGES = int(os.environ.get("DAEDALUS_MESSAGES", "1200"))  # in all
GAMES = ("blackhole", "labyrinth", "quoridor", "saboteur", "colosseum")


CHECKS = [not_a_server_error, response_schema_conformance]
OPERATIONS = [
    ("/api/health", "get"),
    ("/api/games/{game}", "get"),
    ("/api/games/{game}/setup", "post"),
    ("/api/games/{game}/lessons/{number}", "get"),
    ("/api/games/{game}/lessons/{number}", "post"),
    ("/api/tables", "get"),
    ("/api/tables", "post"),
    ("/api/tables/{table}/claim", "post"),
    ("/api/tables/{table}/record", "get"),
]


def test_the_operations_below_are_in_the_document(client: Client) -> None:
    paths = client.get("/api/openapi.json")["paths"]
    assert {(path, method) for path, methods in paths.items() for method in methods} >= set(OPERATIONS)


@pytest.mark.parametrize("path, method", OPERATIONS)
def test_no_request_is_an_error_of_the_server(house: House, path: str, method: str) -> None:
    operation = schemathesis.openapi.from_url(f"{house.address}/api/openapi.json")[path][method]
    table = Client(house).table()["table"]

    @given(case=operation.as_strategy())
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
    def check(case: Any) -> None:
        answer = case.call()
        case.validate_response(answer, checks=CHECKS)
        if inner(case, table, len(answer.content)):
            case.validate_response(case.call(), checks=CHECKS)

    check()


def inner(case: Any, table: str, number: int) -> bool:
    """Makes a request one that gets past the first door, to a game or table that is there; False if there is no door."""
    game = GAMES[number % len(GAMES)]
    named = {name: {"game": game, "number": number % 4, "table": table}[name] for name in case.path_parameters or {}}
    case.path_parameters = named
    if isinstance(case.body, dict) and "game" in case.body:
        case.body["game"] = game
        named["game"] = game
    return bool(named)


# --- sockets ------------------------------------------------------------------------------------------------------------

KINDS = (
    *("move", "preview", "look", "hint", "advice", "cancel", "undo", "redo", "draw", "rematch", "now", "flip", "reveal"),
    *("pause", "pace", "step", "hello", "state", "", "__init__", "close", "resign "),
)
FIELDS = ("ply", "move", "touched", "accept", "flip", "paused", "seconds", "token", "type", "seat", "\ud800")
VALUES = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        7,
        10**400,
        -0.0,
        1e308,
        "",
        "e2",
        "b4-b3",
        "drop:a",
        "\x00",
        "\ud800",
        "<script>",
        "x" * 300,
    ),
    *(
        [],
        ["cell-1-1"],
        [[]],
        [None] * 30,
        {},
        {"a": {"b": []}},
        "NaN",
        "0 or 1=1",
        "\U0001d518" * 50,
        ["x" * 90],
        "../../etc/passwd",
    ),
)
RAW = (
    "",
    "{",
    "null",
    "[]",
    "1",
    '"hello"',
    "NaN",
    "[" * 3000,
    '{"type":' * 400,
    '{"type": "move"' + " " * 4500 + "}",
    "\x00",
    "{}{}",
)


def nonsense(dice: Random) -> str:
    """A message that is none, or nearly one."""
    if dice.random() < 0.15:
        return dice.choice(RAW)
    fields = {dice.choice(FIELDS): dice.choice(VALUES) for _ in range(dice.randrange(5))}
    return json.dumps({**fields, "type": dice.choice(KINDS) if dice.random() < 0.9 else dice.choice(VALUES)})


def pelt(seat: Seat, messages: int, dice: Random) -> int:
    """Sends nonsense, reads what comes back, and waits until all of it has been taken; how many answers there were."""
    answers = 0
    for number in range(messages):
        seat.socket.send(nonsense(dice))
        if number % 20 == 19:
            seat.send(type="look", ply=0)
            while seat.receive()["type"] != "look":
                answers += 1
    return answers


@pytest.mark.parametrize("game", ["quoridor", "saboteur"])
def test_nonsense_on_a_socket_disturbs_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture, game: str) -> None:
    with opened(tmp_path) as house:
        client, dice = Client(house), Random(game)
        elsewhere = client.table(game, "you you")["table"]
        calm = client.sit(elsewhere)
        made = client.table(game, "you friend")
        loud = [
            client.sit(made["table"]),
            client.sit(made["table"], made["seats"][1]["token"]),
            Client(house).sit(made["table"]),
        ]
        for seat in loud:
            assert pelt(seat, MESSAGES // 6, dice) > MESSAGES // 20
        before = len(calm.texts)
        if calm.state["reveal"]:
            calm.send(type="reveal")
            calm.await_state(lambda state: state["legal"])
        assert calm.move(calm.state["legal"][0])["ply"] == 1
        assert before == 1, "the other table heard nothing"
        assert house.store.load(elsewhere).ended is None
        until(lambda: not house.room(made["table"]).lock.locked())
        saved = house.store.load(made["table"])
        assert [move.text for move in saved.moves] == [str(move) for move in house.room(made["table"]).table.position.history]
    wrong = [record for record in caplog.records if record.levelno >= logging.ERROR or record.exc_info]
    assert not wrong, [record.getMessage() for record in wrong]
