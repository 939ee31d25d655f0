"""Boards: van der Zwaag's, generated ones of any size, and those read from a file; how an option names one.

To kernels a board is a tuple of numbers: kind, rows, columns, movable rows and movable columns as bits, how many objects,
and for a board from a file its tiles, six to a number, row by row and the extra tile last. A tile is nine bits:

    bits 0..3  its exits north, east, south, west         bits 4..8  its marker: 0 none, 1..26 a..z, 27..30 R Y G B
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from daedalus.core.errors import InvalidOption, InvalidText
from daedalus.core.options import OptionType, shown
from daedalus.core.printable import is_count
from daedalus.core.reading import read_text

from .kernels.maze import (
    BAR,
    BLUE,
    ELL,
    GENERATED,
    GIVEN,
    GREEN,
    LETTERS,
    ORIGINAL,
    RANDOM,
    RED,
    TEE,
    YELLOW,
    rotations,
    turned,
)

LARGEST = 16
MARKERS = "AabcdefghijklmnopqrstuvwxyzRYGB"  # a marker's letter stands at its number
KINDS = {"L": ELL, "T": TEE, "I": BAR}
_LAID = {turned(exits, r): f"{kind}{r}" for kind, exits in KINDS.items() for r in range(rotations(exits))}
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
    """A tile as van der Zwaag's files write it: kind, rotation, marker (`T3c`, `L1R`, `I0A`)."""
    return _LAID[exits] + MARKERS[marker]


