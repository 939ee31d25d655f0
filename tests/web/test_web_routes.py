"""The JSON interface and the pages: what each route answers, and how it refuses."""

import json
from pathlib import Path

from web.house import Client, House, opened

import daedalus
from daedalus.core.record import Record
from daedalus.web.catalogue import Catalogue

EXAMPLE = Path(__file__).parents[2] / "examples" / "connect_four.py"
GAMES = ["blackhole", "colosseum", "labyrinth", "quoridor", "saboteur"]


def test_health_and_version(client: Client) -> None:
    assert client.get("/api/health") == {"ok": True}
    assert client.get("/api/version") == {"version": daedalus.__version__}


def test_every_game_has_a_card_and_a_page(client: Client) -> None:
    cards = client.get("/api/games")
    assert [card["id"] for card in cards] == GAMES
    for card in cards:
        page = client.get(f"/api/games/{card['id']}")
        assert {name: page[name] for name in card} == card
        assert card["board"].startswith("<svg") and card["sentence"] and card["lessons"] >= 3
        assert page["rules"] and page["notation"] and page["seat_names"] == card["seats"]
        assert page["default_level"] in [level["name"] for level in page["levels"]]
    assert [card["id"] for card in cards if card["hidden"]] == ["labyrinth", "saboteur"]


def test_the_panel_is_told_what_options_mean(client: Client) -> None:
    answer = client.post("/api/games/quoridor/setup", {"options": {"players": "4", "width": "5", "height": "5"}})
    assert len(answer["seats"]) == 4 and answer["board"].startswith("<svg")
    usual = client.post("/api/games/quoridor/setup", {})
    assert len(usual["seats"]) == 2 and usual["board"] != answer["board"]


def test_options_that_are_none_are_refused_in_one_sentence(client: Client) -> None:
    for options in ({"width": "many"}, {"width": "-3"}, {"depth": "5"}, {"width": "\ud800"}, {"\ud800": "1"}):
        answer = client.ask("POST", "/api/games/quoridor/setup", content=json.dumps({"options": options}))
        assert answer.status_code == 422, options
        assert list(answer.json()) == ["error"] and "\n" not in answer.json()["error"]


def test_what_is_not_there_is_not_found(client: Client) -> None:
    for path in (
        "/api/games/chess",
        "/api/games/blackhole/lessons/99",
        "/api/games/blackhole/lessons/-1",
        "/api/tables/nosuchtable/record",
        "/api/nothing",
        "/static/nothing.js",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
    ):
        answer = client.ask("GET", path)
        assert answer.status_code == 404 and list(answer.json()) == ["error"], path


def test_lessons_take_the_move_that_is_asked_for_and_no_other(client: Client) -> None:
    for game in GAMES:
        page = client.get(f"/api/games/{game}/lessons/0")
        assert page["number"] == 0 and page["state"]["you"] == [page["state"]["turn"]]
        assert not any(page["state"]["actions"].values())
        wanted = Catalogue().guide(game).lessons[0].wanted
        right = client.post(f"/api/games/{game}/lessons/0", {"move": wanted[0]})
        assert right["right"] and right["state"]["ply"] == page["state"]["ply"] + 1 and not right["last"]
        others = [move for move in page["state"]["legal"] if move not in wanted]
        wrong = client.post(f"/api/games/{game}/lessons/0", {"move": others[0]})
        assert not wrong["right"] and wrong["state"]["ply"] == page["state"]["ply"] and wrong["say"]
        assert client.ask("POST", f"/api/games/{game}/lessons/0", json={"move": "nonsense"}).status_code == 422


def test_the_touches_of_a_lesson_are_previewed(client: Client) -> None:
    state = client.get("/api/games/colosseum/lessons/0")["state"]
    touch = next(touch for touch, what in state["next"].items() if what["move"] is None)
    answer = client.post("/api/games/colosseum/lessons/0", {"touched": [touch]})
    assert answer["preview"]["board"].startswith("<svg") and answer["preview"]["next"]
    assert client.ask("POST", "/api/games/colosseum/lessons/0", json={"touched": ["nowhere"]}).status_code == 422


def test_a_new_table_gives_tokens_to_people_only(client: Client) -> None:
    made = client.table("quoridor", "you random friend club", options={"players": "4"})
    assert [seat["who"] for seat in made["seats"]] == ["you", "agent", "friend", "agent"]
    assert [seat["token"] is not None for seat in made["seats"]] == [True, False, True, False]
    assert len({made["table"], *(seat["token"] for seat in made["seats"])}) == 4


