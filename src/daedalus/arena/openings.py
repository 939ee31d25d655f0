"""Openings: what makes pairs of games differ: the deal, or moves made before the agents take over, from a file or at random."""

import hashlib
import json
import os
import re
from collections.abc import Sequence

from daedalus.core import DaedalusError, Game, InvalidText, Position, scramble
from daedalus.core.reading import read_text

Opening = tuple[str, ...]

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
_ROUND = re.compile(r"[0-9]+\.")
_LOOKS = 5  # seeds that are tried
RANDOM_PLIES = 4  # opens a pair where nothing else makes it differ from the others


def deals(game: Game) -> bool:
    """Whether the start depends on the seed."""
    first = Position(game, 0).bits
    return any(Position(game, seed).bits != first for seed in range(1, _LOOKS))


def opening_plies(game: Game, openings: object, random_plies: int | None = None) -> int:
    """How many random moves open a pair: as the user says, else none where a deal or openings tell pairs apart."""
    if random_plies is not None:
        return random_plies
    return 0 if openings is not None or deals(game) else RANDOM_PLIES


def read_openings(path: str | os.PathLike[str], game: Game, seed: int = 0) -> list[Opening]:
    """The openings of a file, one a line: moves as in a record, `#` begins a comment.

    Each must be playable from the start that `seed` deals and leave a game to play; InvalidText names the line that is
    not.
    """
    name = os.fspath(path)
    try:
        lines = read_text(path).splitlines()
    except InvalidText as error:
        raise InvalidText(f"cannot read openings from {name}: {error}") from None
    openings: list[Opening] = []
    for number, line in enumerate(lines, 1):
        try:
            if opening := _moves(line):
                check_opening(opening, game, seed)
                openings.append(opening)
        except DaedalusError as error:
            raise InvalidText(f"{name}, line {number}: {error}") from None
    if not openings:
        raise InvalidText(f"{name}: there is no opening in it; write one a line, its moves separated by blanks")
    return openings


def _moves(line: str) -> Opening:
    """The moves of a line; one with blanks or marks of its own is a JSON string, and numbers of rounds are skipped."""
    line = re.sub(r"(^|\s)#.*", "", line.lstrip("\ufeff"))
    words = [word for word in _WORD.findall(line) if not _ROUND.fullmatch(word)]
    try:
        return tuple(str(json.loads(word)) if word.startswith('"') else word for word in words)
    except ValueError:
        raise InvalidText(f"a string in quotes that cannot be read: {line.strip()[:60]}") from None


def check_opening(opening: Sequence[str], game: Game, seed: int) -> None:
    """Raises IllegalMove or InvalidText with the ply that cannot be played, or that ends the game."""
    position = Position(game, seed)
    for ply, move in enumerate(opening, 1):
        try:
            position.push(move)
        except DaedalusError as error:
            raise InvalidText(f"ply {ply}: {error}") from None
        if outcome := position.outcome():
            raise InvalidText(f"ply {ply}: '{move}' ends the game ({outcome.reason})")


def digest(openings: Sequence[Opening]) -> str:
    """A short text that tells whether two lists of openings are the same."""
    return f"{len(openings)} lines, {hashlib.blake2b(json.dumps(list(openings)).encode(), digest_size=8).hexdigest()}"


def random_moves(position: Position, plies: int, seed: int) -> None:
    """Plays so many random moves that do not end the game, fewer where every move would."""
    for ply in range(plies):
        codes = position.legal_moves.codes
        first = scramble(seed, ply) % max(1, len(codes))
        if not any(_goes_on(position, code) for code in codes[first:] + codes[:first]):
            return


def _goes_on(position: Position, code: int) -> bool:
    """Plays a move, and takes it back if it ends the game."""
    position.push(code)
    if position.outcome() is None:
        return True
    position.pop()
    return False
