"""The names of what a network sees of Saboteur."""

from typing import Any

from .kernels.tiles import CARDS, SIZE

_BOARD = (SIZE, SIZE)


def feature_names(self: Any) -> list[tuple[str, Any, str]]:
    """The board, which both seats see from the same side, then cards and what is known of the objectives."""
    kinds = "of each card: 16 tiles, map, malus, bonus, destroy"
    return [
        *((f"open to the {side}", _BOARD, "1 if the tile there is") for side in ("north", "east", "south", "west")),
        ("centre open", _BOARD, "1 if the sides of the tile there are joined"),
        ("tile", _BOARD, "1 if something lies there"),
        ("reached", _BOARD, "1 if a path leads there from the entrance"),
        ("own cards", CARDS, f"how many {kinds}"),
        ("unseen cards", CARDS, f"how many {kinds}, in the deck, the other's hand or dropped by the other"),
        ("malus", 2, "how many maluses: own, other's"),
        ("to draw", 1, "cards in the deck, in sixty-fourths"),
        ("other's hand", 1, "cards in it, as a share of a full hand"),
        ("revealed", 3, "1 for each objective that lies face up"),
        ("seen", 3, "1 for each objective that the seat has seen"),
        ("seen by the other", 3, "1 for each objective that the other has looked at or that lies face up"),
        ("nugget", 3, "the chance that it lies there, as far as the seat knows"),
        ("own turn", 1, "1 if the seat is to move"),
    ]
