"""One game of the arena: what it is, playing it, and what came of it."""

import contextlib
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from daedalus.agents.engine import Engine
from daedalus.core import Agent, DaedalusError, EngineFailure, Game, IllegalMove, Limit, Move, Outcome, Position, Thought
from daedalus.core.options import parsed
from daedalus.core.printable import printable, printable_error
from daedalus.core.record import Record, Remark
from daedalus.core.registry import make_game, registration_of

from .clock import MoveClock, Overdue, grace_for
from .openings import random_moves

_REASON = 500  # characters of a reason that are kept
_AT_FAULT = "at fault, another move is played"  # beside a move that is not the agent's own
_FAULT = re.compile(rf"seat (\d) {_AT_FAULT}: (.*)")

_SEED = re.compile(r'^\[Seed "(.*)"\]$', re.MULTILINE)
_STRING = r'"(?:[^"\\]|\\.)*"'
_COMMENT = re.compile(rf"({_STRING})|\{{(?:[^{{}}\"]|{_STRING})*\}}")  # a move in quotes may hold braces too: group 1

Fault = tuple[int, str]  # the seat that did something wrong, and what


@dataclass(frozen=True)
class GameTask:
    """All it takes to play one game, anywhere: texts and numbers only.

    `seats[k]` is the agent in seat k, by its place in the run's list; `specs` and `seeds` are those of the seats.
    The games of a `pair` share `seed`, which deals, and opening: the moves of `opening`, then `random_plies` random ones
    by `opening_seed`. An agent learns its own of the `seeds`; none of these numbers tells of another (core/seeds.py).
    """

    number: int
    pair: int
    game: str
    options: str
    seed: int
    seats: tuple[int, ...]
    specs: tuple[str, ...]
    seeds: tuple[int, ...]
    opening: tuple[str, ...] = ()
    random_plies: int = 0
    opening_seed: int = 0
    limit: Limit | None = None
    grace: float | None = None
    run: str = ""  # the name of the run it belongs to, where several are played at once


