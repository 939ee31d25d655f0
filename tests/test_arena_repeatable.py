"""Limits in simulations give the same games every time, whatever the number of workers, in each of the five games."""

import dataclasses
from typing import Any

import pytest

from daedalus import arena
from daedalus.core.record import Record

# enough simulations for whatever is kept from another game to tell
AGENTS = {"blackhole": "alphabeta"}  # elsewhere the game's own expert
GAMES = {
    "blackhole": "blackhole hole=pass",
    "colosseum": "colosseum size=5",
    "labyrinth": "labyrinth board=3x3 cap=40",
    "quoridor": "quoridor width=5 height=5 walls=3",
    "saboteur": "saboteur",
}


def without_times(record: Record) -> tuple[Any, ...]:
    """All of a record but its date and the seconds."""
    remarks = [remark and dataclasses.replace(remark, seconds=None) for remark in record.remarks]
    return {name: value for name, value in record.tags.items() if name != "Date"}, record.moves, remarks


def played(game: str, workers: int) -> list[Any]:
    agent = AGENTS.get(game, "expert")
    run = arena.match(GAMES[game], agent, "mcts", games=8, limit="simulations=400", seed=11, workers=workers, db=":memory:")
    assert run.summary.forfeits == ()
    return [without_times(result.parsed) for result in run.results]


@pytest.mark.parametrize("game", GAMES)
def test_three_runs_with_one_and_two_workers_are_the_same_games(game: str) -> None:
    first = played(game, 1)
    assert played(game, 2) == first and played(game, 2) == first
