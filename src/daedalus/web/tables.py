"""A table: one game with its seats, clocks, undone moves and draw offers. It does no input or output."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from daedalus.core import IllegalMove, Move, Outcome, Position
from daedalus.core.clocks import Clocks, read_clock
from daedalus.core.grid import seat_names
from daedalus.core.hidden import hides, learned
from daedalus.core.record import Record
from daedalus.core.seeds import derive

from .catalogue import Catalogue
from .store import SavedMove, SavedTable

AGENT, HUMAN = "agent", "human"


def new_id() -> str:
    """An id or a token that nobody can guess."""
    return secrets.token_urlsafe(18)


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


@dataclass
class Seat:
    """Who sits there: a person, known by the hash of a token, or an agent by its spec and the name it was asked for by."""

    who: str
    spec: str | None = None
    label: str = ""
    token: str | None = None
    holders: set[str] = field(default_factory=set)  # hashes of clients' ids

    def opened_by(self, token: str | None) -> bool:
        """Is this the seat's token?"""
        return self.token is not None and token is not None and secrets.compare_digest(self.token, hashed(token))


class Table:
    """One game and who plays it."""

    def __init__(self, identity: str, game_id: str, position: Position, seats: list[Seat], secret: bytes, creator: str) -> None:
        self.id, self.game_id, self.position, self.seats = identity, game_id, position, seats
        self.secret, self.creator = secret, creator
        self.clock_text: str | None = None
        self.clocks: Clocks | None = None
        self.pace: float | None = None
        self.paused = False
        self.values: list[float | None] = []
        self.given_up: Outcome | None = None
        self.offer: int | None = None
        self.accepted: set[int] = set()
        self.undone: list[tuple[str, float | None]] = []
        self.next: str | None = None
        self.hidden = hides(position.game)

    @property
    def names(self) -> list[str]:
        return seat_names(self.position.game)

    @property
    def ply(self) -> int:
        return len(self.position.history)

    @property
    def outcome(self) -> Outcome | None:
        return self.given_up or self.position.outcome()

    @property
    def turn(self) -> int | None:
        """The seat to move; None when the game is over."""
        return None if self.outcome is not None else self.position.turn

    @property
    def humans(self) -> list[int]:
        return [seat for seat, sitter in enumerate(self.seats) if sitter.who == HUMAN]

    @property
    def agent_to_move(self) -> bool:
        return self.turn is not None and self.seats[self.turn].who == AGENT

    def held_by(self, client: str | None, token: str | None = None) -> list[int]:
        """The seats of a client (by the hash of its id) or of a token."""
        return [
            n for n, seat in enumerate(self.seats) if (client is not None and client in seat.holders) or seat.opened_by(token)
        ]

    def at(self, ply: int) -> Position:
        """The position after so many moves."""
        position = self.position.copy()
        while len(position.history) > ply:
            position.pop()
        return position

    def agent_seed(self, seat: int, purpose: str = "agent") -> int:
        """The dice of an agent: one-way from a secret of its own, so that they tell nothing of the deal."""
        return derive(self.secret, purpose, seat)

    # --- moves --------------------------------------------------------------------------------------------------------

    def read(self, text: str) -> Move:
        """The move that the seat to move means; a refusal tells only what that seat knows."""
        if self.outcome is not None:
            raise IllegalMove(f"the game is over ({self.outcome.reason})")
        return self.position.view().parse(text)

    def after(self, move: Move) -> Position:
        """The position after a move, which is not made yet."""
        twin = self.position.copy()
        twin.push(int(move))
        return twin

    def make(self, after: Position, value: float | None = None) -> None:
        """Goes on to the position after a move that has been committed."""
        mover = self.position.turn
        self.position = after
        self.values.append(value)
        self.undone = []
        if self.offer is not None and self.offer != mover:
            self.offer, self.accepted = None, set()
        if self.clocks:
            self.clocks.stop(moved=True)
            self.run_clock()

    def run_clock(self) -> None:
        """Lets the clock of the seat to move run, once the first moves have been made."""
        if self.clocks is None:
            return
        if self.turn is None or self.ply < len(self.seats):
            self.clocks.stop()
        else:
            self.clocks.start(self.turn)

    @property
    def clock_runs(self) -> int | None:
        return self.turn if self.clocks is not None and self.ply >= len(self.seats) else None

    def clocks_left(self) -> list[float] | None:
        return None if self.clocks is None else [self.clocks.left(seat) for seat in range(len(self.seats))]

    def flag_fell(self) -> bool:
        """Has the seat to move no time left?"""
        runs = self.clock_runs
        return runs is not None and self.clocks is not None and self.clocks.left(runs) <= 0

    # --- taking back --------------------------------------------------------------------------------------------------

    def may_undo(self, you: Sequence[int]) -> bool:
        """Only who plays all the people's seats takes moves back, and no cards that lie open by then."""
        alone = bool(self.humans) and set(self.humans) <= set(you)
        return alone and self.given_up is None and not (self.hidden and self.outcome) and self._last_turn() is not None

    def _last_turn(self) -> int | None:
        back = self.position.copy()
        while back.history:
            back.pop()
            if self.seats[back.turn].who == HUMAN:
                return len(back.history)
        return None

    def undo_to(self, you: Sequence[int]) -> int:
        """The ply to which undo goes; raises IllegalMove with the reason why not."""
        ply = self._last_turn()
        if not self.may_undo(you) or ply is None:
            raise IllegalMove("there is no turn of yours to take back")
        if self.hidden:
            before = self.at(ply)
            if any(learned(before, self.position, seat) for seat in self.humans):
                raise IllegalMove("something hidden has been learnt since: this turn cannot be taken back")
        return ply

    def undo(self, ply: int) -> None:
        """Takes moves back, which has been committed."""
        while self.ply > ply:
            move = self.position.pop()
            self.undone.append((str(move), self.values.pop()))
        if self.clocks:
            self.clocks.stop()
            self.run_clock()

    def redo(self, steps: Sequence[tuple[Position, float | None]]) -> None:
        """Makes the last undone moves again, which has been committed."""
        rest = self.undone[: len(self.undone) - len(steps)]
        for after, value in steps:
            self.make(after, value)
        self.undone = rest

    def redoable(self) -> list[tuple[Position, float | None]]:
        """The positions after the undone moves, up to the next turn of a person."""
        after, found = self.position, []
        for text, value in reversed(self.undone):
            after = after.copy()
            after.push(text)
            found.append((after, value))
            if after.outcome() is not None or self.seats[after.turn].who == HUMAN:
                break
        return found

    # --- other endings ------------------------------------------------------------------------------------------------

    def resigned(self, seat: int, reason: str) -> Outcome:
        return Outcome.forfeited(seat, len(self.seats), reason)

    def end(self, outcome: Outcome) -> None:
        """Ends the game off the board, which has been committed."""
        self.given_up, self.offer = outcome, None
        if self.clocks:
            self.clocks.stop()

    # --- kept ---------------------------------------------------------------------------------------------------------

    def record(self) -> Record:
        """The game as it stands; a running hidden one must not be shown."""
        players = [seat.spec or HUMAN if seat.who == AGENT else HUMAN for seat in self.seats]
        ended = self.given_up
        if ended is None or self.position.outcome() is not None:
            return Record.from_position(self.position, players)
        return Record.from_position(self.position, players, result=ended.payoffs, reason=ended.reason)

    def saved(self, name: str, options: dict[str, str]) -> SavedTable:
        """A new table as the store takes it."""
        assert self.position.seed is not None
        return SavedTable(
            id=self.id,
            game=name,
            options=options,
            seed=self.position.seed,
            secret=self.secret,
            seats=[{"who": seat.who, "spec": seat.spec, "label": seat.label, "token": seat.token} for seat in self.seats],
            clock=self.clock_text,
            pace=self.pace,
            creator=self.creator,
            turn=self.turn,
            holders={number: set(seat.holders) for number, seat in enumerate(self.seats) if seat.holders},
        )

    def set_clock(self, text: str | None, left: Sequence[float] | None = None) -> None:
        """Gives the table clocks, `5+3`."""
        self.clock_text = text
        if text is not None:
            self.clocks = Clocks(len(self.seats), *read_clock(text), left=left)
            self.run_clock()

    def saved_move(self, move: Move, value: float | None = None) -> SavedMove:
        """A move as the store takes it, with the clocks as they will stand when it has been made."""
        left = self.clocks_left()
        if left is not None and self.clock_runs is not None and self.clock_text is not None:
            left[self.clock_runs] += read_clock(self.clock_text)[1]
        return SavedMove(str(move), value, left)


