"""Agents from a user's own file: any class with `choose(view, limit)` that returns a move, its text or a Thought.

One that can show what it thinks meanwhile takes a third argument, `watch`, see Agent.choose.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from daedalus.core import Agent, InvalidOption, InvalidSpec, Limit, Position, Thought, Watch
from daedalus.core.agent import takes_watch
from daedalus.core.options import Option, options_of, parsed, read_options


class AgentAdapter(Agent):
    """Wraps a user's player so that it answers with a Thought like all others."""

    def __init__(self, player: Any, make: Callable[[], Any] | None = None, options: tuple[Option, ...] = ()) -> None:
        self.player = player
        self.options = options  # with the values that it was made with
        self._make = make

    @classmethod
    def made(cls, place: str, player: Any, rest: str) -> "Agent":
        """The player at `place` with its constructor's keywords from `key=value,...`."""
        if not callable(getattr(player, "choose", None)):
            raise InvalidSpec(f"agent '{place}': the class has no method choose(view, limit)")
        known = options_of(player)
        try:
            values = read_options(known, parsed(rest, ","), place)
            make = partial(player, **values)
            made = make()
        except (InvalidOption, TypeError) as error:
            raise InvalidSpec(f"agent '{place}': {error}") from None
        return cls(made, make, tuple(replace(option, default=values.get(option.name, option.default)) for option in known))

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        watched = {"watch": watch} if takes_watch(self.player.choose) else {}
        answer = self.player.choose(view, limit, **watched)
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
