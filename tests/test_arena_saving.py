"""The file of `--save` holds the store's games in order, each once, beside whatever the user keeps there."""

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from arena_agents import TICTACTOE, spec

import daedalus
from daedalus import DaedalusError, arena
from daedalus.arena.saving import SavedRecords
from daedalus.core.record import Record, append_record, read_records

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


def run(folder: Path, **settings: Any) -> Any:
    given = {"games": 12, "seed": 5, "workers": 1, "db": folder / "store", "name": "r", "save": folder / "games.txt"}
    return arena.match(TICTACTOE, spec("Dice"), "random", **given | settings)


def stopped(folder: Path, after: int, **settings: Any) -> None:
    def stop(progress: arena.Progress) -> None:
        if progress.done == after:
            raise KeyboardInterrupt

    with pytest.raises(arena.Interrupted):
        run(folder, progress=stop, **settings)


def saved(folder: Path) -> list[str]:
    return [record.text for record in read_records(folder / "games.txt")]


def kept(folder: Path, name: str = "r") -> list[str]:
    return [result.record for result in arena.load_run(name, folder / "store").results]


def own(number: int) -> Record:
    """A record of the user's."""
    return Record.from_position(daedalus.new(TICTACTOE, seed=number), ["a person", "another"])


def records(count: int) -> dict[int, str]:
    return {number: own(number).text.replace("a person", f"agent {number}") for number in range(count)}


# --- kills ----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_after_kills_at_random_moments_the_file_equals_the_store(tmp_path: Path) -> None:
    """benchmarks/kills.py does the same with 300 kills."""
    script = (
        "import sys; from pathlib import Path; from kills import campaign\n"
        "print(*campaign(Path(sys.argv[1]), kills=8, games=150, seed=1, commands=False))"
    )
    found = subprocess.run([sys.executable, "-c", script, tmp_path], cwd=BENCHMARKS, capture_output=True, text=True)
    assert found.stdout.startswith("True "), found.stdout + found.stderr


@pytest.mark.parametrize("there", range(6))
def test_a_game_that_the_store_has_and_the_file_has_not_is_added(tmp_path: Path, there: int) -> None:
    """As when the run was killed between the two."""
    stopped(tmp_path, 5)
    (tmp_path / "games.txt").write_text("\n".join(kept(tmp_path)[:there]))
    run(tmp_path)
    assert saved(tmp_path) == kept(tmp_path) and len(kept(tmp_path)) == 12


@pytest.mark.parametrize("bytes_left", [1, 3, 6, 7, 60, 400])
def test_a_record_cut_off_by_a_kill_is_written_whole(tmp_path: Path, bytes_left: int) -> None:
    append_record(tmp_path / "games.txt", own(1))
    stopped(tmp_path, 5)
    whole = (tmp_path / "games.txt").read_bytes()
    begun = whole.rindex(b"[Game")
    (tmp_path / "games.txt").write_bytes(whole[: begun + bytes_left])
    run(tmp_path)
    assert saved(tmp_path) == [own(1).text, *kept(tmp_path)]


def test_games_finished_beyond_a_gap_are_put_in_order_when_the_run_goes_on(tmp_path: Path) -> None:
    texts, file = records(6), SavedRecords(tmp_path / "games.txt")
    file.restore({number: texts[number] for number in (0, 2, 5)}, [0, 2, 5])
    assert saved(tmp_path) == [texts[number] for number in (0, 2, 5)]
    again = SavedRecords(tmp_path / "games.txt")
    again.restore({number: texts[number] for number in (0, 2, 5)}, [0])
    again.add(texts[1])
    again.restore(texts, list(range(6)))
    assert saved(tmp_path) == list(texts.values())


def test_a_finished_run_writes_a_file_that_is_not_there(tmp_path: Path) -> None:
    run(tmp_path, save=None)
    run(tmp_path)
    assert saved(tmp_path) == kept(tmp_path)
    before = (tmp_path / "games.txt").read_bytes()
    run(tmp_path)
    assert (tmp_path / "games.txt").read_bytes() == before


