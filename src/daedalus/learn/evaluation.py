"""How strong a network is: matches in the arena against fixed opponents, with intervals, and against the best so far."""

import hashlib
from pathlib import Path
from typing import Any

from daedalus.agents import make_agent
from daedalus.arena import match
from daedalus.core.registry import registration_of
from daedalus.report import Estimate

from .recipe import Recipe


def demand_opponents(game: Any, recipe: Recipe) -> None:
    """Refuses opponents that there are not, before anything is trained."""
    for opponent in recipe.opponents:
        make_agent(opponent, game).close()


def match_name(stem: str, *settings: str) -> str:
    """A name for a match that no other of the run has, nor the same one after a folder was moved: its settings name files."""
    digest = hashlib.blake2b("\0".join(settings).encode(), digest_size=4).hexdigest()
    return f"{stem} {settings[-1][:50]} {digest}"


class Evaluator:
    """Plays a run's networks. Finished games are kept in the run's own store, from which a match goes on."""

    def __init__(self, game: Any, folder: Path, recipe: Recipe, seed: int, workers: int) -> None:
        self.game, self.folder, self.recipe, self.seed, self.workers = game, folder, recipe, seed, workers

    def scores(self, file: Path) -> dict[str, Estimate]:
        """The score against each of the recipe's opponents."""
        return {opponent: self._match(file, opponent, self.recipe.games).summary.score for opponent in self.recipe.opponents}

    def is_better(self, file: Path, best: Path) -> bool:
        """Does the recipe's test accept that a network is better than the best so far?

        The test knows games for two; with more seats the score's interval must lie above a half.
        """
        if self.game.SEATS != 2:
            return bool(self._match(file, self._spec(best), self.recipe.sprt_games).summary.score.low > 0.5)
        verdict = self._match(file, self._spec(best), self.recipe.sprt_games, self.recipe.sprt).verdict
        return verdict is not None and verdict.decision == "H1"

    def _match(self, file: Path, opponent: str, games: int, sprt: str | None = None) -> Any:
        return match(
            self.game,
            self._spec(file),
            opponent,
            games=games,
            seed=self.seed,
            workers=self.workers,
            sprt=sprt,
            db=str(self.folder / "matches.sqlite"),
            name=match_name(file.stem, registration_of(self.game).name, self._spec(file), opponent),
        )

    def _spec(self, file: Path) -> str:
        return f"net:{file},simulations={self.recipe.play}"
