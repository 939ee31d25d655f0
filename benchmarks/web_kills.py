"""Kills `daedalus web` again and again, kill -9 at random moments, while two people play each other and one plays an agent.

    python benchmarks/web_kills.py --kills 50

The clients do what the page does: they come back by themselves, and repeat a move whose answer they did not see, by its
ply. Afterwards the store holds every move that was made, once, in order, and no other.
"""

import argparse
import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from daedalus.core import Position
from daedalus.core.registry import find
from daedalus.web.store import TableStore

PATIENCE = 60.0
KINDS = ("between moves", "in mid-move", "in mid-search")


class Server:
    """The command, killed and started again on the same port and store."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, folder / "tables.sqlite"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> float:
        """Starts it; seconds until it answers."""
        began = time.monotonic()
        command = [sys.executable, "-m", "daedalus", "web", "--no-open", "--port", str(self.port), "--db", str(self.store)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        while time.monotonic() < began + PATIENCE:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{self.address}/api/health", timeout=5).close()
                return time.monotonic() - began
            if self.process.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.02)
        raise RuntimeError("the server does not answer")

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def interrupt(self) -> float:
        """Ctrl-C; seconds until it has ended."""
        assert self.process is not None
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)
        return time.monotonic() - began

    def post(self, path: str, body: dict[str, Any]) -> Any:
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def table(self, game: str, second: str) -> tuple[str, list[str | None]]:
        """A table of a person and a second one, or an agent; its id and tokens."""
        other = {"who": "friend"} if second == "friend" else {"who": "agent", "spec": second}
        made = self.post("/api/tables", {"game": game, "seats": [{"who": "you"}, other]})
        return made["table"], [seat["token"] for seat in made["seats"]]


class Player(threading.Thread):
    """A client that plays by chance, comes back after every loss, and remembers what it did."""

    def __init__(self, server: Server, table: str, token: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.server, self.table, self.token = server, table, token
        self.dice = random.Random(seed)
        self.made: dict[int, str] = {}  # what it means to play, by ply
        self.repeated = self.returned = 0
        self.state: dict[str, Any] = {}
        self.faults: list[str] = []
        self.sent: int | None = None  # the ply of a move without an answer
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.is_set():
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                self._sit()
            self.returned += 1
            time.sleep(0.02)

    def _sit(self) -> None:
        address = f"ws://127.0.0.1:{self.server.port}/api/tables/{self.table}/socket"
        with connect(address, max_size=None, open_timeout=5, proxy=None) as channel:
            channel.send(json.dumps({"type": "hello", "token": self.token}))
            fresh = True
            while not self.over.is_set():
                message = json.loads(channel.recv(timeout=PATIENCE))
                if message["type"] == "state":
                    self._see(message)
                    move = self._answer(fresh)
                    fresh = False
                    if move is not None:
                        channel.send(json.dumps(move))

    def _see(self, state: dict[str, Any]) -> None:
        """Nothing that was seen or done may have gone or changed."""
        before = [move["text"] for move in self.state.get("moves", [])]
        now = [move["text"] for move in state["moves"]]
        if now[: len(before)] != before:
            self.faults.append(f"{before} became {now}")
        for ply, text in self.made.items():
            if ply < len(now) and now[ply] != text:
                self.faults.append(f"move {ply} was {text}, is {now[ply]}")
        self.state = state
        if state["outcome"]:
            self.over.set()

    def _answer(self, fresh: bool) -> dict[str, Any] | None:
        state, ply = self.state, self.state["ply"]
        if self.sent is not None and ply > self.sent:
            self.sent = None
        if not state["legal"] or (self.sent == ply and not fresh):
            return None
        self.repeated += self.sent == ply
        self.sent = ply
        self.made.setdefault(ply, self.dice.choice(state["legal"]))
        return {"type": "move", "ply": ply, "move": self.made[ply]}


class Match:
    """Two tables that are always in use."""

    def __init__(self, server: Server, agent: str) -> None:
        self.server, self.agent, self.number = server, agent, 0
        self.players: list[Player] = []
        self.ended: list[Player] = []
        self.refill()

    def refill(self) -> None:
        """A new game where one is over."""
        for player in [player for player in self.players if player.over.is_set()]:
            self.players.remove(player)
            self.ended.append(player)
        for game, second in (("quoridor", "friend"), ("blackhole", self.agent)):
            if not any(player.name.startswith(game) for player in self.players):
                table, tokens = self.server.table(game, second)
                for token in filter(None, tokens):
                    self.number += 1
                    player = Player(self.server, table, token, self.number)
                    player.name = f"{game} {self.number}"
                    self.players.append(player)
                    player.start()

    def reached(self, kind: str, dice: random.Random) -> None:
        """Waits for a moment of a kind."""
        deadline = time.monotonic() + PATIENCE
        marks = {player: player.state.get("ply", 0) for player in self.players}
        while time.monotonic() < deadline and not any(player.over.is_set() for player in self.players):
            alone = [player for player in self.players if player.name.startswith("blackhole")]
            if kind == "in mid-search" and any(player.state.get("thinking") is not None for player in alone):
                break
            if kind == "in mid-move" and any(player.sent is not None for player in self.players):
                break
            if kind == "between moves" and any(player.state.get("ply", 0) > mark for player, mark in marks.items()):
                break
            time.sleep(0.0005)
        time.sleep(dice.random() * (0.3 if kind == "in mid-search" else 0.02))

    def stop(self) -> None:
        for player in self.players:
            player.over.set()
        self.ended += self.players

    def faults(self) -> list[str]:
        """What is wrong with what the players saw, or with what the store holds."""
        store = TableStore(self.server.store)
        found = [fault for player in self.ended for fault in player.faults]
        for player in self.ended:
            saved = store.load(player.table)
            assert saved is not None
            texts = [move.text for move in saved.moves]
            position = Position(find(saved.game).rules(), saved.seed)
            for text in texts:
                position.push(text)  # an illegal one raises
            seen = [move["text"] for move in player.state.get("moves", [])]
            if texts[: len(seen)] != seen:
                found.append(f"{player.name} saw {seen}, the store has {texts}")
            found += [f"{player.name}: move {ply} is lost" for ply in player.made if ply > len(texts)]
        store.close()
        return found


def killed(folder: Path, kills: int, seed: int = 1, agent: str = "mcts:seconds=0.4") -> dict[str, Any]:
    """Kills a server so often; what came of it."""
    dice, server = random.Random(seed), Server(folder)
    starts, moments = [server.start()], dict.fromkeys(KINDS, 0)
    match = Match(server, agent)
    for number in range(kills):
        kind = KINDS[number % len(KINDS)]
        match.reached(kind, dice)
        server.kill()
        moments[kind] += 1
        starts.append(server.start())
        match.refill()
    match.reached("between moves", dice)
    goes_on = all(_goes_on(player) for player in match.players)
    match.stop()
    ctrl_c = server.interrupt()
    return {
        "kills": moments,
        "moves made": sum(len(player.made) for player in match.ended),
        "moves repeated": sum(player.repeated for player in match.ended),
        "games": len({player.table for player in match.ended}),
        "all went on": goes_on,
        "faults": match.faults(),
        "start (median s)": sorted(starts)[len(starts) // 2],
        "Ctrl-C (s)": ctrl_c,
    }


def _goes_on(player: Player) -> bool:
    deadline, ply = time.monotonic() + PATIENCE, player.state.get("ply", 0)
    while time.monotonic() < deadline:
        if player.over.is_set() or player.state.get("ply", 0) > ply:
            return True
        time.sleep(0.01)
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    os.environ.setdefault("DAEDALUS_QUIET", "1")
    with tempfile.TemporaryDirectory() as folder:
        for name, value in killed(Path(folder), given.kills, given.seed).items():
            shown = f"{value:.2f}" if isinstance(value, float) else value
            print(f"{name:18} {shown}")
        print(f"{'log':18} {(Path(folder) / 'log').read_text()[-300:]!r}" if given.kills < 5 else "")


if __name__ == "__main__":
    main()
