"""Records: every game comes back as it was, and whatever a file holds, the answer is records or a clear refusal."""

import contextlib
import io
import multiprocessing
import os
import random
import re
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import daedalus
from daedalus.core.agent import Thought
from daedalus.core.errors import DaedalusError, InvalidRecord
from daedalus.core.limits import Limit
from daedalus.core.position import Position
from daedalus.core.record import Record, Remark, append_record, read_records

RULES = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


HIGHCARD = f"{Path(__file__).with_name('highcard.py')}:HighCard"


def played(seed: int, plies: int, game: str = "blackhole", **options: Any) -> daedalus.Position:
    """A random game of so many plies, or until it ends."""
    position, choice = daedalus.new(game, seed=seed, **options), random.Random(seed)
    while position.legal_moves and len(position.history) < plies:
        position.push(choice.choice(position.legal_moves.codes))
    return position


@pytest.fixture
def two() -> tuple[str, list[Record]]:
    """A file of two records with remarks, and the records."""
    first = Record.from_position(played(1, 400, hole="pass"), ["human", "mcts:seconds=1"], Limit(seconds=1))
    first.remarks[0] = Remark(0.02, 0.31, 1200, 'a "quoted" {remark}\n')
    second = Record.from_position(played(2, 5), tags={"Event": "ü \\ ] \r\n"}, remarks=[None, Remark(1.5)])
    return first.text + "\n" + second.text, [first, second]


def test_the_record_of_a_short_game_reads_as_documented() -> None:
    position = daedalus.new("blackhole", hole="pass", seed=17)
    for move in ("b4-b3", "a1-a4"):
        position.push(move)
    remarks = [Remark(0.02, 0.31, 1200), None]
    record = Record.from_position(position, ["human", "mcts:seconds=1"], Limit(seconds=1), remarks, {"Date": "2026-11-15"})
    version = daedalus.__version__
    assert record.text == (
        '[Game "blackhole"]\n[Options "hole=pass"]\n[Seed "17"]\n[Seat0 "human"]\n[Seat1 "mcts:seconds=1"]\n'
        f'[Limit "seconds=1"]\n[Result "*"]\n[Date "2026-11-15"]\n[Version "{version}"]\n\n'
        "1. b4-b3 {0.02s +0.31 n=1200} a1-a4\n*\n"
    )


@RULES
@given(
    seed=st.integers(0, 2**48),
    plies=st.integers(0, 120),
    size=st.sampled_from([5, 7, 9]),
    hole=st.sampled_from(["stop", "pass"]),
    repetition=st.integers(0, 4),
    cap=st.integers(1, 100),
)
def test_a_random_game_replays_bit_for_bit(seed: int, plies: int, size: int, hole: str, repetition: int, cap: int) -> None:
    position = played(seed, plies, size=size, hole=hole, repetition=repetition, cap=cap)
    again = Record.parse(Record.from_position(position).text).replay()
    assert again.bits == position.bits and again.history == position.history
    assert again.outcome() == position.outcome() and again.game == position.game


def test_positions_are_the_start_and_the_position_after_each_move() -> None:
    position = played(3, 20)
    found = list(Record.from_position(position).positions())
    assert len(found) == 21 and found[0].bits == daedalus.new("blackhole").bits and found[-1].bits == position.bits
    assert [len(step.history) for step in found] == list(range(21))


def test_a_users_hidden_game_replays_from_its_file_and_seed_and_its_odd_move_texts_survive() -> None:
    for seed in range(20):
        position = played(seed, 99, HIGHCARD, cards=12)
        record = Record.parse(Record.from_position(position).text)
        assert record.tags["Game"] == HIGHCARD and record.replay().bits == position.bits
        assert record.payoffs == position.outcome().payoffs  # type: ignore[union-attr]
        assert record.moves == [
            move.text.replace("\n", "\\n") for move in position.history
        ]  # what breaks a line is spelled out


def test_a_view_of_a_hidden_game_has_no_record() -> None:
    with pytest.raises(InvalidRecord, match="true deal"):
        Record.from_position(played(1, 2, HIGHCARD).view())


def test_a_setup_position_replays() -> None:
    game = daedalus.game("blackhole", hole="pass")
    position = daedalus.Position.from_text(game, "R..../.R.R./..*../.B.B./B...B B")
    position.push(position.legal_moves[0])
    record = Record.parse(Record.from_position(position).text)
    assert "Seed" not in record.tags and record.replay().bits == position.bits


