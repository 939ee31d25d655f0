"""Whatever a file, a store, a text or an engine holds: it is read, or refused by one error of our family in one bounded line."""

import json
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import daedalus
from daedalus import DaedalusError, Limit, Position, arena
from daedalus.agents.engine import Engine
from daedalus.agents.engine_dialogue import Dialogue
from daedalus.agents.engine_server import serve
from daedalus.arena.openings import read_openings
from daedalus.arena.report import json_of, report_of
from daedalus.arena.rows import check_settings, read_game, read_run
from daedalus.core.options import make, parsed
from daedalus.core.printable import LINE, printable, printable_error, visible, visible_values
from daedalus.core.record import Record, Remark, read_records
from daedalus.core.registry import find
from daedalus.studies import StudyRequest
from daedalus.studies.spec import read_design

FUZZ = settings(
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)
GAMES = ["blackhole", "quoridor", "colosseum", "saboteur", "labyrinth"]

# What terminals obey, what no encoding takes, numbers that are too large, and texts that are too long.
NASTY = ["\x1b[31m", "\x1b]0;x\x07", "\x9b2J", "\ud800", "\u202e", "\u200b", "\0", "\r", "\x85", "9" * 5000, "-1", "1e400"]
NASTY += ["nan", "inf", "٣", "²", "x" * 20_000, "", "/", ";", ":", "|", ",", "?", "=", "'", '"', "[", "{", "../", "%s"]
SCRAPS = st.sampled_from(NASTY) | st.text(max_size=5)


@st.composite
def damaged(draw: Callable[..., Any], sounds: list[str]) -> str:
    """One of some sound texts with a piece of it gone, doubled, or something nasty in its place; once or twice."""
    text = draw(st.sampled_from(sounds))
    for _ in range(draw(st.integers(1, 2))):
        start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        if draw(st.booleans()):
            end = min(len(text), start + 1)
        piece = draw(SCRAPS | st.just(text[start:end] * 2))
        text = text[:start] + piece + text[end:]
    return text


def refused(read: Callable[[], Any]) -> str | None:
    """What the refusal says; None if it was read. Any error but ours passes through and fails the test."""
    try:
        read()
    except DaedalusError as error:
        said = str(error)
        assert said and said.isprintable() and len(said) <= LINE
        return said
    return None


# --- text -----------------------------------------------------------------------------------------------------------


@FUZZ
@given(st.text(st.characters(), max_size=700) | st.sampled_from(NASTY))
def test_any_text_becomes_one_bounded_line_that_can_be_printed_and_kept(text: str) -> None:
    for line in (printable(text), printable(text, 20), visible(text), visible(text, 20)):
        assert line.isprintable() and line.encode() is not None
    assert len(printable(text)) <= LINE and len(printable(text, 20)) <= 20 and len(visible(text, 20)) <= 20
    assert printable(printable(text)) == printable(text) and visible(visible(text)) == visible(text)


def test_what_cannot_be_printed_is_spelled_out_and_the_rest_stays() -> None:
    assert visible("\x1b[31mred\ud800 \u202ex\ny") == "\\x1b[31mred\\ud800 \\u202ex\\ny"
    assert printable("a\n\tb  c\u2028d") == "a b c d" and visible("é ü 漢 ♟") == "é ü 漢 ♟"


def test_an_error_whose_text_fails_says_nothing() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no")

    assert printable_error(Mute()) == "" and printable_error(ValueError("a\x1bb")) == "a\\x1bb"


def test_values_nested_too_deeply_are_refused() -> None:
    deep: Any = "x"
    for _ in range(30):
        deep = [deep]
    with pytest.raises(ValueError, match="deep"):
        visible_values(deep)
    assert visible_values({"a\x1b": ["\ud800", 1, None]}) == {"a\\x1b": ["\\ud800", 1, None]}


# --- games, positions, moves, options, limits ------------------------------------------------------------------------


