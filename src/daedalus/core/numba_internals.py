"""The one door to Numba's insides: all that Daedalus does to its compiler beyond its documented use, each touch by name.

Whoever needs the compiler comes through `compile.compiler()`, which loads this module when the first kernel is made: listing
games or reading records must not wait for Numba. `tests/test_numba_internals.py` has a canary for each touch below, and
pyproject.toml names the first version of Numba that the canaries have not seen.

This file is part of every kernel's fingerprint (sources.py), as it decides what the machine code is: an edit compiles all
games anew. How modules are loaded (compile.py) and where kernels are kept (kernel_cache.py) decide nothing of the kind.

Why a cache of our own, although Numba has one, and lets other classes tell its folder and its stamp of the sources
(`NUMBA_CACHE_LOCATOR_CLASSES`, 0.68): a locator is made for a function, without knowing for which game it is compiled nor
the sources of the classes among the types of its arguments; it is named for the whole process, also for functions of other
packages; a folder that cannot be read or written still raises in the middle of a game; and the files are loaded, which runs
code, without a look at whose they are and whether they are damaged.
"""

import hashlib
import itertools
import pickle
import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.extending import intrinsic, overload, overload_method, register_jitable

from .kernel_cache import PrivateFolder, Unusable, complain
from .sources import class_hash

OPTIONS = {"error_model": "numpy"}  # a division by zero is not an exception inside a kernel
LOCK = global_compiler_lock  # Numba's own, which one thread can take twice: whatever is switched for all threads needs it


# Touch 1, the names of compiled functions. Numba numbers record types as a process meets them, and leaves out the module of
# a named tuple. Kernels that two processes compiled for two sizes of a board could so have the same name, and one process
# that loads both from the cache would call one for the other.
def _mangled(self: Any) -> tuple[str, tuple[str]]:
    """What a type contributes to the names of compiled functions: a fingerprint of the type itself."""
    module = getattr(getattr(self, "instance_class", None), "__module__", "")
    return type(self).__name__, (hashlib.blake2b(f"{self.name} {module}".encode(), digest_size=8).hexdigest(),)


for _type in (types.Record, types.NamedTuple, types.NamedUniTuple):
    _type.mangling_args = property(_mangled)

# Touch 2, the running number in those names. Counted from a place of its own, no other process uses the same: two versions
# of a user's function, compiled by two processes, would else answer for each other in a third one.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


# Touch 3, methods of named tuples: Numba has no methods for them, but lets others give some to a class of types.
def add_method(name: str, parameters: str) -> None:
    """Makes `x.name(parameters)` inside kernels call the method of x's own named-tuple class, annotated or not."""
    scope: dict[str, Any] = {}
    exec(f"def find(self, {parameters}): return getattr(self.instance_class, {name!r}, None)", scope)
    overload_method(types.BaseNamedTuple, name, jit_options=OPTIONS, strict=False)(scope["find"])


# Touch 4, plain functions that kernels call.
def add_helper(function: Callable[..., Any]) -> None:
    """Lets kernels call a plain function, which is compiled into them."""
    register_jitable(**OPTIONS)(function)


def add_overload(function: Callable[..., Any], choose: Callable[..., Any]) -> None:
    """Lets kernels call a plain function, as which they get what `choose` returns for the types of its arguments."""
    overload(function, strict=False)(choose)


# Touch 5, machine instructions that NumPy has no word for.
@intrinsic  # type: ignore[untyped-decorator]
def _ctpop(context: Any, x: Any) -> Any:
    def generate(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _cttz(context: Any, x: Any) -> Any:
    def generate(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))  # 0: that of the empty word is defined, 64

    return types.uint64(types.uint64), generate


_INSTRUCTIONS: dict[str, Callable[..., Any]] = {
    "ctpop": lambda x: lambda x: np.int64(_ctpop(np.uint64(x))),
    "cttz": lambda x: lambda x: np.int64(_cttz(np.uint64(x))),
}


def add_instruction(function: Callable[..., Any], name: str) -> None:
    """Makes kernels use a machine instruction on a 64-bit word where they call a plain function."""
    overload(function, inline="always")(_INSTRUCTIONS[name])


# Touch 6, the moment of compiling: nothing may break into it, and a clock does not count it.
class Kernel(CPUDispatcher):  # type: ignore[misc]
    """Numba's dispatcher; only new types of arguments come to `_compile_for_args`, compiled code is called without it."""

    compilation: Callable[[], AbstractContextManager[None]] = nullcontext

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        with self.compilation():
            return super()._compile_for_args(*args, **kws)


# Touch 7, the cache of a dispatcher, and how a compiled function is written and read.
class KernelCache(NullCache):  # type: ignore[misc]
    """The cache of one kernel, as Numba's dispatchers use one; `asked` is told of each kernel whether it was found."""

    def __init__(self, function: Callable[..., Any], folder: PrivateFolder, asked: Callable[[bool], None]) -> None:
        self._function = function
        self._folder = folder
        self._asked = asked

    @property
    def cache_path(self) -> str:
        """Where the kernels are, for Numba's statistics."""
        return str(self._folder.path)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for these types of arguments, None if it must be compiled."""
        target_context.refresh()
        found = self._load(sig, target_context)
        self._asked(found is not None)
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        name = self._name(sig, target_context.codegen())
        contents = self._folder.get(name)
        if contents is None:
            return None
        try:
            kept, reduced = pickle.loads(contents)
            return CompileResult._rebuild(target_context, *reduced) if kept == sig else None
        except Exception as fault:  # written in good order, but by other versions of what it refers to
            complain(Unusable(f"{self._folder.path / name} does not load ({type(fault).__name__})"))
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps a kernel just compiled."""
        if any(not loop.can_cache for loop in data.lifted) or data.library.has_dynamic_globals:
            return  # refers to things of this process
        name = self._name(sig, data.codegen)
        try:
            contents = dumps((sig, data._reduce()))
        except Exception as fault:  # an exception that broke into the compiler may have taken the machine code with it
            complain(Unusable(f"{name} cannot be kept ({fault})"))
            return
        self._folder.put(name, contents)

    def _name(self, sig: Any, codegen: Any) -> str:
        """A file name for the kernel and the types of its arguments; users' classes among them count with their sources."""
        kinds, _ = normalize_signature(sig)
        classes = [kind.instance_class for kind in kinds if hasattr(kind, "instance_class")]
        module, function = self._function.__module__, self._function.__qualname__
        words = [module, function, kinds, classes, [class_hash(rules) for rules in classes], codegen.magic_tuple()]
        digest = hashlib.blake2b(repr(words).encode(), digest_size=12).hexdigest()
        return f"{module.partition('@')[0].rpartition('.')[2]}.{function}-{digest}.kernel"


def make_kernel(function: Callable[..., Any], cache: KernelCache, compilation: Any) -> Kernel:
    """A function that is compiled, inside of `compilation`, when it meets new types of arguments; or taken from a cache."""
    made = Kernel(function, targetoptions={"nopython": True, "nogil": True, **OPTIONS})
    made._cache = cache
    made.compilation = compilation
    return made


# Touch 8, the configuration: are array accesses checked?
def bounds_checked() -> bool:
    """Is the compiler told to check every array access?"""
    return bool(numba.config.BOUNDSCHECK)


__all__ = [
    "LOCK",
    "OPTIONS",
    "KernelCache",
    "NumbaError",
    "add_helper",
    "add_instruction",
    "add_method",
    "add_overload",
    "bounds_checked",
    "make_kernel",
]
