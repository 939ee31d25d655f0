"""A report as data, for matches, tournaments and studies: headings, paragraphs, tables, pictures, commands; `writers` write it."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

Progress = Callable[[str, int, int], None]  # what is under way, how much of it is done, of how much
Cell = str | int | float | None
Row = Sequence[Cell]

_LARGE, _SMALL = 1e7, 1e-3  # numbers beyond these are written with a power of ten
_WORDY = 40  # characters; a column with longer texts needs room to wrap


class Estimate(NamedTuple):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


class Mean(NamedTuple):
    """A mean with its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class Heading:
    kind: ClassVar = "heading"
    text: str


@dataclass(frozen=True)
class Paragraph:
    """A text; an `answer` is what was asked for, a `warning` a doubt about it."""

    kind: ClassVar = "paragraph"
    text: str
    tone: Literal["plain", "answer", "warning"] = "plain"


@dataclass(frozen=True)
class Table:
    """Rows under headers; numbers that are not whole show so many digits. `name` is that of the CSV file, which has all.

    `display` is what people see instead, where that should be arranged otherwise: headers and rows of texts.
    """

    kind: ClassVar = "table"
    name: str
    title: str
    headers: Sequence[str]
    rows: Sequence[Row]
    digits: int = 5
    display: tuple[Sequence[str], Sequence[Sequence[str]]] | None = None
    remark: str = ""

    @property
    def head(self) -> Sequence[str]:
        """The headers for people."""
        return self.display[0] if self.display else self.headers

    @cached_property
    def shown(self) -> list[list[str]]:
        """The rows for people."""
        if self.display:
            return [list(row) for row in self.display[1]]
        return [[shown(cell, self.digits) for cell in row] for row in self.rows]

    @cached_property
    def columns(self) -> list[str]:
        """How the columns are set: `number` on the right, `text`, and `long` for texts that want room."""
        return [_setting([row[k] for row in self.shown]) for k in range(len(self.head))]


@dataclass(frozen=True)
class Figure:
    """A picture as SVG in the colour of the page's text, drawn when somebody wants it; `name` is that of its file."""

    kind: ClassVar = "figure"
    name: str
    title: str
    draw: Callable[[], str]

    @cached_property
    def svg(self) -> str:
        return self.draw()


@dataclass(frozen=True)
class Commands:
    """What to type to do a part again, folded away under a title: pairs of a label and a command."""

    kind: ClassVar = "commands"
    title: str
    lines: Sequence[tuple[str, str]]


Block = Heading | Paragraph | Table | Figure | Commands


@dataclass
class Report:
    """What was found, in the order of reading; `facts` tell how, so that it can be done again.

    `brief` is the line of facts for a terminal, which shows all of them if there is none. `name` begins those of files.
    """

    name: str
    title: str
    blocks: list[Block] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    brief: str = ""

    @property
    def tables(self) -> list[Table]:
        return [block for block in self.blocks if isinstance(block, Table)]

    @property
    def figures(self) -> list[Figure]:
        return [block for block in self.blocks if isinstance(block, Figure)]

    @property
    def texts(self) -> list[str]:
        """The paragraphs."""
        return [block.text for block in self.blocks if isinstance(block, Paragraph)]

    def data(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        tables = {
            table.name: {"title": table.title, "headers": list(table.headers), "rows": [list(row) for row in table.rows]}
            for table in self.tables
        }
        commands = dict(line for block in self.blocks if isinstance(block, Commands) for line in block.lines)
        told = {"study": self.name, "title": self.title, "facts": self.facts, "words": self.texts, "tables": tables}
        return told | {"commands": commands}


def shown(cell: Cell, digits: int = 5) -> str:
    """A cell for people: whole numbers in full, others with so many digits."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return f"{cell:,}"
    if cell == 0 or not math.isfinite(cell):
        return f"{cell:g}"
    if _SMALL <= abs(cell) < _LARGE:
        return f"{cell:,.{max(0, digits - 1 - math.floor(math.log10(abs(cell))))}f}"
    mantissa, _, exponent = f"{cell:.{digits - 1}e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


def _setting(cells: Sequence[str]) -> str:
    if max(map(len, cells), default=0) > _WORDY:
        return "long"
    return "text" if any(re.search("[a-df-zA-Z]", cell) for cell in cells) else "number"


def silent(what: str, done: int, total: int) -> None:
    """The progress of those who do not look on."""
