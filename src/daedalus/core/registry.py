"""Which games there are: a folder under daedalus/games, or a class in a file or module of the user's own."""

import hashlib
import importlib
import importlib.util
import inspect
import pkgutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

from numba.core.errors import NumbaError

from . import options
from .compile import INTERPRETED, KernelLoader
from .contract import Game, complete
from .errors import DaedalusError, InvalidGame, UntrustedCode, valid
from .memory import is_plain, states, workspaces
from .printable import printable
from .sources import files_hash, is_users, sources_hash, user_files


@dataclass
class Registration:
    """A registered game class with what belongs to it.

    `agents` are player classes, or specs under a name of their own (levels); `defaults` their options in this game;
    `opponent(game)` the spec to play against when the user names none;
    `fault_move(view, seed)` the move that the arena plays instead of an illegal or late one, None if that is a forfeit;
    `variants` the options that `bench` measures, by name.
    """

    name: str
    rules: type
    trusted: bool = True
    agents: dict[str, Any] = field(default_factory=dict)
    policies: dict[str, Any] = field(default_factory=dict)
    evaluations: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, dict[str, Any]] = field(default_factory=dict)
    variants: dict[str, dict[str, Any]] = field(default_factory=dict)
    opponent: Any = None
    fault_move: Any = None
    solve: Any = None
    _kernels: KernelLoader | None = field(default=None, repr=False)
    _lock: Any = field(default_factory=RLock, repr=False)

    @property
    def headline(self) -> str:
        """The first line of the class's docstring."""
        return (inspect.getdoc(self.rules) or "").split("\n")[0]

    @property
    def kernels(self) -> KernelLoader:
        """The kernels of this game, compiled if it compiles."""
        if self._kernels is None:
            with self._lock:
                self._kernels = self._kernels or self._loaded()
        return self._kernels

    def _loaded(self) -> KernelLoader:
        game = self.rules()
        loader = KernelLoader(self.rules, compiled=not is_plain(game))
        if self.trusted or not loader.compiled:
            return loader
        reason = _why_not(loader, game)
        if reason is None:
            return loader
        print(f"daedalus: {self.rules.__name__} runs interpreted, it does not compile: {reason}", file=sys.stderr)
        return KernelLoader(self.rules, compiled=False)


def _why_not(loader: KernelLoader, game: Any) -> str | None:
    """Why a user's game does not compile, None if it does; the verdict is kept beside its kernels."""
    verdict = loader.folder.get("verdict")
    if verdict is None:
        verdict = _try_compiling(loader, game).encode()
        loader.folder.put("verdict", verdict)
    return verdict.decode() or None


def _try_compiling(loader: KernelLoader, game: Any) -> str:
    try:
        loader.load("daedalus.core.kernels.transitions").probe(game, states(game, 1), workspaces(game, 1, 1))
    except NumbaError as error:
        return _sentence(str(error))
    return ""


# How the lines of a Numba report that name the culprit begin, the most telling first.
_TELLING = ("Untyped global name", "Unknown attribute", "Use of unsupported", "Cannot unify", "No implementation")


def _sentence(report: str) -> str:
    """The telling line of a long Numba report."""
    lines = [line.strip(" -") for line in report.splitlines() if line.strip(" -")]
    telling = (line for beginning in _TELLING for line in lines if line.startswith(beginning))
    return next(telling, lines[0] if lines else "unknown reason")[:200]


_kinds: dict[type, Registration] = {}
_names: dict[str, Registration] = {}
_USERS = "daedalus_user_"  # how the names of modules begin that were made from users' files
_loading = RLock()  # one thread at a time loads what a user wrote
_files: dict[str, ModuleType] = {}  # users' files that were loaded, by the hash of their sources
_helpers: dict[Path, bytes] = {}  # the files that those imported, with a hash of what was in them


def register(name: str, rules: type, *modules: ModuleType, trusted: bool = True) -> Registration:
    """Makes a game class known: checks it, completes it from its modules, and returns its entry.

    From each module (or the class itself) presentation is taken by name, and what `Registration` lists, in capitals
    where it is a constant: AGENTS, POLICIES, EVALUATIONS, DEFAULTS, VARIANTS, opponent, fault_move, solve.
    """
    complete(rules, *modules)
    kind = Registration(name, rules, trusted)
    for module in (*modules, rules):
        for attribute in ("agents", "policies", "evaluations", "defaults", "variants"):
            getattr(kind, attribute).update(getattr(module, attribute.upper(), {}))
        for hook in ("opponent", "fault_move", "solve"):
            setattr(kind, hook, getattr(module, hook, getattr(kind, hook)))
    _kinds[rules] = _names[name] = kind
    return kind


def game_names() -> list[str]:
    """The games that come with the package."""
    folder = importlib.import_module("daedalus.games").__path__
    return sorted(module.name for module in pkgutil.iter_modules(folder) if module.ispkg)


def find(name: str, allow_code: bool = True) -> Registration:
    """The entry of a game: one of ours by name, or `file.py:Class`, or `module:Class`. An edited file is loaded again.

    Where the name comes from a record, a store or a stranger, `allow_code=False` loads nothing that this process has not
    loaded already, and raises UntrustedCode instead.
    """
    if not allow_code:
        _refuse_code(name)
    known = _names.get(name)
    if known and not (known.rules.__module__.startswith(_USERS) and Path(name.rpartition(":")[0]).is_file()):
        return known
    if ":" in name:
        with _loading:
            rules = load_class(name, "game")
            return _kinds.get(rules) or _adopt(name, rules)
    if name not in game_names():
        raise InvalidGame(valid("game", name, game_names()) + ", or path/to/file.py:Class")
    importlib.import_module(f"daedalus.games.{name}")
    return _names[name]


def _adopt(name: str, rules: type) -> Registration:
    """Registers a user's class after a short interpreted game has shown that its methods work together."""
    sources_hash(rules)  # now, before anybody edits the files that the class comes from
    kind = register(name, rules, trusted=False)
    from .smoke import smoke

    try:
        smoke(rules())
    except DaedalusError:
        del _kinds[rules], _names[name]
        raise
    return kind


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


def _refuse_code(name: str) -> None:
    """Raises UntrustedCode if finding this game runs Python code that this process has not loaded before."""
    where = name.rpartition(":")[0]
    if where and name not in _names and not _is_loaded(where):
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
    with _loading:
        digest = files_hash(path)
        if digest not in _files:
            module = _execute(path, f"{_USERS}{path.stem}_{digest}")
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
        if name == "__main__" or name.startswith(_USERS) or not place:
            continue
        file = Path(place).resolve()
        namesake = name.partition(".")[0] in names and file not in files and is_users(file)
        if namesake or (edited and file in files):
            del sys.modules[name]


def registration_of(game: Game) -> Registration:
    """The entry of a game's class; a class met for the first time is registered under its own name."""
    rules = type(game)
    if rules in _kinds:
        return _kinds[rules]
    with _loading:
        if rules in _kinds:
            return _kinds[rules]
        # a script's class is named by its file, so that its records can be replayed elsewhere
        where = inspect.getfile(rules) if rules.__module__ == "__main__" else rules.__module__
        return _adopt(f"{where}:{rules.__name__}", rules)


def make_game(name: str, /, **given: Any) -> Game:
    """A game by name with its options: `make_game("blackhole", hole="pass")`."""
    kind = find(name)
    game: Game = options.make(kind.rules, given)
    return game


__all__ = ["INTERPRETED", "Registration", "find", "game_names", "load_class", "make_game", "register", "registration_of"]
