"""How a network is trained, every number of it: a recipe, read from TOML, which a run's folder keeps."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daedalus.agents import make_agent
from daedalus.arena.sprt import Sprt
from daedalus.core import InvalidOption, InvalidSpec
from daedalus.core.errors import valid
from daedalus.core.options import refusal
from daedalus.core.recipes import TomlRecipe
from daedalus.core.registry import folder_of, game_names, registration_of

_HERE = Path(__file__).parent / "recipes"
SELFPLAY = "selfplay"


@dataclass(frozen=True)
class Recipe(TomlRecipe):
    """The general learner's recipe.

    layers        units of the two hidden layers; the second a multiple of four
    teacher       an agent whose games against itself teach first, limited by simulations; none if empty
    lessons       so many iterations have their positions from its games, and those are kept for good
    astray        share of random moves in its games, for variety
    simulations   of each self-play move, 0 for no self-play; c and fpu steer them, `noise` of the root's priors is random
    openings      a game begins with 0 to so many random moves
    sampled       for so many plies after them moves are drawn by their visits
    cap           plies of a self-play game, then it ends without a result
    later         share in a value's target of the next position's, and so of the result; the rest is the search's own value
    rows          new positions an iteration; `window` iterations are kept for training
    decided       share of the positions trained on that is drawn by the square of their values, the rest evenly: for games in
                  which few positions are won or lost
    passes        how often a position is trained on, on average, when it is new
    batch, rate   positions a step, and Adam's learning rate, which halves every `halve` iterations
    decay         of weights, a step, times the rate
    average       the network that plays is the running mean of the trained one, with this factor a step
    policy        weight of the policy's loss beside the value's
    evaluate      iterations between two evaluations: `games` against each of `opponents`, with `play` simulations a move
    sprt          the test by which a network replaces the best so far, within `sprt_games`: that it is stronger by Elo `0,50`;
                  or `-50,0`, that it is not weaker
    iterations    the run ends after so many, 0 for never (then minutes end it)
    """

    learner: str = SELFPLAY
    layers: tuple[int, int] = (128, 32)
    teacher: str = ""
    lessons: int = 0
    astray: float = 0.0
    simulations: int = 64
    c: float = 1.5
    fpu: float = 0.2
    noise: float = 0.25
    openings: int = 12
    sampled: int = 12
    cap: int = 200
    later: float = 0.9
    rows: int = 16_000
    window: int = 16
    decided: float = 0.0
    passes: float = 5.0
    batch: int = 1024
    rate: float = 0.002
    halve: float = 40.0
    decay: float = 0.01
    average: float = 0.995
    policy: float = 1.0
    evaluate: int = 25
    games: int = 60
    play: int = 100
    opponents: tuple[str, ...] = ("mcts:simulations=500",)
    sprt: str = "0,50"
    sprt_games: int = 200
    iterations: int = 0

    def check(self) -> None:
        """Refuses numbers with which nothing can be trained, or which no machine could hold."""
        for name, (low, high) in (_BOUNDS | self._lesson_bounds()).items():
            if not low <= getattr(self, name) <= high:  # what is no number is in no range
                raise refusal(name, getattr(self, name), f"{low:g} to {high:g}")
        if not self.simulations and not self.teacher:
            raise refusal("simulations", 0, f"1 to {_BOUNDS['simulations'][1]:g}, or 0 with a teacher")
        if len(self.layers) != 2 or min(self.layers) < 4 or self.layers[1] % 4 or max(self.layers) > 4096:
            raise refusal("layers", list(self.layers), "two numbers from 4 to 4096, the second a multiple of four")
        if not self.opponents:
            raise refusal("opponents", [], "at least one agent")
        Sprt.parse(self.sprt)

    def _lesson_bounds(self) -> dict[str, tuple[float, float]]:
        return {"lessons": (1, 10**6) if self.teacher else (0, 0)}


_BOUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("noise", "later", "average", "astray", "decay", "decided"), (0, 1)),
    **dict.fromkeys(("games", "sprt_games", "play", "evaluate", "window"), (1, 10**6)),
    "simulations": (0, 10**5),
    "c": (0, 1000),
    "fpu": (-10, 10),
    "openings": (0, 1000),
    "sampled": (0, 10**6),
    "cap": (1, 10**5),
    "rows": (1, 10**7),
    "passes": (0.001, 1000),
    "batch": (1, 1 << 16),
    "rate": (1e-9, 1),
    "halve": (0.01, 10**9),
    "policy": (0, 1000),
    "iterations": (0, 10**9),
}


def recipes() -> list[str]:
    """The names of the recipes that come with the package."""
    return sorted({SELFPLAY, *(path.stem for path in _HERE.glob("*.toml"))})


def read_recipe(name: str, game: Any = None) -> dict[str, Any]:
    """What a recipe's file says, by name or path; every recipe says by its `learner` who carries it out.

    `selfplay` is a game's own, `nets/selfplay.toml` in its folder, if it has one without a teacher or with one who plays these
    options; else the defaults.
    """
    own = _own(game) if name == SELFPLAY and game is not None else None
    path = own or (Path(name) if name.endswith(".toml") else _HERE / f"{name}.toml")
    if name == SELFPLAY and not path.exists():
        return {}
    if not name.endswith(".toml") and name not in recipes():
        raise InvalidOption(valid("recipe", name, recipes()) + ", or FILE.toml")
    try:
        return tomllib.loads(path.read_text())
    except OSError as error:
        raise InvalidOption(f"{name}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidOption(f"{name}: no TOML: {error}") from None


def _own(game: Any) -> Path | None:
    """A game's own recipe for self-play, unless it has a teacher who does not play the game with these options."""
    name = registration_of(game).name
    path = folder_of(name) / "nets" / f"{SELFPLAY}.toml" if name in game_names() else None
    if path is None or not path.exists():
        return None
    teacher = tomllib.loads(path.read_text()).get("teacher")
    try:
        if teacher:
            make_agent(teacher, game).close()
    except InvalidSpec:
        return None
    return path
