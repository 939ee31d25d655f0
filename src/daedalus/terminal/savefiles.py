"""Writing a sitting's game to a file of records, reading one back, and the folder where interrupted games are kept."""

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import platformdirs

from daedalus.core import DaedalusError, InvalidRecord, InvalidText, Limit, Outcome, Position, Thought
from daedalus.core.record import Record, append_record, read_records
from daedalus.core.record_text import Remark


def record_of(
    position: Position, players: Sequence[str], limit: Limit | None, thoughts: Mapping[int, Thought], outcome: Outcome | None
) -> Record:
    """The record of a game; `outcome` may come from a resignation that the board does not show."""
    remarks = [_remark(thoughts.get(ply)) for ply in range(len(position.history))]
    if outcome is None or position.outcome() is not None:
        return Record.from_position(position, players, limit, remarks)
    return Record.from_position(position, players, limit, remarks, result=outcome.payoffs, reason=outcome.reason)


def _remark(thought: Thought | None) -> Remark | None:
    """What is noted beside a move; nothing where an agent gave numbers that no record can hold."""
    try:
        return None if thought is None else Remark.of(thought)
    except (DaedalusError, TypeError, ValueError, OverflowError, AttributeError):
        return None


def append(path: Path, record: Record) -> None:
    """Adds a record to a file in a folder that exists: a mistyped path should not leave new folders behind."""
    if not path.parent.is_dir():
        raise InvalidText(f"there is no folder {path.parent}")
    append_record(path, record)


def keep(record: Record) -> Path:
    """Writes a record to a new file in the user's data folder, for the owner's eyes, and tells where."""
    folder = Path(platformdirs.user_data_dir("daedalus", appauthor=False)) / "games"
    folder.mkdir(parents=True, exist_ok=True)
    name = "".join(letter if letter.isalnum() else "-" for letter in record.tags["Game"])
    path = folder / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}.txt"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
    append_record(path, record)
    return path


def typed_path(text: str, command: str) -> Path:
    """The path in what follows a command."""
    if not text:
        raise InvalidText(f"{command} wants a file name: {command} FILE")
    return Path(text).expanduser()


def records_in(path: Path) -> list[Record]:
    """The whole records of a file; a damaged one among them does not hide the others."""
    records = list(read_records(path, damaged="skip"))
    return records or list(read_records(path))  # nothing whole: read again to hear why


def pick(path: Path, number: int | None) -> Record:
    """The record with this number, counted from 1; without a number the last."""
    records = records_in(path)
    if number is not None and not 1 <= number <= len(records):
        raise InvalidRecord(f"{path} has no game {number}; it holds {len(records)}")
    return records[-1 if number is None else number - 1]


def named(text: str) -> Record:
    """The record that `FILE` (its last) or `FILE N` means."""
    path = typed_path(text, "load")
    front, _, number = text.rpartition(" ")
    if not path.exists() and front and number.isdigit():
        return pick(typed_path(front, "load"), int(number))
    return pick(path, None)
