"""The expert: a look at every move over sampled replies, then play-outs for the best, halving their number again and again.

Near the end of a game of two, on boards up to 8 x 8, it proves which moves come home whatever the other does, see
endgame.py. A proven win comes before whatever was sampled, a proven loss after it.
"""

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from daedalus.core import Candidate, Limit, Position, Thought, scramble
from daedalus.core.memory import copies, workspaces
from daedalus.core.options import setting
from daedalus.search import SearchAgent
from daedalus.search.base import Run, Search, Texts
from daedalus.search.budget import Budget

from .deciding import PROVEN, Deciding, kernels_of
from .kernels.knowledge import ANY
from .kernels.policies import GUARDING, PLANNING
from .kernels.suspicion import TURNS
from .race import race_table
from .text import decoded, played

_AT_ONCE = 6  # replies sampled for every insertion before any gets more; at first one, so that the time suffices for all
_LOOK = 0.35  # share of the time for the first look at all moves
_TRIED = 16  # moves tried for each that is to be compared, near the end
_UNPROVEN = 0.999  # the best that is said of a look or of play-outs: only a proof is worth 1


@dataclass
class Expert(Deciding, SearchAgent):
    """Looks at every move over sampled replies, then compares the best by play-outs, halving their number again and again."""

    seconds: float | None = setting(None, "think at most so long a move", float, low=1e-6)
    simulations: int | None = setting(None, "play-outs a move (12,000 if no limit is given)", int, low=1)
    keep: int = setting(16, "moves compared by play-outs", int, low=1)
    depth: int = setting(5, "turns of a play-out", int, low=0)
    samples: int = setting(24, "replies sampled for each insertion", int, low=1)
    success: float = setting(0.53, "chance to find a goal in a turn, beyond the play-outs", float, low=0.01, high=0.99)
    home: float = setting(0.26, "chance to come home in a turn, which the others can foresee", float, low=0.01, high=0.99)
    guarding: float = setting(0.1, "chance to find a goal while another heads home", float, low=0.01, high=0.99)
    hindrance: float = setting(
        1.5, "so many cards that may be a goal halve the chance that it is guessed, and hindered", float, low=0
    )
    guard: bool = setting(
        True, "up to 8 x 8, players of the play-outs keep each other from coming home and from goals they guess", bool
    )
    exact: bool = setting(True, "near the end, look for moves that come home for certain", bool)
    suspect: bool = setting(True, "goals that the others left or turned away from are less likely", bool)
    trust: float = setting(50.0, "play-outs that the first look at a move is worth", float, low=0)

    USUAL = Limit(simulations=12_000)

    def race(self, game: Any) -> Any:
        """The race table of a game."""
        return race_table(self.success, self.home, self.guarding, self.hindrance, bool(game.open))

    def make(self, game: Any) -> "HalvingSearch":
        return HalvingSearch(self)


@dataclass
class HalvingSearch(Search):
    """The expert's search, with its options."""

    agent: Expert

    def warm(self, view: Position) -> None:
        _Comparison(self.agent, view, Limit()).touch()

    def begin(self, view: Position, limit: Limit) -> Run:
        return _Comparison(self.agent, view, limit)


def _endgame(game: Any) -> Any:
    """The kernels of the endgame, for games that it understands; on large boards a proof may take seconds."""
    understood = game.players == 2 and not (game.block or game.again)
    return kernels_of(game, "endgame") if understood and game.side == 8 else None


def _policy(game: Any, guard: bool) -> int:
    """Who plays the play-outs; on large boards few of the pushes that a guard would try help."""
    return GUARDING if guard and game.side == 8 else PLANNING


