"""A socket at a table: what a client may say, how it is obeyed or refused."""

import asyncio
import contextlib
import json
import math
import time
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from daedalus.agents import default_analyst
from daedalus.core import DaedalusError, IllegalMove, InvalidText, Outcome

from .catalogue import refusal
from .making import rematch
from .rooms import Guest, Room, Rooms, TooMany, for_first
from .searches import Ticket
from .settings import Settings
from .states import Viewer, look, preview
from .store import StoreFailed
from .tables import HUMAN

Message = dict[str, Any]
_POLICY = 1008  # the close code for who does not keep the rules
_DRAWN = ("look", "preview")  # orders that are drawn for at once
_SHOWN = ("flip", "reveal", "undo", "redo", "pause", "pace", "draw")  # orders that a state answers


class Flood:
    """So many messages a second, and some at once."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._then = float(burst), time.monotonic()

    def takes(self) -> bool:
        """May one more message come?"""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


async def serve(socket: WebSocket, room: Room, rooms: Rooms, client: str | None, address: str = "?") -> None:
    """Everything from the first message of a socket to its end. `client` is the hash of the cookie's id."""
    session = Session(socket, room, rooms, client, address)
    try:
        guest = await session.hello()
        if not guest.viewer.you and room.watchers >= rooms.settings.watchers_a_table:
            await socket.send_text(json.dumps(refused("hello", "too many look on at this table already")))
            raise TooMany("too many look on")
        await room.recall(guest.viewer)
    except (WebSocketDisconnect, TimeoutError, DaedalusError, RuntimeError):
        with contextlib.suppress(RuntimeError):
            await socket.close(_POLICY)
        return
    sender = asyncio.create_task(_send_all(socket, guest, room))
    try:
        room.enter(guest)
        if session.wrong_token:
            guest.send(refused("hello", "this link opens no seat here; you are looking on"))
        await session.listen()
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        room.exit(guest)
        guest.leave()
        with contextlib.suppress(asyncio.TimeoutError, Exception):
            await asyncio.wait_for(sender, 2)


async def _send_all(socket: WebSocket, guest: Guest, room: Room) -> None:
    try:
        while (message := await guest.next(room.state_for)) is not None:
            await socket.send_text(json.dumps(message))
        await socket.close(1001 if room.closed else _POLICY)
    except (WebSocketDisconnect, RuntimeError, OSError):
        pass


def refused(to: str, reason: str) -> Message:
    return {"type": "refused", "to": to, "reason": reason}


