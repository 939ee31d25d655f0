"""The solved 5 x 5 game: the exact value of every position, built once, kept on disk, probed in microseconds.

A value is that of the game without end: repetition and the ply cap play no role, and whoever cannot be beaten draws.
Distances count plies to the end when the winner hurries and the loser delays.

A file holds one variant, `hole=stop` or `hole=pass`:

    daedalus blackhole table 1 <digest of all that follows>
    {"hole": "stop", "classes": [...], "seconds": ..., "lengths": [bytes of each block]}
    one zlib block for each row of the table: 0 for a draw, else 1 + distance

The moves of a position lead to positions in which the same fleet is to move, so one row answers for all of them.
"""

import hashlib
import json
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, product
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from daedalus.core import DaedalusError, Game
from daedalus.core.files import cache_folder, locked, replacing
from daedalus.core.memory import states
from daedalus.core.registry import make_game, registration_of

from .kernels import retrograde
from .kernels.fleets import SHIPS, SIZE, Array, Fleets, count, fleets, number
from .kernels.retrograde import MAX_ORIGINS, SOLVED
from .kernels.rules import BlackHole

Progress = Callable[[float, str], None]  # the share done, in 0..1, and what is being done

_successors: Callable[..., int] = retrograde.successors  # in plain Python: a probe waits for no compiler
_MAGIC = b"daedalus blackhole table 1"
_LONGEST = 255 - SOLVED  # a byte holds no longer distance; the longest are 67 plies (stop) and 41 (pass)


class MissingTable(DaedalusError):
    """There is no table on disk, or the file is not whole."""


class Tally(NamedTuple):
    """What the positions of a class are worth to the side to move, and the plies of the longest win."""

    own: int
    other: int
    positions: int
    wins: int
    draws: int
    losses: int
    longest_win: int


@dataclass(frozen=True)
class Solution:
    """The solved game: the start's value for the side to move, the seconds that building the table took, its file."""

    value: int
    distance: int | None
    seconds: float
    classes: list[Tally]
    path: Path

    @property
    def headline(self) -> str:
        """The result in a sentence."""
        if self.value == 0:
            return "The start is a draw."
        winner = "Red, who begins," if self.value > 0 else "Blue"
        return f"{winner} wins in {self.distance} plies."


class Verdict(NamedTuple):
    """A move with its value for the mover (1, 0, -1) and the plies to the end, None for a draw."""

    move: int
    value: int
    distance: int | None


def table_path(game: Game) -> Path:
    """Where the table of a game is kept; refuses games that are too large to solve."""
    return cache_folder() / "tables" / f"blackhole-{SIZE}-{_hole(game)}-v1.table"


def solve(game: Game, progress: Progress | None = None) -> Solution:
    """Solves the game, or reads what an earlier run found."""
    return Table.open(game, progress).solution


def build(game: Game, path: Path, progress: Progress | None = None) -> None:
    """Solves the game and writes its table to `path`."""
    hole = _hole(game)
    loader = registration_of(game).kernels
    if not loader.compiled:
        raise DaedalusError("solving takes compiled kernels, and NUMBA_DISABLE_JIT switches them off")
    begun = time.perf_counter()
    report = progress or _silent
    values = _solved(loader.load("daedalus.games.blackhole.kernels.retrograde"), cast(BlackHole, game).hole, report)
    blocks = _packed(values, report)
    header = {
        "hole": hole,
        "classes": _classes(values),
        "seconds": round(time.perf_counter() - begun, 2),
        "lengths": [len(block) for block in blocks],
    }
    body = b"".join([json.dumps(header).encode(), b"\n", *blocks])
    with replacing(path) as fresh:
        fresh.write_bytes(_MAGIC + b" " + _digest(body) + b"\n" + body)
    report(1.0, "solved")


