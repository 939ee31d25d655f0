"""How a game presents itself that does not say: texts from the fields of its state, a plain board as picture."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import grid as boards
from .drawing import Picture, composed
from .errors import InvalidText
from .printable import visible


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
    """The board that `grid` gives, with its numbers; else each field on a line, two-dimensional ones as a grid."""
    from rich.text import Text

    rows = None if type(self).grid is grid else self.grid(s, seat)
    if rows is not None:
        return Text("\n".join(boards.lines(self, rows)))
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


def pictures(self: Any, s: Any, seat: int | None, last: int | None, flipped: bool) -> tuple[Any, ...]:
    """There is one size, and one side to look from."""
    return (self.terminal(s, seat, last),)


def grid(self: Any, s: Any, seat: int | None) -> boards.Rows | None:
    """The board that the state holds, if one is found there: rows of 0 (nothing), numbers or letters."""
    return boards.found_board(s)


def parts(self: Any, s: Any, seat: int | None, history: Sequence[int], touched: tuple[str, ...], flip: bool) -> Picture:
    """The game's own `svg`, or its board; moves that cannot be touched there are buttons beside it."""
    last = history[-1] if history else None
    own = type(self).svg is not svg
    board = self.svg(s, seat, last) if own else boards.board(self, s, seat, last, touched, flip)
    return Picture(board, boards.buttons(self, s, seat, touched) if type(self).touches is touches else ())


def svg(self: Any, s: Any, seat: int | None, last: int | None) -> str:
    """The parts put together, without buttons."""
    picture: Picture = self.parts(s, seat, () if last is None else (last,), (), False)
    beside = tuple(part for part in picture.beside if part.name != "moves")
    return composed(Picture(picture.board, beside), boards.seat_names(self), None if self.over(s) else int(self.turn(s)))


def touches(self: Any, s: Any, m: int) -> tuple[str, ...]:
    """The cell or column of the board that the move's number means, else a button."""
    return (boards.touch_of(self, self.grid(s, None), int(m)) or f"move-{visible(self.move_text(s, m))}",)


def touch_name(self: Any, s: Any, seat: int | None, touch: str) -> str:
    """A cell with what stands there; a button by its move."""
    kind, *place = touch.split("-")
    rows = self.grid(s, seat)
    if kind == "cell" and rows is not None and len(place) == 2 and all(number.isdecimal() for number in place):
        row, column = map(int, place)
        if row < len(rows) and column < len(rows[0]):
            return boards.cell_name(self, rows, row, column)
    return touch.removeprefix("move-") if kind == "move" else touch.replace("-", " ")


def spoken(self: Any, s: Any, seat: int | None) -> str:
    """Who is to move, and the board row by row, or the fields of the state."""
    name = "" if self.over(s) else boards.seat_names(self)[int(self.turn(s))]
    to_move = f"{name[:1].upper()}{name[1:]} to move." if name else "The game is over."
    rows = self.grid(s, seat)
    told = self.position_text(s, seat) if rows is None else boards.spoken_rows(self, rows)
    return " ".join(filter(None, (to_move, told, self.summary(s, seat))))


def spoken_move(self: Any, s: Any, m: int) -> str:
    """The move's text."""
    text: str = self.move_text(s, m)
    return text


def feature_names(self: Any) -> tuple[tuple[str, int, str], ...]:
    """One group of all the numbers that a network sees, if there are any."""
    return (("features", self.FEATURES, "what the game's class says"),) if self.FEATURES else ()


def symmetries(self: Any) -> tuple[()]:
    """None is known."""
    return ()