def ended_as(outcome: Outcome | None) -> dict[str, Any] | None:
    """An outcome as it is kept and sent."""
    if outcome is None:
        return None
    return {"winner": outcome.winner, "reason": outcome.reason, "payoffs": list(outcome.payoffs)}


def outcome_of(ended: dict[str, Any] | None) -> Outcome | None:
    """The outcome that was kept."""
    return None if ended is None else Outcome(ended["winner"], ended["reason"], tuple(ended["payoffs"]))


def restored(saved: SavedTable, catalogue: Catalogue) -> Table:
    """A table out of the store, its moves made again."""
    identity = catalogue.id_of(saved.game)
    if identity is None:
        raise IllegalMove("the game of this table is not offered at present")
    position = Position(catalogue.game(identity, saved.options), saved.seed)
    for move in saved.moves:
        position.push(move.text)
    seats = [
        Seat(seat["who"], seat["spec"], seat["label"], seat["token"], saved.holders.get(number, set()))
        for number, seat in enumerate(saved.seats)
    ]
    table = Table(saved.id, identity, position, seats, saved.secret, saved.creator)
    table.values = [move.value for move in saved.moves]
    table.pace, table.next = saved.pace, saved.next
    if position.outcome() is None:
        table.given_up = outcome_of(saved.ended)
    table.set_clock(saved.clock, next((move.clocks for move in reversed(saved.moves) if move.clocks), None))
    return table
