"""How Python rules come to run at C speed.

A game is a NamedTuple class with undecorated methods. Inside compiled code `game.moves(s, w)` resolves statically to
that class's own method, because `dispatch` registers every name of the contract for all named tuples; outside it is an
ordinary method call. A module with `@kernel` functions, imported as usual, is plain Python; a game's `Workshop` loads
it once more, compiled, with a cache on disk that belongs to that game and to these sources alone.
"""

import functools
import hashlib
import importlib.util
import inspect
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.caching import FunctionCache
from numba.core.registry import CPUDispatcher
from numba.extending import overload_method, register_jitable

from .files import cache_folder, locked

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = bool(numba.config.DISABLE_JIT)
_OPTIONS = {"error_model": "numpy"}  # a division by zero is not an exception inside a kernel
_PACKAGE = Path(__file__).parent.parent
# Rooms that hold no kernels and that kernels never import; editing them need not compile anything again.
_NO_KERNELS = {"agents", "arena", "studies", "terminal", "web", "cli", "bench.py", "check.py", "record.py", "record_text.py"}
_NO_KERNELS |= {"text.py", "picture.py", "table.py", "position.py", "registry.py", "limits.py", "thoughts.py", "drawing.py"}
_NO_KERNELS |= {"agents.py"}  # a game's players; their searches are kernels in modules of their own
_KEPT_SECONDS = 30 * 24 * 3600
_building: list["Workshop"] = []  # the workshop whose modules are being loaded, innermost last
_loaded = 0  # kernels that this process has compiled or taken from the cache


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


def helper(function: F) -> F:
    """A small function that kernels call: compiled into its callers, plain Python elsewhere."""
    jitable: F = register_jitable(**_OPTIONS)(function)
    return jitable


def kernel(function: F) -> F:
    """An entry point called from Python: compiled and cached when a workshop loads its module, else plain Python."""
    if _building and _building[-1].compiled:
        return _building[-1].compile(function)
    return _quiet(function)


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


def _may_hold_kernels(parts: tuple[str, ...], game: str) -> bool:
    """Can a file of the package end up in the kernels of the game in this folder?"""
    if parts[0] == "games" and parts[1] != game:
        return False
    if parts[0] == "search":  # those who call kernels are beside them
        return parts[1] in ("kernels", "policies.py")
    return not _NO_KERNELS & {parts[0], parts[-1]}


@functools.cache
def sources_hash(rules: type) -> str:
    """A fingerprint of all that may end up in a game's kernels: the sources, the compiler, how it is asked to compile."""
    home = Path(inspect.getfile(rules))
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(_PACKAGE.rglob("*.py")):
        if _may_hold_kernels(path.relative_to(_PACKAGE).parts, home.parent.name):
            digest.update(path.read_bytes())
    if not home.is_relative_to(_PACKAGE):  # a user's file; its module, whose name the cache keeps, depends on the path too
        digest.update(home.read_bytes() + rules.__module__.encode())
    python = sys.version_info
    digest.update(f"{numba.__version__} {np.__version__} {python.major}.{python.minor}".encode())
    return digest.hexdigest()


def kernels_loaded() -> int:
    """How many kernels this process has compiled or taken from the cache so far, one for each set of argument types.

    An agent that is ready needs no more: while it plays, this number stays as it is.
    """
    return _loaded


class _Watch(threading.local):
    """What this thread has to do with the compiler."""

    depth = 0  # compilations that it is inside of, one within another
    since = 0.0  # when it entered the outermost
    spent = 0.0  # seconds in those that have ended


_watch = _Watch()


def compiling() -> bool:
    """Is the calling thread compiling a kernel, or taking one from the cache? An alarm must not break into that."""
    return _watch.depth > 0


def seconds_compiling() -> float:
    """How many seconds the calling thread has spent compiling kernels or taking them from the cache so far."""
    return _watch.spent + (time.perf_counter() - _watch.since if _watch.depth else 0.0)


