"""Talking to a running engine: hello, ready, and questions, whose answers may be watched, stopped, or come too late."""

import json
import os
import sys
import time
from functools import partial
from typing import Any

from daedalus import __version__
from daedalus.core import Limit, Position, Thought, Watch
from daedalus.core.printable import printable, visible, visible_values
from daedalus.core.registry import registration_of

from .engine_messages import MOST, PROTOCOLS, TOLD, Fault, Silence, brief, message, request, rules_of, text_in, thought_of
from .engine_process import EngineProcess

LOOK = 0.1  # seconds between two calls of a watch


class Dialogue:
    """What was said to one process and what it still owes us. Whatever it does wrong raises Fault."""

    def __init__(self, child: EngineProcess) -> None:
        self.child = child
        self.about: dict[str, Any] = {}
        self.version = 1
        self._asked = 0
        self._owed: set[int] = set()  # questions that were broken off: their replies may still come, and mean nothing
        self._busy_until = 0.0  # when the last of them is due
        self._ready_for: Any = None

    def hello(self, seconds: float) -> None:
        """Exchanges hellos and settles the version of the protocol."""
        self.say({"type": "hello", "protocol": PROTOCOLS[0], "protocols": PROTOCOLS, "daedalus": __version__})
        about = self._reply("hello", seconds, f"no hello within {seconds:g} s")
        if not isinstance(about.get("name"), str):
            raise Fault("its hello has no name")
        try:
            self.about = visible_values(about, partial(visible, most=MOST))
        except ValueError as error:
            raise Fault(f"its hello is no good: {error}") from None
        self.version = about.get("protocol", 1)
        if isinstance(self.version, bool) or self.version not in PROTOCOLS:
            raise Fault(f"speaks version {brief(self.version)} of the protocol; we speak {', '.join(map(str, PROTOCOLS))}")

    def ready(self, game: Any, seconds: float) -> None:
        """Lets an engine get ready for a game: what it compiles or loads now is on nobody's clock."""
        if self.version < 2 or self._ready_for == (type(game), game):
            return
        name = registration_of(game).name
        self._plays(name)
        self._asked += 1
        self.say({"type": "ready", "id": self._asked, **rules_of(game, name)})
        self._reply("ready", seconds, f"not ready within {seconds:g} s")
        self._ready_for = type(game), game

    def ask(self, view: Position, limit: Limit, seed: int, seconds: float, grace: float, watch: Watch | None = None) -> Thought:
        """The engine's move; `seconds` is how long it may think, `grace` how much later a reply may come."""
        self._plays(view.name)
        self._asked += 1
        self.say(request(self._asked, view if view.seat is not None else view.view(), limit, seed))
        begun = max(time.monotonic(), self._busy_until if self._owed else 0.0)
        return Question(self, view, self._asked, begun + seconds + grace, grace, watch).answer(f"no move within {seconds} s")

    def owes(self, number: int, until: float) -> None:
        """This question is broken off; its answer is due until then."""
        self._owed.add(number)
        self._busy_until = max(self._busy_until, until)

    def say(self, said: dict[str, Any]) -> None:
        line = json.dumps(said).encode()
        _trace(">", line)
        self.child.send(line)

    def hear(self, seconds: float) -> dict[str, Any] | None:
        """The next message that answers what we want to know; None when none comes in time.

        An error in place of an answer is raised. What belongs to a question that was broken off is passed over.
        """
        deadline = time.monotonic() + seconds
        while (line := self.child.receive(deadline - time.monotonic())) is not None:
            if not line:
                raise Silence("closed its input or output")
            _trace("<", line)
            if not line.strip():
                continue
            said = message(line)
            if self._is_late(said):
                continue
            if said["type"] == "error":
                raise Fault(f"says: {printable(text_in(said, 'message'), 300)}")
            return said
        return None

    def _is_late(self, said: dict[str, Any]) -> bool:
        """Does this belong to a question that was broken off? Without a number it does as long as one is open."""
        if not self._owed:
            return False
        number, kind = said.get("id"), said["type"]
        if number is None and kind in ("info", "error"):
            number = min(self._owed)
        if isinstance(number, bool) or not isinstance(number, int) or number not in self._owed:
            return False
        if kind != "info":
            self._owed.discard(number)
        return True

    def _reply(self, kind: str, seconds: float, late: str) -> dict[str, Any]:
        """The next message of a kind; only infos may come before it."""
        deadline = time.monotonic() + seconds
        while (said := self.hear(deadline - time.monotonic())) is not None:
            if said["type"] != "info":
                demand(said, kind)
                return said
        raise Silence(late)

    def _plays(self, name: str) -> None:
        games = self.about.get("games")
        if isinstance(games, list) and name not in games:
            raise Fault(f"plays {printable(', '.join(game for game in games if isinstance(game, str)), 200)}, not {name}")


