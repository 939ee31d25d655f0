"""Without the packages of others: one line says what to install, and what needs none of them works."""

import subprocess
import sys

import pytest


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    "module, package", [("pettingzoo", "pettingzoo"), ("pettingzoo", "gymnasium"), ("gymnasium", "gymnasium")]
)
def test_a_missing_package_is_named_with_what_to_install(module, package):
    done = run(f"import sys; sys.modules[{package!r}] = None; import daedalus.interop.{module}")
    assert done.returncode == 1
    wanted = f"ModuleNotFoundError: {package} is not installed: pip install 'daedalus[interop]'"
    assert done.stderr.splitlines()[-1] == wanted


def test_many_games_at_once_need_no_other_package():
    code = "import sys; sys.modules['gymnasium'] = sys.modules['pettingzoo'] = None; import daedalus; print(daedalus.vector)"
    assert run(code).stdout.startswith("<function vector")


def test_importing_daedalus_loads_neither_the_compiler_nor_environments():
    code = (
        "import sys, daedalus; print([m for m in sys.modules if m.partition('.')[0] in ('numba', 'gymnasium', 'pettingzoo')])"
    )
    assert run(code).stdout == "[]\n"
