"""Players that know Saboteur: the greedy agent of Cai and Xia (2020), a careful builder, and a search over what may be hidden."""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from daedalus.core import Candidate, Game, Limit, Position, Thought, Watch, setting
from daedalus.core.memory import copies, states, workspaces
from daedalus.core.registry import registration_of
from daedalus.search import PolicyPlayer, SearchAgent, TreeSearch
from daedalus.search.kernels.policies import Uniform

from .deck import USUAL
from .kernels.greedy import Greedy
from .kernels.habits import DEEDS, EVIDENCE, HALVES, KINDS, SPOTS, Likely
from .kernels.policies import NO_MOVE, Careful
from .kernels.tiles import CARDS
from .text import laid_tiles

VARIANTS: dict[str, dict[str, object]] = {"": {}, "maps4": {"maps": 4}, "hand5": {"hand": 5}}
# Uniform rollouts know nothing of the race: with them a search loses to the careful builder.
DEFAULTS: dict[str, dict[str, object]] = {
    "mcts": {"select": "puct", "c": 1.5, "rollout": "careful"},
    "mc": {"rollout": "careful"},
}
NOTHING = np.zeros(1, EVIDENCE)  # what moves tell of which nothing is known
POLICIES = {"careful": Careful, "greedy": Greedy}


def _kernels(game: Game) -> Any:
    return registration_of(game).kernels.load("daedalus.games.saboteur.kernels.play")


def _won(view: Position) -> Thought | None:
    """The win at hand that no hidden card can spoil, if there is one."""
    S, W = copies(view.game, [view.state], 2), workspaces(view.game, 1, 1)
    code = int(_kernels(view.game).sure_win(view.game, S, W))
    if code == NO_MOVE:
        return None
    sure = Candidate(view.move(code), 1.0, note="win in 1")
    return Thought(sure.move, 1.0, (sure,), (str(sure.move),), depth=1, note=sure.note)


# Both in the order of greedy.py's numbers.
MEASURES = ("spots", "centre", "ends", "nothing")
ROWS = ("ignore", "prefer", "require")


def _part(help: str) -> Any:
    """A part of the report's agent, to switch off."""
    return setting(True, help, bool)


def _wish(help: str) -> Any:
    """Something its authors wished for, to switch on."""
    return setting(None, f"{help} (as `destroy`)", bool)


@dataclass
class GreedyPlayer(PolicyPlayer):
    """The published report's agent: malus, map, then the connected tile nearest to the goal; at once."""

    destroy: bool = setting(False, "with all that the report wished for: finish, block, tear, mend, clear, rows=prefer", bool)
    goal: bool = _part("head for the nugget once it is known, not always for the middle objective")
    bonus: bool = _part("take an own malus away first of all")
    malus: bool = _part("play a malus before all that follows")
    map: bool = _part("look at objectives before laying tiles")
    valid: bool = _part("lay only tiles that lead through")
    connected: bool = _part("lay only tiles that are connected to the entrance")
    measure: str = setting(
        "spots", "what of a tile is nearest to the goal: any open spot, its centre, a new open end", str, MEASURES
    )
    order: bool = _part("drop in the report's order, not any card")
    finish: bool | None = _wish("win if one tile is missing to what may be the nugget")
    block: bool | None = _wish("shut the last open end before a goal, with a dead end if there is one")
    tear: bool | None = _wish("destroy a path that the other could finish")
    mend: bool | None = _wish("repair a cut path")
    clear: bool | None = _wish("destroy dead ends in the way")
    rows: str | None = setting(
        None, "vertical tiles on row 11, horizontal ones on row 12 (ignore; prefer if `destroy`)", str, ROWS
    )

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        return (_won(view) if self.policy().finish else None) or super().choose(view, limit, watch)

    def policy(self) -> Greedy:
        """The kernel's policy with these parts."""
        parts = {name: int(getattr(self, name)) for name in ("goal", "bonus", "malus", "map", "valid", "connected", "order")}
        wishes = {name: getattr(self, name) for name in ("finish", "block", "tear", "mend", "clear")}
        granted = {name: int(self.destroy if request is None else request) for name, request in wishes.items()}
        rows = self.rows or ("prefer" if self.destroy else "ignore")
        return Greedy(**parts, **granted, measure=MEASURES.index(self.measure), rows=ROWS.index(rows))


@dataclass
class CarefulPlayer(PolicyPlayer):
    """Builds the path but does not leave the other one tile from the nugget; at once."""

    patient: bool = setting(False, "let the other build, and wait for the chance to play a malus and run", bool)
    endgame: bool = setting(False, "play for the last two tiles once no malus is to be feared", bool)
    hope: int = setting(0, "build on to the end with so many tiles in the hand that lead on, 0 for never", int, low=0)

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        return _won(view) or super().choose(view, limit, watch)

    def policy(self) -> Careful:
        return Careful(patient=int(self.patient), endgame=int(self.endgame), hope=self.hope)


