"""What a game tells a newcomer: a sentence, the rules, how moves are written, and lessons to play through.

A game that comes with Daedalus has these in its `guide.py`, loaded when somebody asks; one of the user's own may have
them in its class. Texts are Markdown with paragraphs, `- ` lists, `**bold**` and `` `code` `` only.

    TITLE                   what the game is called
    SENTENCE                what the game is, in one sentence
    RULES                   goal, turn and end, a screenful
    NOTATION                how moves are written, with examples
    DEMO                    moves from the start that seed 1 deals, well played: the game at a glance
    LESSONS                 positions to play through, the last of them won by the move that it asks for
"""

import inspect
import re
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

    title: str
    sentence: str
    rules: str
    notation: str
    lessons: tuple[Lesson, ...]
    demo: tuple[str, ...]


_NOTATION = "A move is written as the list of legal moves shows it."


def guide_of(position_or_game: Any) -> Guide:
    """The guide of a game, or of the game of a position; what it does not say itself comes from its class's description."""
    kind = registration_of(getattr(position_or_game, "game", position_or_game))
    source: Any = kind.module("guide") or kind.rules
    title = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", kind.rules.__name__)  # ConnectFour -> Connect Four
    return Guide(
        title=getattr(source, "TITLE", title),
        sentence=getattr(source, "SENTENCE", headline(kind.rules) or f"{title}, a game of your own."),
        rules=getattr(source, "RULES", inspect.getdoc(kind.rules) or "This game does not tell its rules."),
        notation=getattr(source, "NOTATION", _NOTATION),
        lessons=tuple(getattr(source, "LESSONS", ())),
        demo=tuple(getattr(source, "DEMO", "").split()),
    )
