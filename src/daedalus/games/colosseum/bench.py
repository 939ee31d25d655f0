"""What `daedalus bench colosseum` measures beside what it measures of every game."""

from collections.abc import Callable, Iterator
from typing import Any

from daedalus.core import Limit, Position
from daedalus.core.memory import copies, states, workspaces
from daedalus.core.registry import make_game, registration_of

from .expert import PrincipalSearch
from .report import ReportSearch

Work = tuple[str, Callable[[int], int], str]

# After 24 plies of the heuristic choice against itself.
MIDGAME = "12 3,2 4,3 A | 0,8r 1,3d 3,2r 3,2d 3,3d 3,4r 3,5d 4,2r 4,4d 5,2d 5,3r 5,5r 5,9d 6,1r 6,2r 6,6d 7,3d 7,6d 7,9d 8,1d 8,3r 9,0d 9,2d 9,3r 9,4d 9,6r 9,6d 9,7d 9,8d 9,9r 10,4r 11,2r 11,6r 11,8r"


def works() -> Iterator[Work]:
    """Games of random walks at size 8, a list of moves at size 12, simulations of `seed` at 9, positions judged at 8 and 12."""
    yield "walk_games", _walk_games, "1/s"
    yield "legal_moves_us", _list_moves, "us"
    yield "seed.simulations", _thinking(ReportSearch, 9, 5_000), "1/s"
    yield "seed.first.simulations", _thinking(lambda: ReportSearch(untried="first"), 9, 5_000), "1/s"
    for size in (8, 12):
        yield f"expert.size{size}.evaluations", _thinking(PrincipalSearch, size, 100_000), "1/s"


def _kernels(game: Any) -> Any:
    return registration_of(game).kernels.load("daedalus.games.colosseum.kernels.measures")


def _walk_games(n: int) -> int:
    game = make_game("colosseum")
    _kernels(game).walk_games(game, states(game, 2), workspaces(game, 1, 1), n)
    return n


def _list_moves(n: int) -> int:
    game = make_game("colosseum", size=12)
    position = Position.from_text(game, MIDGAME)
    _kernels(game).list_moves(game, copies(game, [position.state], 1), workspaces(game, 1, 1), n)
    return n


def _thinking(search: Callable[[], Any], size: int, effort: int) -> Callable[[int], int]:
    """Searches of so much effort, each from a start of its own."""

    def work(n: int) -> int:
        done = 0
        for seed in range(n):
            position = Position(make_game("colosseum", size=size), seed)
            done += search().think(position.view(), Limit(simulations=effort)).simulations
        return done

    return work
