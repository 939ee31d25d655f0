"""One interpreted random game: shows that the methods of a game work together, before anything is compiled."""

import inspect
import traceback
from typing import Any

import numpy as np

from .errors import DaedalusError, InvalidGame
from .kernels import transitions
from .memory import states, workspaces


def smoke(game: Any, plies: int = 60) -> None:
    """One interpreted random game: the quickest way to find a misspelt field. Raises InvalidGame with one sentence."""
    S, W = states(game, 1), workspaces(game, 1, seed=7)
    payoffs = np.zeros(game.SEATS)
    try:
        transitions.opening(game, S, W)
        for _ in range(plies):
            turn, over, n, _ = transitions.survey(game, S, W, payoffs)
            if not 0 <= turn < game.SEATS:
                raise InvalidGame(f"{type(game).__name__}: turn gives seat {turn}, there are {game.SEATS}")
            if over:
                break
            if not 1 <= n <= game.MAX_MOVES:
                raise InvalidGame(f"{type(game).__name__}: moves gives {n}; a running game has 1 to MAX_MOVES={game.MAX_MOVES}")
            with np.errstate(over="ignore"):
                transitions.play(game, S, int(game.random_move(S[0], W[0])))
    except DaedalusError:
        raise
    except Exception as fault:
        raise InvalidGame(f"{type(game).__name__}: {blame(type(game), fault)}") from None


def blame(rules: type, fault: BaseException) -> str:
    """An exception inside a game's method as one sentence: which method, which line, what."""
    source = inspect.getfile(rules)
    frames = [frame for frame in traceback.extract_tb(fault.__traceback__) if frame.filename == source]
    where = f"{frames[-1].name}, line {frames[-1].lineno}: " if frames else ""
    return f"{where}{type(fault).__name__}: {fault}"
