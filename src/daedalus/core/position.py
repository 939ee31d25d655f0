"""Positions: a game, its state and the moves that led there, with the manners of python-chess.

position = daedalus.new("blackhole")
position.legal_moves      # str() of each is its text
position.push("b4-b3")    # or a move, or its number
position.pop()
position.outcome()        # None while it runs
"""

import hashlib
import inspect
import pickle
import secrets
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

from .contract import ONLOOKER, Game, offers
from .drawing import Picture
from .errors import IllegalMove, InvalidText
from .kernels import transitions
from .kernels.random import scramble
from .memory import copies, frozen, packed, scratch, states, unpacked
from .moves import LegalMoves, Move, Outcome
from .registry import Registration, find, registration_of
from .seeds import SEED_BITS, derive

DEALING = 2  # how hidden games are dealt; 1, one stream for all, is what records of version 0.1 were dealt by


class Position:
    """A game in progress. `seat` is None for the truth; a view has the seat that looks, and imagined hidden cards.

    A state once reached is never changed: a move is made on a copy, so copies and the history may share states.
    Two positions are equal if the game, its options, the state to the last bit, the moves made and the seat that looks are.
    Positions change, so they cannot be members of sets or keys of dictionaries; `text` can.
    """

    def __init__(self, game: Game, seed: int | None = None, dealing: int = DEALING) -> None:
        self._prepare(game)
        self.seed: int | None = secrets.randbits(SEED_BITS) if seed is None else seed
        self.dealing = dealing
        if dealing > 1 and offers(type(game), "redeal"):
            self._deal(hashlib.blake2b(str(self.seed).encode(), digest_size=32).digest())
        else:
            self._kind.transitions.opening(game, self._S, self._workspace(self.seed))
        self._survey()

    def _deal(self, secret: bytes) -> None:
        """Sets up a hidden game: what all may see and what is hidden come from streams that tell nothing of each other.

        The first deal may follow from the board that all see, so that every seat's unknown is dealt anew; and again,
        since the first time left out what seats held then.
        """
        self._kind.transitions.opening(self.game, self._S, self._workspace(derive(secret, "board")))
        for number in range(2 * self.game.SEATS):
            W = self._workspace(derive(secret, "hidden", number))
            self._kind.transitions.redeal(self.game, self._S, number % self.game.SEATS, W)

    def _workspace(self, *numbers: int) -> Any:
        """The thread's workspace, its generator set by numbers."""
        W = scratch(self.game)
        W["rng"] = scramble(*numbers)
        return W

    def _prepare(self, game: Game) -> None:
        self.game = game
        self.seat: int | None = None
        self.seed = None
        self.setup: str | None = None
        self.dealing = DEALING
        self.history: list[Move] = []
        self._kind: Registration = registration_of(game)
        self._S = states(game, 1)
        self._stack: list[Any] = []
        self.keys: list[int] = []

    @classmethod
    def from_text(cls, game: Game, text: str) -> "Position":
        """The position that `text` describes; raises InvalidText with the reason."""
        self = cls.__new__(cls)
        self._prepare(game)
        try:
            game.read_position(self._S[0], text.strip())
            if not offers(type(game), "read_position"):
                self._try_out()
        except (InvalidText, IllegalMove):
            raise
        except (ValueError, IndexError, KeyError, TypeError, OverflowError) as error:
            raise InvalidText(f"not a position of {self._kind.name}: {text.strip()[:80]!r} ({error})") from None
        self.setup = self.text
        self._survey()
        return self

    @classmethod
    def from_state(cls, game: Game, state: Any) -> "Position":
        """The position of a state that kernels have reached, without the moves that led there."""
        self = cls.__new__(cls)
        self._prepare(game)
        self._S = copies(game, [state], 1)
        self.setup = self.text
        self._survey()
        return self

    def _try_out(self) -> None:
        """Looks at a state read field by field once without the compiler, which would not notice an index out of range."""
        turn, *_ = transitions.survey(self.game, self._S, scratch(self.game), np.zeros(self.game.SEATS))
        if not 0 <= turn < self.game.SEATS:
            raise InvalidText(f"there is no seat {turn}")

    def _survey(self) -> None:
        payoffs = np.zeros(self.game.SEATS)
        W = scratch(self.game)
        turn, over, n, key = self._kind.transitions.survey(self.game, self._S, W, payoffs)
        self.turn: int = int(turn)
        self.keys.append(int(key))
        codes: list[int] = W["buf"][0, :n].tolist()
        repeats = getattr(self.game, "repetition", 0)
        if over:
            self._outcome: Outcome | None = self._ended(tuple(payoffs.tolist()), self.game.ending(self._S[0]))
        elif repeats and self.keys[-1] and self.keys.count(self.keys[-1]) >= repeats:
            self._outcome = self._ended((0.0,) * self.game.SEATS, f"position repeated {repeats} times")
            codes = []
        else:
            self._outcome = None
        self._legal = LegalMoves(self.game, self._S[0], codes)

    @staticmethod
    def _ended(payoffs: tuple[float, ...], reason: str) -> Outcome:
        best = max(payoffs)
        winner = payoffs.index(best) if payoffs.count(best) == 1 and best > 0 else None
        return Outcome(winner, reason, payoffs)

    @property
    def name(self) -> str:
        """The name of the game, as commands and records write it."""
        return self._kind.name

    @property
    def state(self) -> Any:
        """The state record; for kernels, texts and pictures."""
        return self._S[0]

    @property
    def bits(self) -> Any:
        """Something that compares equal exactly when the states do, bit for bit."""
        return frozen(self._S)

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves; none when the game has ended."""
        return self._legal

    @property
    def last(self) -> Move | None:
        """The move just made."""
        return self.history[-1] if self.history else None

    def move(self, code: int) -> Move:
        """A move number with its text."""
        return Move(code, self.game.move_text(self._S[0], code))

    def parse(self, text: str) -> Move:
        """The legal move that `text` means; raises IllegalMove with the reason."""
        text = text.strip()
        try:
            code = self.game.read_move(self._S[0], text)
        except (ValueError, IndexError, KeyError, TypeError, OverflowError) as error:
            raise error if isinstance(error, IllegalMove) else IllegalMove(f"{self._refusal(text)} ({error})") from None
        if code is None:
            code = next((int(move) for move in self._legal if str(move) == text), -1)
        if code not in self._legal.codes:
            raise IllegalMove(self._refusal(text))
        return self.move(code)

    def _refusal(self, text: str) -> str:
        if self._outcome:
            return f"'{text}': the game is over ({self._outcome.reason})"
        some = ", ".join(map(str, self._legal[:8]))
        return f"'{text}' is not a legal move here; legal: {some}{', ...' if len(self._legal) > 8 else ''}"

    def push(self, move: "Move | int | str") -> Move:
        """Makes a move: a text, a move or its number. An illegal one raises IllegalMove and changes nothing."""
        if isinstance(move, str):
            made = self.parse(move)
        elif move in self._legal.codes:
            made = self.move(int(move))
        else:
            raise IllegalMove(self._refusal(str(move)))
        self._stack.append((self._S, self._legal, self._outcome, self.turn))
        self._S = copies(self.game, self._S, 1)
        self._kind.transitions.play(self.game, self._S, int(made))
        self.history.append(made)
        self._survey()
        return made

    def pop(self) -> Move:
        """Takes the last move back and returns it."""
        if not self._stack:
            raise IllegalMove("there is no move to take back")
        self._S, self._legal, self._outcome, self.turn = self._stack.pop()
        self.keys.pop()
        return self.history.pop()

    def copy(self) -> "Position":
        """An independent copy, history included."""
        twin: Position = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.history, twin.keys, twin._stack = self.history[:], self.keys[:], self._stack[:]
        return twin

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        games = [(type(position.game), position.game, position.seat, position.history) for position in (self, other)]
        return games[0] == games[1] and self.bits == other.bits

    __hash__ = None  # type: ignore[assignment]

    def _contents(self) -> dict[str, Any]:
        """All that makes this position one of its game, as plain values."""
        names = ("seat", "seed", "setup", "dealing", "history", "keys", "turn")
        contents = {name: getattr(self, name) for name in names}
        reached = [*self._stack, (self._S, self._legal, self._outcome, self.turn)]
        contents["reached"] = [(packed(S), legal.codes, outcome, turn) for S, legal, outcome, turn in reached]
        return contents

    @classmethod
    def _restored(cls, game: Game, contents: dict[str, Any]) -> "Position":
        self = cls.__new__(cls)
        self._prepare(game)
        for packed_state, codes, outcome, turn in contents.pop("reached"):
            S = unpacked(game, packed_state)
            self._stack.append((S, LegalMoves(game, S[0], codes), outcome, turn))
        self._S, self._legal, self._outcome, self.turn = self._stack.pop()
        vars(self).update(contents)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        where, colon, name = self._kind.name.rpartition(":")
        if where.endswith(".py"):  # another process may work in another folder
            where = str(Path(inspect.getfile(type(self.game))).resolve())
        # packed apart: what a user's states are made of can be loaded only after the game
        return _unpickled, (where + colon + name, tuple(self.game), pickle.dumps(self._contents()))  # type: ignore[arg-type]

    def __deepcopy__(self, memo: dict[int, Any]) -> "Position":
        return self._restored(self.game, deepcopy(self._contents(), memo))

    def outcome(self) -> Outcome | None:
        """None while the game runs, then who won, why, and what each seat gets."""
        return self._outcome

    def view(self, seat: int | None = None, seed: int = 0) -> "Position":
        """What a seat (default: the one to move) may know: a copy whose hidden part is dealt anew, without the seed.

        The deal depends on `seed`, the seat and what it knows, never on the truth. ONLOOKER, who sits nowhere, gets what all
        seats hide dealt anew, and no legal moves: texts and pictures of this view tell what lies open and nothing else.
        """
        seat = self.turn if seat is None else seat
        if not (0 <= seat < self.game.SEATS or seat == ONLOOKER):
            raise IllegalMove(f"there is no seat {seat}; {self.name} has {self.game.SEATS}")
        view: Position = object.__new__(type(self))
        view._prepare(self.game)  # it gets what the seat may know, rather than all but what it must not
        view.seat = seat
        view.history = self.history[:]
        view._S = copies(self.game, self._S, 1)  # an agent that meddles with its view does not touch the game
        if offers(type(self.game), "redeal"):
            for who in range(self.game.SEATS) if seat == ONLOOKER else (seat,):
                self._kind.transitions.redeal(self.game, view._S, who, self._workspace(seed, who, len(self.history)))
            view._survey()  # `keys` holds this position as imagined: those before it told of the truth
            if self._outcome is not None or seat == ONLOOKER:  # how a game ended is known to all
                view._outcome, view._legal = self._outcome, LegalMoves(self.game, view._S[0], [])
        else:
            view.seed, view.setup, view.keys = self.seed, self.setup, self.keys[:]
            view.turn, view._outcome = self.turn, self._outcome
            view._legal = LegalMoves(self.game, view._S[0], self._legal.codes[:])
        return view

    @property
    def text(self) -> str:
        """The position as one line, hidden cards of a view as unknown."""
        return self.game.position_text(self._S[0], self.seat)

    @property
    def summary(self) -> str:
        """A line of what lies beside the board."""
        return self.game.summary(self._S[0], self.seat)

    def picture(self) -> Any:
        """A picture for terminals, a rich Text."""
        return self.game.terminal(self._S[0], self.seat, self.last)

    def svg(self) -> str:
        """A picture as SVG."""
        return self.game.svg(self._S[0], self.seat, self.last)

    def parts(self, touched: Sequence[str] = (), flip: bool = False) -> Picture:
        """A picture as the board and what lies beside it; `touched` begins, or is, a legal move and is shown as such."""
        made = tuple(touched)
        if made and not self._legal.next_touches(made) and self._legal.touched(made) is None:
            raise IllegalMove(f"no legal move begins with the touches {', '.join(made)}"[:500])
        return self.game.parts(self._S[0], self.seat, self.history, made, flip)

    def touches(self, move: int) -> tuple[str, ...]:
        """The touches that make a move."""
        return self.game.touches(self._S[0], int(move))

    def next_touches(self, touched: Sequence[str] = ()) -> dict[str, Move | None]:
        """The touches that go on to a legal move, each with the move that it completes, None if more must follow."""
        return self._legal.next_touches(touched)

    def touch_name(self, touch: str) -> str:
        """The spoken name of a touch, with what stands there."""
        return self.game.touch_name(self._S[0], self.seat, touch)

    @property
    def spoken(self) -> str:
        """The position in a few sentences."""
        return self.game.spoken(self._S[0], self.seat)

    def spoken_move(self, move: int) -> str:
        """A move of this position in words."""
        return self.game.spoken_move(self._S[0], int(move))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return str(self.picture().plain)

    def __repr__(self) -> str:
        seen = "" if self.seat is None else ", view of an onlooker" if self.seat == ONLOOKER else f", view of seat {self.seat}"
        return f"<{self.name} position: {self.text}{seen}>"


def _unpickled(name: str, options: tuple[Any, ...], contents: bytes) -> Position:
    """A pickled position, in this process or another one that finds the game under the same name."""
    game = find(name).rules(*options)
    return Position._restored(game, pickle.loads(contents))


__all__ = ["LegalMoves", "Move", "Outcome", "Position"]
