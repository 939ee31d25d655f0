"""External engines: programs in any language that play over JSON lines on stdin and stdout (docs/engines.md).

    > {"type": "hello", "protocol": 1, "protocols": [1, 2], "daedalus": "0.2.0"}
    < {"type": "hello", "name": "Theseus", "protocol": 2}
    > {"type": "move", "id": 1, "game": "blackhole", ..., "legal": ["b4-b3", "a5-d5"], "limit": {"seconds": 1.0}}
    < {"type": "info", "id": 1, "move": "b4-b3", "depth": 4, "value": 0.1}
    < {"type": "move", "id": 1, "move": "a5-d5", "value": 0.3}
    > {"type": "bye"}

The other way round, engine_server.py makes any agent such a program.
"""

import json
import os
import shlex
import shutil
import signal
import weakref
from dataclasses import dataclass, field
from typing import Any

from daedalus.core import Agent, EngineFailure, IllegalMove, Limit, Position, Thought, Watch
from daedalus.core.printable import printable

from .engine_dialogue import Dialogue
from .engine_messages import Fault, Silence
from .engine_process import EngineProcess


@dataclass
class Engine(Agent):
    """An external program that speaks JSON lines, started at the first move and afresh after a failure."""

    command: str
    grace: float = 0.5  # a reply may be so many seconds later than the limit, or than being told to stop
    patience: float = 60.0  # seconds for a reply when the limit sets none
    greeting: float = 10.0  # seconds for the first hello
    preparing: float = 600.0  # seconds to get ready for a game
    _dialogue: Dialogue | None = field(default=None, init=False, repr=False, compare=False)
    _goodbye: Any = field(default=None, init=False, repr=False, compare=False)

    def bind(self, game: Any) -> None:
        """Says at once when there is no such program."""
        try:
            _program(self.command)
        except Fault as fault:
            raise EngineFailure(self._epitaph(fault)) from None

    def prepare(self, game: Any) -> None:
        """Starts the program, exchanges hellos and lets it get ready for the game; raises EngineFailure."""
        try:
            (self._dialogue or self._start()).ready(game, self.preparing)
        except Fault as fault:
            raise EngineFailure(self._epitaph(fault)) from None
        except BaseException:
            self._kill()
            raise

    @property
    def pid(self) -> int | None:
        """The process that is thinking; None when none is."""
        return self._dialogue.child.pid if self._dialogue else None

    @property
    def about(self) -> dict[str, Any]:
        """Its hello; empty when it does not run."""
        return self._dialogue.about if self._dialogue else {}

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        """Asks the engine; anything but a legal move in time raises EngineFailure and leaves no process.

        `watch` sees what its infos tell. An engine of version 2 that is stopped answers with its own move; one of version
        1, or one that does not obey, is taken by its last info.
        """
        if not view.legal_moves:
            raise IllegalMove("the game is over, there is no move to choose")
        limit = limit or Limit()
        seconds = self.patience if limit.seconds is None else limit.seconds
        try:
            return (self._dialogue or self._start()).ask(view, limit, self.seed, seconds, self.grace, watch)
        except Fault as fault:
            raise EngineFailure(self._epitaph(fault)) from None
        except BaseException:
            self._kill()
            raise

    def close(self) -> None:
        """Says bye and ends the program."""
        if self._goodbye is not None:
            self._goodbye()
        self._dialogue = self._goodbye = None

    def _start(self) -> Dialogue:
        words = _program(self.command)
        try:
            child = EngineProcess(words)
        except OSError as error:
            raise Fault(f"cannot be started: {error.strerror}") from None
        self._dialogue, self._goodbye = Dialogue(child), weakref.finalize(self, _farewell, child)
        self._dialogue.hello(self.greeting)
        return self._dialogue

    def _epitaph(self, fault: Fault) -> str:
        """Ends the engine and tells why."""
        child = self._dialogue.child if self._dialogue else None
        code, reason = self._kill(), str(fault)
        if isinstance(fault, Silence) and code is not None and code != -signal.SIGKILL:
            reason = f"exited with code {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"
        words = f"; it last wrote: {child.last_words}" if child and child.last_words else ""
        return f"engine {printable(self.command, 200)}".rstrip() + f": {reason}{words}"

    def _kill(self) -> int | None:
        child = self._dialogue.child if self._dialogue else None
        self._dialogue = None
        if self._goodbye is not None:
            self._goodbye.detach()
        self._goodbye = None
        return child.stop() if child else None


def _farewell(child: EngineProcess) -> None:
    child.send(json.dumps({"type": "bye"}).encode())
    child.stop(grace=0.5)


def _program(command: str) -> list[str]:
    """The words of a command, its program found as a shell would find it (and also beside us)."""
    try:
        words = [os.path.expanduser(word) for word in shlex.split(command)]
    except ValueError as error:
        raise Fault(f"the command cannot be read: {str(error).lower()}") from None
    if not words or "\0" in command:
        raise Fault("name the program, as in engine:./mine --flag")
    found = shutil.which(words[0]) or shutil.which(os.path.join(".", words[0]))
    if found:
        return [found, *words[1:]]
    if os.path.isfile(words[0]):
        raise Fault(f"{words[0]} is not executable; chmod +x it, or name its interpreter, as in engine:python {words[0]}")
    raise Fault(f"there is no program {words[0]}")
