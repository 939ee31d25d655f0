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
from typing import Any

from daedalus.arena.plan import Plan, limit_of
from daedalus.core import DaedalusError, Limit
from daedalus.core.errors import valid
from daedalus.core.options import parsed
from daedalus.core.registry import make_game

from .wish import Wish

DATA = Path(__file__).parent / "data"


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

    def pairings(self, design: "Design", wish: Wish) -> Iterator[Pairing]:
        """Those that are wished for, row by row."""
        for row in self.rows:
            for column in self.columns:
                if wish.quick and not (row.quick and column.quick and self.pairing.quick):
                    continue
                if wish.wants(self.name, row.label, column.label):
                    yield Pairing(row, column, self._plan(design, wish, row, column))

    def _plan(self, design: "Design", wish: Wish, row: Side, column: Side) -> Plan:
        def told(name: str) -> Any:
            return next((given for side in (row, column, self.pairing) if (given := getattr(side, name)) is not None), None)

        options = parsed(" ".join(side.options for side in (self.pairing, column, row)))
        if not (told("a") and told("b")):
            raise InvalidStudy(f"section '{self.name}': {row.label} {column.label} wants both agents, a and b")
        scale = design.scale(wish)
        return Plan(
            kind="match",
            rules=make_game(design.game, **options),
            specs=(_scaled_spec(told("a"), scale), _scaled_spec(told("b"), scale)),
            games=wish.games or (design.quick if wish.quick else told("games") or design.games),
            seed=wish.seed,
            limit=_scaled(limit_of(told("limit")), scale),
            random_plies=told("random_plies") or 0,
            fixed_seats=bool(told("fixed_seats")),
        )


def _scaled(limit: Limit | None, scale: float) -> Limit | None:
    return replace(limit, seconds=limit.seconds * scale) if limit and limit.seconds else limit


def _scaled_spec(spec: str, scale: float) -> str:
    """An agent's spec with its own seconds scaled."""
    return re.sub(r"\b(seconds|first)=([0-9.]+)", lambda found: f"{found[1]}={float(found[2]) * scale:g}", spec)


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

    def scale(self, wish: Wish) -> float:
        """What time limits are multiplied by."""
        return wish.scale * (self.quick_scale if wish.quick else 1)

    def wanted(self, wish: Wish) -> list[tuple[Section, list[Pairing]]]:
        """The sections of which something is wished for, with their pairings."""
        found = [(section, list(section.pairings(self, wish))) for section in self.sections]
        if not any(pairings for _, pairings in found):
            places = [f"{section.name}/{row.label}" for section in self.sections for row in section.rows]
            raise DaedalusError(f"nothing of study '{self.name}' is at '{wish.only}'; there are: {', '.join(places)}")
        return [(section, pairings) for section, pairings in found if pairings]


def designs() -> list[str]:
    """The studies that come with the package."""
    return sorted(path.stem for path in DATA.glob("*.toml"))


def read_design(path: Path) -> Design:
    """A study from its file; raises InvalidStudy with the file and the reason."""
    try:
        with path.open("rb") as file:
            told = tomllib.load(file)
        return _design(path, told)
    except OSError as error:
        raise InvalidStudy(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, InvalidStudy, TypeError) as error:
        raise InvalidStudy(f"{path}: {error}") from None


def _design(path: Path, told: dict[str, Any]) -> Design:
    return Design(
        name=path.stem,
        title=_text(told, "title"),
        game=_text(told, "game"),
        about=_text(told, "about"),
        cost=_text(told, "cost"),
        games=int(told.pop("games", 100)),
        quick=int(told.pop("quick", 2)),
        quick_scale=float(told.pop("quick_scale", 1)),
        words=tuple(told.pop("words", ())),
        published=path.parent / told.pop("published") if "published" in told else None,
        published_games=int(told.pop("published_games", 0)),
        sections=tuple(_section(section) for section in told.pop("section", ())),
        **_nothing_left(told, "a study"),
    )


def _section(told: dict[str, Any]) -> Section:
    return Section(
        name=_text(told, "name"),
        title=_text(told, "title"),
        words=str(told.pop("words", "")),
        axis=str(told.pop("axis", "")),
        pairing=_side(told.pop("pairing", {})),
        rows=tuple(map(_side, told.pop("row"))) if "row" in told else (Side(),),
        columns=tuple(map(_side, told.pop("column"))) if "column" in told else (Side(),),
        tables=tuple(map(_table, told.pop("table", ()))),
        histograms=tuple(map(_histogram, told.pop("histogram", ()))),
        **_nothing_left(told, "a section"),
    )


def _side(told: dict[str, Any]) -> Side:
    known = {entry.name for entry in fields(Side)} - {"numbers"}
    numbers = {name: told[name] for name in told if name not in known}
    for name, value in numbers.items():
        if not isinstance(value, (int, float)):
            raise InvalidStudy(valid("key of a row or column", name, known) + ", or a number of any name")
    return Side(**{name: told[name] for name in told if name in known}, numbers=numbers)


def _table(told: dict[str, Any]) -> TableDesign:
    name, title = _text(told, "name"), _text(told, "title")
    rest = {key: told.pop(key) for key in ("words", "compare", "figure", "digits") if key in told}
    measures = tuple(_measured(one) for one in told.pop("measures", ())) or (_measured(told),)
    return TableDesign(name, title, measures, **rest)


def _histogram(told: dict[str, Any]) -> HistogramDesign:
    name, title, words = _text(told, "name"), _text(told, "title"), str(told.pop("words", ""))
    return HistogramDesign(name, title, highest=int(told.pop("highest")), words=words, measure=_measured(told))


def _measured(told: Mapping[str, Any]) -> Measured:
    known = [entry.name for entry in fields(Measured)]
    for name in told:
        if name not in known:
            raise InvalidStudy(valid("key of a measure", name, known))
    return Measured(**told)


def _text(told: dict[str, Any], name: str) -> str:
    if not isinstance(told.get(name), str):
        raise InvalidStudy(f"{name} is missing: it wants a text")
    return str(told.pop(name))


def _nothing_left(told: dict[str, Any], what: str) -> dict[str, Any]:
    """Called last: what nobody has taken is a mistake."""
    if told:
        raise InvalidStudy(f"{what} has no {', '.join(told)}")
    return {}
