"""Where results are written: names of runs that are safe as names of files, and targets that are checked before the work."""

import hashlib
import os
import re
from pathlib import Path

from daedalus.core import DaedalusError, InvalidOption

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
