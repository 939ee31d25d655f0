"""What an agent is, and what it thought: one shape for all, so that hints, evaluation bars and records need nothing special."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .errors import IllegalMove
from .limits import Limit
from .position import Move, Position


@dataclass(frozen=True)
class Candidate:
    """One move an agent considered: its value for the seat to move in [-1, 1], how often it was tried, a remark."""

    move: Move
    value: float | None = None
    visits: int = 0
    note: str = ""


@dataclass(frozen=True)
class Thought:
    """The chosen move and why. `value` is for the seat to move, in [-1, 1]; candidates come best first."""

    move: Move
    value: float | None = None
    candidates: tuple[Candidate, ...] = ()
    line: tuple[str, ...] = ()
    simulations: int = 0
    depth: int = 0
    seconds: float = 0.0
    note: str = ""


# Called about ten times a second while an agent thinks, with what it would answer now; False says: answer that.
Watch = Callable[[Thought], bool | None]


def takes_watch(choose: Callable[..., Any]) -> bool:
    """Does this `choose` take a watch? A user's need not."""
    parameters = inspect.signature(choose).parameters.values()
    return any(parameter.name == "watch" or parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)


def _asked(choose: Callable[..., Thought]) -> Callable[..., Thought]:
    """`choose` of any agent refuses an ended game in the same words, and may be written without `watch`."""
    watched = takes_watch(choose)

    @functools.wraps(choose)
    def asked(self: "Agent", view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        outcome = view.outcome()
        if outcome is not None:
            raise IllegalMove(f"the game is over ({outcome.reason}): there is no move to choose")
        return choose(self, view, limit, watch=watch) if watched else choose(self, view, limit)

    return asked


class Agent:
    """A player: chooses a move from a view within a limit.

    Subclasses are dataclasses whose `setting` fields are the options of their spec, and define `choose`. An agent may
    keep things between moves (a tree, a process) and gives them back in `close`.
    """

    spec: str = ""
    seed: int = 0

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "choose" in vars(cls):
            setattr(cls, "choose", _asked(cls.choose))  # noqa: B010 (a method is not assigned)

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        """The move for the seat to move in `view`.

        About ten times a second a search calls `watch(thought)` with what it would answer now. When that returns False it
        stops and answers exactly this thought; None or True let it go on. Being watched changes nothing else.
        """
        raise NotImplementedError(f"{type(self).__name__} does not choose")

    def bind(self, game: Any) -> None:
        """Told which game it will play; raises InvalidSpec if its options do not suit it."""

    def prepare(self, game: Any) -> None:
        """Gets ready to answer at once, before any clock runs: compiles, loads, starts whatever any move may need.

        The default rehearses the first moves of a game, so that what continues an earlier search is met too. An agent
        that needs more later (in an endgame, say) overrides this.
        """
        position = Position(game, 1)
        while position.outcome() is None and len(position.history) <= game.SEATS:
            position.push(self.choose(position.view(), Limit(simulations=1, depth=1)).move)
        self.new_game(self.seed)

    def new_game(self, seed: int) -> None:
        """A new game begins: takes its seed and forgets the games before, so as to play as if it were the first.

        What is dear to make and the same for every game (tables, processes, weights) stays. An agent that keeps
        anything else from move to move overrides this.
        """
        self.seed = seed

    def close(self) -> None:
        """Gives back what the agent holds."""
