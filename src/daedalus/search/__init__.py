"""Search that knows no game: playouts, perft, flat Monte Carlo, alpha-beta, Monte Carlo tree search."""

from .agents import PolicyPlayer, SearchAgent
from .alphabeta import ORDERS, AlphaBetaSearch
from .kernels.policies import EVALUATIONS, POLICIES, Own, Uniform
from .mcts import TreeSearch
from .montecarlo import FlatSearch
from .network import Network, read_network, shipped, ships_network
from .perft import Playouts, divide, perft, playouts
from .safetensors import InvalidNetwork
from .wins import win_at_hand, winning_moves

__all__ = [
    "EVALUATIONS",
    "ORDERS",
    "POLICIES",
    "AlphaBetaSearch",
    "FlatSearch",
    "InvalidNetwork",
    "Network",
    "Own",
    "Playouts",
    "PolicyPlayer",
    "SearchAgent",
    "TreeSearch",
    "Uniform",
    "divide",
    "perft",
    "playouts",
    "read_network",
    "shipped",
    "ships_network",
    "win_at_hand",
    "winning_moves",
]
