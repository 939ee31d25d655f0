"""What a game tells a newcomer: a sentence, the rules, how moves are written, and lessons to play through.

A game that comes with Daedalus has these in its `guide.py`, loaded when somebody asks; one of the user's own may have
them in its class. Texts are Markdown with paragraphs, `- ` lists, `**bold**` and `` `code` `` only.

    SENTENCE                what the game is, in one sentence
    RULES                   goal, turn and end, a screenful
    NOTATION                how moves are written, with examples
    LESSONS                 positions to play through, the last of them won by the move that it asks for
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .options import make
from .position import Position
from .registry import Registration, headline, registration_of


@dataclass(frozen=True)
class Lesson:
    """A position with a task: what is said, the moves that solve it (any of them), what is said then, and else."""

    say: str
    position: str
    wanted: tuple[str, ...]
    done: str
    other: str
    options: Mapping[str, Any] = field(default_factory=dict)  # of the game: small boards teach faster

    def begin(self, kind: Registration) -> Position:
        """The lesson's position."""
        return Position.from_text(make(kind.rules, dict(self.options)), self.position)


@dataclass(frozen=True)
class Guide:
    """What a game tells a newcomer."""

    sentence: str
    rules: str
    notation: str
    lessons: tuple[Lesson, ...]


_NOTATION = "A move is written as the list of legal moves shows it."


def guide_of(position_or_game: Any) -> Guide:
    """The guide of a game, or of the game of a position; what it does not say itself comes from its class's description."""
    kind = registration_of(getattr(position_or_game, "game", position_or_game))
    source: Any = kind.module("guide") or kind.rules
    return Guide(
        sentence=getattr(source, "SENTENCE", headline(kind.rules) or f"{kind.rules.__name__}, a game of your own."),
        rules=getattr(source, "RULES", inspect.getdoc(kind.rules) or "This game does not tell its rules."),
        notation=getattr(source, "NOTATION", _NOTATION),
        lessons=tuple(getattr(source, "LESSONS", ())),
    )
