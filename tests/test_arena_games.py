"""One game of the arena: fair views, forfeits with their reasons, records that replay, agents that start afresh."""

import dataclasses
import io
import signal
import time
from pathlib import Path

import pytest
from arena_agents import HIGHCARD, TICTACTOE, spec
from rich.console import Console

import daedalus
from daedalus import Limit, arena
from daedalus.agents import make_agent
from daedalus.arena.clock import MoveClock, Overdue, cpu_of, grace_for
from daedalus.arena.games import GameResult, GameTask
from daedalus.arena.report import json_of, report_of
from daedalus.arena.worker import Worker
from daedalus.core.options import parsed
from daedalus.core.record import Record
from daedalus.terminal.screen import Screen
from daedalus.terminal.session import Session

pytestmark = pytest.mark.interpreted
SHORT = Limit(seconds=0.05)


def task(*specs: str, game: str = TICTACTOE, options: str = "", number: int = 0, **settings: object) -> GameTask:
    seats = tuple(range(len(specs)))
    seeds = tuple(100 * number + seat for seat in seats)
    made = GameTask(number, number // 2, game, options, 7, seats, specs, seeds)
    return dataclasses.replace(made, **settings)


def played(*specs: str, **settings: object) -> GameResult:
    worker = Worker()
    try:
        return worker.play(task(*specs, **settings))
    finally:
        worker.close()


def test_a_game_is_won_on_the_board() -> None:
    result = played(spec("First"), spec("First"))
    assert result.payoffs == (1.0, -1.0) and result.forfeit is None  # X takes 0 2 4 6, and 2 4 6 is a line
    assert result.plies == 7 and result.moves == (4, 3)


def test_the_record_replays_and_tells_who_played() -> None:
    result = played(spec("First"), "random", limit=Limit(simulations=5))
    record = result.parsed
    assert record.replay().outcome().payoffs == result.payoffs
    assert record.players == [spec("First"), "random"]
    assert record.tags["Limit"] == "simulations=5" and record.tags["Seed"] == "7" and record.tags["Number"] == "0"
    assert all(remark.seconds is not None for remark in record.remarks)


def test_searching_agents_leave_value_and_simulations_in_the_record() -> None:
    remarks = played("mcts", "mcts", limit=Limit(simulations=40)).parsed.remarks
    assert remarks[0].simulations == 40 and -1 <= remarks[0].value <= 1


def test_agents_get_views_of_their_seat() -> None:
    assert played(spec("Spy"), spec("Spy"), spec("Spy"), game=HIGHCARD).forfeit is None


@pytest.mark.parametrize(
    "name, reason",
    [
        ("Illegal", "illegal move: 'nonsense' is not a legal move here"),
        ("Raiser", "failed: RuntimeError: my own fault on two lines"),
        ("Wrong", "failed: TypeError"),
        ("Quitter", "failed: SystemExit: 3"),
    ],
)
def test_whoever_fails_forfeits_and_the_record_says_why(name: str, reason: str) -> None:
    result = played(spec("First"), spec(name))
    assert result.payoffs == (1.0, -1.0) and result.plies == 1
    seat, told = result.forfeit
    assert seat == 1 and told.startswith(reason)
    assert result.parsed.tags["Reason"] == f"seat 1 forfeits: {told}"
    assert result.parsed.replay().outcome() is None  # nothing was decided on the board


def test_a_late_move_is_a_forfeit_and_not_played() -> None:
    result = played(spec("Sleeper", seconds=0.3), spec("First"), limit=SHORT, grace=0.1)
    assert result.payoffs == (-1.0, 1.0) and result.plies == 0
    assert result.forfeit[1].startswith("late: ") and "allowed 0.05 s and 0.1 s of grace" in result.forfeit[1]


def test_the_grace_forgives() -> None:
    assert played(spec("Sleeper", seconds=0.1), spec("First"), limit=SHORT, grace=60.0).forfeit is None


def test_an_agent_that_never_comes_back_is_interrupted() -> None:
    result = played(spec("Hanger"), spec("First"), limit=SHORT, grace=0.05)
    assert result.forfeit[0] == 0 and result.forfeit[1].startswith("late: ")


def test_others_keep_their_timer() -> None:
    """A test runner's timeout is a timer of the same process."""
    rung = []
    handler = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    before = signal.setitimer(signal.ITIMER_REAL, 100.0)
    try:
        with MoveClock(daedalus.agent("random"), SHORT, 0.1):
            pass
        assert 90 < signal.getitimer(signal.ITIMER_REAL)[0] <= 100
        with pytest.raises(Overdue), MoveClock(daedalus.agent("random"), Limit(seconds=1e-3), 0.0):
            while True:
                pass
        assert 90 < signal.getitimer(signal.ITIMER_REAL)[0] <= 100 and not rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, handler)


