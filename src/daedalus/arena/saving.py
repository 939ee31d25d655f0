"""Files of results: names that are safe for them, targets checked before the work, and the file of `--save`.

That one holds the records of a run among whatever else the user keeps there, made from the store. A run adds its records in the order of its games, each after the store has it. However a run ends, its next start finds
its records in the file by their text, and puts right what is missing, cut off or out of order; nothing else in the file
is touched.
"""

import contextlib
import errno
import hashlib
import io
import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from filelock import lock_descriptor

from daedalus.core import DaedalusError, InvalidOption
from daedalus.core.files import replacing

_BEGINS = b"[Game "  # every record
_OPENS = re.compile(rb"^\[\s*Game\b", re.MULTILINE)
_LONGEST = 1000  # characters of a run's name
_FILE_NAME = 80


def check_name(name: str) -> None:
    """Refuses a name for a run that no list could show."""
    if not name.strip() or not name.isprintable() or len(name) > _LONGEST:
        raise InvalidOption(f"run name {name[:40]!r}: wants 1 to {_LONGEST} printable characters")


def folder_name(name: str) -> str:
    """A run's name as the name of one folder here: no path leads out of it, and no two runs share one."""
    safe = re.sub(r"[^\w.,=+-]+", "-", name, flags=re.ASCII).strip(".-")[:_FILE_NAME]
    if safe == name:
        return safe
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{safe or 'run'}-{digest}"


def check_target(path: str | os.PathLike[str], make_folders: bool = False) -> None:
    """Refuses a file that could not be written when the work is done; its folder must be there, unless it will be made."""
    try:
        fault = _fault(Path(path).absolute(), make_folders)
    except (OSError, ValueError) as error:  # a name too long, or with a zero character
        fault = getattr(error, "strerror", None) or str(error)
    if fault:
        raise DaedalusError(f"cannot write {str(path)[:200]}: {fault}")


def _fault(target: Path, make_folders: bool) -> str | None:
    if target.is_dir():
        return "it is a folder"
    if target.exists() and not target.is_file():
        return "it is no ordinary file"
    if make_folders and not target.parent.exists():
        there = next(folder for folder in target.parents if folder.exists())
        return None if there.is_dir() and os.access(there, os.W_OK) else f"no folder can be made in {there}"
    if not target.parent.is_dir():
        return f"there is no folder {target.parent}"
    new = not target.exists()
    os.close(os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666))  # the system alone knows whether that works
    if new:
        target.unlink()
    return None


# --- the file of --save ---------------------------------------------------------------------------------------------


class SavedRecords:
    """The records of one run in a file."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path).resolve()  # a link stays one when the file it leads to is replaced
        self._known = (0, 0)  # which file it is, and how many of its bytes were looked at
        self._strangers: set[int] = set()  # hashes of records that others have added since

    def restore(self, records: Mapping[int, str], wanted: list[int]) -> None:
        """Makes the file hold the wanted games of the run, each once and in order; `records` are all the run has."""
        texts = {number: _bytes(record) for number, record in records.items()}
        with self._locked() as file:
            held = file.read()
            others, found, whole = _parted(held, texts)
            if whole and found == wanted[: len(found)]:
                _append(file, _joined(held, [texts[number] for number in wanted[len(found) :]]))
                os.fsync(file.fileno())
                self._look(file)
            else:
                with replacing(self._path) as partial:
                    partial.write_bytes(others + _joined(others, [texts[number] for number in wanted]))
                    partial.chmod(os.fstat(file.fileno()).st_mode & 0o777)
                made = self._path.stat()
                self._known = made.st_ino, made.st_size
            self._strangers.clear()

    def add(self, record: str) -> None:
        """Adds a game, unless another process that plays the same run was quicker."""
        text = _bytes(record)
        with self._locked() as file:
            self._notice(file)
            if hash(text) not in self._strangers:
                _append(file, _joined(_end(file), [text]))
            self._look(file)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[io.FileIO]:
        """The file, open to read and append, for us alone; what it cannot do is said in one sentence."""
        try:
            with _held(self._path) as file:
                yield file
        except OSError as error:
            raise DaedalusError(
                f"cannot add games to {self._path}: {error.strerror}; the store has them all, and a run that is continued"
                " puts the file right"
            ) from None

    def _look(self, file: io.FileIO) -> None:
        self._known = os.fstat(file.fileno()).st_ino, file.seek(0, os.SEEK_END)

    def _notice(self, file: io.FileIO) -> None:
        """Reads what others have added since we looked; all of it, if the file was replaced."""
        which, size = self._known
        known = size if which == os.fstat(file.fileno()).st_ino else 0
        if file.seek(0, os.SEEK_END) > known:
            file.seek(known)
            self._strangers |= {hash(text) for text, _ in map(_record_of, _chunks(file.read())[1])}


@contextlib.contextmanager
def _held(path: Path) -> Iterator[io.FileIO]:
    """Locks the file that has this name when the lock is ours: until then another process may have replaced it."""
    while True:
        with open(path, "ab+", buffering=0) as file:
            lock_descriptor(file.fileno())
            if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
                file.seek(0)
                yield file
                return


def _append(file: io.FileIO, data: bytes) -> None:
    """One write; a full disk leaves the file as it was."""
    if not data:
        return
    size = file.seek(0, os.SEEK_END)
    try:
        if file.write(data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError:
        file.truncate(size)
        raise


def _end(file: io.FileIO) -> bytes:
    """The last byte of a file, if there is one."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 1))
    return file.read(1)


