"""A match: games between two agents, in pairs with swapped seats."""

import os
from typing import cast

from daedalus.core import Game, Limit

from .openings import read_openings
from .plan import Plan, board_seed, game_of, limit_of, sprt_of
from .results import MatchResult
from .running import Listener, carry_out
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
    sprt: Sprt | str | tuple[float, float] | None = None,
    openings: str | os.PathLike[str] | None = None,
    random_plies: int = 0,
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
    seed          decides boards, openings and the agents' dice: the same seed and simulations give the same games
    workers, on   how many processes (by default one a core); `on="ray"` or `"ray://host:port"` uses Ray
    sprt          `(elo0, elo1)`: stop as soon as one of the two is shown to be wrong
    openings      a file of move lists, one a line, taken in turn; `random_plies` plays so many random moves instead, or
                  after them
    db, name      where the games are kept (default: the user's own store) and under which name; a run of that name is
                  continued
    grace         seconds over the limit that are forgiven (default: 10 %, and at least 0.2)
    progress      called with a `Progress` after every game
    save          a file to append the records to
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
        openings=tuple(read_openings(openings, rules, board_seed(seed, 0))) if openings is not None else (),
        random_plies=random_plies,
        sprt=sprt_of(sprt),
        fixed_seats=fixed_seats,
    )
    return cast(MatchResult, carry_out(plan, workers, on, db, name, progress, save))
