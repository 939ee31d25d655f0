"""What a seat does not know of a game, and whether moves have told it something."""

from .contract import Game, offers
from .errors import IllegalMove
from .moves import Move
from .position import Position

_DEALS = 64  # that a seat holds possible, tried to find out whether moves have told it something


def hides(game: Game) -> bool:
    """Is there anything that a seat does not know?"""
    return offers(type(game), "redeal")


def learned(before: Position, after: Position, seat: int) -> bool:
    """Have the moves between two positions of a game told a seat something hidden: a card drawn, looked at, not sought?

    They have, unless every deal that it held possible before leads to what it sees now.
    """
    seen = after.view(seat).text
    moves = after.history[len(before.history) :]
    return any(_told(before.view(seat, seed), moves, seat) != seen for seed in range(1, _DEALS + 1))


def _told(deal: Position, moves: list[Move], seat: int) -> str | None:
    """What a seat would see after the moves, were this the deal; None if they do not go with it."""
    try:
        for move in moves:
            deal.push(int(move))
    except IllegalMove:
        return None
    return deal.view(seat).text
