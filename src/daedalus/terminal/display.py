"""What the people at a screen see of a game: the board as they may know it, and the screen handed from one to the next."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from rich.text import Text

from daedalus.core import Position

from . import format
from .commands import Leave
from .input import Question

if TYPE_CHECKING:
    from .session import Session


class Display:
    """The screen of a session. It never shows hidden cards to one who may not know them while the game runs."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._looks: int | None = None  # the human who has the screen
        self.untold: list[str] = []  # what agents said that may tell their cards, until the game is over

    def draw(self, notes: Sequence[str] = ()) -> None:
        """The screen anew: who plays, the board, the moves since the onlooker's own, notes."""
        session, screen = self._session, self._session.screen
        if session.hidden and len(session.humans) > 1:
            screen.share(forget=self._looks is not None)
        screen.wipe()
        screen.say(self._headline(), "dim")
        self._hand_over()
        lines = [line for line in (*self._told(), *notes) if line]
        with self.pages() if screen.shared else nullcontext():
            if not self._between:
                screen.board(self._seen(), sum(map(screen.lines_of, lines)), session.flipped)
            for line in lines:
                screen.say(line, "cyan")

    def _headline(self) -> str:
        """The game and its players, cut where the screen ends."""
        session, screen = self._session, self._session.screen
        seated = [f"{session.name(seat)}: {player.spec}" for seat, player in enumerate(session.players)]
        if session.clocks:
            seated = [f"{text} {session.clocks.shown(seat)}" for seat, text in enumerate(seated)]
        line = "   ".join([format.title(session.position.game), f"ply {len(session.position.history)}", *seated])
        return line if len(line) < screen.console.width or not screen.live else line[: screen.console.width - 4] + "..."

    def _told(self) -> list[str]:
        """The moves since the onlooker's last one; that one too as long as it is not his turn again."""
        session = self._session
        looks = self._onlooker()
        back, told = session.position.copy(), []
        while back.history:
            ply = len(back.history) - 1
            move = back.pop()
            if back.turn == looks == session.position.turn and session.outcome is None:
                break
            told.append((back.turn, str(move), ply))
            if looks in (None, back.turn):
                break
        if len(told) == 1:
            return [self._said(*told[0])]
        return ["   ".join(f"{session.name(seat)} {move}" for seat, move, _ in reversed(told))] if told else []

    def _said(self, seat: int, move: str, ply: int) -> str:
        """A move and, where that tells nobody's cards, what its agent thought of it."""
        session = self._session
        thought = session.thoughts.get(ply)
        name = session.label(seat)
        return f"{name} {move}" if thought is None or session.secretive else f"{name} {move}   {format.judgement(thought)}"

    def page(self, text: Text) -> None:
        """Something long to read in place of the board, which comes back afterwards; in a pipe it just follows."""
        screen = self._session.screen
        if not screen.wipes:
            screen.write(text)
            return
        screen.wipe()
        with self.pages():
            screen.write(text)
        self.wait("Enter goes back to the game ")
        self.draw()

    def pages(self) -> AbstractContextManager[None]:
        """Around what may be longer than the screen."""
        return self._session.screen.pages(lambda: self.wait("Enter shows the rest "))

    def wait(self, prompt: str) -> None:
        """Until Enter is pressed."""
        try:
            self._session.ask(Question(prompt))
        except EOFError:
            raise Leave from None

    @property
    def _between(self) -> bool:
        """Has none of several people the screen? Then nobody's cards are on it."""
        session = self._session
        return session.secretive and len(session.humans) > 1 and session.position.turn not in session.humans

    def _hand_over(self) -> None:
        """Where cards are hidden, people at one screen must not see each other's: another one takes the screen."""
        session, turn = self._session, self._session.position.turn
        if not session.secretive or turn not in session.humans or turn == self._looks:
            return
        if len(session.humans) > 1:
            session.screen.part()
            self.wait(f"{session.name(turn)}, take the screen and press Enter ")
            session.screen.wipe()
            session.screen.say(self._headline(), "dim")
        self._looks = turn

    def _onlooker(self) -> int | None:
        """The human at the screen, None if only agents play."""
        session = self._session
        if not session.humans:
            return None
        return session.position.turn if session.position.turn in session.humans else session.humans[0]

    def _seen(self) -> Position:
        """The position as the human at the screen may know it; the whole truth when it is over or only agents play."""
        session, looks = self._session, self._onlooker()
        return session.position if looks is None or (session.hidden and not session.secretive) else session.position.view(looks)

    def tell(self) -> None:
        """What agents said that could not be told while the game ran."""
        for report in self.untold:
            self._session.screen.wrong(report)
        self.untold = []

    def leave(self) -> None:
        """Back from a shared screen; what stays is what all may know."""
        session, screen = self._session, self._session.screen
        if not screen.shared:
            return
        screen.unshare()
        screen.say(format.title(session.position.game), "dim")
        screen.write(screen.columns(format.story(session.position)))
        if session.outcome is not None:
            screen.board(session.position, flipped=session.flipped)
            screen.say(format.result(session.position.game, session.outcome), "bold")
