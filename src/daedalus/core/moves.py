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


class LegalMoves(Sequence[Move]):
    """The legal moves of a position, in the order the rules list them; texts are made when asked for."""

    def __init__(self, game: Game, state: Any, codes: list[int]) -> None:
        self._game, self._state = game, state
        self.codes = codes

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

    def __contains__(self, move: object) -> bool:
        if isinstance(move, str):
            return any(str(legal) == move for legal in self)
        return move in self.codes

    def __repr__(self) -> str:
        return f"<{len(self)} legal moves: {', '.join(map(str, self))}>"
