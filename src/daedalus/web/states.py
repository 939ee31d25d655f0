"""What a viewer gets to see: states, previews and looks back, all made from the viewer's own view of a position."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from daedalus.core import ONLOOKER, Outcome, Position
from daedalus.core.drawing import Picture
from daedalus.core.grid import seat_names
from daedalus.core.options import written
from daedalus.core.printable import printable, visible_lines

from .tables import AGENT, Table, ended_as

_SPOKEN = 4000  # letters
_NO_ACTIONS = dict.fromkeys(("move", "hint", "undo", "redo", "resign", "draw", "rematch", "now", "pause"), False)


@dataclass
class Viewer:
    """Who looks: the seats he holds, from which side, and, where two people share a screen, for which ply he has the screen."""

    you: list[int] = field(default_factory=list)
    flip: bool = False
    owner: bool = False  # made the table
    revealed: int | None = None


def eyes(table: Table, viewer: Viewer, ply: int | None = None) -> int:
    """The seat through whose eyes a viewer sees the table."""
    if len(viewer.you) == 1:
        return viewer.you[0]
    if not viewer.you:
        return ONLOOKER
    if not table.hidden:
        return table.position.turn if table.position.turn in viewer.you else viewer.you[0]
    shown = viewer.revealed == table.ply and table.turn in viewer.you
    return table.position.turn if shown else ONLOOKER


def is_yours(table: Table, viewer: Viewer) -> bool:
    """Is it the viewer's turn, and is he shown what its seat sees?"""
    return table.turn is not None and table.turn in viewer.you and eyes(table, viewer) == table.turn


def state(
    table: Table, viewer: Viewer, seen: dict[str, Any], told: Sequence[dict[str, Any]], facts: dict[str, Any]
) -> dict[str, Any]:
    """State for a viewer; `seen` is what is shown and offered to his eyes, `told` the moves, `facts` what only the room knows."""
    yours = is_yours(table, viewer)
    must_reveal = table.hidden and len(viewer.you) > 1 and table.turn in viewer.you and not yours
    return {
        "type": "state",
        "table": table.id,
        "game": table.game_id,
        "you": viewer.you,
        **seen,
        "turn": table.turn,
        "ply": table.ply,
        "moves": list(told),
        "last_spoken": f"{table.names[told[-1]['seat']]}: {told[-1]['spoken']}" if told else "",
        "actions": actions(table, viewer, yours, facts.get("thinking") is not None),
        "reveal": must_reveal,
        "offer": table.offer,
        "outcome": outcome(table.names, table.outcome),
        "clock_runs": table.clock_runs,
        "values": values(table),
        "watching": None if table.humans else {"paused": table.paused, "pace": table.pace},
        "next_table": table.next,
        **facts,
    }


def shown(view: Position, flip: bool) -> dict[str, Any]:
    """A position as a page shows it."""
    return {
        "options": written(view.game),
        **picture(view.parts(flip=flip)),
        "flip": flip,
        **words(view),
        "summary": printable(view.summary, _SPOKEN),
    }


def offered(view: Position) -> dict[str, Any]:
    """What the seat to move may do."""
    return {"next": touches(view, ()), "legal": [str(move) for move in view.legal_moves]}


NOTHING: dict[str, Any] = {"next": {}, "legal": []}  # what is offered to others


def words(view: Position) -> dict[str, str]:
    return {"spoken": printable(view.spoken, _SPOKEN), "text_board": visible_lines(str(view)), "position": view.text}


def picture(parts: Picture) -> dict[str, Any]:
    beside = [{"name": part.name, "seat": part.seat, "svg": part.svg, "label": part.label} for part in parts.beside]
    return {"board": parts.board, "beside": beside}


def touches(view: Position, touched: Sequence[str]) -> dict[str, Any]:
    """The touches that may follow, with their names and the moves that they complete."""
    found = view.next_touches(touched)
    return {
        touch: {"name": printable(view.touch_name(touch)), "move": None if move is None else str(move)}
        for touch, move in found.items()
    }


