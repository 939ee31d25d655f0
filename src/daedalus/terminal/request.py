"""From what a user types to what is played: games with their options, positions, seats."""

import re
from collections.abc import Sequence
from pathlib import Path

from daedalus.core import DaedalusError, Game, InvalidOption, InvalidRecord, InvalidSpec, Position
from daedalus.core.registry import find, game_names, make_game

from . import keeping, words


def game_of(name: str, options: Sequence[str] | None) -> Game:
    """The game of a name or `file.py:Class` with `key=value` options."""
    given: dict[str, str] = {}
    for text in options or ():
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise InvalidOption(f"option '{text}': write it as key=value")
        given[key.strip()] = value.strip()
    return make_game(name, **given)


def games_to_warm(names: Sequence[str], options: Sequence[str] | None, variants: bool) -> list[Game]:
    """The games of these names (else all) with the options given, and with those of their known variants if wanted."""
    games: list[Game] = []
    for name in names or game_names():
        games.append(game_of(name, options))
        if variants:
            games += [make_game(name, **more) for more in find(name).variants.values()]
    return [game for place, game in enumerate(games) if (type(game), game) not in [(type(g), g) for g in games[:place]]]


def position_of(
    name: str | None,
    options: Sequence[str] | None = None,
    text: str | None = None,
    seed: int | None = None,
    record: Path | None = None,
    ply: int | None = None,
) -> Position:
    """The position a command is about: a start, one given as text, or one out of a record."""
    if record is not None:
        return _recorded(name, options, text, record, ply)
    if ply is not None:
        raise InvalidOption("--ply names a position of a record: give --record FILE too")
    if name is None:
        raise DaedalusError("name a game (`daedalus games` lists them) or give --record FILE")
    game = game_of(name, options)
    return Position(game, seed) if text is None else Position.from_text(game, text)


def _recorded(name: str | None, options: Sequence[str] | None, text: str | None, record: Path, ply: int | None) -> Position:
    if options or text is not None:
        raise InvalidOption("a record brings its own game and position: leave -o and --position out")
    position = keeping.load(str(record))
    if name not in (None, position.name):
        raise InvalidRecord(f"{record} holds a game of {position.name}, not of {name}")
    if ply is not None:
        check_ply(ply, len(position.history))
        while len(position.history) > ply:
            position.pop()
    return position


def check_ply(ply: int, plies: int) -> None:
    """Refuses a ply that a game has not reached."""
    if not 0 <= ply <= plies:
        raise InvalidOption(f"--ply {ply}: the game has {plies} plies, 0 is its start")


def seats_of(text: str | None, game: Game) -> list[str]:
    """`human,perfect` as a spec a seat; seats that are left out get a good default agent.

    Specs hold commas too. One that is followed by `name=value` or stands inside a spec's options belongs to that spec;
    where that is not enough, `;` separates the seats.
    """
    from daedalus.agents import default_opponent

    specs = ["human"] if text is None else _split(text)
    if not all(specs):
        raise InvalidSpec(f"seats '{text}': there is an empty seat; write them as human,random")
    if len(specs) > game.SEATS:
        raise InvalidSpec(
            f"{words.title(game)} has {game.SEATS} seats, not {len(specs)}: {' | '.join(specs)} (separate seats with ; where specs hold commas)"
        )
    return specs + [default_opponent(game)] * (game.SEATS - len(specs))


def _split(text: str) -> list[str]:
    if ";" in text:
        return [spec.strip() for spec in text.split(";")]
    specs: list[str] = []
    for piece in text.split(","):
        if specs and ":" in specs[-1] and re.match(r"\s*[a-z_]+=", piece):
            specs[-1] += f",{piece}"
        else:
            specs.append(piece.strip())
    return specs
