"""A worker: plays games with agents that are made once, kept from game to game, replaced after a forfeit."""

import contextlib
from dataclasses import dataclass

from daedalus.agents import make_agent
from daedalus.agents.adapter import AgentAdapter
from daedalus.agents.engine import Engine
from daedalus.core import Agent, DaedalusError, EngineFailure, Game, Limit, Position, Thought, Watch
from daedalus.core.options import parsed
from daedalus.core.registry import make_game

from .clock import Overdue, hanging, patience
from .games import GameResult, GameTask, play_game

_MOST = 16  # agents kept at a time: some hold a large tree, and a worker may see the agents of many runs
_PATIENCE = 300.0  # seconds an agent may take to get ready, compiling aside: loading a network, solving a table


@dataclass(frozen=True)
class Failure:
    """What kept a worker from playing a game, other than an agent."""

    reason: str


Answer = GameResult | Failure


class _Absent(Agent):
    """Sits where an engine should that did not start, and tells why when it is asked."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        raise EngineFailure(self._reason)


class Worker:
    """Plays games one after the other; each finds its agents ready, and as if it were their first."""

    def __init__(self) -> None:
        self._agents: dict[tuple[str, str, str, int], Agent] = {}

    def play(self, task: GameTask) -> GameResult:
        """Plays one game; an agent that forfeits is closed, and made and started anew for its next game."""
        keys = [_key(task, seat) for seat in range(len(task.specs))]
        self._make_room(keys)
        result = play_game(task, [self._seated(key, task) for key in keys])
        if result.forfeit:
            _dismiss(self._agents.pop(keys[result.forfeit[0]]))
        return result

    def _make_room(self, keys: "list[tuple[str, str, str, int]]") -> None:
        """Lets agents go that have waited longest for a game, so that those of this one find room."""
        for key in keys:
            if key in self._agents:
                self._agents[key] = self._agents.pop(key)  # the order is that of the last use
        idle = [key for key in self._agents if key not in keys]
        for key in idle[: max(0, len(idle) + len(keys) - _MOST)]:
            _dismiss(self._agents.pop(key))

    def _seated(self, key: tuple[str, str, str, int], task: GameTask) -> Agent:
        if key not in self._agents:
            game = make_game(task.game, **parsed(task.options))
            agent = make_agent(key[2], game)
            self._agents[key] = agent
            try:
                prepared(agent, game, task.limit)
            except EngineFailure as failure:
                self._agents[key] = _Absent(str(failure))
        return self._agents[key]

    def close(self) -> None:
        """Ends all agents."""
        while self._agents:
            _dismiss(self._agents.popitem()[1])


def answered(worker: Worker, task: GameTask) -> Answer:
    """What a worker says to a task."""
    try:
        return worker.play(task)
    except DaedalusError as error:
        return Failure(str(error))
    except Exception as error:
        return Failure(f"game {task.number}: {type(error).__name__}: {error}")


def _dismiss(agent: Agent) -> None:
    with contextlib.suppress(Exception):  # whatever a user's agent does at its end, the others go on
        agent.close()


def _key(task: GameTask, seat: int) -> tuple[str, str, str, int]:
    """Which agent sits in a seat: of several with one spec each seat has its own, since they keep trees."""
    spec = task.specs[seat]
    return task.game, task.options, spec, task.specs[:seat].count(spec)


def prepared(agent: Agent, game: Game, limit: Limit | None) -> None:
    """Lets an agent get ready off the clock. One that fails at it may still play; an engine that does not start cannot.

    Who gets ready by rehearsing moves has the time of a move for it, so that one who hangs is soon found out.
    """
    rehearses = type(agent).prepare is Agent.prepare or (isinstance(agent, AgentAdapter) and not agent.prepares)
    try:
        with patience(hanging(limit) if rehearses and limit and limit.seconds else _PATIENCE):
            agent.prepare(game)
    except EngineFailure:
        raise
    except (Exception, SystemExit, Overdue):
        return


def warm(game: Game, specs: tuple[str, ...], limit: Limit | None) -> None:
    """Compiles what our agents need into the cache that all workers share; engines and users' code are left to the workers."""
    for spec in dict.fromkeys(specs):
        agent = make_agent(spec, game)
        if type(agent).__module__.startswith("daedalus.") and not isinstance(agent, (Engine, AgentAdapter)):
            prepared(agent, game, limit)
        agent.close()
