"""Quoridor as text: standard algebraic moves, the published position line, and readers for two other notations.

A move is the square the pawn goes to (`e2`) or a wall (`e3h`, see names.py); `pass` when nothing else can be played.
A position is `horizontal walls / vertical walls / pawns / stocks / player to move`, walls and pawns by their squares:

    e3c6 / d4 / e2 e8 / 9 8 / 1        walls e3h, c6h and d4v; White on e2, Black on e8; White to move
    /  / e1 a5 e9 i5 / 5 5 5 5 / 1     the start for four

Glendenning's notation and OpenSpiel's strings count ranks from the top: `flipped` turns either way. The console game of
Hoľa (2016, section 4.4) says `u l d r` for steps, two letters for jumps, `h3` and `v24` for walls by number:
`read_console_move`.
"""

import re
from typing import Any

from daedalus.core import IllegalMove, InvalidText
from daedalus.core.plurals import counted

from .kernels.bitboards import STRIDE, distance
from .kernels.rules import CAPPED, CELL, H, V, in_contact, lay_out, leaves_paths, put_wall
from .notation import LETTERS, anchor, cell, members, square, wall
from .paths import fault, is_home, pawn_targets, wall_clash

PASS = "pass"

# --- moves ----------------------------------------------------------------------------------------------------------


def move_text(self: Any, s: Any, m: int) -> str:
    if m >= H:
        return wall(m)
    return PASS if m == s.pawn[s.turn] else square(m)


def read_move(self: Any, s: Any, text: str) -> int | None:
    """Standard text, or the console's where it means nothing in standard text (`uu`, `v24`, but not `h3`, a square)."""
    text = text.lower()
    if text == PASS:
        return int(s.pawn[s.turn])
    found = re.fullmatch(r"([a-k]\d{1,2})([hv])?", text)
    if found and found[2]:
        return checked_wall(self, s, (H if found[2] == "h" else V) + anchor(self, found[1], IllegalMove))
    if found and _is_square(self, text):
        return checked_pawn(self, s, cell(self, text, IllegalMove))
    if re.fullmatch(r"[uldr]{1,2}|[hv]\d+", text):
        return read_console_move(self, s, text)
    if found:
        cell(self, text, IllegalMove)  # says which squares there are
    raise IllegalMove(f"'{text}' is not a move; write the pawn's square, as in e2, or a wall, as in e3h")


def _is_square(self: Any, text: str) -> bool:
    return LETTERS.index(text[0]) < self.width and 1 <= int(text[1:]) <= self.height and text[1] != "0"


def checked_wall(self: Any, s: Any, m: int) -> int:
    """The wall, if the seat to move may place it; else IllegalMove with the reason."""
    if s.stock[s.turn] <= 0:
        raise IllegalMove(f"'{wall(m)}': {self.SEAT_NAMES[s.turn]} has no walls left")
    on_board = {H + at for at in members(s.h0, s.h1)} | {V + at for at in members(s.v0, s.v1)}
    clash = wall_clash(m, on_board)
    if clash:
        raise IllegalMove(f"'{wall(m)}': {clash}")
    if not leaves_paths(self, s, m):
        raise IllegalMove(f"'{wall(m)}': the wall would leave a pawn without a path to its goal")
    return m


