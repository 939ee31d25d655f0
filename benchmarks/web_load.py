"""How `daedalus web` bears many tables: from sending a move to its state, while an agent thinks; memory over many games.

    python benchmarks/web_load.py                      # 200 sockets at 100 tables, one move a table and second
    python benchmarks/web_load.py --pause 0            # as fast as the server answers
    python benchmarks/web_load.py --single             # one player, each game, its own moves
    python benchmarks/web_load.py --memory 2000        # resident memory over so many games

The clients are another process on the same machine, and so share its cores with the server and its searches.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import psutil
from websockets.asyncio.client import connect

PATIENCE = 30.0  # seconds for the last answers
GAMES = ("blackhole", "colosseum", "labyrinth", "quoridor", "saboteur")
SERVER = """
import dataclasses, sys
from daedalus.web import server, settings
calm = dataclasses.replace(settings.Settings(), tables_a_minute=10**6, tables_a_client=10**6, messages_a_second=1e6, burst=10**6,
                           idle_seconds=2.0, tables=10**6, effort=1e6, effort_burst=1e6)
server.Settings = lambda: calm
server.serve(port=int(sys.argv[1]), db=sys.argv[2], browser=False)
"""


class Server:
    """The server in a process of its own, with the limits raised that one address would meet."""

    def __init__(self, folder: Path, port: int) -> None:
        self.port, self._log = port, (folder / "log").open("w")
        words = [sys.executable, "-c", SERVER, str(port), str(folder / "tables.sqlite")]
        self.process = subprocess.Popen(words, stdout=self._log, stderr=self._log)
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=5).close()
                break
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def table(self, game: str, *seats: str) -> tuple[str, list[str | None]]:
        wishes = [{"who": who} if who in ("you", "friend") else {"who": "agent", "spec": who} for who in seats]
        body = json.dumps({"game": game, "seats": wishes}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/tables", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            made = json.load(answer)
        return made["table"], [seat["token"] for seat in made["seats"]]

    def memory(self) -> float:
        """Megabytes of the server itself, without its searches."""
        return float(psutil.Process(self.process.pid).memory_info().rss) / 1e6

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(20)


class Client:
    """A socket that plays by chance and times the answers to its own moves."""

    def __init__(self, server: Server, table: str, token: str | None, seed: str, pause: float, times: list[float]) -> None:
        self._address = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
        self._token, self._dice, self._pause, self._times = token, random.Random(seed), pause, times
        self.sent = self.answered = self.thoughts = 0

    async def play(self, until: float) -> None:
        """Plays until the game or the time is over."""
        async with connect(self._address, max_size=None, proxy=None, open_timeout=60) as channel:
            await channel.send(json.dumps({"type": "hello", "token": self._token}))
            began, waiting = 0.0, -1
            while time.monotonic() < until or waiting >= 0:
                try:
                    text = await asyncio.wait_for(channel.recv(), PATIENCE if waiting >= 0 else until - time.monotonic())
                except TimeoutError:
                    return
                state = json.loads(text)
                if state["type"] != "state":
                    self.thoughts += state["type"] == "thought"
                    continue
                if 0 <= waiting < state["ply"]:
                    self._times.append(time.perf_counter() - began)
                    self.answered, waiting = self.answered + 1, -1
                if state["outcome"]:
                    return
                if state["legal"] and waiting < 0:
                    if self._pause:
                        await asyncio.sleep(self._dice.uniform(0.5, 1.5) * self._pause)
                    if time.monotonic() > until:
                        return
                    began, waiting = time.perf_counter(), state["ply"]
                    self.sent += 1
                    await channel.send(json.dumps({"type": "move", "ply": waiting, "move": self._dice.choice(state["legal"])}))


def told(name: str, times: list[float]) -> str:
    milliseconds = sorted(1000 * seconds for seconds in times)
    if not milliseconds:
        return f"{name:12} no moves"
    median, p95 = statistics.median(milliseconds), milliseconds[int(0.95 * (len(milliseconds) - 1))]
    return (
        f"{name:12} {len(milliseconds):6} moves   median {median:6.1f} ms   p95 {p95:6.1f} ms   most {milliseconds[-1]:6.1f} ms"
    )


async def crowd(server: Server, tables: int, seconds: float, pause: float, games: tuple[str, ...]) -> None:
    """Two sockets at each table, playing by chance, while one more table runs an expert."""
    times: list[float] = []
    clients = []
    expert, tokens = await asyncio.to_thread(server.table, "quoridor", "expert:seconds=5", "expert:seconds=5")
    for number in range(tables):
        table, tokens = await asyncio.to_thread(server.table, games[number % len(games)], "you", "friend")
        clients += [Client(server, table, token, f"{number} {seat}", pause, times) for seat, token in enumerate(tokens)]
    until = time.monotonic() + seconds
    watcher = Client(server, expert, None, "watcher", 0, [])
    await asyncio.gather(*(client.play(until) for client in [watcher, *clients]))
    sent, answered = sum(client.sent for client in clients), sum(client.answered for client in clients)
    print(told("+".join(games) if len(games) < 3 else "all games", times))
    print(
        f"{'':12} {len(clients)} sockets, {answered / seconds:.0f} moves a second, {sent - answered} of {sent} without an answer"
    )
    print(f"{'':12} the expert was heard thinking {watcher.thoughts} times")


async def single(server: Server, seconds: float) -> None:
    """A person against `random` in each game, with its usual options."""
    for game in GAMES:
        times: list[float] = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            table, tokens = await asyncio.to_thread(server.table, game, "you", "random")
            await Client(server, table, tokens[0], game, 0.02, times).play(until)
        print(told(game, times), flush=True)


async def memory(server: Server, games: int) -> None:
    """Short games one after the other, eight at a time; what the server holds after every so many."""
    gate = asyncio.Semaphore(8)
    done = 0

    async def one(number: int) -> None:
        nonlocal done
        async with gate:
            table, tokens = await asyncio.to_thread(server.table, GAMES[number % len(GAMES)], "you", "friend")
            until = time.monotonic() + 1  # what is not over then is left as it is
            players = [Client(server, table, token, f"{number} {seat}", 0, []) for seat, token in enumerate(tokens)]
            await asyncio.gather(*(player.play(until) for player in players))
            done += 1
            if done % max(1, games // 10) == 0:
                print(f"{done:6} games   {server.memory():7.1f} MB", flush=True)

    await asyncio.gather(*(one(number) for number in range(games)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds that a player thinks; 0: none")
    parser.add_argument("--games", default="blackhole", help="names, or all")
    parser.add_argument("--single", action="store_true")
    parser.add_argument("--memory", type=int, default=0, metavar="GAMES")
    parser.add_argument("--port", type=int, default=8765)
    given = parser.parse_args()
    os.environ.setdefault("DAEDALUS_QUIET", "1")
    games = GAMES if given.games == "all" else tuple(given.games.split(","))
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), given.port)
        try:
            if given.memory:
                asyncio.run(memory(server, given.memory))
            elif given.single:
                asyncio.run(single(server, given.seconds))
            else:
                asyncio.run(crowd(server, given.tables, given.seconds, given.pause, games))
            print(f"memory {server.memory():.0f} MB")
        finally:
            server.close()
        log = (Path(folder) / "log").read_text()
        print("".join(line + "\n" for line in log.splitlines() if "level" in line or "Trace" in line)[:2000], end="")


if __name__ == "__main__":
    main()
