"""The one place that reads an agent spec: `name`, `name:flag,key=value`, `engine:command`, `file.py:Class,key=value`."""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from daedalus.core import Agent, DaedalusError, Game, InvalidOption, InvalidSpec, Limit, Position, Thought, Watch
from daedalus.core.errors import valid
from daedalus.core.options import Option, options_of, parsed, read_options
from daedalus.core.registry import Registration, find, game_names, registration_of
from daedalus.core.user_code import load_class
from daedalus.search import ships_network

from .adapter import AgentAdapter
from .players import NETWORK, AlphaBeta, Greedy, MonteCarlo, NetworkPlayer, Random, TreePlayer

FILE = "file"  # the option of agents that read weights
GENERIC: dict[str, Any] = {
    "random": Random,
    "greedy": Greedy,
    "mc": MonteCarlo,
    "alphabeta": AlphaBeta,
    "mcts": TreePlayer,
    NETWORK: NetworkPlayer,
}


def make_agent(spec: str, game: Game | None = None, seed: int = 0) -> Agent:
    """The agent a spec names: `random`, `mcts:seconds=1`, `engine:./mine --fast`, `mine.py:MyAgent`.

    Without a game it is settled at the first move which game's player of that name is meant.
    """
    spec = spec.strip()
    name, *rests = re.split("[:,]", spec, maxsplit=1)  # `seed,implicit=0.2` is understood as `seed:implicit=0.2`
    rest = "".join(rests)
    if spec.startswith("engine:"):
        from .engine import Engine

        agent: Agent = Engine(rest)
    elif name in GENERIC or any(name in _players(entry) for entry in _entries(game)):
        agent = _named(spec, name, rest, game)
    elif ":" in spec:
        agent = _adapted(spec)
    else:
        raise InvalidSpec(valid("agent", name, _names(game)) + ", engine:COMMAND, file.py:Class")
    agent.spec, agent.seed = spec, seed
    if game is not None:
        agent.bind(game)
    return agent


def names_file(spec: str) -> bool:
    """Does a spec of a named agent have it read a file of weights? Strangers may not choose which files are opened."""
    name, *rests = re.split("[:,]", spec.strip(), maxsplit=1)
    words = [word.strip() for word in "".join(rests).split(",") if word.strip()]
    pairs = [tuple(part.strip() for part in word.partition("=")[::2]) for word in words]
    bare = name in _bare_files() and any("=" not in word for word in words)
    return bare or any(key == FILE or value.startswith(f"{NETWORK}:") for key, value in pairs)


def _bare_files() -> set[str]:
    """The agents for which a word alone is a file."""
    return {name for entry in _entries(None) for name, player in _players(entry).items() if getattr(player, "BARE", "") == FILE}


def _entries(game: Game | None) -> list[Registration]:
    return [find(name) for name in game_names()] if game is None else [registration_of(game)]


def _players(entry: Registration) -> Mapping[str, Any]:
    return GENERIC | entry.agents


def _names(game: Game | None) -> set[str]:
    return set(GENERIC).union(*(entry.agents for entry in _entries(game)))


def _named(spec: str, name: str, rest: str, game: Game | None) -> Agent:
    if game is None:
        if name in GENERIC:
            build(GENERIC[name], name, rest)  # says at once what is wrong with it
        return Deferred(spec)
    entry = registration_of(game)
    player = _players(entry)[name]
    if isinstance(player, str):  # a level: another spec with its options, those given here last
        joined = ",".join(filter(None, (player.partition(":")[2], rest)))
        return _named(spec, player.partition(":")[0], joined, game)
    return build(player, name, rest, entry.defaults.get(name, {}))


def build(player: Any, name: str, rest: str, defaults: Mapping[str, Any] | None = None) -> Agent:
    """An agent of class `player` with the options in `rest`; unknown ones raise InvalidSpec with what is valid."""
    known = options_of(player)
    bare = getattr(player, "BARE", None)  # the option that a word without its name is for
    words = [_spelled_out(word.strip(), known, bare) for word in rest.split(",")]
    try:
        values = read_options(known, parsed(",".join(words), ","), name)
    except InvalidOption as error:
        raise InvalidSpec(error) from None
    agent: Agent = player(**{**(defaults or {}), **values})
    return agent


def _spelled_out(word: str, known: Iterable[Option], bare: str | None) -> str:
    """A word without `=` as an option: a switch to turn on, a value that only one option takes, or the agent's main one."""
    if not word or "=" in word:
        return word
    takers = [option.name for option in known if word in option.choices]
    if takers:
        return f"{takers[0]}={word}"
    return f"{bare}={word}" if bare and word not in [option.name for option in known] else f"{word}=yes"


def _adapted(spec: str) -> Agent:
    """An agent from a user's file or module."""
    place, _, rest = spec.partition(",")
    try:
        player = load_class(place, "agent")
    except DaedalusError as error:
        raise InvalidSpec(f"{error}; agents that come with Daedalus: {', '.join(sorted(_names(None)))}") from None
    if dataclasses.is_dataclass(player) and any("option" in field.metadata for field in dataclasses.fields(player)):
        return build(player, place, rest)
    return AgentAdapter.made(place, player, rest)


class Deferred(Agent):
    """A player named without a game: the first view tells whose `expert` or `greedy` it is."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self._agents: dict[Any, Agent] = {}

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        return self._settled(view.game).choose(view, limit, watch)

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
    options: tuple[Option, ...]


def describe(game_name: str | None = None) -> list[AgentInfo]:
    """The players that can be named, for one game or for all of them; `net` where a network comes with the game."""
    entry = find(game_name) if game_name else None
    players = _players(entry) if entry else GENERIC
    if entry and not ships_network(entry):
        players = {name: player for name, player in players.items() if name != NETWORK}
    engine = AgentInfo("engine", "an external program that speaks JSON lines (docs/engines.md): engine:./mine --flag", ())
    return [_info(name, player, entry) for name, player in players.items()] + [engine]


def _info(name: str, player: Any, entry: Registration | None) -> AgentInfo:
    if isinstance(player, str):
        return AgentInfo(name, f"the same as {player}", ())
    defaults = entry.defaults.get(name, {}) if entry else {}
    options = (dataclasses.replace(option, default=defaults.get(option.name, option.default)) for option in options_of(player))
    return AgentInfo(name, (player.__doc__ or "").strip().split("\n")[0], tuple(options))


def agent_options(agent: Agent) -> tuple[Option, ...]:
    """The options of an agent, a user's too, with the values that it has."""
    return agent.options if isinstance(agent, AgentAdapter) else options_of(agent)
