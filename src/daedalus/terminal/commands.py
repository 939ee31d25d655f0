"""What a player may type besides a move: each command is a function of the session and of the words that follow it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from daedalus.core import IllegalMove

from . import format, hidden, savefiles
from .thinking import Thinking

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
    session.helped = True
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
    session.helped = True
    with Thinking(session.screen, spec) as wait:
        thought = adviser.choose(view, session.limit, wait.watch)
    words = view.spoken_move(view.parse(str(thought.move)))
    session.screen.say(f"Hint ({spec}): {format.thought(thought)}", "green")
    if words != str(thought.move):
        session.screen.say(f"  {words}", "green")


def moves(session: "Session", rest: str) -> None:
    session.display.page(session.screen.columns(session.choices() or ["there are none"]))


def history(session: "Session", rest: str) -> None:
    """The moves so far, all that seats made in a round in a line."""
    told, seats = format.story(session.position), session.position.game.SEATS
    rounds = [f"{1 + place // seats}. {'   '.join(told[place : place + seats])}" for place in range(0, len(told), seats)]
    session.display.page(session.screen.columns(rounds or ["no move has been made"]))


def board(session: "Session", rest: str) -> None:
    session.draw()


def flip(session: "Session", rest: str) -> None:
    """Only if there is another side to look from."""
    position = session.position
    sides = [position.game.pictures(position.state, 0, None, flipped)[0].plain for flipped in (False, True)]
    if sides[0] == sides[1]:
        raise IllegalMove("this board is seen from one side only")
    session.flipped = not session.flipped
    session.draw()


def rules(session: "Session", rest: str) -> None:
    from .lessons import rules_page

    session.display.page(rules_page(session.screen, session.position))


def learn(session: "Session", rest: str) -> None:
    from . import lessons

    lessons.learn(session)


def new(session: "Session", rest: str) -> None:
    """The same players again; a game that runs is kept."""
    session.again()
    session.draw("A new game")


def level(session: "Session", rest: str) -> None:
    """Lists the levels, or seats one in place of the agents."""
    from .levels import MEANING, levels

    known = {**levels(session.position.game), "coach": "coach"}
    wanted = rest.strip().lower()
    if wanted in known:
        agents = [seat for seat in range(session.position.game.SEATS) if seat not in session.humans]
        if not agents:
            raise IllegalMove("only people play: there is no opponent to change")
        for seat in agents:
            session.seat(seat, known[wanted])
        session.draw(f"Your opponent is now {wanted}")
        return
    if wanted:
        raise IllegalMove(f"there is no level '{wanted}'; valid: {', '.join(known)}")
    for name in known:
        mark = "*" if any(player.spec == known[name] for player in session.players) else " "
        session.screen.say(f"{mark} {name:<8}{MEANING[name]}")
    session.screen.say("level NAME changes your opponent from the next move on")


def coach(session: "Session", rest: str) -> None:
    from daedalus.core.plurals import counted

    from .coach import grade_in

    grade = grade_in(session.position.game)
    session.screen.say(f"The coach would play you at {grade}, after {counted(grade.games, 'game')} (`level coach`).")


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
    """How moves are written and what can be typed; with a move, what it means."""
    from daedalus.core.guide import guide_of

    from . import markup
    from .lessons import explained

    if rest and rest.lower() in COMMANDS:
        session.screen.say(f"{rest.lower()}: {COMMANDS[rest.lower()].meaning}")
        return
    if rest:
        session.screen.say(explained(session.position, rest), "green")
        return
    width = session.screen.console.width - 1
    page = markup.folded(f"**Moves.** {guide_of(session.position).notation}\n\n**Commands.**\n", width)
    wide = max(len(command.meaning) for command in COMMANDS.values()) + 11
    entries = [f"  {name:<9}{command.meaning}".ljust(wide) for name, command in COMMANDS.items()]
    across = 2 if 2 * wide <= width else 1
    down = -(-len(entries) // across)
    lines = ["".join(entries[row::down]).rstrip() for row in range(down)]
    session.display.page(page.append("\n" + "\n".join(lines)))


def leave(session: "Session", rest: str) -> None:
    raise Leave


COMMANDS = {
    "help": Command("help MOVE explains a move", help_),
    "rules": Command("how the game is played", rules),
    "learn": Command("learn it in two minutes", learn),
    "moves": Command("list the legal moves", moves),
    "hint": Command("what a strong agent plays", hint),
    "undo": Command("take back to your last turn", undo),
    "board": Command("show the board again", board),
    "flip": Command("see it from the other side", flip),
    "history": Command("the moves so far", history),
    "level": Command("another opponent: level club", level),
    "coach": Command("how strong it takes you for", coach),
    "new": Command("begin again", new),
    "resign": Command("give the game up", resign),
    "save": Command("save FILE: add it to a file", save, takes_file=True),
    "load": Command("load FILE: go on with a game", load, takes_file=True),
    "quit": Command("leave; the game is kept", leave),
}
