"""Pictures of a study: our values with their intervals beside the published ones, as SVG to set into a page."""

import math
from collections.abc import Sequence
from textwrap import fill
from typing import Any, NamedTuple

from daedalus.arena.plots import BLUE, INK, canvas, inline, style
from daedalus.arena.statistics import Estimate

_ORANGE = "#d9730d"
_COLOURS = (BLUE, _ORANGE, "#2e9e6b", "#a05fc9", "#c9a227", "#c94f6d", "#5b8c9e")  # legible on white and on black
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
    with style():
        figure, axes = canvas(6.4, 0.9 + 0.27 * len(rows), INK)
        axes.grid(axis="x", color=INK, alpha=0.15)
        _ours(axes, rows)
        _theirs(axes, rows)
        axes.set_yticks(range(len(rows)), [_short(row.label) for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        told = [value for row in rows for value in (row.published, row.ours and row.ours.value) if value is not None]
        if _is_wide(told):
            axes.set_xscale("log")
        axes.set_xlabel(fill(axis, _LINE), color=INK)
        if any(row.published is not None for row in rows):
            _legend(figure, axes)
        return inline(figure)


def _ours(axes: Any, rows: Sequence[Dot]) -> None:
    places = [place for place, row in enumerate(rows) if row.ours]
    values = [row.ours for row in rows if row.ours]
    errors = [[_finite(v.value - v.low) for v in values], [_finite(v.high - v.value) for v in values]]
    axes.errorbar(
        [v.value for v in values],
        places,
        xerr=errors,
        fmt="o",
        color=BLUE,
        markersize=5,
        capsize=3,
        label="ours, 95 % interval",
    )


def _theirs(axes: Any, rows: Sequence[Dot]) -> None:
    told = [(row.published, place) for place, row in enumerate(rows) if row.published is not None]
    if told:
        values, places = zip(*told, strict=True)
        axes.plot(
            values, places, "D", color=_ORANGE, markersize=5, markerfacecolor="none", markeredgewidth=1.5, label="published"
        )


def lines(curves: Sequence[Curve], across: str, up: str) -> str:
    """Values over an axis, a line for each curve, with their intervals."""
    with style():
        figure, axes = canvas(6.4, 3.4, INK)
        axes.grid(color=INK, alpha=0.15)
        for colour, curve in zip(_COLOURS, curves, strict=False):
            xs = [x for x, _ in curve.points]
            values = [value for _, value in curve.points]
            errors = [[_finite(v.value - v.low) for v in values], [_finite(v.high - v.value) for v in values]]
            axes.errorbar(
                xs, [v.value for v in values], yerr=errors, fmt="o-", color=colour, markersize=4, capsize=3, label=curve.label
            )
        places = sorted({x for curve in curves for x, _ in curve.points})
        if places[0] > 0 and places[-1] / places[0] > 12:
            axes.set_xscale("log")
        axes.set_xticks(places, [f"{x:g}" for x in places])
        axes.minorticks_off()
        heights = [value.value for curve in curves for _, value in curve.points]
        if _is_wide(heights):
            axes.set_yscale("log")
            axes.set_ylim(bottom=min(heights) / 3)  # an interval may reach down to nothing
        axes.set_xlabel(across, color=INK)
        axes.set_ylabel(fill(up, _LINE), color=INK)
        if len(curves) > 1:
            _legend(figure, axes)
        return inline(figure)


def bars(heights: Sequence[int], title: str, across: str) -> str:
    """How many games had 0, 1, 2 .. of something."""
    with style():
        figure, axes = canvas(6.4, 2.0, INK)
        axes.grid(axis="y", color=INK, alpha=0.15)
        axes.bar(range(len(heights)), heights, color=BLUE, width=0.8)
        axes.set_xticks(range(len(heights)))
        axes.locator_params(axis="y", integer=True)
        axes.set_title(title, color=INK, loc="left", fontsize=10)
        axes.set_xlabel(across, color=INK)
        axes.set_ylabel("games", color=INK)
        return inline(figure)


def _legend(figure: Any, axes: Any) -> None:
    """Above the picture, where it hides nothing."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=4, frameon=False, labelcolor=INK, fontsize=9)


def _is_wide(values: Sequence[float]) -> bool:
    """Do values differ so much that only a logarithmic axis shows them all?"""
    return bool(values) and min(values) > 0 and max(values) > _WIDE * min(values)


def _finite(length: float) -> float:
    return max(0.0, length) if math.isfinite(length) else 0.0


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…"
