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


def check_target(path: str | os.PathLike[str]) -> None:
    """Refuses a file that could not be written when the work is done."""
    try:
        target = Path(path).absolute()
        if target.is_dir():
            raise DaedalusError(f"cannot write {path}: it is a folder")
        if target.exists() and not target.is_file():
            raise DaedalusError(f"cannot write {path}: it is no ordinary file")
        if not target.parent.is_dir():
            raise DaedalusError(f"cannot write {path}: there is no folder {target.parent}")
        _try(target)
    except (OSError, ValueError) as error:
        raise DaedalusError(f"cannot write {str(path)[:200]!r}: {getattr(error, 'strerror', None) or error}") from None


def _try(target: Path) -> None:
    """Opens the file to write, as the system alone knows whether that works; what was not there is not left."""
    new = not target.exists()
    os.close(os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666))
    if new:
        target.unlink()
