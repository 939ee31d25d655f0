"""How long a person waits: from the start of the server to the first page, and from a move to its picture.

    .venv/bin/python benchmarks/web_page.py [--starts 5] [--moves 20]

Measured in a real Chromium on loopback: the first page from the start of the process until the cards are drawn, a move
of yours from the key that plays it until the list of moves shows it and the new picture has been painted.
"""

import argparse
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from daedalus.core.registry import game_names

# Resolves with the milliseconds from the key to the frame after the move is in the list.
_MOVE = """move => new Promise(done => {
    const before = document.querySelectorAll(".move").length;
    const field = document.querySelector(".typed input");
    field.value = move;
    const began = performance.now();
    const watcher = new MutationObserver(() => {
        if (document.querySelectorAll(".move").length > before) {
            watcher.disconnect();
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
        }
    });
    watcher.observe(document.querySelector(".moves"), { childList: true, subtree: true });
    field.form.requestSubmit();
})"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def begin(port: int, folder: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "daedalus", "web", "--no-open", "--port", str(port), "--db", f"{folder}/tables.sqlite"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def first_page(browser: Any, folder: str) -> float:
    """Seconds from the start of the process until all cards are drawn, as the browser's clock tells."""
    port = free_port()
    page = browser.new_page()
    began = time.time()
    server = begin(port, folder)
    try:
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.01)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector(".card svg")
        painted = page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(Date.now()))))")
        return float(painted) / 1000 - began
    finally:
        page.close()
        server.kill()
        server.wait()


def moves(browser: Any, folder: str, game: str, count: int) -> list[float]:
    """Milliseconds for each of some moves of yours against `random`."""
    port, times = free_port(), []
    server = begin(port, folder)
    context = browser.new_context()
    page = context.new_page()
    try:
        page.goto("about:blank")
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        while len(times) < count:
            seats = [{"who": "you"}, {"who": "agent", "spec": "random"}]
            made = context.request.post(f"http://127.0.0.1:{port}/api/tables", data={"game": game, "seats": seats}).json()
            page.goto(f"http://127.0.0.1:{port}/table/{made['table']}")
            while len(times) < count:
                while not page.evaluate("!!document.querySelector('[data-touch].lit, .outcome h2')"):
                    time.sleep(0.01)
                if page.locator(".outcome h2").count():
                    break
                legal = page.eval_on_selector_all("#legal-moves option", "nodes => nodes.map(node => node.value)")
                times.append(float(page.evaluate(_MOVE, legal[len(times) * 7 % len(legal)])))
        return times
    finally:
        context.close()
        server.kill()
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--moves", type=int, default=20)
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        starts = [first_page(browser, folder) for _ in range(asked.starts)]
        print(
            f"first page  {statistics.median(starts):6.2f} s median, {max(starts):.2f} s longest of {len(starts)}", flush=True
        )
        for game in game_names():
            times = moves(browser, str(Path(folder)), game, asked.moves)
            print(
                f"{game:12}{statistics.median(times):6.1f} ms median, {max(times):.1f} ms longest of {len(times)}", flush=True
            )
        browser.close()


if __name__ == "__main__":
    main()