TAGS = st.dictionaries(st.text(string.ascii_letters + string.digits + "_", min_size=1), st.text(), max_size=5)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
REMARKS = st.none() | st.builds(
    Remark,
    st.none() | st.floats(0, 1e300),
    st.none() | FINITE,
    st.none() | st.integers(0, 10**18 - 1),
    st.text() | st.sampled_from(["0.5s", "+1", "n=3", "1. a", '"', "}", "{", "\\", " x ", "\ud800", "\x85", "\u2028"]),
)
RESULTS = st.just("*") | st.lists(st.floats(-1, 1), min_size=1, max_size=4).map(lambda found: " ".join(map(str, found)))


@RULES
@given(TAGS, RESULTS, st.lists(st.tuples(st.text() | st.sampled_from(["1.", "*", "-1", "1", "2."]), REMARKS)))
def test_any_tags_moves_and_remarks_round_trip(
    tags: dict[str, str], result: str, moves: list[tuple[str, Remark | None]]
) -> None:
    told = {"Game": tags.pop("Game", "x")} | tags | {"Result": result}
    record = Record(told, [move for move, _ in moves], [remark for _, remark in moves])
    again = Record.parse(record.text)
    assert again == record and list(again.tags) == list(record.tags)
    assert list(read_records(io.StringIO(record.text.replace("\n", "\r\n") + "\n; end\n\n" + record.text))) == [record, record]


def test_a_remark_takes_free_words_and_a_thought() -> None:
    position = daedalus.new("blackhole")
    assert Remark.parse("0.5s a fine move") == Remark(0.5, None, None, "a fine move")
    assert Remark.parse("yes n=2") == Remark(text="yes n=2")
    thought = Thought(position.legal_moves[0], value=0.123456, simulations=7, seconds=0.01234)
    assert Remark.of(thought) == Remark(0.012, 0.1235, 7)
    assert Remark.of(Thought(position.legal_moves[0], value=float("nan"))) == Remark(0.0)
    with pytest.raises(InvalidRecord, match="seconds"):
        Remark(seconds=-1)


def test_a_resigned_game_keeps_its_result_and_reason() -> None:
    record = Record.from_position(played(1, 4), result=(-1.0, 1.0), reason="Red resigned")
    assert (record.result, record.tags["Reason"]) == ("-1 1", "Red resigned")
    assert record.replay().outcome() is None


def test_a_record_tells_whether_its_game_has_ended() -> None:
    assert not Record.from_position(played(1, 4)).finished
    assert Record.from_position(played(1, 4), result=(-1.0, 1.0), reason="Red resigned").finished
    assert Record.from_position(played(1, 400, hole="pass")).finished


def test_the_result_must_be_the_one_on_the_board() -> None:
    position = played(1, 400, hole="pass")
    outcome = position.outcome()
    assert outcome is not None and outcome.winner is not None
    wrong = tuple(-payoff for payoff in outcome.payoffs)
    with pytest.raises(InvalidRecord, match="on the board"):
        Record.from_position(position, result=wrong)
    record = Record.from_position(position)
    assert record.tags["Reason"] == outcome.reason
    for lie in (" ".join(str(int(payoff)) for payoff in wrong), "*", "0 0"):
        record.tags["Result"] = lie
        with pytest.raises(InvalidRecord, match="on the board"):
            record.replay()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"Game": "chess"}, "unknown game"),
        ({"Game": "nowhere.py:Class"}, "no file"),
        ({"Options": "size=6"}, "5|7|9"),
        ({"Options": "name=6"}, "game 'blackhole'"),
        ({"Options": "size"}, "name=value"),
        ({"Seed": "x"}, "whole number"),
        ({"Setup": "R B"}, "Seed or a Setup"),
        ({"Seed": ""}, "whole number"),
        ({"Result": "1 0 0"}, "2 seats"),
    ],
)
def test_a_record_that_cannot_be_replayed_says_why(change: dict[str, str], reason: str) -> None:
    record = Record.from_position(played(1, 4))
    record.tags.update(change)
    with pytest.raises(InvalidRecord, match=re.escape(reason)):
        Record.parse(record.text).replay()


