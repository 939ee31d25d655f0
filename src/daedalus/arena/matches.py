"""Matches: games between two agents, in pairs with swapped seats; tournaments: everybody against everybody, or one against all."""

import os
from collections.abc import Sequence
from typing import cast

from daedalus.core import Game, Limit

from .openings import opening_plies
from .plan import Plan, game_of, limit_of, openings_of, sprt_of
from .results import MatchResult, TournamentResult
from .run import Listener, carry_out
from .sprt import Sprt


def match(
    game: str | Game,
    a: str,
    b: str,
    games: int = 200,
    limit: Limit | str | None = None,
    seed: int = 0,
    workers: int | None = None,
    on: str | None = None,
    sprt: Sprt | str | tuple[float, ...] | None = None,
    openings: str | os.PathLike[str] | None = None,
    random_plies: int | None = None,
    db: str | os.PathLike[str] | None = None,
    name: str | None = None,
    grace: float | None = None,
    progress: Listener | None = None,
    save: str | os.PathLike[str] | None = None,
    fixed_seats: bool = False,
) -> MatchResult:
    """Plays agents `a` and `b`, given by their specs, against each other.

    game          a game, its name, or its name with options: `"blackhole hole=pass"`
    games         how many, rounded up to whole pairs
    limit         of each move, `Limit(seconds=0.1)` or `"seconds=0.1"`; the arena enforces it
    seed          decides boards, openings and the agents' dice: the same seed and simulations give the same games; in
                  games with hidden cards together with the user's own key (core/seeds.py)
    workers, on   how many processes (by default one a core); `on="ray"` or `"ray://host:port"` uses Ray
    sprt          `(elo0, elo1)` or `(elo0, elo1, alpha, beta)`: stop as soon as one of the two is shown to be wrong
    openings      a file of move lists, one a line, taken in turn
    random_plies  random moves that open each pair, after its opening if there are openings; by default 4 where neither
                  openings nor a deal tell pairs apart, else none
    db, name      where the games are kept (default: the user's own store) and under which name; a run of that name is
                  continued
    grace         seconds over the limit that are forgiven (default: 10 %, and at least 0.2)
    progress      called with a `Progress` after every game
    save          a file of records to which the games are added; a run that is continued makes it whole again
    fixed_seats   A always sits first; else every board is played with both orders of the seats
    """
    rules = game_of(game)
    plan = Plan(
        kind="match",
        rules=rules,
        specs=(a.strip(), b.strip()),
        games=games,
        seed=seed,
        limit=limit_of(limit),
        grace=grace,
        openings=openings_of(openings, rules, seed),
        random_plies=opening_plies(rules, openings, random_plies),
        sprt=sprt_of(sprt),
        fixed_seats=fixed_seats,
    )
    return cast(MatchResult, carry_out(plan, workers, on, db, name, progress, save))


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
