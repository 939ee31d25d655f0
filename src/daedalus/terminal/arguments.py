"""From what a user types to what is played: games with their options, positions, seats."""

import re
import secrets
from collections.abc import Sequence
from pathlib import Path

from daedalus.core import DaedalusError, Game, InvalidOption, InvalidRecord, InvalidSpec, Position
from daedalus.core.record import Record
from daedalus.core.registry import find, game_names, make_game, registration_of
from daedalus.core.seeds import SEED_BITS, derive, secret_for

from . import format, hidden, savefiles
from .hidden import HUMAN


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
        return _recorded(name, options, text, savefiles.named(str(record)), ply)
    if ply is not None:
        raise InvalidOption("--ply names a position of a record: give --record FILE too")
    if name is None:
        raise DaedalusError("name a game (`daedalus games` lists them) or give --record FILE")
    game = game_of(name, options)
    return Position(game, seed) if text is None else Position.from_text(game, text)


def seen_by(
    view: str | None,
    name: str | None,
    options: Sequence[str] | None = None,
    text: str | None = None,
    seed: int | None = None,
    record: Path | None = None,
    ply: int | None = None,
) -> Position:
    """That position as the seat `view` may know it; a recorded game that still runs tells no hidden cards to others."""
    position = position_of(name, options, text, seed, record, ply)
    if record is not None:
        seat = hidden.onlooker(savefiles.named(str(record)), view)
    else:
        seat = None if view is None else format.seat_number(position.game, view)
    return position if seat is None else position.view(seat)


def to_play(
    name: str | None, options: Sequence[str] | None, text: str | None, seed: int, record: Record | None, ply: int | None
) -> Position:
    """The position from which people play; where cards are hidden, neither seed nor record lets anybody foresee them."""
    if record is None:
        position = position_of(name, options, text, seed, None, ply)
        if text is not None or not hidden.hides(position.game):
            return position
        return Position(position.game, derive(secret_for(position.game, seed), "deal", 0))
    position = _recorded(name, options, text, record, ply)
    hidden.refuse_to_continue(record)
    if len(position.history) < len(record.moves) and hidden.hides(position.game):
        raise InvalidOption("a game with hidden cards goes on where it stands: leave --ply out")
    return position


def another(game: Game) -> tuple[Position, bytes]:
    """A new game of the same rules and options, dealt so that nobody can foresee it, and the secret of its agents."""
    seed = secrets.randbits(SEED_BITS)
    secret = secret_for(game, seed)
    return Position(game, derive(secret, "deal", 0) if hidden.hides(game) else seed), secret


def _recorded(name: str | None, options: Sequence[str] | None, text: str | None, record: Record, ply: int | None) -> Position:
    if options or text is not None:
        raise InvalidOption("a record brings its own game and position: leave -o and --position out")
    position = record.replay()
    if name not in (None, position.name):
        raise InvalidRecord(f"the record holds a game of {position.name}, not of {name}")
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
    """`human,perfect` as a spec a seat; seats that are left out get an opponent that can be beaten.

    Specs hold commas too. One that is followed by `name=value` or stands inside a spec's options belongs to that spec;
    where that is not enough, `;` separates the seats.
    """
    from .levels import opponent

    specs = ["human"] if text is None else _split(text)
    if not all(specs):
        raise InvalidSpec(f"seats '{text}': there is an empty seat; write them as human,random")
    if len(specs) > game.SEATS:
        raise InvalidSpec(
            f"{format.title(game)} has {game.SEATS} seats, not {len(specs)}: {' | '.join(specs)} (separate seats with ; where specs hold commas)"
        )
    missing = game.SEATS - len(specs)
    return specs + [opponent(game)] * missing if missing else specs


def seats_in(record: Record, game: Game) -> list[str]:
    """Who played a recorded game: people and agents by name; the default opponent for whatever would run a program."""
    from daedalus.agents import describe

    from . import coach
    from .levels import opponent

    known = {info.name for info in describe(registration_of(game).name)} - {"engine"} | {HUMAN, coach.NAME}
    players = record.players if HUMAN in record.players else [HUMAN, *record.players[1:]]
    seats = [spec if spec.partition(":")[0] in known else opponent(game) for spec in players]
    return (seats + [opponent(game)] * game.SEATS)[: game.SEATS]


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