def test_tables_that_cannot_be_are_refused(client: Client) -> None:
    fine = {"game": "blackhole", "seats": [{"who": "you"}, {"who": "friend"}]}
    for wrong in (
        {"game": "chess"},
        {"seats": [{"who": "you"}]},
        {"seats": [{"who": "you"}] * 4},
        {"seats": []},
        {"seats": [{"who": "king"}, {"who": "you"}]},
        {"clock": "soon"},
        {"clock": "0+0"},
        {"pace": -1},
        {"pace": 1e9},
        {"options": {"size": "6"}},
        {"more": 1},
    ):
        answer = client.ask("POST", "/api/tables", json=fine | wrong)
        assert answer.status_code in (404, 422) and list(answer.json()) == ["error"], wrong


def test_the_record_is_one_that_can_be_read(client: Client) -> None:
    made = client.table()
    seat = client.sit(made["table"], made["seats"][1]["token"])
    for _ in range(3):
        seat.move(seat.state["legal"][0])
    record = Record.parse(client.ask("GET", f"/api/tables/{made['table']}/record").text)
    assert [str(move) for move in record.moves] == [move["text"] for move in seat.state["moves"]]


def test_a_browser_lists_its_own_games_and_no_others(client: Client, house: House) -> None:
    assert client.get("/api/tables") == []
    running, over = client.table("saboteur", "you friend"), client.table("blackhole", "you novice", clock="5+3")
    seat = client.sit(over["table"])
    seat.send(type="resign")
    outcome = seat.await_state(lambda state: state["outcome"])["outcome"]
    mine = client.get("/api/tables")
    assert [game["table"] for game in mine] == [over["table"], running["table"]], "the latest first"
    assert mine[0]["outcome"] == outcome and mine[0]["turn"] is None and mine[0]["you"] == [0]
    assert mine[0]["seats"][1] == {"name": "Blue", "who": "agent", "label": "novice"}
    assert mine[1]["outcome"] is None and mine[1]["turn"] == 0 and mine[1]["ply"] == 0
    assert [seat["who"] for seat in mine[1]["seats"]] == ["human", "open"]
    assert Client(house).get("/api/tables") == []


def test_the_list_tells_ply_and_turn_as_the_table_does(client: Client) -> None:
    made = client.table("quoridor", "you friend friend friend", options={"players": "4"})
    tokens = [seat["token"] for seat in made["seats"]]
    seats = [client.sit(made["table"], token) for token in tokens]
    for ply in range(5):
        mover = seats[ply % 4]
        mover.await_state(lambda state, ply=ply: state["ply"] == ply and state["actions"]["move"]) if ply else None
        mover.move(mover.state["legal"][0])
        listed = client.get("/api/tables")[0]
        assert (listed["ply"], listed["turn"]) == (mover.state["ply"], mover.state["turn"]) == (ply + 1, (ply + 1) % 4)


def test_the_list_is_cheap_and_disturbs_no_clock(client: Client, house: House) -> None:
    """Nothing is loaded for it: neither games in memory nor clocks that would begin to run."""
    table = client.table("blackhole", "you friend", clock="5+3")["table"]
    house.on_loop(house.web.rooms.tidy, 0.0)
    assert client.get("/api/tables")[0]["table"] == table
    assert table not in house.web.rooms._rooms


def test_pages_come_with_a_strict_policy(client: Client) -> None:
    for path in ("/", "/new/quoridor", "/learn/own-1", "/rules/labyrinth", "/table/whatever"):
        answer = client.ask("GET", path)
        assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff" and answer.headers["referrer-policy"] == "no-referrer"
    assert "content-security-policy" in client.ask("GET", "/api/games").headers


def test_a_game_that_is_not_offered_any_more_is_left_out_of_lists(tmp_path: Path) -> None:
    with opened(tmp_path, own=(f"{EXAMPLE}:ConnectFour",)) as house:
        client = Client(house)
        assert [card["id"] for card in client.get("/api/games")][-1] == "own-1"
        table = client.table("own-1", "you friend")["table"]
        assert [game["title"] for game in client.get("/api/tables")] == ["Connect Four"]
        cookies = dict(client.http.cookies)
    with opened(tmp_path) as later:
        again = Client(later)
        again.http.cookies.update(cookies)
        assert again.get("/api/tables") == []
        answer = again.ask("GET", f"/api/tables/{table}/record")
        assert answer.status_code == 422 and "not offered" in answer.json()["error"]
