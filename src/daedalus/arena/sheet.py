"""The report of a match or a tournament as headlines, tables and pictures; the terminal and the HTML page show the same."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from .ratings import Rating, crosstable, rate
from .sprt import Sprt
from .statistics import Estimate, Forfeit, Lengths, Summary, Tally, forfeits, lengths, pair_scores, summarise, times_of

if TYPE_CHECKING:
    from .games import GameResult

Row = list[Any]


class Table(NamedTuple):
    """Rows under headers, with a title and a remark that may be empty."""

    title: str
    headers: Sequence[str]
    rows: Sequence[Row]
    remark: str = ""


@dataclass
class Sheet:
    """A report: what was asked (`facts`), the answer (`headlines`), its parts (`tables`), doubts about it (`warnings`)."""

    title: str
    headlines: list[str]
    tables: list[Table]
    warnings: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    ratings: list[Rating] = field(default_factory=list)
    reference: str = ""  # what the ratings are measured from
    plies: list[int] = field(default_factory=list)


def match_sheet(
    title: str, specs: Sequence[str], results: Sequence["GameResult"], seat_names: Sequence[str], sprt: Sprt | None = None
) -> Sheet:
    """The report of a match between A and B."""
    summary = summarise(results)
    headlines = headline(summary)
    if sprt is not None:
        headlines.append(sprt.words(sprt.decide(pair_scores(results))))
    tables = [
        _seats(summary, seat_names),
        _pairs(summary),
        _times(results, [f"{letter}  {spec}" for letter, spec in zip("AB", specs, strict=True)]),
        *_lengths(summary.plies),
        *_forfeits(summary.forfeits, specs),
    ]
    return Sheet(title, headlines, tables, doubts(results), plies=[result.plies for result in results])


def tournament_sheet(
    title: str, specs: Sequence[str], results: Sequence["GameResult"], anchor: tuple[int, float] | None = None
) -> Sheet:
    """The report of a tournament."""
    ratings = rate(results, specs, anchor)
    reference = f"{specs[anchor[0]]} = {anchor[1]:g}" if anchor else "their mean = 0"
    tables = [
        _ratings(ratings, reference),
        _cross(ratings, crosstable(results, len(specs))),
        _times(results, specs),
        *_lengths(lengths(results)),
        *_forfeits(forfeits(results), specs),
    ]
    best = [f"{len(results):,} games of {len(specs)} agents"] + ([f"best: {_lead(ratings)}"] if results else [])
    plies = [result.plies for result in results]
    return Sheet(title, best, tables, doubts(results), ratings=ratings, reference=reference, plies=plies)


# --- the answer in words --------------------------------------------------------------------------------------------


def headline(summary: Summary) -> list[str]:
    """The result of a match in two lines."""
    wins, draws, losses = summary.total
    score = " ".join((percent(summary.score.value), _span(map(percent, summary.score[1:]))))
    return [
        f"{summary.total.games:,} games: A won {wins:,}, drew {draws:,}, lost {losses:,} · score {score}",
        f"Elo {elo(summary.elo)} · likelihood that A is better {percent(summary.los)}"
        f" · score of the first seat {percent(summary.first_seat_score)}",
    ]


def percent(share: float) -> str:
    """A share in per cent; one that is not whole does not look whole."""
    text = f"{100 * share:.1f} %"
    if text == "100.0 %" and share < 1:
        return "> 99.9 %"
    return "< 0.1 %" if text == "0.0 %" and share > 0 else text


def elo(estimate: Estimate) -> str:
    """A difference with its interval; only a bound where every game went the same way."""
    low, high = math.isfinite(estimate.low), math.isfinite(estimate.high)
    if low and high:
        return f"{estimate.value:+.0f} {_span(f'{end:+.0f}' for end in estimate[1:])}"
    if low:
        return f"at least {estimate.low:+.0f}"
    return f"at most {estimate.high:+.0f}" if high else "unknown"


def _span(ends: Iterable[str]) -> str:
    return f"[{', '.join(ends)}]"


def _lead(ratings: Sequence[Rating]) -> str:
    """Who is ahead, and whether for certain."""
    first, *others = ratings
    sure = all(other.high < first.low for other in others)
    return first.spec + ("" if sure else "; its interval overlaps with others', so this is not certain")


def doubts(results: Sequence["GameResult"]) -> list[str]:
    """Reasons to trust the numbers less, one line each."""
    said = []
    distinct = len({(tuple(result.seats), tuple(result.record.moves), result.record.tags.get("Seed")) for result in results})
    if distinct < 0.9 * len(results):
        said.append(
            f"only {distinct:,} of {len(results):,} games differ: the same game again is no new evidence, so the intervals are"
            " too narrow; give openings or more random plies"
        )
    lost = sum(bool(result.forfeit) for result in results)
    if lost:
        said.append(f"{lost:,} of {len(results):,} games were forfeited: the score tells about that too, not only about play")
    return said


# --- tables ---------------------------------------------------------------------------------------------------------


def _tally(name: str, tally: Tally) -> Row:
    return [name, *tally, percent(tally.score) if tally.games else ""]


def _seats(summary: Summary, names: Sequence[str]) -> Table:
    rows = [_tally(f"seat {seat} ({names[seat]})", tally) for seat, tally in enumerate(summary.by_seat)]
    return Table("A by seat", ["A sits in", "won", "drew", "lost", "score"], rows)


def _pairs(summary: Summary) -> Table:
    headers = ["points of A in a pair", "0", "½", "1", "1½", "2"]
    return Table("Pairs", headers, [["pairs", *summary.pairs]], "two games on one board with swapped seats")


def _times(results: Sequence["GameResult"], names: Sequence[str]) -> Table:
    rows: list[Row] = []
    for agent, name in enumerate(names):
        times = times_of(results, agent)
        rows.append([name, f"{1e3 * times.wall_move:.2f}", f"{1e3 * times.cpu_move:.2f}"])
        rows[-1] += [f"{times.wall_game:.3f}", f"{times.cpu_game:.3f}"]
    return Table("Time", ["agent", "ms a move", "CPU ms a move", "s a game", "CPU s a game"], rows)


def _lengths(found: Lengths | None) -> list[Table]:
    if found is None:
        return []
    shares = [f"{tenth} %" for tenth in range(10, 100, 10)]
    headers = ["mean", "shortest", *shares, "longest"]
    row = [f"{found.mean:.1f}", found.shortest, *(f"{cut:.0f}" for cut in found.deciles), found.longest]
    return [Table("Length in plies", headers, [row], "the given share of games is no longer than that; 50 % is the median")]


def _forfeits(lost: Sequence[Forfeit], specs: Sequence[str]) -> list[Table]:
    if not lost:
        return []
    counts = Counter((forfeit.agent, forfeit.reason) for forfeit in lost)
    rows: list[Row] = [[specs[agent], count, reason] for (agent, reason), count in counts.most_common()]
    return [Table("Forfeits", ["agent", "games", "reason"], rows)]


def _ratings(ratings: Sequence[Rating], reference: str) -> Table:
    rows: list[Row] = [
        [place, r.spec, f"{r.elo:.0f}", _span((f"{r.low:.0f}", f"{r.high:.0f}")), percent(r.score), r.games]
        for place, r in enumerate(ratings, 1)
    ]
    return Table("Ratings", ["", "agent", "Elo", "95 % interval", "score", "games"], rows, f"Elo with {reference}")


def _cross(ratings: Sequence[Rating], cells: Sequence[Sequence[Tally | None]]) -> Table:
    """Best agent first; each cell is the row's points against the column's."""
    order = [rating.agent for rating in ratings]
    rows: list[Row] = []
    for place, (agent, rating) in enumerate(zip(order, ratings, strict=True), 1):
        rows.append([place, rating.spec, *(_cell(agent, other, cells[agent][other]) for other in order)])
    return Table("Crosstable", ["", "agent", *map(str, range(1, len(order) + 1))], rows, "points / games of row against column")


def _cell(agent: int, other: int, tally: Tally | None) -> str:
    if agent == other:
        return "·"
    return f"{tally.wins + tally.draws / 2:g} / {tally.games}" if tally else ""
