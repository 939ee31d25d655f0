"""How fast this checkout is beside another commit, in one run: `make bench-compare BASE=HEAD~1 GAME=quoridor`.

Machines are shared and noisy, so the two are measured in turn, several times, and what is told is a ratio of medians.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


def measured(tree: Path, game: str | None) -> dict[str, tuple[float, str]]:
    """What `daedalus bench` of the sources in a tree says, by name: value and unit."""
    words = [sys.executable, "-m", "daedalus", "bench", *([game] if game else []), "--json"]
    environment = os.environ | {"PYTHONPATH": str(tree / "src"), "DAEDALUS_QUIET": "1"}
    run = subprocess.run(words, env=environment, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"daedalus bench in {tree} failed: {run.stderr.strip().splitlines()[-1:]}")
    lines = map(json.loads, run.stdout.splitlines())
    return {line["name"]: (line["value"], line["unit"]) for line in lines}


def faster(before: float, now: float, unit: str) -> float:
    """How many times as fast; the units `s` and `us` tell how long something takes."""
    return before / now if unit in ("s", "us") else now / before


def main() -> None:
    about = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    about.add_argument("base", nargs="?", default="HEAD", help="the commit to compare with")
    about.add_argument("game", nargs="?", help="one game; else all")
    about.add_argument("--rounds", type=int, default=3, help="measurements of each side")
    asked = about.parse_args()
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: {"before": [], "now": []})
    units: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base"
        subprocess.run(["git", "-C", HERE, "worktree", "add", "--quiet", "--detach", base, asked.base], check=True)
        try:
            for number in range(asked.rounds):
                for side, tree in (("before", base), ("now", HERE)):
                    print(f"round {number + 1} of {asked.rounds}: {side}", file=sys.stderr, flush=True)
                    for name, (value, unit) in measured(tree, asked.game or None).items():
                        values[name][side].append(value)
                        units[name] = unit
        finally:
            subprocess.run(["git", "-C", HERE, "worktree", "remove", "--force", base], check=True)
    print(f"{'measure':44} {'before':>14} {'now':>14} {'times as fast':>14}")
    for name, sides in values.items():
        if sides["before"] and sides["now"]:
            before, now = statistics.median(sides["before"]), statistics.median(sides["now"])
            print(f"{name:44} {before:14,.4g} {now:14,.4g} {faster(before, now, units[name]):14.3f}  {units[name]}")


if __name__ == "__main__":
    main()
