"""The names of what a network sees of Black-Hole Escape."""

from typing import Any

from .kernels.features import LANDINGS


def feature_names(self: Any) -> list[tuple[str, Any, str]]:
    """Ships from the seat's own side, its own ones starting on top; the hole is in the middle."""
    board = (self.size, self.size)
    return [
        ("own ships", board, "1 where one is"),
        ("other's ships", board, "1 where one is"),
        *(
            group
            for name in ("own", "other's")
            for group in (
                (f"{name} home", self.size // 2 + 1, "1 at the number of ships in the hole"),
                (f"{name} landings", LANDINGS, "1 at the number of moves that would land a ship now: none, one, more"),
            )
        ),
        ("own turn", 1, "1 if the seat is to move"),
    ]
