"""What studies measure in games of Black-Hole Escape, which is solved: moves that give away a win or a draw."""

from collections.abc import Hashable
from functools import lru_cache
from typing import cast

from daedalus.core import Game
from daedalus.core.record import Record

from .table import Table


@lru_cache(maxsize=4)
def _table(game: Hashable) -> Table:
    return Table.open(cast(Game, game))


def mistakes(record: Record) -> list[tuple[float, float]]:
    """Moves after which the exact value is worse than before, of the moves that agents chose, in per cent."""
    table = _table(cast(Hashable, record.game))
    sums = [[0.0, 0.0] for _ in range(record.game.SEATS)]
    positions = record.positions()
    position = next(positions)
    for remark, after in zip(record.remarks, positions, strict=True):
        if remark is None or remark.text != "opening":
            verdicts = {verdict.move: verdict.value for verdict in table.children(position.game, position.state)}
            sums[position.turn][0] += 100.0 * (verdicts[int(after.history[-1])] < max(verdicts.values()))
            sums[position.turn][1] += 1
        position = after
    return [(amount, count) for amount, count in sums]


MEASURES = {"mistakes": mistakes}