class _Comparison(Run):
    """One decision of the expert."""

    def __init__(self, agent: Expert, view: Position, limit: Limit) -> None:
        self.agent, self.view, self.limit, self.texts = agent, view, limit, Texts(view)
        self.moves = np.array(view.legal_moves.codes)
        self.game: Any = view.game
        self.kernels = kernels_of(view.game, "sequential_halving")
        self.endgame = _endgame(view.game)
        self.S = copies(view.game, [view.state], 4)
        self.W = workspaces(view.game, 2, scramble(agent.seed, len(view.history), view.turn))
        self.policy = _policy(view.game, agent.guard)
        self.race = agent.race(view.game)
        self.weights = self._suspicions()
        insertions = self.moves // view.state.marker.size
        firsts = np.flatnonzero(np.diff(insertions, prepend=-1))
        self.starts = np.append(firsts, self.moves.size)
        self.values = np.zeros(self.moves.size)
        self.proven = np.zeros(self.moves.size)  # 1 comes home for certain, -1 lets the other do so
        self.depth = agent.depth if limit.depth is None else min(agent.depth, limit.depth)
        self._set_out(np.zeros(0, np.int64))

    def _suspicions(self) -> Any:
        """How likely each seat looks for each marker, as far as the last moves tell."""
        weights = np.ones((4, 31))
        if self.agent.suspect and not (self.game.again or self.game.goals == ANY):
            s, last = self.view.state, self.view.history[-self.game.players * (TURNS + 1) :]
            made = [decoded(self.game, played(self.game, s, str(move))) for move in last]
            locations, cells = (np.array([move[k] for move in made], np.int64) for k in (0, 2))
            kernels_of(self.game, "suspicion").suspect(self.game, self.S, self.W, locations, cells, weights)
        return weights

    def touch(self) -> None:
        """Calls every kernel once."""
        first, C = np.zeros(1, np.int64), copies(self.game, [self.view.state], 1)
        self.kernels.assess(self.game, self.S, self.W, self.weights, self.moves, self.starts, 0, 1, 1, self.race, self.values)
        self.kernels.make_moves(self.game, self.S, C, self.moves[first])
        self._set_out(first)
        self._compare(C, first, 1)
        if self.endgame is not None:
            self.endgame.winning_move(self.game, self.S, self.W)
            self.endgame.loses(self.game, self.S, self.W, self.moves[0])

    def _set_out(self, kept: Any) -> None:
        """The moves at these places are compared by play-outs from now on."""
        self.kept, self.totals, self.visits = kept, np.zeros(kept.size), np.zeros(kept.size, np.int64)

    def look(self, budget: Budget) -> None:
        """Values every move over sampled replies, a few at a time, for at most a third of the time."""
        groups = self.starts.size - 1
        share = _LOOK * (self.limit.seconds or float("inf"))
        order = scramble(self.agent.seed, len(self.view.history)) % groups
        fresh = np.zeros(self.moves.size)
        done = 0
        while done < self.agent.samples:
            samples = min(_AT_ONCE if done else 1, self.agent.samples - done)
            for k in range(groups):
                g = (order + k) % groups
                here = slice(self.starts[g], self.starts[g + 1])
                self.kernels.assess(
                    self.game, self.S, self.W, self.weights, self.moves, self.starts, g, g + 1, samples, self.race, fresh
                )
                self.values[here] += (fresh[here] - self.values[here]) * samples / (done + samples)
                if budget.stopped() or budget.clock.elapsed > share:
                    return
            done += samples

    def settle(self, budget: Budget) -> None:
        """Near the end: is there a move that comes home for certain? If not, which ones let the other do so?

        Moves are cleared of that, the best first, until there are as many as will be compared; in a lost position there
        are none, so the search for them ends some time.
        """
        s, me = self.view.state, self.view.turn
        turns_left = self.game.cap - int(s.ply) if self.game.cap else float("inf")
        if s.found[me] >= s.cards and turns_left > 2:  # the other's reply is not the last turn
            move = int(self.endgame.winning_move(self.game, self.S, self.W))
            self.proven[self.moves == move] = 1.0
        if self.proven.any() or s.found[1 - me] < s.cards or turns_left <= 3:
            return
        cleared = 0
        for i in np.argsort(-self.values, kind="stable")[: _TRIED * self.agent.keep]:
            if self.endgame.loses(self.game, self.S, self.W, self.moves[i]):
                self.proven[i] = -1.0
            else:
                cleared += 1
            late = self.limit.seconds and budget.clock.elapsed > 0.5 * self.limit.seconds
            if cleared == self.agent.keep or late or budget.stopped():
                return

    def search(self, budget: Budget) -> None:
        self.look(budget)
        if self.endgame is not None and self.agent.exact:
            self.settle(budget)
        self._set_out(self._best())
        if self.kept.size > 1:
            self._halve(budget)

    def thought(self, budget: Budget) -> Thought:
        if not self.kept.size:  # while it looks at all moves
            now = copy.copy(self)
            now._set_out(self._best())
            return now.thought(budget)
        means = self._means(np.arange(self.kept.size))
        order = np.lexsort((-means, self.visits < self.visits.max()))
        candidates = tuple(self._candidate(self.kept[i], means[i], self.visits[i]) for i in order)
        best = candidates[0]
        line = (str(best.move),)
        return Thought(best.move, best.value, candidates, line, budget.done, self.depth, budget.clock.elapsed, best.note)

    def _best(self) -> Any:
        """The moves to compare: the one proven to win alone, else the best of those not proven to lose."""
        order = np.argsort(-self.values, kind="stable")
        best = order[self.proven[order] == self.proven.max()]
        return best[: self.agent.keep]

    def _means(self, alive: Any) -> Any:
        """The chance to win with each move: its play-outs and the look at it, which counts as a few play-outs."""
        trust = self.agent.trust
        looked = trust * self.values[self.kept[alive]]
        return (self.totals[alive] + looked) / np.maximum(self.visits[alive] + trust, 1e-9)

    def _candidate(self, i: int, mean: float, visits: int) -> Candidate:
        move = self.texts.move(int(self.moves[i]))
        if self.proven[i]:
            return Candidate(move, float(self.proven[i]), int(visits), PROVEN[float(self.proven[i])])
        return Candidate(move, float(2 * min(mean, _UNPROVEN) - 1), int(visits))

    def _halve(self, budget: Budget) -> None:
        C = copies(self.game, [self.view.state], self.kept.size)
        self.kernels.make_moves(self.game, self.S, C, self.moves[self.kept])
        alive = np.arange(self.kept.size)
        stages = max(1, int(np.ceil(np.log2(alive.size))))
        for stage in range(stages):
            self._rounds(C, alive, (stage + 1) / stages, budget)
            if stage + 1 < stages:
                order = np.argsort(-self._means(alive), kind="stable")
                alive = np.sort(alive[order[: max(2, (alive.size + 1) // 2)]])

    def _rounds(self, C: Any, alive: Any, share: float, budget: Budget) -> None:
        """Rounds of play-outs, one for each move alive, until this share of the limit is used.

        How many there are in a call of the kernel depends on the clock; how many in all, and what they give, does not.
        """
        total, seconds = self.limit.simulations, self.limit.seconds
        end = float("inf") if total is None else int(share * total)
        until = float("inf") if seconds is None else (_LOOK + share * (1 - _LOOK)) * seconds
        while end - budget.done >= alive.size and budget.clock.elapsed < until and (chunk := budget.next()):
            rounds = max(1, int(min(chunk, end - budget.done)) // alive.size)
            self._compare(C, alive, rounds)
            budget.note(rounds * alive.size)

    def _compare(self, C: Any, alive: Any, rounds: int) -> None:
        how = (rounds, self.depth, self.policy, self.race)
        self.kernels.compare(self.game, self.S, C, self.W, self.weights, alive, *how, self.totals, self.visits)
