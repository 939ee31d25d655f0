"""A game under way as OpenSpiel needs it: a position that is copied cheaply, its actions by number, what each seat has seen."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from daedalus.core import IllegalMove, Position
from daedalus.core.contract import Game, offers
from daedalus.core.registry import registration_of


@dataclass(frozen=True)
class Rules:
    """A game with what OpenSpiel adds: how many deals there are (0: nothing is dealt), and how long it may last."""

    game: Game
    deals: int
    longest: int

    @property
    def hidden(self) -> bool:
        """Do seats know different things?"""
        return offers(type(self.game), "redeal")


@dataclass(frozen=True)
class Seen:
    """What a seat saw happen in a ply: the label of the move and its text, with what it then knew where cards are hidden."""

    label: int
    text: str


@dataclass
class Trail:
    """The position of a state, None before the deal. Positions share their states, so that a copy costs little."""

    rules: Rules
    start: Position | None = None
    position: Position | None = None
    _actions: dict[int, int] | None = None
    _seen: dict[int, list[Seen]] = field(default_factory=dict)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Trail":
        twin = Trail(self.rules, self.start, self.position and self.position.copy(), self._actions)
        twin._seen = {seat: list(seen) for seat, seen in self._seen.items()}
        return twin

    def deal(self, number: int) -> None:
        """Begins the game with the deal of this number."""
        if not 0 <= number < max(self.rules.deals, 1):
            raise IllegalMove(f"there is no deal {number}, of {self.rules.deals}")
        self.start = Position(self.rules.game, number)
        self.position = self.start.copy()

    def push(self, action: int) -> None:
        """Makes the legal move of this number."""
        if self.over:
            raise IllegalMove("the game is over")
        if action not in self.actions:
            raise IllegalMove(f"action {action} is not legal")
        self.dealt.push(self.actions[action])
        self._actions = None

    @property
    def dealt(self) -> Position:
        """The position, after the deal."""
        assert self.position is not None, "nothing has been dealt yet"
        return self.position

    @property
    def actions(self) -> dict[int, int]:
        """The legal moves by their numbers, in ascending order; of moves that mean the same the first stands for all."""
        if self._actions is None:
            numbered = sorted(_actions(self.dealt).items())
            self._actions = dict(numbered)
        return self._actions

    @property
    def over(self) -> bool:
        """Has the game ended, by its rules or by its length?"""
        position = self.position
        return position is not None and (position.outcome() is not None or len(position.history) >= self.rules.longest)

    @property
    def payoffs(self) -> tuple[float, ...]:
        """What each seat has; nothing while the game runs, and when it grew too long."""
        outcome = self.position.outcome() if self.position else None
        return outcome.payoffs if outcome else (0.0,) * self.rules.game.SEATS

    def seen(self, seat: int) -> list[Seen]:
        """What a seat saw, ply by ply, the start first; worked out when it is asked for and kept."""
        known, back, found = self._seen.setdefault(seat, []), self.dealt.copy(), []
        while len(back.history) >= len(known):
            after = back.view(seat).text
            if not back.history:
                found.append(Seen(-1, after))
                break
            move = back.pop()
            found.append(self._saw(seat, back, int(move), after))
        known += reversed(found)
        return known

    def _saw(self, seat: int, before: Position, move: int, after: str) -> Seen:
        """A move as a seat saw it: its own as it is, another's by what it means to an onlooker."""
        if not self.rules.hidden:
            return Seen(move, str(before.move(move)))
        view = before.view(seat)
        label = int(view.game.label(view.state, move))
        name = str(before.move(move)) if seat == before.turn else f"#{label}"
        return Seen(label, f"{name} {after}")


def _actions(position: Position) -> dict[int, int]:
    """The legal moves by their numbers."""
    moves = np.array(position.legal_moves.codes, np.int64)
    numbers = np.zeros(moves.size, np.int64)
    registration_of(position.game).transitions.actions(position.game, _array(position), moves, numbers)
    return dict(zip(numbers.tolist()[::-1], moves.tolist()[::-1], strict=True))  # the first of equals is set last


def features(position: Position, seat: int) -> np.ndarray:
    """What a seat may know, as the numbers that networks see."""
    out = np.zeros(position.game.FEATURES, np.float32)
    registration_of(position.game).transitions.features(position.game, _array(position), seat, out)
    return out


def _array(position: Position) -> Any:
    """The state as the only one of an array, as kernels take it; they only read it here."""
    state = position.state
    return np.asarray(state).reshape(1) if isinstance(state, np.record) else [state]
