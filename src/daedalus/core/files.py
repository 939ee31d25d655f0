"""Where Daedalus keeps things on disk, and writing that never leaves half a file."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs
from filelock import lock_descriptor


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
