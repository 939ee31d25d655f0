"""The names of what a network sees of Quoridor."""

from typing import Any

from .kernels.features import FAR, frame


def feature_names(self: Any) -> list[tuple[str, Any, str]]:
    """Grids from the seat's own side, its goal on top; then for each seat, from the own one on in order of turns, the rest."""
    rows, columns = frame(self, self.players)
    names = ["own", *(["other's"] if self.players == 2 else ["next's", "third's", "fourth's"])]
    return [
        *((f"{name} pawn", (rows, columns), "1 where it stands") for name in names),
        ("walls across", (rows - 1, columns - 1), "1 where a wall lies across the way to the goal, at its middle"),
        ("walls along", (rows - 1, columns - 1), "1 where a wall lies along the way to the goal, at its middle"),
        *(
            group
            for name in names
            for group in (
                (f"{name} walls left", self.walls + 1, "1 at their number"),
                (
                    f"{name} distance",
                    FAR,
                    f"1 at the steps to the goal, walls considered, pawns not; the last: {FAR - 1} or more",
                ),
            )
        ),
        ("distances", self.players, "the same as numbers, in sixteenths"),
        ("walls left", self.players, "the same as numbers, in tenths"),
        ("own turn", 1, "1 if the seat is to move"),
    ]
