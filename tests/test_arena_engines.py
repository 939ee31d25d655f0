"""Engines that misbehave, in one tournament with good ones: each forfeit has its reason, and no process is left."""

import dataclasses
import shlex
import sys
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from arena_agents import TICTACTOE
from test_engine import ENGINE, GOOD, gone

from daedalus import EngineFailure, Limit, arena
from daedalus.arena.clock import cpu_of
from daedalus.arena.games import GameTask
from daedalus.arena.worker import Worker

LIMIT, GRACE = Limit(seconds=0.2), 1.3  # a good engine answers at once, on however busy a machine


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Makes engines from a few lines of Python and returns their specs; afterwards none of their processes is alive."""
    pids = tmp_path / "pids"

    def make(name: str, body: str, before: str = "") -> str:
        script = tmp_path / f"{name}.py"
        indented = textwrap.indent(textwrap.dedent(body), " " * 8)
        script.write_text(ENGINE.format(pids=str(pids), before=textwrap.dedent(before), body=indented))
        return f"engine:{shlex.join([sys.executable, str(script)])}"

    yield make
    started = [int(pid) for pid in pids.read_text().split()]
    assert started and gone(started)


def test_a_tournament_with_four_bad_engines_ends(made: Callable[..., str], tmp_path: Path) -> None:
    bad = {
        made("late", f"time.sleep(60)\n{GOOD}"): "no move within 0.2 s",
        made("illegal", 'say(type="move", id=request["id"], move="nonsense")'): "illegal move 'nonsense'",
        made("crashing", 'print("segmentation fault", file=sys.stderr, flush=True)\nos._exit(3)'): "exited with code 3",
        made("silent", "pass"): "no move within 0.2 s",
    }
    good = [made("good", GOOD), "random"]
    specs = [*good, *bad]
    result = arena.tournament(TICTACTOE, specs, games=2, limit=LIMIT, grace=GRACE, workers=2, db=tmp_path / "store")
    assert len(result.results) == 15 * 2
    reasons: dict[str, set[str]] = defaultdict(set)
    for game in result.results:
        if game.forfeit:
            seat, reason = game.forfeit
            reasons[specs[game.seats[seat]]].add(reason)
            assert game.payoffs[seat] == -1.0 and reason in game.parsed.tags["Reason"]
    assert set(reasons) == set(bad)  # the good ones never, each bad one at least once
    for spec, expected in bad.items():
        assert all(expected in reason for reason in reasons[spec]), reasons[spec]
    assert {rating.spec for rating in result.ratings[:2]} == set(good)


def game(*specs: str, number: int = 0) -> GameTask:
    return GameTask(number, 0, TICTACTOE, "", 1, (0, 1), specs, (1, 2), limit=Limit(seconds=20.0))


def test_an_engine_is_started_once_for_many_games_and_anew_after_a_forfeit(made: Callable[..., str], tmp_path: Path) -> None:
    """It crashes at the first request of its first process only."""
    flag = tmp_path / "crashed"
    once = f"crash = not os.path.exists({str(flag)!r})\nopen({str(flag)!r}, 'w')"
    engine = made("once", f"if crash: os._exit(9)\n{GOOD}", before=once)
    worker = Worker()
    results = [worker.play(game(engine, "random", number=number)) for number in range(3)]
    worker.close()
    assert [result.forfeit is not None for result in results] == [True, False, False]
    assert "exited with code 9" in results[0].forfeit[1]
    assert len((tmp_path / "pids").read_text().split()) == 2


def test_where_faults_cost_a_move_only_an_engine_that_crashes_plays_on(made: Callable[..., str], tmp_path: Path) -> None:
    """It crashes at every second request; it is started again off the clock."""
    engine = made("crashing", f"if request['id'] % 2 == 0: os._exit(9)\n{GOOD}", before="time.sleep(0.5)")
    walking = dataclasses.replace(game(engine, "walk"), game="colosseum", options="faults=walk", limit=LIMIT, grace=0.2)
    worker = Worker()
    results = [worker.play(dataclasses.replace(walking, number=number, seed=number)) for number in range(2)]
    worker.close()
    faults = [fault for result in results for fault in result.faults]
    assert all(result.forfeit is None for result in results) and sum(result.moves[0] for result in results) > len(faults) > 0
    assert all(seat == 0 and "exited with code 9" in reason for seat, reason in faults)
    assert len((tmp_path / "pids").read_text().split()) == 1 + len(faults)


def test_an_engine_that_does_not_even_say_hello_forfeits_with_that_reason(made: Callable[..., str]) -> None:
    worker = Worker()
    result = worker.play(game("random", made("mute", "pass", before="os._exit(4)")))
    worker.close()
    assert result.forfeit[0] == 1 and "exited with code 4" in result.forfeit[1] and result.plies == 1


def test_starting_an_engine_is_not_on_its_clock(made: Callable[..., str]) -> None:
    slow = made("slow", GOOD, before="time.sleep(1.0)")
    worker = Worker()
    result = worker.play(game(slow, "random"))
    worker.close()
    assert result.forfeit is None and sum(result.wall) < 1.0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what another process has used")
def test_the_cpu_time_of_an_engine_is_its_own(made: Callable[..., str]) -> None:
    busy = "begun = time.process_time()\nwhile time.process_time() - begun < 0.1: pass\n" + GOOD
    worker = Worker()
    result = worker.play(game(made("busy", busy), "random"))
    worker.close()
    assert result.cpu[0] >= 0.09 * result.moves[0] > 5 * result.cpu[1]


def test_a_program_that_is_not_there_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(EngineFailure, match="there is no program"):
        arena.match(TICTACTOE, "engine:./nowhere", "random", db=tmp_path / "store")
    assert not (tmp_path / "store").exists()


def test_an_engine_without_a_process_has_used_nothing() -> None:
    import daedalus

    assert cpu_of(daedalus.agent(f"engine:{sys.executable}")) == 0.0
