"""Where Daedalus keeps things on disk, and writing that never leaves half a file."""

import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from filelock import lock_descriptor

from .errors import DaedalusError

# How `replacing` names the files of a training run that are not yet whole.
_HALF = re.compile(r"\.(?:\d{6}|best|checkpoint|curve|qnet|recipe|run)\.(?:csv|npz|png|safetensors|toml)\.[a-z0-9_]{8}")


def cache_folder() -> Path:
    """What can be made again: compiled kernels, solved tables. `DAEDALUS_CACHE` overrides the user's cache folder."""
    return Path(os.environ.get("DAEDALUS_CACHE") or platformdirs.user_cache_dir("daedalus", appauthor=False))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds an exclusive lock on `path` (created when missing) against other processes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a") as file:
        lock_descriptor(file.fileno())
        yield


@contextmanager
def trained_by_one(folder: Path) -> Iterator[None]:
    """Holds a run's folder against other processes: refuses if one trains there, removes what a killed one left half-written."""
    with open(folder / "lock", "a") as file:
        if not lock_descriptor(file.fileno(), blocking=False):
            raise DaedalusError(f"{folder}: another process trains there")
        for path in (path for part in (".", "nets", "replay") for path in (folder / part).glob(".*")):
            if _HALF.fullmatch(path.name):
                path.unlink(missing_ok=True)
        yield


@contextmanager
def kept_arrays(path: Path) -> Iterator[Any]:
    """The arrays of a file of NumPy's; says in a line that it is damaged."""
    try:
        with np.load(path) as kept:
            yield kept
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, TypeError, ValueError) as error:
        raise DaedalusError(f"{path} is damaged: {error}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def replacing(path: Path, private: bool = False) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place when the block ends well, and vanishes when it does not.

    A private file can be read by its owner alone, others by whom the user's settings say.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    if not private:
        os.chmod(name, 0o666 & ~_umask())  # as open() would have made it; mkstemp keeps others out
    try:
        yield Path(name)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
