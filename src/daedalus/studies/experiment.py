"""Runs a study: plays its pairings on the arena and sets our numbers beside the published ones."""

import math
import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from daedalus.arena.openings import deals
from daedalus.arena.plan import Plan
from daedalus.core.errors import valid
from daedalus.core.registry import find, make_game
from daedalus.report import Block, Cell, Commands, Estimate, Figure, Heading, Paragraph, Progress, Report, Table, charts, shown

from .games import played, self_play
from .measures import SHARES, Sample
from .published import number, published
from .request import StudyRequest
from .spec import Design, HistogramDesign, InvalidStudy, Measured, Section, TableDesign


def run(design: Design, request: StudyRequest, progress: Progress) -> Report:
    """Plays what is missing of a study and reports on all of it."""
    if design.calculation:
        return _calculated(design, request, progress)
    sections = design.wanted(request)
    everything = [pairing for _, pairings in sections for pairing in pairings]
    games = played(design.name, [pairing.plan for pairing in everything], request, progress)
    samples = {id(pairing): Sample(pairing, results) for pairing, results in zip(everything, games, strict=True)}
    report = Report(design.name, design.title)
    report.blocks += [Paragraph(text) for text in design.words]
    for section, pairings in sections:
        report.blocks += _section(design, section, [samples[id(pairing)] for pairing in pairings])
    distinct = {id(results): results for results in games}.values()  # pairings of two sections may share their games
    cpu = sum(sum(result.cpu) for results in distinct for result in results)
    report.facts = {
        "games": f"{sum(map(len, distinct)):,} in {len(distinct):,} pairings",
        "CPU time of the games": f"{cpu:,.0f} s, in however many sittings",
    } | _limits(design, request)
    return report


def _calculated(design: Design, request: StudyRequest, progress: Progress) -> Report:
    known = find(design.game).calculations
    if design.calculation not in known:
        raise InvalidStudy(valid("calculation", design.calculation, known))

    def played_with_itself(spec: str, games: int, random_plies: int) -> tuple[object, ...]:
        return self_play(design.name, make_game(design.game), spec, games, random_plies, request, progress)

    calculate = known[design.calculation]
    return Report(design.name, design.title, calculate(request.quick, request.seed, played_with_itself, progress))


def _limits(design: Design, request: StudyRequest) -> dict[str, str]:
    scale = design.scale(request)
    return {"time limits": f"{scale:g} times those of the study"} if scale != 1 else {}


def _command(plan: Plan) -> str:
    """What to type to play a pairing alone: the same games."""
    words = ["daedalus", "match", plan.game, *plan.specs, "-n", str(plan.games), "--seed", str(plan.seed)]
    words += [word for option in plan.options.split() for word in ("-o", option)]
    words += ["--random-plies", str(plan.random_plies)] if not deals(plan.rules) else []
    words += ["--fixed-seats"] if plan.fixed_seats else []
    words += ["--limit", str(plan.limit)] if plan.limit else []
    return shlex.join(words)


# --- reporting ----------------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A number of a table: ours and the published one, as printed and as a number."""

    sample: Sample
    measured: Measured
    ours: Estimate | None
    printed: str | None
    theirs: float | None
    differs: bool | None  # by more than chance explains; None where there is nothing to compare
    games: int


def _section(design: Design, section: Section, samples: Sequence[Sample]) -> Iterator[Block]:
    yield Heading(section.title)
    if section.words:
        yield Paragraph(section.words)
    for table in section.tables:
        yield from _table(design, section, table, samples)
    for histogram in section.histograms:
        yield from _histogram(section, histogram, samples)
    if forfeits := sum(sample.forfeits for sample in samples):
        yield Paragraph(f"{forfeits} games were forfeited and are left out.")
    lines = list(dict.fromkeys((sample.pairing.label, _command(sample.pairing.plan)) for sample in samples))
    yield Commands("Any pairing again, alone: the same games", lines)


def _table(design: Design, section: Section, table: TableDesign, samples: Sequence[Sample]) -> Iterator[Block]:
    grid = [[_line(design, measured, sample) for measured in table.measures] for sample in samples]
    lines = [line for row in grid for line in row]
    columns = _columns(section, table, lines)
    name = f"{section.name}-{table.name}"
    yield Table(
        name, table.title, list(columns), list(zip(*columns.values(), strict=True)), display=_display(section, table, grid)
    )
    compared = [line.differs for line in lines if line.differs is not None]
    if compared:
        yield Paragraph(
            f"{sum(compared)} of {len(compared)} published numbers differ from ours by more than chance explains (95 %, marked)."
        )
    if table.words:
        yield Paragraph(table.words)
    if table.figure:
        yield Figure(name, _caption(table), partial(_figure, section, table, [row[0] for row in grid]))


def _line(design: Design, measured: Measured, sample: Sample) -> Line:
    ours = sample.estimate(measured)
    printed = None
    if measured.published is not None and design.published is not None:
        where = dict(measured.published)
        value = where.pop("value", "value")
        pairing = sample.pairing
        printed = published(design.published, where | pairing.column.key | pairing.row.key, value)
    theirs = number(printed)
    games = len(sample.amounts(measured))
    return Line(sample, measured, ours, printed, theirs, _differs(ours, theirs, games, design.published_games), games)


