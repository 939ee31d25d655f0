"""How much of a study is wanted, and where it is played and kept."""

import os
import shlex
from dataclasses import dataclass

from daedalus.arena.rows import default_database
from daedalus.core import InvalidOption


@dataclass(frozen=True)
class StudyRequest:
    """What somebody wants of a study.

    quick, games    a minute's worth, or so many games of each pairing; else the study's own number
    seed            decides boards and dice
    workers, on     processes (else one a core), or Ray, as for a match
    db              where finished games are kept, so that an interrupted study continues; None is the user's own place
    again           play everything anew instead of continuing
    only            a part: `section`, `section/row` or `section/row/column`; one left empty means all, `section//column`
    scale           time limits are multiplied by it
    """

    quick: bool = False
    games: int | None = None
    seed: int = 0
    workers: int | None = None
    on: str | None = None
    db: str | os.PathLike[str] | None = None
    again: bool = False
    only: str | None = None
    scale: float = 1.0

    def __post_init__(self) -> None:
        for name, least in (("games", 2), ("workers", 1)):
            given = getattr(self, name)
            if given is not None and given < least:
                raise InvalidOption(f"{name}={given}: wants at least {least}")
        if not 0 < self.scale < float("inf"):
            raise InvalidOption(f"scale={self.scale}: wants more than 0")

    @property
    def store(self) -> str | os.PathLike[str]:
        """The database of the games."""
        return default_database().with_name("studies.sqlite") if self.db is None else self.db

    def wants(self, *place: str) -> bool:
        """Is this section, row and column among those wished for?"""
        names = self.only.split("/", 2) if self.only else []
        return all(name.casefold() in ("", there.casefold()) for name, there in zip(names, place, strict=False))

    def command(self, name: str) -> str:
        """The command that gives the same numbers: what decides them, not where they are played, kept and written."""
        words = ["daedalus", "study", name] + ["--quick"] * self.quick
        for option, given, usual in (
            ("--games", self.games, None),
            ("--only", self.only, None),
            ("--scale", self.scale, 1.0),
            ("--seed", self.seed, 0),
        ):
            if given != usual:
                words += [option, f"{given:g}" if isinstance(given, float) else str(given)]
        return shlex.join(words)
