"""The one place that reads an agent spec: `name`, `name:flag,key=value`, `engine:command`, `file.py:Class,key=value`."""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from daedalus.core import Agent, DaedalusError, Game, InvalidSpec, Limit, Position, Thought
from daedalus.core.errors import valid
from daedalus.core.registry import Registration, find, game_names, load_class, registration_of

from .adapter import AgentAdapter
from .players import AlphaBeta, Greedy, MonteCarlo, Random, TreePlayer

GENERIC: dict[str, Any] = {
    "random": Random,
    "greedy": Greedy,
    "mc": MonteCarlo,
    "alphabeta": AlphaBeta,
    "mcts": TreePlayer,
}


def make_agent(spec: str, game: Game | None = None, seed: int = 0) -> Agent:
    """The agent a spec names; without a game it is settled at the first move which game's player of that name is meant."""
    spec = spec.strip()
    name, *rests = re.split("[:,]", spec, maxsplit=1)  # `seed,implicit=0.2` is understood as `seed:implicit=0.2`
    rest = "".join(rests)
    if spec.startswith("engine:"):
        from .engine import Engine

        agent: Agent = Engine(rest)
    elif name in GENERIC or any(name in _players(kind) for kind in _kinds(game)):
        agent = _named(spec, name, rest, game)
    elif ":" in spec:
        agent = _guest(spec)
    else:
        raise InvalidSpec(valid("agent", name, _names(game)) + ", engine:COMMAND, file.py:Class")
    agent.spec, agent.seed = spec, seed
    if game is not None:
        agent.bind(game)
    return agent


def _kinds(game: Game | None) -> list[Registration]:
    return [find(name) for name in game_names()] if game is None else [registration_of(game)]


def _players(kind: Registration) -> Mapping[str, Any]:
    return GENERIC | kind.agents


def _names(game: Game | None) -> set[str]:
    return set(GENERIC).union(*(kind.agents for kind in _kinds(game)))


def _named(spec: str, name: str, rest: str, game: Game | None) -> Agent:
    if game is None:
        if name in GENERIC:
            build(GENERIC[name], name, rest)  # says at once what is wrong with it
        return Deferred(spec)
    kind = registration_of(game)
    player = _players(kind)[name]
    if isinstance(player, str):  # a level: another spec with its options, those given here last
        joined = ",".join(filter(None, (player.partition(":")[2], rest)))
        return _named(spec, player.partition(":")[0], joined, game)
    return build(player, name, rest, kind.defaults.get(name, {}))


def build(player: Any, name: str, rest: str, defaults: Mapping[str, Any] | None = None) -> Agent:
    """An agent of class `player` with the options in `rest`; unknown ones raise InvalidSpec with what is valid."""
    known = {field.name: field for field in dataclasses.fields(player) if "help" in field.metadata}
    values: dict[str, Any] = dict(defaults or {})
    for word in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = word.partition("=")
        if not equals:
            key, value = _flag(word, known, name)
        elif key not in known:
            raise InvalidSpec(valid(f"option of {name}", key, known))
        values[key] = _read(name, key, value, known[key].metadata)
    agent: Agent = player(**values)
    return agent


def _flag(word: str, known: Mapping[str, Any], name: str) -> tuple[str, str]:
    """A word without `=`: a switch to turn on, or a value that only one option takes."""
    if word in known and known[word].metadata["kind"] is bool:
        return word, "yes"
    for key, field in known.items():
        if word in field.metadata["choices"]:
            return key, word
    raise InvalidSpec(valid(f"option of {name}", word, known))


_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")
_MOST = 10**15  # a whole number that kernels can count to


def _read(name: str, key: str, text: str, about: Mapping[str, Any]) -> Any:
    kind, choices = about["kind"], about["choices"]
    try:
        if kind is bool:
            if text.lower() not in _YES + _NO:
                raise ValueError
            return text.lower() in _YES
        value = kind(text)
    except ValueError:
        wanted = {bool: "yes or no", int: "a whole number", float: "a number"}.get(kind, "a text")
        raise InvalidSpec(f"{name}: {key}={text}: wants {wanted}") from None
    low, high = about["low"], about["high"]
    if kind is int and high is None:
        high = _MOST
    if choices and value not in choices:
        raise InvalidSpec(f"{name}: " + valid(f"value of {key}", text, choices))
    if value != value or (low is not None and value < low) or (high is not None and value > high):
        raise InvalidSpec(f"{name}: {key}={text:.40}: wants {_bounds(value, low, high)}")
    return value


def _bounds(value: Any, low: float | None, high: float | None) -> str:
    """What would be right instead of a number outside: the bound that it breaks, or both."""
    if high is None or (low is not None and value < low and high == _MOST):
        return f"at least {low:g}"
    return f"at most {high:g}" if low is None or high == _MOST else f"{low:g} to {high:g}"


def _guest(spec: str) -> Agent:
    place, _, rest = spec.partition(",")
    try:
        player = load_class(place, "agent")
    except DaedalusError as error:
        raise InvalidSpec(f"{error}; agents that come with Daedalus: {', '.join(sorted(_names(None)))}") from None
    if dataclasses.is_dataclass(player) and any("help" in field.metadata for field in dataclasses.fields(player)):
        return build(player, place, rest)
    return AgentAdapter.made(place, player, rest)


class Deferred(Agent):
    """A player named without a game: the first view tells whose `expert` or `greedy` it is."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self._agents: dict[Any, Agent] = {}

    def choose(self, view: Position, limit: Limit | None = None) -> Thought:
        return self._settled(view.game).choose(view, limit)

    def prepare(self, game: Game) -> None:
        self._settled(game).prepare(game)

    def _settled(self, game: Game) -> Agent:
        """The player of that name for a game."""
        key = type(game), game  # games of two classes may be equal as tuples
        if key not in self._agents:
            self._agents[key] = make_agent(self.spec, game, self.seed)
        return self._agents[key]

    def new_game(self, seed: int) -> None:
        super().new_game(seed)
        for agent in self._agents.values():
            agent.new_game(seed)

    def close(self) -> None:
        for agent in self._agents.values():
            agent.close()


@dataclass(frozen=True)
class AgentInfo:
    """What `daedalus agents` shows of a player."""

    name: str
    help: str
    options: list[tuple[str, str, str, str]]  # name, what it takes, default, help


def describe(game_name: str | None = None) -> list[AgentInfo]:
    """The players that can be named, for one game or for all of them."""
    kind = find(game_name) if game_name else None
    players = _players(kind) if kind else GENERIC
    engine = AgentInfo("engine", "an external program that speaks JSON lines (docs/engines.md): engine:./mine --flag", [])
    return [_info(name, player, kind) for name, player in players.items()] + [engine]


def _info(name: str, player: Any, kind: Registration | None) -> AgentInfo:
    if isinstance(player, str):
        return AgentInfo(name, f"the same as {player}", [])
    defaults = kind.defaults.get(name, {}) if kind else {}
    options = [
        (field.name, _takes(field), str(defaults.get(field.name, field.default)), field.metadata["help"])
        for field in dataclasses.fields(player)
        if "help" in field.metadata
    ]
    return AgentInfo(name, (player.__doc__ or "").strip().split("\n")[0], options)


def _takes(field: Any) -> str:
    about = field.metadata
    if about["choices"]:
        return "|".join(about["choices"])
    return {bool: "yes|no", int: "whole number", float: "number"}.get(about["kind"], "text")
