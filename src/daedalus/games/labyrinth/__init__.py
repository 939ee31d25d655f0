"""Labyrinth: boards, rules and agents of van der Zwaag (2020); the variants of section 9.3 as options."""

from daedalus.core import Position


def goals_found(position: Position) -> tuple[int, ...]:
    """How many goals each seat has found, its home included: at most 3, 7 and 13 on van der Zwaag's three boards."""
    return tuple(int(n) for n in position.state.found[: position.game.SEATS])
