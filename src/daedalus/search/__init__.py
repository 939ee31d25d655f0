"""Search that knows no game: playouts, perft, flat Monte Carlo, alpha-beta, Monte Carlo tree search."""

from .alphabeta import ORDERS, AlphaBetaSearch
from .counting import Playouts, divide, perft, playouts
from .mcts import TreeSearch
from .montecarlo import FlatSearch
from .policies import EVALUATIONS, POLICIES, Own, Uniform

__all__ = [
    "EVALUATIONS",
    "ORDERS",
    "POLICIES",
    "AlphaBetaSearch",
    "FlatSearch",
    "Own",
    "Playouts",
    "TreeSearch",
    "Uniform",
    "divide",
    "perft",
    "playouts",
]
