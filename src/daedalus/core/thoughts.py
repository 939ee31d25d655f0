"""What an agent thought, in one shape for all of them, so that hints, evaluation bars and records need nothing special."""

from dataclasses import dataclass, field

from .limits import Limit
from .position import Move, Position


@dataclass(frozen=True)
class Candidate:
    """One move an agent considered: its value for the seat to move in [-1, 1], how often it was tried, a remark."""

    move: Move
    value: float | None = None
    visits: int = 0
    prior: float | None = None
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
    facts: dict[str, float] = field(default_factory=dict)


class Agent:
    """A player: chooses a move from a view within a limit.

    Subclasses are dataclasses whose fields are the options of their spec, and define `choose`. An agent may keep
    things between moves (a tree, a process) and gives them back in `close`.
    """

    spec: str = ""
    seed: int = 0

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        """The move for the seat to move in `view`."""
        raise NotImplementedError(f"{type(self).__name__} does not choose")

    def close(self) -> None:
        """Gives back what the agent holds."""
