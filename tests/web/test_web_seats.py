"""Seats and their tokens: who may move where, on which device, and what nobody can find out."""

import re

import pytest
from web.house import Client, House, Seat
from websockets.exceptions import ConnectionClosed, InvalidStatus


def tokens(made: dict) -> list[str]:  # type: ignore[type-arg]
    return [seat["token"] for seat in made["seats"]]


def test_a_move_is_refused_without_the_seats_token(client: Client, house: House) -> None:
    made = client.table()
    mine, stranger = client.sit(made["table"]), Client(house).sit(made["table"])
    move = mine.state["legal"][0]
    assert stranger.state["you"] == [] and stranger.state["legal"] == [] and stranger.state["next"] == {}
    assert stranger.refusal("move", ply=0, move=move) == "you are looking on"
    friend = Client(house).sit(made["table"], tokens(made)[1])
    assert friend.refusal("move", ply=0, move=move) == "it is not your turn"
    for kind in ("hint", "preview", "resign", "draw", "undo", "redo", "rematch", "now", "pause", "pace", "step"):
        stranger.refusal(kind, ply=0, touched=[], accept=True, seconds=1)
    assert mine.move(move)["ply"] == 1
    assert stranger.await_state(lambda state: state["ply"] == 1)["moves"][0]["text"] == move


def test_a_wrong_token_opens_no_seat_and_is_told_so(client: Client, house: House) -> None:
    made, other = client.table(), client.table()
    for wrong in (tokens(other)[0], tokens(made)[0] + "x", "x" * 3000, made["table"], "\ud800", ""):
        seat = Client(house).sit(made["table"], wrong)
        assert seat.state["you"] == []
        if wrong:
            assert "opens no seat" in seat.hear("refused")["reason"]


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(client: Client) -> None:
    made = client.ask("POST", "/api/tables", json={"game": "blackhole", "seats": [{"who": "you"}, {"who": "friend"}]})
    cookie = made.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "path=/" in cookie
    assert "secure" not in cookie, "over http a browser would not send it back"
    assert client.cookie not in made.text


def test_the_creator_sits_by_the_cookie_alone(client: Client) -> None:
    made = client.table("blackhole", "friend you")
    assert client.sit(made["table"]).state["you"] == [1]


def test_a_seats_link_works_on_another_device(client: Client, house: House) -> None:
    made = client.table()
    phone = Client(house)
    claim = {"Authorization": f"Bearer {tokens(made)[0]}"}
    assert phone.post(f"/api/tables/{made['table']}/claim", headers=claim) == {"you": [0]}
    there = phone.sit(made["table"])
    assert there.state["you"] == [0]
    here = client.sit(made["table"])
    there.move(there.state["legal"][0])
    assert here.await_state(lambda state: state["ply"] == 1)["you"] == [0]
    assert [game["table"] for game in phone.get("/api/tables")] == [made["table"]]


def test_the_sockets_token_holds_the_seat_for_the_browser(client: Client, house: House) -> None:
    made = client.table()
    friend = Client(house)
    friend.table()  # gives it a cookie
    friend.sit(made["table"], tokens(made)[1]).close()
    assert friend.sit(made["table"]).state["you"] == [1]


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer wrong", "Basic {token}", "{token}", "Bearer {token}x", "Bearer " + "x" * 5000]
)
def test_a_claim_needs_the_token_as_a_bearer(client: Client, house: House, header: str) -> None:
    made = client.table()
    answer = Client(house).ask(
        "POST", f"/api/tables/{made['table']}/claim", headers={"Authorization": header.format(token=tokens(made)[0])}
    )
    assert answer.status_code == 403 and "set-cookie" not in answer.headers


def test_tokens_are_kept_as_hashes_and_told_once(client: Client, house: House) -> None:
    made = client.table("saboteur", "you friend")
    seat = client.sit(made["table"])
    seat.ask("look", ply=0)
    saved = str(vars(house.store.load(made["table"])))
    told = "".join([*seat.texts, client.ask("GET", "/api/tables").text])
    for secret in [*tokens(made), client.cookie]:
        assert secret and secret not in saved and secret not in told


def test_ids_are_long_random_and_not_listed(client: Client, house: House) -> None:
    made = [client.table() for _ in range(5)]
    ids = {table["table"] for table in made}
    assert len(ids) == 5 and all(re.fullmatch(r"[\w-]{24}", identity) for identity in ids)
    stranger = Client(house)
    heard = stranger.ask("GET", "/api/tables").text + stranger.ask("GET", "/api/openapi.json").text
    assert not any(identity in heard for identity in ids)
    for path in ("/api/tables/", "/api/tables/*", "/api/tables/%25/record", "/api/tables/'/record"):
        assert stranger.ask("GET", path).status_code in (307, 404, 405), path


@pytest.mark.parametrize("table", ["nosuchtable", "x" * 65, "'", "a%2Fb"])
def test_there_is_no_socket_where_there_is_no_table(house: House, table: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Seat(house, table)
    assert refused.value.response.status_code == 403


def test_the_first_message_says_who_is_there(client: Client, house: House) -> None:
    table = client.table()["table"]
    for wrong in ('{"type": "look", "ply": 0}', "[]", "hello", '{"type": "hello"' + " " * 5000 + "}"):
        seat = Seat(house, table, hello=False)
        seat.socket.send(wrong)
        with pytest.raises(ConnectionClosed):
            seat.receive()
    seat = Seat(house, table, hello=False)
    seat.socket.send(b"\x00\x01")
    with pytest.raises(ConnectionClosed):
        seat.receive()


def test_two_people_at_one_screen_take_it_in_turns(client: Client) -> None:
    """With hidden cards the screen shows nobody's until the one to move has taken it."""
    made = client.table("saboteur", "you you")
    seat = client.sit(made["table"])
    assert seat.state["you"] == [0, 1] and seat.state["reveal"] and not seat.state["actions"]["move"]
    assert seat.state["legal"] == [] and seat.refusal("hint") == "take the screen first"
    assert seat.refusal("move", ply=0, move="nonsense") == "take the screen first", "a refusal would list the legal moves"
    seat.send(type="reveal")
    shown = seat.await_state(lambda state: not state["reveal"])
    assert shown["actions"]["move"] and shown["legal"]
    after = seat.move(shown["legal"][0])
    assert after["reveal"] and after["legal"] == [], "the next to move is another"


def test_people_at_one_screen_of_an_open_game_just_play(client: Client) -> None:
    seat = client.sit(client.table("blackhole", "you you")["table"])
    for ply in range(4):
        assert seat.state["turn"] == ply % 2 and not seat.state["reveal"]
        seat.move(seat.state["legal"][0])
