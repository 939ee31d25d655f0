"""Daedalus: a laboratory for board games whose paths are built, blocked and moved while you play.

import daedalus
position = daedalus.new("blackhole", hole="pass")
thought = daedalus.agent("mcts:seconds=1").choose(position.view())
position.push(thought.move)
daedalus.match("blackhole", "mcts:simulations=500", "greedy", games=100).summary.elo

What users call is here; what the rules of a game are written with is in `daedalus.core`.

    games       game_names  game  new  Position  Move  Outcome  Game  options_of  Option
    agents      agent  Agent  Thought  Candidate  Limit  Watch  setting
    records     Record  Remark  read_records  append_record
    arena       match  tournament  load_run  list_runs  delete_run  export_run  read_openings  Sprt  (more: daedalus.arena)
    checks      check  check_agent
    learning    vector (many games at once as arrays)
    notebooks   show  play
    errors      DaedalusError, of which all others are kinds: IllegalMove  InvalidText  InvalidRecord  InvalidOption
                InvalidSpec  InvalidGame  UntrustedCode  EngineFailure
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agents import Report
    from .agents import make_agent as agent
    from .agents.check_agent import check_agent
    from .arena import Sprt, delete_run, export_run, list_runs, load_run, match, read_openings, tournament
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
        Option,
        Outcome,
        Position,
        Record,
        Remark,
        Thought,
        UntrustedCode,
        Watch,
        append_record,
        options_of,
        read_records,
        setting,
    )
    from .core.registry import game_names
    from .core.registry import make_game as game
    from .interop.vector import vector
    from .notebook import play, show

__version__ = "0.3.0"

# Where a name comes from that is not of the core: loaded when it is first used, since most programs need few of them.
_PLACES = {
    "game": ("core.registry", "make_game"),
    "game_names": ("core.registry", "game_names"),
    "agent": ("agents", "make_agent"),
    "check_agent": ("agents", "check_agent"),
    "vector": ("interop.vector", "vector"),
    "play": ("notebook", "play"),
    "show": ("notebook", "show"),
    **{
        name: ("arena", name)
        for name in ("Sprt", "delete_run", "export_run", "list_runs", "load_run", "match", "read_openings", "tournament")
    },
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'daedalus' has no attribute '{name}'")
    module, attribute = _PLACES.get(name, ("core", name))
    found = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def new(name: str, /, seed: int | None = None, **options: Any) -> "Position":
    """A new position of a game: `new("quoridor", walls=10)`. The same seed deals the same start."""
    from .core import Position
    from .core.registry import make_game

    return Position(make_game(name, **options), seed)


def check(game: "Game | str") -> "Report":
    """Does a game, or one of this name, keep the contract? The report says what was tried and what did not hold."""
    from .agents import check_game
    from .core.registry import make_game

    return check_game(make_game(game) if isinstance(game, str) else game)


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
    "Option",
    "Outcome",
    "Position",
    "Record",
    "Remark",
    "Sprt",
    "Thought",
    "UntrustedCode",
    "Watch",
    "agent",
    "append_record",
    "check",
    "check_agent",
    "delete_run",
    "export_run",
    "game",
    "game_names",
    "list_runs",
    "load_run",
    "match",
    "new",
    "options_of",
    "play",
    "read_openings",
    "read_records",
    "setting",
    "show",
    "tournament",
    "vector",
]
