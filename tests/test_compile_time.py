"""Compilation is watched: a thread knows that it compiles and for how long, and nothing breaks into the compiler."""

import signal
import threading

import pytest
from games.small import Nim

from daedalus.core.compile import INTERPRETED, KernelLoader, compiler, compiling, seconds_compiling
from daedalus.core.memory import states, workspaces

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing compiles with NUMBA_DISABLE_JIT=1")
GAME = Nim()


@pytest.fixture
def steps(tmp_path, monkeypatch):
    """The kernels under a position, to be compiled into an empty cache."""
    monkeypatch.setenv("DAEDALUS_CACHE", str(tmp_path))
    return KernelLoader(Nim, compiled=True).load("daedalus.core.kernels.transitions")


def take_one(steps):
    S = states(GAME, 1)
    steps.opening(GAME, S, workspaces(GAME, 1, 1))
    steps.play(GAME, S, 1)
    return S[0].left


def during_compilation(monkeypatch, action):
    """Does something in the middle of the next compilation, once."""
    kernel_cache, done = compiler().KernelCache, []
    original = kernel_cache.save_overload

    def save(self, sig, data):
        if not done:
            done.append(action())
        original(self, sig, data)

    monkeypatch.setattr(kernel_cache, "save_overload", save)
    return done


def test_a_thread_knows_that_it_compiles_and_for_how_long(steps, monkeypatch):
    elsewhere = []

    def look():
        thread = threading.Thread(target=lambda: elsewhere.append((compiling(), seconds_compiling())))
        thread.start()
        thread.join()
        return compiling(), seconds_compiling()

    before = seconds_compiling()
    seen = during_compilation(monkeypatch, look)
    assert not compiling()
    assert take_one(steps) == 11
    assert not compiling()
    ((inside, so_far),) = seen
    assert inside and before < so_far < seconds_compiling()
    assert elsewhere == [(False, 0.0)], "it is another thread that compiles"
    after = seconds_compiling()
    assert take_one(steps) == 11 and seconds_compiling() == after, "nothing is new in the second call"


class Rung(BaseException):
    """What the handler of an alarm raises."""


@pytest.mark.parametrize(
    "number, raised", [(signal.SIGINT, KeyboardInterrupt), (signal.SIGALRM, Rung)], ids=["ctrl-c", "alarm"]
)
def test_a_signal_waits_until_the_kernel_is_compiled_and_kept(steps, tmp_path, monkeypatch, number, raised):
    def ring(*_):
        raise raised

    before = signal.signal(number, ring)
    try:
        seen = during_compilation(monkeypatch, lambda: signal.raise_signal(number))
        with pytest.raises(raised):
            take_one(steps)
        assert signal.getsignal(number) is ring and not compiling()
    finally:
        signal.signal(number, before)
    assert seen and len(list(tmp_path.rglob("*.kernel"))) == 1, "the first of the two kernels is on disk"
    assert take_one(steps) == 11 and len(list(tmp_path.rglob("*.kernel"))) == 2


def test_a_second_ctrl_c_does_not_wait(steps, tmp_path, monkeypatch):
    def twice():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    during_compilation(monkeypatch, twice)
    with pytest.raises(KeyboardInterrupt):
        take_one(steps)
    assert not list(tmp_path.rglob("*.kernel"))
