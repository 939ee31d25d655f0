"""Which sources may end up in a game's kernels, and their fingerprint: kernels of other sources are never used.

Numba notices an edit of the file that holds a kernel, not of what the kernel calls. So the fingerprint covers the part of
this package that kernels can reach, and a user's file with all of the user's own files that it imports, and those import.
"""

import ast
import functools
import hashlib
import inspect
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np

_PACKAGE = Path(__file__).resolve().parent.parent
_COMPILER = Path(__file__).with_name("numba_internals.py")  # what machine code is made of a source
_INSTALLED = [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")]


def may_hold_kernels(parts: tuple[str, ...], game: str) -> bool:
    """Can a file of the package end up in the kernels of the game in this folder? Its path tells."""
    return "kernels" in parts[:-1] and (parts[0] != "games" or parts[1] == game)


@functools.cache  # what a class was made from does not change with a later edit of its file
def sources_hash(rules: type) -> str:
    """A fingerprint of all that may end up in a game's kernels: the sources, the compiler, how it is asked to compile."""
    home = Path(inspect.getfile(rules)).resolve()
    game = home.relative_to(_PACKAGE).parts[1] if home.is_relative_to(_PACKAGE / "games") else ""
    digest = hashlib.blake2b(_COMPILER.read_bytes(), digest_size=8)
    for path in sorted(_PACKAGE.rglob("*.py")):
        if may_hold_kernels(path.relative_to(_PACKAGE).parts, game):
            digest.update(path.read_bytes())
    python = sys.version_info
    digest.update(f"{version('numba')} {np.__version__} {python.major}.{python.minor}".encode())
    digest.update(class_hash(rules).encode())
    return digest.hexdigest()


@functools.cache
def class_hash(rules: type) -> str:
    """A fingerprint of a class of the user's: its module's name, which compiled code keeps, and its files; empty for ours."""
    home = Path(inspect.getfile(rules)).resolve()
    return "" if home.is_relative_to(_PACKAGE) else f"{rules.__module__} {files_hash(home)}"


def files_hash(path: Path) -> str:
    """A fingerprint of a user's file and of the user's files that it imports; another place is another file."""
    digest = hashlib.blake2b(str(path.resolve()).encode(), digest_size=6)
    for name, contents in sorted(user_files(path).items()):
        digest.update(hashlib.blake2b(contents).digest() + str(name).encode())
    return digest.hexdigest()


def user_files(path: Path) -> dict[Path, bytes]:
    """A user's file and all of the user's files that importing it runs, with their contents."""
    path = path.resolve()
    roots = [path.parent, *(Path(entry).resolve() for entry in sys.path)]
    roots = [root for root in dict.fromkeys(roots) if root.is_dir() and is_users(root)]
    found: dict[Path, bytes] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file in found or not is_users(file):
            continue
        try:
            found[file] = file.read_bytes()
        except OSError:
            continue
        package = (file.parent.parent if file.name == "__init__.py" else file.parent) / "__init__.py"
        waiting += [package] if package.is_file() else []
        for level, names in _imports(found[file]):
            folders = [file.parents[level - 1]] if 0 < level <= len(file.parents) else roots
            waiting += _files_of(names, folders)
    return found


def is_users(path: Path) -> bool:
    """Does a path belong to the user, rather than to Python, an installed package or this one?"""
    installed = "site-packages" in path.parts or "dist-packages" in path.parts
    return not installed and not any(path.is_relative_to(place) for place in (_PACKAGE, *_INSTALLED))


@functools.lru_cache(maxsize=1024)
def _imports(source: bytes) -> list[tuple[int, tuple[str, ...]]]:
    """What a source imports: how many folders up (0: from the roots), and the parts of the dotted name."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # Python will say so when it is imported
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(0, tuple(alias.name.split("."))) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            place = tuple(node.module.split(".")) if node.module else ()
            found += [(node.level, (*place, alias.name)) for alias in node.names]  # a module, or a name inside one
    return found


def _files_of(names: tuple[str, ...], folders: list[Path]) -> Iterator[Path]:
    """The files that importing a dotted name runs: those of the packages on the way and the module's own."""
    for folder in folders:
        files = []
        for name in names:
            package, module = folder / name / "__init__.py", folder / f"{name}.py"
            if package.is_file():
                files.append(package)
            elif module.is_file():
                files.append(module)
                break  # what follows is a name inside the module
            elif not (folder / name).is_dir():
                break
            folder = folder / name
        if files:
            yield from (file.resolve() for file in files)
            return
