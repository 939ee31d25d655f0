"""Self-play from Python: memory for a worker, and rows from several of them on threads."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from daedalus.core import InvalidOption, scramble
from daedalus.core.contract import offers
from daedalus.core.memory import states, workspaces
from daedalus.core.registry import registration_of
from daedalus.search import Network
from daedalus.search.kernels.mcts import node_type
from daedalus.search.network import actions_of, inputs_of

from .kernels.selfplay import row_type, settings_type
from .recipe import Recipe

_CHUNK = 500  # rows between two looks at who wants to stop
_KERNELS = "daedalus.learn.kernels.selfplay"


class Played(NamedTuple):
    """What self-play brought: rows, and counts as the kernel lists them."""

    rows: Any
    counts: Any


def demand_trainable(game: Any, recipe: Recipe) -> None:
    """Refuses games that the learner cannot play, or not as the recipe asks."""
    inputs_of(game)
    if not actions_of(game):
        raise InvalidOption(f"{registration_of(game).name} has no ACTIONS for a policy to choose from (docs/features.md)")
    if recipe.simulations and offers(type(game), "redeal"):
        raise InvalidOption(
            f"{registration_of(game).name} hides something: self-play knows games of perfect information only; "
            "a recipe with a teacher and simulations = 0 trains it (docs/learning.md)"
        )


class Worker:
    """Plays games with a copy of a network, in memory of its own."""

    def __init__(self, game: Any, network: Network, recipe: Recipe, seed: int) -> None:
        self.game, self.net = game, network.judge(game)
        self.kernels: Any = registration_of(game).kernels.load(_KERNELS)
        self.settings = settings_of(game, recipe)
        self.S, self.W = states(game, 4), workspaces(game, 3, seed)
        self.T: Any = np.zeros((recipe.simulations + 2) * game.MAX_MOVES + 2, node_type(game.SEATS))
        depth = recipe.simulations + 2
        self.path, self.keys = np.zeros(depth, np.int64), np.zeros(depth, np.uint64)
        self.seen = np.zeros(1 << (4 * recipe.cap).bit_length(), np.uint64)
        self.history = np.zeros(recipe.cap + 1, np.uint64)
        self.counts = np.zeros(5, np.int64)
        self.buffer: Any = np.zeros(_CHUNK + recipe.cap, row_type(game.FEATURES, game.ACTIONS))

    def play(self, wanted: int) -> Any:
        """The rows of whole games, at least so many."""
        memory = (self.path, self.keys, self.seen, self.history, self.counts)
        n = self.kernels.play_games(
            self.game, self.net, self.S, self.W, self.T, self.settings, self.buffer, min(wanted, _CHUNK), *memory
        )
        return self.buffer[:n].copy()

    def rows(self, wanted: int, told: Callable[[int], None], stop: Event) -> Played:
        """The same in chunks, so that somebody may watch and stop it."""
        parts: list[Any] = []
        while (done := sum(map(len, parts))) < wanted and not stop.is_set():
            parts.append(self.play(wanted - done))
            told(len(parts[-1]))
        return Played(np.concatenate(parts), self.counts)


def settings_of(game: Any, recipe: Recipe) -> Any:
    """A recipe's numbers as the kernel reads them."""
    made: Any = np.zeros(1, settings_type())
    for name in ("simulations", "c", "fpu", "noise", "openings", "sampled", "later", "cap"):
        made[name] = getattr(recipe, name)
    made["repetition"] = getattr(game, "repetition", 0)
    return made


def self_play(
    game: Any,
    network: Network,
    recipe: Recipe,
    seed: int,
    workers: int,
    told: Callable[[int], None] = lambda rows: None,
    worker: Callable[..., Worker] = Worker,
) -> Played:
    """An iteration's rows; the same for the same seed and number of workers, wherever `worker` makes them play."""
    players = [worker(game, network, recipe, scramble(seed, k)) for k in range(workers)]
    players[0].play(0)  # compiled by one, so that the others do not wait for its lock one by one
    return gathered(players, recipe.rows, told)


def gathered(players: Sequence[Any], rows: int, told: Callable[[int], None]) -> Played:
    """So many rows from several players, each on a thread."""
    workers, stop = len(players), Event()
    shares = [rows // workers + (k < rows % workers) for k in range(workers)]
    with _stopping(stop), ThreadPoolExecutor(workers) as pool:
        try:
            parts = [*pool.map(lambda player, share: player.rows(share, told, stop), players, shares)]
        except BaseException:
            stop.set()
            raise
    return Played(np.concatenate([part.rows for part in parts]), sum(part.counts for part in parts))


@contextmanager
def _stopping(stop: Event) -> Iterator[None]:
    """Lets threads end soon whatever ends the block."""
    try:
        yield
    finally:
        stop.set()