@dataclass(frozen=True)
class GameResult:
    """A finished game. `payoffs`, `wall` and `cpu` (seconds used) and `moves` (moves chosen) are by seat."""

    number: int
    pair: int
    seats: tuple[int, ...]
    payoffs: tuple[float, ...]
    plies: int
    wall: tuple[float, ...]
    cpu: tuple[float, ...]
    moves: tuple[int, ...]
    forfeit: Fault | None  # the seat that lost off the board, and why
    record: str

    def row(self) -> dict[str, Any]:
        """The game as plain values."""
        return {column.name: getattr(self, column.name) for column in fields(self)}

    @property
    def parsed(self) -> Record:
        """The record, read: tags, moves, remarks; `parsed.replay()` is the position at the end."""
        return Record.parse(self.record)

    @cached_property
    def signature(self) -> tuple[bytes, str]:
        """The moves, as a digest, without the remarks, which tell times; and the seed that dealt."""
        tags, _, moves = self.record.partition("\n\n")
        bare = " ".join(_COMMENT.sub(lambda found: found[1] or " ", moves).split())
        seed = _SEED.search(tags)
        return hashlib.blake2b(bare.encode("utf-8", "surrogateescape"), digest_size=16).digest(), seed[1] if seed else ""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What agents did wrong where the game has a move for that and goes on: seat and reason, in order."""
        if _AT_FAULT not in self.record:  # spares reading all the others
            return ()
        found = (_FAULT.fullmatch(remark.text) for remark in self.parsed.remarks if remark)
        return tuple((int(fault[1]), fault[2]) for fault in found if fault)

    @property
    def essence(self) -> tuple[Any, ...]:
        """What is the same whenever and wherever the game is played again: all but the times and the date."""
        told = self.number, self.pair, self.seats, self.payoffs, self.plies, self.moves, self.forfeit
        return *told, tuple(self.parsed.moves)


@dataclass
class _Card:
    """What a game has used so far, by seat, and a remark a move."""

    seats: int
    remarks: list[Remark | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wall, self.cpu, self.moves = [0.0] * self.seats, [0.0] * self.seats, [0] * self.seats

    def note(self, seat: int, clock: MoveClock) -> None:
        self.wall[seat] += clock.wall
        self.cpu[seat] += clock.cpu


def play_game(task: GameTask, agents: Sequence[Agent]) -> GameResult:
    """Plays a game between agents, given by seat.

    Whoever is late, plays an illegal move or fails in any other way forfeits (`Outcome.forfeited` says what each seat
    gets), and the record tells the reason. A game may have a move to be played instead (its `fault_move`): then it goes
    on, and the reason stands beside that move.
    """
    position = _opened(task)
    card = _Card(len(task.seats), [Remark(text="opening")] * len(position.history))
    forfeit = _begin(task, agents)
    while forfeit is None and position.outcome() is None:
        forfeit = _turn(task, position, agents[position.turn], card)
    outcome = position.outcome()
    if outcome is None:
        assert forfeit is not None
        outcome = Outcome.forfeited(forfeit[0], len(task.seats), f"seat {forfeit[0]} forfeits: {forfeit[1]}")
    return GameResult(
        number=task.number,
        pair=task.pair,
        seats=task.seats,
        payoffs=outcome.payoffs,
        plies=len(position.history),
        wall=tuple(round(seconds, 6) for seconds in card.wall),
        cpu=tuple(round(seconds, 6) for seconds in card.cpu),
        moves=tuple(card.moves),
        forfeit=forfeit,
        record=_record(task, position, card, outcome),
    )


def _opened(task: GameTask) -> Position:
    """The position in which the agents take over."""
    position = Position(make_game(task.game, **parsed(task.options)), task.seed)
    try:
        for move in task.opening:
            position.push(move)
    except IllegalMove as error:
        raise DaedalusError(
            f"game {task.number}: the opening {' '.join(task.opening)} does not fit its start: {error}"
        ) from None
    random_moves(position, task.random_plies, task.opening_seed)
    if position.outcome():
        raise DaedalusError(f"game {task.number}: it is over after the opening {' '.join(map(str, position.history))}")
    return position


def _begin(task: GameTask, agents: Sequence[Agent]) -> Fault | None:
    """Tells every agent that a game begins; a forfeit if one cannot take that."""
    for seat, agent in enumerate(agents):
        try:
            agent.new_game(task.seeds[seat])
        except (Exception, SystemExit) as error:
            return seat, _reason(error)
    return None


def _turn(task: GameTask, position: Position, agent: Agent, card: _Card) -> Fault | None:
    """One move on the clock, or what the game plays instead; a forfeit if there is neither."""
    seat = position.turn
    view = position.view(seat, task.seeds[seat])
    limit = task.limit.at(card.moves[seat]) if task.limit else None
    clock = MoveClock(agent, limit, grace_for(limit, task.grace))
    try:
        remark = _remark(_asked(agent, view, limit, clock, position), clock.wall)
    except _Misplay as fault:
        instead = _instead(view, task.seeds[seat])
        if instead is None:
            return seat, str(fault)
        position.push(instead)
        remark = Remark(round(clock.wall, 3), text=f"seat {seat} {_AT_FAULT}: {fault}")
        _revive(agent, position.game)
    finally:
        card.note(seat, clock)
    card.moves[seat] += 1
    card.remarks.append(remark)
    return None


class _Misplay(Exception):
    """An agent was late, illegal or failed; why."""


def _asked(agent: Agent, view: Position, limit: Limit | None, clock: MoveClock, position: Position) -> Thought:
    """Plays what an agent answers in time, or raises _Misplay and plays nothing."""
    try:
        with clock:
            thought = agent.choose(view, limit)
        if clock.late:
            raise Overdue
        position.push(thought.move)
        return thought
    except Overdue:
        raise _Misplay(clock.late) from None
    except (Exception, SystemExit) as error:
        raise _Misplay(_reason(error)) from None


def _instead(view: Position, seed: int) -> Move | None:
    """What the game plays for a seat at fault; None if that is a forfeit."""
    fault_move = registration_of(view.game).fault_move
    return fault_move(view, seed) if fault_move else None


def _revive(agent: Agent, game: Game) -> None:
    """Starts an engine that died again, off the clock; if it does not start, its next move tells."""
    if isinstance(agent, Engine):
        with contextlib.suppress(EngineFailure):
            agent.prepare(game)


def _reason(error: BaseException) -> str:
    """What went wrong, on one line."""
    if isinstance(error, EngineFailure):
        text = str(error)
    elif isinstance(error, IllegalMove):
        text = f"illegal move: {error}"
    else:
        text = f"failed: {type(error).__name__}: {printable_error(error)}"
    return printable(text, _REASON)


def _remark(thought: Thought, wall: float) -> Remark:
    """What is noted beside a move, with the arena's time; what an agent tells of itself may be anything."""
    try:
        told = Remark.of(thought)
    except (DaedalusError, TypeError):
        return Remark(round(wall, 3))
    return Remark(round(wall, 3), told.value, told.simulations)


def _record(task: GameTask, position: Position, card: _Card, outcome: Outcome) -> str:
    tags = {"Number": str(task.number), "Pair": str(task.pair)}
    return Record.from_position(position, task.specs, task.limit, card.remarks, tags, outcome.payoffs, outcome.reason).text
