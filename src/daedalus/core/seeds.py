"""Where seeds come from: a deal and the dice of an agent are drawn from one secret, and neither tells of the other.

In a hidden game whoever learns a seed could deal the cards again, and a small seed can be guessed. So there the number
that a user gives is mixed with a key that only the owner of the machine has, and everything is derived one way from the
result. The owner can repeat a game; an agent that knows all of our source, its own seed and its own hand cannot.
"""

import contextlib
import hashlib
import os
import secrets
import sys
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs

from .contract import offers

SEED_BITS = 60  # what people read and databases keep as a whole number
_KEY_BYTES = 32


def derive(secret: bytes, *labels: int | str) -> int:
    """A seed for one purpose, `derive(secret, "deal", 3)`; it tells nothing of the secret, nor of another purpose's."""
    purpose = "\0".join(map(str, labels)).encode()
    return int.from_bytes(hashlib.blake2b(purpose, key=secret, digest_size=8).digest(), "big") >> 64 - SEED_BITS


def secret_for(game: Any, seed: int) -> bytes:
    """What the seeds of a game or a run derive from.

    Where nothing is hidden it follows from `seed` alone, so that anybody can repeat what was published; else from the
    owner's key too.
    """
    key = owner_key() if offers(type(game), "redeal") else b""
    return hashlib.blake2b(str(seed).encode(), key=key, digest_size=_KEY_BYTES).digest()


def owner_key() -> bytes:
    """A random key of this user on this machine; `DAEDALUS_KEY` (any text) takes its place, to repeat games elsewhere."""
    given = os.environ.get("DAEDALUS_KEY")
    if given:
        return hashlib.blake2b(given.encode(), digest_size=_KEY_BYTES).digest()
    return _kept_key(Path(platformdirs.user_data_dir("daedalus", appauthor=False)) / "key")


@cache
def _kept_key(path: Path) -> bytes:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_once(path)
        key = path.read_bytes()
    except OSError as error:
        print(f"daedalus: {path}: {error.strerror}; games dealt now cannot be dealt again by their seed", file=sys.stderr)
        return secrets.token_bytes(_KEY_BYTES)
    if len(key) != _KEY_BYTES:
        print(f"daedalus: {path} is damaged; delete it to get a new key", file=sys.stderr)
        return hashlib.blake2b(key, digest_size=_KEY_BYTES).digest() if key else secrets.token_bytes(_KEY_BYTES)
    return key


def _write_once(path: Path) -> None:
    """Makes the key, readable for its owner alone, whole or not at all; the first of several processes wins."""
    if path.exists():
        return
    mine = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(_KEY_BYTES))
        with contextlib.suppress(FileExistsError):
            os.link(mine, path)
    finally:
        mine.unlink(missing_ok=True)
