"""Limits: how long an agent may think. The one place that reads them from text, and the one clock."""

import time
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Any

from .errors import InvalidSpec, valid
from .options import shown
from .printable import printable


@dataclass(frozen=True)
class Limit:
    """At most so many seconds, simulations, plies of depth; whichever comes first. None sets no bound.

    `first` is for those who run games: seconds for an agent's first move of a game, where they differ; see `at`.
    """

    seconds: float | None = None
    simulations: int | None = None
    depth: int | None = None
    first: float | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, Real):
                raise InvalidSpec(f"{shown(field.name, value)}: wants a number")
            if not 0 < float(value) <= _MOST[field.name]:
                raise InvalidSpec(f"{shown(field.name, value)}: must be more than 0 and at most {_MOST[field.name]:g}")

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) is not None for field in fields(self))

    def __and__(self, other: "Limit") -> "Limit":
        """The tighter of the two in each respect."""
        tighter = Limit(**{name: _least(getattr(self, name), getattr(other, name)) for name in _BOUNDS})
        if self.first is None and other.first is None:
            return tighter
        return replace(tighter, first=_least(self.first or self.seconds, other.first or other.seconds))

    def __str__(self) -> str:
        return ",".join(f"{f.name}={getattr(self, f.name)}" for f in fields(self) if getattr(self, f.name) is not None)

    def at(self, moves: int) -> "Limit":
        """The limit of one move, by an agent that has made so many in this game."""
        if self.first is None:
            return self
        return replace(self, seconds=self.seconds if moves else self.first, first=None)

    @classmethod
    def parse(cls, text: str) -> "Limit":
        """`seconds=1,simulations=1000` as a limit, or one by its name: `course`."""
        values: dict[str, Any] = {}
        for word in filter(None, text.split(",")):
            name, _, value = word.partition("=")
            if word in NAMED:
                values |= {bound: amount for bound, amount in vars(NAMED[word]).items() if amount is not None}
                continue
            if name not in _KINDS:
                raise InvalidSpec(valid("limit", name, [*_KINDS, *NAMED]))
            try:
                values[name] = _KINDS[name](value)
            except ValueError:
                raise InvalidSpec(f"{printable(word, 80)}: wants a number") from None
        return cls(**values)


# What kernels count with and the system's timers take.
_MOST = {"seconds": 1e8, "simulations": 1e15, "depth": 1e15, "first": 1e8}
_BOUNDS = ("seconds", "simulations", "depth")
_KINDS: dict[str, type] = {"seconds": float, "simulations": int, "depth": int, "first": float}
# What `--limit` knows by name. course: McGill's COMP 424, 30 s for the first move and 2 s for the others.
NAMED = {"course": Limit(seconds=2.0, first=30.0)}


def _least(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else min(a, b)


class Clock:
    """Started when made; says how long it has run and how much of a limit is left."""

    now = staticmethod(time.perf_counter)

    def __init__(self, limit: Limit) -> None:
        self._begun = self.now()
        self._seconds = limit.seconds

    @property
    def elapsed(self) -> float:
        return self.now() - self._begun

    @property
    def left(self) -> float:
        """Seconds left; infinite without a time limit."""
        return float("inf") if self._seconds is None else self._seconds - self.elapsed
