"""How much evidence games are: which of them are the same game again, and other reasons to trust their numbers less."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .games import GameResult

_MANY_ALIKE = 0.9  # a smaller share of distinct games is worth a warning


def identity(result: "GameResult", dealt: bool) -> Hashable:
    """Equal for games that are the same: who sat where, the moves, and the deal where the game deals."""
    if not result.record:
        return result.number  # nothing is known of its moves
    moves, seed = result.signature
    return result.seats, moves, seed if dealt else ""


def distinct_games(results: Iterable["GameResult"], dealt: bool) -> int:
    """How many different games there are."""
    return len({identity(result, dealt) for result in results})


def same_pairs(results: Iterable["GameResult"], dealt: bool) -> list[list["GameResult"]]:
    """The games in independent groups: those of a pair, together with the pairs that are the same games again."""
    pairs: dict[Hashable, list[GameResult]] = {}
    for result in results:
        pairs.setdefault((result.pair, frozenset(result.seats)), []).append(result)
    groups: dict[Hashable, list[GameResult]] = {}
    for games in pairs.values():
        groups.setdefault(frozenset(identity(game, dealt) for game in games), []).extend(games)
    return list(groups.values())


def doubts(results: Sequence["GameResult"], dealt: bool) -> list[str]:
    """Reasons to trust the numbers less, one line each; `dealt` tells whether the start depends on the seed."""
    said = []
    distinct = distinct_games(results, dealt)
    if distinct < _MANY_ALIKE * len(results):
        said.append(
            f"{len(results):,} games, but only {distinct:,} distinct ones: the same game again is no new evidence, so the"
            " intervals count it once; give openings or more random plies"
        )
    lost = sum(bool(result.forfeit) for result in results)
    if lost:
        said.append(f"{lost:,} of {len(results):,} games were forfeited: the score tells about that too, not only about play")
    moves, games = sum(len(result.faults) for result in results), sum(bool(result.faults) for result in results)
    if moves:
        said.append(f"in {games:,} of {len(results):,} games {moves:,} moves were made for an agent at fault")
    return said
