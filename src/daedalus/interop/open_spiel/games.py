"""OpenSpiel's Game over one of ours: its options as parameters, what kind of game it is, and the registration."""

import re
from typing import Any

import pyspiel

from daedalus.core import Position
from daedalus.core.contract import Game
from daedalus.core.errors import DaedalusError
from daedalus.core.options import Option, make, options_of
from daedalus.core.registry import Registration, find, game_names, headline

from .observers import Observer
from .states import OpenSpielState
from .trail import Rules

PREFIX = "daedalus_"
DEALS, LONGEST = 1000, 1000  # how many deals the chance node has, and plies until a game without a shorter end is a draw
_TRIALS = 8  # starts that are compared to see whether anything is dealt


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ours, with its options; `rules.game` is it. Subclasses, one a game, are made by `register`."""

    entry: Registration
    short_name: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**parameters(self.entry), **(params or {})}
        self.rules = read(self.entry, given)
        super().__init__(game_type(self.entry, self.rules, self.short_name), _game_info(self.rules), given)

    def new_initial_state(self) -> OpenSpielState:
        """The start: before the deal, if something is dealt."""
        return OpenSpielState(self, self.rules)

    def __reduce__(self) -> tuple[Any, ...]:
        """A game is pickled as its name with its parameters."""
        return loaded, (str(self),)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer of one seat's observations, or of its information states."""
        return Observer(self.rules, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


def loaded(text: str) -> Any:
    """A game by its name and parameters, in a process that may not have imported more than this."""
    return pyspiel.load_game(text)


def register(name: str, short_name: str | None = None) -> str:
    """Makes a game known to pyspiel, one of ours or `file.py:Class`, and returns the name that it has there."""
    entry = find(name)
    game = entry.rules()
    if not (game.FEATURES and game.ACTIONS):
        raise DaedalusError(f"{name}: a game in OpenSpiel needs features and ACTIONS, see docs/features.md")
    short = short_name or PREFIX + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.rpartition(":")[2]).lower()
    kind = game_type(entry, _rules(game, DEALS, LONGEST), short)
    own = type(f"OpenSpiel{entry.rules.__name__}", (OpenSpielGame,), {"entry": entry, "short_name": short})
    pyspiel.register_game(kind, own)
    return short


def register_all() -> None:
    """Registers the games that come with the package."""
    for name in game_names():
        register(name)


# --- options as parameters ------------------------------------------------------------------------------------------


def parameters(entry: Registration) -> dict[str, Any]:
    """The parameters that a game takes in OpenSpiel, with their defaults: its own options, the deals, the length."""
    return {option.name: _default(option) for option in options_of(entry.rules)} | {"deals": DEALS, "longest": LONGEST}


def _default(option: Option) -> Any:
    """An option's default in the types that OpenSpiel knows; a text that its parameter strings cannot hold is left empty."""
    text = option.default_text or ""
    if option.type == "switch":
        return bool(option.default)
    if option.type == "number":
        return float(text)
    if option.type == "whole" or (option.type == "choice" and all(map(str.isdigit, option.choices))):
        return int(text)
    return "" if set(text) & set(",()=") else text


def read(entry: Registration, given: dict[str, Any]) -> Rules:
    """The game that parameters mean. What equals the default is not given to the game, since some defaults depend on others."""
    usual = parameters(entry)
    deals, longest = given["deals"], given["longest"]
    if deals < 1 or longest < 1:
        raise DaedalusError(f"deals={deals}, longest={longest}: both take whole numbers from 1")
    own = {name: value for name, value in given.items() if name not in ("deals", "longest") and value != usual[name]}
    return _rules(make(entry.rules, own), deals, longest)


def _rules(game: Game, deals: int, longest: int) -> Rules:
    starts = [Position(game, seed).bits for seed in range(_TRIALS)]
    cap = getattr(game, "cap", 0)
    return Rules(game, deals if starts.count(starts[0]) < _TRIALS else 0, min(cap or longest, longest))


# --- what kind of game it is ----------------------------------------------------------------------------------------


def game_type(entry: Registration, rules: Rules, short_name: str) -> Any:
    """OpenSpiel's description of a game with its options. Games for two are zero-sum here, as our searches take them."""
    kind = pyspiel.GameType
    dealt, seats = rules.deals > 0, rules.game.SEATS
    several = any(option.name == "players" for option in options_of(entry.rules))
    return kind(
        short_name=short_name,
        long_name=headline(entry.rules) or entry.name,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if dealt else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION if rules.hidden else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if seats == 2 else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=4 if several else seats,
        min_num_players=2 if several else seats,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(entry),
    )


def _game_info(rules: Rules) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=rules.game.ACTIONS,
        max_chance_outcomes=rules.deals,
        num_players=rules.game.SEATS,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0 if rules.game.SEATS == 2 else None,
        max_game_length=rules.longest,
    )
