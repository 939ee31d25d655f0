"""A study as data: a TOML file of sections, each a grid of pairings with the tables and pictures made of them.

    title, game, about, cost       what it is; `cost` is told by `study --list`
    games, quick, quick_scale      games of a pairing, and with --quick; then time limits are scaled too
    published, published_games     the file of published numbers, and the games behind each of them
    words                          paragraphs before the first section
    calculation                    instead of sections: one of the game's `CALCULATIONS`, which makes the report
    [[section]]
    name, title, words, axis       `name` is what --only takes; `axis` says what the `x` of rows or columns counts
    [section.pairing]              what all its pairings share
    [[section.row]]                one row of the grid: `label`, and what it adds to the pairing
    [[section.column]]             likewise; a section without columns has one
    [[section.table]]              `name`, `title`, `words`, the measures, `figure = "dots"` or `"lines"`
    [[section.histogram]]          the distribution of a measure over games

A pairing has `a` and `b` (agents), `options` of the game (those given in several places add up), `limit`, `random_plies`,
`games`, `fixed_seats` (A always first; else both orders).
Rows and columns also have `key` (where their published numbers stand), `x` (a place on the axis of a picture), `quick`
(false leaves them out with --quick), and numbers that measures may refer to.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin

from daedalus.arena.plan import Plan, limit_of
from daedalus.core import DaedalusError, InvalidText, Limit
from daedalus.core.errors import valid
from daedalus.core.options import parsed
from daedalus.core.printable import visible_lines, visible_values
from daedalus.core.reading import read_text
from daedalus.core.registry import folder_of, game_names, make_game

from .request import StudyRequest

T = TypeVar("T")
Told = dict[str, Any]  # a table of the file


class InvalidStudy(DaedalusError):
    """A study's file that cannot be understood, with what is wrong."""


@dataclass(frozen=True)
class Side:
    """A row or a column of a section."""

    label: str = ""
    a: str | None = None
    b: str | None = None
    options: str = ""
    limit: str | None = None
    random_plies: int | None = None
    games: int | None = None
    fixed_seats: bool | None = None
    quick: bool = True
    x: float | None = None
    key: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """One measure of a table: whose, in which games, and where the published value stands.

    measure       its name (measures.py)
    of            `a`, `b` or `both`
    among         `all` games, or those `won`, `lost`, `drawn` by A
    seat          only games in which A sat there
    plus, times   added to the value, then multiplied with it: to get the published unit
    percent_of    a number of the row or column whose percentage is shown
    published     the columns of the published file that name the value, beside the keys of row and column; `value` is the
                  column it stands in, by default `value`
    """

    measure: str
    label: str = ""
    of: str = "a"
    among: str = "all"
    seat: int | None = None
    plus: float = 0.0
    times: float = 1.0
    percent_of: str | None = None
    published: dict[str, str] | None = None

    def __post_init__(self) -> None:
        for name, choices in {"of": ("a", "b", "both"), "among": ("all", "won", "lost", "drawn")}.items():
            if getattr(self, name) not in choices:
                raise InvalidStudy(valid(name, getattr(self, name), choices))


@dataclass(frozen=True)
class TableDesign:
    """A table of measures of all pairings of a section; `compare` shows the `difference` to the published value or a `ratio`."""

    name: str
    title: str
    measures: tuple[Measured, ...]
    words: str = ""
    compare: str = "difference"
    figure: str = ""
    digits: int = 3

    def __post_init__(self) -> None:
        for name, choices in {"compare": ("difference", "ratio"), "figure": ("", "dots", "lines")}.items():
            if getattr(self, name) not in choices:
                raise InvalidStudy(valid(name, getattr(self, name), choices))


@dataclass(frozen=True)
class HistogramDesign:
    """How a measure is distributed over the games, for each row."""

    name: str
    title: str
    measure: Measured
    highest: int
    words: str = ""


@dataclass(frozen=True)
class Pairing:
    """A place in the grid: a row, a column, and the games to play for it."""

    row: Side
    column: Side
    plan: Plan

    @property
    def label(self) -> str:
        return " ".join(filter(None, (self.row.label, self.column.label)))

    def number(self, name: str) -> float:
        """A number that the row or the column tells."""
        known = self.column.numbers | self.row.numbers
        if name not in known:
            raise InvalidStudy(valid("number", name, known))
        return known[name]


