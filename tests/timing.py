"""Limits in time, judged fairly: other programs on a busy machine make a search late through no fault of its own."""

import time
from collections.abc import Callable
from typing import Any

TRIES = 20


def keeps_limit(search: Callable[[], Any], seconds: float, late: float) -> bool:
    """Does a search with a limit of so many seconds end at most `late` after it? It may be held up, but not every time."""
    return any(_duration(search) <= seconds + late for _ in range(TRIES))


def _duration(search: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    search()
    return time.perf_counter() - begun
