"""Records: a game as text, replayable to the last bit.

    [Game "blackhole"]
    [Options "hole=pass"]
    [Seed "17"]
    [Seat0 "human"]
    [Seat1 "mcts:seconds=1"]
    [Result "1 -1"]

    1. a5-d5 {0.02s +0.31 n=1200 "a remark"} e1-b1 2. d4-d5
    1 -1

A record begins with its Game tag and ends with a line that repeats its Result, so one that was cut off is recognised.
Reading and writing one needs no rules; only `replay` does.
"""

import datetime
import errno
import io
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TextIO

from . import options
from .contract import Game
from .errors import DaedalusError, InvalidRecord, UntrustedCode
from .files import locked
from .limits import Limit
from .position import DEALING, Move, Position
from .printable import visible
from .record_text import MOST_WORDS, OPENS, Draft, Remark, move_lines, tag_line
from .registry import find

__all__ = ["Record", "Remark", "append_record", "read_records"]

_UNREADABLE = (ValueError, LookupError, TypeError, ArithmeticError, RecursionError)  # what a game's reader may raise
_SEATS = 4  # no game has more
_EXACT = ("Game", "Options", "Setup", "Result")  # tags that are read again, however long they are

Lines = list[tuple[int, str]]  # with their numbers in the file


@dataclass
class Record:
    """A finished or running game: tags in order, the moves as texts, a remark or None for each.

    A record may come from anywhere: what cannot be printed in its texts is spelled out, as `\\x1b`, and the code of a game
    that does not come with Daedalus runs only with `allow_code=True` or when this process has loaded it before.
    """

    tags: dict[str, str]
    moves: list[str] = field(default_factory=list)
    remarks: list[Remark | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.remarks = self.remarks or [None] * len(self.moves)
        if next(iter(self.tags), None) != "Game":
            raise InvalidRecord('a record begins with its game: [Game "..."]')
        for name, value in self.tags.items():
            if not re.fullmatch("[A-Za-z0-9_]+", name) or not isinstance(value, str):
                raise InvalidRecord(f"a tag is a name of letters, digits and _ with a text, not {name!r}: {value!r}")
        if len(self.remarks) != len(self.moves):
            raise InvalidRecord(f"{len(self.remarks)} remarks for {len(self.moves)} moves")
        self.tags = {name: visible(text, None if name in _EXACT else MOST_WORDS) for name, text in self.tags.items()}
        self.moves = [visible(move) for move in self.moves]
        _payoffs(self.result)

    @classmethod
    def from_position(
        cls,
        position: Position,
        players: Sequence[str] = (),
        limit: Limit | None = None,
        remarks: Sequence[Remark | None] = (),
        tags: Mapping[str, str] | None = None,
        result: Sequence[float] | None = None,
        reason: str | None = None,
    ) -> "Record":
        """The record of a position and the moves that led there; `result` and `reason` are for games decided off the board."""
        from daedalus import __version__

        if position.seed is None and position.setup is None:
            raise InvalidRecord("a view does not know the true deal; take the record of the position itself")
        if len(players) > position.game.SEATS:
            raise InvalidRecord(f"{len(players)} players for the {position.game.SEATS} seats of {position.name}")
        outcome = position.outcome()
        if outcome and result is not None and tuple(result) != outcome.payoffs:
            raise InvalidRecord(f"the game ended {_result(outcome.payoffs)} on the board, not {_result(result)}")
        seated = [player or "?" for player in players] + ["?"] * (position.game.SEATS - len(players))
        known = {
            "Game": position.name,
            "Options": options.written(position.game),
            "Setup": position.setup,
            "Seed": None if position.setup else str(position.seed),
            "Dealing": None if position.setup or position.dealing == DEALING else str(position.dealing),
            **{f"Seat{seat}": player for seat, player in enumerate(seated)},
            "Limit": str(limit) if limit else None,
            "Result": _result(outcome.payoffs if outcome else result),
            "Reason": reason or (outcome.reason if outcome else None),
            "Date": datetime.date.today().isoformat(),
            "Version": __version__,
        }
        noted = list(remarks) + [None] * (len(position.history) - len(remarks))
        told = {name: text for name, text in known.items() if text} | dict(tags or {})
        return cls(told, list(map(str, position.history)), noted)

    @property
    def game(self) -> Game:
        """The game with its options; UntrustedCode if it would have to be loaded from a file or module that a tag names."""
        return self._game(allow_code=False)

    def _game(self, allow_code: bool) -> Game:
        try:
            rules = find(self.tags["Game"], allow_code).rules
            game: Game = options.make(rules, options.parsed(self.tags.get("Options", "")))
            return game
        except UntrustedCode:
            raise
        except (*_UNREADABLE, OSError) as error:
            raise InvalidRecord(f"game {self.tags['Game'][:200]!r}: {error}") from None

    @property
    def players(self) -> list[str]:
        """Who sat in the seats, in order."""
        return [self.tags[f"Seat{seat}"] for seat in range(_SEATS) if f"Seat{seat}" in self.tags]

    @property
    def result(self) -> str:
        """The payoffs of the seats in order, as `1 -1`; `*` while the game runs."""
        return self.tags.get("Result", "*")

    @property
    def finished(self) -> bool:
        """Has the game ended, on the board or off it? Only then may everybody see what was hidden."""
        return self.result != "*"

    @property
    def payoffs(self) -> tuple[float, ...] | None:
        """The result as numbers; None while the game runs."""
        return _payoffs(self.result)

    @property
    def text(self) -> str:
        """The record as text; `Record.parse` reads it back."""
        tags = self.tags | {"Result": self.result}
        head = [tag_line(name, value) for name, value in tags.items()]
        moves = move_lines(self.moves, self.remarks, len(self.players) or 2)
        return "\n".join([*head, "", *moves, " ".join(self.result.split())]) + "\n"

    @classmethod
    def parse(cls, text: str) -> "Record":
        """The one record in `text`; raises InvalidRecord with the line and the reason."""
        records = list(read_records(io.StringIO(text)))
        if len(records) != 1:
            raise InvalidRecord(f"there are {len(records)} records where one was expected")
        return records[0]

    def start(self, allow_code: bool = False) -> Position:
        """The position before the first move; `allow_code` lets a game of somebody's own be loaded, which runs its file."""
        game, seed, setup = self._game(allow_code), self.tags.get("Seed"), self.tags.get("Setup")
        if (seed is None) == (setup is None):
            raise InvalidRecord("a record has a Seed or a Setup, one of the two")
        try:
            return Position.from_text(game, setup) if setup is not None else Position(game, _seed(seed or ""), self._dealing)
        except _UNREADABLE as error:
            raise InvalidRecord(f"{'Seed' if setup is None else 'Setup'}: {error}") from None

    @property
    def _dealing(self) -> int:
        """How the seed deals: as the record says, or as the version did that wrote it."""
        said = self.tags.get("Dealing") or ("1" if self.tags.get("Version", "").startswith("0.1.") else str(DEALING))
        if said not in ("1", "2"):
            raise InvalidRecord(f"Dealing {said[:40]!r}: this version knows 1 and 2")
        return int(said)

    def positions(self, allow_code: bool = False) -> Iterator[Position]:
        """The start, then the position after each move."""
        position = self.start(allow_code)
        yield position.copy()
        for ply, move in enumerate(self.moves, 1):
            _push(position, ply, move)
            yield position.copy()
        self._agrees(position)

    def replay(self, allow_code: bool = False) -> Position:
        """The position at the end, moves and all, bit for bit as it was; InvalidRecord names the ply that does not fit."""
        position = self.start(allow_code)
        for ply, move in enumerate(self.moves, 1):
            _push(position, ply, move)
        self._agrees(position)
        return position

    def _agrees(self, position: Position) -> None:
        """A game that ended on the board has the result the board shows; any other may have been resigned or forfeited."""
        payoffs, outcome = self.payoffs, position.outcome()
        if payoffs is not None and len(payoffs) != position.game.SEATS:
            raise InvalidRecord(f"the result {self.result} is not one of {position.game.SEATS} seats")
        if outcome and payoffs != outcome.payoffs:
            raise InvalidRecord(f"the result is {_result(outcome.payoffs)} on the board ({outcome.reason}), not {self.result}")


def _push(position: Position, ply: int, move: str) -> None:
    try:
        position.push(_meant(position, move))
    except _UNREADABLE as error:
        raise InvalidRecord(f"ply {ply}: {error}") from None


def _meant(position: Position, move: str) -> Move | str:
    """The legal move whose text a record had to spell out (a game may name a move with a line break); else `move` itself."""
    spelled = (legal for legal in position.legal_moves if not legal.text.isprintable() and visible(legal.text) == move)
    return next(spelled, move) if "\\" in move else move


def _seed(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,40}", text):
        raise InvalidRecord(f"{text[:40]!r} is not a whole number")
    return int(text)


def _result(payoffs: Sequence[float] | None) -> str:
    return "*" if payoffs is None else " ".join(str(int(p) if p == int(p) else float(p)) for p in payoffs)


def _payoffs(result: str) -> tuple[float, ...] | None:
    if result == "*":
        return None
    try:
        payoffs = tuple(map(float, result.split()))
    except ValueError:
        payoffs = ()
    if not 1 <= len(payoffs) <= _SEATS or not all(-1 <= payoff <= 1 for payoff in payoffs):
        raise InvalidRecord(f"a result is a number from -1 to 1 for each seat, or *, not {result[:40]!r}")
    return payoffs


def read_records(source: str | os.PathLike[str] | TextIO, damaged: Literal["refuse", "skip"] = "refuse") -> Iterator[Record]:
    """The records of a file (or of an open text stream), one after the other.

    A damaged record raises InvalidRecord with file, line and reason; with `damaged="skip"` the whole ones are returned.
    """
    name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else ""
    skip, empty = damaged == "skip", True
    try:
        for stretch in _stretches(_lines(source)):
            try:
                record, rest = _whole(stretch)
            except InvalidRecord:
                if not skip:
                    raise
                continue
            empty = False
            yield record
            if rest and not skip:
                raise InvalidRecord(f"line {rest[0][0]}: a record ended above, and {rest[0][1][:40]!r} begins no new one")
        if empty and not skip:
            raise InvalidRecord("line 1: there is no record")
    except InvalidRecord as fault:
        raise InvalidRecord(f"{name}, {fault}" if name else str(fault)) from None
    except OSError as error:
        raise InvalidRecord(f"cannot read {name or 'the records'}: {error.strerror}") from None


def _lines(source: str | os.PathLike[str] | TextIO) -> Iterator[tuple[int, str]]:
    """The lines that say something, numbered from 1: neither blank nor a comment."""
    if isinstance(source, (str, os.PathLike)):
        try:
            file = open(source, encoding="utf-8", errors="surrogateescape", newline="\n")  # noqa: SIM115
        except ValueError:  # a name that no file can have
            raise InvalidRecord("there is no such file") from None
        with file:
            yield from _lines(file)
        return
    number = 0
    try:
        for number, line in enumerate(source, 1):
            stripped = line.lstrip("\ufeff").strip()  # the mark that some editors put in front of a file
            if stripped and not stripped.startswith(";"):
                yield number, stripped
    except UnicodeDecodeError:
        raise InvalidRecord(f"line {number + 1}: this is not UTF-8 text") from None


def _stretches(lines: Iterator[tuple[int, str]]) -> Iterator[Lines]:
    """Lines from one Game tag to the next: whatever is damaged, a Game tag begins a new record."""
    stretch: Lines = []
    for number, line in lines:
        if stretch and OPENS.match(line):
            yield stretch
            stretch = []
        stretch.append((number, line))
    if stretch:
        yield stretch


def _whole(stretch: Lines) -> tuple[Record, Lines]:
    """The record at the beginning of a stretch, and the lines after its end."""
    draft = Draft()
    for place, (number, line) in enumerate(stretch):
        try:
            if draft.take(line):
                return Record(draft.tags, draft.moves, draft.remarks), stretch[place + 1 :]
        except InvalidRecord as fault:
            raise InvalidRecord(f"line {number}: {fault}") from None
    raise InvalidRecord(f"line {stretch[0][0]}: the record that begins here is cut off; its last line must repeat its result")


def append_record(path: str | os.PathLike[str], record: Record) -> None:
    """Adds a record to the end of a file, whole or not at all, whoever else appends; a cut-off last record is left behind."""
    try:
        with locked(Path(path)), open(path, "ab+", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            gap = b""
            if size:
                file.seek(size - 1)
                gap = b"\n" if file.read(1) == b"\n" else b"\n\n"
            _write(file, gap + record.text.encode(), size)
    except OSError as error:
        raise DaedalusError(f"cannot append to {os.fspath(path)}: {error.strerror}") from None


def _write(file: io.FileIO, data: bytes, size: int) -> None:
    """One write, so that a kill leaves all or, at worst, a record that is seen to be cut; a full disk leaves nothing."""
    try:
        if file.write(data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(file.fileno())
    except OSError:
        file.truncate(size)
        raise