class Table:
    """The table of one variant, opened for probing. The compressed rows stay in memory, 1.5 MB; a few are kept unpacked."""

    def __init__(self, path: Path) -> None:
        """Reads a file; one that is missing or damaged raises MissingTable."""
        self.path = path
        self._fleets: Fleets = fleets()
        header, self._data, start = _read(path)
        self.hole: str = header["hole"]
        self._hole = ("stop", "pass").index(self.hole)
        self._ends = list(accumulate(header["lengths"], initial=start))
        self._row = lru_cache(maxsize=256)(self._unpacked)
        self._header = header

    @classmethod
    def open(cls, game: Game, progress: Progress | None = None, build: bool = True) -> "Table":
        """The table of a game, built now if the disk has none (or a damaged one) and `build` allows it."""
        path = table_path(game)
        try:
            return _opened(game, path)
        except MissingTable:
            if not build:
                raise
        with locked(path.with_suffix(".lock")):
            return _built(game, path, progress)

    @property
    def solution(self) -> Solution:
        """What is kept beside the values: the start, and the classes of positions."""
        game = make_game("blackhole", hole=self.hole)
        start = states(game, 1)[0]
        game.start(start, None)
        value, distance = self.probe(start)
        classes = [Tally(*line) for line in self._header["classes"]]
        return Solution(value, distance, self._header["seconds"], classes, self.path)

    def probe(self, s: Any) -> tuple[int, int | None]:
        """The value of a running position for the side to move (1 won, 0 drawn, -1 lost) and the plies to the end."""
        own, other = _sides(s)
        return _meaning(int(self._codes(own, np.array([other]))[0]))

    def children(self, game: Game, s: Any) -> list[Verdict]:
        """The moves of a running position, in the order of the rules, as the mover sees them."""
        self._expect(game)
        return self._verdicts(*_sides(s))[0]

    def pitfalls(self, game: Game, s: Any) -> dict[int, tuple[int, int]]:
        """For each drawing move: how many of the opponent's replies lose, and how many replies there are."""
        self._expect(game)
        own, other = _sides(s)
        verdicts, made = self._verdicts(own, other)
        found = {}
        for verdict, ships in zip(verdicts, made, strict=True):
            if verdict.value == 0:
                replies = self._verdicts(other, ships)[0]
                found[verdict.move] = (sum(reply.value < 0 for reply in replies), len(replies))
        return found

    def _expect(self, game: Game) -> None:
        if _hole(game) != self.hole:
            raise DaedalusError(f"this table is for hole={self.hole}, and the game has hole={_hole(game)}")

    def _verdicts(self, own: int, other: int) -> tuple[list[Verdict], list[int]]:
        """The moves of `own`, and the ships each leaves it."""
        moves, made = np.empty(16, np.int64), np.empty(16, np.int64)
        n = _successors(own, other, self._hole, moves, made)
        last = count(made[:n]) < min(SHIPS)  # a landing that wins; the table has no such position
        codes = self._codes(other, np.where(last, own, made[:n]))
        verdicts = []
        for move, wins, code in zip(moves.tolist(), last.tolist(), codes.tolist(), strict=False):
            value, distance = (-1, 0) if wins else _meaning(code)
            verdicts.append(Verdict(move, -value, None if distance is None else distance + 1))
        return verdicts, made[:n].tolist()

    def _codes(self, own: int, others: Array) -> Array:
        """What the table says of the positions in which `own` is to move against each of `others`."""
        known = self._fleets
        mover = int(number(np.array(own), known.high, known.low))
        upright = int(known.upright[mover])
        turn = (upright & -upright).bit_length() - 1
        codes: Array = self._row(int(known.row[mover]))[known.turned[turn, number(others, known.high, known.low)]]
        return codes

    def _unpacked(self, row: int) -> Array:
        return np.frombuffer(zlib.decompress(self._data[self._ends[row] : self._ends[row + 1]]), np.uint8)


def _built(game: Game, path: Path, progress: Progress | None) -> Table:
    """The table, unless another process has built it while this one waited for the lock."""
    try:
        return _opened(game, path)
    except MissingTable:
        build(game, path, progress)
        return _opened(game, path)


