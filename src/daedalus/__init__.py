"""Daedalus: a laboratory for board games whose paths are built, blocked and moved while you play.

import daedalus
position = daedalus.new("blackhole", hole="pass")
thought = daedalus.agent("mcts:seconds=1").choose(position.view())
position.push(thought.move)
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agents import Report
    from .core import (
        Agent,
        Candidate,
        DaedalusError,
        EngineFailure,
        Game,
        IllegalMove,
        InvalidGame,
        InvalidOption,
        InvalidRecord,
        InvalidSpec,
        InvalidText,
        Limit,
        Move,
        Outcome,
        Position,
        Record,
        Thought,
        UntrustedCode,
        read_records,
    )
    from .core.registry import game_names
    from .core.registry import make_game as game

__version__ = "0.2.0"

# Where a name that is not defined here comes from: loaded when it is first used, since the compiler takes its time to load.
_PLACES = {"game": ("core.registry", "make_game"), "game_names": ("core.registry", "game_names")}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'daedalus' has no attribute '{name}'")
    module, attribute = _PLACES.get(name, ("core", name))
    found = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def new(name: str, /, seed: int | None = None, **options: Any) -> "Position":
    """A new position of a game: `new("quoridor", walls=10)`. The same seed deals the same start."""
    from .core import Position
    from .core.registry import make_game

    return Position(make_game(name, **options), seed)


def agent(spec: str, game: "Game | None" = None, seed: int = 0) -> "Agent":
    """The agent a spec names: `random`, `mcts:seconds=1`, `engine:./mine --fast`, `mine.py:MyAgent`."""
    from .agents import make_agent

    return make_agent(spec, game, seed)


def check(game: "Game") -> "Report":
    """Does a game keep the contract? The report says what was tried and what did not hold."""
    from .agents import check_game

    return check_game(game)


__all__ = [
    "Agent",
    "Candidate",
    "DaedalusError",
    "EngineFailure",
    "Game",
    "IllegalMove",
    "InvalidGame",
    "InvalidOption",
    "InvalidRecord",
    "InvalidSpec",
    "InvalidText",
    "Limit",
    "Move",
    "Outcome",
    "Position",
    "Record",
    "Thought",
    "UntrustedCode",
    "agent",
    "check",
    "game",
    "game_names",
    "new",
    "read_records",
]