def _joined(before: bytes, texts: list[bytes]) -> bytes:
    """Records to set after what is there, each after an empty line."""
    gap = b"" if not before else b"\n" if before.endswith(b"\n") else b"\n\n"
    return gap + b"\n\n".join(texts) + b"\n" if texts else b""


def _bytes(record: str) -> bytes:
    return record.strip().encode("utf-8", "backslashreplace")


# --- finding the records of a run -----------------------------------------------------------------------------------


def _chunks(held: bytes) -> tuple[bytes, list[bytes]]:
    """What stands before the first record, and the stretches from one record to the next."""
    starts = [found.start() for found in _OPENS.finditer(held)]
    if not starts:
        return held, []
    return held[: starts[0]], [held[start:end] for start, end in pairwise([*starts, len(held)])]


def _record_of(chunk: bytes) -> tuple[bytes, bytes]:
    """A record, which has one empty line, and what follows it up to the next one: a comment of the user's."""
    tags, _, rest = chunk.partition(b"\n\n")
    moves, _, comment = rest.partition(b"\n\n")
    return (tags + b"\n\n" + moves if moves else tags).strip(), comment.strip(b"\n")


def _parted(held: bytes, texts: Mapping[int, bytes]) -> tuple[bytes, list[int], bool]:
    """What is not the run's, the run's games in the order of the file, and whether none of them was cut off.

    The run's are in order, so looked for from the end: a game of the same text that stands before game 0 was saved by
    another run that played the same.
    """
    numbers, ordered = {text: number for number, text in texts.items()}, sorted(texts.values())
    whole, cut = held, _cut_short(held)
    if cut:
        whole = held[:-cut]
    before, chunks = _chunks(whole)
    found: list[int] = []
    kept: list[bytes] = []
    sound = not cut
    for chunk in reversed(chunks):
        text, comment = _record_of(chunk)
        number = numbers.get(text)
        if number is not None and (not found or number < found[-1]):
            found.append(number)
            kept += [comment + b"\n\n"] if comment else []
        elif number is None and _begun(text, ordered):
            sound = False
        else:
            kept.append(chunk)
    others = b"".join([before, *reversed(kept)]).rstrip(b"\n")
    return others + b"\n" if others else b"", found[::-1], sound


def _cut_short(held: bytes) -> int:
    """How many bytes at the end are the first few of a record, too few to be seen as one."""
    tail = held[held.rfind(b"\n\n") + 2 :] if b"\n\n" in held else held
    return len(tail) if len(tail) < len(_BEGINS) and _BEGINS.startswith(tail) else 0


def _begun(text: bytes, ordered: list[bytes]) -> bool:
    """Is this the beginning of one of the run's records, whose writing was cut off?"""
    place = bisect_left(ordered, text)
    return place < len(ordered) and ordered[place].startswith(text)
