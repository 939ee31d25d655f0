"""What a player may type besides a move: each command is a function of the session and of the words that follow it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from daedalus.core import IllegalMove

from . import format, hidden, savefiles

if TYPE_CHECKING:
    from daedalus.core import Position

    from .session import Session


class Leave(Exception):
    """The player wants to go."""


class Command(NamedTuple):
    """What a command means, what it does, and whether a file name follows it."""

    meaning: str
    run: Callable[["Session", str], None]
    takes_file: bool = False


def undo(session: "Session", rest: str) -> None:
    """A resignation is taken back first, then moves, to the last turn of a human; never what has told something hidden."""
    if session.hidden and session.outcome is not None:
        raise IllegalMove("the game is over and its cards lie open: it cannot be taken back")
    if session.given_up:
        session.given_up = None
        session.draw("The game goes on")
        return
    back = _last_turn(session)
    if session.hidden and any(hidden.learned(back, session.position, seat) for seat in session.humans):
        raise IllegalMove("something hidden has been learnt since: this turn cannot be taken back")
    while len(session.position.history) > len(back.history):
        session.position.pop()
    session.thoughts = {ply: thought for ply, thought in session.thoughts.items() if ply < len(session.position.history)}
    session.draw("Taken back")


def _last_turn(session: "Session") -> "Position":
    """The position in which a human was last to move."""
    back = session.position.copy()
    while back.history:
        back.pop()
        if session.players[back.turn].agent is None:
            return back
    raise IllegalMove("there is no turn of yours to go back to")


def hint(session: "Session", rest: str) -> None:
    from daedalus.agents import default_analyst

    if session.outcome is not None:
        raise IllegalMove("the game is over, there is no move to hint at")
    view = session.position.view()
    spec = default_analyst(view)
    adviser = session.adviser(spec)
    with session.screen.waiting(f"{spec} thinks"):
        thought = adviser.choose(view, session.limit)
    session.screen.say(f"Hint ({spec}): {format.thought(thought)}", "green")


def moves(session: "Session", rest: str) -> None:
    with session.display.pages():
        session.screen.say(format.columns(session.choices(), session.screen.console.width) or "there are none")


def board(session: "Session", rest: str) -> None:
    session.draw()


def save(session: "Session", rest: str) -> None:
    path = savefiles.typed_path(rest, "save")
    savefiles.append(path, session.record())
    session.saved = tuple(session.position.history)
    session.screen.say(f"Added to {path}")


def load(session: "Session", rest: str) -> None:
    record = savefiles.named(rest)
    hidden.refuse_to_continue(record)
    people = hidden.humans(record)
    if hidden.hides(record.game) and people and people != session.humans:
        raise IllegalMove("other seats are played by people in that game: go on with daedalus play --record FILE")
    session.change(record.replay())
    session.draw("Loaded")


def resign(session: "Session", rest: str) -> None:
    if session.outcome is not None:
        raise IllegalMove("the game is over already")
    seat = session.position.turn
    session.give_up(seat, f"{session.name(seat)} resigned")
    if session.hidden:
        session.draw()


def help_(session: "Session", rest: str) -> None:
    some = " ".join(session.choices()[:3])
    session.screen.say(f"Type a move{f' ({some} ...)' if some else ''} or a command:")
    for name, command in COMMANDS.items():
        session.screen.say(f"  {name:<8}{command.meaning}")


def leave(session: "Session", rest: str) -> None:
    raise Leave


COMMANDS = {
    "undo": Command("take back to your last turn", undo),
    "hint": Command("what a strong agent would play here", hint),
    "moves": Command("list the legal moves", moves),
    "board": Command("show the board again", board),
    "save": Command("save FILE: add the game to a file of records", save, takes_file=True),
    "load": Command("load FILE [N]: go on with the last (or N-th) game of a file", load, takes_file=True),
    "resign": Command("give the game up", resign),
    "help": Command("this list", help_),
    "quit": Command("leave; a running game is kept", leave),
}
