"""How Python rules come to run at C speed.

A game is a NamedTuple class with undecorated methods. Inside compiled code `game.moves(s, w)` resolves statically to
that class's own method, because `dispatch` announces every name of the contract for all named tuples; outside it is an
ordinary method call. A module with `@kernel` functions, imported as usual, is plain Python; a game's `KernelLoader` loads
it once more, compiled, with a cache on disk that belongs to that game and to these sources alone.

The compiler itself, which takes its time to load, is behind `compiler()`: what it is to know of is announced before.
Any thread may load and compile. What a thread is about it keeps to itself, kernels know their own cache, and the compiler
has one lock for all threads.
"""

import functools
import importlib.util
import os
import shutil
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType, ModuleType
from typing import Any, TypeVar, cast

import numpy as np

from .files import cache_folder
from .kernel_cache import PrivateFolder
from .sources import sources_hash

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
_KEPT_SECONDS = 30 * 24 * 3600
_announced: deque[tuple[str, tuple[Any, ...]]] = deque()  # what the compiler has not yet been told: function and arguments


def compiler() -> Any:
    """The door to the compiler, which now knows of all helpers and methods that kernels may call."""
    from . import numba_internals

    with numba_internals.LOCK:
        while _announced:
            function, arguments = _announced.popleft()
            getattr(numba_internals, function)(*arguments)
    return numba_internals


class _Thread(threading.local):
    """What one thread has to do with the compiler."""

    def __init__(self) -> None:
        self.loaders: list[KernelLoader] = []  # whose modules it is loading, innermost last
        self.depth = 0  # compilations that it is inside of, one within another
        self.since = 0.0  # when it entered the outermost
        self.spent = 0.0  # seconds in those that have ended


_thread = _Thread()


def helper(function: F) -> F:
    """A small function that kernels call: compiled into its callers, plain Python elsewhere."""
    _announced.append(("add_helper", (function,)))
    return function


def instruction(name: str) -> Callable[[F], F]:
    """A plain function of a 64-bit word that is one machine instruction inside kernels: `ctpop` or `cttz`."""

    def announce(function: F) -> F:
        _announced.append(("add_instruction", (function, name)))
        return function

    return announce


def overload(function: Callable[..., Any], choose: Callable[..., Any]) -> None:
    """Makes kernels that call a plain function call what `choose` returns for the types of its arguments."""
    _announced.append(("add_overload", (function, choose)))


def dispatch(name: str, parameters: str) -> None:
    """Makes `x.name(parameters)` inside kernels call the method of x's own named-tuple class, annotated or not."""
    _announced.append(("add_method", (name, parameters)))


def kernel(function: F) -> F:
    """An entry point called from Python: compiled and cached when a loader loads its module, else plain Python."""
    return _thread.loaders[-1].compile(function) if _thread.loaders else _quiet(function)