@contextmanager
def _compilation() -> Iterator[None]:
    """Counts the block as compilation; Ctrl-C waits for its end.

    An exception that breaks into the compiler may be lost in one of its callbacks, and the kernel with it.
    """
    if _watch.depth:
        yield
        return
    _watch.since = time.perf_counter()
    _watch.depth = 1
    try:
        with _interrupts_wait():
            yield
    finally:
        _watch.spent += time.perf_counter() - _watch.since
        _watch.depth = 0


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Holds back the first Ctrl-C until the block has ended; a second one, of a user who cannot wait, acts at once."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    held: list[FrameType | None] = []

    def hold(number: int, frame: FrameType | None) -> None:
        if held:
            handler(number, frame)
        held.append(frame)

    signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if held:
        handler(signal.SIGINT, held[0])


class _Kernel(CPUDispatcher):  # type: ignore[misc]
    """Numba's dispatcher; only new types of arguments come to `_compile_for_args`, compiled code is called without it."""

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        with _compilation():
            return super()._compile_for_args(*args, **kws)


class _Cache(FunctionCache):  # type: ignore[misc]
    """Numba's cache, safe when several processes fill it at once, that tells the workshop when it has to compile."""

    def __init__(self, function: Callable[..., Any], workshop: "Workshop") -> None:
        super().__init__(function)
        self._workshop = workshop

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        global _loaded
        _loaded += 1
        found = super().load_overload(sig, target_context)
        if found is None:
            self._workshop.announce()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        # Numba picks a free file name, then writes: two processes could pick the same one for different code.
        with locked(self._workshop.folder / "lock"):
            super().save_overload(sig, data)


class Workshop:
    """The kernels of one game class: `workshop.load("daedalus.search.mcts").simulate(game, ...)`."""

    def __init__(self, rules: type, compiled: bool) -> None:
        self.rules = rules
        self.compiled = compiled and not INTERPRETED
        checked = "-checked" if numba.config.BOUNDSCHECK else ""
        self.folder = cache_folder() / "kernels" / f"{rules.__name__.lower()}-{sources_hash(rules)}{checked}"
        self._modules: dict[str, ModuleType] = {}
        self._told = False
        self._lock = threading.RLock()

    def load(self, name: str) -> Any:
        """The module `name` with its kernels compiled for this game, or interpreted if the game does not compile."""
        if name not in self._modules:
            with _compilation(), self._lock:
                if name not in self._modules:
                    self._modules[name] = self._copy(name) if self.compiled else importlib.import_module(name)
        return self._modules[name]

    def _copy(self, name: str) -> ModuleType:
        """A second copy of a module, executed with `kernel` compiling into this workshop's cache."""
        original = importlib.import_module(name)
        alias = f"{name}@{self.rules.__module__}.{self.rules.__name__}"
        spec = importlib.util.spec_from_file_location(alias, original.__file__)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        module.__package__ = original.__package__
        sys.modules[alias] = module
        with self._open():
            spec.loader.exec_module(module)
        return module

    @contextmanager
    def _open(self) -> Iterator[None]:
        if not self.folder.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._forget_old()
        before = numba.config.CACHE_DIR
        _building.append(self)
        numba.config.CACHE_DIR = str(self.folder)
        try:
            yield
        finally:
            numba.config.CACHE_DIR = before
            _building.pop()

    def _forget_old(self) -> None:
        """Removes this game's kernels of other sources that nobody has used for a while."""
        for other in self.folder.parent.glob(f"{self.rules.__name__.lower()}-*"):
            if other != self.folder and time.time() - other.stat().st_mtime > _KEPT_SECONDS:
                shutil.rmtree(other, ignore_errors=True)

    def compile(self, function: F) -> F:
        dispatcher = _Kernel(function, targetoptions={"nopython": True, "nogil": True, **_OPTIONS})
        dispatcher._cache = _Cache(function, self)
        return dispatcher  # type: ignore[return-value]

    def announce(self) -> None:
        """Says once that this run compiles, since the user waits for it."""
        if self._told or os.environ.get("DAEDALUS_QUIET"):
            return
        self._told = True
        print(
            f"daedalus: compiling {self.rules.__name__} for its first run on this machine, a few seconds "
            "(kept on disk; `daedalus warm` does it for all games)",
            file=sys.stderr,
            flush=True,
        )