def test_the_grace_grows_with_the_limit() -> None:
    assert grace_for(None, None) == grace_for(Limit(seconds=0.1), None) == 0.2
    assert grace_for(Limit(seconds=30.0), None) == 3.0
    assert grace_for(Limit(seconds=30.0), 0.0) == 0.0


def test_time_is_counted_by_seat() -> None:
    result = played(spec("Sleeper", seconds=0.05), spec("First"), limit=Limit(seconds=20.0))
    assert result.wall[0] > 0.05 * result.moves[0] and result.wall[1] < result.wall[0]
    assert 0 <= result.cpu[0] < result.wall[0]  # asleep
    assert cpu_of(daedalus.agent("random")) > 0


# by hand: the seat that gives up loses 1, which the others share
GIVEN_UP = {2: (1.0, -1.0), 3: (0.5, -1.0, 0.5), 4: (1 / 3, -1.0, 1 / 3, 1 / 3)}
TABLES = {2: (TICTACTOE, ""), 3: (HIGHCARD, ""), 4: ("quoridor", "players=4 width=5 height=5")}


@pytest.mark.parametrize("seats", TABLES)
def test_who_forfeits_or_resigns_gives_the_others_the_same_in_arena_terminal_and_record(seats: int) -> None:
    name, options = TABLES[seats]
    position = daedalus.new(name, **parsed(options))
    position.push(position.legal_moves[0])
    screen = Screen(Console(file=io.StringIO()))
    session = Session(position, ["human"] * seats, screen, lambda question: "", make=make_agent)
    session.give_up(1, "resigned")
    result = played(*[spec("First"), spec("Illegal"), spec("First"), spec("First")][:seats], game=name, options=options)
    assert session.outcome.payoffs == result.payoffs == GIVEN_UP[seats] and result.forfeit[0] == 1
    assert session.outcome.winner == (0 if seats == 2 else None)
    for record in (result.parsed, Record.parse(session.record().text)):
        record.replay()
        assert record.payoffs == GIVEN_UP[seats] and record.finished


@pytest.mark.parametrize("name", ["mcts:simulations=30", "alphabeta:depth=2", "mc:simulations=30", "Dice", "Counter"])
def test_a_game_does_not_depend_on_the_games_before(name: str) -> None:
    name = name if ":" in name else spec(name)
    last = task(name, name, number=5)
    worker = Worker()
    for number in range(3):
        worker.play(task(name, name, number=number))
    assert worker.play(last).essence == played(name, name, number=5).essence
    worker.close()


@pytest.mark.parametrize("name", ["random", "mcts:simulations=30", "mc:simulations=30", "Dice"])
def test_the_seeds_of_a_game_decide_how_its_agents_play(name: str) -> None:
    name = spec(name) if name == "Dice" else name
    worker = Worker()
    games = [tuple(worker.play(task(name, name, number=number)).parsed.moves) for number in range(6)]
    worker.close()
    assert len(set(games)) > 1


def test_seats_with_one_spec_have_agents_of_their_own() -> None:
    """Shared, the counter would be asked twice as often."""
    moves = played(spec("Counter"), spec("Counter")).parsed.moves
    assert moves[:2] == ["1", "2"]  # the second of 0..8, then the second of 0 2 3 ..


def test_openings_are_played_before_the_agents() -> None:
    result = played(spec("First"), spec("First"), opening=("4", "0"))
    assert result.parsed.moves[:3] == ["4", "0", "1"] and result.moves[0] + result.moves[1] == result.plies - 2
    assert result.parsed.remarks[0].text == "opening"


