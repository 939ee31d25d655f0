"""Opponents by strength at the terminal: the levels of every game, and the coach between them."""

from daedalus.agents import levels as common
from daedalus.agents import make_agent
from daedalus.agents.levels import levels, opponent
from daedalus.core import Agent, Game

from . import coach

MEANING = common.MEANING | {coach.NAME: "adapts to you, and remembers how strong you are"}


def make(spec: str, game: Game, seed: int) -> Agent:
    """An agent by its spec, the coach among them."""
    if spec == coach.NAME:
        return coach.Coach(game, seed, ["random", *levels(game).values()])
    return make_agent(spec, game, seed)


__all__ = ["MEANING", "levels", "make", "opponent"]
