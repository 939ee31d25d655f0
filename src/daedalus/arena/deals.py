"""Does a game deal, or does it always start the same? Where it does, pairs of games need openings to differ."""

from daedalus.core import Game, Position

_LOOKS = 5  # seeds that are tried
RANDOM_PLIES = 4  # opens a pair where nothing else makes it differ from the others


def deals(game: Game) -> bool:
    """Whether the start depends on the seed."""
    first = Position(game, 0).bits
    return any(Position(game, seed).bits != first for seed in range(1, _LOOKS))


def opening_plies(game: Game, openings: object, random_plies: int | None = None) -> int:
    """How many random moves open a pair: as the user says, else none where a deal or openings tell pairs apart."""
    if random_plies is not None:
        return random_plies
    return 0 if openings is not None or deals(game) else RANDOM_PLIES
