"""What a player may type besides a move: each command is a function of the session and of the words that follow it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from daedalus.core import IllegalMove

from . import keeping, words

if TYPE_CHECKING:
    from .session import Session


class Leave(Exception):
    """The player wants to go."""


class Command(NamedTuple):
    """What a command means, what it does, and whether a file name follows it."""

    meaning: str
    run: Callable[["Session", str], None]
    takes_file: bool = False


def undo(session: "Session", rest: str) -> None:
    """A resignation is taken back first, then moves, to the last turn of a human."""
    if session.given_up:
        session.given_up = None
        session.draw("The game goes on")
        return
    for _ in range(_plies_back(session)):
        session.position.pop()
    session.thoughts = {ply: thought for ply, thought in session.thoughts.items() if ply < len(session.position.history)}
    session.draw("Taken back")


def _plies_back(session: "Session") -> int:
    """How many moves ago a human was last to move."""
    back = session.position.copy()
    while back.history:
        back.pop()
        if session.players[back.turn].agent is None:
            return len(session.position.history) - len(back.history)
    raise IllegalMove("there is no turn of yours to go back to")


def hint(session: "Session", rest: str) -> None:
    from daedalus.agents import default_analyst

    if session.outcome is not None:
        raise IllegalMove("the game is over, there is no move to hint at")
    spec = default_analyst(session.position)
    adviser = session.adviser(spec)
    with session.screen.waiting(f"{spec} thinks"):
        thought = adviser.choose(session.position.view(), session.limit)
    session.screen.say(f"Hint ({spec}): {words.thought(thought)}", "green")


def moves(session: "Session", rest: str) -> None:
    listed = words.columns(map(str, session.position.legal_moves), session.screen.console.width)
    session.screen.say(listed or "there are none")


def save(session: "Session", rest: str) -> None:
    path = keeping.typed_path(rest, "save")
    keeping.append(path, session.record())
    session.saved = tuple(session.position.history)
    session.screen.say(f"Added to {path}")


def load(session: "Session", rest: str) -> None:
    session.change(keeping.load(rest))
    session.draw("Loaded")


def resign(session: "Session", rest: str) -> None:
    if session.outcome is not None:
        raise IllegalMove("the game is over already")
    seat = session.position.turn
    session.give_up(seat, f"{session.name(seat)} resigned")


def help_(session: "Session", rest: str) -> None:
    some = " ".join(map(str, session.position.legal_moves[:3]))
    session.screen.say(f"Type a move{f' ({some} ...)' if some else ''} or a command:")
    for name, command in COMMANDS.items():
        session.screen.say(f"  {name:<8}{command.meaning}")


def leave(session: "Session", rest: str) -> None:
    raise Leave


COMMANDS = {
    "undo": Command("take back to your last turn", undo),
    "hint": Command("what a strong agent would play here", hint),
    "moves": Command("list the legal moves", moves),
    "save": Command("save FILE: add the game to a file of records", save, takes_file=True),
    "load": Command("load FILE [N]: go on with the last (or N-th) game of a file", load, takes_file=True),
    "resign": Command("give the game up", resign),
    "help": Command("this list", help_),
    "quit": Command("leave; a running game is kept", leave),
}