def test_what_a_test_left_out_is_not_in_the_file(tmp_path: Path) -> None:
    settings = {"games": 400, "sprt": (0, 200), "workers": 2}
    result = arena.match(
        TICTACTOE, "mcts:simulations=40", "random", db=tmp_path / "store", name="r", save=tmp_path / "games.txt", **settings
    )
    assert saved(tmp_path) == [game.record for game in result.results] == kept(tmp_path) and len(result.results) < 400


# --- other people's records -----------------------------------------------------------------------------------------


def test_records_and_comments_of_the_user_stay_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("; my collection\n\n" + own(1).text)
    stopped(tmp_path, 3)
    with open(file, "a") as opened:
        opened.write("\n; that was interesting\n")
    append_record(file, own(2))
    stopped(tmp_path, 7, games=12)
    run(tmp_path)
    assert [text for text in saved(tmp_path) if "Pair" not in text] == [own(1).text, own(2).text]
    assert [text for text in saved(tmp_path) if "Pair" in text] == kept(tmp_path)
    assert file.read_text().startswith("; my collection\n") and file.read_text().count("; that was interesting\n") == 1


def test_two_runs_share_a_file(tmp_path: Path) -> None:
    stopped(tmp_path, 5)
    run(tmp_path, name="other", seed=6)
    run(tmp_path)
    assert len(saved(tmp_path)) == 24 and set(saved(tmp_path)) == {*kept(tmp_path), *kept(tmp_path, "other")}
    assert [text for text in saved(tmp_path) if text in kept(tmp_path)] == kept(tmp_path)


def test_the_same_games_played_by_two_runs_are_there_twice(tmp_path: Path) -> None:
    texts = records(4)
    for _ in range(2):
        file = SavedRecords(tmp_path / "games.txt")
        file.restore({}, [])
        for text in texts.values():
            file.add(text)
        file.restore(texts, list(texts))
    assert saved(tmp_path) == [*texts.values()] * 2


def test_one_run_played_by_two_processes_at_once_is_saved_once(tmp_path: Path) -> None:
    texts = records(6)
    one, two = (SavedRecords(tmp_path / "games.txt") for _ in range(2))
    for file in (one, two):
        file.restore({}, [])
    for number, text in texts.items():
        for file in (one, two) if number % 2 else (two, one):
            file.add(text)
    for file in (one, two):
        file.restore(texts, list(texts))
    assert saved(tmp_path) == list(texts.values())


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text(own(1).text)
    (tmp_path / "games.txt").symlink_to(tmp_path / "real.txt")
    texts = records(3)
    SavedRecords(tmp_path / "games.txt").restore(texts, [2])
    SavedRecords(tmp_path / "games.txt").restore(texts, [0, 1, 2])
    assert (tmp_path / "games.txt").is_symlink() and saved(tmp_path) == [own(1).text, *texts.values()]


# --- what goes wrong ------------------------------------------------------------------------------------------------


def test_a_full_disk_is_one_clear_error_and_the_store_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit on the size of files stands in for the end of the disk; the collection reaches it long before the store."""
    file, limit = tmp_path / "games.txt", 3_000_000
    file.write_text(own(1).text + "\n" + ";" * (limit - 4000) + "\n")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        with pytest.raises(DaedalusError, match="cannot add games to .*games.txt: .*; the store has them all"):
            run(tmp_path, games=40)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    there = kept(tmp_path)
    assert 0 < len(there) < 40 and saved(tmp_path)[1:] == there[: len(saved(tmp_path)) - 1]
    run(tmp_path, games=40)
    assert saved(tmp_path) == [own(1).text, *kept(tmp_path)] and kept(tmp_path)[: len(there)] == there


@pytest.mark.parametrize("target", ["", "nowhere/games.txt", "x" * 300, "a\0b"])
def test_a_target_that_cannot_be_written_is_refused_before_anything_is_played(tmp_path: Path, target: str) -> None:
    with pytest.raises(DaedalusError, match="cannot write"):
        run(tmp_path, save=f"{tmp_path}/{target}")
    assert list(tmp_path.iterdir()) == []
