"""The package as people install it: a wheel, in an environment of its own, brings all it needs and starts."""

import os
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
    folder = tmp_path_factory.mktemp("wheel")
    words = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "-w", str(folder), str(ROOT)]
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
