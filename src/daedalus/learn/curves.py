"""The curve of a training run as a picture."""

from pathlib import Path
from typing import Any

from daedalus.core.files import replacing


def draw_curve(curve: list[dict[str, Any]], path: Path) -> None:
    """Losses and scores with their intervals over the minutes, as PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 5.0), layout="constrained")
    scores, losses = figure.subplots(2, 1, sharex=True)
    for opponent in dict.fromkeys(name for entry in curve for name in entry.get("scores", {})):
        points = [(entry["seconds"] / 60, *entry["scores"][opponent]) for entry in curve if opponent in entry.get("scores", {})]
        minutes, values, lows, highs = zip(*points, strict=True)
        scores.plot(minutes, values, marker="o", markersize=3, label=f"against {opponent}")
        scores.fill_between(minutes, lows, highs, alpha=0.2)
    scores.set_ylabel("score")
    scores.set_ylim(0, 1)
    scores.grid(alpha=0.3)
    scores.legend(fontsize=8)
    for name in ("value_loss", "policy_loss"):
        losses.plot([entry["seconds"] / 60 for entry in curve], [entry[name] for entry in curve], label=name.replace("_", " "))
    losses.set_xlabel("minutes")
    losses.set_yscale("log")
    losses.grid(alpha=0.3)
    losses.legend(fontsize=8)
    with replacing(path) as fresh:
        figure.savefig(fresh, format="png", dpi=120)
