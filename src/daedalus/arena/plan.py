"""What a run is to play: which agents meet in which seats, on which boards, game by game.

Game 2k and game 2k + 1 are a pair: the same seed, board, deal and opening, seats swapped. With more seats a "pair" is
one game for each rotation of the agents around the table, and the next pair of the same agents takes another order.
Every meeting of a round plays the same board, so all agents face the same boards. With fixed seats each board is played
once, with A in the first seat.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any, Literal

from daedalus.core import Game, InvalidOption, Limit
from daedalus.core.errors import valid
from daedalus.core.options import written
from daedalus.core.registry import make_game, registration_of
from daedalus.core.seeds import derive, secret_for

from .games import GameTask
from .openings import Opening, deals, digest, read_openings
from .sprt import Sprt

Kind = Literal["match", "tournament"]

_BOUNDS = {"games": (1, 10**9), "random_plies": (0, 1000), "grace": (0, 10**6)}  # what anybody could mean


@dataclass(frozen=True)
class Plan:
    """A run's settings; `task(number)` is one of its `total` games."""

    kind: Kind
    rules: Game
    specs: tuple[str, ...]
    games: int  # of a match in all, of a tournament for each meeting; rounded up to whole pairs
    seed: int = 0
    limit: Limit | None = None
    grace: float | None = None
    openings: tuple[Opening, ...] = ()
    random_plies: int = 0
    sprt: Sprt | None = None
    gauntlet: bool = False
    anchor: tuple[str, float] | None = None
    fixed_seats: bool = False  # a match in which A always sits first, as many published ones were played: no pairs
    kept: bytes | None = field(default=None, repr=False)  # the secret that a store kept with a run that is continued

    def __post_init__(self) -> None:
        if len(self.specs) < 2:
            raise InvalidOption(f"a {self.kind} needs two agents or more, not {len(self.specs)}")
        for name, (least, most) in _BOUNDS.items():
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                bound = f"at least {least}" if value < least else f"at most {most:,}"
                raise InvalidOption(f"{name}={str(value)[:20]}: wants {bound}")
        if self.total > _BOUNDS["games"][1]:
            raise InvalidOption(f"{len(self.meetings):,} meetings of {self.games:,} games are too many")
        if self.sprt and self.seats != 2:
            raise InvalidOption(f"sprt judges pairs of games for two, and this game has {self.seats} seats")
        if self.sprt and self.fixed_seats:
            raise InvalidOption("sprt judges pairs of games with swapped seats, and with fixed seats there are none")
        if self.anchor and self.anchor[0] not in self.specs:
            raise InvalidOption(valid("anchor", self.anchor[0], self.specs))

    @property
    def seats(self) -> int:
        return self.rules.SEATS

    @cached_property
    def game(self) -> str:
        """The game's name."""
        return registration_of(self.rules).name

    @cached_property
    def options(self) -> str:
        """The game's options that are not the defaults."""
        return written(self.rules)

    @cached_property
    def secret(self) -> bytes:
        """What all seeds of the run derive from; the store keeps it with the run."""
        return self.kept or secret_for(self.rules, self.seed)

    @cached_property
    def meetings(self) -> list[tuple[int, ...]]:
        """The sets of agents that meet at a table; in a gauntlet those with the first agent."""
        agents = range(len(self.specs))
        if len(agents) >= self.seats:
            met: list[tuple[int, ...]] = list(combinations(agents, self.seats))
        else:  # more seats than agents: some sit twice, in every mixture
            met = [mix for mix in combinations_with_replacement(agents, self.seats) if set(mix) == set(agents)]
        return [mix for mix in met if 0 in mix] if self.gauntlet else met

    @cached_property
    def total(self) -> int:
        """How many games there are."""
        shared = len(self.meetings) if self.kind == "match" else 1
        rounds = -(-self.games // (self._turns * shared))
        return rounds * len(self.meetings) * self._turns

    @property
    def _turns(self) -> int:
        """Games of a meeting on one board: one for each rotation of the seats."""
        return 1 if self.fixed_seats else self.seats

    def task(self, number: int) -> GameTask:
        """Game `number`, counted from 0."""
        pair, turn = divmod(number, self._turns)
        lap, meeting = divmod(pair, len(self.meetings))
        seats = _seated(self.meetings[meeting], lap, turn)
        return GameTask(
            number=number,
            pair=pair,
            game=self.game,
            options=self.options,
            seed=derive(self.secret, "deal", lap),
            seats=seats,
            specs=tuple(self.specs[agent] for agent in seats),
            seeds=tuple(derive(self.secret, "agent", number, seat) for seat in range(self.seats)),
            opening=self.openings[lap % len(self.openings)] if self.openings else (),
            random_plies=self.random_plies,
            opening_seed=derive(self.secret, "opening", lap),
            limit=self.limit,
            grace=self.grace,
        )

    def settings(self) -> dict[str, Any]:
        """All that decides what is played, as the store keeps it."""
        return {
            "kind": self.kind,
            "game": self.game,
            "options": self.options,
            "deals": deals(self.rules),
            "specs": list(self.specs),
            "games": self.games,
            "seed": self.seed,
            "limit": str(self.limit) if self.limit else None,
            "grace": self.grace,
            "openings": digest(self.openings) if self.openings else None,
            "random_plies": self.random_plies,
            "sprt": str(self.sprt) if self.sprt else None,
            "gauntlet": self.gauntlet,
            "anchor": list(self.anchor) if self.anchor else None,
            **({"fixed_seats": True} if self.fixed_seats else {}),  # not told by runs of stores older than the option
        }


def _seated(agents: Sequence[int], lap: int, turn: int) -> tuple[int, ...]:
    """Who sits where: the agents in an order that changes from round to round, turned so many seats around the table."""
    orders = list(permutations(agents[1:]))
    order = (agents[0], *orders[lap % len(orders)])
    return order[turn:] + order[:turn]


def game_of(game: "str | Game") -> Game:
    """A game given as itself, by name, or by name with options: `blackhole hole=pass`."""
    if not isinstance(game, str):
        return game
    from daedalus.core.options import parsed

    name, _, options = game.strip().partition(" ")
    return make_game(name, **parsed(options))


def limit_of(limit: "Limit | str | None") -> Limit | None:
    """A limit given as itself or as text, `seconds=0.1`; one that bounds nothing is none."""
    return (Limit.parse(limit) if isinstance(limit, str) else limit) or None


def openings_of(path: str | os.PathLike[str] | None, game: Game, seed: int) -> tuple[Opening, ...]:
    """The openings of a file, each checked on the first board of a run; none without a file."""
    return () if path is None else tuple(read_openings(path, game, derive(secret_for(game, seed), "deal", 0)))


def sprt_of(sprt: "Sprt | str | tuple[float, ...] | None") -> Sprt | None:
    """A test given as itself, as text, `0,10`, or as its two hypotheses, which the shares of errors may follow."""
    if isinstance(sprt, str):
        return Sprt.parse(sprt)
    return Sprt(*sprt) if isinstance(sprt, tuple) else sprt
