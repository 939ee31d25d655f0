"""Every page in a real browser: from a first visit to a finished game, read by axe, fed with markup, watched, shared."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web.house import House, opened
from web.visitor import OVER, PHONE, ROOT, SPOT, WIDE, Visitor, chromium, needs_chromium, wait

from daedalus.core.registry import game_names

pytestmark = needs_chromium

AXE = ROOT / ".venv" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = ("/", "/help", "/new/labyrinth", "/rules/quoridor", "/learn/saboteur")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with opened(tmp_path_factory.mktemp("web")) as house:
        yield house


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


def _open(visitor: Visitor, path: str) -> None:
    visitor.go(path)
    visitor.page.wait_for_selector("main:not([aria-busy])")
    assert "did not work" not in visitor.page.locator("main").inner_text(), path


def test_from_a_first_visit_to_a_table_and_back(browser: Any, house: House) -> None:
    visitor = Visitor(browser, house.address)
    _open(visitor, "/")
    assert visitor.page.locator(".card").count() == len(game_names())
    assert visitor.page.locator(".card svg").count() == len(game_names())
    visitor.page.get_by_role("button", name="Play Quoridor").click()
    visitor.ready()
    visitor.click("cell-7-4")
    visitor.page.get_by_role("link", name="Daedalus").click()
    visitor.page.get_by_role("link", name="Go on with Quoridor").click()
    visitor.ready()
    assert visitor.moves() == 2
    visitor.resign()
    _open(visitor, "/")
    assert "resigned" in visitor.page.locator(".games").inner_text()
    visitor.leave()


def test_a_picture_comes_alive(browser: Any, house: House) -> None:
    visitor = Visitor(browser, house.address, reduced_motion="no-preference")
    _open(visitor, "/")
    card = visitor.page.locator(".card[data-game=blackhole] .picture")
    before = card.inner_html()
    card.hover()
    wait(lambda: card.inner_html() != before, "a move in the picture")
    visitor.leave()


@pytest.mark.parametrize("game", game_names())
def test_lessons_are_played_through(browser: Any, house: House, game: str) -> None:
    from daedalus.core.guide import guide_of
    from daedalus.core.registry import find

    entry = find(game)
    lessons = guide_of(entry.rules()).lessons
    visitor = Visitor(browser, house.address)
    _open(visitor, f"/learn/{game}")
    for number, lesson in enumerate(lessons):
        visitor.until(
            "text => document.querySelector('.words').textContent.startsWith(text)", f"Step {number + 1} of {len(lessons)}"
        )
        visitor.ready()
        position = lesson.begin(entry)
        if number == 0:
            visitor.type(lesson.wanted[0])
        for touch in () if number == 0 else position.touches(int(position.parse(lesson.wanted[0]))):
            visitor.until("touch => !!document.querySelector(`[data-touch='${touch}'].lit`)", touch)
            visitor.page.mouse.click(*visitor.page.evaluate(SPOT, touch))
        visitor.page.wait_for_selector(".verdict.right")
        visitor.fits()
        visitor.page.locator(".acts .primary").click()
    visitor.until("game => location.pathname === `/new/${game}`", game)
    visitor.leave()


def test_the_set_up_panel_remembers(browser: Any, house: House) -> None:
    visitor = Visitor(browser, house.address)
    page = visitor.page
    _open(visitor, "/new/quoridor")
    page.locator("summary").click()
    page.locator("#option-width").fill("99")
    page.locator("#option-width").blur()
    page.wait_for_selector(".error:not([hidden])")
    page.locator("#option-width").fill("9")
    page.locator("#option-width").blur()
    page.wait_for_selector(".error", state="hidden")
    page.locator("#option-players").select_option("4")
    page.wait_for_selector("#seat-3")
    page.locator("#option-players").select_option("2")
    page.wait_for_selector("#seat-3", state="detached")
    page.locator("#option-walls").fill("3")
    page.locator("#option-walls").blur()
    page.locator("#seat-0").select_option("own")
    page.get_by_label("Agent of White").fill("mcts:simulations=5")
    page.locator("#seat-1").select_option("you")
    page.locator("#clock").select_option("5+3")
    page.get_by_role("button", name="Start").click()
    visitor.ready()
    assert "walls=3" in page.locator(".options").inner_text()
    assert page.locator(".seats.bottom b").inner_text() == "Black"
    assert page.locator("time:visible").count() == 2
    _open(visitor, "/new/quoridor")
    assert page.locator("#option-walls").input_value() == "3"
    assert page.get_by_label("Agent of White").input_value() == "mcts:simulations=5"
    assert page.locator("#clock").input_value() == "5+3"
    assert all("422" in said for said in visitor.wrong)  # a browser logs the answer to an option that cannot be


def test_agents_are_watched(browser: Any, house: House) -> None:
    visitor = Visitor(browser, house.address)
    table = visitor.make("quoridor", seats=[{"who": "agent", "spec": "random"}] * 2, pace=0.2)
    visitor.go(f"/table/{table['table']}")
    visitor.until("() => document.querySelectorAll('.move').length > 2")
    visitor.press("Pause")
    visitor.page.get_by_role("button", name="Go on").wait_for()
    before = wait(lambda: visitor.moves() if visitor.page.locator(".thought:visible").count() == 0 else 0)
    visitor.press("Step")
    visitor.until("before => document.querySelectorAll('.move').length === before + 1", before)
    visitor.press("Go on")
    visitor.until("before => document.querySelectorAll('.move').length > before + 3", before)
    visitor.leave()


def test_two_people_and_a_guest_by_links(browser: Any, house: House) -> None:
    host, friend, guest = (Visitor(browser, house.address) for _ in range(3))
    table = host.make("blackhole", seats=[{"who": "you"}, {"who": "friend"}])
    address = f"/table/{table['table']}"
    host.go(address)
    host.ready()
    friend.go(f"{address}#{table['seats'][1]['token']}")
    friend.until("() => document.querySelector('.seats.bottom b')?.textContent === 'Blue'")
    guest.go(address)
    guest.until("() => !!document.querySelector('.seat')")
    assert not guest.page.locator(".typed:visible").count()
    first = host.lit()[0]
    host.page.mouse.click(*host.page.evaluate(SPOT, first))
    host.until("() => !!document.querySelector('.marks .chosen')")
    host.page.mouse.click(*host.page.evaluate(SPOT, host.lit()[0]))
    for other in (friend, guest):
        other.until("() => document.querySelectorAll('.move').length === 1")
    friend.ready()
    friend.page.reload()  # the cookie holds the seat, and the fragment is still there
    friend.ready()
    friend.go(address)
    friend.ready()
    friend.press("Draw")
    host.press("Accept")
    for visitor in (host, friend, guest):
        visitor.page.wait_for_selector(OVER)
        assert "Draw" in visitor.page.locator(OVER).inner_text()
    friend.press("Rematch")
    for visitor in (host, friend):
        visitor.until("old => location.pathname !== old", address)
    friend.ready()  # who came second begins now
    assert friend.page.locator(".seats.bottom b").inner_text() == "Red"
    for visitor in (host, friend, guest):
        visitor.leave()


def test_hidden_cards_at_one_screen(browser: Any, house: House) -> None:
    visitor = Visitor(browser, house.address)
    table = visitor.make("saboteur", seats=[{"who": "you"}, {"who": "you"}])
    visitor.go(f"/table/{table['table']}")
    for name in ("Red", "Blue"):
        visitor.until("name => document.querySelector('.cover:not([hidden]) h2')?.textContent.startsWith(name)", name)
        assert not visitor.lit()
        visitor.press("Show my cards")
        visitor.ready()
        drop = next(touch for touch in visitor.lit() if touch.startswith("drop"))
        visitor.page.mouse.click(*visitor.page.evaluate(SPOT, drop))
    visitor.leave()


def test_a_record_and_a_position_are_taken_along(browser: Any, house: House, tmp_path: Path) -> None:
    import daedalus
    from daedalus.core.registry import make_game

    visitor = Visitor(browser, house.address, permissions=["clipboard-read", "clipboard-write"])
    visitor.sit("quoridor", {"walls": "4"})
    visitor.click("cell-7-4")
    visitor.press("More")
    visitor.press("Copy position")
    text = wait(lambda: visitor.page.evaluate("navigator.clipboard.readText()"))
    assert daedalus.Position.from_text(make_game("quoridor", walls=4), text).text == text
    visitor.resign()
    with visitor.page.expect_download() as download:
        visitor.press("Save")
    file = tmp_path / "game.txt"
    download.value.save_as(file)
    (record,) = daedalus.read_records(file)
    assert str(record.moves[0]) == "e2"
    visitor.leave()


def test_tables_that_are_not_there(browser: Any, house: House) -> None:
    visitor = Visitor(browser, house.address)
    visitor.go("/table/nonsense")
    visitor.page.get_by_role("heading", name="This table cannot be opened").wait_for()
    visitor.go("/new/nonsense")
    visitor.page.get_by_role("heading", name="That did not work").wait_for()
    assert all("404" in said for said in visitor.wrong)


def test_markup_in_names_and_files_runs_nothing(browser: Any, tmp_path: Path) -> None:
    source = (ROOT / "examples" / "connect_four.py").read_text()
    mark = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>"
    source = (
        source.replace('"""Connect Four', f'"""{mark} Connect Four', 1)
        .replace('"Red"', json.dumps(mark))
        .replace('"Yellow"', json.dumps("<svg onload=window.hacked=1>"))
    )
    source += f"\n\nConnectFour.SENTENCE = {mark!r}\nConnectFour.RULES = {mark!r}\nConnectFour.NOTATION = {mark!r}\nConnectFour.TITLE = {mark!r}\n"
    file = tmp_path / "evil.py"
    file.write_text(source)
    with opened(tmp_path, own=(f"{file}:ConnectFour",)) as house:
        visitor = Visitor(browser, house.address)
        for path in ("/", "/new/own-1", "/rules/own-1", "/help"):
            _open(visitor, path)
            assert mark in visitor.page.locator("main").inner_text()
            assert not visitor.page.evaluate("window.hacked")
        visitor.sit("own-1")
        visitor.click(visitor.lit()[0])
        visitor.press("Rules")
        visitor.page.wait_for_selector("dialog")
        assert not visitor.page.evaluate("window.hacked")
        assert not visitor.page.locator("main img, main script, dialog img, dialog script").count()
        visitor.leave()


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: make tools installs it where npm is")
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["wide", "phone"])
def test_axe_finds_nothing_serious(browser: Any, house: House, theme: str, size: str) -> None:
    visitor = Visitor(browser, house.address, viewport=WIDE if size == "wide" else PHONE, color_scheme=theme)
    source = AXE.read_text()

    def examine(what: str) -> None:
        visitor.page.evaluate(source)
        found = visitor.page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
        bad = [
            (each["id"], each["nodes"][0]["html"][:200])
            for each in found["violations"]
            if each["impact"] in ("serious", "critical")
        ]
        assert not bad, what

    for path in PAGES:
        _open(visitor, path)
        examine(path)
    for game in game_names():
        visitor.sit(game)
        examine(f"a table of {game}")
        visitor.click(visitor.lit()[0])
        examine(f"a move of {game} under way")
    visitor.resign()
    examine("a finished game")
    visitor.press("More")
    examine("a dialog")
    visitor.context.close()
