"""Our agents as engines over plain text, in the manner of UCI, the protocol of chess engines (docs/engines.md).

    > uci                                 < id name ... option ... uciok
    > isready                             < readyok
    > position startpos moves e2 e8
    > go movetime 1000                    < info depth 7 multipv 1 score value 0.12 nodes 52000 nps 52310 time 994 pv e3 e7
                                          < bestmove e3 ponder e7

One thread listens, so that stop, isready and quit are heard at any time; another does what was asked, in order.
"""

import threading
import time
from collections.abc import Callable
from functools import partial

from daedalus import __version__
from daedalus.core import Game, IllegalMove, InvalidText, Position, Thought
from daedalus.core.errors import valid
from daedalus.core.printable import printable, printable_error

from .engine_process import MAX_LINE
from .search_thread import Search, SearchThread, can_be_watched
from .uci_player import UciPlayer
from .uci_text import NO_MOVE, Go, bestmove, info_lines

COMMANDS = ("uci", "isready", "setoption", "ucinewgame", "position", "go", "stop", "ponderhit", "show", "d", "quit")


class UciServer:
    """Answers commands line by line. Whatever is wrong with one is said in an `info string`, and it changes nothing."""

    def __init__(self, game: Game, spec: str, write: Callable[[str], None]) -> None:
        self._write = write
        self._player = UciPlayer(game, spec)
        self._thread = SearchThread()
        self._search: Search | None = None  # the last one asked for
        self._lock = threading.Lock()
        self._meanwhile: list[Callable[[], None]] = []  # what was asked since that search was, and before it began

    def hear(self, line: str | bytes) -> bool:
        """Takes one line; False when it says quit."""
        try:
            command, rest = _command(line)
            if command == "quit":
                return False
            if command:
                self._obey(command, rest)
        except Exception as error:
            self._complain(error)
        return True

    def close(self, seconds: float | None = None) -> bool:
        """Stops thinking and answers what was asked; is that done within so many seconds?"""
        if self._search is not None:
            self._search.stop()
        self._thread.do(lambda: self._player.agent.close())
        return self._thread.end(seconds)

    def _obey(self, command: str, rest: str) -> None:
        if command == "stop":
            self._stop()
        elif command == "ponderhit":
            if self._is_thinking() and self._search is not None:
                self._search.hit()
        elif command in ("isready", "uci", "show", "d"):
            self._tell({"isready": self._say_ready, "uci": self._introduce}.get(command, self._show))
        elif command in ("setoption", "position", "ucinewgame", "go"):
            if self._is_thinking():
                raise IllegalMove(f"{command}: the engine is thinking; send stop first")
            self._begin(command, rest)
        else:
            raise InvalidText(valid("command", command, COMMANDS))

    def _begin(self, command: str, rest: str) -> None:
        """What needs a quiet engine."""
        if command == "go":
            self._go(rest)
        elif command == "setoption":
            self._do(lambda: self._player.set_option(rest))
        elif command == "position":
            self._do(lambda: self._place(rest))
        else:
            self._do(self._player.new_game)

    # --- the thread that listens ------------------------------------------------------------------------------------

    def _is_thinking(self) -> bool:
        """Is there a search that nobody has stopped?"""
        search = self._search
        return search is not None and not search.finished and not search.stopped

    def _stop(self) -> None:
        if self._is_thinking() and self._search is not None:  # else it crossed the answer on the way
            self._search.stop()
            if not can_be_watched(self._player.agent):
                self._comment("this agent cannot be stopped: its answer comes when it has one")

    def _tell(self, job: Callable[[], None]) -> None:
        """Answers a question in its turn, but while a search goes on at once."""
        with self._lock:
            if self._search is None or not self._is_thinking():
                self._do(job)
                return
            if not self._search.begun:
                self._meanwhile.append(job)
                return
        self._safely(job)

    def _go(self, rest: str) -> None:
        go = Go.parse(rest)
        if go.ponder and self._player.hides:
            raise IllegalMove("go ponder: where cards are hidden nobody knows the position to ponder on")
        search = Search(infinite=go.infinite, ponder=go.ponder)
        with self._lock:
            self._do(partial(self._think, go, search))
            self._search = search

    def _do(self, job: Callable[[], None]) -> None:
        if not self._thread.do(partial(self._safely, job)):
            raise IllegalMove("too many commands wait")

    def _safely(self, job: Callable[[], None]) -> None:
        try:
            job()
        except Exception as error:
            self._complain(error)

    def _complain(self, error: Exception) -> None:
        said = printable_error(error)
        self._comment(said if isinstance(error, ValueError) and said else f"{type(error).__name__}: {said}")

    def _comment(self, text: str) -> None:
        self._write(f"info string {printable(text)}")

    # --- the thread that works --------------------------------------------------------------------------------------

    def _introduce(self) -> None:
        self._write(f"id name {printable(f'Daedalus {__version__} {self._player.name} {self._player.spec}')}")
        self._write("id author the Daedalus project")
        for option in self._player.options():
            self._write(str(option))
        self._write("uciok")

    def _show(self) -> None:
        for line in self._player.picture():
            self._write(line)

    def _place(self, said: str) -> None:
        dealt = self._player.set_position(said)
        if dealt is not None:
            self._comment(f"dealt: position text {dealt}")

    def _say_ready(self) -> None:
        try:
            self._player.prepare()
        finally:  # whoever asked waits for it; why it cannot play is said
            self._write("readyok")

    def _begin_thinking(self, search: Search) -> None:
        """Gets ready, if nobody asked for that before, and answers those who have asked something meanwhile."""
        try:
            self._player.prepare()
        finally:
            with self._lock:
                search.begun, waiting = True, []
                if search is self._search:
                    waiting, self._meanwhile = self._meanwhile, []
            for job in waiting:
                self._safely(job)

    def _think(self, go: Go, search: Search) -> None:
        try:
            self._begin_thinking(search)
            view = self._player.view()
            search.limit = go.limit(view.turn, self._player.overhead)
            answer = bestmove(view, self._searched(view, search))
        except Exception as error:
            self._complain(error)
            answer = f"bestmove {NO_MOVE}"
        search.finished = True  # before whoever reads the answer can send the next command
        self._write(answer)

    def _searched(self, view: Position, search: Search) -> Thought:
        begun = time.perf_counter()

        def report(thought: Thought) -> None:
            for line in info_lines(thought, time.perf_counter() - begun, self._player.multipv):
                self._write(line)

        outcome = view.outcome()
        if outcome is not None:
            raise IllegalMove(f"the game is over ({outcome.reason})")
        thought = search.think(self._player.agent, view, report)
        report(thought)
        search.wait()
        return thought


def _command(line: str | bytes) -> tuple[str, str]:
    """The first word of a line and the rest of it."""
    if len(line) > MAX_LINE:
        raise InvalidText(f"a line of more than {MAX_LINE // 1_000_000} MB")
    if isinstance(line, bytes):
        try:
            line = line.decode()
        except UnicodeDecodeError:
            raise InvalidText("a line that is not UTF-8") from None
    command, *rest = line.split(maxsplit=1)[:2] or [""]
    return command, "".join(rest).strip()
