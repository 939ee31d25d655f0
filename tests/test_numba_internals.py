"""Canaries: one for each touch of Numba's insides, which dies with a clear message when a new Numba changes what it relies on.

They compile tiny functions of their own, so that a version of Numba can be tried in seconds: pytest tests/test_numba_internals.py.
"""

import re
import tomllib
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from packaging.requirements import Requirement

from daedalus.core.compile import INTERPRETED, compiler
from daedalus.core.kernel_cache import PrivateFolder

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing compiles with NUMBA_DISABLE_JIT=1")
ROOT = Path(__file__).parent.parent
door = None if INTERPRETED else compiler()


class Small(NamedTuple):
    n: int = 3

    def turn(self, s):
        return s.turn + self.n


class Large(NamedTuple):
    n: int = 4

    def turn(self, s):
        return s.turn + 100


STATE = np.dtype([("turn", "i8")])


def kernel(function, folder, asked=lambda found: None, compilation=None):
    @contextmanager
    def watched():
        (compilation or (lambda: None))()
        yield

    return door.make_kernel(function, door.KernelCache(function, PrivateFolder(folder), asked), watched)


def turn_of(game, S):
    return game.turn(S[0])


@contextmanager
def relying_on(what):
    try:
        yield
    except Exception as fault:
        reason = (str(fault).splitlines() or [""])[0]
        pytest.fail(
            f"Numba {numba.__version__} changed {what} ({type(fault).__name__}: {reason}): see daedalus/core/numba_internals.py"
        )


def test_only_the_door_touches_numba():
    touching = re.compile(r"^\s*(import|from) (numba|llvmlite)\b", re.M)
    files = (ROOT / "src").rglob("*.py")
    assert [path.name for path in files if touching.search(path.read_text())] == ["numba_internals.py"]


def test_the_canaries_cover_every_touch():
    touches = re.findall(r"^# Touch (\d+)", Path(door.__file__).read_text(), re.M)
    covered = re.findall(r"^def test_touch_(\d+)", Path(__file__).read_text(), re.M)
    assert touches == [str(n + 1) for n in range(len(touches))] and set(covered) == set(touches)


def test_numba_is_bounded_by_the_first_version_that_the_canaries_have_not_seen():
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (bound,) = [Requirement(line).specifier for line in wanted if line.startswith("numba")]
    assert any(part.operator == "<" for part in bound) and bound.contains(numba.__version__)


def test_touch_1_a_types_name_in_compiled_functions_is_a_fingerprint_of_the_type():
    with relying_on("mangling_args, or what the names of compiled functions are made of"):
        from numba.core import itanium_mangler
        from numba.core.typing.typeof import typeof

        games = [typeof(game) for game in (Small(), Large())]
        types = numba.from_dtype(STATE), numba.from_dtype(np.dtype([("turn", "i4")])), *games
        names = [kind.mangling_args for kind in types]
        assert len(set(names)) == 4 and all(re.fullmatch("[0-9a-f]{16}", word) for _, (word,) in names)
        assert names[2][1][0] in itanium_mangler.mangle("f", [games[0]])


def test_touch_2_the_running_number_in_names_comes_from_a_counter_that_can_be_set():
    with relying_on("FunctionIdentity._unique_ids"):
        from numba.core.bytecode import FunctionIdentity

        first = FunctionIdentity.from_function(turn_of).unique_id
        assert first > 2**32 and FunctionIdentity.from_function(turn_of).unique_id == first + 1


def test_touch_3_methods_of_named_tuples_are_those_of_the_class(tmp_path):
    with relying_on("overload_method on BaseNamedTuple, or instance_class"):
        run = kernel(turn_of, tmp_path / "kernels" / "a")
        S = np.zeros(1, STATE)
        assert (run(Small(), S), run(Large(), S)) == (3, 100)


def doubled(x):
    return 2 * x


def told(x):
    raise AssertionError("kernels get what `choose` returns")


def test_touch_4_plain_functions_are_compiled_into_kernels(tmp_path):
    with relying_on("register_jitable or overload"):
        door.add_helper(doubled)
        door.add_overload(told, lambda x: (lambda x: x + 0.5) if isinstance(x, numba.types.Float) else (lambda x: x + 1))
        run = kernel(lambda x: (doubled(x), told(x)), tmp_path / "kernels" / "a")
        assert (run(3), run(1.5)) == ((6, 4), (3.0, 2.0))
    with relying_on("the option error_model"):
        assert kernel(lambda x: doubled(x) / 0, tmp_path / "kernels" / "b")(1.0) == np.inf


def bits(x):
    return int(x).bit_count()


def lowest(x):
    return (int(x) & -int(x)).bit_length() - 1 if x else 64


def test_touch_5_machine_instructions_agree_with_python(tmp_path):
    with relying_on("intrinsics, or llvmlite its builder"):
        door.add_instruction(bits, "ctpop")
        door.add_instruction(lowest, "cttz")
        run = kernel(lambda x: (bits(x), lowest(x)), tmp_path / "kernels" / "a")
        for word in map(np.uint64, (0, 1, 2**63, 2**64 - 1, 0b101000)):
            assert run(word) == (bits(word), lowest(word))
        assert "llvm.ctpop" in next(iter(run.inspect_llvm().values()))


def test_touch_6_compiling_is_noticed_and_calling_is_not(tmp_path):
    seen = []
    with relying_on("when _compile_for_args is called"):
        run = kernel(lambda x: x, tmp_path / "kernels" / "a", compilation=lambda: seen.append(1))
        assert (run(1), run(2), len(seen)) == (1, 2, 1)
        assert (run(1.0), len(seen)) == (1.0, 2)
    with relying_on("global_compiler_lock"), door.LOCK, door.LOCK:
        assert door.LOCK.is_locked()


def test_touch_7_a_kernel_is_kept_and_taken_from_the_cache(tmp_path):
    folder, found = tmp_path / "kernels" / "a", []
    S = np.zeros(1, STATE)
    with relying_on("the cache of a dispatcher, or how compiled functions are written and read"):
        assert [kernel(turn_of, folder, found.append)(Small(), S) for _ in range(2)] == [3, 3]
        assert found == [False, True]
        (path,) = folder.iterdir()
        assert path.name.startswith("test_numba_internals.turn_of-")
        assert kernel(turn_of, folder, found.append)(Large(), S) == 100 and found[2:] == [False]


def test_touch_8_the_configuration_tells_whether_accesses_are_checked(monkeypatch):
    for setting in (1, None):
        monkeypatch.setattr(numba.config, "BOUNDSCHECK", setting)
        with relying_on("config.BOUNDSCHECK"):
            assert door.bounds_checked() == bool(setting)
