"""Runs: the same games whoever plays them, continued after any end, stopped by a test at the same pair every time."""

import dataclasses
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time
import tracemalloc
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from arena_agents import HIGHCARD, TICTACTOE, spec
from test_engine import gone

from daedalus import DaedalusError, arena
from daedalus.arena.dispatch import WorkerLost
from daedalus.arena.games import GameResult
from daedalus.arena.run import Scoreboard
from daedalus.arena.saving import folder_name
from daedalus.arena.sprt import Sprt, Verdict
from daedalus.core import scramble

SEARCHING = ("mcts:simulations=40", "alphabeta:simulations=60")


def essences(result: Any) -> list[Any]:
    return [game.essence for game in result.results]


def quick(**settings: Any) -> Any:
    """A short match between agents that keep state from move to move."""
    given = {"games": 20, "seed": 5, "db": ":memory:", "workers": 1} | settings
    return arena.match(TICTACTOE, spec("Dice"), SEARCHING[0], **given)


def test_processes_play_the_same_games() -> None:
    assert essences(quick(workers=2)) == essences(quick())


def test_a_tournament_is_the_same_with_more_seats_and_workers() -> None:
    settings = {"games": 3, "seed": 2, "db": ":memory:", "random_plies": 1}
    specs = ["random", spec("First"), spec("Dice"), spec("Counter")]
    one, two = (arena.tournament(HIGHCARD, specs, workers=workers, **settings) for workers in (1, 2))
    assert essences(one) == essences(two) and len(one.results) == 4 * 3
    assert [rating.spec for rating in one.ratings] == [rating.spec for rating in two.ratings]


@pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed (pip install 'daedalus[ray]')")
@pytest.mark.timeout(600)
def test_ray_plays_the_same_games_and_leaves_nothing() -> None:
    before = _processes("raylet")
    assert essences(quick(on="ray", workers=2)) == essences(quick())
    assert gone(list(_processes("raylet") - before), seconds=60)


def _processes(name: str) -> set[int]:
    found = subprocess.run(["pgrep", "-x", name], capture_output=True, text=True).stdout
    return set(map(int, found.split()))


def test_without_ray_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(DaedalusError, match=r"pip install 'daedalus\[ray\]'"):
        quick(on="ray")


