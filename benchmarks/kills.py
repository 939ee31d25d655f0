"""Kills a run with `--save` again and again, kill -9 at random moments, and compares the file with the store.

    python benchmarks/kills.py --kills 300

Most starts are forks of this process, which has everything loaded, so that kills come a fraction of a second apart and
hit games, commits, writes and the repair of the file; every tenth is the command itself with two workers. The file
holds other records of a user, before the first start and between two of them.
"""

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import daedalus
from daedalus import arena
from daedalus.core.record import Record, append_record, read_records

GAME, OPTION, AGENTS, NAME = "blackhole", "hole=pass", ("random", "random"), "killed"


def settings(folder: Path, games: int) -> dict[str, object]:
    return {"games": games, "seed": 3, "db": folder / "store", "name": NAME, "save": folder / "games.txt"}


def begin(folder: Path, games: int, bell: int | None = None) -> int:
    """Starts the run in a fork; its process. `bell` is a pipe on which it says that it has begun to play."""
    child = os.fork()
    if child:
        return child

    def ring(progress: arena.Progress) -> None:
        if bell is not None and progress.done > progress.kept:
            os.write(bell, b".")

    try:
        arena.match(f"{GAME} {OPTION}", *AGENTS, workers=1, progress=ring, **settings(folder, games))
        os._exit(0)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        os._exit(1)


def killed(folder: Path, games: int, seconds: float, playing: bool) -> bool:
    """Starts the run and kills it so much later, or after its first game; False if it was over before."""
    hear, bell = os.pipe()
    child = begin(folder, games, bell)
    os.close(bell)
    if playing:
        os.read(hear, 1)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(hear)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0, "the run ended with an error"
        return False
    return True


def command_killed(folder: Path, games: int, seconds: float) -> bool:
    words = ["match", GAME, *AGENTS, "-o", OPTION, "-n", games, "--seed", 3, "--workers", 2, "--db", folder / "store"]
    words += ["--name", NAME, "--save", folder / "games.txt"]
    command = [sys.executable, "-m", "daedalus", *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
        assert process.returncode == 0, "the run ended with an error"
        return False
    process.kill()
    process.wait()
    return True


def own_record(number: int) -> Record:
    """A game that the user played."""
    return Record.from_position(daedalus.new(GAME, seed=number), ["a person", "another"], tags={"Event": f"evening {number}"})


def compared(folder: Path, own: list[str]) -> tuple[bool, int]:
    """Is the file what was there before, and the games of the store in order, each once?"""
    kept = [result.record for result in arena.load_run(NAME, folder / "store").results]
    saved = [record.text for record in read_records(folder / "games.txt")]
    games = [text for text in saved if text not in own]
    return games == kept and [text for text in saved if text in own] == own, len(kept)


def campaign(folder: Path, kills: int, games: int, seed: int, commands: bool = True) -> tuple[bool, int, int]:
    """So many kills, then the run to its end; whether the file is right, the kills that hit, the games between them."""
    dice, file, hits, own = random.Random(seed), folder / "games.txt", 0, []
    arena.match(f"{GAME} {OPTION}", *AGENTS, games=2, workers=1, db=":memory:")  # compiled before the forks
    for kill in range(kills):
        if kill % 100 == 0:
            own.append(own_record(kill).text)
            append_record(file, Record.parse(own[-1]))
        if commands and kill % 10 == 9:
            hits += command_killed(folder, games, dice.uniform(0.5, 6.0))
        else:
            hits += killed(folder, games, dice.uniform(0.0, 0.3), playing=kill % 5 > 0)
    between = sum(info.done for info in arena.list_runs(folder / "store"))
    child = begin(folder, games)
    assert os.waitpid(child, 0)[1] == 0
    right, kept = compared(folder, own)
    return right and kept == games, hits, between


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        right, hits, between = campaign(Path(folder), given.kills, given.games, given.seed)
    verdict = "file equal to the store" if right else "FILE AND STORE DIFFER"
    print(f"{given.kills} starts, {hits} killed under way, {between} of {given.games} games between the kills: {verdict}")
    sys.exit(not right)


if __name__ == "__main__":
    main()
