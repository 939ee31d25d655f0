"""The arena: matches and tournaments whose results can be trusted, kept in a store.

from daedalus import arena
result = arena.match("blackhole hole=pass", "mcts:simulations=500", "random", games=100)
result.summary.elo     # with its 95 % interval
result.frame()         # every game, for pandas or polars
"""

from .archive import delete_run, export_run, list_runs, load_run
from .games import GameResult, GameTask, play_game
from .matches import match, tournament
from .openings import read_openings
from .results import MatchResult, TournamentResult
from .rows import RunInfo, default_database
from .run import Interrupted, Progress
from .sprt import Sprt

__all__ = [
    "GameResult",
    "GameTask",
    "Interrupted",
    "MatchResult",
    "Progress",
    "RunInfo",
    "Sprt",
    "TournamentResult",
    "default_database",
    "delete_run",
    "export_run",
    "list_runs",
    "load_run",
    "match",
    "play_game",
    "read_openings",
    "tournament",
]