def _quiet(function: F) -> F:
    """Interpreted kernels let 64-bit arithmetic wrap silently, as compiled ones do."""

    @functools.wraps(function)
    def run(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return run  # type: ignore[return-value]


def kernels_loaded() -> int:
    """How many kernels this process has compiled or taken from the cache so far, one for each set of argument types.

    An agent that is ready needs no more: while it plays, this number stays as it is.
    """
    return KernelLoader.asked


def compiling() -> bool:
    """Is the calling thread compiling a kernel, or taking one from the cache? An alarm must not break into that."""
    return _thread.depth > 0


def seconds_compiling() -> float:
    """How many seconds the calling thread has spent compiling kernels or taking them from the cache so far."""
    return _thread.spent + (time.perf_counter() - _thread.since if _thread.depth else 0.0)


@contextmanager
def _compilation() -> Iterator[None]:
    """Counts the block as compilation, which nothing may break into."""
    if _thread.depth:
        yield
        return
    _thread.since = time.perf_counter()
    _thread.depth = 1
    try:
        with _signals_wait():
            yield
    finally:
        _thread.spent += time.perf_counter() - _thread.since
        _thread.depth = 0


@contextmanager
def _signals_wait() -> Iterator[None]:
    """Signals that the program handles in Python, such as Ctrl-C or an alarm, are handled when the block has ended.

    An exception from a handler inside the compiler can leave it broken for the rest of the process. Only a second Ctrl-C,
    of a user who will not wait, acts at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # handlers run in the main thread
        return
    found: dict[int, Any] = {int(number): signal.getsignal(number) for number in signal.valid_signals()}
    handlers = {number: handler for number, handler in found.items() if callable(handler)}
    held: dict[int, FrameType | None] = {}

    def hold(number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT and number in held:
            handlers[number](number, frame)
        held[number] = frame

    with ExitStack() as afterwards:
        for number in handlers:
            signal.signal(number, hold)
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            for number, frame in held.items():
                afterwards.callback(handlers[number], number, frame)


@contextmanager
def _kernel_compilation() -> Iterator[None]:
    """The same for one kernel, after the compiler was told what it may meet there."""
    with _compilation():
        compiler()
        yield


def _tell(name: str) -> None:
    """On stderr, that a game is being compiled."""
    print(
        f"daedalus: compiling {name} for its first run on this machine, a few seconds "
        "(kept on disk; `daedalus warm` does it for all games)",
        file=sys.stderr,
        flush=True,
    )


_listeners: list[Callable[[str], None]] = [_tell]


@contextmanager
def compiling_told(listener: Callable[[str], None]) -> Iterator[None]:
    """While it lasts, a listener is told the name of a game that is being compiled, instead of the user on stderr."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


class KernelLoader:
    """The kernels of one game class: `loader.load("daedalus.search.mcts").simulate(game, ...)`."""

    asked = 0  # how many kernels this process has compiled or taken from a cache

    def __init__(self, rules: type, compiled: bool) -> None:
        self.rules = rules
        self.compiled = compiled and not INTERPRETED
        self._modules: dict[str, ModuleType] = {}
        self._told = False

    @functools.cached_property
    def folder(self) -> PrivateFolder:
        """Where the kernels are kept."""
        checked = "-checked" if compiler().bounds_checked() else ""
        return PrivateFolder(cache_folder() / "kernels" / f"{self.rules.__name__.lower()}-{sources_hash(self.rules)}{checked}")

    def load(self, name: str) -> Any:
        """The module `name` with its kernels compiled for this game, or interpreted if the game does not compile."""
        if name not in self._modules:
            with _compilation():
                original = importlib.import_module(name)
                if not self.compiled:
                    self._modules[name] = original
                    return original
                with compiler().LOCK:
                    if name not in self._modules:
                        self._modules[name] = self._copy(name, original)
        return self._modules[name]

    def _copy(self, name: str, original: ModuleType) -> ModuleType:
        """A second copy of a module, executed with `kernel` compiling into this loader's cache."""
        alias = f"{name}@{self.rules.__module__}.{self.rules.__name__}"
        spec = importlib.util.spec_from_file_location(alias, original.__file__)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        module.__package__ = original.__package__
        sys.modules[alias] = module
        _thread.loaders.append(self)
        try:
            spec.loader.exec_module(module)
        finally:
            _thread.loaders.pop()
        return module

    def compile(self, function: F) -> F:
        numba = compiler()
        cache = numba.KernelCache(function, self.folder, self._asked)
        return cast(F, numba.make_kernel(function, cache, _kernel_compilation))

    def _asked(self, found: bool) -> None:
        """Counts a kernel; says once that this run compiles, since the user waits for it. The compiler holds its lock here."""
        KernelLoader.asked += 1
        if found or self._told:
            return
        self._told = True
        self._forget_old()
        if not os.environ.get("DAEDALUS_QUIET"):
            _listeners[-1](self.rules.__name__)

    def _forget_old(self) -> None:
        """Removes this game's kernels of other sources that nobody has used for a while."""
        with suppress(OSError):
            for other in self.folder.path.parent.glob(f"{self.rules.__name__.lower()}-*"):
                if other != self.folder.path and time.time() - other.stat().st_mtime > _KEPT_SECONDS:
                    shutil.rmtree(other, ignore_errors=True)
