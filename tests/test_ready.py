"""No kernel compiles on the clock: agents are ready before it runs, and what compiles all the same is not charged to them."""

import signal
import subprocess
import sys
import time

import pytest

import daedalus
from daedalus import Agent, Limit, Thought
from daedalus.arena import clock as clocks
from daedalus.arena.clock import MoveClock, Overdue, patience
from daedalus.arena.worker import prepared
from daedalus.core.compile import INTERPRETED


class Idle(Agent):
    def choose(self, view, limit=None):
        return Thought(view.legal_moves[0])


@pytest.fixture
def compiled(monkeypatch):
    """Lets a test say that this thread compiles, and how long it has."""

    class Compiler:
        busy, seconds = False, 0.0

    monkeypatch.setattr(clocks, "compiling", lambda: Compiler.busy)
    monkeypatch.setattr(clocks, "seconds_compiling", lambda: Compiler.seconds)
    return Compiler


def test_compiling_is_not_charged_to_an_agent(compiled):
    clock = MoveClock(Idle(), Limit(seconds=0.5), grace=0.1)
    with clock:
        compiled.seconds += 100.0
    assert clock.wall < 0 and clock.late is None


def test_no_alarm_rings_inside_the_compiler(compiled):
    with patience(0.01):
        compiled.busy = True
        signal.raise_signal(signal.SIGALRM)
        compiled.busy = False
        compiled.seconds += 1e6  # all of it was compiling: there is still time to think
        signal.raise_signal(signal.SIGALRM)
        compiled.seconds -= 1e6
        time.sleep(0.02)
        with pytest.raises(Overdue):
            signal.raise_signal(signal.SIGALRM)


class Sleeper(Agent):
    def choose(self, view, limit=None):
        time.sleep(1000)


class Loader(Sleeper):
    """Takes its time to get ready, and tells so by a method of its own."""

    ready = False

    def prepare(self, game):
        time.sleep(0.01)
        self.ready = True


def test_who_sleeps_while_it_rehearses_costs_the_time_of_a_move(monkeypatch):
    rung = []
    monkeypatch.setattr("daedalus.arena.worker.patience", lambda seconds: rung.append(seconds) or patience(0.01))
    prepared(Sleeper(), daedalus.game("blackhole"), Limit(seconds=0.5))
    assert rung == [0.5 + 0.2 + 1.0], "its limit, the grace, and a second in which it may still come back"
    loader = Loader()
    monkeypatch.setattr("daedalus.arena.worker.patience", lambda seconds: rung.append(seconds) or patience(60))
    prepared(loader, daedalus.game("blackhole"), Limit(seconds=0.5))
    assert loader.ready and rung[-1] == 300.0


@pytest.mark.skipif(INTERPRETED, reason="nothing compiles")
@pytest.mark.parametrize(
    "game, a, b",
    [
        ("quoridor walls=2", "expert", "expert"),
        ("quoridor", "expert", "mcts"),
        ("labyrinth board=3x3 cap=60", "expert", "mcts"),
        ("colosseum", "expert", "mcts"),
        ("saboteur", "expert", "mcts"),
        ("blackhole hole=pass", "alphabeta", "mcts"),
    ],
)
def test_no_kernel_is_loaded_on_the_clock_in_a_match(game, a, b):
    """In a process that has met none of them: kernels that other tests have loaded would hide a late one."""
    script = (
        "from daedalus.arena import match; from daedalus.arena.clock import MoveClock\n"
        "from daedalus.core.compile import kernels_loaded\n"
        "late, enter, leave = [], MoveClock.__enter__, MoveClock.__exit__\n"
        "def start(clock): clock.before = kernels_loaded(); return enter(clock)\n"
        "def stop(clock, *error): leave(clock, *error); late.append(kernels_loaded() - clock.before)\n"
        "MoveClock.__enter__, MoveClock.__exit__ = start, stop\n"
        f"result = match({game!r}, {a!r}, {b!r}, games=2, limit='seconds=0.02', grace=600, workers=1, db=':memory:')\n"
        "print(len(late), sum(late), sum(bool(game.forfeit) for game in result.results))\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    moves, late, forfeits = map(int, run.stdout.split())
    assert moves > 5 and (late, forfeits) == (0, 0)
