"""The names of what a network sees of Labyrinth."""

from typing import Any

from . import boards
from .kernels.maze import COLUMNS, ROWS


def feature_names(self: Any) -> list[tuple[str, Any, str]]:
    """Grids from the seat's own side, its home as a rule on the upper left; seats from the own one on in order of turns."""
    board = (self.board[ROWS], self.board[COLUMNS])
    locations = 2 * sum(lines.bit_count() for lines in boards.movable(self.board, self.rows, self.columns))
    names = ["own", *(["other's"] if self.players == 2 else ["next's", "third's", "fourth's"][: self.players - 1])]
    return [
        *((f"open to the {side}", board, "1 if the tile there is") for side in ("north", "east", "south", "west")),
        ("reach", board, "1 where the own pawn could walk without a push"),
        *(
            group
            for name in names
            for group in (
                (f"{name} pawn", board, "1 where it stands"),
                (f"{name} home", board, "1 where it lies"),
                (
                    f"{name} goal",
                    board,
                    "the chance that it looks for what lies there, as far as the seat knows; an own later goal 1/2, 1/3",
                ),
            )
        ),
        *((f"{name} on the extra tile", 2, "its home, a goal (as a chance)") for name in names),
        ("left to find", self.players, "goals and home, as a share of all"),
        ("extra tile", 3, "1 at its kind: L, T, I"),
        ("barred", locations, "1 where the extra tile may not come in, since that would undo the last push"),
        ("own turn", 1, "1 if the seat is to move"),
    ]