def _opened(game: Game, path: Path) -> Table:
    table = Table(path)
    if table.hole != _hole(game):
        raise MissingTable(f"the table {path} is for hole={table.hole}; `daedalus solve` builds the right one")
    return table


def _read(path: Path) -> tuple[dict[str, Any], bytes, int]:
    """The header of a table file, all its bytes, and where the first block begins."""
    try:
        data = path.read_bytes()
    except OSError:
        raise MissingTable(f"there is no table {path}; `daedalus solve` builds it") from None
    first, _, body = data.partition(b"\n")
    if first != _MAGIC + b" " + _digest(body):
        raise MissingTable(f"the table {path} is damaged; `daedalus solve` builds it again")
    header = body[: body.index(b"\n")]
    return json.loads(header), data, len(first) + len(header) + 2


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=16).hexdigest().encode()


def _solved(kernels: Any, hole: int, report: Progress) -> Array:
    """The bytes of retrograde.py for all positions."""
    known = fleets()
    values = np.empty((known.leader.size, known.ships.size), np.uint8)
    report(0.0, "counting moves")
    kernels.count_moves(values, known, hole)
    origins = np.empty(MAX_ORIGINS, np.int64)
    for distance in range(_LONGEST):
        # Nobody knows how many sweeps it takes, only that each is shorter than the last.
        report(0.9 - 0.9 * 0.92**distance, f"positions {distance} plies from the end")
        if kernels.sweep(values, distance, known, hole, origins) == 0 and distance > 0:
            return values
    raise AssertionError(f"a win takes more than {_LONGEST} plies, more than a byte can hold")


def _packed(values: Array, report: Progress) -> list[bytes]:
    """The block of each row; what is not solved is a draw."""
    codes = np.where(values < SOLVED, 0, values - (SOLVED - 1)).astype(np.uint8)
    blocks = []
    for row, line in enumerate(codes):
        if row % 100 == 0:
            report(0.9 + 0.1 * row / len(codes), "packing the table")
        blocks.append(zlib.compress(line.tobytes()))
    return blocks


def _classes(values: Array) -> list[Tally]:
    """Counts all positions, each row as often as there are fleets like its leader."""
    known = fleets()
    size = count(known.ships)
    alike = np.bincount(known.row)
    tallies = []
    for own, other in product(SHIPS, SHIPS):
        standing = np.zeros(256, np.int64)
        for row in np.flatnonzero(size[known.leader] == own):
            standing += alike[row] * np.bincount(values[row, size == other], minlength=256)
        wins, losses = standing[SOLVED + 1 :: 2], standing[SOLVED::2]
        longest = 2 * int(np.flatnonzero(wins)[-1]) + 1
        positions, won, drawn, lost = (int(part.sum()) for part in (standing[1:], wins, standing[1:SOLVED], losses))
        tallies.append(Tally(own, other, positions, won, drawn, lost, longest))
    return tallies


def _meaning(code: int) -> tuple[int, int | None]:
    """Value and distance for the side to move."""
    if code == 0:
        return 0, None
    return (1 if code % 2 == 0 else -1), code - 1


def _sides(s: Any) -> tuple[int, int]:
    """The ships of the side to move and of the other, as bits."""
    if s.ended:
        raise DaedalusError("the game is over here: an ended position has a result, not a value")
    mover = int(s.turn)
    rows = s.ships.tolist()
    own, other = (sum(line << SIZE * row for row, line in enumerate(rows[seat])) for seat in (mover, 1 - mover))
    return own, other


def _hole(game: Game) -> str:
    """`stop` or `pass`; refuses other sizes."""
    rules = cast(BlackHole, game)
    if rules.size != SIZE:
        raise DaedalusError(f"only the {SIZE} x {SIZE} board is solved; size={rules.size} has far too many positions")
    return ("stop", "pass")[rules.hole]


def _silent(done: float, text: str) -> None:
    pass
