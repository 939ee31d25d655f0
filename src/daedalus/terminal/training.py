"""Training as a command: the curve while it grows, a line an iteration where nobody looks on, and what is left at the end."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from daedalus.learn.learners import Request, carry_out
from daedalus.learn.run import Progress, Run

from .screen import Screen

_SPARKS = "▁▂▃▄▅▆▇█"
_PLAIN_SPARKS = "_.-=*#"
_WIDTH = 48  # points of a curve
_NAME = 40  # letters of its name


def train(screen: Screen, request: Request) -> None:
    """Trains, shows how it goes, and says what came of it; Ctrl-C keeps what there is."""
    with _shown(screen) as listener:
        try:
            told = carry_out(request, listener, screen.say)
        except (KeyboardInterrupt, OSError):  # the disk may be full
            if (request.folder / "recipe.toml").exists():
                screen.say(f"Stopped. The run is in {request.folder}; go on with: daedalus train --resume {request.folder}")
            raise
    if isinstance(told, Run):
        _report(screen, told)


def _report(screen: Screen, run: Run) -> None:
    last = run.curve[-1] if run.curve else {}
    for opponent, (score, low, high) in last.get("scores", {}).items():
        screen.say(f"Last network against {opponent}: {100 * score:.1f} % [{100 * low:.1f}, {100 * high:.1f}]")
    screen.say(f"Best network: {run.folder / 'best.safetensors'} (of iteration {Path(run.best).stem.lstrip('0') or 0})")
    screen.say(f"Curve: {run.folder / 'curve.png'}")


@contextmanager
def _shown(screen: Screen) -> Iterator[Callable[[Progress], None]]:
    """A picture that is redrawn where a person looks on, else a line an iteration."""
    if not screen.live:
        yield _Lines(screen)
        return
    from rich.live import Live

    with Live(console=screen.console, refresh_per_second=4, transient=False) as live:
        drawn = 0.0

        def show(progress: Progress) -> None:
            nonlocal drawn
            if time.monotonic() - drawn > 0.2 or progress.total == 1:
                drawn = time.monotonic()
                live.update(picture(progress, screen.plain, screen.console.width))

        yield show


class _Lines:
    """Says each iteration once, when the next begins or the run evaluates."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.said = screen, 0

    def __call__(self, progress: Progress) -> None:
        if progress.step == "evaluating":
            self.screen.say(f"iteration {progress.iteration}: evaluating")
        for entry in progress.curve[self.said :]:
            self.screen.say(_line(entry))
        self.said = len(progress.curve)


def _line(entry: dict[str, Any]) -> str:
    scores = "".join(f", {100 * score[0]:.0f} % against {name}" for name, score in entry.get("scores", {}).items())
    return (
        f"iteration {entry['iteration']}, {entry['seconds']:.0f} s: loss of value {entry['value_loss']:.4f}, of policy "
        f"{entry['policy_loss']:.4f}, {entry['games_a_second']:.0f} games/s of {entry['plies']:.0f} plies{scores}"
    )


def picture(progress: Progress, plain: bool, width: int = 80) -> Any:
    """What a run is about, and its curves, the newest points always inside the width."""
    from rich.table import Table

    share = progress.done / max(progress.total, 1)
    step = f"{progress.step} {100 * share:.0f} %" if progress.total > 1 else progress.step
    lines = _curves(progress.curve)
    room = width - 4 - max((len(name) + len(told) for name, _, _, told in lines), default=0)
    table = Table.grid(padding=(0, 2))
    table.add_row(f"iteration {progress.iteration}", step, f"{progress.seconds / 60:.1f} minutes")
    for name, values, bounds, told in lines:
        table.add_row(name, sparkline(values, plain, max(1, min(room, _WIDTH)), bounds), told)
    return table


_Curve = tuple[str, list[float], tuple[float, float] | None, str]


def _curves(curve: list[dict[str, Any]]) -> list[_Curve]:
    """Each curve: its name, its points, the bounds it is drawn between if they are fixed, and its last point in figures.

    Names and figures are as wide as the widest of their kind, so that what is left is the same for all.
    """
    told: list[_Curve] = []
    for name in ("value_loss", "policy_loss", "games_a_second") if curve else ():
        values = [entry[name] for entry in curve]
        told.append((name.replace("_", " "), values, None, f"{values[-1]:.4g}"))
    for opponent in dict.fromkeys(name for entry in curve for name in entry.get("scores", {})):
        points = [entry["scores"][opponent] for entry in curve if opponent in entry.get("scores", {})]
        score, low, high = (100 * part for part in points[-1])
        scores = [point[0] for point in points]
        told.append((f"against {opponent}"[:_NAME], scores, (0.0, 1.0), f"{score:.0f} % [{low:.0f}, {high:.0f}]"))
    wide = max((len(name) for name, *_ in told), default=0)
    long = max((len(last) for *_, last in told), default=0)
    return [(name.ljust(wide), values, bounds, last.ljust(long)) for name, values, bounds, last in told]


def sparkline(values: list[float], plain: bool, width: int = _WIDTH, bounds: tuple[float, float] | None = None) -> str:
    """A curve in one line, the last values to the right; between bounds, else between its own least and greatest."""
    marks = _PLAIN_SPARKS if plain else _SPARKS
    step = max(1, -(-len(values) // width))
    means = [sum(part) / len(part) for k in range(0, len(values), step) if (part := values[k : k + step])]
    low, high = bounds or (min(means), max(means))
    return "".join(marks[round((value - low) / (high - low or 1) * (len(marks) - 1))] for value in means)