@dataclass
class InformationSetPlayer(SearchAgent):
    """Tree search over likely deals of the unseen cards, with careful rollouts; expects slips of who has made some."""

    simulations: int | None = setting(None, "at most so many simulations", int, low=1)
    c: float = setting(1.5, "exploration", float, low=0)
    fpu: float = setting(0.1, "an untried move counts its parent's value minus this", float)
    patient: bool = setting(True, "let the other build, unless it has shown that it slips", bool)
    endgame: bool = setting(True, "play for the last two tiles once no malus is to be feared", bool)
    infer: bool = setting(True, "deal the other's cards by what its moves tell of them", bool)
    adapt: bool = setting(True, "expect the other to slip as often as it has so far", bool)
    threads: int = setting(1, "independent trees on so many threads", int, low=1, high=256)
    nodes: int = setting(2_000_000, "a tree grows no larger", int, low=1)

    def make(self, game: Game) -> TreeSearch:
        shape: dict[str, Any] = {"c": self.c, "fpu": self.fpu, "threads": self.threads, "nodes": self.nodes, "seed": self.seed}
        # Rollouts go to the end: there is nothing to evaluate.
        return TreeSearch(Careful(), Uniform(), puct=True, dealer=Likely(NOTHING[0]), **shape)

    def choose(self, view: Position, limit: Limit | None = None, watch: Watch | None = None) -> Thought:
        search, slips = self.search(view.game), slips_expected(view) if self.adapt else 0.0
        # Who waits for somebody that does not build waits in vain.
        search.policy = Careful(patient=int(self.patient and slips == 0.0), endgame=int(self.endgame), slips=slips)
        search.dealer = Likely((evidence(view) if self.infer else NOTHING)[0])
        return super().choose(view, limit, watch)

    def decided(self, view: Position) -> Thought | None:
        return _won(view)

    def search(self, game: Game) -> TreeSearch:
        return cast(TreeSearch, super().search(game))


@cache
def habits() -> tuple[Any, ...]:
    """What moves tell of the cards behind them, as kernels/habits.py reads it; benchmarks/saboteur_habits.py learns it."""
    tables = {"kept": np.ones((SPOTS, DEEDS, KINDS)), "stay": np.ones((HALVES, DEEDS, CARDS)), "gone": np.ones((SPOTS, CARDS))}
    with open(Path(__file__).with_name("habits.csv"), newline="") as file:
        for name, *cells in csv.reader(file):
            table = tables[name]
            at = tuple(map(int, cells[: table.ndim - 1]))
            table[at] = [int(weight) / 100 for weight in cells[table.ndim - 1 :]]
    return tuple(tables.values())


def evidence(view: Position) -> Any:
    """What the other's moves tell the seat to move; nothing if the game did not begin at the beginning with the usual deck."""
    game = cast(Any, view.game)
    if game.deck != USUAL:
        return NOTHING
    E, S = np.zeros(1, EVIDENCE), states(game, 1)
    S[0].nugget = view.state.nugget
    kernels = registration_of(game).kernels.load("daedalus.games.saboteur.kernels.habits")
    dealt = game.hand, game.cards - 2 * game.hand
    kernels.gather(S, workspaces(game, 1, 1), E, _moves(view), view.turn, *dealt, *habits())
    return E if laid_tiles(S[0]) == laid_tiles(view.state) else NOTHING


def _moves(view: Position) -> Any:
    return np.array([int(move) for move in view.history], np.int64)


def slips_expected(view: Position) -> float:
    """How often the other seat may be expected to play anything at all, by the moves both have seen; 0 without evidence.

    One pointless move in four proves nothing: a sound player has nowhere better to lay a tile now and then.
    """
    moves = _moves(view)
    S = states(view.game, 1)
    judged, pointless = _kernels(view.game).wildness(S, workspaces(view.game, 1, 1), moves, 1 - view.turn)
    if laid_tiles(S[0]) != laid_tiles(view.state):  # the game did not begin at the beginning: the moves tell nothing
        return 0.0
    return max(0.0, 2.0 * float(pointless) / (float(judged) + 2.0) - 0.5)


AGENTS: dict[str, Any] = {
    "greedy": GreedyPlayer,
    "careful": CarefulPlayer,
    "ismcts": InformationSetPlayer,
    "expert": "ismcts",
    "strong": "careful:hope=4",
    "club": "careful:hope=1",
    "novice": "greedy:map=no,malus=no",
}


def opponent(game: Game) -> str:
    """Whom one plays against when nobody is named."""
    return "expert"


__all__ = ["AGENTS", "DEFAULTS", "POLICIES", "VARIANTS", "opponent"]
