"""One seat of a game as a Gymnasium environment, the others played by agents; importing this registers all games.

import gymnasium
import daedalus.interop.gymnasium
env = gymnasium.make("daedalus/Quoridor-v0", opponent="heuristic")
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from daedalus.agents import make_agent
from daedalus.core import DaedalusError, Game, InvalidOption, Position
from daedalus.core.registry import game_names, make_game, registration_of, rules_of
from daedalus.core.seeds import SEED_BITS

from .extra import missing
from .observing import RENDER_MODES, legal_actions, observation, refuse_unfit, rendered, whole_number
from .spaces import action_space, observation_space

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise missing(error) from None

_DEALS = 100  # games that the others may end before the seat's first turn, one after another


class SeatEnv(gymnasium.Env):  # type: ignore[misc]
    """A seat of a game against an agent, which plays all others.

    `opponent` is any agent's spec; `seat` a number, or None to draw one for each game. The reward is the result of the game
    for the seat, when it has ended. An illegal action loses the game (-1), or with illegal="random" is replaced by a random
    legal one; either way info["illegal"] is True. `position` is the game itself, hidden cards included.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        game: Game | str,
        opponent: str = "random",
        seat: int | None = 0,
        illegal: str = "lose",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = make_game(game, **options) if isinstance(game, str) else game
        refuse_unfit(self.game, render_mode, illegal)
        if seat is not None and seat not in range(self.game.SEATS):
            raise InvalidOption(f"there is no seat {seat}; {registration_of(self.game).name} has {self.game.SEATS}")
        if not isinstance(opponent, str):
            raise InvalidOption(f"opponent is the spec of an agent, not {opponent!r}")
        self.render_mode = render_mode
        self.observation_space = observation_space(self.game)
        self.action_space = action_space(self.game)
        self._opponents = [make_agent(opponent, self.game) for _ in range(self.game.SEATS)]
        self._given_seat = seat
        self._illegal = illegal
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new game, up to the first turn of the seat; the same seed gives the same game."""
        super().reset(seed=seed)
        for _ in range(_DEALS):
            self._begin()
            if self.position.outcome() is None:
                self._over = False
                return self._seen(), {"seat": self.seat}
        raise DaedalusError(f"games end before the first turn of seat {self.seat}")

    def _begin(self) -> None:
        self.seat = int(self.np_random.integers(self.game.SEATS)) if self._given_seat is None else self._given_seat
        self.position = Position(self.game, self._number())
        for agent in self._opponents:
            agent.new_game(self._number())
        self._await_turn()

    def _number(self) -> int:
        return int(self.np_random.integers(1 << SEED_BITS))

    def _await_turn(self) -> None:
        """The others move until it is the seat's turn or the game has ended."""
        while self.position.outcome() is None and self.position.turn != self.seat:
            agent = self._opponents[self.position.turn]
            self.position.push(agent.choose(self.position.view()).move)
        self._legal = legal_actions(self.position)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, under the name that learners with masks (sb3-contrib) ask for."""
        return self._seen()["action_mask"].astype(bool)  # type: ignore[no-any-return]

    def _seen(self) -> dict[str, Any]:
        return observation(self.position, self.seat, self._legal)

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Makes an action, and the others' moves after it."""
        if self._over:
            raise DaedalusError("no game is under way: reset() comes before the next step")
        info: dict[str, Any] = {"seat": self.seat}
        number = whole_number("action", action)
        if number not in self._legal:
            info["illegal"] = True
            if self._illegal == "lose":
                self._over = True
                return self._seen(), -1.0, True, False, info
            number = int(self.np_random.choice(sorted(self._legal)))
        self.position.push(self._legal[number])
        self._await_turn()
        if self.render_mode == "human":
            self.render()
        outcome = self.position.outcome()
        if outcome is None:
            return self._seen(), 0.0, False, False, info
        self._over = True
        return self._seen(), float(outcome.payoffs[self.seat]), True, False, info | {"ending": outcome.reason}

    def render(self) -> Any:
        """The position as the seat sees it: see `render_mode`."""
        return None if self.render_mode is None else rendered(self.position, self.seat, self.render_mode)

    def close(self) -> None:
        """Gives back what the opponents hold."""
        for agent in self._opponents:
            agent.close()


def _register() -> None:
    for name in game_names():
        number = f"daedalus/{rules_of(name).__name__}-v0"
        if number not in gymnasium.registry:
            gymnasium.register(number, entry_point=f"{__name__}:{SeatEnv.__name__}", kwargs={"game": name})


_register()
