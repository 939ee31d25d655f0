"""Which games there are: a folder under daedalus/games, or a class in a file or module of the user's own."""

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

import numpy as np

from . import options
from .compile import KernelLoader, compiler
from .contract import Game, complete
from .errors import DaedalusError, InvalidGame, valid
from .kernels import transitions
from .memory import is_plain, states, workspaces
from .sources import sources_hash
from .user_code import LOADING, PREFIX, load_class, refuse_new_code


@dataclass
class Registration:
    """A registered game class with what belongs to it.

    `agents` are player classes, or specs under a name of their own (levels); `defaults` their options in this game;
    `opponent(game)` the spec to play against when the user names none;
    `fault_move(view, seed)` the move that the arena plays instead of an illegal or late one, None if that is a forfeit;
    `variants` the options that `bench` measures, by name;
    `by_hand`: positions run interpreted until a search wants compiled kernels, so that who plays need not wait for a compiler.
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
    by_hand: bool = False
    _kernels: KernelLoader | None = field(default=None, repr=False)
    _lock: Any = field(default_factory=RLock, repr=False)

    def module(self, name: str) -> ModuleType | None:
        """The module of this name in the game's folder (`bench`, `measures`), None if there is none; users' games have none."""
        return _module_of(self.name, name) if self.trusted else None

    @property
    def measures(self) -> dict[str, Any]:
        """What studies measure in games of it: MEASURES of its module `measures`, or of a user's class."""
        return getattr(self.module("measures") or self.rules, "MEASURES", {})

    @property
    def calculations(self) -> dict[str, Any]:
        """What studies calculate beside games: CALCULATIONS, likewise."""
        return getattr(self.module("measures") or self.rules, "CALCULATIONS", {})

    @property
    def kernels(self) -> KernelLoader:
        """The kernels of this game, compiled if it compiles."""
        if self._kernels is None:
            with self._lock:
                self._kernels = self._kernels or self._loaded()
        return self._kernels

    @property
    def transitions(self) -> Any:
        """What positions are opened, surveyed and moved on by."""
        if self.by_hand and self._kernels is None:
            return transitions
        return self.kernels.load(transitions.__name__)

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
        loader.load(transitions.__name__).probe(game, states(game, 1), workspaces(game, 1, 1), np.zeros(game.FEATURES))
    except compiler().NumbaError as error:
        return _sentence(str(error))
    return ""


# How the lines of a Numba report that name the culprit begin, the most telling first.
_TELLING = ("Untyped global name", "Unknown attribute", "Use of unsupported", "Cannot unify", "No implementation")


def _sentence(report: str) -> str:
    """The telling line of a long Numba report."""
    lines = [line.strip(" -") for line in report.splitlines() if line.strip(" -")]
    telling = (line for beginning in _TELLING for line in lines if line.startswith(beginning))
    return next(telling, lines[0] if lines else "unknown reason")[:200]


_by_class: dict[type, Registration] = {}
_by_name: dict[str, Registration] = {}
_GAMES = "daedalus.games"
PARTS = (
    "text",
    "words",
    "picture",
    "terminal",
    "features",
    "agents",
)  # modules of a game's folder, each optional, that complete its rules


def register(name: str, rules: type, *modules: ModuleType, trusted: bool = True) -> Registration:
    """Makes a game class known: checks it, completes it from its modules, and returns its entry.

    From each module (or the class itself) presentation is taken by name, and what `Registration` lists, in capitals
    where it is a constant: AGENTS, POLICIES, EVALUATIONS, DEFAULTS, VARIANTS, opponent, fault_move, solve.
    """
    complete(rules, *modules)
    entry = Registration(name, rules, trusted)
    for module in (*modules, rules):
        for attribute in ("agents", "policies", "evaluations", "defaults", "variants"):
            getattr(entry, attribute).update(getattr(module, attribute.upper(), {}))
        for hook in ("opponent", "fault_move", "solve"):
            setattr(entry, hook, getattr(module, hook, getattr(entry, hook)))
    _by_class[rules] = _by_name[name] = entry
    return entry


