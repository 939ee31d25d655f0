"""The page in a real browser: whole games by mouse, keyboard and finger, and what must hold on every page."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install 'daedalus[web]' and playwright"
)
pytest.importorskip("fastapi", reason="the web extra is not installed")

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: apt install chromium")

PATIENCE = 60_000  # milliseconds; never waited out unless something is wrong
WIDE, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
LIT = "[data-touch].lit"
SMALL = {  # options that make a game short
    "blackhole": {},
    "quoridor": {"width": "5", "height": "5", "walls": "1"},
    "colosseum": {"size": "5"},
    "labyrinth": {"rows": "3", "columns": "3"},
    "saboteur": {},
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own, with its own store."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tmp_path_factory.mktemp("web")
    command = [
        sys.executable,
        "-m",
        "daedalus",
        "web",
        "--no-open",
        "--port",
        str(port),
        "--db",
        f"sqlite:///{folder / 'tables.db'}",
    ]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            [*command, str(ROOT / "examples" / "connect_four.py") + ":ConnectFour"],
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
    here = f"http://127.0.0.1:{port}"
    try:
        _wait(lambda: _healthy(here) or server.poll() is not None)
        assert server.poll() is None, (folder / "log").read_text()
        yield here
    finally:
        server.terminate()
        server.wait(20)


def _healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/api/health", timeout=5) as answer:
            return bool(json.load(answer)["ok"])
    except OSError:
        return False


def _wait(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE / 1000
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


class Visitor:
    """One browser with a page; keeps what went wrong in it."""

    def __init__(self, browser: Any, address: str, **more: Any) -> None:
        self.address = address
        self.context = browser.new_context(**{"viewport": WIDE, "reduced_motion": "reduce"} | more)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.wrong: list[str] = []
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on(
            "request", lambda asked: None if asked.url.startswith((address, "data:", "blob:")) else self.wrong.append(asked.url)
        )

    def sit(self, game: str, options: dict[str, str], spec: str = "random", seats: list[dict[str, str]] | None = None) -> None:
        """A new table, made over the API, and its page."""
        wanted = {
            "game": game,
            "options": options,
            "seats": seats or [{"who": "you", "spec": ""}, {"who": "agent", "spec": spec}],
        }
        answer = self.context.request.post(f"{self.address}/api/tables", data=wanted | {"clock": None, "pace": None})
        assert answer.ok, answer.text()
        self.page.goto(f"{self.address}/table/{answer.json()['table']}")
        self.ready()

    def until(self, condition: str, arg: Any = None) -> None:
        """Waits for a condition on the page (playwright's own way needs `eval`, which the page forbids)."""
        _wait(lambda: bool(self.page.evaluate(condition, arg)))

    def ready(self) -> None:
        """Waits until this side may touch something, or the game is over."""
        self.until(f"() => !!!!(document.querySelector('{LIT}') || document.querySelector('.outcome h2'))")

    @property
    def over(self) -> bool:
        return self.page.locator(".outcome h2").count() > 0

    def lit(self) -> list[str]:
        found: list[str] = self.page.eval_on_selector_all(LIT, "nodes => nodes.map(node => node.dataset.touch)")
        return found

    def click(self, touch: str, tap: bool = False) -> None:
        """A click in the middle of where a touch can be touched; then something must have changed."""
        spot = self.page.evaluate(_SPOT, touch)
        before = self.mark()
        (self.page.touchscreen.tap if tap else self.page.mouse.click)(*spot)
        self.until(_CHANGED, before)

    def mark(self) -> str:
        made: str = self.page.evaluate(_MARK)
        return made

    def fits(self) -> None:
        """Nothing scrolls, nothing hangs over the edge."""
        sizes = self.page.evaluate(
            "(() => { const e = document.documentElement; return [e.scrollHeight - innerHeight, e.scrollWidth - innerWidth] })()"
        )
        assert max(sizes) <= 0, f"the page scrolls by {sizes}"
        beyond = self.page.eval_on_selector_all(
            "main *, header *",
            "nodes => nodes.filter(n => { const b = n.getBoundingClientRect(); return b.width && !n.closest('.list, svg') && (b.right > innerWidth + 1 || b.bottom > innerHeight + 1) }).map(n => n.tagName + '.' + n.className)",
        )
        assert not beyond

    def clean(self) -> None:
        assert not self.wrong
        self.context.close()


# a point of the touch where nothing lies above it
_SPOT = """touch => {
    for (const node of document.querySelectorAll(`[data-touch="${CSS.escape(touch)}"]`)) {
        const box = (node.querySelector("[pointer-events=all]") ?? node).getBoundingClientRect();
        for (const x of [.5, .3, .7, .15, .85]) for (const y of [.5, .3, .7, .15, .85]) {
            const at = [box.left + box.width * x, box.top + box.height * y];
            if (document.elementFromPoint(...at)?.closest("[data-touch]")?.dataset.touch === touch) return at;
        }
    }
    throw new Error(touch + " cannot be touched");
}"""
_MARK = """() => [document.querySelectorAll(".move").length, document.querySelectorAll(".marks .chosen").length,
    document.querySelectorAll(".armed").length, location.pathname, document.querySelectorAll(".outcome h2").length].join(" ")"""
_CHANGED = f"before => ({_MARK})() !== before && !!(document.querySelector('{LIT}') || document.querySelector('.outcome h2'))"


def _play(visitor: Visitor, most: int, tap: bool = False) -> None:
    """Clicks lit touches until the game is over, or `most` clicks were made."""
    for count in range(most):
        visitor.ready()
        if visitor.over:
            return
        lit = visitor.lit()
        visitor.click(lit[(7 * count) % len(lit)], tap)


def _resign(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Resign", exact=True).click()
    visitor.page.get_by_role("button", name="Yes, resign").click()
    visitor.page.wait_for_selector(".outcome h2")


@pytest.mark.parametrize("game", SMALL)
def test_a_whole_game_by_clicking(browser: Any, address: str, game: str) -> None:
    visitor = Visitor(browser, address)
    visitor.sit(game, SMALL[game])
    visitor.fits()
    _play(visitor, 40)
    if not visitor.over:
        visitor.ready()
        _resign(visitor)
    assert visitor.page.locator(".outcome h2").inner_text()
    visitor.fits()
    visitor.page.get_by_role("button", name="To the start").click()  # stepping through
    visitor.page.wait_for_selector(".looking")
    visitor.clean()


@pytest.mark.parametrize("game", SMALL)
def test_at_phone_width(browser: Any, address: str, game: str) -> None:
    visitor = Visitor(browser, address, viewport=PHONE, has_touch=True, is_mobile=True)
    visitor.sit(game, SMALL[game])
    visitor.fits()
    _play(visitor, 6, tap=True)
    visitor.fits()
    visitor.clean()


def test_by_keyboard_alone(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.sit("blackhole", {})
    keyboard = visitor.page.keyboard
    for _ in range(60):  # Tab until a lit touch has the focus
        keyboard.press("Tab")
        if visitor.page.evaluate(f"document.activeElement.matches('{LIT}')"):
            break
    first = visitor.page.evaluate("document.activeElement.dataset.touch")
    keyboard.press("ArrowRight")
    assert visitor.page.evaluate(f"document.activeElement.matches('{LIT}')")
    assert visitor.page.evaluate("document.activeElement.dataset.touch") != first
    keyboard.press("Enter")
    visitor.page.wait_for_selector(".marks .chosen", state="attached")
    keyboard.press("Escape")
    visitor.page.wait_for_selector(".marks .chosen", state="detached")
    for _ in range(80):
        visitor.ready()
        if visitor.over:
            break
        visitor.until(f"() => !!(document.activeElement.matches('{LIT}') || document.querySelector('.outcome h2'))")
        if visitor.over:
            break
        before = visitor.mark()
        keyboard.press("Enter")
        visitor.until(_CHANGED, before)
    assert visitor.over or visitor.page.locator(".move").count() > 20
    visitor.clean()


def test_a_typed_move(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.sit("quoridor", {})
    visitor.page.keyboard.press("m")
    visitor.page.keyboard.type("e2")
    visitor.page.keyboard.press("Enter")
    sync_api.expect(visitor.page.locator(".move").first).to_have_text("e2", timeout=PATIENCE)
    visitor.page.keyboard.type("nonsense")
    visitor.ready()
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_selector("#toast:not([hidden])")
    visitor.clean()


def test_hint_undo_and_rematch(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.sit("blackhole", {})
    page = visitor.page
    page.get_by_role("button", name="Hint", exact=True).click()
    page.wait_for_selector(".marks .hint", state="attached")
    _play(visitor, 2)
    visitor.ready()
    sync_api.expect(page.locator(".move")).to_have_count(2, timeout=PATIENCE)
    page.get_by_role("button", name="Undo", exact=True).click()
    sync_api.expect(page.locator(".move")).to_have_count(0, timeout=PATIENCE)
    visitor.ready()
    _resign(visitor)
    old = page.url
    page.locator(".acts").get_by_role("button", name="Rematch").click()
    visitor.until("old => location.href.split('#')[0] !== old.split('#')[0]", old)
    visitor.ready()
    assert not visitor.over
    visitor.clean()


def test_a_piece_is_dragged(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.sit("quoridor", {})
    start, goal = (visitor.page.evaluate(_SPOT, touch) for touch in ("cell-8-4", "cell-7-4"))
    visitor.page.mouse.move(*start)
    visitor.page.mouse.down()
    visitor.page.mouse.move(*goal, steps=5)
    visitor.page.mouse.up()
    sync_api.expect(visitor.page.locator(".move").first).to_have_text("e2", timeout=PATIENCE)
    visitor.clean()


def test_the_example_game(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.page.goto(address)
    cards = visitor.page.locator(".card[data-game^=own]")
    cards.first.wait_for()
    game = cards.first.get_attribute("data-game")
    visitor.sit(game, {})
    _play(visitor, 45)
    assert visitor.over
    visitor.clean()


def test_pages_from_home_to_a_table(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address)
    page = visitor.page
    for path in ("/", "/new/quoridor", "/rules/labyrinth", "/learn/quoridor"):
        page.goto(address + path)
        page.wait_for_selector("main:not([aria-busy])")
        assert "did not work" not in page.locator("main").inner_text(), path
    page.goto(address)
    page.get_by_role("button", name="Play Quoridor").click()
    visitor.ready()
    page.goto(address)
    page.get_by_role("link", name="Go on with Quoridor").click()
    visitor.ready()
    visitor.clean()
