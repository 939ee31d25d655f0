"""Kernels on disk: never of other sources, never another game's, never damaged or foreign; and no cache is no trouble."""

import errno
import os
import pickle
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from games.small import HighCard, Nim

import daedalus
from daedalus.core import kernel_cache
from daedalus.core.compile import INTERPRETED, KernelLoader, kernels_loaded
from daedalus.core.memory import states, workspaces
from daedalus.core.sources import files_hash, user_files

needs_compiler = pytest.mark.skipif(INTERPRETED, reason="nothing compiles with NUMBA_DISABLE_JIT=1")

COUNTDOWN = '''
from typing import NamedTuple
import numpy as np
from step import taken

class Countdown(NamedTuple):
    """Who takes the last stone wins."""
    stones: int = 12
    STATE = [("left", "i2"), ("turn", "i1")]
    MAX_MOVES = 1

    def start(self, s, w):
        s.left = self.stones

    def turn(self, s):
        return np.int64(s.turn)

    def moves(self, s, w):
        w.buf[0] = 0
        return 1

    def play(self, s, m):
        s.left = max(0, s.left - taken(s))
        s.turn = 1 - s.turn

    def over(self, s):
        return s.left == 0

    def payoff(self, s, seat):
        return 1.0 if seat != s.turn else -1.0
'''
STEP = """
from daedalus.core import helper
from stones.sizes import SIZE

@helper
def taken(s):
    return SIZE
"""


def write_game(folder, size):
    """A game in game.py, its helper in step.py, and what that imports in a package."""
    (folder / "stones").mkdir(parents=True, exist_ok=True)
    (folder / "stones" / "__init__.py").write_text("")
    (folder / "stones" / "sizes.py").write_text(f"SIZE = {size}\n")
    (folder / "step.py").write_text(STEP)
    (folder / "game.py").write_text(COUNTDOWN)
    return f"{folder / 'game.py'}:Countdown"


def left_after_one(place):
    position = daedalus.new(place)
    position.push(0)
    return int(position.state.left)


