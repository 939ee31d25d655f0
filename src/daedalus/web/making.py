"""New tables: from what a set-up panel asks for, or as the rematch of a game that is over."""

import asyncio
import contextlib
import secrets
from collections.abc import Sequence

from daedalus.core import InvalidOption, Position
from daedalus.core.grid import seat_names
from daedalus.core.seeds import derive

from .catalogue import Catalogue, checked_spec
from .models import NewTable
from .rooms import Room, Rooms, TooMany
from .settings import Settings
from .tables import AGENT, HUMAN, Seat, Table, hashed, new_id


def new_table(
    wish: NewTable, catalogue: Catalogue, settings: Settings, client: str, allow_code: bool
) -> tuple[Table, dict[int, str]]:
    """A table as it was asked for, with the tokens of its people; the creator holds the seats marked `you`."""
    game = catalogue.game(wish.game, wish.options)
    names = seat_names(game)
    if len(wish.seats) != len(names):
        raise InvalidOption(f"this game has {len(names)} seats: {', '.join(names)}")
    tokens: dict[int, str] = {}
    seats: list[Seat] = []
    for number, asked in enumerate(wish.seats):
        if asked.who == "agent":
            spec = asked.spec or "novice"
            seats.append(Seat(AGENT, checked_spec(spec, game, settings, allow_code), spec))
        else:
            tokens[number] = new_id()
            seats.append(Seat(HUMAN, None, "", hashed(tokens[number]), {client} if asked.who == "you" else set()))
    secret = secrets.token_bytes(32)
    table = Table(new_id(), wish.game, Position(game, derive(secret, "deal", 0)), seats, secret, client)
    table.pace = wish.pace
    table.set_clock(wish.clock)
    return table, tokens


async def rematch(room: Room, rooms: Rooms) -> tuple[str, dict[int, str]]:
    """The next game of the same players, everybody a seat further; tokens by the seats they had.

    The second who asks gets the same game.
    """
    table = room.table
    if table.next is not None:
        return table.next, room.rematch_tokens
    options = (await rooms.run(rooms.store.load, table.id)).options  # type: ignore[union-attr]
    following, tokens = await asyncio.to_thread(_following, table, rooms.catalogue, options)
    await rooms.run(rooms.store.add, following.saved(rooms.catalogue.name_of(table.game_id), options))
    await rooms.run(rooms.store.follow, table.id, following.id)
    with contextlib.suppress(TooMany):  # it is in the store, and will be loaded when there is room
        rooms.add(following)
    table.next, room.rematch_tokens = following.id, tokens
    return following.id, tokens


def _following(table: Table, catalogue: Catalogue, options: dict[str, str]) -> tuple[Table, dict[int, str]]:
    game = catalogue.game(table.game_id, options)
    seats, tokens = _moved_on(table.seats)
    secret = secrets.token_bytes(32)
    position = Position(game, derive(secret, "deal", 0))
    following = Table(new_id(), table.game_id, position, seats, secret, table.creator)
    following.pace = table.pace
    following.set_clock(table.clock_text)
    return following, tokens


def _moved_on(seats: Sequence[Seat]) -> tuple[list[Seat], dict[int, str]]:
    """Who sat in seat 0 sits in seat 1 now, and so on; tokens by the seats before."""
    tokens: dict[int, str] = {}
    moved: list[Seat] = []
    for number in range(len(seats)):
        before = (number - 1) % len(seats)
        old = seats[before]
        token = None
        if old.who == HUMAN:
            tokens[before] = new_id()
            token = hashed(tokens[before])
        moved.append(Seat(old.who, old.spec, old.label, token, set(old.holders)))
    return moved, tokens
