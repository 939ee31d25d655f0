"""Python files of users: a class from `file.py:Class` or `module:Class`, loaded again when the file or its helpers change."""

import hashlib
import importlib
import importlib.util
import sys
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

from .errors import DaedalusError, InvalidGame, UntrustedCode, valid
from .printable import printable
from .sources import files_hash, is_users, user_files

PREFIX = "daedalus_user_"  # how the names of modules begin that were made from users' files
LOADING = RLock()  # one thread at a time loads what a user wrote
_files: dict[str, ModuleType] = {}  # users' files that were loaded, by the hash of their sources
_helpers: dict[Path, bytes] = {}  # the files that those imported, with a hash of what was in them


def load_class(place: str, what: str) -> Any:
    """The class at `file.py:Class` or `module:Class`."""
    where, _, class_name = place.rpartition(":")
    try:
        module = _load_file(Path(where)) if where.endswith(".py") else importlib.import_module(where)
    except DaedalusError:
        raise
    except ModuleNotFoundError as error:
        raise InvalidGame(f"{what} '{place}': {error}") from None
    except Exception as error:
        raise InvalidGame(f"{what} '{place}': {where} does not load: {type(error).__name__}: {error}") from None
    if not hasattr(module, class_name):
        classes = [
            name for name, value in vars(module).items() if isinstance(value, type) and value.__module__ == module.__name__
        ]
        raise InvalidGame(valid(f"class in {where}", class_name, classes))
    if not isinstance(getattr(module, class_name), type):
        raise InvalidGame(f"{what} '{place}': {class_name} is not a class")
    return getattr(module, class_name)


def refuse_new_code(name: str) -> None:
    """Raises UntrustedCode if finding this game runs Python code that this process has not loaded before."""
    where = name.rpartition(":")[0]
    if where and not _is_loaded(where):
        what = f"this game would run the Python code of {printable(where, 200)}"
        raise UntrustedCode(f"{what}; if you trust it, say so: --allow-code, or allow_code=True in Python")


def _is_loaded(where: str) -> bool:
    """Has this process loaded this file or module, or is there no such file? Then naming it runs nothing new."""
    if not where.endswith(".py"):
        return where in sys.modules
    try:
        path = Path(where).resolve()
        files = (Path(file) for module in list(sys.modules.values()) if (file := _file_of(module)))
        return not path.is_file() or any(file.name == path.name and file.resolve() == path for file in files)
    except (OSError, ValueError, RuntimeError):  # no path at all, or links that go round in a circle
        return True


def _file_of(module: ModuleType) -> str | None:
    file = vars(module).get("__file__") if isinstance(module, ModuleType) else None
    return file if isinstance(file, str) else None


def _load_file(path: Path) -> ModuleType:
    """A user's file as a module whose name holds a hash of its sources, so that an edited file is another module."""
    if not path.is_file():
        raise InvalidGame(f"there is no file {path}")
    with LOADING:
        digest = files_hash(path)
        if digest not in _files:
            module = _execute(path, f"{PREFIX}{path.stem}_{digest}")
            _files[digest] = _files[files_hash(path)] = module  # it may have changed where imports are looked for
        return _files[digest]


def _execute(path: Path, name: str) -> ModuleType:
    """Runs a user's file as a module of this name; imports find what lies beside it first."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    folder = str(path.resolve().parent)
    _forget_helpers(path)
    sys.modules[name] = module
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(folder)
    for file, contents in user_files(path).items():
        _helpers[file] = hashlib.blake2b(contents).digest()
    return module


def _forget_helpers(path: Path) -> None:
    """Lets what the file imports be imported afresh: all of it when any was edited, and namesakes from other folders."""
    files = {file: hashlib.blake2b(contents).digest() for file, contents in user_files(path).items()}
    edited = any(_helpers.get(file, digest) != digest for file, digest in files.items())
    beside = [file.relative_to(path.resolve().parent) for file in files if file.is_relative_to(path.resolve().parent)]
    names = {file.parts[0].removesuffix(".py") for file in beside if file.name != path.name}
    for name, module in list(sys.modules.items()):
        place = getattr(module, "__file__", None)
        if name == "__main__" or name.startswith(PREFIX) or not place:
            continue
        file = Path(place).resolve()
        namesake = name.partition(".")[0] in names and file not in files and is_users(file)
        if namesake or (edited and file in files):
            del sys.modules[name]
