"""Boards: the thesis's, generated ones of any size, and those read from a file; how an option names one.

To kernels a board is a tuple of numbers: kind, rows, columns, movable rows and movable columns as bits, how many objects,
and for a board from a file its tiles, six to a number, row by row and the extra tile last. A tile is nine bits:

    bits 0..3  its exits north, east, south, west         bits 4..8  its marker: 0 none, 1..26 a..z, 27..30 R Y G B
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daedalus.core.errors import InvalidOption

from .terms import BAR, ELL, TEE, base, rotation_of, turned

ORIGINAL, RANDOM, GENERATED, GIVEN = 0, 1, 2, 3
LARGEST = 16
LETTERS = 26
MARKERS = "AabcdefghijklmnopqrstuvwxyzRYGB"  # a marker's letter stands at its number
RED, YELLOW, GREEN, BLUE = 27, 28, 29, 30
KINDS = {"L": ELL, "T": TEE, "I": BAR}
_TILE_BITS, _TILES_A_NUMBER = 9, 6

Board = tuple[int, ...]


def inner_odd(n: int) -> int:
    """Lines 1, 3, 5, ... as bits, without the two at the border."""
    return sum(1 << i for i in range(1, n - 1, 2))


NAMED: dict[str, Board] = {
    "original": (ORIGINAL, 7, 7, inner_odd(7), inner_odd(7), 24),
    "random": (RANDOM, 7, 7, inner_odd(7), inner_odd(7), 24),
    "3x3": (GENERATED, 3, 3, 0b111, 0b111, 4),
    "5x5": (GENERATED, 5, 5, inner_odd(5), inner_odd(5), 12),
}


def generated(rows: int, columns: int) -> Board:
    """A board with homes in the corners and other tiles at random; objects on half of them, at most 24."""
    return (GENERATED, rows, columns, inner_odd(rows), inner_odd(columns), max(min(24, (rows * columns - 3) // 2), 1))


# --- tiles ------------------------------------------------------------------------------------------------------------


def tile_text(exits: int, marker: int) -> str:
    """A tile as the thesis's files write it: kind, rotation, marker (`T3c`, `L1R`, `I0A`)."""
    kind = next(letter for letter, exits_0 in KINDS.items() if exits_0 == base(exits))
    return f"{kind}{rotation_of(exits)}{MARKERS[marker]}"


def read_tile(text: str) -> tuple[int, int]:
    """(exits, marker) of a tile's text; raises ValueError with the reason."""
    if not re.fullmatch(r"[LTI][0-3][a-zRYGBA]", text):
        raise ValueError(
            f"'{text}' is not a tile: kind L, T or I, rotation 0-3, then an object a-z, a home R, Y, G or B, or A for none"
        )
    return int(turned(KINDS[text[0]], int(text[1]))), MARKERS.index(text[2])