def some_positions(name: str) -> list[Position]:
    position, chance = daedalus.new(name, seed=1), random.Random(1)
    found = [position.copy()]
    while position.legal_moves and len(position.history) < 12:
        position.push(chance.choice(position.legal_moves.codes))
        found.append(position.copy())
    return [*found[::4], found[-1].view()]


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_position_or_move_is_read_or_refused(name: str) -> None:
    positions = some_positions(name)
    moves = [str(move) for position in positions for move in position.legal_moves[:5]]

    @FUZZ
    @given(damaged([position.text for position in positions]), damaged(moves))
    def check(text: str, move: str) -> None:
        refused(lambda: Position.from_text(positions[0].game, text))
        for position in positions[:2]:
            refused(lambda position=position: position.copy().push(move))  # type: ignore[misc]

    check()


OPTIONS = {
    "blackhole": ["size=7 hole=pass", "cap=5 repetition=3"],
    "quoridor": ["size=5 walls=3", "size=9"],
    "colosseum": ["size=6", "size=12"],
    "saboteur": ["deck=5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,6,2,2,2", "maps=3"],
    "labyrinth": ["board=9x9 rows=1,3 columns=all", "board=L1aL3b/I0RI0Y/L3A/1/0,1 open=yes", "goals=any cap=7"],
}


@pytest.mark.parametrize("name", GAMES)
def test_damaged_options_are_read_or_refused(name: str) -> None:
    rules = find(name).rules
    values = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.lists(st.integers(), max_size=3)

    @FUZZ
    @given(damaged(OPTIONS[name]), values)
    def check(text: str, value: Any) -> None:
        refused(lambda: make(rules, parsed(text)))
        for option in parsed(OPTIONS[name][0]):
            refused(lambda option=option: make(rules, {option: value}))  # type: ignore[misc]

    check()


@FUZZ
@given(damaged(["seconds=1,simulations=1000", "depth=5,first=30", "course"]))
@example("simulations=" + "9" * 40)
@example("seconds=1e300")
def test_a_damaged_limit_is_read_or_refused(text: str) -> None:
    refused(lambda: Limit.parse(text))


@pytest.mark.parametrize("bad", [True, "5", 10**30, float("nan"), float("inf"), 1e12, 0, [1]])
def test_a_limit_is_a_number_that_clocks_and_kernels_take(bad: Any) -> None:
    assert refused(lambda: Limit(seconds=bad))


@FUZZ
@given(damaged(["greedy", "random", "alphabeta:depth=3", "engine:./x --y", "mc:simulations=5", "x.py:Class,key=1"]))
def test_a_damaged_spec_is_read_or_refused(text: str) -> None:
    refused(lambda: daedalus.agent(text, daedalus.game("blackhole")))


# --- records ----------------------------------------------------------------------------------------------------------


def test_nothing_in_a_record_reaches_a_terminal_as_a_command() -> None:
    text = (
        '[Game "blackhole"]\n[Seed "1"]\n[Seat0 "\\u001b[31mred"]\n[Seat1 "\\ud800"]\n[Result "*"]\n[Reason "a\\nb\\u202e"]\n\n'
        '1. "\\u009b2J" {"\\u001b]0;title\\u0007 \\udfff"}\n*\n'
    )
    record = Record.parse(text)
    told = [*record.tags.values(), *record.moves, *(remark.text for remark in record.remarks if remark), record.text[:-1]]
    assert all(line.isprintable() for words in told for line in words.split("\n"))
    assert record.players == ["\\x1b[31mred", "\\ud800"] and record.tags["Reason"] == "a\\nb\\u202e"
    assert Record.parse(record.text) == record
    json.dumps(record.tags, ensure_ascii=False).encode()
    assert "\x9b" not in (refused(record.replay) or "\x9b")


def test_long_words_of_a_record_are_cut() -> None:
    record = Record({"Game": "x", "Reason": "y" * 10**6}, ["a"], [Remark(text="z" * 10**6)])
    assert len(record.tags["Reason"]) == 1000 and record.remarks[0] is not None and len(record.remarks[0].text) == 1000


def test_damaged_records_are_read_or_refused() -> None:
    position = some_positions("blackhole")[2]
    sound = Record.from_position(position, ["human", "mcts"], Limit(seconds=1), [Remark(0.1, 0.5, 3, "so")]).text

    @FUZZ
    @given(damaged([sound]))
    def check(text: str) -> None:
        refused(lambda: Record.parse(text).replay())

    check()


def test_a_record_whose_name_no_file_has_is_refused() -> None:
    for name in ("a\0b", "x" * 5000, "\ud800"):
        assert refused(lambda name=name: list(read_records(name)))  # type: ignore[misc]


