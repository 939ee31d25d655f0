"""Agents as a user might write them, well and badly behaved; for the tests of the arena."""

import contextlib
import os
import signal
import sys
import time
from typing import Any

SMALL = f"{os.path.join(os.path.dirname(__file__), 'games', 'small.py')}"
TICTACTOE = f"{SMALL}:TicTacToe"  # plain Python: nothing to compile
NIM = "games.small:Nim"  # compiled: by the name under which other tests know it, too
HIGHCARD = f"{os.path.join(os.path.dirname(__file__), 'highcard.py')}:HighCard"  # three seats, hidden cards


def spec(name: str, **options: Any) -> str:
    """The spec of an agent of this file."""
    return ",".join([f"{__file__}:{name}", *(f"{key}={value}" for key, value in options.items())])


class First:
    """Plays the first legal move."""

    def choose(self, view: Any, limit: Any) -> Any:
        return view.legal_moves[0]


class Dice:
    """Plays any move, by the seed of the game and by how often it was asked: it keeps state from move to move."""

    def __init__(self) -> None:
        self.asked, self.seed = 0, 0

    def new_game(self, seed: int) -> None:
        self.asked, self.seed = 0, seed

    def choose(self, view: Any, limit: Any) -> Any:
        self.asked += 1
        return view.legal_moves[(self.seed >> self.asked) % len(view.legal_moves)]


class Counter:
    """Plays move number 1, 2, 3 .. of the list as it is asked more often, and knows nothing of new games."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, view: Any, limit: Any) -> Any:
        self.asked += 1
        return view.legal_moves[self.asked % len(view.legal_moves)]


class Spy:
    """Insists on a view of its own seat from which the deal cannot be learnt, then plays the first move."""

    def choose(self, view: Any, limit: Any) -> Any:
        assert view.seat == view.turn and view.seed is None and view.setup is None
        return view.legal_moves[0]


class Listener:
    """Writes down every seed it is told, then plays the first move."""

    def __init__(self, file: str) -> None:
        self.file = file

    def new_game(self, seed: int) -> None:
        with open(self.file, "a") as file:
            print(seed, file=file)

    def choose(self, view: Any, limit: Any) -> Any:
        assert view.seed is None and view.setup is None
        return view.legal_moves[0]


class KeySeeker:
    """Writes down the key that deals the cards, if it finds it, then plays the first move."""

    def __init__(self, file: str) -> None:
        self.file = file

    def choose(self, view: Any, limit: Any) -> Any:
        if view.history:  # not while it is getting ready
            with open(self.file, "a") as file:
                print(os.environ.get("DAEDALUS_KEY", "nothing"), file=file)
        return view.legal_moves[0]


class Sleeper:
    """Answers, but takes its time."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def choose(self, view: Any, limit: Any) -> Any:
        if limit is not None and limit.seconds:  # not while it is getting ready
            time.sleep(self.seconds)
        return view.legal_moves[0]


class Noter:
    """Writes down the seconds it is given for each move, then plays the first."""

    def __init__(self, file: str) -> None:
        self.file = file

    def choose(self, view: Any, limit: Any) -> Any:
        with open(self.file, "a") as file:
            print(limit.seconds, limit.first, file=file)
        return view.legal_moves[0]


class Thinker:
    """Writes its process to a file and then thinks for a very long time."""

    def __init__(self, file: str) -> None:
        self.file = file

    def choose(self, view: Any, limit: Any) -> Any:
        if limit is not None and limit.seconds:
            with open(self.file, "a") as file:
                print(os.getpid(), file=file)
            time.sleep(600)
        return view.legal_moves[0]


class Hanger:
    """Never comes back, and shrugs off ordinary exceptions."""

    def choose(self, view: Any, limit: Any) -> Any:
        while limit is not None and limit.seconds:
            with contextlib.suppress(Exception):
                time.sleep(0.01)


class Illegal:
    """Plays a move that is none."""

    def choose(self, view: Any, limit: Any) -> Any:
        return "nonsense"


class Wrong:
    """Answers with something that is no move at all."""

    def choose(self, view: Any, limit: Any) -> Any:
        return object()


class Raiser:
    """Fails."""

    def choose(self, view: Any, limit: Any) -> Any:
        raise RuntimeError("my own fault\non two lines")


class Quitter:
    """Wants to end the whole program."""

    def choose(self, view: Any, limit: Any) -> Any:
        sys.exit(3)


class Killer:
    """Ends its process as a crash in compiled code would, once a game has begun."""

    def choose(self, view: Any, limit: Any) -> Any:
        if limit is not None and limit.seconds:
            os.kill(os.getpid(), signal.SIGKILL)
        return view.legal_moves[0]
