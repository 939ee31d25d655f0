"""How Python rules come to run at C speed.

A game is a NamedTuple class with undecorated methods. Inside compiled code `game.moves(s, w)` resolves statically to
that class's own method, because `dispatch` registers every name of the contract for all named tuples; outside it is an
ordinary method call. A module with `@kernel` functions, imported as usual, is plain Python; a game's `KernelLoader` loads
it once more, compiled, with a cache on disk that belongs to that game and to these sources alone.

Any thread may load and compile. What a thread is about it keeps to itself, kernels know their own cache, and the compiler
has a lock of its own.
"""

import functools
import hashlib
import importlib.util
import itertools
import os
import secrets
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType, ModuleType
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.bytecode import FunctionIdentity
from numba.core.registry import CPUDispatcher
from numba.extending import overload_method, register_jitable

from .files import cache_folder
from .kernel_cache import KernelCache, PrivateFolder
from .sources import sources_hash

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = bool(numba.config.DISABLE_JIT)
_OPTIONS = {"error_model": "numpy"}  # a division by zero is not an exception inside a kernel
_KEPT_SECONDS = 30 * 24 * 3600


def _told_apart(self: Any) -> tuple[str, tuple[str]]:
    """What a type contributes to the names of compiled functions: a fingerprint of the type itself.

    Numba numbers record types as a process meets them, and leaves out the module of a named tuple. Kernels that two
    processes compiled for two sizes of a board could so have the same name, and one process that loads both from the
    cache would call one for the other.
    """
    module = getattr(getattr(self, "instance_class", None), "__module__", "")
    return type(self).__name__, (hashlib.blake2b(f"{self.name} {module}".encode(), digest_size=8).hexdigest(),)


for _type in (types.Record, types.NamedTuple, types.NamedUniTuple):
    _type.mangling_args = property(_told_apart)


# Compiled functions carry a running number in their names. Counted from a place of its own, no other process uses the same:
# two versions of a user's function, compiled by two processes, would else answer for each other in a third one.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


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
    jitable: F = register_jitable(**_OPTIONS)(function)
    return jitable


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


def dispatch(name: str, parameters: str) -> None:
    """Makes `x.name(parameters)` inside kernels call the method of x's own named-tuple class, annotated or not."""
    scope: dict[str, Any] = {}
    exec(f"def find(self, {parameters}): return getattr(self.instance_class, {name!r}, None)", scope)
    overload_method(types.BaseNamedTuple, name, jit_options=_OPTIONS, strict=False)(scope["find"])


def kernels_loaded() -> int:
    """How many kernels this process has compiled or taken from the cache so far, one for each set of argument types.

    An agent that is ready needs no more: while it plays, this number stays as it is.
    """
    return KernelCache.asked


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


class _Kernel(CPUDispatcher):  # type: ignore[misc]
    """Numba's dispatcher; only new types of arguments come to `_compile_for_args`, compiled code is called without it."""

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        with _compilation():
            return super()._compile_for_args(*args, **kws)


class KernelLoader:
    """The kernels of one game class: `loader.load("daedalus.search.mcts").simulate(game, ...)`."""

    def __init__(self, rules: type, compiled: bool) -> None:
        self.rules = rules
        self.compiled = compiled and not INTERPRETED
        self._modules: dict[str, ModuleType] = {}
        self._told = False
        self._lock = threading.RLock()

    @functools.cached_property
    def folder(self) -> PrivateFolder:
        """Where the kernels are kept."""
        checked = "-checked" if numba.config.BOUNDSCHECK else ""
        return PrivateFolder(cache_folder() / "kernels" / f"{self.rules.__name__.lower()}-{sources_hash(self.rules)}{checked}")

    def load(self, name: str) -> Any:
        """The module `name` with its kernels compiled for this game, or interpreted if the game does not compile."""
        if name not in self._modules:
            with _compilation(), self._lock:
                if name not in self._modules:
                    self._modules[name] = self._copy(name) if self.compiled else importlib.import_module(name)
        return self._modules[name]

    def _copy(self, name: str) -> ModuleType:
        """A second copy of a module, executed with `kernel` compiling into this loader's cache."""
        original = importlib.import_module(name)
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
        dispatcher = _Kernel(function, targetoptions={"nopython": True, "nogil": True, **_OPTIONS})
        dispatcher._cache = KernelCache(function, self.folder, self._missing)
        return dispatcher

    def _missing(self) -> None:
        """Says once that this run compiles, since the user waits for it."""
        if self._told:
            return
        self._told = True
        self._forget_old()
        if not os.environ.get("DAEDALUS_QUIET"):
            print(
                f"daedalus: compiling {self.rules.__name__} for its first run on this machine, a few seconds "
                "(kept on disk; `daedalus warm` does it for all games)",
                file=sys.stderr,
                flush=True,
            )

    def _forget_old(self) -> None:
        """Removes this game's kernels of other sources that nobody has used for a while."""
        with suppress(OSError):
            for other in self.folder.path.parent.glob(f"{self.rules.__name__.lower()}-*"):
                if other != self.folder.path and time.time() - other.stat().st_mtime > _KEPT_SECONDS:
                    shutil.rmtree(other, ignore_errors=True)
