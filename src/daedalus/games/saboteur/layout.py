"""What both pictures of Saboteur show: which part of the board, whose hands, which cell of the last move, where a tile fits."""

from typing import Any

from .kernels.rules import ACT, LOOK
from .kernels.tiles import CELLS, FITS, GOALS, SIDES, SIZE, START, col_of, row_of
from .text import laid_tiles


def cropped(s: Any) -> tuple[range, range]:
    """The rows and columns in use, and one more on each side."""
    used = [START, *GOALS.tolist(), *laid_tiles(s)]
    rows, cols = [row_of(cell) for cell in used], [col_of(cell) for cell in used]
    return range(max(min(rows) - 1, 0), min(max(rows) + 2, SIZE)), range(max(min(cols) - 1, 0), min(max(cols) + 2, SIZE))


def marked(last: int | None) -> int | None:
    """The cell that the last move was about, if any."""
    if last is None or last >> 8 == ACT:
        return None
    return int(GOALS[last & 255]) if last >> 8 == LOOK else last & 255


def shown(s: Any, seat: int | None) -> list[int]:
    """Whose hands are shown, the hand of who looks last."""
    return [1, 0] if seat == 0 else [0, 1]


def hand_title(self: Any, s: Any, owner: int) -> str:
    """A seat's name, its malus as crosses, whether it moves."""
    malus = " · malus " + "✗" * int(s.malus[owner]) if s.malus[owner] else ""
    return f"{self.SEAT_NAMES[owner]}{' to move' if owner == s.turn and not self.over(s) else ''}{malus}"


def may_go(s: Any, laid: int) -> list[int]:
    """The cells where a tile may be laid so."""
    if s.malus[s.turn]:
        return []
    free = sum(int(word) << 64 * k for k, word in enumerate(s.free))
    fits, sides = FITS[s.need].tolist(), int(SIDES[laid])
    return [cell for cell in range(CELLS) if free >> cell & 1 and fits[cell] >> sides & 1]
