"""What studies measure in games of Labyrinth: the goals that each seat has found when the game ends."""

from daedalus.core.record import Record

from . import goals_found


def goals(record: Record) -> list[tuple[float, float]]:
    """The goals of each seat, its home included."""
    return [(float(found), 1.0) for found in goals_found(record.replay())]


MEASURES = {"goals": goals}
