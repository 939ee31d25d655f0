"""What the people at a screen see of a game: the board as they may know it, and the screen handed from one to the next."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

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

    def draw(self, notes: Sequence[str], moved: str) -> None:
        """The screen anew: who plays, the board, the move just made, notes."""
        session, screen = self._session, self._session.screen
        if session.hidden and len(session.humans) > 1:
            screen.share(forget=self._looks is not None)
        screen.wipe()
        seated = "   ".join(f"{session.name(seat)}: {player.spec}" for seat, player in enumerate(session.players))
        screen.say(f"{format.title(session.position.game)}   {seated}   ply {len(session.position.history)}", "dim")
        told = format.story(session.position, session.position.turn) if self._hand_over() else [moved]
        with self.pages():
            if not self._between:
                screen.board(self._seen())
            for note in filter(None, [*told, *notes]):
                screen.say(note, "cyan")

    def pages(self) -> AbstractContextManager[None]:
        """Around what may be longer than a screen that cannot be scrolled back."""
        return self._session.screen.pages(lambda: self._wait("Enter shows the rest "))

    def _wait(self, prompt: str) -> None:
        try:
            self._session.ask(Question(prompt))
        except EOFError:
            raise Leave from None

    @property
    def _between(self) -> bool:
        """Has none of several people the screen? Then nobody's cards are on it."""
        session = self._session
        return session.secretive and len(session.humans) > 1 and session.position.turn not in session.humans

    def _hand_over(self) -> bool:
        """Where cards are hidden, people at one screen must not see each other's: has another one taken the screen?"""
        session, turn = self._session, self._session.position.turn
        if not session.secretive or turn not in session.humans or turn == self._looks:
            return False
        if len(session.humans) > 1:
            session.screen.part()
            self._wait(f"{session.name(turn)}, take the screen and press Enter ")
        self._looks = turn
        return len(session.humans) > 1

    def _seen(self) -> Position:
        """The position as the human at the screen may know it; the whole truth when it is over or only agents play."""
        session, position = self._session, self._session.position
        if not session.humans or (session.hidden and not session.secretive):
            return position
        return position.view(position.turn if position.turn in session.humans else session.humans[0])

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
        screen.say(format.columns(format.story(session.position), screen.console.width))
        if session.outcome is not None:
            screen.board(session.position)
            screen.say(format.result(session.position.game, session.outcome), "bold")
