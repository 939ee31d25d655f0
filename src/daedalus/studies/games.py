"""The games of a study: played once, kept, continued after an interruption; and what games of an agent with itself tell."""

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from daedalus.arena import GameResult
from daedalus.arena.plan import Plan
from daedalus.arena.run import Interrupted, carry_out_all
from daedalus.arena.run import Progress as RunProgress
from daedalus.arena.store import Store
from daedalus.core import Game
from daedalus.report import Mean, Progress

from .request import StudyRequest


def played(
    study: str, plans: Sequence[Plan], request: StudyRequest, progress: Progress, what: str = ""
) -> list[list[GameResult]]:
    """The games of each plan, one after the other on the same workers; plans that are the same are played once."""
    runs = {_run_name(study, plan): plan for plan in plans}
    if request.again:
        _forget(runs, request)
    done = dict.fromkeys(runs, 0)
    total = sum(plan.total for plan in runs.values())

    def told(run: RunProgress) -> None:
        done[run.name] = run.done
        progress(what or study, sum(done.values()), total)

    try:
        results = carry_out_all(runs, request.workers, request.on, request.store, told)
    except Interrupted:
        raise KeyboardInterrupt(f"study '{study}' was interrupted; start it again to continue") from None
    games = {name: result.results for name, result in zip(runs, results, strict=True)}
    return [games[_run_name(study, plan)] for plan in plans]


def _run_name(study: str, plan: Plan) -> str:
    """One name for one set of settings, so that a study continues and never mixes games of other settings."""
    digest = hashlib.blake2b(json.dumps(plan.settings(), sort_keys=True).encode(), digest_size=4).hexdigest()
    return " ".join([f"{study}:", *" v ".join(plan.specs).split(), *plan.options.split(), digest])


def _forget(names: "Sequence[str] | dict[str, Plan]", request: StudyRequest) -> None:
    with Store(request.store) as store:
        for old in store.runs():
            if old.name in names:
                store.delete(old.name)


# --- an agent against itself ------------------------------------------------------------------------------------------


class Measured(NamedTuple):
    """Games, those that ended without a winner, their plies, and the legal moves at each decision."""

    games: int
    draws: int
    length: Mean
    branching: Mean


def self_play(
    study: str, game: Game, spec: str, games: int, random_plies: int, request: StudyRequest, progress: Progress
) -> Measured:
    """Plays an agent against itself and measures the games; raises InvalidSpec if there is no such agent."""
    plan = Plan("match", game, (spec, spec), request.games or games, request.seed, random_plies=random_plies)
    return measured(played(study, [plan], request, progress, spec)[0])


def measured(results: Iterable[GameResult]) -> Measured:
    """What finished games tell. Opening moves count too: the choice was there, whoever made it."""
    played = [result for result in results if result.forfeit is None]
    groups: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for result in played:
        groups[result.pair].append((1, result.plies, sum(choices(result))))
    pairs = [tuple(map(sum, zip(*games, strict=True))) for games in groups.values()]
    games, plies, moves = (list(column) for column in zip(*pairs, strict=True))
    draws = sum(max(result.payoffs) <= 0 for result in played)
    return Measured(len(played), draws, ratio(plies, games), ratio(moves, plies))


def choices(result: GameResult) -> list[int]:
    """The number of legal moves before each move of a game."""
    return [len(position.legal_moves) for position in result.parsed.positions()][:-1]


def ratio(above: Sequence[float], below: Sequence[float]) -> Mean:
    """Sum by sum over independent groups. The two games of a pair share an opening, so the pair is the group."""
    value = sum(above) / sum(below)
    n = len(above)
    if n < 2:
        return Mean(value, math.nan)
    spread = sum((a - value * b) ** 2 for a, b in zip(above, below, strict=True))
    return Mean(value, math.sqrt(spread * n / (n - 1)) / sum(below))
