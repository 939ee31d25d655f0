"""What strangers write is never markup, never code, never the name of a file that is read."""

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web.house import Client, House, opened

SCRIPT = "<script>alert(1)</script>"
IMAGE = "<img src=x onerror=alert(1)>"
NASTY = f'''"""{SCRIPT}"""

from typing import NamedTuple


class Nim(NamedTuple):
    """{SCRIPT} {IMAGE} take one or two.

    [press](javascript:alert(1)) {IMAGE}
    """

    heap: int = 7
    STATE = [("left", "i8"), ("who", "i8")]
    MAX_MOVES = 2
    SEAT_NAMES = ("{SCRIPT}", "{IMAGE}")
    SENTENCE = "{IMAGE}"

    def start(self, s, w):
        s.left = self.heap

    def turn(self, s):
        return s.who

    def moves(self, s, w):
        n = min(2, s.left)
        for i in range(n):
            w.buf[i] = i + 1
        return n

    def play(self, s, m):
        s.left -= m
        s.who = 1 - s.who

    def over(self, s):
        return s.left == 0

    def payoff(self, s, seat):
        return 1.0 if s.who != seat else -1.0

    def move_text(self, s, m):
        return f"{SCRIPT}{{m}}"

    def position_text(self, s, seat):
        return f"{IMAGE}{{s.left}}"
'''


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("nasty")
    (folder / "nasty.py").write_text(NASTY)
    with opened(folder, own=(f"{folder / 'nasty.py'}:Nim",)) as house:
        yield house


