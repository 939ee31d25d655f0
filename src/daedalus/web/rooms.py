"""Rooms: tables that somebody is at, with their sockets, their agents at work, their clocks; and all of them by id."""

import asyncio
import contextlib
import logging
import pickle
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from daedalus.core import DaedalusError, Limit, Move, Outcome, Position
from daedalus.core.registry import registration_of

from .catalogue import Catalogue, refusal
from .search_worker import Job
from .searches import Busy, Searches, Ticket
from .settings import Settings
from .states import NOTHING, Viewer, eyes, is_yours, offered, shown, state, story
from .store import SavedMove, StoreFailed, TableStore, Taken
from .tables import AGENT, Table, ended_as, restored

log = logging.getLogger("daedalus.web")
T = TypeVar("T")
_NOTICE = 0.7  # seconds of preparation before a page is told
_MINUTE = 60.0
_AFTER = 0.05  # seconds after which a flag has surely fallen
_FEW = 4  # moves that are told at once
_SHOW: dict[str, Any] = {"type": "show"}  # in a guest's line: the state, as it is when its turn comes


class TooMany(DaedalusError):
    """More was asked for than a client or the server may have."""


class Effort:
    """So many seconds of drawing a second for one address, and some at once; who has used them up waits."""

    def __init__(self, share: float, burst: float) -> None:
        self._share, self._burst = share, burst
        self._left, self._then = burst, time.monotonic()

    def wait(self, cost: float) -> float:
        """Charges what was done; the seconds until more may be asked for."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._then) * self._share) - cost
        self._then = now
        return max(0.0, -self._left / self._share)

    @property
    def rested(self) -> bool:
        return self.wait(0.0) == 0.0 and self._left >= self._burst


class Guest:
    """A socket at a table, as its room knows it."""

    def __init__(self, viewer: Viewer, client: str, most: int) -> None:
        self.viewer, self.client = viewer, client
        self.outgoing: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(most)
        self.search: Ticket | None = None
        self._due = False  # a state is the last in line
        self.cost = 0.0  # seconds that the last state took to make

    def show(self) -> None:
        """Puts the state in line, unless it is the last there: whoever reads slowly gets the newest one only."""
        if not self._due:
            self.send(_SHOW)

    async def next(self, state: Callable[[Viewer], dict[str, Any]]) -> dict[str, Any] | None:
        """The next message; a state is made now, by `state`. None is the end."""
        message = await self.outgoing.get()
        if message is not _SHOW:
            return message
        self._due = self._due and not self.outgoing.empty()
        began = time.perf_counter()
        try:
            made = state(self.viewer)
            self.cost = time.perf_counter() - began
            return made
        except Exception as error:  # of a game that we may not know
            log.warning("no state", extra={"reason": refusal(error)})
            return {"type": "refused", "to": "state", "reason": f"this position cannot be shown: {refusal(error)}"}

    def send(self, message: dict[str, Any]) -> None:
        """Puts a message in line; a client that does not read is let go, and will come back for the present state."""
        self._due = message is _SHOW
        try:
            self.outgoing.put_nowait(message)
        except asyncio.QueueFull:
            self.leave()

    def leave(self) -> None:
        """Ends the line; where it is full the oldest message makes room for the end."""
        if self.outgoing.full():
            self.outgoing.get_nowait()
        self.outgoing.put_nowait(None)


class Room:
    """A table with those who are there."""

    def __init__(self, table: Table, rooms: "Rooms") -> None:
        self.table, self._rooms = table, rooms
        self.lock = asyncio.Lock()
        self.guests: list[Guest] = []
        self.rematch_tokens: dict[int, str] = {}
        self.idle_since = time.monotonic()
        self.coming = 0  # sockets that are here or about to be
        self._told: dict[int, list[dict[str, Any]]] = {}
        self._course = 0  # how often moves have been taken back
        self._views: dict[int, Position] = {}  # the latest that were made
        self._shown: dict[Any, dict[str, Any]] = {}  # of the present position
        self._alike = not table.hidden and registration_of(table.position.game).trusted
        self._turn: asyncio.Task[None] | None = None
        self._ticket: Ticket | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._failures = 0
        self._steps = 0
        self.closed = False

    # --- guests -------------------------------------------------------------------------------------------------------

    def enter(self, guest: Guest) -> None:
        self.guests.append(guest)
        self.show()
        self.go_on()

    def exit(self, guest: Guest) -> None:
        if guest in self.guests:
            self.guests.remove(guest)
        if guest.search is not None:
            self._rooms.searches.cancel(guest.search)
        self.idle_since = time.monotonic()
        self.show()

    @property
    def watchers(self) -> int:
        """How many look on."""
        return sum(not guest.viewer.you for guest in self.guests)

    @property
    def idle(self) -> bool:
        return not self.coming and self._turn is None and self.table.clock_runs is None and not self.lock.locked()

    def show(self) -> None:
        """State to everybody."""
        for guest in self.guests:
            guest.show()

    def tell(self, message: dict[str, Any]) -> None:
        for guest in self.guests:
            guest.send(message)

    def state_for(self, viewer: Viewer) -> dict[str, Any]:
        """State for a viewer; what others with the same eyes have been shown is not made again."""
        table, seat = self.table, self._eyes(viewer)
        told = self._told[seat] = story(table.position, seat, self._told.get(seat, []), self._views.get(seat))
        seen = self._made_once((seat, viewer.flip), lambda: shown(self._view(seat), viewer.flip))
        offers = self._made_once(seat, lambda: offered(self._view(seat))) if is_yours(table, viewer) else NOTHING
        return state(table, viewer, seen | offers, told, self._facts())

    def _eyes(self, viewer: Viewer) -> int:
        """Through whose eyes a viewer is shown the table; where nothing is hidden, our own games look the same to all."""
        return 0 if self._alike else eyes(self.table, viewer)

    def _made_once(self, name: Any, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        if name not in self._shown:
            self._shown[name] = make()
        return self._shown[name]

    def _view(self, seat: int) -> Position:
        view = self._views.get(seat)
        if view is None or len(view.history) != self.table.ply:
            view = self._views[seat] = self.table.position.view(seat)
        return view

    async def recall(self, viewer: Viewer) -> None:
        """Tells the moves of a long game in a thread, so that others need not wait for it."""
        position, seat, course = self.table.position.copy(), self._eyes(viewer), self._course
        known = self._told.get(seat, [])
        if len(position.history) - len(known) > _FEW:
            told = await asyncio.to_thread(story, position, seat, known, None)
            if self._course == course and len(self._told.get(seat, [])) < len(told):
                self._told[seat] = told

    def _facts(self) -> dict[str, Any]:
        return {
            "title": self._rooms.catalogue.title(self.table.game_id),
            "seats": self.seats(),
            "thinking": self.table.turn if self._ticket is not None else None,
        }

    def seats(self) -> list[dict[str, Any]]:
        table = self.table
        present = {seat for guest in self.guests for seat in guest.viewer.you}
        left = table.clocks_left()
        return [
            {
                "name": name,
                "who": seat.who if seat.who == AGENT or seat.holders or number in present else "open",
                "label": seat.label or seat.who,
                "connected": seat.who == AGENT or number in present,
                "clock": None if left is None else max(0.0, round(left[number], 2)),
            }
            for number, (name, seat) in enumerate(zip(table.names, table.seats, strict=True))
        ]

    # --- changes: committed, then made, then told -----------------------------------------------------------------------

    async def move(self, move: Move, value: float | None = None) -> None:
        """Makes a move; the caller holds the lock."""
        table = self.table
        if table.flag_fell():
            await self.flag()
            return
        after = table.after(move)
        ended = after.outcome()
        if ended is None and table.ply + 1 >= self._rooms.settings.plies:
            ended = Outcome(None, "the game is too long", (0.0,) * len(table.seats))
        await self._commit([table.saved_move(move, value)], after, ended)
        table.make(after, value)
        if ended is not None and after.outcome() is None:
            table.end(ended)
        self.changed()

    async def _commit(self, moves: Sequence[SavedMove], after: Position, ended: Outcome | None) -> None:
        table, add = self.table, self._rooms.store.add_moves
        try:
            await self._rooms.run(add, table.id, table.ply, moves, ended_as(ended), None if ended else after.turn)
        except Taken:
            await self.reload()
            raise

    async def reload(self) -> None:
        """Another server has moved on: its table is the true one."""
        saved = await self._rooms.run(self._rooms.store.load, self.table.id)
        if saved is not None:
            self.table = await asyncio.to_thread(restored, saved, self._rooms.catalogue)
            self._forget(0)
            self.changed()

    async def renew(self) -> None:
        async with self.lock:
            with contextlib.suppress(StoreFailed):
                await self.reload()

    def _forget(self, ply: int) -> None:
        """What was told of the moves from this one on holds no more."""
        self._told, self._views = {seat: told[:ply] for seat, told in self._told.items()}, {}
        self._course += 1

    async def undo(self, ply: int) -> None:
        await self._rooms.run(self._rooms.store.take_back, self.table.id, ply, self.table.at(ply).turn)
        self.table.undo(ply)
        self._forget(ply)
        self.changed()

    async def redo(self) -> None:
        table = self.table
        steps = table.redoable()
        moves = [table.saved_move(after.history[-1], value) for after, value in steps]
        await self._commit(moves, steps[-1][0], steps[-1][0].outcome())
        table.redo(steps)
        self.changed()

    async def end(self, outcome: Outcome) -> None:
        await self._rooms.run(self._rooms.store.end, self.table.id, ended_as(outcome))
        self.table.end(outcome)
        self.changed()

    async def flag(self) -> None:
        """Ends the game if the time of the seat to move is up; the caller holds the lock."""
        seat = self.table.turn
        if seat is not None and self.table.flag_fell():
            await self.end(self.table.resigned(seat, f"{self.table.names[seat]} has no time left"))

    def changed(self) -> None:
        """Whatever was under way for the position before is over; shows the new one."""
        self._shown = {}
        self.drop_turn()
        for guest in self.guests:
            if guest.search is not None:
                self._rooms.searches.cancel(guest.search)
                guest.search = None
        self.go_on()
        self.show()

    # --- agents and clocks ----------------------------------------------------------------------------------------------

    def drop_turn(self) -> None:
        """Ends the agent's search for a position that is gone."""
        if self._ticket is not None:
            self._rooms.searches.cancel(self._ticket)
            self._ticket = None
        if self._turn is not None and self._turn is not asyncio.current_task():
            self._turn.cancel()
        self._turn = None

    def go_on(self) -> None:
        """Starts the flag's timer and, if it is an agent's turn, the agent."""
        self.watch_clock()
        if self._turn is None and self.table.agent_to_move and self._may_think() and not self.closed:
            self._turn = asyncio.get_running_loop().create_task(self._agent_turn())

    def watch_clock(self) -> None:
        """Lets the clock of the seat to move run, and a timer until its flag falls, whether anybody is here or not."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        table = self.table
        table.run_clock()
        runs = table.clock_runs
        if runs is not None and table.clocks is not None and not self.closed:
            left = max(0.0, table.clocks.left(runs))
            self._flag = asyncio.get_running_loop().call_later(left + _AFTER, self._flag_due)

    def _may_think(self) -> bool:
        """Agents alone play only while somebody looks on and has not paused them."""
        if self.table.humans:
            return True
        return bool(self.guests) and (not self.table.paused or self._steps > 0)

    def _flag_due(self) -> None:
        async def check() -> None:
            async with self.lock:
                try:
                    await self.flag()
                except StoreFailed as error:
                    log.warning("flag not kept", extra={"table": self.table.id[:6], "reason": refusal(error)})
                    await asyncio.sleep(self._rooms.settings.again_seconds)
                if self.table.turn is not None and not self.closed:
                    self.go_on()

        self._rooms.background(check())

    def step(self) -> None:
        """One move of agents that are paused."""
        self._steps = 1
        self.go_on()

    def now(self) -> None:
        """The agent shall move now."""
        if self._ticket is not None:
            self._rooms.searches.stop(self._ticket)

    async def _agent_turn(self) -> None:
        table, ply, seat = self.table, self.table.ply, self.table.position.turn
        began = time.monotonic()
        try:
            answer = await self._thought(seat)
            pause = began + self._pause() - time.monotonic()
            if pause > 0:
                await asyncio.sleep(pause)
            async with self.lock:
                if self.table is not table or table.ply != ply or table.turn != seat:
                    return
                self._ticket, self._failures, self._steps = None, 0, 0
                move = table.position.view().parse(answer["move"])
                self._turn = None
                await self.move(move, for_first(answer["value"], seat, len(table.seats)))
        except asyncio.CancelledError:
            raise
        except Exception as error:  # of an agent or a worker; the table goes on
            await self._agent_failed(table, ply, seat, error)

    def _pause(self) -> float:
        table = self.table
        if table.pace is not None:
            return table.pace if self._steps == 0 else 0.0
        return 0.0 if table.humans else self._rooms.settings.pace_seconds

    async def _thought(self, seat: int) -> dict[str, Any]:
        table = self.table
        spec = table.seats[seat].spec or "random"
        job = self._rooms.job(table, f"{table.id}/{seat}", spec, table.agent_seed(seat), table.ply)
        self._ticket = self._rooms.searches.ask(
            job, f"table {table.id}", lambda what, content: self._heard(seat, what, content)
        )
        self.show()
        answer: dict[str, Any] = await self._ticket.answer
        return answer

    async def _agent_failed(self, table: Table, ply: int, seat: int, error: Exception) -> None:
        self._ticket = self._turn = None
        log.warning("agent failed", extra={"table": table.id[:6], "reason": refusal(error)})
        if self.table is not table or table.ply != ply or table.turn != seat or self.closed:
            return
        name = table.names[seat]
        if isinstance(error, (Busy, StoreFailed)):  # no fault of the agent
            self.tell({"type": "refused", "to": "agent", "reason": f"{name} must wait: {refusal(error)}"})
            await asyncio.sleep(self._rooms.settings.again_seconds)
            self.go_on()
            return
        self._failures += 1
        if self._failures < 3:
            self.tell({"type": "refused", "to": "agent", "reason": f"{name} could not answer and tries again"})
            await asyncio.sleep(0.5 * self._failures)
            self.go_on()
            return
        async with self.lock:
            await self.end(table.resigned(seat, f"{name} could not answer"))

    def _heard(self, seat: int, what: str, content: Any) -> None:
        if what == "thought":
            thought: dict[str, Any] = {"type": "thought", "seat": seat}
            if not self.table.hidden:
                value = for_first(content["value"], seat, len(self.table.seats))
                thought |= {name: content[name] for name in ("depth", "line", "simulations")} | {"value": value}
            self.tell(thought)
        elif what == "preparing":
            ticket = self._ticket
            asyncio.get_running_loop().call_later(_NOTICE, self._notice, ticket)
        elif what == "ready" and self._ticket is not None:
            self._ticket.prepared = True

    def _notice(self, ticket: Ticket | None) -> None:
        if ticket is not None and ticket is self._ticket and not ticket.prepared:
            title = self._rooms.catalogue.title(self.table.game_id)
            self.tell({"type": "compiling", "what": f"{title} is being prepared for the first time on this machine"})

    def close(self) -> None:
        """The server ends, or nobody has been here for long."""
        self.closed = True
        self.drop_turn()
        if self._flag is not None:
            self._flag.cancel()
        for guest in self.guests:
            guest.leave()


def for_first(value: float | None, seat: int, seats: int) -> float | None:
    """A value of a seat as one for seat 0; unknown where more than two play."""
    if value is None or seat == 0:
        return value
    return -value if seats == 2 else None


class Rooms:
    """The tables in memory; others are loaded from the store when somebody comes."""

    def __init__(self, settings: Settings, store: TableStore, catalogue: Catalogue, searches: Searches) -> None:
        self.settings, self.store, self.catalogue, self.searches = settings, store, catalogue, searches
        self._rooms: dict[str, Room] = {}
        self._loading = asyncio.Lock()
        self._disk = ThreadPoolExecutor(1, "store")  # one at a time: SQLite has one writer
        self._tasks: set[asyncio.Task[Any]] = set()
        self._made: dict[str, deque[float]] = {}
        self._efforts: dict[str, Effort] = {}

    def effort(self, address: str) -> Effort:
        """What an address may still ask to be drawn."""
        found = self._efforts.get(address)
        if found is None:
            self._efforts = {who: effort for who, effort in self._efforts.items() if not effort.rested}
            found = self._efforts[address] = Effort(self.settings.effort, self.settings.effort_burst)
        return found

    def demand_slow(self, address: str) -> None:
        """Refuses who makes tables too fast."""
        now = time.monotonic()
        self._made = {who: made for who, made in self._made.items() if now - made[-1] < _MINUTE}
        made = self._made.setdefault(address, deque(maxlen=self.settings.tables_a_minute))
        if len(made) == made.maxlen and now - made[0] < _MINUTE:
            raise TooMany("too many new tables; wait a minute")
        made.append(now)

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """A method of the store, away from the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._disk, function, *arguments)

    def background(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def room(self, identity: str) -> Room | None:
        """The room of a table, None if there is no such table."""
        found = self._rooms.get(identity)
        if found is not None:
            return found
        async with self._loading:
            found = self._rooms.get(identity)
            if found is not None:
                return found
            saved = await self.run(self.store.load, identity)
            if saved is None:
                return None
            try:
                table = await asyncio.to_thread(restored, saved, self.catalogue)
            except Exception as error:  # of a game that we may not know, or that was changed meanwhile
                raise DaedalusError(refusal(error)) from error
            return self.add(table)

    def add(self, table: Table) -> Room:
        if len(self._rooms) >= self.settings.in_memory:
            self.tidy(0.0)
        if len(self._rooms) >= self.settings.in_memory:
            raise TooMany("too many tables are in use; try again later")
        room = self._rooms[table.id] = Room(table, self)
        room.watch_clock()
        return room

    def changed_elsewhere(self, identity: str | None) -> None:
        """Another server has changed a table, or, if None, may have changed any: what is in memory is made anew."""
        for room in list(self._rooms.values()) if identity is None else filter(None, [self._rooms.get(identity)]):
            self.background(room.renew())

    def tidy(self, seconds: float | None = None) -> None:
        """Lets tables go that nobody has been at for a while."""
        patience = self.settings.idle_seconds if seconds is None else seconds
        now = time.monotonic()
        for identity, room in list(self._rooms.items()):
            if room.idle and now - room.idle_since >= patience:
                room.close()
                del self._rooms[identity]

    def __len__(self) -> int:
        return len(self._rooms)

    def job(self, table: Table, key: str, spec: str, seed: int, ply: int, seconds: float | None = None) -> Job:
        """A search for the seat to move after `ply` moves, within what clocks and settings allow."""
        position = table.position if ply == table.ply else table.at(ply)
        limit = Limit(seconds=seconds or self.limit_of(spec))
        if seconds is None and table.clocks is not None and table.clock_runs == position.turn:
            limit = limit & table.clocks.limit(position.turn)
        view = pickle.dumps(position.view())
        return Job(key, spec, seed, view, limit, table.hidden, self.settings.thoughts_a_second)

    def limit_of(self, spec: str) -> float:
        """Seconds: those that a spec names itself count, up to the most that is allowed."""
        return self.settings.most_seconds if "seconds=" in spec else self.settings.think_seconds

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()
        for task in list(self._tasks):
            task.cancel()
        self._disk.shutdown(wait=True)
