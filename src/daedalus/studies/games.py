"""The games of a study: played once, kept, and continued after an interruption."""

import hashlib
import json
from collections.abc import Sequence

from daedalus.arena import GameResult
from daedalus.arena.plan import Plan
from daedalus.arena.run import Interrupted, carry_out_all
from daedalus.arena.run import Progress as RunProgress
from daedalus.arena.store import Store

from .report import Progress
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
