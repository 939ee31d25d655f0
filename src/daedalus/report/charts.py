"""Pictures in a report, as SVG in the colours of its page, or as a file: values with intervals, curves, distributions.

Matplotlib is loaded only when one is drawn; the same data give the same file.
"""

import io
import math
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from daedalus.core import InvalidOption
from daedalus.core.files import replacing

from . import Estimate

_STYLE: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "daedalus", "font.size": 10, "font.family": "sans-serif"}
_FORMATS = (".png", ".svg")
_INK = "#010203"  # stands for the colour of the page's text in a picture that is set into a page
_BLUE, _ORANGE = "#3b7dd8", "#d9730d"  # legible on white and on black, as the others
_COLOURS = (_BLUE, _ORANGE, "#2e9e6b", "#a05fc9", "#c9a227", "#c94f6d", "#5b8c9e")
_LONGEST = 34  # characters of a label
_LINE = 40  # and of a line under an axis
_WIDE = 50  # from how many times the smallest value on the axis is logarithmic


class Dot(NamedTuple):
    """A line of a picture: a label, our value, the published one."""

    label: str
    ours: Estimate | None
    published: float | None


class Curve(NamedTuple):
    """A line through values over an axis."""

    label: str
    points: Sequence[tuple[float, Estimate]]


def dots(rows: Sequence[Dot], axis: str) -> str:
    """One line for each row: our value with its interval, and the published one where there is one."""
    with _style():
        figure, axes = _canvas(6.4, 0.9 + 0.27 * len(rows))
        axes.grid(axis="x", color=_INK, alpha=0.15)
        _ours(axes, rows)
        _theirs(axes, rows)
        axes.set_yticks(range(len(rows)), [_short(row.label) for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        told = [value for row in rows for value in (row.published, row.ours and row.ours.value) if value is not None]
        if _is_wide(told):
            axes.set_xscale("log")
        axes.set_xlabel(fill(axis, _LINE), color=_INK)
        if any(row.published is not None for row in rows):
            _legend(figure, axes)
        return _inline(figure)


def _ours(axes: Any, rows: Sequence[Dot]) -> None:
    places = [place for place, row in enumerate(rows) if row.ours]
    values = [row.ours for row in rows if row.ours]
    style = {"fmt": "o", "color": _BLUE, "markersize": 5, "capsize": 3, "label": "ours, 95 % interval"}
    axes.errorbar([v.value for v in values], places, xerr=_errors(values), **style)


def _theirs(axes: Any, rows: Sequence[Dot]) -> None:
    told = [(row.published, place) for place, row in enumerate(rows) if row.published is not None]
    if told:
        values, places = zip(*told, strict=True)
        axes.plot(
            values, places, "D", color=_ORANGE, markersize=5, markerfacecolor="none", markeredgewidth=1.5, label="published"
        )


def lines(curves: Sequence[Curve], across: str, up: str) -> str:
    """Values over an axis, a line for each curve, with their intervals."""
    with _style():
        figure, axes = _canvas(6.4, 3.4)
        axes.grid(color=_INK, alpha=0.15)
        for colour, curve in zip(_COLOURS, curves, strict=False):
            xs = [x for x, _ in curve.points]
            values = [value for _, value in curve.points]
            heights, style = [v.value for v in values], {"fmt": "o-", "markersize": 4, "capsize": 3}
            axes.errorbar(xs, heights, yerr=_errors(values), color=colour, label=curve.label, **style)
        places = sorted({x for curve in curves for x, _ in curve.points})
        if places[0] > 0 and places[-1] / places[0] > 12:
            axes.set_xscale("log")
        axes.set_xticks(places, [f"{x:g}" for x in places])
        axes.minorticks_off()
        heights = [value.value for curve in curves for _, value in curve.points]
        if _is_wide(heights):
            axes.set_yscale("log")
            axes.set_ylim(bottom=min(heights) / 3)  # an interval may reach down to nothing
        axes.set_xlabel(across, color=_INK)
        axes.set_ylabel(fill(up, _LINE), color=_INK)
        if len(curves) > 1:
            _legend(figure, axes)
        return _inline(figure)


def bars(heights: Sequence[int], title: str, across: str) -> str:
    """How many games had 0, 1, 2 .. of something."""
    with _style():
        figure, axes = _canvas(6.4, 2.0)
        axes.grid(axis="y", color=_INK, alpha=0.15)
        axes.bar(range(len(heights)), heights, color=_BLUE, width=0.8)
        axes.set_xticks(range(len(heights)))
        axes.locator_params(axis="y", integer=True)
        axes.set_title(title, color=_INK, loc="left", fontsize=10)
        axes.set_xlabel(across, color=_INK)
        axes.set_ylabel("games", color=_INK)
        return _inline(figure)


def lengths(plies: Sequence[int]) -> str:
    """How many games lasted how long."""
    with _style():
        figure, axes = _canvas(6.4, 2.1)
        low, high = min(plies), max(plies)
        step = max(1, -(-(high - low + 1) // 30))  # whole plies in a bar, so that no bar is high by rounding
        axes.hist(plies, bins=[place - 0.5 for place in range(low, high + step + 1, step)], color=_BLUE, rwidth=0.9)
        axes.grid(axis="y", color=_INK, alpha=0.15)
        axes.locator_params(axis="both", integer=True)
        axes.set_xlabel("plies", color=_INK)
        axes.set_ylabel("games", color=_INK)
        return _inline(figure)


# --- ratings --------------------------------------------------------------------------------------------------------


def ratings(rated: Sequence[tuple[str, Estimate]], note: str = "") -> str:
    """Ratings, best on top, each with its 95 % interval; `note` tells what they are measured from."""
    with _style():
        return _inline(_ratings(rated, 6.4, _INK, note))


def ratings_file(rated: Sequence[tuple[str, Estimate]], path: Path, title: str, note: str = "") -> None:
    """The same as a file, whose name says whether PNG or SVG."""
    kind = check_format(path).suffix[1:].lower()
    with _style(), replacing(path) as partial:
        figure = _ratings(rated, 7.0, "#222222", note)
        figure.suptitle(title, color="#222222", x=0.02, ha="left", fontsize=12, fontweight="bold")
        figure.savefig(partial, format=kind, dpi=160, facecolor="white", metadata={"Date": None} if kind == "svg" else None)


def check_format(path: Path) -> Path:
    """Refuses a file name that does not say how to draw, before anything is played."""
    if path.suffix.lower() not in _FORMATS:
        raise InvalidOption(f"plot '{path}': name it with {' or '.join(_FORMATS)}")
    return path


def _ratings(rated: Sequence[tuple[str, Estimate]], width: float, ink: str, note: str) -> Any:
    figure, axes = _canvas(width, 1.1 + 0.38 * len(rated), ink)
    axes.grid(axis="x", color=ink, alpha=0.15)
    for row, (_, (value, low, high)) in enumerate(rated):
        errors = [[value - low], [high - value]]
        axes.errorbar(value, row, xerr=errors, fmt="o", color=_BLUE, markersize=6, capsize=4, linewidth=1.8)
        shown = f"{value:.0f}".replace("-", "\N{MINUS SIGN}")
        axes.annotate(shown, (value, row), (0, 7), textcoords="offset points", ha="center", size=9, color=ink)
    axes.set_yticks(range(len(rated)), [_short(label) for label, _ in rated])
    axes.set_ylim(len(rated) - 0.4, -0.7)
    axes.margins(x=0.06)
    axes.set_xlabel("Elo, 95 % intervals" + (f" ({note})" if note else ""), color=ink)
    return figure


# --- drawing --------------------------------------------------------------------------------------------------------


def _style() -> Any:
    """Our settings of matplotlib, while a picture is drawn."""
    import matplotlib

    return matplotlib.rc_context(_STYLE)


def _canvas(width: float, height: float, ink: str = _INK) -> tuple[Any, Any]:
    """A figure with one plain pair of axes; no window system is asked for, as no plotting state is used."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(ink)
    axes.tick_params(colors=ink, length=0)
    axes.set_axisbelow(True)
    return figure, axes


def _inline(figure: Any) -> str:
    """The figure as an SVG element without the preamble of a file."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    text = buffer.getvalue()
    return text[text.index("<svg") :].replace(_INK, "currentColor")


def _legend(figure: Any, axes: Any) -> None:
    """Above the picture, where it hides nothing."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=4, frameon=False, labelcolor=_INK, fontsize=9)


def _is_wide(values: Sequence[float]) -> bool:
    """Do values differ so much that only a logarithmic axis shows them all?"""
    return bool(values) and min(values) > 0 and max(values) > _WIDE * min(values)


def _finite(length: float) -> float:
    return max(0.0, length) if math.isfinite(length) else 0.0


def _errors(values: Sequence[Estimate]) -> list[list[float]]:
    """How far the intervals reach down and up."""
    return [[_finite(v.value - v.low) for v in values], [_finite(v.high - v.value) for v in values]]


def _short(label: str) -> str:
    """A label that leaves room for the picture; `$` would begin a formula."""
    return (label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…").replace("$", r"\$")
