"""What an agent gets tells nothing of the deal, even to one who knows all of our source; its owner can repeat a run."""

import dataclasses
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from arena_agents import HIGHCARD, TICTACTOE, spec

from daedalus import DaedalusError, arena
from daedalus.arena.games import GameTask
from daedalus.arena.plan import Plan, game_of
from daedalus.core import scramble
from daedalus.core.seeds import derive, secret_for

_MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
TRIED = 2000  # seeds that people give


# --- the attack -----------------------------------------------------------------------------------------------------


def unshift(number: int, bits: int) -> int:
    """The x with number = x ^ x >> bits."""
    found = number
    for _ in range(64 // bits + 1):
        found = number ^ found >> bits
    return found


def unscrambled(state: int, number: int) -> int:
    """The state of `scramble` before its last number: every step of it can be undone."""
    state = unshift(state, 31) * pow(0x94D049BB133111EB, -1, 2**64) & _MASK
    state = unshift(state, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) & _MASK
    state = unshift(state, 30)
    return (state - GOLDEN & _MASK) ^ number


def from_seed(seed: int, lap: int) -> set[int]:
    """Deals that a guessed seed of the run, or of the game, might lead to."""
    scrambled = scramble(seed, lap)
    secrets = (secret_without_key(seed), str(seed).encode())
    return {seed, scrambled, scrambled >> 16, scrambled >> 4} | {derive(secret, "deal", lap) for secret in secrets}


@cache
def enumerated(lap: int) -> set[int]:
    return {deal for seed in range(TRIED) for deal in from_seed(seed, lap)}


def guesses(task: GameTask, seat: int) -> set[int]:
    """All deals that an agent can think of that knows its own seed, its seat, the number of its game and our source."""
    mine, lap = task.seeds[seat], 0
    run = unscrambled(unscrambled(unscrambled(mine, seat), task.number), 0) ^ GOLDEN  # of scramble(run, number, seat)
    seeds = [run, unscrambled(mine, 0) ^ GOLDEN, mine, mine - seat, mine ^ seat, mine - task.number]
    return enumerated(lap).union(*(from_seed(seed, lap) for seed in seeds))


def secret_without_key(seed: int) -> bytes:
    return secret_for(game_of(TICTACTOE), seed)


def recovered(tasks: list[GameTask]) -> int:
    return sum(task.seed in guesses(task, 0) for task in tasks)


def plan(game: str = HIGHCARD, seed: int = 7, **settings: Any) -> Plan:
    return Plan("match", game_of(game), ("a", "b"), 100, seed, **settings)


def as_it_was(task: GameTask, seed: int) -> GameTask:
    """The seeds as they were before: boards and agents from one number, by steps that can be undone."""
    seeds = tuple(scramble(seed, task.number, seat) for seat in range(len(task.seats)))
    return dataclasses.replace(task, seed=scramble(seed, 0) >> 16, seeds=seeds)


def test_no_deal_is_recovered_from_what_an_agent_gets() -> None:
    tasks = [plan(seed=seed).task(number) for seed in (0, 7, 4711) for number in range(6)]
    assert recovered([as_it_was(task, 10**15 + 7) for task in tasks]) == 18  # the attack is a real one
    assert recovered(tasks) == 0


def test_no_number_of_a_game_is_another_of_its_numbers() -> None:
    tasks = [plan().task(number) for number in range(0, 60, 6)]
    numbers = [number for task in tasks for number in (task.seed, task.opening_seed, *task.seeds)]
    assert len(set(numbers)) == len(numbers)


def test_an_agent_sees_its_own_seed_and_no_other(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    run = arena.match(HIGHCARD, spec("Listener", file=seen), "random", games=3, seed=5, workers=1, db=":memory:")
    told = {int(line) for line in seen.read_text().split()}
    dealt = {int(result.parsed.tags["Seed"]) for result in run.results}
    tasks = [plan(seed=5).task(number) for number in range(len(run.results))]
    assert dealt == {task.seed for task in tasks}
    told.discard(0)  # while it rehearses
    assert told and told <= {seed for task in tasks for seed in task.seeds} and not told & dealt


def test_a_worker_does_not_hand_the_key_to_what_plays_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAEDALUS_KEY", "mine")
    seen = tmp_path / "seen"
    arena.match(HIGHCARD, spec("KeySeeker", file=seen), "random", games=3, workers=2, db=":memory:")
    assert set(seen.read_text().split()) == {"nothing"}


# --- the owner ------------------------------------------------------------------------------------------------------


def records(game: str, key: str | None = None, **settings: Any) -> list[Any]:
    given = {"games": 6, "seed": 3, "workers": 1, "db": ":memory:"} | settings
    before = os.environ.get("DAEDALUS_KEY")
    os.environ["DAEDALUS_KEY"] = key or before or "tests"
    try:
        run = arena.match(game, "random", "random", **given)
    finally:
        os.environ["DAEDALUS_KEY"] = before or "tests"
    return [(result.essence, result.parsed.tags["Seed"]) for result in run.results]


def test_the_same_seed_and_key_play_the_same_games() -> None:
    assert records(HIGHCARD) == records(HIGHCARD) != records(HIGHCARD, seed=4)


def test_another_key_deals_other_cards_but_changes_nothing_where_nothing_is_hidden() -> None:
    mine, yours = records(HIGHCARD, key="mine"), records(HIGHCARD, key="yours")
    assert not {seed for _, seed in mine} & {seed for _, seed in yours}
    assert records(TICTACTOE, key="mine") == records(TICTACTOE, key="yours")


def test_a_run_keeps_its_deals_when_it_is_continued_under_another_key(tmp_path: Path) -> None:
    def stop(progress: arena.Progress) -> None:
        if progress.done == 2:
            raise KeyboardInterrupt

    settings = {"db": tmp_path / "store", "name": "r"}
    with pytest.raises(arena.Interrupted):
        records(HIGHCARD, key="mine", progress=stop, **settings)
    assert records(HIGHCARD, key="yours", **settings) == records(HIGHCARD, key="mine")


def test_lists_and_exports_do_not_tell_the_secret(tmp_path: Path) -> None:
    store = tmp_path / "store"
    records(HIGHCARD, db=store, name="r")
    secret = plan(seed=3).secret.hex()
    assert secret in store.read_bytes().decode("latin-1")
    told = repr(arena.list_runs(store)) + repr(arena.load_run("r", store)) + repr(plan(seed=3, kept=plan(seed=3).secret))
    told += "".join(path.read_text("latin-1") for path in arena.export_run("r", tmp_path / "out", store))
    shown = subprocess.run(
        [sys.executable, "-m", "daedalus", "runs", "--db", str(store), "--json"], capture_output=True, text=True
    )
    assert secret not in told + shown.stdout and '"name": "r"' in shown.stdout


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX knows them")
def test_a_new_store_is_its_owners_alone(tmp_path: Path) -> None:
    records(HIGHCARD, db=tmp_path / "store", name="r")
    assert (tmp_path / "store").stat().st_mode & 0o777 == 0o600


def test_a_run_from_before_secrets_were_kept_is_shown_but_not_continued(tmp_path: Path) -> None:
    """Its boards came from other numbers: a pair would not share its deal."""
    import sqlite3

    def stop(progress: arena.Progress) -> None:
        if progress.done == 3:
            raise KeyboardInterrupt

    store = tmp_path / "store"
    records(HIGHCARD, db=store, name="whole")
    with pytest.raises(arena.Interrupted):
        records(HIGHCARD, db=store, name="half", progress=stop)
    with sqlite3.connect(store) as connection:
        connection.execute("DROP TABLE secrets")
        connection.execute("UPDATE runs SET settings = json_remove(settings, '$.deals')")
    assert len(arena.load_run("half", store).results) == 3
    assert len(records(HIGHCARD, db=store, name="whole")) == 6
    with pytest.raises(DaedalusError, match="'half' was begun by Daedalus .* can be shown and exported but not continued"):
        records(HIGHCARD, db=store, name="half")
