"""Pictures of results: ratings with their intervals, lengths of games. Matplotlib is loaded only when one is drawn."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from daedalus.core import InvalidOption
from daedalus.core.files import replacing

from .ratings import Rating

INK = "#010203"  # stands for the colour of the page's text in a picture that is set into a page
BLUE = "#3b7dd8"  # legible on white and on black
_STYLE: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "daedalus", "font.size": 10, "font.family": "sans-serif"}
FORMATS = (".png", ".svg")


def check_format(path: Path) -> Path:
    """Refuses a file name that does not say how to draw, before anything is played."""
    if path.suffix.lower() not in FORMATS:
        raise InvalidOption(f"plot '{path}': name it with {' or '.join(FORMATS)}")
    return path


def rating_plot(ratings: Sequence[Rating], path: str | Path, title: str = "", note: str = "") -> None:
    """Draws the ratings, best on top, each with its 95 % interval; the name of the file says whether PNG or SVG."""
    path = check_format(Path(path))
    kind = path.suffix[1:].lower()
    with style(), replacing(path) as partial:
        figure = _ratings(ratings, width=7.0, ink="#222222", title=title, note=note)
        figure.savefig(partial, format=kind, dpi=160, facecolor="white", metadata={"Date": None} if kind == "svg" else None)


def rating_svg(ratings: Sequence[Rating], note: str = "") -> str:
    """The ratings as SVG to set into a page, in the colour of its text."""
    with style():
        return inline(_ratings(ratings, width=4.5, ink=INK, title="", note=note, longest=24))


def length_svg(plies: Sequence[int]) -> str:
    """How many games lasted how long, as SVG to set into a page."""
    with style():
        return inline(_lengths(plies))


def style() -> Any:
    """Our settings of matplotlib, while a picture is drawn; the same data give the same file."""
    import matplotlib

    return matplotlib.rc_context(_STYLE)


def canvas(width: float, height: float, ink: str) -> tuple[Any, Any]:
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


def _ratings(ratings: Sequence[Rating], width: float, ink: str, title: str, note: str, longest: int = 34) -> Any:
    figure, axes = canvas(width, 1.1 + 0.38 * len(ratings), ink)
    axes.grid(axis="x", color=ink, alpha=0.15)
    for row, rating in enumerate(ratings):
        errors = [[rating.elo - rating.low], [rating.high - rating.elo]]
        axes.errorbar(rating.elo, row, xerr=errors, fmt="o", color=BLUE, markersize=6, capsize=4, linewidth=1.8)
        axes.annotate(
            f"{rating.elo:.0f}".replace("-", "\N{MINUS SIGN}"),
            (rating.elo, row),
            (0, 7),
            textcoords="offset points",
            ha="center",
            size=9,
            color=ink,
        )
    axes.set_yticks(range(len(ratings)), [_short(rating.spec, longest) for rating in ratings])
    axes.set_ylim(len(ratings) - 0.4, -0.7)
    axes.margins(x=0.06)
    axes.set_xlabel("Elo, 95 % intervals" + (f" ({note})" if note else ""), color=ink)
    if title:
        figure.suptitle(title, color=ink, x=0.02, ha="left", fontsize=12, fontweight="bold")
    return figure


def _short(spec: str, longest: int) -> str:
    """A spec that leaves room for the picture; `$` would begin a formula."""
    shown = spec if len(spec) <= longest else spec[: longest - 1] + "…"
    return shown.replace("$", r"\$")


def _lengths(plies: Sequence[int]) -> Any:
    figure, axes = canvas(4.5, 2.1, INK)
    low, high = min(plies), max(plies)
    step = max(1, -(-(high - low + 1) // 30))  # whole plies in a bar, so that no bar is high by rounding
    edges = [place - 0.5 for place in range(low, high + step + 1, step)]
    axes.hist(plies, bins=edges, color=BLUE, rwidth=0.9)
    axes.grid(axis="y", color=INK, alpha=0.15)
    axes.locator_params(axis="both", integer=True)
    axes.set_xlabel("plies", color=INK)
    axes.set_ylabel("games", color=INK)
    return figure


def inline(figure: Any) -> str:
    """The figure as an SVG element without the preamble of a file."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    text = buffer.getvalue()
    return text[text.index("<svg") :].replace(INK, "currentColor")
