"""What both pictures of Quoridor show: pawns, where they can go, the order of the seats."""

from typing import Any

from .paths import pawn_targets


def targets(self: Any, s: Any) -> set[int]:
    """The cells where the pawn to move can go; none when the game is over."""
    return set() if s.ended else pawn_targets(self, s)


def standing(s: Any) -> dict[int, int]:
    """The seat of the pawn on a cell."""
    return {int(at): seat for seat, at in enumerate(s.pawn)}


def from_top(self: Any) -> list[int]:
    """The seats as they are told beside the board, the one that starts above first."""
    return [1, 0] if self.players == 2 else [2, 1, 3, 0]
