"""Does an agent keep its promises? One check for every agent, ours and users': `check_agent(spec, game)` returns a report.

It lets the agent play short games with small limits and looks at each answer: is it legal, would the same seed give it
again, does it depend on earlier games, on who watches or on what the seat cannot see, does it keep the limit, stop when told,
take a win.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from daedalus.core import Agent, Game, IllegalMove, InvalidSpec, Limit, Position, Thought, scramble
from daedalus.core.contract import offers
from daedalus.core.options import parsed, written
from daedalus.core.registry import game_names, make_game, registration_of
from daedalus.search import winning_moves

from .conformance import Broken, Progress, Report, demand, examine
from .spec import describe, make_agent

EFFORT = Limit(simulations=24, depth=2)  # of a move where nothing depends on how good it is
_PLIES = 16  # of a game that is looked at
_WINS = 8  # positions with a win at hand that an agent is asked about
_THINKING = 0.02  # seconds of the limit in time, and the CPU seconds after which it was surely not kept
_TOO_LONG = 1.0
_WATCHED = 0.5  # seconds in which whoever shows its thoughts has shown some


def games_for(spec: str) -> list[Game]:
    """The games that come with the package and that an agent plays with their usual options."""
    found: list[Game] = []
    for game in map(make_game, game_names()):
        try:
            make_agent(spec, game).close()
            found.append(game)
        except InvalidSpec as error:
            reason = error
    if not found:
        raise reason
    return found


def check_agent(spec: str, game: Game, seed: int = 1, progress: Progress | None = None) -> Report:
    """Checks an agent in a game with its options."""
    make_agent(spec, game).close()  # a spec that cannot be read is the caller's mistake, not a finding
    trial = Trial(spec, game, seed)
    parts = {part.__name__: partial(part, trial) for part in _PARTS}
    return examine(f"{spec} in {registration_of(game).name}", parts, _blame, progress)


def _blame(fault: BaseException) -> str:
    return f"{type(fault).__name__}: {' '.join(str(fault).split())[:300]}"


class Trial:
    """An agent under examination: it can be made anew and put into games against random moves."""

    def __init__(self, spec: str, game: Game, seed: int) -> None:
        self.spec, self.seed = spec, seed
        self.game: Any = game

    @contextmanager
    def agent(self) -> Iterator[Agent]:
        """The agent, as the arena would hand it a game."""
        made = make_agent(self.spec, self.game)
        try:
            made.new_game(self.seed)
            yield made
        finally:
            made.close()

    def play(self, agent: Agent, board: int, seat: int = 0, plies: int = _PLIES, limit: Limit = EFFORT) -> list[Thought]:
        """What the agent thought in a game in which the other seats move at random; each thought is looked at."""
        position, thoughts = Position(self.game, scramble(self.seed, board) >> 16), []
        while position.outcome() is None and len(position.history) < plies:
            if position.turn % self.game.SEATS == seat:
                thoughts.append(_sound(position, agent.choose(position.view(), limit)))
                position.push(thoughts[-1].move)
            else:
                position.push(_any_move(position, board))
        return thoughts


def _any_move(position: Position, seed: int) -> int:
    codes = position.legal_moves.codes
    return codes[scramble(seed, len(position.history)) % len(codes)]


def _sound(position: Position, thought: Any) -> Thought:
    """A thought whose parts fit the position and each other."""
    if not isinstance(thought, Thought):
        raise Broken(f"answers with {type(thought).__name__}, not with a Thought")
    codes = set(position.legal_moves.codes)
    demand(int(thought.move) in codes, "chooses illegal {} in {}", thought.move, position)
    told = [thought.value, *(candidate.value for candidate in thought.candidates)]
    demand(all(value is None or -1 <= value <= 1 for value in told), "tells a value outside [-1, 1] in {}", position)
    legal = all(int(candidate.move) in codes for candidate in thought.candidates)
    demand(legal, "names an illegal candidate in {}", position)
    first = not thought.candidates or thought.candidates[0].move == thought.move
    demand(first, "its first candidate is not the move it chooses in {}", position)
    demand(not thought.line or thought.line[0] == str(thought.move), "its line begins with another move in {}", position)
    return thought


def essence(thought: Thought) -> Thought:
    """A thought without the time it took."""
    return replace(thought, seconds=0.0)


def _legal_moves(trial: Trial) -> str:
    count = 0
    for seat in range(trial.game.SEATS):
        with trial.agent() as agent:
            count += len(trial.play(agent, board=seat, seat=seat))
    return f"{count} moves, all legal, told in thoughts that fit them"


def _the_same_from_the_same_seed(trial: Trial) -> str:
    with trial.agent() as one, trial.agent() as two:
        # enough work for searches to look at the clock in between, which must not matter
        limit = Limit(simulations=600, depth=3)
        first, second = (list(map(essence, trial.play(agent, board=7, plies=8, limit=limit))) for agent in (one, two))
    demand(len(first) == len(second), "two games from one seed differ in length")
    for place, (this, that) in enumerate(zip(first, second, strict=True), 1):
        demand(this == that, "its move {} differs from run to run: {} and {}", place, this.move, that.move)
    return f"{len(first)} moves, twice the same"


def _independent_of_games_before(trial: Trial) -> str:
    with trial.agent() as used, trial.agent() as new:
        limit = Limit(simulations=400)
        used.new_game(trial.seed + 1)
        trial.play(used, board=9, limit=limit)  # the same board: what is kept of it would be met again
        used.new_game(trial.seed)
        after, alone = (list(map(essence, trial.play(agent, board=9, limit=limit))) for agent in (used, new))
    for place, (this, that) in enumerate(zip(after, alone, strict=True), 1):
        demand(this == that, "its move {} depends on the game before: {} instead of {}", place, this.move, that.move)
    return f"{len(alone)} moves, the same after another game"


def _limits_kept(trial: Trial) -> str:
    most = 0.0
    with trial.agent() as agent:
        agent.prepare(trial.game)
        agent.new_game(trial.seed)
        for simulations in (1, 5, 500):
            allowed = max(simulations, trial.game.MAX_MOVES)  # nobody chooses without a look at every move
            for thought in trial.play(agent, simulations, plies=4, limit=Limit(simulations=simulations)):
                demand(thought.simulations <= allowed, "{} simulations, allowed {}", thought.simulations, simulations)
        for depth in (1, 2):
            for thought in trial.play(agent, depth, plies=4, limit=Limit(simulations=100, depth=depth)):
                demand(thought.depth <= depth, "looks {} plies ahead, allowed {}", thought.depth, depth)
        for board in range(2):
            begun = time.process_time()
            moves = len(trial.play(agent, board, plies=4, limit=Limit(seconds=_THINKING)))
            most = max(most, (time.process_time() - begun) / max(1, moves))
    demand(most <= _TOO_LONG, "a move took {:.2f} CPU seconds, allowed {:g}", most, _THINKING)
    return "simulations, depth and seconds"


def _watched_and_stopped(trial: Trial) -> str:
    """Nobody has to show what it thinks; who does is the same for it, and answers what it showed when it is stopped."""
    position = Position(trial.game, scramble(trial.seed, 13) >> 16)
    shown: list[Thought] = []

    def stop(thought: Thought) -> bool:
        shown.append(_sound(position, thought))
        return False

    with trial.agent() as agent:
        answer = _sound(position, agent.choose(position.view(), Limit(seconds=_WATCHED), stop))
        if not shown:
            return "it shows nothing while it thinks"
        demand(len(shown) == 1, "goes on for {} thoughts when it is stopped", len(shown) - 1)
        demand(essence(answer) == essence(shown[0]), "answers {} when stopped, having shown {}", answer.move, shown[0].move)
        trial.play(agent, board=14, plies=4)
    work = Limit(simulations=2 * max(1, answer.simulations), depth=answer.depth + 2)
    with trial.agent() as one, trial.agent() as two:
        alone = essence(one.choose(position.view(), work))
        watched = essence(two.choose(position.view(), work, lambda thought: None))
    demand(watched == alone, "chooses {} when watched, {} when not", watched.move, alone.move)
    return "the same when watched; answers at once what it showed when stopped"


def _a_win_at_hand_is_taken(trial: Trial) -> str:
    positions = _wins_at_hand(trial.game)
    if not positions:
        return "no win at hand was met"
    with trial.agent() as agent:
        for position in positions:
            thought = agent.choose(position.view(), Limit(simulations=2, depth=1))
            if thought.value is None and not thought.candidates:
                return "it does not judge moves"
            wins = [str(position.move(code)) for code in winning_moves(position.view())]
            demand(str(thought.move) in wins, "plays {} where {} wins, in {}", thought.move, " or ".join(wins[:4]), position)
    return f"{len(positions)} of {len(positions)}"


@lru_cache(maxsize=16, typed=True)  # games of two classes may be equal as tuples
def _wins_at_hand(game: Any) -> list[Position]:
    """Some positions in which a move wins at once, from games of quick players who leave such."""
    found: list[Position] = []
    quick = _quick_player(game)
    limit = Limit(simulations=50, depth=1)
    for board in range(2 * _WINS):
        position = Position(game, scramble(board) >> 16)
        while position.outcome() is None and len(position.history) < 600:
            if winning_moves(position.view()):
                found.append(position.copy())
                break
            stray = scramble(board, len(position.history)) % 4 == 0
            position.push(_any_move(position, board) if stray else quick.choose(position.view(), limit).move)
        if len(found) == _WINS:
            break
    return found


def _quick_player(game: Game) -> Agent:
    """Somebody who gets to the end of a game: its novice, where there is one that plays it with these options."""
    try:
        return make_agent("novice", game)
    except InvalidSpec:
        return make_agent("greedy", game)


def _an_ended_game_is_refused(trial: Trial) -> str:
    for position in _wins_at_hand(trial.game)[:1]:
        ended = position.copy()
        ended.push(winning_moves(position.view())[0])
        with trial.agent() as agent:
            try:
                agent.choose(ended.view(), EFFORT)
            except IllegalMove:
                return "with one clear error"
            raise Broken("chooses a move although the game is over")
    return "no ended game was met"


def _nothing_hidden_is_used(trial: Trial) -> str:
    if not offers(type(trial.game), "redeal"):
        return "nothing is hidden"
    count = 0
    position = Position(trial.game, scramble(trial.seed, 11) >> 16)
    while position.outcome() is None and len(position.history) < _PLIES:
        if len(position.history) % 4 == 0:
            truths = position, position.view().view(seed=99)  # the other differs in what the seat cannot know, only
            with trial.agent() as one, trial.agent() as two:
                this, that = (
                    essence(agent.choose(truth.view(), EFFORT)) for agent, truth in zip((one, two), truths, strict=True)
                )
            demand(this == that, "what it thinks depends on hidden cards, in {}", position)
            count += 1
        position.push(_any_move(position, trial.seed))
    return f"{count} pairs of deals that look alike, the same thoughts"


def _ready_before_the_clock_runs(trial: Trial) -> str:
    kind = registration_of(trial.game)
    if not kind.kernels.compiled:
        return "runs interpreted only"
    if ":" in kind.name and not kind.name.rpartition(":")[0].endswith(".py"):
        return "the game is defined in a running program, not in a file another process could load"
    words = [sys.executable, "-c", "from daedalus.agents.check_agent import rehearse; rehearse()"]
    run = subprocess.run([*words, trial.spec, kind.name, written(trial.game)], capture_output=True, text=True, timeout=900)
    demand(run.returncode == 0, "failed in a new process: {}", (run.stderr.strip().splitlines() or ["no message"])[-1][:300])
    prepared, later = map(int, run.stdout.split()[-2:])
    demand(later == 0, "{} kernels were loaded or compiled after it said it was ready", later)
    return f"{prepared} kernels loaded before the first move, none later"


def rehearse() -> None:
    """In a process of its own: how many kernels an agent had loaded when it was ready, and how many came later."""
    from daedalus.core.compile import kernels_loaded

    spec, name, options = sys.argv[1:]
    trial = Trial(spec, make_game(name, **parsed(options)), 1)
    position = Position(trial.game, 1)
    winning_moves(position.view())
    position.push(position.legal_moves.codes[0])
    with trial.agent() as agent:
        agent.prepare(trial.game)
        ready = kernels_loaded()
        for board in range(3):
            agent.new_game(board)
            trial.play(agent, board, seat=board % trial.game.SEATS, plies=200, limit=Limit(simulations=4, depth=1))
        print(ready, kernels_loaded() - ready)


def _closes_what_it_opened(trial: Trial) -> str:
    if not Path("/proc/self/fd").exists():
        return "this system does not tell what is open"
    with trial.agent() as agent:  # what stays loaded for good (kernels, tables) is loaded now
        trial.play(agent, board=12, plies=4)
    before = _open_things()
    for board in range(2):
        with trial.agent() as agent:
            trial.play(agent, board, plies=4)
    for kind, count in _open_things().items():
        demand(count <= before[kind], "leaves {} {} open", count - before[kind], kind)
    return "no thread, file or process is left"


def _open_things() -> dict[str, int]:
    children = [path.read_text().split() for path in Path("/proc/self/task").glob("*/children")]
    return {
        "threads": threading.active_count(),
        "files": len(os.listdir("/proc/self/fd")),
        "processes": int(np.sum([len(pids) for pids in children])),
    }


_PARTS: list[Callable[[Trial], str]] = [
    _legal_moves,
    _the_same_from_the_same_seed,
    _independent_of_games_before,
    _limits_kept,
    _watched_and_stopped,
    _a_win_at_hand_is_taken,
    _an_ended_game_is_refused,
    _nothing_hidden_is_used,
    _ready_before_the_clock_runs,
    _closes_what_it_opened,
]


def agents_of(name: str) -> list[str]:
    """The specs of all agents that can be named in a game that comes with the package."""
    return [info.name for info in describe(name) if info.name != "engine"]
