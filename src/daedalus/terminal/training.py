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


def train(screen: Screen, request: Request) -> None:
    """Trains, shows how it goes, and says what came of it; Ctrl-C keeps what there is."""
    with _shown(screen) as listener:
        try:
            told = carry_out(request, listener, screen.say)
        except KeyboardInterrupt:
            screen.say(f"Stopped. What was learnt is in {request.folder}; go on with: daedalus train --resume {request.folder}")
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
                live.update(picture(progress, screen.plain))

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


def picture(progress: Progress, plain: bool) -> Any:
    """What a run is about, and its curves."""
    from rich.table import Table

    share = progress.done / max(progress.total, 1)
    table = Table.grid(padding=(0, 2))
    step = f"{progress.step} {100 * share:.0f} %" if progress.total > 1 else progress.step
    table.add_row(f"iteration {progress.iteration}", step, f"{progress.seconds / 60:.1f} minutes")
    for name in ("value_loss", "policy_loss", "games_a_second"):
        values = [entry[name] for entry in progress.curve]
        if values:
            table.add_row(name.replace("_", " "), sparkline(values, plain), f"{values[-1]:.4g}")
    for opponent in dict.fromkeys(name for entry in progress.curve for name in entry.get("scores", {})):
        values = [entry["scores"][opponent] for entry in progress.curve if opponent in entry.get("scores", {})]
        score, low, high = (100 * part for part in values[-1])
        line = sparkline([value[0] for value in values], plain)
        table.add_row(f"against {opponent}", line, f"{score:.0f} % [{low:.0f}, {high:.0f}]")
    return table


def sparkline(values: list[float], plain: bool) -> str:
    """A curve in one line, the last values to the right."""
    marks = _PLAIN_SPARKS if plain else _SPARKS
    step = max(1, -(-len(values) // _WIDTH))
    means = [sum(part) / len(part) for k in range(0, len(values), step) if (part := values[k : k + step])]
    low, high = min(means), max(means)
    return "".join(marks[round((value - low) / (high - low or 1) * (len(marks) - 1))] for value in means)
