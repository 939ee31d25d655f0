"""A study as data: a TOML file of sections, each a grid of pairings with the tables and pictures made of them.

    title, game, about, cost       what it is; `cost` is told by `study --list`
    games, quick, quick_scale      games of a pairing, and with --quick; then time limits are scaled too
    published, published_games     the file of published numbers, and the games behind each of them
    words                          paragraphs before the first section
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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin

from daedalus.arena.plan import Plan, limit_of
from daedalus.core import DaedalusError, InvalidText, Limit
from daedalus.core.errors import valid
from daedalus.core.options import parsed
from daedalus.core.printable import visible_lines, visible_values
from daedalus.core.reading import read_text
from daedalus.core.registry import make_game

from .request import StudyRequest

DATA = Path(__file__).parent / "data"

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
    words: str
    axis: str
    pairing: Side
    rows: tuple[Side, ...]
    columns: tuple[Side, ...]
    tables: tuple[TableDesign, ...]
    histograms: tuple[HistogramDesign, ...]

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
    games: int
    quick: int
    quick_scale: float  # of time limits, with --quick
    words: tuple[str, ...]
    published: Path | None  # the file of published numbers
    published_games: int  # how many games stand behind each of them
    sections: tuple[Section, ...]

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


def designs() -> list[str]:
    """The studies that come with the package."""
    return sorted(path.stem for path in DATA.glob("*.toml"))


def read_design(path: Path) -> Design:
    """A study from its file; raises InvalidStudy with the file and the reason."""
    try:
        return _design(path, visible_values(tomllib.loads(read_text(path)), visible_lines))
    except InvalidText as error:
        raise InvalidStudy(f"cannot read {path}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidStudy(f"{path}: {error}") from None


def _design(path: Path, told: dict[str, Any]) -> Design:
    return Design(
        name=path.stem,
        title=_text(told, "title"),
        game=_text(told, "game"),
        about=_text(told, "about"),
        cost=_text(told, "cost"),
        games=_taken(told, "games", int, 100),
        quick=_taken(told, "quick", int, 2),
        quick_scale=_taken(told, "quick_scale", float, 1.0),
        words=tuple(_taken(told, "words", list[str], [])),
        published=path.parent / _text(told, "published") if "published" in told else None,
        published_games=_taken(told, "published_games", int, 0),
        sections=tuple(map(_section, _taken(told, "section", list[Told], []))),
        **_nothing_left(told, "a study"),
    )


def _section(told: dict[str, Any]) -> Section:
    return Section(
        name=_text(told, "name"),
        title=_text(told, "title"),
        words=_taken(told, "words", str, ""),
        axis=_taken(told, "axis", str, ""),
        pairing=_side(_taken(told, "pairing", Told, {})),
        rows=tuple(map(_side, _taken(told, "row", list[Told], [{}]))),
        columns=tuple(map(_side, _taken(told, "column", list[Told], [{}]))),
        tables=tuple(map(_table, _taken(told, "table", list[Told], []))),
        histograms=tuple(map(_histogram, _taken(told, "histogram", list[Told], []))),
        **_nothing_left(told, "a section"),
    )


def _side(told: dict[str, Any]) -> Side:
    known = {entry.name for entry in fields(Side)} - {"numbers"}
    numbers = {name: told[name] for name in told if name not in known}
    for name, value in numbers.items():
        if not _fits(value, float):
            raise InvalidStudy(valid("key of a row or column", name, known) + ", or a number of any name")
    return Side(**_fitting(Side, {name: told[name] for name in told if name in known}), numbers=numbers)


def _table(told: dict[str, Any]) -> TableDesign:
    name, title = _text(told, "name"), _text(told, "title")
    rest: Told = {key: told.pop(key) for key in ("words", "compare", "figure", "digits") if key in told}
    measures = tuple(map(_measured, _taken(told, "measures", list[Told], []))) or (_measured(told),)
    return TableDesign(name, title, measures, **_fitting(TableDesign, rest))


def _histogram(told: dict[str, Any]) -> HistogramDesign:
    name, title, words = _text(told, "name"), _text(told, "title"), _taken(told, "words", str, "")
    return HistogramDesign(name, title, highest=_taken(told, "highest", int, None), words=words, measure=_measured(told))


def _measured(told: Mapping[str, Any]) -> Measured:
    known = [entry.name for entry in fields(Measured)]
    for name in told:
        if name not in known:
            raise InvalidStudy(valid("key of a measure", name, known))
    if "measure" not in told:
        raise InvalidStudy("a table or histogram wants a measure")
    return Measured(**_fitting(Measured, told))


def _text(told: dict[str, Any], name: str) -> str:
    if not isinstance(told.get(name), str):
        raise InvalidStudy(f"{name} is missing: it wants a text")
    return str(told.pop(name))


def _taken(told: dict[str, Any], name: str, kind: Any, usual: Any) -> Any:
    """What a file tells under a name, if it is of the right kind; `usual` if it tells nothing."""
    value = told.pop(name, usual)
    if not _fits(value, kind):
        raise InvalidStudy(
            f"{name} is {'missing' if value is None else 'wrong'}: it wants {_KINDS.get(kind, 'something else')}"
        )
    return value


def _fitting(design: type, told: Mapping[str, Any]) -> dict[str, Any]:
    """What a file tells of one of the classes above, each of the kind that its field has."""
    kinds = {entry.name: entry.type for entry in fields(design)}
    for name, value in told.items():
        if not _fits(value, kinds[name]):
            raise InvalidStudy(f"{name} is wrong: it wants {_KINDS.get(kinds[name], 'something else')}")
    return dict(told)


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
    int | None: "a whole number",
    float: "a number",
    float | None: "a number",
    str: "a text",
    str | None: "a text",
    bool: "true or false",
    bool | None: "true or false",
    list[str]: "a list of texts",
    list[Told]: "tables",
    Told: "a table",
    dict[str, str]: "a table of texts",
    dict[str, str] | None: "a table of texts",
}


def _nothing_left(told: dict[str, Any], what: str) -> dict[str, Any]:
    """Called last: what nobody has taken is a mistake."""
    if told:
        raise InvalidStudy(f"{what} has no {', '.join(told)}")
    return {}
