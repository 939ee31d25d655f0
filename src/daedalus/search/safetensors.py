"""Weights as a file: safetensors with a card among the metadata, read and written with NumPy alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from daedalus.core import InvalidSpec
from daedalus.core.files import replacing

_LONGEST = 1 << 20  # bytes of a header that anybody would write
_CARD = "daedalus"  # the key of the card among the metadata


class InvalidNetwork(InvalidSpec):
    """A file that holds no network, or one that does not fit the game."""


def write_weights(path: Path, weights: dict[str, Any], card: dict[str, Any]) -> None:
    """Writes the file whole or not at all."""
    about: dict[str, Any] = {"__metadata__": {_CARD: json.dumps(card)}}
    end = 0
    for name, values in weights.items():
        begin, end = end, end + 4 * int(np.size(values))
        about[name] = {"dtype": "F32", "shape": list(np.shape(values)), "data_offsets": [begin, end]}
    header = json.dumps(about).encode()
    header += b" " * (-len(header) % 8)  # the format wants the numbers aligned
    with replacing(path) as fresh, open(fresh, "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        for values in weights.values():
            file.write(np.ascontiguousarray(values, "<f4").tobytes())


def parse_weights(contents: bytes, names: tuple[str, ...], entries: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The weights of these names and the card in the bytes of a file; these entries of the card must be texts."""
    begin = 8 + int.from_bytes(contents[:8], "little")
    if len(contents) < 8 or begin > min(len(contents), _LONGEST):
        raise InvalidNetwork("not a network: no safetensors header")
    try:
        about = json.loads(contents[8:begin])
        card = json.loads(about["__metadata__"][_CARD])
        complete = all(isinstance(card[entry], str) for entry in entries)
    except (ValueError, KeyError, TypeError, RecursionError):
        complete = False
    if not complete:
        raise InvalidNetwork("not a network of Daedalus: it has no card that names its game")
    return {name: _tensor(about.get(name), name, contents[begin:]) for name in names}, card


def _tensor(about: Any, name: str, numbers: bytes) -> Any:
    try:
        shape = tuple(int(side) for side in about["shape"])
        begin, end = (int(offset) for offset in about["data_offsets"])
        in_order = about["dtype"] == "F32" and 0 <= begin <= end <= len(numbers)
        values = np.frombuffer(numbers[begin:end], "<f4").reshape(shape) if in_order else None
    except (TypeError, KeyError, ValueError, OverflowError):
        values = None
    if values is None or not np.isfinite(values).all():
        raise InvalidNetwork(f"damaged: its weights '{name}' are missing, cut off or no numbers")
    return values
