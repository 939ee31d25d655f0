"""What every request meets first: hosts and origins, sizes and rates."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from web.house import Client, House, Seat, bounded, opened, until
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from daedalus.web import sockets, states
from daedalus.web.rooms import Effort
from daedalus.web.server import names_of
from daedalus.web.states import Viewer
from daedalus.web.tables import Table

TABLE = {"game": "blackhole", "seats": [{"who": "you"}, {"who": "friend"}]}


# --- hosts and origins --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "", "192.168.1.7", "[", "a b"]
)
def test_a_request_for_another_host_is_refused(client: Client, host: str) -> None:
    assert client.ask("GET", "/api/health", headers={"Host": host}).status_code in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "[::1]:8000", "localhost."])
def test_the_names_of_this_machine_are_known(client: Client, host: str) -> None:
    assert client.ask("GET", "/api/health", headers={"Host": host}).status_code == 200


FOREIGN = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://[evil"},
    {"Origin": ""},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


@pytest.mark.parametrize("headers", FOREIGN)
def test_posts_and_sockets_from_other_sites_are_refused(client: Client, house: House, headers: dict[str, str]) -> None:
    answer = client.ask("POST", "/api/tables", json=TABLE, headers=headers)
    assert answer.status_code == 403 and "set-cookie" not in answer.headers
    table = client.table()["table"]
    with pytest.raises(InvalidStatus) as refused:
        Seat(house, table, headers=headers)
    assert refused.value.response.status_code == 403


def test_sockets_for_another_host_are_refused(client: Client, house: House) -> None:
    table = client.table()["table"]
    door = socket.create_connection(("127.0.0.1", house.port))
    with pytest.raises(InvalidStatus) as refused:  # a name that somebody has turned to this machine
        connect(f"ws://evil.example/api/tables/{table}/socket", sock=door, origin="http://evil.example").__enter__()
    assert refused.value.response.status_code == 403


def test_our_own_page_may_post_and_open_sockets(client: Client, house: House) -> None:
    here = {"Origin": house.address, "Sec-Fetch-Site": "same-origin"}
    assert client.ask("POST", "/api/tables", json=TABLE, headers=here).status_code == 200
    assert Seat(house, client.table()["table"], headers=here).state["ply"] == 0


def test_who_serves_the_network_is_known_by_numbers_and_own_names() -> None:
    assert names_of("127.0.0.1") == ({"localhost", "127.0.0.1", "::1"}, False)
    names, anywhere = names_of("0.0.0.0")
    assert anywhere and "0.0.0.0" not in names
    names, anywhere = names_of("192.168.1.7")
    assert not anywhere and "192.168.1.7" in names


def test_a_server_for_the_network_takes_addresses_but_no_names(tmp_path: Path) -> None:
    with opened(tmp_path, anywhere=True) as house:
        client = Client(house)
        assert client.ask("GET", "/api/health", headers={"Host": "192.168.1.7:8000"}).status_code == 200
        assert client.ask("GET", "/api/health", headers={"Host": "evil.example"}).status_code == 403, "DNS can be turned on us"


# --- sizes --------------------------------------------------------------------------------------------------------------


def test_a_large_body_is_refused_told_or_not(client: Client) -> None:
    large = json.dumps({"options": {"a": "b" * 20_000}}).encode()
    assert client.ask("POST", "/api/games/quoridor/setup", content=large).status_code == 413

    def pieces() -> Iterator[bytes]:  # sent in chunks, without a length
        yield from (large[start : start + 5000] for start in range(0, len(large), 5000))

    answer = client.ask("POST", "/api/games/quoridor/setup", content=pieces(), headers={"content-type": "application/json"})
    assert answer.status_code == 413 and "at most" in answer.json()["error"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 5000, b'{"options": {"a": 1e999}}', b"1" * 5000]
)
def test_a_body_that_is_no_request_is_refused(client: Client, body: bytes) -> None:
    answer = client.ask("POST", "/api/games/quoridor/setup", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422) and list(answer.json()) == ["error"]


def test_a_large_message_is_refused_and_a_larger_one_ends_the_socket(client: Client) -> None:
    table = client.table()["table"]
    seat = client.sit(table)
    assert "at most" in seat.refusal("message", padding="x" * 5000)
    assert seat.ask("look", ply=0)["type"] == "look", "the socket goes on"
    with pytest.raises(ConnectionClosed):
        seat.send(type="look", ply=0, padding="x" * 40_000)
        while True:
            seat.receive()
    assert client.sit(table).state["ply"] == 0


# --- rates and numbers --------------------------------------------------------------------------------------------------


def test_a_flood_ends_the_socket_that_sends_it_and_no_other(tmp_path: Path) -> None:
    with opened(tmp_path, bounded(messages_a_second=0.01, burst=5)) as house:
        client = Client(house)
        made = client.table()
        loud, calm = client.sit(made["table"]), client.sit(made["table"], made["seats"][1]["token"])
        with pytest.raises(ConnectionClosed):
            for _ in range(10):
                loud.send(type="look", ply=0)
            while True:
                loud.receive()
        assert "too many messages" in "".join(loud.texts)
        assert calm.ask("look", ply=0)["type"] == "look"


def test_who_asks_for_much_drawing_waits_and_the_others_do_not() -> None:
    effort = Effort(0.25, 2.0)
    assert effort.wait(1.5) == 0.0, "some at once"
    assert effort.wait(1.5) == pytest.approx(4.0, abs=0.5), "a second too much, at a quarter of a second a second"
    assert Effort(0.25, 2.0).rested and not effort.rested


def test_a_client_that_looks_all_the_time_leaves_the_server_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def look(table: Table, viewer: Viewer, ply: int) -> dict[str, object]:
        drawn.append(ply)
        return states.look(table, viewer, ply)

    monkeypatch.setattr(sockets, "look", look)
    with opened(tmp_path, bounded(effort=0.01, effort_burst=0.02)) as house:
        client = Client(house)
        made = client.table("labyrinth", "you friend")
        loud = client.sit(made["table"])
        for _ in range(100):
            loud.send(type="look", ply=0)
        loud.hear("look")
        calm = client.sit(made["table"], made["seats"][0]["token"])
        assert calm.move(calm.state["legal"][0])["ply"] == 1
        assert len(drawn) < 100, "all of it would take a minute or more"


def test_an_address_makes_so_many_tables_a_minute(tmp_path: Path) -> None:
    with opened(tmp_path, bounded(tables_a_minute=3)) as house:
        client = Client(house)
        for _ in range(3):
            client.table()
        for who in (client, Client(house)):  # another browser, the same address
            answer = who.ask("POST", "/api/tables", json=TABLE)
            assert answer.status_code == 429 and "too many" in answer.json()["error"]


def test_rematches_count_as_tables_made(tmp_path: Path) -> None:
    with opened(tmp_path, bounded(tables_a_minute=2)) as house:
        client = Client(house)
        table = client.table()["table"]
        for number in range(2):
            seat = client.sit(table)
            seat.send(type="resign")
            seat.await_state(lambda state: state["outcome"])
            if number:
                assert "too many new tables" in seat.refusal("rematch")
            else:
                table = seat.ask("rematch")["table"]


def test_a_client_has_so_many_running_games(tmp_path: Path) -> None:
    with opened(tmp_path, bounded(tables_a_client=2)) as house:
        client = Client(house)
        made = [client.table() for _ in range(2)]
        assert client.ask("POST", "/api/tables", json=TABLE).status_code == 429
        assert Client(house).table(), "others go on"
        seat = client.sit(made[0]["table"])
        seat.send(type="resign")
        seat.await_state(lambda state: state["outcome"])
        assert client.table(), "one is over"


def test_a_server_has_so_many_running_games(tmp_path: Path) -> None:
    with opened(tmp_path, bounded(tables=1)) as house:
        Client(house).table()
        assert Client(house).ask("POST", "/api/tables", json=TABLE).status_code == 429


@pytest.mark.parametrize("limit", ["sockets", "sockets_an_address", "sockets_a_table"])
def test_so_many_sockets_and_no_more(tmp_path: Path, limit: str) -> None:
    with opened(tmp_path, bounded(**{limit: 2})) as house:
        client = Client(house)
        table = client.table()["table"]
        first, _second = client.sit(table), client.sit(table)
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            client.sit(table)
        first.close()
        until(lambda: house.room(table).coming == 1, "the socket to be gone")
        assert client.sit(table).state["ply"] == 0


def test_who_looks_on_leaves_room_for_who_plays(tmp_path: Path) -> None:
    with opened(tmp_path, bounded(watchers_a_table=1)) as house:
        player = Client(house)
        made = player.table()
        Client(house).sit(made["table"])
        with pytest.raises((ConnectionClosed, AssertionError)):
            Client(house).sit(made["table"])
        assert player.sit(made["table"]).state["you"] == [0]


def test_sockets_that_say_nothing_are_closed(tmp_path: Path) -> None:
    with opened(tmp_path, bounded(hello_seconds=0.05)) as house:
        seat = Seat(house, Client(house).table()["table"], hello=False)
        with pytest.raises(ConnectionClosed):
            seat.receive()


def test_tables_leave_memory_when_nobody_is_there_and_come_back(tmp_path: Path) -> None:
    with opened(tmp_path, bounded(in_memory=2)) as house:
        client = Client(house)
        first = client.table()
        seat = client.sit(first["table"])
        seat.move(seat.state["legal"][0])
        for _ in range(5):
            client.table()
        assert len(house.web.rooms) <= 2 and first["table"] in house.web.rooms._rooms, "somebody is there"
        seat.close()
        until(lambda: house.room(first["table"]).coming == 0)
        for _ in range(2):
            client.table()
        assert first["table"] not in house.web.rooms._rooms
        assert client.sit(first["table"]).state["ply"] == 1


def test_a_room_stays_while_somebody_is_on_the_way_in(client: Client, house: House) -> None:
    """Else there would be two rooms of one table."""
    table = client.table()["table"]
    late = Seat(house, table, hello=False)
    until(lambda: house.room(table).coming == 1)
    room = house.room(table)
    house.on_loop(house.web.rooms.tidy, 0.0)
    late.send(type="hello", token=None)
    late.await_state()
    assert house.room(table) is room and not room.closed
