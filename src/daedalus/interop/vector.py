"""Many games at once, for those who learn: observations, masks and rewards as arrays, stepped in one kernel call.

games = daedalus.vector("quoridor", 1024, seed=1)
seen = games.reset()
seen = games.step(games.sample())     # or an array of 1024 actions
seen.observations, seen.masks, seen.turns, seen.rewards, seen.done
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from daedalus.core import DaedalusError, Game, IllegalMove, InvalidOption, Position, scramble
from daedalus.core.memory import states, workspaces
from daedalus.core.registry import make_game, registration_of

from .kernels.stepping import Table
from .observing import whole_number

_KEYS = 64  # positions of a game that are remembered at first, where repetition matters; more when a game is longer
_DEALS, _DICE = 0, 1  # streams of random numbers


class Seen(NamedTuple):
    """What a step shows of n games. The arrays are read-only and the next step writes into them: copy what is to last."""

    observations: npt.NDArray[np.float32]
    """(n, FEATURES): the features that the seat to move sees, see docs/features.md"""
    masks: npt.NDArray[np.uint8]
    """(n, ACTIONS): 1 where an action is legal"""
    turns: npt.NDArray[np.int64]
    """(n,): the seat to move"""
    rewards: npt.NDArray[np.float32]
    """(n, SEATS): what each seat gets from a game that the step ended, else 0"""
    done: npt.NDArray[np.bool_]
    """(n,): did the step end a game? Then all but the rewards is of the opening of the next one"""


class VectorGames:
    """n games of one kind, each of which starts anew when it has ended. Made by `daedalus.vector`."""

    def __init__(self, game: Game, n: int, seed: int = 0, threads: int = 1) -> None:
        n, threads, seed = (whole_number(name, value) for name, value in (("n", n), ("threads", threads), ("seed", seed)))
        if n < 1 or threads < 1:
            raise InvalidOption(f"at least one game on one thread, not {n} on {threads}")
        threads = min(threads, n)
        kind = registration_of(game)
        if not (game.FEATURES and game.ACTIONS):
            raise DaedalusError(f"{kind.name} has no {'actions' if game.FEATURES else 'features'}: see docs/features.md")
        self.game = game
        self.n = n
        self._repetition: int = getattr(game, "repetition", 0)
        self._kernels: Any = kind.kernels.load(f"{__package__}.kernels.stepping")
        self._S, self._blank = states(game, n), states(game, 1)
        self._parts = [n * part // threads for part in range(threads + 1)]
        self._W = workspaces(game, threads, 0)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 and kind.kernels.compiled else None
        self._table = _empty_table(game, n)
        self._seen = _read_only(self._table)
        self._started = False
        self._seed(seed)

    def _seed(self, seed: int) -> None:
        self._table.deals[:] = [scramble(seed, i, _DEALS) for i in range(self.n)]
        self._table.dice[:] = [scramble(seed, i, _DICE) for i in range(self.n)]

    def reset(self, seed: int | None = None) -> Seen:
        """All games begin anew. The same seed gives the same games; without one, new games follow those before."""
        if seed is not None:
            self._seed(whole_number("seed", seed))
        self._kernels.reset(self.game, self._S, self._blank, self._W, self._table, self._repetition)
        self._started = True
        return self._seen

    def step(self, actions: Any) -> Seen:
        """Makes one action in every game. If one is illegal, IllegalMove tells which, and no game has changed.

        Of several legal moves with the same action, between which an onlooker cannot tell, the first in the game's order
        is made.
        """
        given = self._checked(actions)
        self._make_room()
        fault = self._whole(given) if self._pool is None else self._in_parts(self._pool, given)
        if fault >= 0:
            legal = np.flatnonzero(self._table.masks[fault])
            some = ", ".join(map(str, legal[:8])) + (", ..." if legal.size > 8 else "")
            raise IllegalMove(f"game {fault}: action {given[fault]} is not legal there; legal: {some}")
        return self._seen

    def _checked(self, actions: Any) -> npt.NDArray[np.int64]:
        self._demand_reset()
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise DaedalusError(f"one whole number a game: an array of {self.n}, not {given.dtype} of shape {given.shape}")
        return np.ascontiguousarray(given, np.int64)

    def _whole(self, actions: npt.NDArray[np.int64]) -> int:
        return int(self._part(actions, 0, 0, self.n))

    def _in_parts(self, pool: ThreadPoolExecutor, actions: npt.NDArray[np.int64]) -> int:
        """The same on several threads. All actions are looked at first: else some threads would have played."""
        fault = int(self._kernels.illegal(self._table, actions))
        if fault < 0:
            workers = range(len(self._parts) - 1)
            list(pool.map(self._part, [actions] * len(workers), workers, self._parts, self._parts[1:]))
        return fault

    def _part(self, actions: npt.NDArray[np.int64], worker: int, begin: int, end: int) -> Any:
        return self._kernels.step(
            self.game, self._S, self._blank, self._W, worker, self._table, actions, begin, end, self._repetition
        )

    def _make_room(self) -> None:
        """Room for the key of one more position in the longest game."""
        keys = self._table.keys
        if self._repetition and self._table.plies.max() + 1 >= keys.shape[1]:
            self._table = self._table._replace(keys=np.concatenate([keys, np.zeros_like(keys)], axis=1))

    def sample(self) -> npt.NDArray[np.int64]:
        """A random legal action for every game, every legal move equally likely."""
        self._demand_reset()
        out = np.zeros(self.n, np.int64)
        self._kernels.sample(self._W, self._table, out)
        return out

    def position(self, i: int) -> Position:
        """Game number i as a position, hidden cards included, without the moves that led there: to look at and to draw."""
        self._demand_reset()
        if not -self.n <= i < self.n:
            raise InvalidOption(f"there is no game {i} among {self.n}")
        return Position.from_state(self.game, self._S[i])

    def _demand_reset(self) -> None:
        if not self._started:
            raise DaedalusError("reset() comes before all else: no game has begun")

    def close(self) -> None:
        """Ends the threads; who steps on does so on one."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


def _empty_table(game: Game, n: int) -> Table:
    return Table(
        observations=np.zeros((n, game.FEATURES), np.float32),
        masks=np.zeros((n, game.ACTIONS), np.uint8),
        turns=np.zeros(n, np.int64),
        rewards=np.zeros((n, game.SEATS), np.float32),
        done=np.zeros(n, np.bool_),
        codes=np.zeros((n, game.MAX_MOVES), np.int64),
        numbers=np.zeros((n, game.MAX_MOVES), np.int32),
        counts=np.zeros(n, np.int64),
        plies=np.zeros(n, np.int64),
        keys=np.zeros((n, _KEYS), np.uint64),
        deals=np.zeros(n, np.uint64),
        dice=np.zeros(n, np.uint64),
    )


def _read_only(table: Table) -> Seen:
    shown = [getattr(table, name).view() for name in Seen._fields]
    for array in shown:
        array.flags.writeable = False
    return Seen(*shown)


def vector(game: Game | str, n: int, /, seed: int = 0, threads: int = 1, **options: Any) -> VectorGames:
    """n games of a kind, stepped together on so many threads: `vector("blackhole", 1024, hole="pass")`."""
    if isinstance(game, str):
        game = make_game(game, **options)
    elif options:
        raise InvalidOption("a game that is made already takes no more options")
    return VectorGames(game, n, seed, threads)
