"""Limits: how long an agent may think. The one place that reads them from text, and the one clock."""

import time
from dataclasses import dataclass, fields
from typing import Any

from .errors import InvalidSpec, valid


@dataclass(frozen=True)
class Limit:
    """At most so many seconds, simulations, plies of depth; whichever comes first. None sets no bound."""

    seconds: float | None = None
    simulations: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and not 0 < value < float("inf"):
                raise InvalidSpec(f"{field.name}={value}: must be more than 0")

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) is not None for field in fields(self))

    def __and__(self, other: "Limit") -> "Limit":
        """The tighter of the two in each respect."""
        return Limit(**{f.name: _least(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)})

    def __str__(self) -> str:
        return ",".join(f"{f.name}={getattr(self, f.name)}" for f in fields(self) if getattr(self, f.name) is not None)

    @classmethod
    def parse(cls, text: str) -> "Limit":
        """`seconds=1,simulations=1000` as a limit."""
        kinds = {"seconds": float, "simulations": int, "depth": int}
        values: dict[str, float] = {}
        for word in filter(None, text.split(",")):
            name, _, value = word.partition("=")
            if name not in kinds:
                raise InvalidSpec(valid("limit", name, kinds))
            try:
                values[name] = kinds[name](value)
            except ValueError:
                raise InvalidSpec(f"{word}: wants a number") from None
        return cls(**values)  # type: ignore[arg-type]


def _least(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else min(a, b)


class Clock:
    """Started when made; says how long it has run and how much of a limit is left."""

    def __init__(self, limit: Limit) -> None:
        self._begun = time.perf_counter()
        self._seconds = limit.seconds

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self._begun

    @property
    def left(self) -> float:
        """Seconds left; infinite without a time limit."""
        return float("inf") if self._seconds is None else self._seconds - self.elapsed
