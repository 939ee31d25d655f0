"""A teacher's games as rows to train on: any agent against itself, each position as its mover may know it.

Where self-play from nothing leads nowhere, or does not deal the cards that a game hides, a network first learns from
somebody who plays already. A teacher limited by simulations or depth, not by a clock, gives the same rows again.
"""

from collections.abc import Callable
from threading import Event
from typing import Any

import numpy as np

from daedalus.agents import make_agent
from daedalus.core import Agent, InvalidOption, Position, Thought, scramble
from daedalus.core.features import observed
from daedalus.core.memory import copies
from daedalus.core.registry import registration_of
from daedalus.search import SearchAgent

from .kernels.selfplay import CAPPED, DRAWS, FIRST, GAMES, ILLEGAL, PLIES, row_type
from .recipe import Recipe
from .selfplay import Played, gathered


def lessons(game: Any, recipe: Recipe, seed: int, workers: int, told: Callable[[int], None] = lambda rows: None) -> Played:
    """An iteration's rows from the teacher's games; the same for the same seed and number of workers."""
    return gathered([Lesson(game, recipe, scramble(seed, k)) for k in range(workers)], recipe.rows, told)


def teacher_of(game: Any, recipe: Recipe) -> Agent:
    """The agent that teaches; refuses one that a clock would stop."""
    agent = make_agent(recipe.teacher, game)
    if isinstance(agent, SearchAgent):
        bounds = agent.own_limit(Position(game, 1))
        if bounds.seconds is not None or not any(getattr(bounds, name) for name in agent.ENDED_BY if name != "seconds"):
            raise InvalidOption(f"teacher={recipe.teacher}: give it simulations (or depth) and no seconds, so that runs repeat")
    return agent


class Lesson:
    """One worker's games of the teacher against itself."""

    def __init__(self, game: Any, recipe: Recipe, seed: int) -> None:
        self.game, self.recipe, self.seed = game, recipe, seed
        self.teacher = teacher_of(game, recipe)
        self.kernels: Any = registration_of(game).transitions
        self.counts = np.zeros(5, np.int64)

    def rows(self, wanted: int, told: Callable[[int], None], stop: Event) -> Played:
        """The rows of whole games, at least so many."""
        made: list[Any] = [np.zeros(0, row_type(self.game.FEATURES, self.game.ACTIONS))]
        try:
            while (done := sum(map(len, made))) < wanted and not stop.is_set():
                made.append(self.play(scramble(self.seed, int(self.counts[GAMES]))))
                told(min(len(made[-1]), wanted - done))
        finally:
            self.teacher.close()
        return Played(np.concatenate(made), self.counts)

    def play(self, seed: int) -> Any:
        """The rows of one game: some random moves, then the teacher's, now and then another random one."""
        rng, recipe = np.random.default_rng(seed), self.recipe
        position = Position(self.game, seed)
        self.teacher.new_game(seed)
        opening = int(rng.integers(recipe.openings + 1))
        rows: Any = np.zeros(recipe.cap, row_type(self.game.FEATURES, self.game.ACTIONS))
        told: list[float | None] = []  # what the teacher thought a position worth
        strayed: list[bool] = []
        while position.outcome() is None and len(told) < recipe.cap:
            strays = len(position.history) < opening or rng.random() < recipe.astray
            if len(position.history) >= opening:
                view = position.view()
                thought = self.teacher.choose(view)
                self.write(view, thought, rows[len(told)])
                told.append(thought.value)
                strayed.append(strays)
            position.push(position.legal_moves.codes[rng.integers(len(position.legal_moves))] if strays else thought.move)
        outcome = position.outcome()
        self._count(outcome, len(told))
        payoffs: list[float | None] = [None] * self.game.SEATS if outcome is None else [*outcome.payoffs]
        return value_rows(rows[: len(told)], told, strayed, payoffs, recipe.later)

    def write(self, view: Position, thought: Thought, row: Any) -> None:
        """What the mover sees, and the teacher's choice: its visits, if it counts any, else the move alone."""
        row["x"], row["mover"] = observed(view), view.turn
        moves = np.array(view.legal_moves.codes)
        actions = np.zeros(len(moves), np.int64)
        self.kernels.actions(self.game, copies(self.game, [view.state], 1), moves, actions)
        visits = {int(candidate.move): candidate.visits for candidate in thought.candidates}
        if not any(visits.values()):
            visits = {int(thought.move): 1}
        shares = np.array([visits.get(int(move), 0) for move in moves], np.float32)
        row["policy"] = ILLEGAL
        row["policy"][actions] = 0.0
        np.add.at(row["policy"], actions, shares / shares.sum())  # moves that look alike share an action

    def _count(self, outcome: Any, plies: int) -> None:
        self.counts[GAMES] += 1
        self.counts[PLIES] += plies
        self.counts[CAPPED] += outcome is None
        self.counts[FIRST] += outcome is not None and outcome.winner == 0
        self.counts[DRAWS] += outcome is not None and outcome.winner is None


def value_rows(rows: Any, told: list[float | None], strayed: list[bool], payoffs: list[float | None], share: float) -> Any:
    """Values from the end backwards, as in self-play: a share of what came later, the rest what the teacher thought.

    What followed a random move says nothing of the position before it: there the teacher's own value stands. A position
    of which nothing is known, in a game that was cut off, is left out.
    """
    after = list(payoffs)
    known = np.ones(len(rows), bool)
    for k in range(len(rows) - 1, -1, -1):
        mover, own = int(rows["mover"][k]), told[k]
        later = after[mover]
        if own is None:
            value = later
        else:
            value = own if later is None or strayed[k] else own + share * (later - own)
        if value is None:
            known[k] = False
            continue
        rows["value"][k] = after[mover] = value
        if len(after) == 2:
            after[1 - mover] = -value
    return rows[known]
