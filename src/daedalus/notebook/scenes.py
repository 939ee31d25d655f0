"""What a board in a notebook shows: a position, or a record to step through. Knows no widget."""

from collections.abc import Callable
from typing import Any

from daedalus.core import ONLOOKER, DaedalusError, Position, Record
from daedalus.core.grid import seat_names
from daedalus.core.hidden import hides
from daedalus.web.states import picture, sentence, story

Message = dict[str, Any]


class Scene:
    """Something to show. `tell` gets every new state and thought; whoever shows the scene sets it."""

    def __init__(self) -> None:
        self.tell: Callable[[Message], None] = lambda message: None

    def state(self) -> Message:
        """All that is shown now."""
        raise NotImplementedError

    def hear(self, message: Message) -> Message | None:
        """What came from the page; an answer for it alone, or None."""
        return None

    def close(self) -> None:
        """Nobody looks any more."""


def shown(position: Position, seat: int | None, flip: bool) -> Message:
    """A position as one pair of eyes sees it (None: as it is), without anything that can be done."""
    view = position if seat is None else position.view(seat)
    return {
        **picture(view.parts(flip=flip)),
        "next": {},
        "ply": len(view.history),
        "plies": None,
        "turn": position.turn,
        "names": seat_names(view.game),
        "thinking": None,
        "status": status(position),
        "spoken": view.spoken,
        "moves": [],
    }


def status(position: Position) -> str:
    """Who is to move, or how it ended."""
    names, ended = seat_names(position.game), position.outcome()
    return sentence(names, ended) if ended else f"{names[position.turn]} to move"


def demand_seat(game: Any, seat: int | None) -> None:
    """Refuses to look through the eyes of a seat that there is not."""
    if seat is not None and seat not in (ONLOOKER, *range(game.SEATS)):
        raise DaedalusError(f"there is no seat {seat!r}: the game has {game.SEATS}, from 0")


class Still(Scene):
    """One position."""

    def __init__(self, position: Position, seat: int | None = None, flip: bool = False) -> None:
        super().__init__()
        demand_seat(position.game, seat)
        self.position, self.seat, self.flip = position.copy(), seat, flip

    def state(self) -> Message:
        return shown(self.position, self.seat, self.flip)


class Replay(Scene):
    """A record, at any of its moves. What is hidden in a game that still runs stays so, unless a seat is named."""

    def __init__(self, record: Record, seat: int | None = None, flip: bool = False) -> None:
        super().__init__()
        demand_seat(record.game, seat)
        self.positions = list(record.positions())
        if seat is None and hides(record.game) and not record.finished:
            seat = ONLOOKER
        self.seat, self.flip, self.ply = seat, flip, len(record.moves)
        self._moves = _told(self.positions[-1], seat)
        self._end = status(self.positions[-1]) if self.positions[-1].outcome() else record.tags.get("Reason", "")

    def state(self) -> Message:
        last = len(self.positions) - 1
        at_end = {"status": self._end} if self.ply == last and self._end else {}
        return {**shown(self.positions[self.ply], self.seat, self.flip), "plies": last, "moves": self._moves, **at_end}

    def hear(self, message: Message) -> Message | None:
        ply = message.get("ply")
        if message.get("type") == "look" and isinstance(ply, int) and 0 <= ply < len(self.positions):
            self.ply = ply
            self.tell({"type": "state", **self.state()})
        return None


def _told(position: Position, seat: int | None) -> list[Message]:
    """The moves that led to a position, as one pair of eyes saw them."""
    if seat is not None:
        return story(position, seat, [], None)
    return [{"text": str(move), "spoken": ""} for move in position.history]