class Question:
    """One request for a move until it is answered: shows what the engine says meanwhile, and stops it when told to."""

    def __init__(
        self, dialogue: Dialogue, view: Position, number: int, deadline: float, grace: float, watch: Watch | None
    ) -> None:
        self._dialogue, self._view, self._number = dialogue, view, number
        self._deadline, self._grace, self._watch = deadline, grace, watch
        self._due = deadline
        self._begun = time.perf_counter()
        self._look = time.monotonic() + LOOK
        self._info: dict[str, Any] = {}
        self._shown: Thought | None = None  # what the engine would answer now, as far as it has told
        self._stopped = False

    def answer(self, late: str) -> Thought:
        """The move as a thought; raises Silence with `late` when none comes."""
        while True:
            soon = min(self._deadline, self._look) if self._watch else self._deadline
            said = self._dialogue.hear(soon - time.monotonic())
            if said is not None and said["type"] != "info":
                return self._answered(said)
            if said is not None:
                self._info = {name: said[name] for name in (*TOLD, "move") if name in said}
            now = time.monotonic()
            if self._watch and now >= self._look:
                self._look = now + LOOK
                if self._is_told_to_stop(self._watch):
                    self._stop(now)
            if self._stopped and self._shown and (self._dialogue.version < 2 or now >= self._deadline):
                self._dialogue.owes(self._number, self._due)
                return self._shown
            if now >= self._deadline:
                raise Silence(f"no move within {self._grace:g} s of being told to stop" if self._stopped else late)

    def _answered(self, said: dict[str, Any]) -> Thought:
        demand(said, "move")
        if said.get("id") != self._number or isinstance(said["id"], bool):
            raise Fault(f"answered request {brief(said.get('id'))} when asked {self._number}")
        return thought_of(self._view, self._info | {"move": None} | said, time.perf_counter() - self._begun)

    def _is_told_to_stop(self, watch: Watch) -> bool:
        """Shows what the engine would answer now. One of version 1 cannot be stopped before it has told a move."""
        self._shown = self._last_told() or self._shown
        if self._shown is None and self._dialogue.version < 2:
            return False
        return watch(self._shown or Thought(self._view.legal_moves[0], note="the engine has told nothing yet")) is False

    def _last_told(self) -> Thought | None:
        """The last info as a thought; None if it names no legal move or is no good otherwise."""
        told = self._info
        if not told:
            return None
        try:
            first = next(iter(told.get("line") or ()), None)
            return thought_of(self._view, {"move": first} | told, time.perf_counter() - self._begun)
        except (Fault, TypeError):
            return None

    def _stop(self, now: float) -> None:
        self._watch, self._stopped = None, True
        if self._dialogue.version >= 2:
            self._dialogue.say({"type": "stop", "id": self._number})
            self._deadline = min(self._deadline, now + self._grace)


def demand(said: dict[str, Any], kind: str) -> None:
    """Raises Fault for a message of another kind than the one that is due."""
    if said["type"] != kind:
        raise Fault(f"sent {said['type']!r:.20} when a {kind} was due")


def _trace(arrow: str, line: bytes) -> None:
    if os.environ.get("DAEDALUS_ENGINE_TRACE"):
        print(arrow, visible(line.decode(errors="replace").rstrip()), file=sys.stderr, flush=True)