def test_an_illegal_move_is_named_with_its_ply() -> None:
    record = Record.from_position(played(1, 4))
    for wrong in ("e9", "a1-a1", "\0", "", "x" * 10_000):
        record.moves[2] = wrong
        with pytest.raises(InvalidRecord, match="ply 3: "):
            record.replay()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there is no record"),
        ("\n; nothing\n", "there is no record"),
        ("1. a5-d5\n*\n", "line 1: a record begins with its game"),
        ('[Seed "1"]\n[Game "x"]\n', "line 1: a record begins with its game"),
        ('[Game "x]\n', "line 1: a tag is written"),
        ('[Game "x"]\n[Game "x"]\n[Result "*"]\n*\n', "line 1: the record that begins here is cut off"),
        ('[Game "x"]\n[Seed "1"]\n[Seed "1"]\n', "line 3: the tag Seed is here twice"),
        ('[Game "x"]\n\n1. a\n', "line 3: the tag Result is missing"),
        ('[Game "x"]\n[Result "*"]\n\n1. a\n[Seed "1"]\n*\n', "line 5: the tag Seed stands among the moves"),
        ('[Game "x"]\n[Result "*"]\n\n1. a {b\n*\n', "line 4: neither a move nor a comment"),
        ('[Game "x"]\n[Result "*"]\n\n1. {b}\n*\n', "line 4: a comment follows its move"),
        ('[Game "x"]\n[Result "*"]\n\n1. a b 3. c\n*\n', "line 4: round 3 where round 2 was due"),
        ('[Game "x"]\n[Result "win"]\nwin\n', "line 3: a result is a number"),
        ('[Game "x"]\n[Result "nan 2"]\nnan 2\n', "line 3: a result is a number"),
        ('[Game "x"]\n[Result "*"]\n\n1. a\n1 0\n', "line 1: the record that begins here is cut off"),
        ('[Game "x"]\n[Result "*"]\n*\nmore\n', "line 4: a record ended above"),
        ('[Game "x"]\n[Result "*"]\n*\n[Game "x"]\n[Result "*"]\n*\n', "2 records where one"),
        ('[Game "\ud800"]\n', "not UTF-8"),
        ('[Game "\\q"]\n', "not a string in quotes"),
    ],
)
def test_a_damaged_text_is_refused_with_line_and_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidRecord, match=re.escape(reason)):
        Record.parse(text)


def test_windows_lines_a_byte_order_mark_blank_lines_and_comments_are_read(
    tmp_path: Path, two: tuple[str, list[Record]]
) -> None:
    text, records = two
    path = tmp_path / "games.txt"
    path.write_bytes(b"\xef\xbb\xbf; from another machine\r\n\r\n" + text.replace("\n", "\r\n\r\n").encode())
    assert list(read_records(path)) == records
    with open(path, encoding="utf-8-sig") as stream:
        assert list(read_records(stream)) == records


def test_a_file_cut_at_any_byte_gives_whole_records_or_a_refusal(tmp_path: Path, two: tuple[str, list[Record]]) -> None:
    text, records = two
    data, path = text.encode(), tmp_path / "games.txt"
    first_end = len(records[0].text.encode()) - 1
    for size in range(len(data)):
        path.write_bytes(data[:size])
        whole = records[: (size >= first_end) + (size >= len(data) - 1)]
        assert list(read_records(path, damaged="skip")) == whole
        try:
            assert list(read_records(path)) == whole
        except InvalidRecord as error:
            assert re.match(re.escape(str(path)) + r", line \d+: ", str(error))
            assert size < first_end or size > first_end + 2


def test_appending_after_a_cut_keeps_all_whole_records(tmp_path: Path, two: tuple[str, list[Record]]) -> None:
    text, records = two
    data, path = text.encode(), tmp_path / "games.txt"
    first_end = len(records[0].text.encode()) - 1
    for size in range(0, len(data), 7):
        path.write_bytes(data[:size])
        append_record(path, records[1])
        assert list(read_records(path, damaged="skip")) == [*records[: size >= first_end], records[1]]


def test_every_damaged_byte_gives_records_or_a_refusal(tmp_path: Path, two: tuple[str, list[Record]]) -> None:
    data, path, noise = two[0].encode(), tmp_path / "games.txt", random.Random(1)
    for place in range(len(data)):
        path.write_bytes(data[:place] + noise.randbytes(1) + data[place + 1 :])
        assert len(list(read_records(path, damaged="skip"))) <= 2
        with contextlib.suppress(InvalidRecord):
            for record in read_records(path):
                record.replay()