def checked_pawn(self: Any, s: Any, at: int) -> int:
    """The pawn move, if the seat to move may make it; else IllegalMove with the reason."""
    own = int(s.pawn[s.turn])
    if at in pawn_targets(self, s):
        return at
    far = abs(at // STRIDE - own // STRIDE) + abs(at % STRIDE - own % STRIDE)
    if at == own:
        reason = f"{self.SEAT_NAMES[s.turn]} stands there already"
    elif at in s.pawn.tolist():
        reason = "another pawn stands there"
    elif far == 1:
        reason = f"a wall stands between {square(own)} and {square(at)}"
    elif far == 2 and in_contact(s, s.turn):
        reason = "no jump leads there"
    else:
        reason = f"too far for the pawn on {square(own)}"
    raise IllegalMove(f"'{square(at)}': {reason}")


# --- other notations ------------------------------------------------------------------------------------------------


def flipped(self: Any, text: str) -> str:
    """A move text with the board turned upside down: pawns on rank r go to height + 1 - r, walls on r to height - r."""
    found = re.fullmatch(r"([a-k])(\d{1,2})([hv]?)", text.lower())
    if not found:
        raise IllegalMove(f"'{text}' is not a move; write the pawn's square, as in e2, or a wall, as in e3h")
    turned = f"{found[1]}{self.height + (not found[3]) - int(found[2])}"
    _ = anchor(self, turned, IllegalMove) if found[3] else cell(self, turned, IllegalMove)
    return turned + found[3]


def read_flipped_move(self: Any, s: Any, text: str) -> int | None:
    """The move meant by a text of Glendenning's notation or of OpenSpiel."""
    return read_move(self, s, flipped(self, text))


_STEPS = {"u": STRIDE, "d": -STRIDE, "l": -1, "r": 1}


def read_console_move(self: Any, s: Any, text: str) -> int:
    """The move meant by the console input of Hoľa (2016); walls are numbered from 0, row by row from the top left."""
    text = text.lower()
    if re.fullmatch(r"[uldr]{1,2}", text):
        return _seed_step(self, s, text)
    found = re.fullmatch(r"([hv])(\d+)", text)
    if not found:
        raise IllegalMove(f"'{text}' is not a move; write u, l, d, r, two of them for a jump, or h3, v24 for a wall")
    slots = (self.width - 1) * (self.height - 1)
    if int(found[2]) >= slots:
        raise IllegalMove(f"'{text}': walls are numbered 0 to {slots - 1}")
    row, file = divmod(int(found[2]), self.width - 1)
    return checked_wall(self, s, (H if found[1] == "h" else V) + (self.height - 2 - row) * STRIDE + file)


def _seed_step(self: Any, s: Any, text: str) -> int:
    row, file = divmod(int(s.pawn[s.turn]), STRIDE)
    row += text.count("u") - text.count("d")
    file += text.count("r") - text.count("l")
    if not (0 <= row < self.height and 0 <= file < self.width):
        raise IllegalMove(f"'{text}' leads off the board")
    return checked_pawn(self, s, row * STRIDE + file)


def console_move_text(self: Any, s: Any, m: int) -> str:
    """A move as the console game of Hoľa (2016) writes it."""
    if m >= H:
        row, file = divmod(m & CELL, STRIDE)
        return f"{'h' if m < V else 'v'}{(self.height - 2 - row) * (self.width - 1) + file}"
    row, file = (a - b for a, b in zip(divmod(m, STRIDE), divmod(int(s.pawn[s.turn]), STRIDE), strict=True))
    return ("u" * row + "d" * -row + "r" * file + "l" * -file) or PASS


# --- positions ------------------------------------------------------------------------------------------------------


def position_text(self: Any, s: Any, seat: int | None) -> str:
    parts = (
        "".join(map(square, members(s.h0, s.h1))),
        "".join(map(square, members(s.v0, s.v1))),
        " ".join(square(int(at)) for at in s.pawn),
        " ".join(str(int(stock)) for stock in s.stock),
        str(int(s.turn) + 1),
    )
    return " / ".join(parts).lstrip()


def read_position(self: Any, s: Any, text: str) -> None:
    parts = [part.strip() for part in text.split("/")]
    if len(parts) != 5:
        raise InvalidText("a position has five parts: horizontal walls / vertical walls / pawns / stocks / player to move")
    pawns, stocks = parts[2].split(), parts[3].split()
    if len(pawns) != self.players or len(stocks) != self.players:
        raise InvalidText(f"a game of {self.players} has {self.players} pawns and {self.players} stocks of walls")
    lay_out(self, s)
    _read_walls(self, s, parts[0], H)
    _read_walls(self, s, parts[1], V)
    for seat in range(self.players):
        s.pawn[seat] = cell(self, pawns[seat].lower(), InvalidText)
        s.stock[seat] = _number(stocks[seat], "a stock of walls")
    s.turn = _number(parts[4], "the player to move") - 1
    wrong = fault(self, s)
    if wrong:
        raise InvalidText(wrong)
    for seat in range(self.players):
        if is_home(self, s, seat):
            s.ended = 1 + seat


def _read_walls(self: Any, s: Any, text: str, code: int) -> None:
    names = re.findall(r"[a-z]\d+", text.lower())
    if "".join(names) != re.sub(r"\s", "", text.lower()):
        raise InvalidText(f"'{text}' is not a list of walls; write their squares one after the other, as in e3c6")
    seen = {V + at for at in members(s.v0, s.v1)} | {H + at for at in members(s.h0, s.h1)}
    for name in names:
        m = code + anchor(self, name, InvalidText)
        clash = wall_clash(m, seen)
        if clash:
            raise InvalidText(clash)
        seen.add(m)
        put_wall(s, m)


def _number(text: str, what: str) -> int:
    if not re.fullmatch(r"\d{1,3}", text):
        raise InvalidText(f"'{text}' is not {what}")
    return int(text)


def ending(self: Any, s: Any) -> str:
    if s.ended == CAPPED:
        return f"{counted(self.cap, 'ply', 'plies')} played"
    return f"{self.SEAT_NAMES[s.ended - 1]} has reached the other side" if s.ended else ""


def summary(self: Any, s: Any, seat: int | None) -> str:
    """Walls in stock and steps to go."""
    return "   ".join(
        f"{name} {counted(int(s.stock[i]), 'wall')}, {int(distance(self, s, i))} to go"
        for i, name in enumerate(self.SEAT_NAMES)
    )
