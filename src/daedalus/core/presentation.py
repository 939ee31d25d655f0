"""How a game presents itself that does not say: texts from the fields of its state, a plain table as picture."""

import json
from typing import Any

import numpy as np

from .drawing import text_as_svg
from .errors import InvalidText


def move_text(self: Any, s: Any, m: int) -> str:
    """A move is its number."""
    return str(int(m))


def read_move(self: Any, s: Any, text: str) -> int | None:
    """None: the position looks the text up among those of the legal moves."""
    return None


def _fields(s: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = s.dtype.names
    return names


def position_text(self: Any, s: Any, seat: int | None) -> str:
    """Every field of the state: `turn=0 board=0,0,1`; plain Python objects as JSON."""
    if not isinstance(s, np.record):
        return json.dumps(vars(s), separators=(",", ":"))
    return " ".join(f"{name}={','.join(map(str, np.ravel(s[name]).tolist()))}" for name in _fields(s))


def read_position(self: Any, s: Any, text: str) -> None:
    """The reverse of `position_text`."""
    if not isinstance(s, np.record):
        _read_json(s, text)
        return
    given = dict(word.partition("=")[::2] for word in text.split())
    if set(given) != set(_fields(s)):
        raise InvalidText(f"a position of this game has the fields {', '.join(_fields(s))}")
    for name in _fields(s):
        field = np.asarray(s[name])
        try:
            values = np.array(given[name].split(",")).astype(field.dtype)
            s[name] = values.reshape(field.shape)
        except (ValueError, OverflowError):
            raise InvalidText(f"field '{name}' wants {field.size} numbers of type {field.dtype}") from None


def _read_json(s: Any, text: str) -> None:
    try:
        values = json.loads(text)
    except ValueError as error:
        raise InvalidText(f"a position of this game is a JSON object ({error})") from None
    if not isinstance(values, dict) or set(values) != set(vars(s)):
        raise InvalidText(f"a position of this game has the fields {', '.join(vars(s))}")
    vars(s).update(values)


def ending(self: Any, s: Any) -> str:
    """No more to say than who won."""
    return "the game is over"


def summary(self: Any, s: Any, seat: int | None) -> str:
    """Nothing beside the board."""
    return ""


def terminal(self: Any, s: Any, seat: int | None, last: int | None) -> Any:
    """Each field on a line, two-dimensional ones as a grid."""
    from rich.text import Text

    if not isinstance(s, np.record):
        return Text("\n".join(f"{name} {value}" for name, value in vars(s).items()))
    lines = []
    for name in _fields(s):
        field = np.asarray(s[name])
        if field.ndim == 2:
            lines += [name] + ["  " + " ".join(map(str, row)) for row in field.tolist()]
        else:
            lines.append(f"{name} {' '.join(map(str, np.ravel(field).tolist()))}")
    return Text("\n".join(lines))


def svg(self: Any, s: Any, seat: int | None, last: int | None) -> str:
    """The terminal picture as SVG text."""
    return text_as_svg(self.terminal(s, seat, last).plain)


def touches(self: Any, s: Any, m: int) -> tuple[str, ...]:
    """One button a move."""
    return (f"move-{self.move_text(s, m)}",)
