"""Opponents by strength: the levels novice, club, strong and expert of every game, and the coach between them."""

from daedalus.agents import default_opponent, make_agent
from daedalus.core import Agent, Game, InvalidSpec
from daedalus.core.registry import registration_of

from . import coach

# What the levels of a game are that does not name its own; its expert is then whom it offers as an opponent.
_GENERAL = {"novice": "mcts:simulations=25", "club": "mcts:simulations=250", "strong": "mcts:simulations=2500"}
MEANING = {
    "novice": "knows the rules; to begin with",
    "club": "plays sensibly",
    "strong": "hard to beat",
    "expert": "the best there is",
    coach.NAME: "adapts to you, and remembers how strong you are",
}
BEGINNING = "novice"


def levels(game: Game) -> dict[str, str]:
    """The spec of each level, the weakest first: its own name where the game has such a player that plays this variant."""
    general = _GENERAL | {"expert": default_opponent(game)}
    return {level: level if _plays(level, game) else spec for level, spec in general.items()}


def _plays(name: str, game: Game) -> bool:
    """Has the game a player of this name, and does it play with these options?"""
    if name not in registration_of(game).agents:
        return False
    try:
        make_agent(name, game).close()
    except InvalidSpec:
        return False
    return True


def opponent(game: Game) -> str:
    """Whom one plays against when nobody is named: one that can be beaten."""
    return levels(game)[BEGINNING]


def make(spec: str, game: Game, seed: int) -> Agent:
    """An agent by its spec, the coach among them."""
    if spec == coach.NAME:
        return coach.Coach(game, seed, ["random", *levels(game).values()])
    return make_agent(spec, game, seed)
