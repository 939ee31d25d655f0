"""The report of a match or a tournament: the answer, doubts about it, tables and pictures; and the same for programs."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from daedalus.core import DaedalusError
from daedalus.core.options import make, parsed
from daedalus.core.registry import find
from daedalus.report import Block, Cell, Estimate, Figure, Paragraph, Report, Table, charts

from .ratings import Rating
from .statistics import Forfeit, Summary, Tally, faults, forfeits, lengths, times_of, told

if TYPE_CHECKING:
    from .games import GameResult
    from .results import MatchResult, TournamentResult

_CAUSES = 20  # of forfeits and faults so many are shown
_BRIEF = ("limit", "grace", "seed", "openings", "random plies")  # of the facts, what decides how the games went


def report_of(run: "MatchResult | TournamentResult", facts: Mapping[str, str] | None = None) -> Report:
    """The report of a run; `facts` are told beside its settings: the command, the machine."""
    is_match = run.settings["kind"] == "match"
    answers, parts = (_match if is_match else _tournament)(run)
    blocks: list[Block] = [Paragraph(line, "answer") for line in answers]
    blocks += [Paragraph(line, "warning") for line in run.warnings]
    blocks += [*parts, *_times(run), *_lengths(run.results)]
    blocks += [*_causes("Forfeits", "games", forfeits(run.results), run.specs)]
    blocks += [*_causes("Faults", "moves", faults(run.results), run.specs)]
    known = {"run": run.name} | _settings(run.settings) | dict(facts or {})
    brief = " · ".join(f"{name} {known[name]}" for name in _BRIEF if name in known)
    return Report(run.name, _title(run.settings), blocks, known, brief)


def _match(run: Any) -> tuple[list[str], list[Block]]:
    """The answer and the tables of a match between A and B alone."""
    summary: Summary = run.summary
    verdict = [run.sprt.words(run.verdict)] if run.verdict is not None else []
    return headline(summary) + verdict, [_seats(summary, _seat_names(run.settings)), *_pairs(summary)]


def _tournament(run: Any) -> tuple[list[str], list[Block]]:
    """The answer and the tables of a tournament alone."""
    best = [f"Best: {_lead(run.ratings)}"] if run.results else []
    tables = [*_ratings(run.ratings, reference_of(run)), _cross(run.ratings, run.crosstable)]
    return [f"{len(run.results):,} games of {len(run.specs)} agents", *best], tables


def _title(settings: Mapping[str, Any]) -> str:
    specs = settings["specs"]
    if settings["kind"] == "match":
        return f"{_game(settings)}: A {specs[0]} v B {specs[1]}"
    return f"{_game(settings)}: {'gauntlet' if settings['gauntlet'] else 'tournament'} of {len(specs)}"


def reference_of(run: "TournamentResult") -> str:
    """What the ratings are measured from."""
    return f"{run.specs[run.anchor[0]]} = {run.anchor[1]:g}" if run.anchor else "their mean = 0"


def _game(settings: Mapping[str, Any]) -> str:
    return f"{settings['game']} {settings['options']}".strip()


def _seat_names(settings: Mapping[str, Any]) -> list[str]:
    """What the seats are called. A run can be shown though its game, in a file of the user's, is gone."""
    try:
        game = make(find(settings["game"], allow_code=False).rules, parsed(settings["options"]))
    except DaedalusError:
        return ["?"] * 4
    names = getattr(game, "SEAT_NAMES", ())
    return [names[seat] if seat < len(names) else f"seat {seat}" for seat in range(game.SEATS)]


def _settings(settings: Mapping[str, Any]) -> dict[str, str]:
    """The settings for people; those that were left out are not mentioned."""
    agents = {f"agent {number}": spec for number, spec in enumerate(settings["specs"], 1)}
    if settings["kind"] == "match":
        agents = dict(zip("AB", settings["specs"], strict=True))
    rest = {
        "limit": settings["limit"] or "the agents' own",
        "grace": f"{settings['grace']:g} s" if settings["grace"] is not None else "",
        "games": f"{settings['games']:,}" + (" for each meeting" if settings["kind"] == "tournament" else ""),
        "seed": str(settings["seed"]),
        "openings": settings["openings"] or "",
        "random plies": str(settings["random_plies"] or ""),
        "seats": "fixed, A first" if settings.get("fixed_seats") else "",
        "SPRT": settings["sprt"] or "",
    }
    return {"game": _game(settings)} | agents | {name: value for name, value in rest.items() if value}


def json_of(run: "MatchResult | TournamentResult") -> dict[str, Any]:
    """The report for programs, as JSON takes it; a match under SPRT also tells its verdict."""
    if run.settings["kind"] == "match":
        return _match_json(run)
    found = lengths(run.results)
    return {
        "games": len(run.results),
        "ratings": [asdict(rating) for rating in run.ratings],  # type: ignore[union-attr]
        "crosstable": [[tally and tally._asdict() for tally in row] for row in run.crosstable],  # type: ignore[union-attr]
        "forfeits": told(forfeits(run.results), run.specs),
        "faults": told(faults(run.results), run.specs),
        "plies": found and found._asdict(),
        "seconds_per_move": [times_of(run.results, agent).wall_move for agent in range(len(run.specs))],
        "distinct": run.distinct,
        "warnings": run.warnings,
    }


