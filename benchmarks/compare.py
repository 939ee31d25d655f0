"""How fast this checkout is beside another commit, in one run: `make bench-compare BASE=HEAD~1 GAME=quoridor`.

Machines are shared and noisy. So each side is one process that stays, the two take every measure in turn, several times,
and what is told is the median of the ratios of neighbouring measurements, with the least and the largest.
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

# One line in asks for one measure; an empty list is the end of a round. Only what `daedalus.bench` has had from the beginning.
SIDE = """
import json, sys
from daedalus import bench
bench.SECONDS = float(sys.argv[1])
measures = bench.run(sys.argv[2] or None)
for _ in sys.stdin:
    measure = next(measures, None)
    measures = measures if measure else bench.run(sys.argv[2] or None)
    print(json.dumps([measure.name, measure.value, measure.unit] if measure else []), flush=True)
"""


class Side:
    """The sources of a tree, measured in a process of their own."""

    def __init__(self, tree: Path, seconds: float, game: str) -> None:
        environment = os.environ | {"PYTHONPATH": str(tree / "src"), "DAEDALUS_QUIET": "1"}
        words = [sys.executable, "-c", SIDE, str(seconds), game]
        self.tree = tree
        self.process = subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def next(self) -> list:
        """[name, value, unit] of the next measure, [] at the end of a round."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"daedalus bench in {self.tree} failed")
        return json.loads(line)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def faster(before: float, now: float, unit: str) -> float:
    """How many times as fast; the units `s` and `us` tell how long something takes."""
    return before / now if unit in ("s", "us") else now / before


def measured_in_turn(sides: tuple[Side, Side], rounds: int) -> dict[str, list[tuple[float, float, str]]]:
    """(before, now, unit) of every measure that both have, a round each."""
    found = defaultdict(list)
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
        values: list[dict[str, float]] = [{}, {}]
        units: dict[str, str] = {}
        open_sides = [0, 1] if number % 2 else [1, 0]
        while open_sides:
            for k in tuple(open_sides):
                measure = sides[k].next()
                if not measure:
                    open_sides.remove(k)
                    continue
                name, value, unit = measure
                values[k][name], units[name] = value, unit
        for name in values[0].keys() & values[1].keys():
            found[name].append((values[0][name], values[1][name], units[name]))
    return found


def main() -> None:
    about = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    about.add_argument("base", nargs="?", default="HEAD", help="the commit to compare with")
    about.add_argument("game", nargs="?", default="", help="one game; else all")
    about.add_argument("--rounds", type=int, default=5, help="measurements of each side")
    about.add_argument("--seconds", type=float, default=0.3, help="CPU time a measurement lasts at least")
    asked = about.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base"
        subprocess.run(["git", "-C", HERE, "worktree", "add", "--quiet", "--detach", base, asked.base], check=True)
        sides = Side(base, asked.seconds, asked.game), Side(HERE, asked.seconds, asked.game)
        try:
            found = measured_in_turn(sides, asked.rounds)
        finally:
            for side in sides:
                side.close()
            subprocess.run(["git", "-C", HERE, "worktree", "remove", "--force", base], check=True)
    print(f"{'measure':38} {'before':>12} {'now':>12}  {'unit':14} times as fast (least, largest)")
    for name in sorted(found):
        unit = found[name][0][2]
        ratios = [faster(before, now, unit) for before, now, _ in found[name]]
        before, now = (statistics.median(row[k] for row in found[name]) for k in (0, 1))
        spread = f"{statistics.median(ratios):.3f} ({min(ratios):.3f}, {max(ratios):.3f})"
        print(f"{name:38} {before:12,.4g} {now:12,.4g}  {unit:14} {spread}")


if __name__ == "__main__":
    main()