def read_tile(text: str) -> tuple[int, int]:
    """(exits, marker) of a tile's text; raises ValueError with the reason."""
    if not re.fullmatch(r"[LTI][0-3][a-zRYGBA]", text):
        raise ValueError(
            f"'{text[:40]}' is not a tile: kind L, T or I, rotation 0-3, then an object a-z, a home R, Y, G or B, or A for none"
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


Word = tuple[int, str]  # the line it stands on, and the word itself


def read_board(text: str) -> Board:
    """A board in van der Zwaag's format; raises InvalidOption with every rule it breaks and the line.

    Rows, columns, the tiles row by row, the extra tile, the movable rows, the movable columns. Line breaks only matter
    between the two lists at the end; where there is none, the first number that is not larger begins the second list.
    """
    words = [(i + 1, word) for i, line in enumerate(text.splitlines()) for word in line.split()]
    rows, columns = _size(words, 0, "rows"), _size(words, 1, "columns")
    tile_words = list(takewhile(lambda word: not word[1].isdecimal(), words[2:]))
    last_line = tile_words[-1][0] if tile_words else words[1][0]
    faults = _count_faults(tile_words, rows, columns, last_line)
    tiles = [_tile(word, faults) for word in tile_words]
    faults += _marker_faults([(line, marker) for line, _, marker in tiles], last_line)
    movable = _movable(words[2 + len(tile_words) :], last_line, rows, columns, faults)
    if faults:
        raise InvalidOption("; ".join(faults))
    kinds = [(exits, marker) for _, exits, marker in tiles]
    objects = sum(1 <= marker <= LETTERS for _, marker in kinds)
    return (GIVEN, rows, columns, *movable, objects, *packed(kinds))


def _size(words: list[Word], place: int, what: str) -> int:
    """The number of rows or columns; a board without it cannot be read further."""
    if place >= len(words):
        raise InvalidOption(f"line {words[-1][0] if words else 1}: the board ends here, but the number of {what} is missing")
    line, word = words[place]
    if not is_count(word):
        raise InvalidOption(f"line {line}: the number of {what} is wanted here, not '{word[:40]}'")
    if not 1 <= int(word) <= LARGEST:
        raise InvalidOption(f"line {line}: {word} {what}, a board has 1 to {LARGEST}")
    return int(word)


def _count_faults(words: list[Word], rows: int, columns: int, last_line: int) -> list[str]:
    """What is wrong with the number of tiles: the lines too short or too long if there are such, else the whole."""
    wanted = rows * columns + 1
    if len(words) == wanted:
        return []
    counts = Counter(line for line, _ in words)
    lines = sorted(counts)[:rows]
    faults = [f"line {n}: {counts[n]} tiles, a row of this board has {columns}" for n in lines if counts[n] != columns]
    whole = f"line {last_line}: {len(words)} tiles up to here, but {rows} rows of {columns} and the extra tile are {wanted}"
    return faults if len(lines) == rows and faults else [whole]


def _tile(word: Word, faults: list[str]) -> tuple[int, int, int]:
    line, text = word
    try:
        return (line, *read_tile(text))
    except ValueError as error:
        faults.append(f"line {line}: {error}")
        return line, 0, 0


def _marker_faults(markers: list[tuple[int, int]], last_line: int) -> list[str]:
    """Every marker once; two homes, both on the board; an object for each player."""
    faults, seen = [], dict[int, int]()
    for line, marker in markers:
        if marker in seen and marker:
            faults.append(f"line {line}: marker {MARKERS[marker]} is on line {seen[marker]} already, each is used once")
        seen.setdefault(marker, line)
    extra = markers[-1][1] if markers else 0
    if extra > LETTERS:
        faults.append(f"line {last_line}: home {MARKERS[extra]} is on the extra tile, but homes begin on the board")
    if sum(marker > LETTERS for marker in seen) < 2:
        faults.append(f"line {last_line}: {_some(seen, 27, 31)} on the board, but two players need two of the homes R, Y, G, B")
    if sum(1 <= marker <= LETTERS for marker in seen) < 2:
        faults.append(f"line {last_line}: {_some(seen, 1, 27)} on the board, but every player needs at least one object")
    return faults


def _some(seen: dict[int, int], low: int, high: int) -> str:
    found = [MARKERS[marker] for marker in sorted(seen) if low <= marker < high]
    return f"only {' '.join(found)}" if found else f"no {'home' if low > LETTERS else 'object'}"


def _movable(words: list[Word], last_line: int, rows: int, columns: int, faults: list[str]) -> tuple[int, int]:
    """The two lists at the end, as bits."""
    before = len(faults)
    numbers = []
    for line, word in words:
        if is_count(word):
            numbers.append((line, int(word)))
        else:
            faults.append(f"line {line}: the number of a movable line is wanted here, not '{word[:40]}'")
    split = _second_list(numbers, last_line)
    masks = _mask(numbers[:split], rows, "row", faults), _mask(numbers[split:], columns, "column", faults)
    if not any(masks) and len(faults) == before:
        faults.append(f"line {last_line}: no movable line follows, but at least one row or column must be")
    return masks


def _second_list(numbers: list[tuple[int, int]], last_line: int) -> int:
    """Where the columns begin: on the next line, or where the numbers on a single line fall; after an empty line at once."""
    if numbers and numbers[0][0] > last_line + 1:
        return 0
    single = numbers and numbers[0][0] == numbers[-1][0]
    for i in range(1, len(numbers)):
        if numbers[i][0] > numbers[i - 1][0] or (single and numbers[i][1] <= numbers[i - 1][1]):
            return i
    return len(numbers)


def _mask(numbers: list[tuple[int, int]], count: int, what: str, faults: list[str]) -> int:
    mask = 0
    for line, number in numbers:
        if number >= count:
            faults.append(f"line {line}: there is no {what} {number}, {what}s are 0 to {count - 1}")
        elif mask >> number & 1:
            faults.append(f"line {line}: {what} {number} is listed twice")
        else:
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
    if text.count("/") < 3:
        raise InvalidOption("a board in one word is its rows, the extra tile, movable rows and movable columns, joined by /")
    *rows, extra, movable_rows, movable_columns = text.split("/")
    tiles = [re.findall("...", row) for row in rows]
    if len({len(row) for row in tiles}) != 1 or any(len(row) % 3 for row in rows):
        raise InvalidOption("the rows of a board have the same number of tiles, three characters each")
    lines = [str(len(rows)), str(len(tiles[0])), *(" ".join(row) for row in tiles), extra]
    board = read_board("\n".join([*lines, "0"]))  # the lists of lines are read apart: either may be empty
    movable = _listed(movable_rows, len(rows), "row"), _listed(movable_columns, len(tiles[0]), "column")
    if not any(movable):
        raise InvalidOption("no line is movable; at least one row or column must be")
    return (*board[:3], *movable, *board[5:])


def _listed(text: str, count: int, what: str) -> int:
    words = [word for word in text.split(",") if word]
    if not all(map(is_count, words)):
        raise InvalidOption(f"{what}s '{text}': numbers joined by commas are wanted")
    faults: list[str] = []
    mask = _mask([(1, int(word)) for word in words], count, what, faults)
    if faults:
        raise InvalidOption("; ".join(faults))
    return mask


# --- options ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoardOption(OptionType):
    """A board by name, by size, or from a file."""

    def read(self, name: str, value: Any) -> Board:
        if isinstance(value, tuple):
            return value
        text = str(value)
        if text in NAMED:
            return NAMED[text]
        size = re.fullmatch(r"(\d{1,9})x(\d{1,9})", text)
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
        text = read_text(path)
    except InvalidText as error:
        known = ", ".join(NAMED)
        raise InvalidOption(f"{shown(name, path)}: takes {known}, a size such as 9x9, or a board file ({error})") from None
    return _described(path, lambda: read_board(text))


@dataclass(frozen=True)
class Lines(OptionType):
    """Which rows or columns can be pushed, kept as bits; none means those the board brings."""

    def read(self, name: str, value: Any) -> int:
        if isinstance(value, int) and 0 <= value < 1 << LARGEST:
            return value
        text = str(value).strip() if isinstance(value, str) else ""
        if text == "board":
            return 0
        if text == "all":
            return (1 << LARGEST) - 1
        if text in ("odd", "even"):
            return sum(1 << i for i in range(text == "odd", LARGEST, 2))
        words = text.split(",")
        if not all(is_count(word.strip()) and int(word) < LARGEST for word in words):
            raise InvalidOption(f"{shown(name, value)}: takes {self.takes()}")
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
