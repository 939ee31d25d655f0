"""The names of what a network sees of Colosseum Survival!."""

from typing import Any


def feature_names(self: Any) -> list[tuple[str, Any, str]]:
    """Grids from the seat's own side; quantities are shares of the board's cells."""
    size = self.size
    return [
        ("own cell", (size, size), "1 where the player stands"),
        ("other's cell", (size, size), "1 where the player stands"),
        ("barriers upright", (size, size - 1), "1 if a barrier lies right of the cell"),
        ("barriers level", (size - 1, size), "1 if a barrier lies below the cell"),
        ("reached first", 2, "cells that one reaches strictly before the other: own, other's"),
        ("near", 2, "cells within one walk: own, other's"),
        ("far", 2, "cells within two walks: own, other's"),
        ("spare barriers", 2, "open sides inside the cells reached first: own, other's"),
        ("between", 1, "steps from one player to the other, in sides of the board; 0 when they are apart"),
        ("own turn", 1, "1 if the seat is to move"),
    ]
