"""The turn of an agent: it thinks, watched and to be stopped, and whatever goes wrong does not end the game."""

import time
from typing import TYPE_CHECKING

from daedalus.core import Agent, Limit

from . import format
from .hidden import HUMAN
from .input import Question
from .thinking import Thinking

if TYPE_CHECKING:
    from .session import Player, Session


def think(session: "Session", player: "Player", agent: Agent, delay: float) -> None:
    """Lets an agent make its move."""
    seat = session.position.turn
    label = session.label(seat)
    try:
        with Thinking(session.screen, session.name(seat), private=session.secretive) as wait:
            thought = agent.choose(session.position.view(), _limit(session, player, seat), wait.watch)
        format.judgement(thought)  # of an agent that we do not know: may fail
        if session.flag_fell(seat):
            return
        session.position.push(thought.move)
    except (Exception, SystemExit, KeyboardInterrupt) as error:  # anything may go wrong in code that we do not know
        if isinstance(error, KeyboardInterrupt) and not session.screen.live:
            raise
        _failed(session, seat, label, error)
        return
    player.moves += 1
    session.thoughts[len(session.position.history) - 1] = thought
    session.moved(seat)
    session.draw()
    if delay:
        time.sleep(delay)


def _limit(session: "Session", player: "Player", seat: int) -> Limit | None:
    limit = session.limit and session.limit.at(player.moves)
    if session.clocks is None:
        return limit
    session.clocks.start(seat)
    return session.clocks.limit(seat) & (limit or Limit())


def _failed(session: "Session", seat: int, label: str, error: BaseException) -> None:
    report = f"{label} failed: {format.one_line(error)}"
    if isinstance(error, KeyboardInterrupt):
        report = f"{label} was interrupted"
    elif session.secretive:  # an agent that fails may name the cards it holds
        session.display.untold.append(report)
        report = f"{label} failed: {type(error).__name__}"
    session.screen.wrong(report)
    answer = _way_out(session)
    if answer == "take":
        session.seat(seat, HUMAN)
        session.draw(f"{session.name(seat)} is yours")
    elif answer == "resign":
        session.give_up(seat, report)
        if session.hidden:
            session.draw()


def _way_out(session: "Session") -> str:
    """What to do about an agent that failed; who has watched hidden cards cannot take them up."""
    ways = {"retry": "ask it again", "take": "play its seat yourself", "resign": "let it give the game up"}
    if session.hidden and not session.humans:
        del ways["take"]
    named = " or ".join(", ".join(ways).rsplit(", ", 1))
    while True:
        try:
            answer = session.ask(Question(f"{named}? ", ways)).strip().lower()
        except EOFError:
            if session.humans:
                raise  # the player leaves, and the game is kept as it stands
            return "resign"
        if answer in ways:
            return answer
        session.screen.wrong(f"'{answer}': answer {named}")
