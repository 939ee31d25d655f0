"""Memory that kernels work on: arrays of states and of workspaces, sized for one game with its options.

Kernels copy a state with `S[i] = S[j]`. Records do that by themselves; a `StateList` does it for rules in plain Python
objects, so the same search source serves both.
"""

import copy
import threading
from functools import lru_cache
from typing import Any

import numpy as np


class StateList(list[Any]):
    """A list of Python objects that copies what is put into a place, as an array of records does."""

    def __setitem__(self, place: Any, state: Any) -> None:
        super().__setitem__(place, copy.deepcopy(state))


@lru_cache(maxsize=256, typed=True)  # games of two classes may be equal as tuples
def state_type(game: Any) -> np.dtype[Any]:
    """The record type of a state; elements are np.record, so Python reads fields by name as kernels do."""
    return np.dtype((np.record, np.dtype(game.STATE, align=True)))


@lru_cache(maxsize=256, typed=True)  # games of two classes may be equal as tuples
def workspace_type(game: Any) -> np.dtype[Any]:
    """Scratch of one thread at one ply: generator, move buffer, a prior a move, payoffs of a rollout, the game's own."""
    size = (game.MAX_MOVES,)
    fields = [("rng", "u8"), ("buf", "i8", size), ("prior", "f8", size), ("payoffs", "f8", (4,))]
    return np.dtype((np.record, np.dtype(fields + list(getattr(game, "SCRATCH", [])), align=True)))


def is_plain(game: Any) -> bool:
    """Are the states plain Python objects rather than records?"""
    return isinstance(game.STATE, type)


def states(game: Any, n: int) -> Any:
    """n zeroed states (or fresh Python objects)."""
    if is_plain(game):
        return StateList(game.STATE() for _ in range(n))
    return np.zeros(n, state_type(game))


def copies(game: Any, S: Any, n: int) -> Any:
    """n states, the first a copy of S[0]."""
    made = states(game, n)
    made[0] = S[0]
    return made


def workspaces(game: Any, n: int, seed: int) -> Any:
    """n workspaces whose generators start at different, reproducible places."""
    from .kernels.random import scramble

    made = np.zeros(n, workspace_type(game))
    made["rng"] = [scramble(seed, i) for i in range(n)]
    return made


class _Scratch(threading.local):
    """The workspaces of one thread."""

    def __init__(self) -> None:
        self.of = lru_cache(maxsize=16, typed=True)(lambda game: workspaces(game, 1, 0))  # some have a megabyte


_scratch = _Scratch()


def scratch(game: Any) -> Any:
    """The calling thread's own workspace for a game with its options; whoever draws from its generator sets that first."""
    return _scratch.of(game)


def packed(S: Any) -> Any:
    """S[0] as a value that can be kept: bytes of a record, or the fields of a Python object."""
    return S[:1].tobytes() if isinstance(S, np.ndarray) else vars(S[0])


def unpacked(game: Any, state: Any) -> Any:
    """An array of the one state that was packed."""
    S = states(game, 1)
    if is_plain(game):
        vars(S[0]).update(state)
    else:
        S[:] = np.frombuffer(state, S.dtype)
    return S


def frozen(S: Any) -> Any:
    """The bits of S[0] as something that compares equal exactly when the states do."""
    return S[:1].tobytes() if isinstance(S, np.ndarray) else copy.deepcopy(vars(S[0]))
