"""The prompt of a terminal: a line editor that offers legal moves, commands and file names while one types."""

from collections.abc import Iterator

from prompt_toolkit import PromptSession
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
from prompt_toolkit.styles import Style

from .entry import Question

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
    """Asks questions on the terminal; keeps what was typed, for the arrow keys."""

    def __init__(self) -> None:
        self._question = Question("")
        self._session: PromptSession[str] = PromptSession(
            completer=DynamicCompleter(lambda: Answers(self._question)),
            bottom_toolbar=lambda: self._question.hint or None,
            style=_STYLE,
            reserve_space_for_menu=6,
        )

    def __call__(self, question: Question) -> str:
        self._question = question
        return self._session.prompt([("class:prompt", question.prompt)])
