"""What `daedalus bench saboteur` measures beside what every game has: whole random games, and the expert's simulations."""

from collections.abc import Callable

import numpy as np

from daedalus.core import Limit, Position
from daedalus.core.memory import states, workspaces
from daedalus.core.registry import make_game, registration_of
from daedalus.search import Own, TreeSearch
from daedalus.search.kernels.policies import Uniform

from .kernels.policies import Careful

Work = tuple[str, Callable[[int], int], str]
CHUNK = 20_000  # simulations of one search


def works() -> list[Work]:
    """Random games from fresh deals, and simulations of information-set searches with rollouts to the end."""
    return [
        ("random_games", random_games, "1/s"),
        ("simulations.uniform", lambda n: simulations(n, TreeSearch()), "1/s"),
        ("simulations", lambda n: simulations(n, TreeSearch(Careful(), Uniform(), puct=True, c=1.5)), "1/s"),
    ]


def random_games(n: int) -> int:
    """n games of uniformly random moves, each dealt anew."""
    game = make_game("saboteur")
    kernels = registration_of(game).kernels.load("daedalus.games.saboteur.kernels.play")
    kernels.duel(game, Own(), Own(), states(game, 2), workspaces(game, 1, 1), n, np.zeros(4, np.int64))
    return n


def simulations(n: int, search: TreeSearch) -> int:
    """About n simulations from the openings of several deals."""
    game = make_game("saboteur")
    limit = Limit(simulations=min(n, CHUNK))
    return sum(search.think(Position(game, seed).view(), limit).simulations for seed in range(max(1, n // CHUNK)))
