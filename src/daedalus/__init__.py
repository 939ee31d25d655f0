"""Daedalus: a laboratory for board games whose paths are built, blocked and moved while you play.

import daedalus
position = daedalus.new("blackhole", hole="pass")
thought = daedalus.agent("mcts:seconds=1").choose(position.view())
position.push(thought.move)
"""

from typing import TYPE_CHECKING, Any

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
    Thought,
    UntrustedCode,
)
from .core.registry import game_names
from .core.registry import make_game as game

if TYPE_CHECKING:
    from .agents import Report

__version__ = "0.2.0"


def new(name: str, /, seed: int | None = None, **options: Any) -> Position:
    """A new position of a game: `new("quoridor", walls=10)`. The same seed deals the same start."""
    return Position(game(name, **options), seed)


def agent(spec: str, game: Game | None = None, seed: int = 0) -> Agent:
    """The agent a spec names: `random`, `mcts:seconds=1`, `engine:./mine --fast`, `mine.py:MyAgent`."""
    from .agents import make_agent

    return make_agent(spec, game, seed)


def check(game: Game) -> "Report":
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
    "Thought",
    "UntrustedCode",
    "agent",
    "check",
    "game",
    "game_names",
    "new",
]