def packed(tiles: list[tuple[int, int]]) -> tuple[int, ...]:
    """Tiles as numbers, six to each."""
    numbers = [0] * -(-len(tiles) // _TILES_A_NUMBER)
    for i, (exits, marker) in enumerate(tiles):
        numbers[i // _TILES_A_NUMBER] |= (exits | marker << 4) << (_TILE_BITS * (i % _TILES_A_NUMBER))
    return tuple(numbers)


def given_tiles(board: Board) -> list[tuple[int, int]]:
    """The tiles of a board from a file, the extra one last."""
    return [(code & 15, code >> 4) for code in (_code(board, i) for i in range(board[1] * board[2] + 1))]


def _code(board: Board, i: int) -> int:
    return board[6 + i // _TILES_A_NUMBER] >> (_TILE_BITS * (i % _TILES_A_NUMBER)) & 511


# --- the file format --------------------------------------------------------------------------------------------------


@dataclass
class _Reader:
    """Words of a file one by one, with the line each stands on, so that a complaint can name it."""

    words: list[tuple[int, str]]
    place: int = 0

    @property
    def line(self) -> int:
        return self.words[min(self.place, len(self.words) - 1)][0] if self.words else 1

    def next(self, wanted: str) -> tuple[int, str]:
        if self.place == len(self.words):
            raise InvalidOption(f"line {self.line}: the board ends here, but {wanted} is missing")
        self.place += 1
        return self.words[self.place - 1]

    def number(self, wanted: str) -> tuple[int, int]:
        line, word = self.next(wanted)
        if not word.isdecimal():
            raise InvalidOption(f"line {line}: {wanted} is wanted here, not '{word}'")
        return line, int(word)


def read_board(text: str) -> Board:
    """A board in the thesis's format; raises InvalidOption with the line and the rule it breaks.

    Rows, columns, the tiles row by row, the extra tile, the movable rows, the movable columns. Line breaks only matter
    between the two lists at the end; where there is none, the first number that is not larger begins the second list.
    """
    words = [(i + 1, word) for i, line in enumerate(text.splitlines()) for word in line.split()]
    reader = _Reader(words)
    rows, columns = _size(reader, "rows"), _size(reader, "columns")
    tiles = [_tile(reader, f"tile {i + 1} of {rows * columns}") for i in range(rows * columns)]
    tiles.append(_tile(reader, "the extra tile"))
    _check_markers(tiles)
    row_lines, column_lines = _lines(reader, rows, columns)
    kinds = [(exits, marker) for _, exits, marker in tiles]
    objects = sum(1 <= marker <= LETTERS for _, marker in kinds)
    return (GIVEN, rows, columns, row_lines, column_lines, objects, *packed(kinds))


def _size(reader: _Reader, what: str) -> int:
    line, number = reader.number(f"the number of {what}")
    if not 1 <= number <= LARGEST:
        raise InvalidOption(f"line {line}: {number} {what}; a board has 1 to {LARGEST}")
    return number


def _tile(reader: _Reader, wanted: str) -> tuple[int, int, int]:
    line, word = reader.next(wanted)
    try:
        return (line, *read_tile(word))
    except ValueError as error:
        raise InvalidOption(f"line {line}: {wanted}: {error}") from None


def _check_markers(tiles: list[tuple[int, int, int]]) -> None:
    seen: dict[int, int] = {}
    for line, _, marker in tiles:
        if marker in seen and marker:
            raise InvalidOption(f"line {line}: marker {MARKERS[marker]} is on line {seen[marker]} already; each is used once")
        seen[marker] = line
    line, _, marker = tiles[-1]
    if marker > LETTERS:
        raise InvalidOption(f"line {line}: home {MARKERS[marker]} is on the extra tile; homes begin on the board")
    if len([marker for marker in seen if marker > LETTERS]) < 2:
        raise InvalidOption(f"line {line}: {_some(seen, 27, 31)} on the board; two players need two of the homes R, Y, G, B")
    if len([marker for marker in seen if 1 <= marker <= LETTERS]) < 2:
        raise InvalidOption(f"line {line}: {_some(seen, 1, 27)} on the board; every player needs at least one object")


def _some(seen: dict[int, int], low: int, high: int) -> str:
    found = [MARKERS[marker] for marker in sorted(seen) if low <= marker < high]
    return f"only {' '.join(found)}" if found else f"no {'home' if low > LETTERS else 'object'}"


def _lines(reader: _Reader, rows: int, columns: int) -> tuple[int, int]:
    """The two lists at the end: separate lines, or one where the numbers begin anew."""
    rest = reader.words[reader.place :]
    end_line = reader.line
    lists: list[list[tuple[int, int]]] = [[]]
    while reader.place < len(reader.words):
        line, number = reader.number("the number of a movable line")
        before = lists[-1][-1] if lists[-1] else None
        if before and (line != before[0] or number <= before[1]) and len(lists) == 1:
            lists.append([])
        lists[-1].append((line, number))
    if len(lists) == 1 and rest and rest[0][0] > end_line:
        lists.append([])
    lists += [[]] * (2 - len(lists))
    masks = _mask(lists[0], rows, "row"), _mask(lists[1], columns, "column")
    if not any(masks):
        raise InvalidOption(f"line {end_line}: no line is movable; at least one row or column must be")
    return masks


def _mask(numbers: list[tuple[int, int]], count: int, what: str) -> int:
    mask = 0
    for line, number in numbers:
        if number >= count:
            raise InvalidOption(f"line {line}: there is no {what} {number}; {what}s are 0 to {count - 1}")
        if mask >> number:
            raise InvalidOption(f"line {line}: {what} {number}: movable {what}s are listed in rising order, each once")
        mask |= 1 << number
    return mask


def line_numbers(mask: int) -> list[int]:
    """The lines whose bits are set."""
    return [i for i in range(LARGEST) if mask >> i & 1]


def inline(board: Board) -> str:
    """A board from a file in one word, `L1aL3b/I0RI0Y/L3A/1/0,1`, so that a record needs no file."""
    rows, columns = board[1], board[2]
    texts = [tile_text(*tile) for tile in given_tiles(board)]
    lines = ["".join(texts[i * columns : (i + 1) * columns]) for i in range(rows)]
    movable = [",".join(map(str, line_numbers(mask))) for mask in board[3:5]]
    return "/".join([*lines, texts[-1], *movable])


def from_inline(text: str) -> Board:
    """The reverse of `inline`."""
    *rows, extra, movable_rows, movable_columns = text.split("/")
    tiles = [re.findall("...", row) for row in rows]
    if len({len(row) for row in tiles}) != 1 or any(len(row) % 3 for row in rows):
        raise InvalidOption("the rows of a board have the same number of tiles, three characters each")
    lines = [str(len(rows)), str(len(tiles[0])), *(" ".join(row) for row in tiles), extra]
    board = read_board("\n".join([*lines, "0"]))  # the lists of lines are read apart: either may be empty
    movable = []
    for what, count, listed in (("row", len(rows), movable_rows), ("column", len(tiles[0]), movable_columns)):
        movable.append(_listed(listed, count, what))
    if not any(movable):
        raise InvalidOption("no line is movable; at least one row or column must be")
    return (*board[:3], *movable, *board[5:])


def _listed(text: str, count: int, what: str) -> int:
    words = [word for word in text.split(",") if word]
    if not all(word.isdecimal() for word in words):
        raise InvalidOption(f"{what}s '{text}': numbers joined by commas are wanted")
    return _mask([(1, int(word)) for word in words], count, what)


# --- options ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoardOption:
    """A board by name, by size, or from a file."""

    help: str

    def read(self, name: str, value: Any) -> Board:
        if isinstance(value, tuple):
            return value
        text = str(value)
        if text in NAMED:
            return NAMED[text]
        size = re.fullmatch(r"(\d+)x(\d+)", text)
        if size:
            rows, columns = int(size[1]), int(size[2])
            if not (2 <= rows <= LARGEST and 2 <= columns <= LARGEST):
                raise InvalidOption(f"{name}={text}: generated boards are 2x2 to {LARGEST}x{LARGEST}")
            return generated(rows, columns)
        return _described(name, lambda: from_inline(text)) if re.match(r"[LTI]\d.[^.]*/", text) else _from_file(name, text)

    def write(self, value: Any) -> str:
        for name, board in NAMED.items():
            if board == value:
                return name
        return inline(value) if value[0] == GIVEN else f"{value[1]}x{value[2]}"

    def takes(self) -> str:
        return "|".join([*NAMED, f"ROWSxCOLUMNS up to {LARGEST}x{LARGEST}", "FILE"])


def _described(what: str, read: Callable[[], Board]) -> Board:
    try:
        return read()
    except InvalidOption as error:
        raise InvalidOption(f"{what}: {error}") from None


def _from_file(name: str, path: str) -> Board:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        known = ", ".join(NAMED)
        raise InvalidOption(f"{name}={path}: takes {known}, a size such as 9x9, or a board file ({reason})") from None
    return _described(path, lambda: read_board(text))


@dataclass(frozen=True)
class Lines:
    """Which rows or columns can be pushed, kept as bits; none means those the board brings."""

    help: str

    def read(self, name: str, value: Any) -> int:
        if isinstance(value, int):
            return value
        text = str(value).strip()
        if text == "board":
            return 0
        if text == "all":
            return (1 << LARGEST) - 1
        if text in ("odd", "even"):
            return sum(1 << i for i in range(text == "odd", LARGEST, 2))
        words = text.split(",")
        if not all(word.strip().isdecimal() and int(word) < LARGEST for word in words):
            raise InvalidOption(f"{name}={value}: takes {self.takes()}")
        return sum({1 << int(word) for word in words})

    def write(self, value: Any) -> str:
        for word in ("board", "all", "odd", "even"):
            if self.read("", word) == value:
                return word
        return ",".join(map(str, line_numbers(value)))

    def takes(self) -> str:
        return "board|all|odd|even|numbers such as 1,3,5"


def movable(board: Board, rows: int, columns: int) -> tuple[int, int]:
    """The movable rows and columns of a board with the options of these names, as bits."""
    return (rows or board[3]) & (1 << board[1]) - 1, (columns or board[4]) & (1 << board[2]) - 1


def homes_on(board: Board) -> list[int]:
    """The homes a board has."""
    if board[0] != GIVEN:
        return [RED, YELLOW, GREEN, BLUE]
    return sorted(marker for _, marker in given_tiles(board) if marker > LETTERS)


def seat_homes(players: int, homes: list[int]) -> list[int]:
    """Whose home is whose: two players sit opposite, red and blue, if they can; else clockwise from red."""
    order = (RED, BLUE, YELLOW, GREEN) if players == 2 else (RED, YELLOW, BLUE, GREEN)
    return [home for home in order if home in homes][:players]
