"""The dialects in which our agents play as engines; which one is spoken shows in the first line."""

from collections.abc import Callable, Iterable

from daedalus.core import Agent, Game
from daedalus.core.registry import registration_of

from .defaults import default_opponent
from .engine_server import JsonServer
from .spec import make_agent
from .uci import UciServer

CLOSING = 0.5  # seconds in which the last answers have to come


def engine_spec(game: Game) -> str:
    """Who plays when nobody is named: the game's usual opponent, who thinks as long as he is asked to."""
    name, _, options = default_opponent(game).partition(":")
    rest = ",".join(option for option in options.split(",") if option and not option.startswith("seconds="))
    return f"{name}:{rest}" if rest else name


def play_as_engine(game: Game, spec: str, lines: Iterable[bytes], write: Callable[[str], None]) -> None:
    """Answers the lines until one says quit or bye, or until their end. `{` begins a JSON object, anything else a command.

    When it returns an agent that does not stop may still be thinking.
    """
    server: JsonServer | UciServer | None = None
    try:
        for line in lines:
            if server is None and line.strip():
                server = _server(game, spec, write, line.lstrip().startswith(b"{"))
            if server is not None and not server.hear(line):
                break
    finally:
        if server is not None:
            server.close(CLOSING)


def _server(game: Game, spec: str, write: Callable[[str], None], in_json: bool) -> JsonServer | UciServer:
    return _GameServer(game, spec, write) if in_json else UciServer(game, spec, write)


class _GameServer(JsonServer):
    """Plays one game, whose options each request names: an agent for each."""

    def __init__(self, game: Game, spec: str, write: Callable[[str], None]) -> None:
        self._plays, self._spec = game, spec
        self._agents = {game: make_agent(spec, game)}
        super().__init__(self._agent, write, {"name": f"Daedalus {spec}", "games": [registration_of(game).name]})

    def close(self, seconds: float | None = None) -> bool:
        answered = super().close(seconds)
        for agent in self._agents.values():
            agent.close()
        return answered

    def _agent(self, game: Game) -> Agent:
        if type(game) is not type(self._plays):
            raise ValueError(f"this engine plays {registration_of(self._plays).name}, not {registration_of(game).name}")
        if game not in self._agents:
            self._agents[game] = make_agent(self._spec, game)
        return self._agents[game]
