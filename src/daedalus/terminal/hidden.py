"""Who may see what in a game with hidden cards: one seat's view while the game runs, everything when it is over."""

from daedalus.core import DaedalusError, Position
from daedalus.core.hidden import hides, learned
from daedalus.core.record import Record

from . import format

HUMAN = "human"


def humans(record: Record) -> list[int]:
    """The seats of a record in which people sit."""
    return [seat for seat, player in enumerate(record.players) if player == HUMAN]


def onlooker(record: Record, view: str | None) -> int | None:
    """The seat through whose eyes a recorded game is shown; None shows all.

    `view` is the seat that the user named. Else a game that is over, has nothing to hide or is played by agents alone
    is shown whole, and any other as its one human knows it.
    """
    if view is not None:
        return format.seat_number(record.game, view)
    people = humans(record)
    if record.payoffs is not None or not people or not hides(record.game):
        return None
    if len(people) > 1:
        names = " or ".join(f"--view {format.seat_name(record.game, seat)}" for seat in people)
        raise DaedalusError(f"this game still runs, and its cards are hidden: say who looks, {names}")
    return people[0]


def for_analysis(position: Position) -> Position:
    """The position as its mover knows it, since an analysis tells the mover's cards; refused to another seat's eyes."""
    if not hides(position.game) or position.outcome() is not None:
        return position
    if position.seat is None:
        return position.view()
    if position.seat != position.turn:
        mover = format.seat_name(position.game, position.turn)
        raise DaedalusError(f"{mover} is to move, and an analysis would tell its cards; if they are yours: --view {mover}")
    return position


def refuse_to_continue(record: Record) -> None:
    """A game whose cards have been shown is not played on."""
    if record.payoffs is not None and hides(record.game):
        reason = record.tags.get("Reason", "")
        raise DaedalusError(f"this game is over{f' ({reason})' if reason else ''} and its cards are known; it cannot go on")


__all__ = ["HUMAN", "for_analysis", "hides", "humans", "learned", "onlooker", "refuse_to_continue"]
