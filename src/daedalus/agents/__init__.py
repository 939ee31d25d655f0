"""The players people name: generic ones, each game's own, external engines, and users' classes."""

from .check_agent import check_agent
from .check_game import check_game
from .conformance import Report
from .defaults import default_analyst, default_opponent, warm, warm_steps
from .players import AlphaBeta, Greedy, MonteCarlo, NetworkPlayer, Random, TreePlayer
from .spec import AgentInfo, agent_options, describe, make_agent, names_file

__all__ = [
    "AgentInfo",
    "AlphaBeta",
    "Greedy",
    "MonteCarlo",
    "NetworkPlayer",
    "Random",
    "Report",
    "TreePlayer",
    "agent_options",
    "check_agent",
    "check_game",
    "default_analyst",
    "default_opponent",
    "describe",
    "make_agent",
    "names_file",
    "warm",
    "warm_steps",
]
