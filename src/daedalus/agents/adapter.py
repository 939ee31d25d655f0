"""Agents from a user's own file: any class with `choose(view, limit)` that returns a move, its text or a Thought."""

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

from daedalus.core import Agent, InvalidSpec, Limit, Position, Thought


class AgentAdapter(Agent):
    """Wraps a user's player so that it answers with a Thought like all others."""

    def __init__(self, player: Any, make: Callable[[], Any] | None = None) -> None:
        self.player = player
        self._make = make

    @classmethod
    def made(cls, place: str, player: Any, rest: str) -> "Agent":
        """The player at `place` with its constructor's keywords from `key=value,...`."""
        if not callable(getattr(player, "choose", None)):
            raise InvalidSpec(f"agent '{place}': the class has no method choose(view, limit)")
        make = partial(player, **{key: _literal(value) for key, value in _pairs(place, rest)})
        try:
            return cls(make(), make)
        except TypeError as error:
            raise InvalidSpec(f"agent '{place}': {error}") from None

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        answer = self.player.choose(view, limit)
        if isinstance(answer, Thought):
            return answer
        return Thought(view.parse(answer) if isinstance(answer, str) else view.move(int(answer)))

    @property
    def prepares(self) -> bool:
        """Has the player a method `prepare(game)` of its own?"""
        return callable(getattr(self.player, "prepare", None))

    def prepare(self, game: Any) -> None:
        """Lets the player prepare, if it can; any other rehearses."""
        if self.prepares:
            self.player.prepare(game)
        else:
            super().prepare(game)

    def new_game(self, seed: int) -> None:
        """Tells the player, if it has a method `new_game(seed)`; any other is made anew, since nobody knows what it kept."""
        super().new_game(seed)
        if callable(getattr(self.player, "new_game", None)):
            self.player.new_game(seed)
        elif self._make is not None:
            self.close()
            self.player = self._make()

    def close(self) -> None:
        close = getattr(self.player, "close", None)
        if close is not None:
            close()


def _pairs(place: str, rest: str) -> list[tuple[str, str]]:
    pairs = []
    for word in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = word.partition("=")
        if not equals:
            raise InvalidSpec(f"agent '{place}': '{word}': write options as key=value")
        pairs.append((key, value))
    return pairs


def _literal(text: str) -> Any:
    """A number, True, False or None as itself, anything else as text."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