def kept(cache):
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*.kernel")}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, and nothing complained of yet."""
    monkeypatch.setenv("DAEDALUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kernel_cache, "_complaints", [])
    return tmp_path / "cache"


@needs_compiler
def test_an_edited_helper_takes_effect_in_the_same_process_and_in_others(cache, tmp_path):
    place = write_game(tmp_path, 1)
    assert left_after_one(place) == 11
    write_game(tmp_path, 3)
    assert left_after_one(place) == 9, "what the helper imports was edited"
    both = kept(cache)
    write_game(tmp_path, 1)
    asked = kernels_loaded()
    assert left_after_one(place) == 11 and kernels_loaded() == asked, "the first version is still in memory"

    script = (
        "import sys, pathlib, daedalus\n"
        "sizes = pathlib.Path(sys.argv[2])\n"
        "for size in (1, 3):\n"
        "    sizes.write_text(f'SIZE = {size}\\n')\n"
        "    position = daedalus.new(sys.argv[1]); position.push(0); print(position.state.left)\n"
    )
    command = [sys.executable, "-c", script, place, str(tmp_path / "stones" / "sizes.py")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (run.stdout.split(), run.stderr) == (["11", "9"], ""), "both from the cache, and not each other's functions"
    assert kept(cache) == both


@pytest.mark.interpreted
def test_helpers_of_the_same_name_in_two_folders_are_not_mixed_up(tmp_path):
    one, two = write_game(tmp_path / "one", 1), write_game(tmp_path / "two", 2)
    sizes = [sys.modules[type(daedalus.game(place)).__module__].taken(None) for place in (one, two, one)]
    assert sizes == [1, 2, 1]


@pytest.mark.interpreted
def test_the_sources_of_a_users_file_are_all_that_it_imports_and_only_users(tmp_path):
    write_game(tmp_path, 1)
    (tmp_path / "unrelated.py").write_text("")
    (tmp_path / "stones" / "deep.py").write_text("from . import sizes\nimport numpy, random\nfrom ..step import taken\n")
    names = {str(path.relative_to(tmp_path)) for path in user_files(tmp_path / "game.py")}
    assert names == {"game.py", "step.py", "stones/__init__.py", "stones/sizes.py"}
    names = {str(path.relative_to(tmp_path)) for path in user_files(tmp_path / "stones" / "deep.py")}
    assert names == {"step.py", "stones/deep.py", "stones/__init__.py", "stones/sizes.py"}
    before = files_hash(tmp_path / "game.py")
    (tmp_path / "unrelated.py").write_text("edited = True")
    assert files_hash(tmp_path / "game.py") == before


@needs_compiler
def test_threads_that_load_and_compile_two_games_at_once_do_not_mix_them_up(cache):
    shops = [KernelLoader(rules, compiled=True) for rules in (Nim, HighCard)]
    begin, found, faults = threading.Barrier(4), {}, []

    def compile_one(number):
        loader, game = shops[number % 2], shops[number % 2].rules()
        try:
            begin.wait(60)
            steps = loader.load("daedalus.core.kernels.transitions")
            S = states(game, 1)
            steps.opening(game, S, workspaces(game, 1, 1))
            steps.play(game, S, 1)
            found[number] = S.tobytes()
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=compile_one, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not faults and found[0] == found[2] and found[1] == found[3]
    for loader in shops:
        names = sorted(path.name.partition("-")[0] for path in loader.folder.path.glob("*.kernel"))
        assert names == ["transitions.opening", "transitions.play"], loader.rules.__name__
    assert len(kept(cache)) == 4


@needs_compiler
def test_a_thread_that_loads_kernels_leaves_other_threads_imports_plain(cache, monkeypatch):
    seen = []

    def look(self, function):
        thread = threading.Thread(target=lambda: seen.append(type(kernel(lambda: 0)).__name__))
        thread.start()
        thread.join()
        return function

    from daedalus.core.compile import kernel

    monkeypatch.setattr(KernelLoader, "compile", look)
    KernelLoader(Nim, compiled=True).load("daedalus.core.kernels.transitions")
    assert set(seen) == {"function"}


def compiled_step():
    """One kernel from the cache or compiled into it: the loader, and whether it does its work."""
    game = Nim()
    loader = KernelLoader(Nim, compiled=True)
    S = states(game, 1)
    S[0].left = 12
    loader.load("daedalus.core.kernels.transitions").play(game, S, 1)
    return loader, S[0].left == 11


def in_place_of(path, make):
    path.unlink()
    make(path)


def flip(path, place):
    contents = bytearray(path.read_bytes())
    contents[place] ^= 0x10
    path.write_bytes(contents)


MARKED = kernel_cache._MARK


def marked(contents):
    """Contents in good order as the cache sees it."""
    return MARKED + kernel_cache._checksum(contents) + contents


class Bomb:
    def __reduce__(self):
        return (open, ("/nonexistent/file",))


DAMAGE = {
    "empty": lambda path: path.write_bytes(b""),
    "one byte": lambda path: path.write_bytes(b"d"),
    "garbage": lambda path: path.write_bytes(os.urandom(5000)),
    "text": lambda path: path.write_text("not a kernel"),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "cut in half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "cut by a byte": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "the mark alone": lambda path: path.write_bytes(MARKED),
    "a flipped bit in the machine code": lambda path: flip(path, path.stat().st_size // 2),
    "a flipped bit in the checksum": lambda path: flip(path, len(MARKED) + 3),
    "more behind it": lambda path: path.write_bytes(path.read_bytes() + b"more"),
    "another pickle": lambda path: path.write_bytes(marked(pickle.dumps({"a": 1}))),
    "a pickle of the wrong shape": lambda path: path.write_bytes(marked(pickle.dumps(((), (1, 2, 3))))),
    "a pickle that raises": lambda path: path.write_bytes(marked(pickle.dumps(Bomb()))),
    "no pickle, in good order": lambda path: path.write_bytes(marked(b"no pickle")),
    "a directory": lambda path: in_place_of(path, Path.mkdir),
    "a full directory": lambda path: in_place_of(path, lambda path: (path / "x" / "y").mkdir(parents=True)),
    "a link to nothing": lambda path: in_place_of(path, lambda path: path.symlink_to("/nonexistent/file")),
    "a link to itself": lambda path: in_place_of(path, lambda path: path.symlink_to(path)),
    "another user's": lambda path: os.chown(path, 12345, 12345),
}
QUIET_DAMAGE = {"a link to nothing", "a pickle of the wrong shape"}  # as if there were nothing


@needs_compiler
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_kernel_is_compiled_again_and_replaced(cache, capfd, damage):
    if damage == "another user's" and os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    loader, _ = compiled_step()
    (path,) = loader.folder.path.glob("*.kernel")
    DAMAGE[damage](path)
    assert compiled_step()[1]
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == (damage not in QUIET_DAMAGE), lines
    assert all(line.startswith("daedalus: kernel cache: ") and str(path) in line for line in lines)
    assert path.is_file() and kernel_cache._contents(path), "replaced by one in order"
    before = kept(cache)
    assert compiled_step()[1] and kept(cache) == before and capfd.readouterr().err == ""


def refuse(monkeypatch, code):
    def fail(*args, **kwargs):
        raise OSError(code, os.strerror(code), "somewhere")

    monkeypatch.setattr("daedalus.core.files.tempfile.mkstemp", fail)


def full(cache, monkeypatch):
    original = Path.write_bytes

    def write(path, contents):
        original(path, contents[:100])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "write_bytes", write)


def foreign(cache, monkeypatch):
    (cache / "kernels").mkdir(parents=True)
    os.chown(cache / "kernels", 12345, 12345)


def unreadable(cache, monkeypatch):
    compiled_step()
    original = open

    def deny(path, mode="r", *rest, **options):
        if str(path).endswith(".kernel"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return original(path, mode, *rest, **options)

    monkeypatch.setattr("builtins.open", deny)


def file_in_place(name):
    def make(cache, monkeypatch):
        (cache / name).parent.mkdir(parents=True, exist_ok=True)
        (cache / name).write_text("a file")

    return make


TROUBLE = {
    "read only": lambda cache, monkeypatch: refuse(monkeypatch, errno.EROFS),
    "no rights": lambda cache, monkeypatch: refuse(monkeypatch, errno.EACCES),
    "quota": lambda cache, monkeypatch: refuse(monkeypatch, errno.EDQUOT),
    "full": full,
    "unreadable": unreadable,
    "the cache is a file": file_in_place(""),
    "the folder of kernels is a file": file_in_place("kernels"),
    "under a file": lambda cache, monkeypatch: monkeypatch.setenv("DAEDALUS_CACHE", "/dev/null/cache"),
    "a place where nothing can be made": lambda cache, monkeypatch: monkeypatch.setenv("DAEDALUS_CACHE", "/proc/daedalus"),
    "a name too long": lambda cache, monkeypatch: monkeypatch.setenv("DAEDALUS_CACHE", str(cache / ("x" * 300))),
    "another user's": foreign,
}


@needs_compiler
@pytest.mark.parametrize("trouble", TROUBLE)
def test_without_a_usable_cache_kernels_compile_in_memory_and_one_line_says_so(cache, capfd, monkeypatch, trouble):
    if trouble == "another user's" and os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    TROUBLE[trouble](cache, monkeypatch)
    assert compiled_step()[1] and compiled_step()[1]
    monkeypatch.undo()
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 1 and lines[0].startswith("daedalus: kernel cache: ") and lines[0].endswith("compiling for this run")
    assert len(lines[0]) < 600
    assert not list(cache.parent.rglob(".*.kernel*")), "nothing half written is left"


@needs_compiler
def test_a_file_in_place_of_a_games_folder_is_replaced(cache):
    folder = KernelLoader(Nim, compiled=True).folder.path
    folder.parent.mkdir(parents=True)
    folder.write_text("a file")
    assert compiled_step()[1] and len(kept(cache)) == 1


@needs_compiler
@pytest.mark.skipif(os.name != "posix", reason="rights as POSIX has them")
def test_kernels_are_for_their_owner_alone(cache):
    loader, _ = compiled_step()
    (path,) = loader.folder.path.glob("*.kernel")
    folders = loader.folder.path, loader.folder.path.parent
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}
    for folder in folders:
        folder.chmod(0o777)
    compiled_step()
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}, "taken back when it was found open"


DICE = "import json\n" + COUNTDOWN.replace("taken(s)", "len(json.loads('[1]'))").replace("from step import taken\n", "")


@needs_compiler
def test_a_damaged_verdict_is_reached_again(cache, tmp_path, capfd):
    mine = tmp_path / "dice.py"
    mine.write_text(DICE)
    for damage in (None, b"", b"\xff\xfe", marked(b"")[:-1], "directory"):
        for verdict in cache.rglob("verdict"):
            if damage == "directory":
                verdict.unlink()
                verdict.mkdir()
            elif damage is not None:
                verdict.write_bytes(damage)
        kernel_cache._complaints.clear()
        kind = daedalus.core.registry.Registration("dice", type(daedalus.game(f"{mine}:Countdown")), trusted=False)
        assert not kind.kernels.compiled
        *complaints, reason = capfd.readouterr().err.splitlines()
        assert "does not compile" in reason and "json" in reason
        assert len(complaints) == (damage is not None)


LONG_STEP = """
from daedalus.core import helper

@helper
def taken(s):  # too long to be put into its caller, so that it keeps a name of its own
    x = 0
    for i in range(s.left + 1000):
        x = (x * 31 + i) % 1000003
    if x < 0:
        raise ValueError("never")
    return SIZE + (x == 1000003)
"""


@needs_compiler
def test_functions_of_one_name_that_two_processes_compiled_do_not_answer_for_each_other(cache, tmp_path):
    places = []
    for size in (1, 3):
        places.append(write_game(tmp_path / str(size), size))
        (tmp_path / str(size) / "step.py").write_text(LONG_STEP.replace("SIZE", str(size)))
    script = "import sys, daedalus\nfor place in sys.argv[1:]: p = daedalus.new(place); p.push(0); print(p.state.left)"
    for some in (places[:1], places[1:], places):
        run = subprocess.run([sys.executable, "-c", script, *some], capture_output=True, text=True, timeout=120)
        assert run.stderr == "", run.stderr
    assert run.stdout.split() == ["11", "9"], "in a third process, which takes both from the cache"
