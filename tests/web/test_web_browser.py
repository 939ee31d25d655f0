"""Whole games in a real browser: by mouse, by keyboard alone, and by finger at the width of a phone."""

from collections.abc import Iterator
from typing import Any

import pytest
from web.visitor import LIT, OVER, PHONE, ROOT, SPOT, Server, Visitor, chromium, needs_chromium

pytestmark = needs_chromium

WHOLE = {  # options that bring a game to its end in some dozen moves
    "blackhole": {"cap": "14"},
    "colosseum": {"size": "6"},
    "labyrinth": {"cap": "8"},
    "quoridor": {"walls": "2"},
    "saboteur": {},
    "own-1": {},
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = Server(tmp_path_factory.mktemp("web"), str(ROOT / "examples" / "connect_four.py") + ":ConnectFour")
    server.start()
    yield server.address
    server.kill()
    assert "Traceback" not in server.log()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


def _wanted(lit: list[str], count: int) -> str:
    """Which lit touch to choose: up the board where one can (who races must arrive), else now this, now that."""
    cells = [touch for touch in lit if touch.startswith("cell-")]
    if len(cells) >= 2 and len(lit) > 3 * len(cells):  # few cells among many walls: Quoridor
        return min(cells, key=lambda touch: int(touch.split("-")[1]))
    return lit[(7 * count) % len(lit)]


def _play(visitor: Visitor, tap: bool = False, most: int = 400) -> None:
    """Touches what is lit until the game is over, or so many times."""
    for count in range(most):
        if visitor.over:
            return
        lit = visitor.lit()
        armed = visitor.page.eval_on_selector_all(".armed", "nodes => nodes.map(node => node.dataset.touch)")
        if lit:
            visitor.click(armed[0] if armed else _wanted(lit, count), tap)
        else:
            visitor.ready()


def _hint(visitor: Visitor) -> None:
    visitor.page.wait_for_selector(".marks .hint", state="attached")


def _undone(visitor: Visitor) -> None:
    """One's own move is gone, or the page says why it must stay."""
    visitor.until("() => !document.querySelector('.move') || !document.querySelector('#toast').hidden")
    if visitor.moves():
        assert "learnt" in visitor.page.locator("#toast").inner_text()
    visitor.ready()


def _again(visitor: Visitor, old: str) -> None:
    """The rematch has begun, in the other seat."""
    visitor.until("old => location.pathname !== old", old)
    visitor.ready()
    assert not visitor.over
    assert visitor.page.locator(".seats.bottom .seat.own").count() == 1


@pytest.mark.parametrize("game", WHOLE)
def test_a_whole_game_by_clicking(browser: Any, address: str, game: str) -> None:
    visitor = Visitor(browser, address)
    visitor.sit(game, WHOLE[game])
    visitor.fits()
    visitor.press("Hint")
    _hint(visitor)
    while visitor.moves() < 2 and not visitor.over:
        _play(visitor, most=1)
    visitor.press("Undo")
    _undone(visitor)
    _play(visitor)
    assert visitor.page.locator(OVER).inner_text()
    visitor.fits()
    visitor.press("To the start")  # stepping through
    visitor.page.wait_for_selector(".looking")
    old = visitor.page.evaluate("location.pathname")
    visitor.press("Rematch")
    _again(visitor, old)
    visitor.leave()


@pytest.mark.parametrize("game", WHOLE)
def test_a_whole_game_by_finger_on_a_phone(browser: Any, address: str, game: str) -> None:
    visitor = Visitor(browser, address, viewport=PHONE, has_touch=True, is_mobile=True)
    visitor.sit(game, WHOLE[game])
    visitor.fits()
    visitor.page.get_by_role("button", name="Hint", exact=True).tap()
    _hint(visitor)
    while visitor.moves() < 2 and not visitor.over:
        _play(visitor, tap=True, most=1)
        visitor.fits()
    visitor.page.get_by_role("button", name="Undo", exact=True).tap()
    _undone(visitor)
    _play(visitor, tap=True)
    visitor.fits()
    old = visitor.page.evaluate("location.pathname")
    visitor.page.locator(".acts").get_by_role("button", name="Rematch").tap()
    _again(visitor, old)
    visitor.leave()


def _tab_to(visitor: Visitor, selector: str) -> None:
    for _ in range(80):
        if visitor.page.evaluate(f"document.activeElement.matches('{selector}')"):
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


@pytest.mark.parametrize("game", WHOLE)
def test_a_whole_game_by_keyboard_alone(browser: Any, address: str, game: str) -> None:
    visitor = Visitor(browser, address)
    visitor.sit(game, WHOLE[game] | ({"walls": "0", "width": "5", "height": "5"} if game == "quoridor" else {}))
    keyboard = visitor.page.keyboard
    keyboard.press("h")
    _hint(visitor)
    for count in range(400):
        visitor.ready()
        if visitor.over:
            break
        _tab_to(visitor, LIT)
        for _ in range(count % 3):
            keyboard.press(("ArrowUp", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown")[count % 5])
        before = visitor.mark()
        keyboard.press("Enter")
        visitor.changed(before)
        if count == 0 and visitor.moves() == 0:  # a move under way is taken back, and made again
            keyboard.press("Escape")
            visitor.until("() => !document.querySelector('.marks .chosen')")
        if visitor.moves() >= 2 and count < 6:
            keyboard.press("u")
            _undone(visitor)
    assert visitor.over
    keyboard.press("Home")
    visitor.page.wait_for_selector(".looking")
    old = visitor.page.evaluate("location.pathname")
    _tab_to(visitor, ".acts .primary")
    keyboard.press("Enter")
    _again(visitor, old)
    visitor.leave()


def test_a_typed_move(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.sit("quoridor")
    visitor.page.keyboard.press("m")
    visitor.page.keyboard.type("e2")
    visitor.page.keyboard.press("Enter")
    visitor.until("() => document.querySelector('.move')?.textContent === 'e2'")
    visitor.ready()
    visitor.page.keyboard.type("nonsense")
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_selector("#toast:not([hidden])")
    assert visitor.moves() == 2
    visitor.leave()


def test_single_squares_are_read(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.sit("blackhole")
    _tab_to(visitor, LIT)
    visitor.page.keyboard.press("Shift+ArrowRight")
    assert not visitor.page.evaluate(f"document.activeElement.matches('{LIT}')")
    said = visitor.page.locator("#say").inner_text()
    assert said == visitor.page.evaluate("document.activeElement.getAttribute('aria-label')") == "b5, empty"
    visitor.page.keyboard.press("t")
    text = visitor.page.locator(".text-board")
    assert text.is_visible() and "Red" in text.inner_text()
    visitor.leave()


def test_a_piece_is_dragged(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.sit("quoridor")
    start, goal = (visitor.page.evaluate(SPOT, touch) for touch in ("cell-8-4", "cell-7-4"))
    visitor.page.mouse.move(*start)
    visitor.page.mouse.down()
    visitor.page.mouse.move(*goal, steps=5)
    visitor.page.mouse.up()
    visitor.until("() => document.querySelector('.move')?.textContent === 'e2'")
    visitor.leave()


def test_a_wall_is_seen_before_it_is_placed(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.sit("quoridor")
    wall = next(touch for touch in visitor.lit() if not touch.startswith("cell-"))
    shown = f"() => getComputedStyle(document.querySelector('[data-touch=\"{wall}\"] .ghost')).visibility"
    assert visitor.page.evaluate(shown) == "hidden"
    visitor.page.mouse.move(*visitor.page.evaluate(SPOT, wall))
    assert visitor.page.evaluate(shown) == "visible"
    visitor.leave()
    phone = Visitor(browser, address, viewport=PHONE, has_touch=True, is_mobile=True)
    phone.sit("quoridor")
    phone.click(wall, tap=True)
    assert phone.page.locator(".armed").count() == 1
    assert phone.moves() == 0
    phone.click(wall, tap=True)
    phone.until("() => document.querySelectorAll('.move').length >= 1")
    phone.leave()


def test_thoughts_move_now_and_the_finished_game(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.sit("quoridor", seats=[{"who": "you"}, {"who": "agent", "spec": "mcts:seconds=10"}])
    spot = visitor.page.evaluate(SPOT, "cell-7-4")
    visitor.page.mouse.click(*spot)
    visitor.until("() => /\\d/.test(document.querySelector('.thought')?.textContent ?? '')")
    visitor.press("Move now")
    visitor.until("() => document.querySelectorAll('.move').length === 2")
    visitor.ready()
    visitor.resign()
    assert "White resigned" in visitor.page.locator(OVER).inner_text()
    assert visitor.page.locator(".chart").count() == 1
    visitor.press("One move back")
    visitor.until("() => document.querySelector('.advice')?.textContent.includes('would play')")
    visitor.leave()


def test_the_picture_of_a_touch_does_not_move_when_less_motion_is_wanted(browser: Any, address: str) -> None:
    running = "() => document.getAnimations().length"
    for motion, moves in (("reduce", False), ("no-preference", True)):
        visitor = Visitor(browser, address, reduced_motion=motion)
        visitor.sit("quoridor")
        visitor.page.evaluate("""() => { window.seen = 0; new MutationObserver(() => { window.seen += document.getAnimations().length; })
            .observe(document.querySelector("daedalus-board"), { childList: true }); }""")
        visitor.click("cell-7-4")
        assert bool(visitor.page.evaluate("window.seen")) == moves, (motion, visitor.page.evaluate(running))
        visitor.leave()
