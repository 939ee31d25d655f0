"""Bases of agents, whatever the game: one that searches, and one that plays what a policy picks."""

import time
from dataclasses import dataclass
from typing import Any, ClassVar

from daedalus.core import Agent, Limit, Position, Thought, Watch, scramble, setting

from .base import Search
from .context import SearchContext
from .wins import win_at_hand


def moves_made(view: Position) -> int:
    """How many moves the seat to move has made, if all move in turn."""
    return len(view.history) // int(view.game.SEATS)


@dataclass
class SearchAgent(Agent):
    """What searching agents share: their own limit, a win at hand, and one search for each game they meet."""

    seconds: float | None = setting(None, "think at most so long a move (1 if no limit is given)", float, low=1e-6)
    simulations: int | None = setting(None, "at most so many simulations (nodes for alpha-beta)", int, low=1)

    ENDED_BY: ClassVar[tuple[str, ...]] = ("seconds", "simulations")  # the limits that end its search by themselves
    USUAL: ClassVar[Limit] = Limit(seconds=1.0)  # what ends it when nobody says

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        search = self.search(view.game)
        return self.decided(view) or search.think(view, self.bounds(view, limit or Limit()), watch)

    def decided(self, view: Position) -> Thought | None:
        """The choice where there is nothing to search."""
        return win_at_hand(view)

    def own_limit(self, view: Position) -> Limit:
        """What its options allow."""
        return Limit(self.seconds, self.simulations, getattr(self, "depth", None) or None)

    def bounds(self, view: Position, limit: Limit) -> Limit:
        """The tighter of its own limit and the given one."""
        both = self.own_limit(view) & limit
        if any(getattr(both, name) is not None for name in self.ENDED_BY):
            return both
        return both & self.USUAL.at(moves_made(view))

    def bind(self, game: Any) -> None:
        self.search(game)

    def search(self, game: Any) -> Search:
        """The search for a game, kept from move to move."""
        kept: dict[Any, Search] = self.__dict__.setdefault("_searches", {})
        key = type(game), game  # games of two classes may be equal as tuples
        if key not in kept:
            kept[key] = self.make(game)
        return kept[key]

    def make(self, game: Any) -> Search:
        raise NotImplementedError

    def prepare(self, game: Any) -> None:
        """Searches once even where the start is won at once, then rehearses."""
        self.search(game).think(Position(game, 1).view(), Limit(simulations=1, depth=1))
        super().prepare(game)

    def new_game(self, seed: int) -> None:
        """Forgets trees and tables; compiled kernels belong to the game and stay."""
        super().new_game(seed)
        self.__dict__.pop("_searches", None)


@dataclass
class PolicyPlayer(Agent):
    """Plays what a policy picks, at once; the same seed, the same moves."""

    def policy(self) -> Any:
        raise NotImplementedError

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        begun = time.perf_counter()
        seed = scramble(self.seed, len(view.history), view.turn)
        context = SearchContext(view, "daedalus.search.kernels.pick", 1, seed)
        move = view.move(int(context.kernels.pick(context.game, self.policy(), context.S, context.W)))
        return Thought(move, line=(str(move),), seconds=time.perf_counter() - begun)