@pytest.mark.parametrize("settings", [{"on": "spark"}, {"workers": 0}, {"workers": 10**9}, {"save": "/nowhere/at/all"}])
def test_senseless_requests_are_refused_before_anything_is_played(settings: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(DaedalusError):
        quick(db=tmp_path / "store", **settings)
    assert not (tmp_path / "store").exists()


# --- workers that die -----------------------------------------------------------------------------------------------


def test_a_killed_worker_is_replaced_and_its_games_are_played_again() -> None:
    killed: list[int] = []

    def kill(progress: arena.Progress) -> None:
        workers = [child.pid for child in multiprocessing.active_children() if child.name == "daedalus worker"]
        if progress.done in (4, 9):
            killed.append(min(set(workers) - set(killed)))
            os.kill(killed[-1], signal.SIGKILL)

    assert essences(quick(workers=2, progress=kill)) == essences(quick())
    assert len(killed) == 2


def test_a_game_that_always_ends_its_worker_ends_the_run_with_a_reason(tmp_path: Path) -> None:
    settings = {"games": 6, "limit": "seconds=20", "workers": 2, "db": tmp_path / "store", "name": "deadly"}
    with pytest.raises(WorkerLost, match=r"game [01] \(.*Killer.*\) ended its worker 4 times, at last by SIGKILL"):
        arena.match(TICTACTOE, spec("Killer"), "random", **settings)


# --- runs that end early --------------------------------------------------------------------------------------------

SCRIPT = """
import multiprocessing, sys
from daedalus import arena
def tell(progress):
    workers = [child.pid for child in multiprocessing.active_children()]
    print(progress.done - progress.kept, *workers, flush=True)
    if progress.done - progress.kept == {pause}:
        sys.stdin.readline()  # until killed
try:
    result = arena.match({game!r}, {a!r}, "random", games={games}, seed=5, workers={workers}, db={db!r}, name={name!r}, progress=tell, limit="seconds=1000")
    print("done", len(result.results))
except arena.Interrupted as stop:
    print("stopped", len(stop.result.results))
"""  # at the top level of the file: workers must not run it again

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a match in a process of its own; afterwards none of these is alive."""
    begun: list[subprocess.Popen[str]] = []

    def begin(name: str, games: int, workers: int = 2, pause: int = 0, a: str = spec("Dice")) -> "subprocess.Popen[str]":
        script, db = tmp_path / f"{name}{len(begun)}.py", str(tmp_path / "store")
        about = {"game": TICTACTOE, "a": a, "games": games, "workers": workers, "db": db, "name": name}
        script.write_text(textwrap.dedent(SCRIPT.format(**about, pause=pause or None)))
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        begun.append(subprocess.Popen([sys.executable, str(script)], start_new_session=True, **pipes))
        return begun[-1]

    yield begin
    for process in begun:
        process.kill()
        process.communicate()


def until(process: "subprocess.Popen[str]", games: int) -> set[int]:
    """Waits for so many new games; the processes that play them."""
    workers: set[int] = set()
    for line in process.stdout:
        done, *pids = line.split()
        workers |= set(map(int, pids))
        if done.isdigit() and int(done) >= games:
            return workers
    raise AssertionError(process.stderr.read())


def uninterrupted(games: int) -> list[Any]:
    return essences(arena.match(TICTACTOE, spec("Dice"), "random", games=games, seed=5, workers=1, db=":memory:"))


def test_a_run_killed_three_times_ends_as_if_it_had_not_been(start: Start, tmp_path: Path) -> None:
    for games in (5, 1, 8):
        process = start("killed", games=60, pause=games)
        workers = until(process, games)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        assert len(workers) == 2 and gone([*workers, process.pid], seconds=30)
    assert len(arena.load_run("killed", tmp_path / "store").results) == 5 + 1 + 8
    out, err = start("killed", games=60).communicate()
    assert out.splitlines()[-1] == "done 60", err
    loaded = arena.load_run("killed", tmp_path / "store")
    assert [game.number for game in loaded.results] == list(range(60))
    assert essences(loaded) == uninterrupted(60)


def test_ctrl_c_keeps_what_is_finished_and_leaves_no_process(start: Start, tmp_path: Path) -> None:
    process = start("stopped", games=100_000)
    workers = until(process, 10)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to us and to the workers
    out, err = process.communicate()
    assert out.splitlines()[-1].startswith("stopped ") and not err, err
    kept = arena.load_run("stopped", tmp_path / "store").results
    assert len(kept) == int(out.split()[-1]) >= 10
    assert len(workers) == 2 and gone(list(workers))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_workers_deep_in_thought_end_with_the_run(start: Start, tmp_path: Path, how: signal.Signals) -> None:
    pids = tmp_path / "pids"
    process = start("deep", games=4, a=spec("Thinker", file=pids))
    while len(thinking := pids.read_text().split() if pids.exists() else []) < 1:
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, how)
    process.communicate()
    assert gone(list(map(int, thinking)), seconds=30)


def test_two_runs_into_one_file_lose_nothing(start: Start, tmp_path: Path) -> None:
    both = [start("one", workers=1, games=150), start("two", workers=1, games=150)]
    for process in both:
        out, err = process.communicate()
        assert out.splitlines()[-1] == "done 150", err
    expected = uninterrupted(150)
    for name in ("one", "two"):
        assert essences(arena.load_run(name, tmp_path / "store")) == expected


def test_one_run_started_twice_at_once_is_one_run(start: Start, tmp_path: Path) -> None:
    for process in [start("same", workers=1, games=150), start("same", workers=1, games=150)]:
        out, err = process.communicate()
        assert out.splitlines()[-1] == "done 150", err
    assert essences(arena.load_run("same", tmp_path / "store")) == uninterrupted(150)


def test_a_worker_does_not_start_a_run() -> None:
    """A script that defines the game and calls match outside of a guard would start itself again and again."""
    process = multiprocessing.current_process()
    name, process.name = process.name, "daedalus worker"
    try:
        with pytest.raises(DaedalusError, match="if __name__ == '__main__'"):
            quick()
    finally:
        process.name = name


# --- the test that stops a match ------------------------------------------------------------------------------------


def test_sprt_stops_at_the_same_pair_whatever_comes_first(tmp_path: Path) -> None:
    store = tmp_path / "store"
    settings = {"games": 400, "sprt": (0, 200), "seed": 1, "db": store}
    runs = [
        arena.match(TICTACTOE, SEARCHING[0], "random", workers=workers, name=f"with {workers}", **settings)
        for workers in (1, 2)
    ]
    assert essences(runs[0]) == essences(runs[1])
    assert runs[0].verdict.decision == "H1" and len(runs[0].results) < 400 and len(runs[0].results) % 2 == 0
    for run in runs:  # neither the store nor a second start knows any game beyond the end
        assert essences(arena.load_run(run.name, store)) == essences(run)
    assert [info.done for info in arena.list_runs(store)] == [len(runs[0].results)] * 2
    again = arena.match(TICTACTOE, SEARCHING[0], "random", workers=1, name="with 1", **settings)
    assert essences(again) == essences(runs[0])


def test_a_test_decides_by_the_order_of_the_games_not_of_their_arrival() -> None:
    """A wins all of the first 40 pairs and loses all later ones; taken as they come, the answer would depend on luck."""
    wins = [1.0 if number < 80 else -1.0 for number in range(400)]
    games = [
        GameResult(number, number // 2, (0, 1), (win, -win), 5, (0.0, 0.0), (0.0, 0.0), (3, 2), None, "")
        for number, win in enumerate(wins)
    ]
    ends = set()
    for seed in range(10):
        scoreboard = Scoreboard(400, Sprt(0, 50))
        for game in sorted(games, key=lambda game: scramble(seed, game.number)):
            scoreboard.add(game)
        assert scoreboard.complete and scoreboard.results == games[: scoreboard.end]
        ends.add(scoreboard.end)
    assert len(ends) == 1 and 2 < ends.pop() < 80


def test_the_store_keeps_the_whole_test(tmp_path: Path) -> None:
    strict = {
        "sprt": Sprt(0, 300, 1e-6, 1e-6),
        "games": 40,
        "seed": 1,
        "db": tmp_path / "store",
        "name": "strict",
        "workers": 1,
    }
    made = arena.match(TICTACTOE, SEARCHING[0], "random", **strict)
    read = arena.load_run("strict", tmp_path / "store")
    assert made.verdict.decision is None and read.sprt == made.sprt == Sprt(0, 300, 1e-6, 1e-6)
    assert read.verdict == made.verdict and read.results == made.results and len(made.results) == 40
    with pytest.raises(DaedalusError, match="begun with sprt 0,300,1e-06,1e-06, not 0,300"):
        arena.match(TICTACTOE, SEARCHING[0], "random", **strict | {"sprt": (0, 300)})


def test_the_cost_of_a_game_does_not_grow_with_the_games_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pair is looked at once, and counted; nothing is copied."""
    looked: list[int] = []
    monkeypatch.setattr("daedalus.arena.run.pair_scores", lambda games: looked.append(len(games)) or [0.5])
    monkeypatch.setattr(Sprt, "judge", lambda test, counts: Verdict(None, 0.0, (-1.0, 1.0)))
    scoreboard, result = Scoreboard(20_000, Sprt(0, 10)), quick(games=2).results[0]
    for number in range(20_000):
        swapped = number + (1, 1, -1, -1)[number % 4] * 2  # 2 3 0 1 6 7 4 5 ..: as two workers might
        scoreboard.add(dataclasses.replace(result, number=swapped, pair=swapped // 2))
    assert (
        looked == [2] * 10_000 and scoreboard.complete and [game.number for game in scoreboard.results] == list(range(20_000))
    )


# --- evidence -------------------------------------------------------------------------------------------------------


def test_where_every_game_would_start_the_same_python_opens_pairs_at_random_too() -> None:
    settings = {"games": 20, "workers": 1, "db": ":memory:"}
    opened = arena.match(TICTACTOE, spec("First"), spec("First"), **settings)
    assert opened.settings["random_plies"] == 4 and opened.distinct > 10
    assert [remark.text for remark in opened.results[0].parsed.remarks[:5]] == ["opening"] * 4 + [""]
    assert arena.tournament(TICTACTOE, ["random", "random:"], **settings | {"games": 2}).settings["random_plies"] == 4
    assert arena.match(HIGHCARD, "random", "random", **settings | {"games": 3}).settings["random_plies"] == 0


def test_openings_of_a_file_are_not_added_to(tmp_path: Path) -> None:
    (tmp_path / "openings").write_text("4 0\n")
    assert quick(games=2, openings=tmp_path / "openings").settings["random_plies"] == 0


def test_a_result_says_when_its_games_are_the_same_again() -> None:
    run = arena.match(TICTACTOE, spec("First"), spec("First"), games=20, workers=1, db=":memory:", random_plies=0)
    assert run.distinct == run.summary.distinct == 2
    assert run.warnings[0].startswith("20 games, but only 2 distinct ones")
    assert run.summary.score.low < 0.1 and run.summary.score.high > 0.9  # two games tell next to nothing


# --- what a run tells and writes ------------------------------------------------------------------------------------


def test_a_run_of_very_many_games_begins_at_once() -> None:
    """Nothing is made for each game that is not played yet."""
    tracemalloc.start()

    def stop(progress: arena.Progress) -> None:
        if progress.done == 4:
            raise KeyboardInterrupt

    try:
        with pytest.raises(arena.Interrupted) as stopped:
            arena.match(TICTACTOE, spec("Dice"), "random", games=10**8, workers=1, db=":memory:", progress=stop)
        assert len(stopped.value.result.results) == 4 and tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", [" ", "a\nb", "a\x1b[2Jb", "\ud800", "x" * 1001])
def test_a_name_that_no_list_could_show_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(DaedalusError, match="run name"):
        quick(name=name, db=tmp_path / "store")
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("name", ["../out", "/etc/x", "a/b", "..", "a b", "-", "x" * 900, "é"])
def test_an_export_stays_in_a_folder_of_its_own(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    quick(name=name, games=2, db=tmp_path / "store")
    for path in arena.export_run(name, db=tmp_path / "store"):
        assert path.exists() and path.resolve().parent.parent == tmp_path
    assert folder_name(name) != folder_name(name + "/") and folder_name("plain-name_1") == "plain-name_1"


def test_progress_is_told_after_every_game_and_at_the_start() -> None:
    told: list[tuple[int, int, int, int]] = []
    quick(games=6, progress=lambda p: told.append((p.done, p.total, p.kept, len(p.results))))
    assert told == [(done, 6, 0, done) for done in range(7)]


def test_a_result_is_a_table_with_a_row_a_seat() -> None:
    result = quick(games=4)
    rows = result.rows()
    assert [(row["number"], row["seat"], row["agent"]) for row in rows[:4]] == [
        (0, 0, spec("Dice")),
        (0, 1, SEARCHING[0]),
        (1, 0, SEARCHING[0]),
        (1, 1, spec("Dice")),
    ]
    assert all(
        rows[at]["payoff"] == -rows[at + 1]["payoff"] and rows[at]["opponents"] == rows[at + 1]["agent"]
        for at in range(0, 8, 2)
    )
    assert result.summary.total.games == 4


def test_the_frame_needs_a_library_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    result = quick(games=2)
    if find_spec("pandas"):
        assert list(result.frame().columns) == list(result.rows()[0])
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(DaedalusError, match="pandas or polars"):
        result.frame()