@dataclass(frozen=True)
class Section:
    """A grid of pairings with what is made of them; `axis` names what the `x` of its rows or columns counts."""

    name: str
    title: str
    pairing: Side
    rows: tuple[Side, ...]
    columns: tuple[Side, ...]
    tables: tuple[TableDesign, ...]
    histograms: tuple[HistogramDesign, ...]
    words: str = ""
    axis: str = ""

    def pairings(self, design: "Design", request: StudyRequest) -> Iterator[Pairing]:
        """Those that are wished for, row by row."""
        for row in self.rows:
            for column in self.columns:
                if request.quick and not (row.quick and column.quick and self.pairing.quick):
                    continue
                if request.wants(self.name, row.label, column.label):
                    yield Pairing(row, column, self._plan(design, request, row, column))

    def _plan(self, design: "Design", request: StudyRequest, row: Side, column: Side) -> Plan:
        def told(name: str) -> Any:
            return next((given for side in (row, column, self.pairing) if (given := getattr(side, name)) is not None), None)

        options = parsed(" ".join(side.options for side in (self.pairing, column, row)))
        if not (told("a") and told("b")):
            raise InvalidStudy(f"section '{self.name}': {row.label} {column.label} wants both agents, a and b")
        scale = design.scale(request)
        return Plan(
            kind="match",
            rules=make_game(design.game, **options),
            specs=(_scaled_spec(told("a"), scale), _scaled_spec(told("b"), scale)),
            games=request.games or (design.quick if request.quick else told("games") or design.games),
            seed=request.seed,
            limit=_scaled(limit_of(told("limit")), scale),
            random_plies=told("random_plies") or 0,
            fixed_seats=bool(told("fixed_seats")),
        )


def _scaled(limit: Limit | None, scale: float) -> Limit | None:
    return replace(limit, seconds=limit.seconds * scale) if limit and limit.seconds else limit


def _scaled_spec(spec: str, scale: float) -> str:
    """An agent's spec with its own seconds scaled."""
    return re.sub(
        r"\b(seconds|first)=([0-9]+(?:\.[0-9]*)?|\.[0-9]+)", lambda found: f"{found[1]}={float(found[2]) * scale:g}", spec
    )


@dataclass(frozen=True)
class Design:
    """A study."""

    name: str
    title: str
    game: str
    about: str
    cost: str
    sections: tuple[Section, ...]
    games: int = 100
    quick: int = 2
    quick_scale: float = 1.0  # of time limits, with --quick
    words: list[str] = field(default_factory=list)
    published: Path | None = None  # the file of published numbers
    published_games: int = 0  # how many games stand behind each of them
    calculation: str = ""

    def scale(self, request: StudyRequest) -> float:
        """What time limits are multiplied by."""
        return request.scale * (self.quick_scale if request.quick else 1)

    def wanted(self, request: StudyRequest) -> list[tuple[Section, list[Pairing]]]:
        """The sections of which something is wished for, with their pairings."""
        found = [(section, list(section.pairings(self, request))) for section in self.sections]
        if not any(pairings for _, pairings in found):
            places = [f"{section.name}/{row.label}" for section in self.sections for row in section.rows]
            raise DaedalusError(f"nothing of study '{self.name}' is at '{request.only}'; there are: {', '.join(places)}")
        return [(section, pairings) for section, pairings in found if pairings]


def studies_of_games() -> dict[str, Path]:
    """The studies that come with the games, by name: `study.toml` of a game has the game's own, another file adds its own."""
    folders = [folder_of(game) for game in game_names()]
    files = [file for folder in folders for file in folder.glob("*.toml")]
    return {file.parent.name + (f"-{file.stem}" if file.stem != "study" else ""): file for file in sorted(files)}


