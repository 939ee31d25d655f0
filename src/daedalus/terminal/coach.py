"""The coach: an opponent that stays near the player's strength, and the file that remembers it from game to game.

Its grade is a number from 0 (moves at random) over 1 (novice), 2 (club) and 3 (strong) to 4 (expert). In between it plays
the better level in that share of its moves: at 1.3 three moves in ten are club's. After a game the grade moves up if the
player has won and down if not, by less the more games there were (a stochastic approximation of the grade against which
the player wins as often as is fair), but never by less than a fifth of a level, since players learn.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from daedalus.agents import make_agent
from daedalus.core import Agent, Game, Limit, Position, Thought, scramble
from daedalus.core.agent import Watch
from daedalus.core.files import replacing
from daedalus.core.registry import registration_of

if TYPE_CHECKING:
    from .session import Session

NAME = "coach"
NAMES = ("random moves", "novice", "club", "strong", "expert")
FIRST, TOP = 0.7, 4.0  # a newcomer's grade; the highest
_STEP, _LEAST = 0.8, 0.2  # what a game moves at first, and at least


@dataclass(frozen=True)
class Grade:
    """A player's grade in a game, after so many games with the coach."""

    level: float = FIRST
    games: int = 0

    def after(self, score: float, fair: float) -> "Grade":
        """The grade after a game that brought the player `score` (1 a win, 0 a loss) where `fair` was to be expected."""
        step = max(_LEAST, _STEP / (1 + self.games / 2))
        return Grade(min(TOP, max(0.0, self.level + step * (score - fair) / max(fair, 1 - fair))), self.games + 1)

    def __str__(self) -> str:
        low = min(int(self.level), len(NAMES) - 2)
        share = self.level - low
        if share < 0.05 or share > 0.95:
            return f"{self.level:.1f}, {NAMES[low + (share > 0.5)]}"
        return f"{self.level:.1f}, between {NAMES[low]} and {NAMES[low + 1]}"


# --- memory -----------------------------------------------------------------------------------------------------------


def _file() -> Path:
    return Path(platformdirs.user_data_dir("daedalus", appauthor=False)) / "coach.json"


def _read() -> dict[str, Any]:
    """What the file holds; nothing if there is none, or none that can be read."""
    with suppress(OSError, ValueError, RecursionError):
        held = json.loads(_file().read_text(encoding="utf-8"))
        if isinstance(held, dict):
            return held
    return {}


def grade_in(game: Game) -> Grade:
    """The player's grade in a game, as it is remembered."""
    held = _read().get(registration_of(game).name)
    with suppress(TypeError, KeyError, ValueError, OverflowError):
        level, games = float(held["level"]), int(held["games"])  # type: ignore[index]
        if 0 <= level <= TOP and games >= 0:
            return Grade(level, games)
    return Grade()


def remember(game: Game, grade: Grade) -> None:
    """Writes a grade; raises OSError where nothing can be written."""
    held = _read() | {registration_of(game).name: {"level": round(grade.level, 3), "games": grade.games}}
    with replacing(_file(), private=True) as path:
        path.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")


# --- the opponent -----------------------------------------------------------------------------------------------------


class Coach(Agent):
    """Plays each move at the level below or above its grade, so often that its strength lies between."""

    spec = NAME

    def __init__(self, game: Game, seed: int, specs: Sequence[str]) -> None:
        self.grade = grade_in(game)
        self.seed = seed
        self._game, self._specs = game, list(specs)
        self._agents: dict[int, Agent] = {}

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        low = min(int(self.grade.level), len(self._specs) - 2)
        dice = scramble(self.seed, len(view.history), view.turn) % 1000 / 1000
        return self._agent(low + (dice < self.grade.level - low)).choose(view, limit, watch)

    def _agent(self, level: int) -> Agent:
        if level not in self._agents:
            self._agents[level] = make_agent(self._specs[level], self._game, self.seed)
        return self._agents[level]

    def new_game(self, seed: int) -> None:
        super().new_game(seed)
        self.grade = grade_in(self._game)
        for agent in self._agents.values():
            agent.new_game(seed)

    def close(self) -> None:
        for agent in self._agents.values():
            agent.close()


def judged(session: "Session") -> list[str]:
    """After a game with the coach: notes how it ended, if the player did it alone, and says so."""
    coaches = [player.agent for player in session.players if isinstance(player.agent, Coach)]
    outcome = session.outcome
    if not coaches or outcome is None or len(session.humans) != 1:
        return []
    if session.helped:
        return ["With hints or moves taken back, the coach does not count this game."]
    game = session.position.game
    best = max(outcome.payoffs)
    winners = [seat for seat, payoff in enumerate(outcome.payoffs) if payoff == best]
    score = 1 / len(winners) if session.humans[0] in winners else 0.0
    grade = coaches[0].grade.after(score, 1 / game.SEATS)
    try:
        remember(game, grade)
    except OSError as error:
        return [f"The coach cannot remember this game: {error.strerror or error}"]
    return [f"The coach will play at {grade}."]
