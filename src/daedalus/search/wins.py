"""A win at hand: what no agent that judges moves may pass up for one that merely did well in samples."""

import time

import numpy as np

from daedalus.core import Candidate, Position, Thought
from daedalus.core.contract import offers

from .context import SearchContext

DEALS = 32  # of a hidden game in which a move has to win: what fails in one deal of ten passes once in thirty


def winning_moves(view: Position) -> list[int]:
    """The moves after which the game is over and won by the seat to move, whatever it cannot see."""
    deals = DEALS if offers(type(view.game), "redeal") else 1
    context = SearchContext(view, "daedalus.search.kernels.wins", 2, seed=len(view.history))
    moves = np.array(view.legal_moves.codes, np.int64)
    wins = np.zeros(moves.size, np.bool_)
    context.kernels.winning(context.game, context.S, context.W, moves, deals, wins)
    return [int(move) for move in moves[wins]]


def win_at_hand(view: Position) -> Thought | None:
    """The thought of who sees that a move wins at once; None if there is no such move."""
    begun = time.perf_counter()
    candidates = tuple(Candidate(view.move(code), 1.0, note="win in 1") for code in winning_moves(view))
    if not candidates:
        return None
    best = candidates[0]
    seconds = time.perf_counter() - begun
    return Thought(best.move, 1.0, candidates, (str(best.move),), depth=1, seconds=seconds, note=best.note)