def _differs(ours: Estimate | None, theirs: float | None, games: int, their_games: int) -> bool | None:
    """Would two samples of one thing differ so much less than once in 20 times?

    The published number comes without an interval: it is taken to be as wide as ours, for its own number of games.
    """
    if ours is None or theirs is None or not their_games or not math.isfinite(ours.high - ours.low):
        return None
    half = ours.high - ours.value if theirs > ours.value else ours.value - ours.low
    return abs(theirs - ours.value) > half * math.sqrt(1 + games / their_games)


def _columns(section: Section, table: TableDesign, lines: Sequence[Line]) -> dict[str, list[Cell]]:
    """The numbers of a table with all their digits, a line each, for the file."""
    columns: dict[str, list[Cell]] = {"row": [line.sample.pairing.row.label for line in lines]}
    if _several(section):
        columns["column"] = [line.sample.pairing.column.label for line in lines]
    if len(table.measures) > 1:
        columns["what"] = [line.measured.label for line in lines]
    if any(line.printed is not None for line in lines):
        columns["published"] = [line.theirs if line.theirs is not None else line.printed or "not reported" for line in lines]
    for name, bound in (("ours", "value"), ("low", "low"), ("high", "high")):
        columns[name] = [_finite(getattr(line.ours, bound, None)) for line in lines]
    if "published" in columns:
        columns[_COMPARED[table.compare]] = [_compared(table, line) for line in lines]
        columns["differs"] = [{None: "", True: "yes", False: "no"}[line.differs] for line in lines]
    return columns | {"games": [line.games for line in lines]}


def _several(section: Section) -> bool:
    return len(section.columns) > 1 or bool(section.columns[0].label)


_COMPARED = {"difference": "ours - published", "ratio": "published / ours"}


def _display(
    section: Section, table: TableDesign, grid: Sequence[Sequence[Line]]
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """The table for people: a line for each pairing, the measures side by side."""
    columns = {"": [row[0].sample.pairing.row.label for row in grid]}
    if _several(section):
        columns[" "] = [row[0].sample.pairing.column.label for row in grid]
    for place, measured in enumerate(table.measures):
        lines = [row[place] for row in grid]
        about = f"{measured.label}: " if len(table.measures) > 1 else ""
        told = any(line.printed is not None for line in lines)
        if told:
            columns[f"{about}published"] = [_printed(line, table.digits) for line in lines]
        columns[f"{about}ours (95 %)"] = [_ours(line, table.digits) for line in lines]
        if told:
            columns[" " * place + _COMPARED[table.compare]] = [shown(_compared(table, line), table.digits) for line in lines]
    columns["games"] = [f"{row[0].games:,}" for row in grid]
    return list(columns), list(zip(*columns.values(), strict=True))


def _printed(line: Line, digits: int) -> str:
    return shown(line.theirs, digits) if line.theirs is not None else line.printed or "-"


def _ours(line: Line, digits: int) -> str:
    """Our value with its interval, marked when the published one differs by more than chance."""
    if line.ours is None:
        return "-"
    value, low, high = (shown(_finite(bound), digits) for bound in line.ours)
    interval = f" ({low} to {high})" if low else ""  # one pair of games has no spread
    return value + interval + (" *" if line.differs else "")


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _compared(table: TableDesign, line: Line) -> float | None:
    """How ours and the published number compare; None where one is missing."""
    if line.ours is None or line.theirs is None:
        return None
    if table.compare == "difference":
        return line.ours.value - line.theirs
    return line.theirs / line.ours.value if line.ours.value else None


def _figure(section: Section, table: TableDesign, lines: Sequence[Line]) -> str:
    if table.figure == "dots":
        return charts.dots([charts.Dot(line.sample.pairing.label, line.ours, line.theirs) for line in lines], _axis(table))
    curves: dict[str, list[tuple[float, Estimate]]] = {}
    for line in lines:
        row, column = line.sample.pairing.row, line.sample.pairing.column
        x, label = (row.x, column.label) if row.x is not None else (column.x, row.label)
        if x is not None and line.ours is not None:
            curves.setdefault(label, []).append((x, line.ours))
    return charts.lines([charts.Curve(label, points) for label, points in curves.items()], section.axis, _axis(table))


def _caption(table: TableDesign) -> str:
    """A picture shows the first measure of its table."""
    return f"{table.title}: {table.measures[0].label}" if len(table.measures) > 1 else table.title


def _axis(table: TableDesign) -> str:
    first = table.measures[0]
    return "per cent of the games" if first.measure in SHARES and first.times == 1 else _caption(table)


def _histogram(section: Section, histogram: HistogramDesign, samples: Sequence[Sample]) -> Iterator[Block]:
    counted = [(sample.pairing.label, _counted(sample, histogram)) for sample in samples]
    headers = ["", *map(str, range(histogram.highest + 1)), "games"]
    rows: list[list[Cell]] = [[label, *heights, sum(heights)] for label, heights in counted]
    yield Table(f"{section.name}-{histogram.name}", histogram.title, headers, rows)
    if histogram.words:
        yield Paragraph(histogram.words)
    for k, (label, heights) in enumerate(counted):
        if sum(heights):
            draw = partial(charts.bars, heights, label, histogram.measure.label or histogram.measure.measure)
            yield Figure(f"{section.name}-{histogram.name}-{k}", f"{histogram.title}: {label}", draw)


def _counted(sample: Sample, histogram: HistogramDesign) -> list[int]:
    """Games by the amount of the measure, from 0 to the highest."""
    amounts = [round(amount.value) for amount in sample.amounts(histogram.measure)]
    return [amounts.count(height) for height in range(histogram.highest + 1)]