def test_an_opening_that_does_not_fit_is_nobodys_forfeit() -> None:
    with pytest.raises(daedalus.DaedalusError, match="game 0: the opening 4 4 does not fit its start: '4' is not a legal move"):
        played(spec("First"), spec("First"), opening=("4", "4"))


def test_an_agents_first_move_may_have_a_limit_of_its_own(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    limit = Limit.parse("course")
    result = played(spec("Noter", file=one), spec("Noter", file=two), limit=limit, opening=("4",))
    for file, moves in ((one, result.moves[0]), (two, result.moves[1])):
        told = file.read_text().split("\n")[-moves - 1 : -1]  # what came before was to get it ready
        assert told == ["30.0 None"] + ["2.0 None"] * (moves - 1) and moves > 1
    assert Limit.parse(result.parsed.tags["Limit"]) == limit


# --- games that have a move for an agent at fault ----------------------------------------------------------------------

COURSE = {"game": "colosseum", "options": "size=5 faults=walk"}


@pytest.mark.parametrize(
    "name, reason",
    [
        ("Illegal", "illegal move: 'nonsense' is not a move"),
        ("Raiser", "failed: RuntimeError: my own fault on two lines"),
        ("Wrong", "failed: TypeError"),
        ("Quitter", "failed: SystemExit: 3"),
    ],
)
def test_where_the_game_has_a_move_for_a_fault_it_goes_on(name: str, reason: str) -> None:
    result = played(spec(name), spec("First"), **COURSE)
    assert result.forfeit is None and result.payoffs == result.parsed.replay().outcome().payoffs
    assert len(result.faults) == result.moves[0] > 0
    assert all(seat == 0 and told.startswith(reason) for seat, told in result.faults)
    told = [remark.text for remark in result.parsed.remarks]
    assert told[0].startswith(f"seat 0 at fault, another move is played: {reason}") and told[1] == ""


def test_the_move_for_a_fault_depends_on_the_seed_of_the_game_alone() -> None:
    games = [played(spec("Raiser"), spec("First"), number=number, **COURSE).parsed.moves for number in (1, 1, 2, 3, 4)]
    assert games[0] == games[1] and len(set(map(tuple, games))) > 2


@pytest.mark.parametrize("name", ["Hanger", "Sleeper"])
def test_a_late_move_is_replaced_and_the_agent_asked_again(name: str) -> None:
    late = spec(name, seconds=0.12) if name == "Sleeper" else spec(name)
    result = played(late, spec("First"), limit=Limit(seconds=0.02), grace=0.05, **COURSE)
    assert result.forfeit is None and len(result.faults) == result.moves[0] > 0
    assert all(told.startswith("late: ") for _, told in result.faults) and result.wall[0] > 0.07 * result.moves[0]


def test_without_that_option_a_fault_is_a_forfeit() -> None:
    result = played(spec("Illegal"), spec("First"), game="colosseum", options="size=5")
    assert result.forfeit[0] == 0 and result.faults == () and result.plies == 0


def test_the_report_counts_faults_and_their_reasons() -> None:
    rules = daedalus.game("colosseum", size=5, faults="walk")
    run = arena.match(rules, spec("Illegal"), spec("First"), games=4, workers=1, db=":memory:")
    moves = sum(row["moves"] for row in run.rows() if row["agent"] == spec("Illegal"))
    assert sum(row["faults"] for row in run.rows()) == len(run.summary.faults) == moves and run.summary.forfeits == ()
    report = report_of(run)
    table = next(table for table in report.tables if table.title == "Faults")
    assert [row[:2] for row in table.rows] == [[spec("Illegal"), moves]] and "is not a move" in table.rows[0][2]
    assert f"in 4 of 4 games {moves} moves were made for an agent at fault" in report.texts
    assert len(json_of(run)["faults"]) == moves and json_of(run)["faults"][0]["agent"] == spec("Illegal")


def test_the_surface_is_what_is_promised() -> None:
    assert all(hasattr(arena, name) for name in arena.__all__)