# --- code that a record names -------------------------------------------------------------------------------------------


EVIL = """
from pathlib import Path
Path(__file__).with_name("ran").touch()
"""


@pytest.mark.parametrize("place", ["{}/mine.py:Game", "evil_module:Game"])
def test_the_code_that_a_record_names_runs_only_if_allowed(place: str, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "mine.py").write_text(EVIL)
    (tmp_path / "evil_module.py").write_text(EVIL)
    monkeypatch.syspath_prepend(str(tmp_path))
    record = Record({"Game": place.format(tmp_path), "Seed": "1", "Result": "*"})
    for look in (record.replay, record.start, lambda: record.game, lambda: list(record.positions())):
        with pytest.raises(daedalus.UntrustedCode, match=r"--allow-code"):
            look()
    assert refused(record.replay) and not (tmp_path / "ran").exists()
    with pytest.raises(daedalus.InvalidRecord):  # it runs, and then there is no such class in it
        record.replay(allow_code=True)
    assert (tmp_path / "ran").exists()


def test_a_game_that_this_process_has_loaded_needs_no_word(tmp_path: Path) -> None:
    source = Path(__file__).with_name("highcard.py").read_text()
    (tmp_path / "mine.py").write_text(source)
    record = Record({"Game": f"{tmp_path}/mine.py:HighCard", "Seed": "1", "Result": "*"})
    assert refused(record.replay)
    daedalus.new(record.tags["Game"], seed=1)
    assert record.replay().name == record.tags["Game"]


def test_a_served_request_runs_no_code(tmp_path: Path) -> None:
    import io

    (tmp_path / "mine.py").write_text(EVIL)
    request = json.dumps({"type": "move", "id": [[[]]], "game": f"{tmp_path}/mine.py:Game", "position": "\ud800"})
    for allow_code in (False, True):
        replies = io.StringIO()
        serve(daedalus.agent("random"), [request], replies, allow_code=allow_code)
        answer = json.loads(replies.getvalue())
        assert answer["type"] == "error" and answer["id"] is None
        assert (tmp_path / "ran").exists() == allow_code


# --- files ------------------------------------------------------------------------------------------------------------


DECK = "card,count\n# a comment\n0,4\n6,5\ntile:7,5\nmap,6\nmalus,2\n"
BOARD = "3 3\nL1R I1A L2Y\nT3a I0b T1c\nL0G I1d L3B\nI0A\n0 1 2\n0 1 2\n"
OPENINGS = '# openings\n1. b4-b3 a1-a4 2. d4-b4\n"b4-b3"\n'
STUDY = (Path(__file__).parent.parent / "src/daedalus/games/colosseum/study.toml").read_text(encoding="utf-8")
VALUES = ["5", "-5", "[]", "{}", "nan", "inf", '"x"', "true", "1979-05-27", "[[[[]]]]", "9" * 5000, "1e400", '"\\u001b"', '""']


