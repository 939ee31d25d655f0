"""Judges a search is given: policies (`pick` a rollout move, `prior` of the n moves in w.buf), evaluations (`value`), and
dealers, who `deal` what a seat cannot know.

They are named tuples dispatched like games, so a new one is compiled into the search. One that reads hidden cards
cheats: a judge may read only what the seat to move knows, even in an imagined deal.
"""

from typing import NamedTuple

import numpy as np

from daedalus.core import helper, random_below


@helper
def level(w, n):
    """The same prior for each of n moves."""
    for i in range(n):
        w.prior[i] = 1.0 / n


class Own(NamedTuple):
    """The game's own random_move and evaluate."""

    none: int = 0

    def pick(self, game, s, w):
        return game.random_move(s, w)

    def prior(self, game, s, w, n):
        level(w, n)

    def value(self, game, s, seat, w):
        return game.evaluate(s, seat, w)


class Uniform(NamedTuple):
    """Any legal move, drawn from the full list; every position even."""

    none: int = 0

    def pick(self, game, s, w):
        n = game.moves(s, w)
        return np.int64(w.buf[random_below(w, n)])

    def prior(self, game, s, w, n):
        level(w, n)

    def value(self, game, s, seat, w):
        return 0.0


class Even(NamedTuple):
    """Deals as the game does: how the others have moved tells nothing."""

    none: int = 0

    def deal(self, game, s, seat, w):
        game.redeal(s, seat, w)


POLICIES = {"own": Own, "uniform": Uniform}
EVALUATIONS = {"own": Own, "none": Uniform}
