"""Compiled kernels on disk: one file for each kernel and types of arguments, written whole, read only if it is in order.

A cache is a convenience. What is damaged, foreign, unreadable or cannot be written is a miss: the kernel is compiled in
memory and the user told once. A file starts with a mark and a checksum of the rest, since machine code with a flipped bit
would end the process, and is loaded only if this user alone can have written it, since loading it runs code.
"""

import contextlib
import hashlib
import os
import shutil
import stat
import sys
from pathlib import Path

from .files import replacing

_MARK = b"daedalus kernel 1\n"
_CHECKSUM = 32
_complaints: list[str] = []  # what this process has told its user


class Unusable(Exception):
    """A file or folder of the cache that cannot be used; the message says which and why."""


class PrivateFolder:
    """A folder of the cache for code: its owner's alone. `get` and `put` never fail; they complain once a process."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, name: str) -> bytes | None:
        """What was put under this name; None if there is nothing, or nothing in order."""
        try:
            self._demand_ours(self.path.parent)
            self._demand_ours(self.path)
            return _contents(self.path / name)
        except FileNotFoundError:
            return None
        except (OSError, Unusable) as fault:
            complain(fault)
            return None

    def put(self, name: str, contents: bytes) -> None:
        """Keeps contents under a name, in place of whatever is there."""
        path = self.path / name
        try:
            self._make()
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            with replacing(path, private=True) as fresh:
                fresh.write_bytes(_MARK + _checksum(contents) + contents)
        except (OSError, Unusable) as fault:
            complain(fault)

    def _make(self) -> None:
        self.path.parent.parent.mkdir(parents=True, exist_ok=True)
        for folder in (self.path.parent, self.path):
            if folder == self.path and folder.is_file():
                folder.unlink()
            folder.mkdir(mode=0o700, exist_ok=True)
            self._demand_ours(folder)

    @staticmethod
    def _demand_ours(folder: Path) -> None:
        """Refuses another user's folder; takes the rights that others have in ours."""
        about = folder.stat()
        if not _is_ours(about):
            raise Unusable(f"{folder} belongs to another user")
        if stat.S_ISDIR(about.st_mode) and stat.S_IMODE(about.st_mode) & 0o077:
            with contextlib.suppress(OSError):  # it may be on a medium that cannot be written, and read all the same
                folder.chmod(0o700)


def _is_ours(about: os.stat_result) -> bool:
    """Is it this user's, or the system's? Windows does not tell, and keeps users' folders apart by itself."""
    return not hasattr(os, "geteuid") or about.st_uid in (os.geteuid(), 0)


def _checksum(contents: bytes) -> bytes:
    return hashlib.blake2b(contents, digest_size=_CHECKSUM).digest()


def _contents(path: Path) -> bytes:
    with open(path, "rb") as file:
        if not _is_ours(os.fstat(file.fileno())):
            raise Unusable(f"{path} belongs to another user")
        found = file.read()
    begin = len(_MARK) + _CHECKSUM
    contents = found[begin:]
    if found[:begin] != _MARK + _checksum(contents):
        raise Unusable(f"{path} is damaged")
    return contents


def complain(fault: Exception) -> None:
    """Says, the first time only, that the cache does not do its work, in one line."""
    if _complaints:
        return
    what = f"{fault.filename}: {fault.strerror}" if isinstance(fault, OSError) and fault.filename else str(fault)
    shown = "".join(letter if letter.isprintable() else "?" for letter in what[:500])
    _complaints.append(f"daedalus: kernel cache: {shown}; compiling for this run")
    print(_complaints[0], file=sys.stderr, flush=True)