def read_design(path: Path, name: str | None = None) -> Design:
    """A study from its file; raises InvalidStudy with the file and the reason."""
    try:
        return _design(path, name or path.stem, visible_values(tomllib.loads(read_text(path)), visible_lines))
    except InvalidText as error:
        raise InvalidStudy(f"cannot read {path}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidStudy(f"{path}: {error}") from None


def _design(path: Path, name: str, told: Told) -> Design:
    given: Told = {"name": name, "sections": _each(_section, told, "section")}
    if "published" in told:
        given["published"] = path.parent / _right("published", told.pop("published"), str)
    return _made(Design, told, "a study", given)


def _section(told: Told) -> Section:
    given: Told = {f"{name}s": _each(_side, told, name) or (Side(),) for name in ("row", "column")}
    given |= {"tables": _each(_table, told, "table"), "histograms": _each(_histogram, told, "histogram")}
    given["pairing"] = _side(_right("pairing", told.pop("pairing", {}), Told))
    return _made(Section, told, "a section", given)


def _side(told: Told) -> Side:
    known = {entry.name for entry in fields(Side)} - {"numbers"}
    numbers = {name: told.pop(name) for name in list(told) if name not in known}
    for name, value in numbers.items():
        if not _fits(value, float):
            raise InvalidStudy(valid("key of a row or column", name, known) + ", or a number of any name")
    return _made(Side, told, "a row or column", {"numbers": numbers})


def _table(told: Told) -> TableDesign:
    own: Told = {key: told.pop(key) for key in ("name", "title", "words", "compare", "figure", "digits") if key in told}
    return _made(TableDesign, own, "a table", {"measures": _each(_measured, told, "measures") or (_measured(told),)})


def _histogram(told: Told) -> HistogramDesign:
    own: Told = {key: told.pop(key) for key in ("name", "title", "words", "highest") if key in told}
    return _made(HistogramDesign, own, "a histogram", {"measure": _measured(told)})


def _measured(told: Told) -> Measured:
    known = [entry.name for entry in fields(Measured)]
    for name in told:
        if name not in known:
            raise InvalidStudy(valid("key of a measure", name, known))
    return _made(Measured, told, "a measure")


def _each(make: Callable[[Told], T], told: Told, name: str) -> tuple[T, ...]:
    """What a list of tables of the file tells, made one by one."""
    return tuple(map(make, _right(name, told.pop(name, []), list[Told])))


def _made(design: type[T], told: Told, what: str, given: Told | None = None) -> T:
    """One of the classes above from what the file tells, each value of the kind that its field has, and what is `given`."""
    values = dict(given or {})
    for entry in fields(design):  # type: ignore[arg-type]
        if entry.name in values:
            continue
        if entry.name in told:
            values[entry.name] = _right(entry.name, told.pop(entry.name), entry.type)
        elif entry.default is MISSING and entry.default_factory is MISSING:
            raise InvalidStudy(f"{entry.name} is missing: it wants {_wanted(entry.type)}")
    if told:
        raise InvalidStudy(f"{what} has no {', '.join(told)}")
    return design(**values)


def _right(name: str, value: Any, kind: Any) -> Any:
    """The value of a name, if it is of the right kind."""
    if not _fits(value, kind):
        raise InvalidStudy(f"{name} is wrong: it wants {_wanted(kind)}")
    return value


def _wanted(kind: Any) -> str:
    return _KINDS.get(get_args(kind)[0] if isinstance(kind, UnionType) else kind, "something else")


def _fits(value: Any, kind: Any) -> bool:
    """Is the value of this kind: a class, one of several, a list or dictionary of some? Numbers are finite."""
    if kind is Any:
        return True
    if isinstance(kind, UnionType):
        return any(_fits(value, one) for one in get_args(kind))
    inner = get_args(kind)
    if get_origin(kind) is dict:
        return isinstance(value, dict) and all(_fits(one, inner[1]) for one in value.values())
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_fits(one, inner[0]) for one in value)
    if kind in (int, float):
        number = isinstance(value, int if kind is int else (int, float)) and not isinstance(value, bool)
        return number and abs(value) < _HUGE
    return isinstance(value, kind)


_HUGE = 1e15
_KINDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    list[str]: "a list of texts",
    list[Told]: "tables",
    Told: "a table",
    dict[str, str]: "a table of texts",
}
