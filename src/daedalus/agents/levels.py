"""Opponents by strength: the levels novice, club, strong and expert of every game."""

from daedalus.core import Game, InvalidSpec
from daedalus.core.registry import registration_of

from .defaults import default_opponent
from .spec import make_agent

# What the levels of a game are that does not name its own; its expert is then whom it offers as an opponent.
_GENERAL = {"novice": "mcts:simulations=25", "club": "mcts:simulations=250", "strong": "mcts:simulations=2500"}
MEANING = {
    "novice": "knows the rules; to begin with",
    "club": "plays sensibly",
    "strong": "hard to beat",
    "expert": "the best there is",
}
BEGINNING = "novice"


def levels(game: Game) -> dict[str, str]:
    """The spec of each level, the weakest first: its own name where the game has such a player that plays this variant."""
    general = _GENERAL | {"expert": default_opponent(game)}
    return {level: level if plays(level, game) else spec for level, spec in general.items()}


def plays(name: str, game: Game) -> bool:
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