def game_names() -> list[str]:
    """The games that come with the package: the folders in games/."""
    folder = importlib.import_module(_GAMES).__path__
    return sorted(module.name for module in pkgutil.iter_modules(folder) if module.ispkg)


def rules_of(name: str) -> type:
    """The class of a game that comes with the package, from kernels/rules.py of its folder; loads nothing else of it."""
    if name not in game_names():
        raise InvalidGame(valid("game", name, game_names()) + ", or path/to/file.py:Class")
    try:
        module = importlib.import_module(f"{_GAMES}.{name}.kernels.rules")
    except ModuleNotFoundError as error:
        raise InvalidGame(f"game '{name}': {error}; a game's class is in kernels/rules.py of its folder") from None
    found = [rules for rules in vars(module).values() if _is_game(rules) and rules.__module__ == module.__name__]
    if len(found) != 1:
        names = ", ".join(rules.__name__ for rules in found) or "none"
        raise InvalidGame(f"game '{name}': kernels/rules.py must hold one NamedTuple class with a method `start`, not {names}")
    rules: type = found[0]
    return rules


def headline(rules: type) -> str:
    """A game in a line: the first of the class's docstring."""
    return (inspect.getdoc(rules) or "").split("\n")[0]


def _is_game(value: Any) -> bool:
    return isinstance(value, type) and hasattr(value, "_fields") and hasattr(value, "start")


def folder_of(name: str) -> Path:
    """Where a game that comes with the package has its files."""
    folders = (Path(folder, name) for folder in importlib.import_module(_GAMES).__path__)
    return next(folder for folder in folders if folder.is_dir())


def find(name: str, allow_code: bool = True) -> Registration:
    """The entry of a game: one of ours by name, or `file.py:Class`, or `module:Class`. An edited file is loaded again.

    Where the name comes from a record, a store or a stranger, `allow_code=False` loads nothing that this process has not
    loaded already, and raises UntrustedCode instead.
    """
    known = _by_name.get(name)
    if not (allow_code or known):
        refuse_new_code(name)
    if known and not (known.rules.__module__.startswith(PREFIX) and Path(name.rpartition(":")[0]).is_file()):
        return known
    with LOADING:
        if ":" in name:
            rules = load_class(name, "game")
            return _by_class.get(rules) or _adopt(name, rules)
        rules = rules_of(name)
        modules = [found for part in PARTS if (found := _module_of(name, part))]
        return _by_class.get(rules) or register(name, rules, *modules)


def _module_of(game: str, part: str) -> ModuleType | None:
    """A module of a game's folder, None if it has none of this name."""
    place = f"{_GAMES}.{game}.{part}"
    return importlib.import_module(place) if importlib.util.find_spec(place) else None


def _adopt(name: str, rules: type) -> Registration:
    """Registers a user's class after a short interpreted game has shown that its methods work together."""
    sources_hash(rules)  # now, before anybody edits the files that the class comes from
    entry = register(name, rules, trusted=False)
    from .smoke import smoke

    try:
        smoke(rules())
    except DaedalusError:
        del _by_class[rules], _by_name[name]
        raise
    return entry


def registration_of(game: Game) -> Registration:
    """The entry of a game's class; a class met for the first time is registered under its own name."""
    rules = type(game)
    if rules in _by_class:
        return _by_class[rules]
    with LOADING:
        if rules in _by_class:
            return _by_class[rules]
        if rules.__module__.startswith(f"{_GAMES}."):
            return find(rules.__module__.split(".")[2])
        # a script's class is named by its file, so that its records can be replayed elsewhere
        where = inspect.getfile(rules) if rules.__module__ == "__main__" else rules.__module__
        return _adopt(f"{where}:{rules.__name__}", rules)


def make_game(name: str, /, **given: Any) -> Game:
    """A game by name with its options: `make_game("blackhole", hole="pass")`."""
    game: Game = options.make(find(name).rules, given)
    return game
