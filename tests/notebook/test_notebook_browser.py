"""The widget, played with the mouse in a real browser."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from notebook_front import Front
from web.visitor import chromium, needs_chromium

import daedalus
from daedalus import Agent, Thought

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


class Patient(Agent):
    """Thinks until it is told to move now."""

    thinking = threading.Event()

    def choose(self, view: Any, limit: Any = None, watch: Any = None) -> Thought:
        thought = Thought(view.legal_moves[0], 0.5, line=("e8", "e3"), depth=7)
        while watch(thought) is not False:
            self.thinking.wait(0.01)
        return thought


def test_a_move_is_a_click_and_the_agent_answers(browser: Any) -> None:
    widget = daedalus.play("quoridor", ["human", "random"])
    front = Front(browser, widget)
    assert front.text(".status") == "White to move: your turn"
    front.play("e2")
    front.until(lambda: front.page.locator(".moves span").count() == 2, "the answer")
    front.until(lambda: front.text(".status") == "White to move: your turn", "the turn")
    assert front.text(".moves span") == "e2" == str(widget.position.history[0])
    assert front.page.locator("daedalus-board[board] [data-touch].lit").count() > 100
    assert not front.wrong


def test_a_move_of_several_touches_is_previewed(browser: Any) -> None:
    widget = daedalus.play(daedalus.new("labyrinth", seed=1), ["human", "random"])
    front = Front(browser, widget)
    begun = widget.position
    touches = begun.touches(begun.legal_moves.codes[0])
    assert len(touches) > 1
    first, *others = touches
    before = front.page.locator("daedalus-board[board]").inner_html()
    front.touch(first)
    front.until(lambda: front.page.locator("daedalus-board[board]").inner_html() != before, "the preview")
    assert not widget.position.history
    for touch in others:
        front.touch(touch)
    front.until(lambda: len(widget.position.history) >= 2, "the answer")
    assert widget.position.history[0] == begun.legal_moves.codes[0]
    assert not front.wrong


def test_thoughts_are_drawn_and_can_be_cut_short(browser: Any) -> None:
    widget = daedalus.play("quoridor", ["human", Patient()])
    front = Front(browser, widget)
    front.play("e2")
    front.until(lambda: front.page.locator(".thought").is_visible() and "depth 7" in front.text(".thought"), "a thought")
    assert front.text(".thought") == "depth 7 · +0.50 · e8 e3"
    assert front.page.locator(".marks .hint").count() == 1
    assert len(widget.position.history) == 1
    front.page.get_by_role("button", name="Move now").click()
    front.until(lambda: front.text(".status") == "White to move: your turn", "the move")
    assert len(widget.position.history) == 2 and not front.page.locator(".thinking").is_visible()
    assert not front.wrong


def test_a_refused_move_is_told_and_changes_nothing(browser: Any) -> None:
    widget = daedalus.play("quoridor", ["human", "random"])
    front = Front(browser, widget)
    start = widget.position
    (touch,) = start.touches(start.parse("e2"))
    walled = daedalus.Position.from_text(start.game, "e1 /  / e1 e9 / 9 10 / 1")
    widget.game.position = walled  # a wall that the page does not know of
    front.touch(touch)
    front.until(lambda: front.text(".status").startswith("'e2'"), "the refusal")
    assert not widget.position.history


def test_the_slider_goes_through_a_record(browser: Any) -> None:
    position = daedalus.new("blackhole")
    for _ in range(6):
        position.push(position.legal_moves[0])
    widget = daedalus.show(daedalus.Record.from_position(position))
    front = Front(browser, widget)
    slider = front.page.get_by_role("slider")
    assert slider.input_value() == "6" and front.page.locator(".moves span").count() == 6
    last = front.page.locator("daedalus-board[board]").inner_html()
    slider.fill("2")
    front.until(lambda: front.page.locator(".moves .here").count() and widget.state["ply"] == 2, "the second move")
    front.until(lambda: front.page.locator("daedalus-board[board]").inner_html() != last, "its picture")
    assert front.text(".moves .here") == str(position.history[1])
    assert not front.wrong


def test_two_boards_live_in_one_notebook(browser: Any) -> None:
    """The element is defined once in a page, though each widget brings the module."""
    front = Front(browser, daedalus.show(daedalus.new("blackhole")), daedalus.show(daedalus.new("colosseum", seed=1)))
    assert front.page.locator("daedalus-board[board] svg").count() == 2
    assert not front.wrong
