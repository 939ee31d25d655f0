"""Moves with their texts, the legal ones of a position, and how a game ends: small values that positions give out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from .contract import Game


class Move(int):
    """A move: the number that kernels use, and the text that people read.

    It is a number in every comparison: equal to a plain number, and to another move of the same number, whatever the text.
    Numbers and texts belong to one position; the same move of another position may be another one.
    """

    text: str

    def __new__(cls, code: int, text: str) -> "Move":
        move = super().__new__(cls, code)
        move.text = text
        return move

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"

    def __getnewargs__(self) -> tuple[int, str]:  # type: ignore[override]
        return int(self), self.text


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winning seat (None for a draw), why, and what each seat gets, in [-1, 1]."""

    winner: int | None
    reason: str
    payoffs: tuple[float, ...]

    @classmethod
    def forfeited(cls, seat: int, seats: int, reason: str) -> "Outcome":
        """A seat resigns, or loses off the board: it gets -1, and the others share 1 equally; the only other one wins."""
        payoffs = tuple(-1.0 if other == seat else 1.0 / max(1, seats - 1) for other in range(seats))
        return cls(1 - seat if seats == 2 else None, reason, payoffs)


class LegalMoves(Sequence[Move]):
    """The legal moves of a position, in the order the rules list them; texts are made when asked for."""

    def __init__(self, game: Game, state: Any, codes: list[int]) -> None:
        self._game, self._state = game, state
        self.codes = codes
        self._by_touches: dict[tuple[str, ...], int] | None = None

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, place: int) -> Move: ...
    @overload
    def __getitem__(self, place: slice) -> list[Move]: ...
    def __getitem__(self, place: int | slice) -> Move | list[Move]:
        if isinstance(place, slice):
            return [self._move(code) for code in self.codes[place]]
        return self._move(self.codes[place])

    def __iter__(self) -> Iterator[Move]:
        return (self._move(code) for code in self.codes)

    def _move(self, code: int) -> Move:
        return Move(code, self._game.move_text(self._state, code))

    def next_touches(self, touched: Sequence[str] = ()) -> dict[str, Move | None]:
        """The touches that go on from these to a legal move, each with the move that it completes, None if more must follow.

        Nothing when the touches are a whole move, or the beginning of none.
        """
        if self._by_touches is None:
            self._by_touches = {self._game.touches(self._state, code): code for code in self.codes}
        made = tuple(touched)
        place = len(made)
        found: dict[str, Move | None] = {}
        for sequence, code in self._by_touches.items():
            if len(sequence) > place and sequence[:place] == made:
                found[sequence[place]] = self._move(code) if len(sequence) == place + 1 else None
        return found

    def touched(self, touches: Sequence[str]) -> Move | None:
        """The legal move that these touches make."""
        *begun, end = touches or ("",)
        return self.next_touches(begun).get(end)

    def __contains__(self, move: object) -> bool:
        if isinstance(move, str):
            return any(str(legal) == move for legal in self)
        return move in self.codes

    def __repr__(self) -> str:
        return f"<{len(self)} legal moves: {', '.join(map(str, self))}>"