class Session:
    """One client's talk with a table."""

    def __init__(self, socket: WebSocket, room: Room, rooms: Rooms, client: str | None, address: str) -> None:
        self._socket, self._room, self._rooms, self._client, self._address = socket, room, rooms, client, address
        self._settings: Settings = rooms.settings
        self._flood = Flood(self._settings.messages_a_second, self._settings.burst)
        self._guest: Guest
        self.wrong_token = False

    async def hello(self) -> Guest:
        """Who is there: the first message."""
        message = read(await asyncio.wait_for(self._receive(), self._settings.hello_seconds))
        if message.get("type") != "hello":
            raise InvalidText("the first message is hello")
        token, flip = message.get("token"), message.get("flip", False)
        token = token[:200] if isinstance(token, str) and token else None
        table = self._room.table
        you = table.held_by(self._client, token)
        opened = [seat for seat in you if table.seats[seat].opened_by(token)]
        self.wrong_token = token is not None and not opened
        if self._client is not None:
            for seat in opened:
                if self._client not in table.seats[seat].holders:
                    with contextlib.suppress(StoreFailed):  # the token opens the seat all the same
                        await self._rooms.run(self._rooms.store.hold, table.id, seat, self._client)
                    table.seats[seat].holders.add(self._client)
        viewer = Viewer(you, flip is True, self._client == table.creator)
        self._guest = Guest(viewer, self._client or f"socket {id(self)}", self._settings.outgoing)
        return self._guest

    async def _receive(self) -> str:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text = message.get("text")
        if text is None or len(text.encode("utf-8", "replace")) > self._settings.message:
            raise InvalidText(f"a message is a text of at most {self._settings.message} bytes")
        return str(text)

    async def listen(self) -> None:
        """Obeys message after message."""
        while True:
            to = "message"
            try:
                text = await self._receive()
                if not self._flood.takes():
                    self._guest.send(refused(to, "too many messages; come back more slowly"))
                    self._guest.outgoing.put_nowait(None)
                    return
                message = read(text)
                to = _kind(message)
                began = time.perf_counter()
                await self._obey(to, message)
                await self._rest(time.perf_counter() - began if to in _DRAWN else self._guest.cost if to in _SHOWN else 0.0)
            except asyncio.QueueFull:
                return
            except (WebSocketDisconnect, RuntimeError):
                raise
            except Exception as error:  # of a client, or of a game that we do not know: one sentence, and on
                self._guest.send(refused(to, refusal(error)))
                if to == "move":
                    self._guest.show()
                await self._rest(self._guest.cost)

    async def _rest(self, cost: float) -> None:
        """Who asks for much waits before it can ask for more, so that the others need not."""
        pause = self._rooms.effort(self._address).wait(cost) if cost else 0.0
        if pause:
            await asyncio.sleep(pause)

    async def _obey(self, to: str, message: Message) -> None:
        orders: dict[str, Callable[[Message], Awaitable[None]]] = {
            "move": self._move,
            "preview": self._preview,
            "look": self._look,
            "hint": self._hint,
            "advice": self._advice,
            "cancel": self._cancel,
            "undo": self._undo,
            "redo": self._redo,
            "resign": self._resign,
            "draw": self._draw,
            "rematch": self._rematch,
            "now": self._now,
            "flip": self._flip,
            "reveal": self._reveal,
            "pause": self._pause,
            "pace": self._pace,
            "step": self._step,
        }
        if to not in orders:
            raise InvalidText("a message has a type that is known")
        await orders[to](message)

    # --- playing --------------------------------------------------------------------------------------------------------

    async def _move(self, message: Message) -> None:
        text = message.get("move")
        if not isinstance(text, str) or not 0 < len(text) <= self._settings.move_text:
            raise InvalidText(f"a move is a text of at most {self._settings.move_text} letters")
        async with self._room.lock:
            table = self._room.table
            if table.turn not in self._you:
                raise IllegalMove("it is not your turn" if self._you else "you are looking on")
            self._demand_ply(message)
            self._demand_turn()
            await self._room.move(table.read(text))

    def _demand_ply(self, message: Message) -> None:
        ply = message.get("ply")
        if not isinstance(ply, int) or isinstance(ply, bool) or ply != self._room.table.ply:
            raise IllegalMove("the game has gone on meanwhile")

    @property
    def _you(self) -> list[int]:
        return self._guest.viewer.you

    def _demand_turn(self) -> int:
        """The seat to move, which must be this client's and, where cards are hidden, shown to it."""
        table, viewer = self._room.table, self._guest.viewer
        if table.turn is None or table.turn not in viewer.you:
            raise IllegalMove("it is not your turn")
        if table.hidden and len(viewer.you) > 1 and viewer.revealed != table.ply:
            raise IllegalMove("take the screen first")
        return table.turn

    async def _preview(self, message: Message) -> None:
        self._demand_ply(message)
        touched = read_touches(message.get("touched"), self._settings)
        view = self._room.table.position.view(self._demand_turn())
        self._guest.send(preview(view, touched, self._guest.viewer.flip))

    async def _look(self, message: Message) -> None:
        self._guest.send(look(self._room.table, self._guest.viewer, self._read_ply(message)))

    def _read_ply(self, message: Message) -> int:
        ply = message.get("ply")
        if not isinstance(ply, int) or isinstance(ply, bool) or not 0 <= ply <= self._room.table.ply:
            raise IllegalMove("there is no such ply")
        return ply

    async def _reveal(self, message: Message) -> None:
        self._guest.viewer.revealed = self._room.table.ply
        self._guest.show()

    async def _flip(self, message: Message) -> None:
        self._guest.viewer.flip = message.get("flip") is True
        self._guest.show()

    # --- advice ---------------------------------------------------------------------------------------------------------

    async def _hint(self, message: Message) -> None:
        seat = self._demand_turn()
        table = self._room.table
        view = table.position.view(seat)

        def tell(answer: dict[str, Any]) -> Message:
            move = view.parse(answer["move"])
            line = [] if table.hidden else answer["line"]
            value = for_first(answer["value"], seat, len(table.seats))
            spoken = view.spoken_move(int(move))
            sequence = list(view.touches(int(move)))
            return {"type": "hint", "move": str(move), "touches": sequence, "value": value, "line": line, "spoken": spoken}

        self._think("hint", table.ply, tell)

    async def _advice(self, message: Message) -> None:
        ply = self._read_ply(message)
        table = self._room.table
        if table.outcome is None:
            raise IllegalMove("advice is for games that are over; ask for a hint")
        position = table.at(ply)
        if position.outcome() is not None:
            raise IllegalMove("the game was over there")
        if table.hidden and position.turn not in self._you:
            raise IllegalMove("advice would tell what another seat held")

        def tell(answer: dict[str, Any]) -> Message:
            line = [] if table.hidden else answer["line"]
            value = for_first(answer["value"], position.turn, len(table.seats))
            return {"type": "advice", "ply": ply, "move": answer["move"], "value": value, "line": line}

        self._think("advice", ply, tell)

    def _think(self, to: str, ply: int, tell: Callable[[dict[str, Any]], Message]) -> None:
        """Asks the game's best agent, one question at a time."""
        self._stop_thinking()
        table, guest = self._room.table, self._guest
        seat = table.at(ply).turn
        spec = default_analyst(table.position)
        key, seed = f"{table.id}/adviser", table.agent_seed(seat, "adviser")
        job = self._rooms.job(table, key, spec, seed, ply, self._settings.hint_seconds)
        ticket = guest.search = self._rooms.searches.ask(job, guest.client)

        async def answer() -> None:
            try:
                told = tell(await ticket.answer)
            except asyncio.CancelledError:
                told = refused(to, "stopped")
            except Exception as error:
                told = refused(to, refusal(error))
            if guest.search is ticket:
                guest.search = None
            guest.send(told)

        self._rooms.background(answer())

    def _stop_thinking(self) -> None:
        ticket: Ticket | None = self._guest.search
        if ticket is not None:
            self._guest.search = None
            self._rooms.searches.cancel(ticket)

    async def _cancel(self, message: Message) -> None:
        self._stop_thinking()

    # --- the course of the game -------------------------------------------------------------------------------------------

    async def _undo(self, message: Message) -> None:
        async with self._room.lock:
            table = self._room.table
            work = asyncio.to_thread(table.undo_to, self._you) if table.hidden else None
            await self._room.undo(table.undo_to(self._you) if work is None else await work)

    async def _redo(self, message: Message) -> None:
        async with self._room.lock:
            table = self._room.table
            if not table.undone or table.turn is None or not self._you or not set(table.humans) <= set(self._you):
                raise IllegalMove("there is no move to make again")
            await self._room.redo()

    def _demand_seat(self) -> int:
        """The seat for which this client speaks: the one to move if it is his."""
        table = self._room.table
        if not self._you:
            raise IllegalMove("you are looking on")
        if table.turn is None:
            raise IllegalMove("the game is over")
        return table.turn if table.turn in self._you else self._you[0]

    async def _resign(self, message: Message) -> None:
        async with self._room.lock:
            seat, table = self._demand_seat(), self._room.table
            await self._room.end(table.resigned(seat, f"{table.names[seat]} resigned"))

    async def _draw(self, message: Message) -> None:
        accept = message.get("accept")
        if not isinstance(accept, bool):
            raise InvalidText("accept is true or false")
        async with self._room.lock:
            seat, table = self._demand_seat(), self._room.table
            if table.humans != list(range(len(table.seats))) or len(table.seats) < 2:
                raise IllegalMove("agents agree to no draw")
            if not accept:
                if table.offer is None:
                    raise IllegalMove("nobody offers a draw")
                table.offer, table.accepted = None, set()
            else:
                table.offer = seat if table.offer is None else table.offer
                table.accepted |= set(self._you)
            if table.offer is not None and table.accepted >= set(table.humans):
                await self._room.end(Outcome(None, "agreed", (0.0,) * len(table.seats)))
            else:
                self._room.show()

    async def _rematch(self, message: Message) -> None:
        async with self._room.lock:
            table = self._room.table
            if table.outcome is None:
                raise IllegalMove("the game still runs")
            if not self._you and not (self._guest.viewer.owner and not table.humans):
                raise IllegalMove("you are looking on")
            if table.next is None:
                self._rooms.demand_slow(self._address)
            identity, tokens = await rematch(self._room, self._rooms)
            for guest in self._room.guests:
                token = next((tokens[seat] for seat in guest.viewer.you if seat in tokens), None)
                more = {str(seat): tokens[seat] for seat in guest.viewer.you if seat in tokens}
                guest.send({"type": "rematch", "table": identity, "token": token, "tokens": more})

    # --- agents -----------------------------------------------------------------------------------------------------------

    async def _now(self, message: Message) -> None:
        if not self._you and not self._guest.viewer.owner:
            raise IllegalMove("you are looking on")
        self._room.now()

    def _demand_owner(self) -> None:
        table = self._room.table
        if not self._guest.viewer.owner or any(seat.who == HUMAN for seat in table.seats):
            raise IllegalMove("only who set these agents to play can do that")

    async def _pause(self, message: Message) -> None:
        self._demand_owner()
        async with self._room.lock:
            self._room.table.paused = message.get("paused") is True
            self._room.changed()

    async def _pace(self, message: Message) -> None:
        self._demand_owner()
        seconds = message.get("seconds")
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not math.isfinite(seconds):
            raise InvalidText("seconds is a number")
        self._room.table.pace = min(max(0.0, float(seconds)), self._settings.most_pace)
        self._room.show()

    async def _step(self, message: Message) -> None:
        self._demand_owner()
        self._room.step()


def read(text: str) -> Message:
    """A message; InvalidText if it is none."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidText("a message is a JSON object") from None
    if not isinstance(message, dict):
        raise InvalidText("a message is a JSON object")
    return message


def _kind(message: Message) -> str:
    kind = message.get("type")
    return kind if isinstance(kind, str) and len(kind) <= 20 and kind.isascii() and kind.isprintable() else "message"


def read_touches(touched: Any, settings: Settings) -> list[str]:
    """The touches of a move under way."""
    if (
        not isinstance(touched, list)
        or len(touched) > settings.touches
        or not all(isinstance(touch, str) and len(touch) <= settings.touch_text for touch in touched)
    ):
        raise InvalidText(f"touched is a list of at most {settings.touches} short texts")
    return touched


__all__ = ["Flood", "Session", "read", "read_touches", "refused", "serve"]
