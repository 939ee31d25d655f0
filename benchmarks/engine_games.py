"""Two `daedalus engine` processes play each other over the text dialect of docs/engines.md; counts illegal and late moves.

    python benchmarks/engine_games.py                       20 games of each game, 100 ms a move
    python benchmarks/engine_games.py quoridor --games 4 --movetime 50 --first expert --second mcts

The player's side of this file knows the written dialect and nothing else. Only the referee knows the rules: he holds the
true position, tells each engine what its seat may know, and judges the moves. Late is a move whose `bestmove` comes more
than the tolerance after its time; on a busy machine that also counts what others took, so the processor time of a move is
measured too, and a move is late by its own fault only if that is too long.
"""

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

GAMES = ("blackhole", "colosseum", "labyrinth", "quoridor", "saboteur")


class TextEngine:
    """A program that speaks the text dialect."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.options = {}
        self.send("uci")
        for line in self.until("uciok"):
            words = line.split()
            if words[:2] == ["option", "name"]:
                self.options[line.split(" type ")[0].removeprefix("option name ")] = line
        self.ready()

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        """The lines up to one that begins with this word."""
        lines = []
        while not lines or lines[-1].split()[:1] != [word]:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"the engine ended (exit code {self.process.wait()}) where {word} was due")
            if line.strip():
                lines.append(line.rstrip("\n"))
        return lines

    def ready(self):
        self.send("isready")
        self.until("readyok")

    def new_game(self, seed):
        self.send("ucinewgame")
        self.send(f"setoption name Seed value {seed}")
        self.ready()

    def best_move(self, position, movetime):
        """Its move, the seconds until it came, and the processor seconds it took."""
        self.send(position)
        self.ready()
        used, begun = self._cpu(), time.perf_counter()
        self.send(f"go movetime {movetime}")
        lines = self.until("bestmove")
        seconds = time.perf_counter() - begun
        return lines[-1].split()[1], seconds, self._cpu() - used

    def _cpu(self):
        """Processor seconds so far, as Linux tells them."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        if not stat.exists():
            return 0.0
        user, system = stat.read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def quit(self):
        self.send("quit")
        return self.process.wait(10)


@dataclass
class Tally:
    """What happened in the games of one game."""

    games: int = 0
    moves: int = 0
    illegal: list = field(default_factory=list)
    late: int = 0
    late_by_cpu: int = 0
    worst: float = 0.0
    worst_cpu: float = 0.0
    wins: list = field(default_factory=lambda: [0, 0, 0])  # first, second, drawn or not ended

    def note(self, move, seconds, cpu, allowed, tolerance):
        self.moves += 1
        self.late += seconds > allowed + tolerance
        self.late_by_cpu += cpu > allowed + tolerance
        self.worst = max(self.worst, seconds - allowed)
        self.worst_cpu = max(self.worst_cpu, cpu - allowed)


def told(truth, start, hidden):
    """The `position` that tells the seat to move all that it may know."""
    moves = " ".join(map(str, truth.history))
    if hidden:
        return f"position text {truth.view().text}" + (f" history {moves}" if moves else "")
    return f"position text {start}" + (f" moves {moves}" if moves else "")


def play(engines, truth, movetime, tolerance, plies, tally):
    """One game; `engines` in the order of the seats. Returns the winning seat, None for a draw."""
    from daedalus.core.contract import offers

    hidden, start = offers(type(truth.game), "redeal"), truth.text
    while truth.outcome() is None and len(truth.history) < plies:
        position = told(truth, start, hidden)
        move, seconds, cpu = engines[truth.turn % len(engines)].best_move(position, movetime)
        tally.note(move, seconds, cpu, movetime / 1000, tolerance / 1000)
        try:
            truth.push(move)
        except ValueError as error:
            tally.illegal.append(f"{position}: {error}")
            return None
    outcome = truth.outcome()
    return None if outcome is None else outcome.winner


def match(name, commands, games, movetime, tolerance, plies=10**6):
    """So many games with seats that change after each, and what happened in them."""
    import daedalus

    engines, tally = [TextEngine(command) for command in commands], Tally()
    for number in range(games):
        for engine in engines:
            engine.new_game(number)
        swapped = number % 2
        truth = daedalus.new(name, seed=1000 + number // 2)
        winner = play(engines[::-1] if swapped else engines, truth, movetime, tolerance, plies, tally)
        tally.wins[2 if winner is None else winner ^ swapped] += 1
        tally.games += 1
    for engine in engines:
        engine.quit()
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="GAME", default=GAMES)
    parser.add_argument("--games", type=int, default=20, help="games of each game")
    parser.add_argument("--movetime", type=int, default=100, help="milliseconds a move")
    parser.add_argument("--tolerance", type=int, default=50, help="milliseconds that a move may be late")
    parser.add_argument("--plies", type=int, default=10**6, help="end a game after so many moves")
    parser.add_argument("--first", metavar="SPEC", help="who plays; else the game's strongest")
    parser.add_argument("--second", metavar="SPEC")
    given = parser.parse_args()
    print("game        games  moves  illegal  late  late(cpu)  worst ms  worst cpu ms  first-second-drawn")
    faults = 0
    for name in given.names:
        commands = [[sys.executable, "-m", "daedalus", "engine", name, *filter(None, [s])] for s in (given.first, given.second)]
        t = match(name, commands, given.games, given.movetime, given.tolerance, given.plies)
        print(
            f"{Path(name).name[:11]:11} {t.games:5} {t.moves:6} {len(t.illegal):8} {t.late:5} {t.late_by_cpu:10} "
            f"{1000 * t.worst:9.0f} {1000 * t.worst_cpu:13.0f}  {'-'.join(map(str, t.wins))}",
            flush=True,
        )
        for fault in t.illegal:
            print("  illegal:", fault)
        faults += len(t.illegal) + t.late
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
