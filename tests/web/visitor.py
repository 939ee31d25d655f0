"""A server as users start it, and visitors with a real browser each, who keep what went wrong in it."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make setup installs it")

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: apt install chromium")

PATIENCE = 90.0  # seconds; never waited out unless something is wrong
WIDE, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
LIT = "[data-touch].lit"
OVER = ".outcome h2"


def wait(condition: Callable[[], Any], what: str = "it") -> Any:
    """Waits until something is so."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)
    return found


class Server:
    """`daedalus web` in a process of its own, which can be killed and started again on the same port and store."""

    def __init__(self, folder: Path, *games: str) -> None:
        self._folder, self._games = folder, games
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "daedalus", "web", "--no-open", "--port", str(self._port)]
        command += ["--db", str(self._folder / "tables.sqlite"), *self._games]
        with (self._folder / "log").open("ab") as log:
            self._process = process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=ROOT, env=os.environ | {"PYTHONUNBUFFERED": "1"}
            )
        wait(lambda: self._healthy() or process.poll() is not None, "the server")
        assert process.poll() is None, self.log()

    def log(self) -> str:
        return (self._folder / "log").read_text()

    def kill(self, how: int = signal.SIGKILL) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(20)

    def _healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/api/health", timeout=5) as answer:
                return bool(json.load(answer)["ok"])
        except OSError:
            return False


@contextmanager
def chromium() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


class Visitor:
    """A browser of its own with one page."""

    def __init__(self, browser: Any, address: str, **more: Any) -> None:
        self.address = address
        self.context = browser.new_context(**{"viewport": WIDE, "reduced_motion": "reduce"} | more)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.received: list[str] = []
        self.wrong: list[str] = []
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", self._asked)
        self.page.on("websocket", lambda made: made.on("framereceived", lambda text: self.received.append(str(text))))

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.wrong.append(f"asked another host: {request.url}")

    def make(
        self,
        game: str,
        options: dict[str, str] | None = None,
        seats: list[dict[str, str]] | None = None,
        pace: float | None = None,
    ) -> Any:
        """A new table, made over the API by this browser."""
        seats = seats or [{"who": "you"}, {"who": "agent", "spec": "random"}]
        wanted = {"game": game, "options": options or {}, "seats": seats, "pace": pace}
        answer = self.context.request.post(f"{self.address}/api/tables", data=wanted)
        assert answer.ok, answer.text()
        return answer.json()

    def sit(self, game: str, options: dict[str, str] | None = None, seats: list[dict[str, str]] | None = None) -> None:
        """A new table and its page."""
        self.go(f"/table/{self.make(game, options, seats)['table']}")
        self.ready()

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)

    def until(self, condition: str, arg: Any = None) -> None:
        """Waits for a condition on the page (playwright's own way needs `eval`, which the page forbids)."""
        wait(lambda: self.page.evaluate(condition, arg), condition)

    def ready(self) -> None:
        """Waits until this side may touch something, or the game is over."""
        self.until(f"() => !!(document.querySelector('{LIT}') || document.querySelector('{OVER}'))")

    @property
    def over(self) -> bool:
        return bool(self.page.locator(OVER).count())

    def moves(self) -> int:
        return int(self.page.locator(".move").count())

    def lit(self) -> list[str]:
        found: list[str] = self.page.eval_on_selector_all(LIT, "nodes => nodes.map(node => node.dataset.touch)")
        return found

    def mark(self) -> str:
        """What changes when something was touched."""
        made: str = self.page.evaluate(_MARK)
        return made

    def changed(self, before: str) -> None:
        self.until(f"before => ({_MARK})() !== before", before)
        self.ready()

    def click(self, touch: str, tap: bool = False) -> None:
        """A click where a touch can be touched; then something must have changed."""
        spot = self.page.evaluate(SPOT, touch)
        before = self.mark()
        (self.page.touchscreen.tap if tap else self.page.mouse.click)(*spot)
        self.changed(before)

    def type(self, move: str) -> None:
        """A move, typed."""
        field = self.page.get_by_label("Type a move", exact=True)
        field.fill(move)
        field.press("Enter")

    def press(self, label: str) -> None:
        """A button, wherever on the page."""
        self.page.get_by_role("button", name=re.compile(f"^{re.escape(label)}$")).first.click()

    def resign(self) -> None:
        self.press("Resign")
        self.press("Yes, resign")
        self.page.wait_for_selector(OVER)

    def fits(self) -> None:
        """Nothing scrolls, nothing hangs over the edge."""
        sizes, beyond = self.page.evaluate(_FITS)
        assert max(sizes) <= 0, f"the page scrolls by {sizes}"
        assert not beyond

    def leave(self) -> None:
        assert not self.wrong
        self.context.close()


# a point of the touch where nothing lies above it
SPOT = """touch => {
    for (const node of document.querySelectorAll(`[data-touch="${CSS.escape(touch)}"]`)) {
        const box = (node.querySelector("[pointer-events=all]") ?? node).getBoundingClientRect();
        for (const x of [.5, .3, .7, .15, .85]) for (const y of [.5, .3, .7, .15, .85]) {
            const at = [box.left + box.width * x, box.top + box.height * y];
            if (document.elementFromPoint(...at)?.closest("[data-touch]")?.dataset.touch === touch) return at;
        }
    }
    throw new Error(touch + " cannot be touched");
}"""
_MARK = f"""() => [".move", ".marks .chosen", "{OVER}"].map(each => document.querySelectorAll(each).length).join(" ")
    + location.pathname + [...document.querySelectorAll("{LIT}, .armed")].map(node => node.dataset.touch + node.matches(".armed")).join()"""
_FITS = """() => {
    const page = document.documentElement;
    const beyond = [...document.querySelectorAll("main *, header *")].filter(node => {
        const box = node.getBoundingClientRect();
        return box.width && !node.closest(".list, svg") && (box.right > innerWidth + 1 || box.bottom > innerHeight + 1);
    });
    return [[page.scrollHeight - innerHeight, page.scrollWidth - innerWidth], beyond.map(node => node.tagName + "." + node.className)];
}"""
