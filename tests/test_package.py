"""The package as people install it: a wheel, in an environment of its own, brings all it needs and starts."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

import daedalus

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder, copy = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("copy") / "daedalus"
    # built from a copy: what an earlier build left in the checkout would be packed too
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, copy)
    words = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "-w", str(folder), str(copy)]
    run = subprocess.run(words, capture_output=True, text=True)
    if "No matching distribution" in run.stderr or "Connection" in run.stderr:
        pytest.skip("no package registry to build a wheel with")
    assert run.returncode == 0, run.stderr
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_every_module_and_every_data_file(wheel):
    packed = {name for name in ZipFile(wheel).namelist() if name.startswith("daedalus/")}
    source = ROOT / "src"
    wanted = {
        str(path.relative_to(source))
        for path in (source / "daedalus").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == wanted


def test_an_installed_wheel_starts_as_the_command_daedalus(wheel, tmp_path):
    home = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    target = subprocess.run(
        [home / "bin" / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
    ).stdout.strip()
    words = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(home / "bin" / "python"),
        "install",
        "--no-deps",
        "--quiet",
        "--ignore-installed",
    ]
    subprocess.run([*words, str(wheel)], check=True)
    # what it depends on comes from the environment of the tests; the package itself must not
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([target, sysconfig.get_path("purelib")])}
    for arguments, said in ((["--version"], daedalus.__version__), (["study", "--list"], "labyrinth")):
        run = subprocess.run([home / "bin" / "daedalus", *arguments], env=environment, capture_output=True, text=True)
        assert run.returncode == 0 and said in run.stdout, run.stderr
    where = subprocess.run(
        [home / "bin" / "python", "-c", "import daedalus; print(daedalus.__file__)"],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert where.stdout.startswith(str(home))


def test_the_version_stands_in_one_place():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "daedalus.__version__"}


def test_the_public_names_are_there_listed_and_loaded_only_when_used():
    script = (
        "import sys, daedalus\n"
        "assert dir(daedalus) == sorted([*daedalus.__all__, '__version__'])\n"
        "assert not {'numpy', 'daedalus.core', 'daedalus.arena'} & set(sys.modules)\n"
        "for name in daedalus.__all__: assert getattr(daedalus, name) is not None, name\n"
        "from daedalus import *\n"
        "print('numba' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("False\n", "")
    table = daedalus.__doc__.partition("daedalus.core`.\n")[2]
    assert set(re.findall(r"\w+", table)) >= set(daedalus.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(daedalus, "nothing")  # noqa: B009
