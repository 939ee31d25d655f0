"""What an agent is, and what it thought: one shape for all, so that hints, evaluation bars and records need nothing special."""

import dataclasses
from dataclasses import dataclass
from typing import Any

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


def setting(
    default: Any,
    help: str,
    kind: type = str,
    choices: tuple[str, ...] = (),
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """An option of an agent's spec, as a dataclass field: `c: float = setting(1.0, "exploration", float, low=0)`."""
    about = {"help": help, "kind": kind, "choices": choices, "low": low, "high": high}
    return dataclasses.field(default=default, metadata=about)


class Agent:
    """A player: chooses a move from a view within a limit.

    Subclasses are dataclasses whose `setting` fields are the options of their spec, and define `choose`. An agent may
    keep things between moves (a tree, a process) and gives them back in `close`.
    """

    spec: str = ""
    seed: int = 0

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        """The move for the seat to move in `view`."""
        raise NotImplementedError(f"{type(self).__name__} does not choose")

    def bind(self, game: Any) -> None:
        """Told which game it will play; raises InvalidSpec if its options do not suit it."""

    def prepare(self, game: Any) -> None:
        """Gets ready to answer at once, before any clock runs: compiles, loads, starts whatever the first move needs."""
        self.choose(Position(game, 1).view(), Limit(simulations=1, depth=1))

    def fresh(self, seed: int) -> None:
        """A new game begins: takes its seed and forgets the games before, so as to play as if it were the first.

        What is dear to make and the same for every game (tables, processes, weights) stays. An agent that keeps
        anything else from move to move overrides this.
        """
        self.seed = seed

    def close(self) -> None:
        """Gives back what the agent holds."""