def test_files_that_are_no_records_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "noise"
    for seed in range(20):
        path.write_bytes(random.Random(seed).randbytes(10_000))
        with pytest.raises(InvalidRecord, match=r"noise, line \d+: "):
            list(read_records(path))
        assert list(read_records(path, damaged="skip")) == []
    for nothing, reason in [(tmp_path, "directory"), (tmp_path / "none", "No such file"), ("a\0b", "no such file")]:
        with pytest.raises(InvalidRecord, match=reason):
            list(read_records(nothing))


@RULES
@given(st.text() | st.text('[]"{}\\ \n1.*-aGme'))
def test_no_text_raises_anything_else(text: str) -> None:
    for whole in (text, '[Game "x"]\n[Result "*"]\n' + text, f'[Game "x"]\n[Result "*"]\n1. a {{{text}}}\n*'):
        with contextlib.suppress(InvalidRecord):
            Record.parse(whole)


def test_long_hostile_lines_are_refused_at_once() -> None:
    for line in ('{"' * 50_000, '"' * 99_999, "{" * 99_999, '1. a {"' + '\\"' * 50_000, "9" * 99_999 + "."):
        with pytest.raises(InvalidRecord):
            Record.parse(f'[Game "x"]\n[Result "*"]\n{line}\n*\n')


def _append_many(path: str, seed: int) -> None:
    record = Record({"Game": "x", "Writer": str(seed), "Result": "*"}, ["a"] * 500)
    for _ in range(20):
        append_record(path, record)


def test_several_processes_append_to_one_file_and_lose_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "new" / "games.txt")
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_append_many, args=(path, seed)) for seed in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    found = [record.tags["Writer"] for record in read_records(path)]
    assert sorted(found) == sorted("012" * 20)


def _append_until_killed(path: str, done: Any) -> None:
    record = Record({"Game": "x", "Result": "*"}, ["a"] * 5000)
    while True:
        append_record(path, record)
        done.release()


def test_a_killed_writer_leaves_whatever_it_had_finished(tmp_path: Path) -> None:
    path = str(tmp_path / "games.txt")
    context = multiprocessing.get_context("spawn")
    done, appended = context.Semaphore(0), 0
    for _ in range(3):
        writer = context.Process(target=_append_until_killed, args=(path, done))
        writer.start()
        for _ in range(5):
            done.acquire()
        writer.kill()
        writer.join()
        appended += 5
        while done.acquire(block=False):
            appended += 1
    assert appended <= len(list(read_records(path, damaged="skip"))) <= appended + 3


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.txt"
    record = Record({"Game": "x", "Result": "*"}, ["a"])
    append_record(path, record)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DaedalusError, match="No space left"):
        append_record(path, record)
    assert list(read_records(path)) == [record]
    with pytest.raises(DaedalusError, match="cannot append"):
        append_record(tmp_path, record)


def test_tags_are_checked_when_a_record_is_made() -> None:
    for tags in ({}, {"Result": "*"}, {"Game": "x", "two words": ""}, {"Game": "x", "Elo": 5}):
        with pytest.raises(InvalidRecord):
            Record(tags)  # type: ignore[arg-type]
    with pytest.raises(InvalidRecord, match="1 remarks for 0 moves"):
        Record({"Game": "x"}, [], [None])
    with pytest.raises(InvalidRecord, match="3 players"):
        Record.from_position(played(1, 2), ["a", "b", "c"])


def test_records_of_the_first_version_are_dealt_as_they_were():
    """Then one stream of random numbers dealt the board and the hidden cards; a record of it keeps that."""
    game = daedalus.game("saboteur")
    old = Record({"Game": "saboteur", "Seed": "7", "Version": "0.1.0"}, [], []).replay()
    now = Record({"Game": "saboteur", "Seed": "7", "Version": daedalus.__version__}, [], []).replay()
    assert now.bits == Position(game, 7).bits != old.bits
    assert old.bits == Position(game, 7, dealing=1).bits
    again = Record.parse(Record.from_position(old).text)
    assert again.tags["Dealing"] == "1" and again.replay().bits == old.bits
    with pytest.raises(InvalidRecord, match="knows 1 and 2"):
        Record({"Game": "saboteur", "Seed": "7", "Dealing": "3"}, [], []).replay()