def _match_json(run: Any) -> dict[str, Any]:
    summary: dict[str, Any] = run.summary.json(run.specs) | {"warnings": run.warnings}
    return summary | ({"sprt": run.verdict._asdict()} if run.verdict else {})


# --- the answer in words --------------------------------------------------------------------------------------------


def headline(summary: Summary) -> list[str]:
    """The result of a match in two lines."""
    wins, draws, losses = summary.total
    likely = min(max(summary.los, 1e-9), 1 - 1e-9)  # no number of games makes it certain
    score = " ".join((percent(summary.score.value), _span(map(percent, summary.score[1:]))))
    return [
        f"{summary.total.games:,} games: A won {wins:,}, drew {draws:,}, lost {losses:,} · score {score}",
        f"Elo {elo(summary.elo)} · likelihood that A is better {percent(likely)}"
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


# --- tables ---------------------------------------------------------------------------------------------------------


def _table(title: str, headers: Sequence[str], rows: Sequence[Sequence[Cell]], remark: str = "") -> Table:
    return Table(title.lower().replace(" ", "-"), title, headers, rows, remark=remark)


def _tally(name: str, tally: Tally) -> list[Cell]:
    return [name, *tally, percent(tally.score) if tally.games else ""]


def _seats(summary: Summary, names: Sequence[str]) -> Table:
    rows = [_tally(name, tally) for name, tally in zip(names, summary.by_seat, strict=False)]
    return _table("A by seat", ["A sits in", "won", "drew", "lost", "score"], rows)


def _pairs(summary: Summary) -> Iterator[Table]:
    if any(summary.pairs):
        headers = ["points of A in a pair", "0", "½", "1", "1½", "2"]
        yield _table("Pairs", headers, [["pairs", *summary.pairs]], "two games on one board with swapped seats")


def _times(run: "MatchResult | TournamentResult") -> Iterator[Table]:
    letters = [f"{letter}  " for letter in "AB"] if run.settings["kind"] == "match" else [""] * len(run.specs)
    rows: list[list[Cell]] = []
    for agent, (letter, spec) in enumerate(zip(letters, run.specs, strict=True)):
        times = times_of(run.results, agent)
        used = [
            f"{1e3 * times.wall_move:.2f}",
            f"{1e3 * times.cpu_move:.2f}",
            f"{times.wall_game:.3f}",
            f"{times.cpu_game:.3f}",
        ]
        rows.append([letter + spec, *used])
    yield _table("Time", ["agent", "ms a move", "CPU ms a move", "s a game", "CPU s a game"], rows)


def _lengths(results: Sequence["GameResult"]) -> Iterator[Block]:
    found = lengths(results)
    if found is None:
        return
    shares = [f"{tenth} %" for tenth in range(10, 100, 10)]
    headers = ["mean", "shortest", *shares, "longest"]
    row: list[Cell] = [f"{found.mean:.1f}", found.shortest, *(f"{cut:.0f}" for cut in found.deciles), found.longest]
    yield _table("Length in plies", headers, [row], "the given share of games is no longer than that; 50 % is the median")
    yield Figure("lengths", "Games by their length", partial(charts.lengths, [result.plies for result in results]))


def _causes(title: str, unit: str, lost: Sequence[Forfeit], specs: Sequence[str]) -> Iterator[Table]:
    """Who did what wrong and how often, the most frequent first; how late a late move was makes no difference."""
    counts = Counter((one.agent, re.sub(r"^late: \S+ s for a move, ", "late: ", one.reason)) for one in lost)
    rows: list[list[Cell]] = [[specs[agent], count, reason] for (agent, reason), count in counts.most_common(_CAUSES)]
    rest = f"and {len(counts) - _CAUSES:,} more reasons" if len(counts) > _CAUSES else ""
    if rows:
        yield _table(title, ["agent", unit, "reason"], rows, rest)


def _ratings(ratings: Sequence[Rating], reference: str) -> Iterator[Block]:
    rows: list[list[Cell]] = [
        [place, r.spec, f"{r.elo:.0f}", _span((f"{r.low:.0f}", f"{r.high:.0f}")), percent(r.score), r.games]
        for place, r in enumerate(ratings, 1)
    ]
    yield _table("Ratings", ["", "agent", "Elo", "95 % interval", "score", "games"], rows, f"Elo with {reference}")
    if ratings:
        yield Figure("ratings", "Ratings with their intervals", partial(charts.ratings, rated(ratings), reference))


def rated(ratings: Sequence[Rating]) -> list[tuple[str, Estimate]]:
    """Ratings as pictures take them."""
    return [(rating.spec, Estimate(rating.elo, rating.low, rating.high)) for rating in ratings]


def _cross(ratings: Sequence[Rating], cells: Sequence[Sequence[Tally | None]]) -> Table:
    """Best agent first; each cell is the row's points against the column's."""
    order = [rating.agent for rating in ratings]
    rows: list[list[Cell]] = []
    for place, (agent, rating) in enumerate(zip(order, ratings, strict=True), 1):
        rows.append([place, rating.spec, *(_cell(agent, other, cells[agent][other]) for other in order)])
    headers = ["", "agent", *map(str, range(1, len(order) + 1))]
    return _table("Crosstable", headers, rows, "points / games of row against column")


def _cell(agent: int, other: int, tally: Tally | None) -> str:
    if agent == other:
        return "·"
    return f"{tally.wins + tally.draws / 2:g} / {tally.games}" if tally else ""
