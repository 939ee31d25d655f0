"""What only Labyrinth knows: the goals that each seat has found when the game ends."""

from daedalus.arena import GameResult
from daedalus.games.labyrinth import goals_found


def _goals(result: GameResult) -> list[tuple[float, float]]:
    return [(float(found), 1.0) for found in goals_found(result.parsed.replay())]


MEASURES = {"goals": _goals}
