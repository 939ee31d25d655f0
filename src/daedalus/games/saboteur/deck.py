"""The option `deck`: how many of each card there are, read from a file or from twenty numbers."""

import csv
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daedalus.core import InvalidOption, InvalidText
from daedalus.core.errors import valid
from daedalus.core.options import OptionType, shown
from daedalus.core.printable import is_count
from daedalus.core.reading import read_text

from .kernels.tiles import CARDS, MAP, STANDARD, TILES

NAMES = (*map(str, range(TILES)), "map", "malus", "bonus", "destroy")  # of the cards, in the order of their numbers
AS_TOLD = -1  # in place of the number of maps: the option `maps` tells
USUAL = tuple(AS_TOLD if card == MAP else count for card, count in enumerate(STANDARD))
MOST = 99  # of one card


@dataclass(frozen=True)
class DeckFile(OptionType):
    """A file with lines `card,count`, or the twenty numbers themselves, joined by commas; kept as the numbers."""

    def read(self, name: str, value: Any) -> tuple[int, ...]:
        if isinstance(value, (tuple, list)):
            return self._counts(name, list(value))
        text = str(value)
        if text in ("", "usual"):
            return USUAL
        if os.path.isfile(text):
            return self._file(name, Path(text))
        if set(text) <= set("0123456789-, "):
            return self._counts(name, text.split(","))
        raise InvalidOption(f"{shown(name, text)}: there is no such file; takes {self.takes()}")

    def _counts(self, name: str, given: list[Any]) -> tuple[int, ...]:
        try:
            counts = tuple(int(count) for count in given)
        except (TypeError, ValueError, OverflowError):
            raise InvalidOption(f"{shown(name, given)}: the counts must be whole numbers") from None
        if len(counts) != CARDS:
            raise InvalidOption(f"{name}: {len(counts)} counts given; there are {CARDS} cards: {', '.join(NAMES)}")
        for card, count in enumerate(counts):
            if not (0 <= count <= MOST or (card == MAP and count == AS_TOLD)):
                raise InvalidOption(f"{name}: {count} cards '{NAMES[card]}'; 0 to {MOST} are possible")
        return counts

    def _file(self, name: str, path: Path) -> tuple[int, ...]:
        """Cards that a file leaves out are not in the deck; only the maps are then as the option `maps` says."""
        told = {MAP: AS_TOLD}
        for number, row in enumerate(self._rows(name, path), start=1):
            words = [word.strip() for word in row]
            if words in ([], ["card", "count"]) or words[0].startswith("#"):
                continue
            where = f"{name}: {path}, line {number}"
            if len(words) != 2 or not is_count(words[1]):
                raise InvalidOption(f"{where}: write a card and its count, as in '6,5' or 'map,6'")
            card = words[0].lower().removeprefix("tile:")
            if card not in NAMES:
                raise InvalidOption(f"{where}: " + valid("card", card, NAMES))
            if told.get(NAMES.index(card), AS_TOLD) != AS_TOLD:
                raise InvalidOption(f"{where}: card '{card}' for the second time")
            told[NAMES.index(card)] = int(words[1])
        return self._counts(name, [told.get(card, 0) for card in range(CARDS)])

    @staticmethod
    def _rows(name: str, path: Path) -> list[list[str]]:
        try:
            return list(csv.reader(read_text(path).splitlines()))
        except (InvalidText, csv.Error) as error:
            raise InvalidOption(f"{name}: {path} cannot be read ({error})") from None

    def write(self, value: Any) -> str:
        return ",".join(map(str, value))

    def takes(self) -> str:
        return f"a file with lines card,count, or {CARDS} numbers joined by commas"