def preview(view: Position, touched: Sequence[str], flip: bool) -> dict[str, Any]:
    """A move under way."""
    return {
        "type": "preview",
        "ply": len(view.history),
        "touched": list(touched),
        **picture(view.parts(touched, flip)),
        "next": touches(view, touched),
    }


def look(table: Table, viewer: Viewer, ply: int) -> dict[str, Any]:
    """The position after `ply` moves as this viewer may know it."""
    position, seat = table.at(ply), eyes(table, viewer)
    view = position.view(seat)
    last = None
    if position.history:
        position.pop()
        last = str(position.view(seat).move(int(view.history[-1])))
    return {"type": "look", "ply": ply, **picture(view.parts(flip=viewer.flip)), **words(view), "move": last}


def story(position: Position, seat: int, known: list[dict[str, Any]], before: Position | None) -> list[dict[str, Any]]:
    """The moves as one pair of eyes saw them; `known` are those told already, `before` may be a view of one of the positions."""
    if len(position.history) == len(known):
        return known
    back, found = position.copy(), []
    while len(back.history) > len(known):
        move = int(back.pop())
        held = before is not None and len(before.history) == len(back.history)
        view = before if held and before is not None else back.view(seat)
        found.append({"text": str(view.move(move)), "seat": back.turn, "spoken": printable(view.spoken_move(move))})
    return known + found[::-1]


def outcome(names: Sequence[str], ended: Outcome | None) -> dict[str, Any] | None:
    told = ended_as(ended)
    return None if ended is None or told is None else told | {"sentence": sentence(names, ended)}


def sentence(names: Sequence[str], ended: Outcome) -> str:
    """`Blue wins: Blue has 2 ships home`."""
    if ended.winner is not None:
        return f"{names[ended.winner]} wins: {ended.reason}"
    if len(set(ended.payoffs)) == 1:
        return f"Draw: {ended.reason}"
    shares = ", ".join(f"{name} {payoff:+.2f}" for name, payoff in zip(names, ended.payoffs, strict=True))
    return f"Over: {ended.reason} ({shares})"


def values(table: Table) -> list[float | None]:
    """What agents thought of the plies; of a game that runs only where that tells a player nothing."""
    if table.outcome is not None or (not table.humans and not table.hidden):
        return list(table.values)
    return []


def actions(table: Table, viewer: Viewer, yours: bool, thinking: bool) -> dict[str, bool]:
    """What a viewer may do now."""
    running = table.turn is not None
    agents = any(seat.who == AGENT for seat in table.seats)
    sits = bool(viewer.you)
    return {
        "move": yours,
        "hint": yours,
        "undo": table.may_undo(viewer.you),
        "redo": bool(table.undone) and set(table.humans) <= set(viewer.you) and sits and running,
        "resign": sits and running,
        "draw": sits and running and not agents and len(table.seats) > 1,
        "rematch": (sits or (viewer.owner and not table.humans)) and not running,
        "now": thinking and (sits or viewer.owner),
        "pause": viewer.owner and not table.humans and running,
    }


def lesson_state(position: Position, game_id: str, title: str, you: int) -> dict[str, Any]:
    """A position of a lesson in the shape of a State."""
    view = position.view(you)
    ended = position.outcome()
    mine = ended is None and position.turn == you
    seats = [
        {"name": name, "who": "human", "label": "", "connected": True, "clock": None} for name in seat_names(position.game)
    ]
    moves: list[dict[str, Any]] = []
    if position.history:
        before = position.copy()
        move = before.pop()
        spoken = printable(before.view(you).spoken_move(int(move)))
        moves = [{"text": str(move), "seat": before.turn, "spoken": spoken}]
    return {
        "type": "state",
        "table": None,
        "game": game_id,
        "title": title,
        "you": [you],
        **shown(view, False),
        **(offered(view) if mine else NOTHING),
        "turn": None if ended else position.turn,
        "ply": len(position.history),
        "seats": seats,
        "moves": moves,
        "last_spoken": moves[-1]["spoken"] if moves else "",
        "actions": dict(_NO_ACTIONS),
        "reveal": False,
        "offer": None,
        "outcome": outcome(seat_names(view.game), ended),
        "clock_runs": None,
        "thinking": None,
        "values": [],
        "watching": None,
        "next_table": None,
    }
