"""A game played in a notebook: people touch the board, agents think in a thread, watched and stoppable. Knows no widget."""

import threading
import time
from collections.abc import Sequence
from typing import Any

from daedalus.agents import make_agent
from daedalus.agents.levels import levels
from daedalus.core import ONLOOKER, Agent, DaedalusError, Limit, Move, Position, Record, Thought
from daedalus.core.grid import seat_names
from daedalus.core.hidden import hides
from daedalus.web.states import preview, story, touches

from .scenes import Message, Scene, shown

HUMAN = "human"
_TELLING = 0.2  # seconds between two thoughts that are shown


class Game(Scene):
    """A position, who sits at it, and the thread in which agents think. Each pair of eyes gets its own view."""

    def __init__(self, position: Position, seats: Sequence[str | Agent], limit: Limit | None, flip: bool | None) -> None:
        super().__init__()
        self.position, self.limit = position.copy(), limit
        self.agents = _seated(position, seats)
        self.humans = [seat for seat, agent in enumerate(self.agents) if agent is None]
        self.hidden = hides(position.game)
        if self.hidden and len(self.humans) > 1:
            raise DaedalusError("cards are hidden in this game, and a notebook has one screen: seat one human at most")
        self.flip = self.humans == [1] if flip is None else flip
        self.fault = ""
        self._moves: list[Message] = []
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._now = self._closed = False

    @property
    def _eyes(self) -> int | None:
        """Through whose eyes the board is seen: with hidden cards the human's, or those of who looks on."""
        return None if not self.hidden else self.humans[0] if self.humans else ONLOOKER

    @property
    def _running(self) -> bool:
        return self.position.outcome() is None and not self._closed and not self.fault

    @property
    def _theirs(self) -> Agent | None:
        """The agent that is to move, if one is."""
        return self.agents[self.position.turn] if self._running else None

    # --- what is shown ---

    def state(self) -> Message:
        with self._lock:
            position = self.position
            state = shown(position, self._eyes, self.flip)
            self._moves = story(position, position.turn if self._eyes is None else self._eyes, self._moves, None)
            state["moves"] = self._moves
            if self._theirs is not None:
                state["thinking"] = position.turn
            elif self._running:
                state["next"] = touches(position.view(), ())
            state["status"] = self._status(state["status"])
            return state

    def _status(self, said: str) -> str:
        if self.position.outcome() is None and (self.fault or self._closed):
            return self.fault or "Stopped"
        own = self._running and self.humans == [self.position.turn]
        return f"{said}: your turn" if own else said

    # --- what people do ---

    def hear(self, message: Message) -> Message | None:
        kind, ply, made = message.get("type"), message.get("ply"), message.get("move") or message.get("touched")
        if kind == "now":
            self._now = True
        elif kind in ("move", "preview") and made:
            try:
                if kind == "preview":
                    return self._touched(made) if isinstance(made, list) else None
                self._moved(str(made), ply)
            except DaedalusError as error:
                return {"type": "refused", "reason": str(error)}
        return None

    def _touched(self, made: Sequence[str]) -> Message:
        with self._lock:
            self._demand_turn()
            return preview(self.position.view(), [str(touch) for touch in made], self.flip)

    def _moved(self, move: str, ply: int | None) -> None:
        with self._lock:
            if ply == len(self.position.history):  # a second click on the same move is nothing new
                self.move(move)

    def move(self, move: str | int) -> None:
        """Makes a move for the human whose turn it is."""
        with self._lock:
            self._demand_turn()
            self.position.push(move)
        self._tell_state()
        self.go_on()

    def _demand_turn(self) -> None:
        if not self._running:
            raise DaedalusError("the game is over" if self.position.outcome() else "the game was stopped")
        if self._theirs is not None:
            raise DaedalusError("it is not your turn")

    # --- what agents do ---

    def go_on(self) -> None:
        """Lets agents think, if it is their turn and none does."""
        with self._lock:
            if self._theirs is not None and (self._thread is None or not self._thread.is_alive()):
                self._thread = threading.Thread(target=self._think, daemon=True)
                self._thread.start()

    def wait(self) -> None:
        """Waits until it is a human's turn or the game is over."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def close(self) -> None:
        """Stops: nobody thinks or moves any more."""
        self._closed = True
        self.wait()
        for agent in self.agents:
            if agent is not None:
                agent.close()
        self._tell_state()

    def _think(self) -> None:
        """Plays the agents' moves until it is a human's turn; a fault of an agent is told, not thrown into nowhere."""
        while (agent := self._theirs) is not None:
            self._now = False
            try:
                thought = agent.choose(self.position.view(), self.limit, watch=self._watcher())
                with self._lock:
                    if not self._closed:
                        self.position.push(thought.move)
            except Exception as error:
                self.fault = f"{seat_names(self.position.game)[self.position.turn]} cannot move: {error}"
            self.tell({"type": "thought", "thought": None})
            with self._lock:  # who moves next may do so from here on, so nothing is told of the game after that
                self._tell_state()
                if self._theirs is None:
                    self._thread = None
                    return

    def _watcher(self) -> Any:
        """A watch that shows thoughts now and then, and stops the search when it is told to."""
        told = 0.0

        def watch(thought: Thought) -> bool:
            nonlocal told
            if time.monotonic() - told >= _TELLING:
                told = time.monotonic()
                self.tell({"type": "thought", "thought": self._thought(thought)})
            return not (self._now or self._closed)

        return watch

    def _thought(self, thought: Thought) -> Message:
        """A thought for the page; of one that knows cards which the human does not, only how far it is."""
        if self.hidden:
            return {"depth": thought.depth}
        return {
            "depth": thought.depth,
            "value": thought.value,
            "line": list(thought.line),
            "move": str(thought.move),
            "touches": list(self.position.touches(thought.move)),
        }

    def _tell_state(self) -> None:
        self.tell({"type": "state", **self.state()})

    # --- what is left of it ---

    @property
    def record(self) -> Record:
        """The game so far."""
        players = [agent.spec if agent else HUMAN for agent in self.agents]
        return Record.from_position(self.position, players, self.limit)

    @property
    def moves(self) -> list[Move]:
        """The moves made so far."""
        return list(self.position.history)


def _seated(position: Position, seats: Sequence[str | Agent]) -> list[Agent | None]:
    """The agents in their seats, None where a human sits; levels are understood."""
    if isinstance(seats, str):
        raise DaedalusError(f'seats are a list, as ["human", "{seats}"]')
    if len(seats) != position.game.SEATS:
        raise DaedalusError(f"{position.name} has {position.game.SEATS} seats, not {len(seats)}")
    known = levels(position.game)
    return [
        None if who == HUMAN else make_agent(known.get(who, who), position.game, seat) if isinstance(who, str) else who
        for seat, who in enumerate(seats)
    ]
