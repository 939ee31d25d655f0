"""Small boards solved exactly: `daedalus solve quoridor -o width=3 -o height=5 -o walls=1`."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from daedalus.core import DaedalusError, Game, Position
from daedalus.core.memory import copies, workspaces
from daedalus.core.registry import registration_of

from .kernels.bitboards import STRIDE
from .kernels.retrograde import DRAWN, WON
from .kernels.rules import H, V

Progress = Callable[[float, str], None]
MOST_BYTES = 8_000_000_000
MOST_POSITIONS = 3_000_000_000  # about what two minutes allow
CHUNK = 4096  # wall sets between two words of progress


class Layer(NamedTuple):
    """What there is with so many walls on the board: sets of walls, and positions over all stocks."""

    walls: int
    sets: int
    positions: int


@dataclass(frozen=True)
class Solution:
    """The value of the start for the first player: 1 won, 0 drawn by going round in circles, -1 lost."""

    value: int
    seconds: float
    layers: list[Layer]

    @property
    def headline(self) -> str:
        """The result in a sentence."""
        return {1: "The first player wins.", 0: "Neither can win: a draw.", -1: "The second player wins."}[self.value]


def solve(game: Game, progress: Progress | None = None) -> Solution:
    """The exact value of the start; repetition and the ply cap play no role, endless play is a draw."""
    board = _Board(game)
    report = progress or (lambda done, text: None)
    begun = time.perf_counter()
    sets = board.wall_sets()
    layers = board.layers(sets)
    total = sum(layer.positions for layer in layers)
    done = 0
    after: dict[tuple[int, int], Any] = {}
    for placed in range(len(sets) - 1, -1, -1):
        bigger = sets[placed + 1] if placed + 1 < len(sets) else sets[placed][:0]
        solved = {}
        for stocks in board.splits(placed):
            values = np.zeros((len(sets[placed]), board.area, board.area, 2), np.uint8)
            for begin in range(0, len(sets[placed]), CHUNK):
                end = min(begin + CHUNK, len(sets[placed]))
                board.solve_sets(sets[placed], begin, end, bigger, after, stocks, values)
                done += (end - begin) * board.area**2 * 2
                report(done / total, f"{placed} walls on the board")
            solved[stocks] = values
        after = solved
    start = after[(board.walls, board.walls)][0, board.home[0], board.home[1], 0]
    value = 0 if start == DRAWN else 1 if start == WON else -1
    return Solution(value, round(time.perf_counter() - begun, 2), layers)


class _Board:
    """A board's cells and places for walls, numbered for the tables."""

    def __init__(self, game: Any) -> None:
        if game.SEATS != 2:
            raise DaedalusError("only the game for two is solved")
        self.game, self.walls, self.area = game, game.walls, game.width * game.height
        self.kernels = registration_of(game).kernels.load(f"{__package__}.kernels.retrograde")
        position = Position(game, 1)
        self.S = copies(game, [position.state], 2)
        self.W = workspaces(game, 1, 1)
        self.cells = np.array([STRIDE * row + file for row in range(game.height) for file in range(game.width)])
        self.number = np.full(STRIDE * STRIDE, -1)
        self.number[self.cells] = np.arange(self.area)
        self.home = [int(self.number[cell]) for cell in position.state.pawn]
        anchors = [STRIDE * row + file for row in range(game.height - 1) for file in range(game.width - 1)]
        self.places = np.array([code + anchor for code in (H, V) for anchor in anchors])
        if len(self.places) > 64:
            raise DaedalusError(f"a board of {game.width} x {game.height} is too large to solve")
        self.conflicts = np.array([self._conflicts(int(place)) for place in self.places], np.uint64)

    def _conflicts(self, wall: int) -> int:
        """The places that a wall takes: its own, the crossing one, and those it would overlap."""
        along = 1 if wall < V else STRIDE
        crossing = wall + (V - H) if wall < V else wall - (V - H)
        taken = {wall, crossing, wall - along, wall + along}
        return sum(1 << i for i, place in enumerate(self.places.tolist()) if place in taken)

    def wall_sets(self) -> list[Any]:
        """The sets of 0, 1, 2, ... walls that fit on the board, as sorted masks."""
        sets = [np.zeros(1, np.uint64)]
        while len(sets) <= 2 * self.walls:
            count = self.kernels.larger(sets[-1], self.conflicts, len(self.places), np.zeros(0, np.uint64))
            if count == 0:
                break
            if count * self.area**2 * 2 > MOST_BYTES:
                raise DaedalusError(f"too large: {count:,} sets of {len(sets)} walls alone")
            out = np.zeros(count, np.uint64)
            self.kernels.larger(sets[-1], self.conflicts, len(self.places), out)
            sets.append(np.sort(out))
        return sets

    def layers(self, sets: list[Any]) -> list[Layer]:
        """The sizes of the layers; refuses what two minutes and 8 GB do not allow."""
        layers = [
            Layer(placed, len(masks), len(masks) * self.area**2 * 2 * len(self.splits(placed)))
            for placed, masks in enumerate(sets)
        ]
        positions = sum(layer.positions for layer in layers)
        memory = max(a.positions + b.positions for a, b in zip(layers, [*layers[1:], Layer(0, 0, 0)], strict=True))
        if positions > MOST_POSITIONS or memory > MOST_BYTES:
            raise DaedalusError(f"too large to solve: {positions:,} positions, {memory / 1e9:.1f} GB")
        return layers

    def splits(self, placed: int) -> list[tuple[int, int]]:
        """The stocks that so many walls on the board may have left."""
        left = 2 * self.walls - placed
        return [(mine, left - mine) for mine in range(self.walls + 1) if 0 <= left - mine <= self.walls]

    def solve_sets(
        self, sets: Any, begin: int, end: int, bigger: Any, after: dict[Any, Any], stocks: tuple[int, int], values: Any
    ) -> None:
        mine, theirs = stocks
        after0, after1 = (after.get(key, values) for key in ((mine - 1, theirs), (mine, theirs - 1)))
        board = (self.places, self.conflicts, self.cells, self.number)
        self.kernels.solve_sets(
            self.game, self.S, self.W, *board, sets, begin, end, bigger, after0, after1, mine, theirs, values
        )
