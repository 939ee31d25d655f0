"""The prompt of a terminal: a line editor that offers legal moves, commands and file names while one types."""

import sys
from collections.abc import Iterator

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import (
    CompleteEvent,
    Completer,
    Completion,
    DynamicCompleter,
    FuzzyCompleter,
    PathCompleter,
    WordCompleter,
)
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.styles import Style

from . import ascii
from .input import Question, TimeUp

_MENU = 6  # lines at most below the prompt, for what completes a word
_TICK = 0.2  # seconds between two looks at a clock
_STYLE = Style.from_dict({"prompt": "bold", "bottom-toolbar": "noreverse fg:ansibrightblack"})


class Answers(Completer):
    """The words of a question for the first word, file names after the commands that want one."""

    def __init__(self, question: Question) -> None:
        words = WordCompleter(list(question.words), meta_dict=dict(question.words), WORD=True)
        self._words = FuzzyCompleter(words, pattern=r"^\S+")  # a move may hold any sign but a space
        self._paths = PathCompleter(expanduser=True)
        self._files = question.files

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        command, space, rest = document.text_before_cursor.partition(" ")
        if not space:
            yield from self._words.get_completions(document, complete_event)
        elif command in self._files:
            yield from self._paths.get_completions(Document(rest, len(rest)), complete_event)


class Prompt:
    """Asks questions on the terminal; keeps what each person typed, for the arrow keys."""

    def __init__(self) -> None:
        self._question = Question("")
        self._sessions: dict[str, PromptSession[str]] = {}

    def __call__(self, question: Question) -> str:
        self._question = question
        session = self._sessions.setdefault(question.whom, self._session())
        roomy = question.room > 1  # else the menu comes with Tab only, and the board scrolls up for it
        return session.prompt(
            [("class:prompt", question.prompt)],
            reserve_space_for_menu=min(_MENU, question.room) if roomy else 3 if question.words else 0,
            complete_while_typing=roomy,
            refresh_interval=_TICK if question.clock else 0,
        )

    def _session(self) -> PromptSession[str]:
        return PromptSession(
            completer=DynamicCompleter(lambda: Answers(self._question)),
            bottom_toolbar=self._below,
            style=_STYLE,
            history=InMemoryHistory(),
        )

    def _below(self) -> str | None:
        """The line at the foot of the screen; looks at the clock."""
        shown = self._question.hint
        if self._question.clock:
            left = self._question.clock()
            if left is None and not get_app().is_done:
                get_app().exit(exception=TimeUp())
            shown = f"{left or '0'}   {shown}"
        if ascii.is_plain(sys.stdout.encoding):
            shown = ascii.plain(shown)
        return shown or None
