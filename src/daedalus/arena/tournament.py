"""A tournament: everybody against everybody, or one against all others."""

import os
from collections.abc import Sequence
from typing import cast

from daedalus.core import Game, Limit

from .deals import opening_plies
from .plan import Plan, game_of, limit_of, openings_of
from .results import TournamentResult
from .run import Listener, carry_out


def tournament(
    game: str | Game,
    specs: Sequence[str],
    games: int = 20,
    gauntlet: bool = False,
    anchor: tuple[str, float] | None = None,
    limit: Limit | str | None = None,
    seed: int = 0,
    workers: int | None = None,
    on: str | None = None,
    openings: str | os.PathLike[str] | None = None,
    random_plies: int | None = None,
    db: str | os.PathLike[str] | None = None,
    name: str | None = None,
    grace: float | None = None,
    progress: Listener | None = None,
    save: str | os.PathLike[str] | None = None,
) -> TournamentResult:
    """Plays a round robin among agents, given by their specs, or a gauntlet of the first against all others.

    `games` are those of each meeting, rounded up to whole pairs: of two agents, or of three or four where the game has
    as many seats. `anchor` is an agent's spec and the rating it shall have. The rest is as for `match`.
    """
    rules = game_of(game)
    plan = Plan(
        kind="tournament",
        rules=rules,
        specs=tuple(spec.strip() for spec in specs),
        games=games,
        seed=seed,
        limit=limit_of(limit),
        grace=grace,
        openings=openings_of(openings, rules, seed),
        random_plies=opening_plies(rules, openings, random_plies),
        gauntlet=gauntlet,
        anchor=(anchor[0], float(anchor[1])) if anchor else None,
    )
    return cast(TournamentResult, carry_out(plan, workers, on, db, name, progress, save))