def pictures(value: Any) -> Iterator[str]:
    """Every picture in an answer."""
    if isinstance(value, str):
        if value.lstrip().startswith("<svg"):
            yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from pictures(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from pictures(inner)


def assert_harmless(answer: Any) -> int:
    """Its pictures hold drawing and nothing that runs or loads; how many there were."""
    found = 0
    for picture in pictures(answer):
        found += 1
        for element in ElementTree.fromstring(picture).iter():
            name = re.sub(r"{.*}", "", element.tag).lower()
            assert name not in ("script", "foreignobject", "iframe", "image", "img", "a", "animate", "set", "handler"), name
            for attribute, value in element.attrib.items():
                assert not re.sub(r"{.*}", "", attribute).lower().startswith("on"), attribute
                assert "javascript:" not in value.lower() and not re.search(r"url\((?!#)", value), value
    return found


def test_a_game_file_full_of_markup_draws_none(nasty: House) -> None:
    client = Client(nasty)
    answers = [client.get("/api/games"), client.get("/api/games/own-1"), client.post("/api/games/own-1/setup", {})]
    seat = client.sit(client.table("own-1", "you you")["table"])
    while seat.state["outcome"] is None:
        answers += [seat.state, seat.ask("look", ply=seat.state["ply"])]
        seat.move(seat.state["legal"][0])
    assert sum(map(assert_harmless, [*answers, seat.state])) > 6
    assert any(SCRIPT in json.dumps(answer) for answer in answers), "the texts are there, as texts"


def test_every_game_of_the_package_draws_nothing_that_runs(client: Client) -> None:
    for game in client.get("/api/games"):
        assert assert_harmless(client.get(f"/api/games/{game['id']}"))
        seat = client.sit(client.table(game["id"], "you friend")["table"])
        assert assert_harmless(seat.state)


def test_answers_with_texts_of_strangers_are_never_pages(client: Client, nasty: House) -> None:
    """A browser that opens them shows them as what they are: JSON or plain text."""
    own = Client(nasty)
    made = own.table("own-1", "you you")
    seat = own.sit(made["table"])
    seat.move(seat.state["legal"][0])
    answers = [
        own.ask("GET", f"/api/tables/{made['table']}/record"),
        own.ask("GET", "/api/games/own-1"),
        own.ask("GET", "/api/tables"),
        client.ask("POST", "/api/games/quoridor/setup", json={"options": {SCRIPT: IMAGE}}),
        client.ask("POST", "/api/tables", json={"game": SCRIPT, "seats": [{"who": "you"}]}),
        client.ask("GET", f"/api/games/{SCRIPT}"),
        client.ask("GET", f"/{SCRIPT}"),
    ]
    for answer in answers:
        kind = answer.headers["content-type"].split(";")[0]
        assert kind in ("application/json", "text/plain") and answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert SCRIPT in answers[0].text


@pytest.mark.parametrize("text", [SCRIPT, IMAGE, '"><script>', "\x1b[31m", "\x00", "\ud800", "a\nb"])
def test_options_and_specs_are_refused_with_one_clean_line(client: Client, text: str) -> None:
    for body in (
        {"game": "labyrinth", "options": {"board": text}, "seats": [{"who": "you"}, {"who": "you"}]},
        {"game": "saboteur", "options": {"deck": text}, "seats": [{"who": "you"}, {"who": "you"}]},
        {"game": "blackhole", "options": {"size": text}, "seats": [{"who": "you"}, {"who": "you"}]},
        {"game": "blackhole", "seats": [{"who": "you"}, {"who": "agent", "spec": text}]},
        {"game": "blackhole", "seats": [{"who": "you"}, {"who": "agent", "spec": f"mcts:eval={text}"}]},
        {"game": "blackhole", "seats": [{"who": "you"}, {"who": "you"}], "clock": text[:20]},
    ):
        answer = client.ask("POST", "/api/tables", content=json.dumps(body))
        assert answer.status_code == 422, body
        assert answer.json()["error"].isprintable()


# --- code and files -----------------------------------------------------------------------------------------------------

CODE = """from pathlib import Path
Path(__file__).with_suffix(".ran").touch()
class Mine:
    def choose(self, view, limit=None):
        return view.legal_moves[0]
"""


def spec_answer(client: Client, spec: str) -> Any:
    seats = [{"who": "you"}, {"who": "agent", "spec": spec}]
    return client.ask("POST", "/api/tables", json={"game": "quoridor", "seats": seats})


def test_no_code_is_named_over_the_network(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(CODE)
    for spec in (
        f"{file}:Mine",
        f"engine:cmd={file}",
        "engine:sh",
        "engine",
        "os:system",
        "daedalus.agents:Random",
        f"mcts:eval={file}:Mine",
        f"mcts:rollout={file}:Mine",
        f"greedy:eval={file}:Mine",
        "antigravity:Mine",
    ):
        assert spec_answer(client, spec[:120]).status_code == 422, spec
    assert not file.with_suffix(".ran").exists()


def test_the_owner_can_allow_code(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(CODE)
    with opened(tmp_path, allow_code=True) as house:
        assert spec_answer(Client(house), f"{file}:Mine").status_code == 200
        assert spec_answer(Client(house), f"{tmp_path / 'none.py'}:Mine").status_code == 422
    assert file.with_suffix(".ran").exists()


@pytest.mark.parametrize("level", ["novice", "club", "strong", "expert", "random", "mcts:simulations=1000", "greedy"])
def test_levels_and_known_agents_may_be_named(client: Client, level: str) -> None:
    assert spec_answer(client, level).status_code == 200


@pytest.mark.parametrize(
    "spec",
    [
        "mcts:seconds=11",
        "mcts:simulations=1000000000",
        "mcts:threads=64",
        "expert:seconds=3600",
        "alphabeta:table=40",
        "mcts:seconds=nan",
    ],
)
def test_an_agent_may_not_take_more_than_is_allowed(client: Client, spec: str) -> None:
    assert spec_answer(client, spec).status_code == 422


def test_whether_a_file_exists_is_not_told(client: Client, tmp_path: Path) -> None:
    """Options that the owner may give as a file are refused to strangers, in the same words whether it is there or not."""
    there, folder = tmp_path / "a.txt", tmp_path / "b"
    there.write_text("0,4\n")
    folder.mkdir()
    for game, option in (("saboteur", "deck"), ("labyrinth", "board")):
        said = set()
        for path in (there, folder, tmp_path / "c.txt", Path("/root/.bashrc"), Path("/nonexistent/x")):
            answer = client.ask("POST", f"/api/games/{game}/setup", json={"options": {option: str(path)}})
            assert answer.status_code == 422
            said.add(answer.json()["error"].replace(str(path), "PATH"))
        assert len(said) == 1 and "files are not read" in said.pop()


@pytest.mark.parametrize(
    "game, options",
    [
        ("labyrinth", {"board": "5x5"}),
        ("labyrinth", {"board": "random", "rows": "1,3", "columns": "all"}),
        ("saboteur", {"deck": "4,1,1,1,1,4,5,5,5,5,3,1,1,1,1,1,6,2,4,3"}),
        ("saboteur", {"deck": "usual"}),
    ],
)
def test_texts_that_name_no_file_are_taken(client: Client, game: str, options: dict[str, str]) -> None:
    assert client.post(f"/api/games/{game}/setup", {"options": options})["seats"]
