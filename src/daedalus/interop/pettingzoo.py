"""Games as PettingZoo environments: the seats in turn (AEC), what each sees, and the mask of its legal actions.

from daedalus.interop.pettingzoo import env
game = env("saboteur", render_mode="ansi")
"""

import random
from typing import Any

from daedalus.core import Game, IllegalMove, InvalidOption, Position
from daedalus.core.registry import make_game, registration_of
from daedalus.core.seeds import SEED_BITS

from .extra import missing
from .observing import RENDER_MODES, legal_actions, observation, refuse_unfit, rendered, whole_number
from .spaces import action_space, observation_space

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
except ModuleNotFoundError as error:
    raise missing(error) from None


class GameEnv(AECEnv):  # type: ignore[misc]
    """One game; seat 0 is `player_0`. `position` is the game itself, hidden cards included.

    `max_moves` moves truncate it. An illegal action raises IllegalMove; with illegal="random" a random legal one is taken
    instead of it.
    """

    def __init__(self, game: Game, render_mode: str | None = None, max_moves: int | None = None, illegal: str = "lose") -> None:
        refuse_unfit(game, render_mode, illegal)
        if max_moves is not None and max_moves < 1:
            raise InvalidOption("max_cycles takes a whole number from 1, or None")
        super().__init__()
        self.game = game
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{registration_of(game).name}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.SEATS)]
        self.observation_spaces = {agent: observation_space(game) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(game) for agent in self.possible_agents}
        self._max_moves = max_moves
        self._illegal = illegal
        self._rng: random.Random | None = None

    def observation_space(self, agent: str) -> Any:
        """What a seat may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What a seat may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game: the same seed deals the same; without one, a new game follows the one before."""
        if seed is not None or self._rng is None:
            self._rng = random.Random(seed)
        self.position = Position(self.game, self._rng.getrandbits(SEED_BITS))
        self._legal = legal_actions(self.position)
        self.agents = self.possible_agents[:]
        self.rewards: dict[Any, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[Any, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Any, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.position.turn]

    def observe(self, agent: str) -> dict[str, Any]:
        """`observation` and `action_mask` of a seat; the mask is empty when it is not its turn."""
        return observation(self.position, self.possible_agents.index(agent), self._legal)

    def step(self, action: int | None) -> None:
        """Makes an action for the seat whose turn it is; None for one whose game has ended."""
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        self.position.push(self._move(action))
        self._legal = legal_actions(self.position)
        self._cumulative_rewards[mover] = 0.0
        self._settle()
        self.agent_selection = self.possible_agents[self.position.turn]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _move(self, action: int | None) -> int:
        if action is not None and int(action) in self._legal:
            return self._legal[int(action)]
        if self._illegal == "random" and self._rng is not None:
            return self._legal[self._rng.choice(sorted(self._legal))]
        raise IllegalMove(f"action {action} is not legal for {self.agent_selection}: see its action_mask")

    def _settle(self) -> None:
        """What the last move means for all seats."""
        outcome = self.position.outcome()
        cut = self._max_moves is not None and len(self.position.history) >= self._max_moves
        payoffs = outcome.payoffs if outcome else (0.0,) * self.game.SEATS
        self.rewards = dict(zip(self.possible_agents, payoffs, strict=True))
        self.terminations = dict.fromkeys(self.agents, outcome is not None)
        self.truncations = dict.fromkeys(self.agents, cut and outcome is None)

    def render(self) -> Any:
        """The position as the seat to move sees it: see `render_mode`."""
        return None if self.render_mode is None else rendered(self.position, self.position.turn, self.render_mode)

    def close(self) -> None:
        """Nothing is held."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


def _wrapped(game: Game, render_mode: str | None, max_moves: int | None, illegal: str) -> Any:
    made: Any = GameEnv(game, render_mode, max_moves, illegal)
    if illegal == "lose":
        made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


def env(
    name: str, /, render_mode: str | None = None, max_cycles: int | None = None, illegal: str = "lose", **options: Any
) -> Any:
    """A game with its options as an AEC environment: `env("labyrinth", players=3)`.

    `max_cycles` rounds, in which each seat has one turn, truncate a game; by default its rules alone end it. An illegal
    action loses the game, as in PettingZoo's own ones, or with illegal="random" is replaced by a random legal one.
    """
    game = make_game(name, **options)
    return _wrapped(game, render_mode, _moves(max_cycles, game.SEATS), illegal)


def parallel_env(
    name: str, /, render_mode: str | None = None, max_cycles: int | None = None, illegal: str = "lose", **options: Any
) -> Any:
    """The same as a parallel environment, in which one step is the turn of one seat: the others' actions are ignored.

    `max_cycles` counts these steps.
    """
    return turn_based_aec_to_parallel(_wrapped(make_game(name, **options), render_mode, _moves(max_cycles, 1), illegal))


def _moves(cycles: int | None, a_cycle: int) -> int | None:
    """The moves in so many cycles."""
    return None if cycles is None else whole_number("max_cycles", cycles) * a_cycle