@pytest.mark.parametrize(
    ("sound", "read"),
    [
        (DECK, lambda path: daedalus.game("saboteur", deck=str(path))),
        (BOARD, lambda path: daedalus.game("labyrinth", board=str(path))),
        (OPENINGS, lambda path: read_openings(path, daedalus.game("blackhole", hole="pass"))),
    ],
    ids=["deck", "board", "openings"],
)
def test_a_damaged_file_is_read_or_refused(sound: str, read: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(sound)
    assert refused(lambda: read(path)) is None

    @FUZZ
    @given(damaged([sound]))
    def check(text: str) -> None:
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        refused(lambda: read(path))

    check()
    for nothing in (tmp_path, tmp_path / "none", Path("a\0b"), tmp_path / ("x" * 5000)):
        assert refused(lambda nothing=nothing: read(nothing))  # type: ignore[misc]


def test_a_damaged_study_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    lines = STUDY.splitlines()
    told = [number for number, line in enumerate(lines) if " = " in line]

    @FUZZ
    @given(st.sampled_from(told), st.sampled_from(VALUES) | st.text(max_size=3), damaged([STUDY]))
    def check(number: int, value: str, text: str) -> None:
        name = lines[number].partition(" = ")[0]
        for whole in ("\n".join([*lines[:number], f"{name} = {value}", *lines[number + 1 :]]), text):
            path.write_bytes(whole.encode("utf-8", "surrogatepass"))
            refused(lambda: read_design(path).wanted(StudyRequest(quick=True)))

    check()
    path.write_text("a = " + "[" * 5000)
    assert refused(lambda: read_design(path))
    assert refused(lambda: read_design(Path("a\0b.toml")))


# --- stores -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a match of two games and a tournament."""
    path = tmp_path_factory.mktemp("store") / "arena.sqlite"
    arena.match("blackhole", "random", "random", games=2, workers=1, db=path, name="pair", sprt=(0, 10))
    arena.tournament("blackhole", ["random", "greedy"], games=2, workers=1, db=path, name="all", anchor=("random", 0))
    return path


def reported(path: Path) -> None:
    """Everything that shows a run."""
    for info in arena.list_runs(path):
        run = arena.load_run(info.name, path)
        json.dumps(json_of(run), ensure_ascii=False).encode()
        report = report_of(run)
        for text in (report.title, *report.texts, *report.facts.values()):
            assert text.isprintable()
        json.dumps(run.rows(), ensure_ascii=False).encode()


def test_an_agent_that_fails_with_a_hostile_text_breaks_no_report(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "class Bad:\n    def choose(self, view, limit=None):\n        raise ValueError('\\x1b[31m\\ud800 ' + 'x' * 5000)\n"
    )
    path = tmp_path / "arena.sqlite"
    result = arena.match("blackhole", f"{tmp_path}/bad.py:Bad", "random", games=2, workers=1, db=path, name="bad")
    reported(path)
    forfeit = result.results[0].forfeit
    assert forfeit is not None and forfeit[1].startswith("failed: ValueError: \\x1b[31m\\ud800 xxx") and len(forfeit[1]) <= LINE
    result.results[0].record.encode()


JSONS = [*map(json.dumps, [None, 5, "x", [], {}, [None, None], ["\ud800", "\x1b"], [1e400, 0], [9, 9], [0, 0, 0], True])]
JSONS += ["", "{", "[NaN, 0]", "[" * 5000, "[0, 1e999]", f"[{'9' * 5000}, 0]"]
OTHERS = [None, -1, 2**62, 0.5, "x", "\x1b[31m", b"\xff", ""]


def test_a_store_edited_by_hand_is_read_or_refused(store: Path, tmp_path: Path) -> None:
    reported(store)
    source = sqlite3.connect(store)
    columns = {
        table: [row[1] for row in source.execute(f"pragma table_info({table})") if row[1] not in ("id", "run")]
        for table in ("runs", "games")
    }
    source.close()
    original = store.read_bytes()
    copy, chance = tmp_path / "copy.sqlite", random.Random(1)
    places, verdicts = [(table, column) for table, names in columns.items() for column in names], []
    for table, column in places:
        for value in chance.sample(JSONS, 4) + chance.sample(OTHERS, 2):
            copy.write_bytes(original)
            damage(copy, f"update or ignore {table} set {column} = ?", value)
            verdicts.append(refused(lambda: reported(copy)))
    assert len([verdict for verdict in verdicts if verdict]) > len(verdicts) / 2


def damage(path: Path, statement: str, value: Any) -> None:
    database = sqlite3.connect(path)
    database.execute("pragma writable_schema = on")
    database.execute("update sqlite_master set sql = replace(sql, ' NOT NULL', '') where type = 'table'")
    database.commit()
    database.close()
    database = sqlite3.connect(path)
    with database:
        database.execute(statement, (value,))
    database.close()
    for rest in ("-wal", "-shm"):
        Path(f"{path}{rest}").unlink(missing_ok=True)


def test_settings_that_are_missing_or_of_another_kind_are_refused(store: Path, tmp_path: Path) -> None:
    for info in arena.list_runs(store):
        for name in info.settings:
            for change in ({}, {name: {}}, {name: [[]]}, {name: float("nan")}):
                settings_ = {key: value for key, value in info.settings.items() if key != name} | change
                row = dict(vars(info)) | {"settings": settings_}
                refused(lambda row=row: check_settings(read_run(row)))  # type: ignore[misc]
    info = next(info for info in arena.list_runs(store) if info.name == "pair")
    for missing in ("specs", "games"):
        rest = {name: value for name, value in info.settings.items() if name != missing}
        with pytest.raises(DaedalusError, match=f"run 'pair' is damaged in the store: its {missing} is missing"):
            check_settings(read_run(dict(vars(info)) | {"settings": rest}))


def test_a_result_that_cannot_be_is_refused(store: Path) -> None:
    info = arena.list_runs(store)[0]
    result = arena.load_run(info.name, store).results[0]
    row = {name: list(value) if isinstance(value, tuple) else value for name, value in result.row().items()}
    assert read_game(row, info).payoffs == result.payoffs
    for change in (
        {"payoffs": [float("nan"), 0]},
        {"payoffs": [2, -2]},
        {"payoffs": [1]},
        {"seats": [0, 7]},
        {"seats": []},
        {"wall": [-1, 0]},
        {"moves": [True, 1]},
        {"forfeit": [5, "x"]},
        {"forfeit": "late"},
        {"record": None},
        {"number": "1"},
    ):
        assert refused(lambda change=change: read_game(row | change, info)), change  # type: ignore[misc]
    assert read_game(row | {"forfeit": [0, "\x1b[31m\ud800"]}, info).forfeit == (0, "\\x1b[31m\\ud800")


# --- engines ------------------------------------------------------------------------------------------------------------


class Recited:
    """A child that says what the test tells it to."""

    last_words, pid = "", 0

    def __init__(self, *lines: bytes) -> None:
        self.lines = list(lines)

    def send(self, line: bytes) -> None: ...

    def receive(self, seconds: float) -> bytes:
        return self.lines.pop(0) if self.lines else b""

    def stop(self, grace: float = 0.0) -> int:
        return 0


def asked(*lines: bytes) -> daedalus.Thought:
    engine = Engine("recited")
    engine._dialogue = Dialogue(Recited(*lines))  # type: ignore[arg-type]
    return engine.choose(daedalus.new("blackhole", seed=1).view(), Limit(seconds=5))


VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from([*NASTY, "a5-d5", "move", "info"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["move", "value", "note", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = ["type", "id", "move", "value", "simulations", "depth", "line", "candidates", "note", "message"]


@FUZZ
@given(
    st.dictionaries(st.sampled_from(FIELDS), VALUE, max_size=4),
    st.sampled_from(["move", "info", "error"]),
    damaged(['{"a": 1}']),
)
def test_whatever_an_engine_says_is_a_thought_or_a_failure(told: dict[str, Any], kind: str, text: str) -> None:
    message = {"type": kind, "id": 1, "move": "a5-d5"} | told
    line = json.dumps(message).encode()
    final = b'{"type": "move", "id": 1, "move": "a5-d5"}'

    def ask(*lines: bytes) -> None:
        thought = asked(*lines)
        for words in (*thought.line, thought.note, *(candidate.note for candidate in thought.candidates)):
            assert words.isprintable() and len(words) <= 1000

    refused(lambda: ask(line, final))
    refused(lambda: ask(text.encode("utf-8", "surrogatepass"), final))


@pytest.mark.parametrize(
    "said",
    [
        '"value": 1e400',
        f'"value": {"9" * 5000}',
        '"value": true',
        '"id": true',
        '"note": [[1]]',
        '"line": [[[["x"]]]]',
        f'"candidates": {"[" * 900}{"]" * 900}',
        f'"depth": {"[" * 900}{"]" * 900}',
    ],
)
def test_an_engine_that_tells_no_number_or_text_fails(said: str) -> None:
    assert refused(lambda: asked(b'{"type": "move", "id": 1, "move": "a5-d5", %s}' % said.encode()))


def test_what_an_engine_tells_can_be_printed_kept_and_is_bounded() -> None:
    told = {"note": "\x1b[31m\ud800" * 1000, "line": ["\x9b2J"] * 9999, "candidates": [{"move": "a5-d5", "note": "\0"}] * 9999}
    thought = asked(json.dumps({"type": "move", "id": 1, "move": "a5-d5"} | told).encode())
    assert thought.note.isprintable() and len(thought.note) == 1000
    assert thought.line == ("\\x9b2J",) * 1000 and len(thought.candidates) == 1000 and thought.candidates[0].note == "\\x00"
