"""Two browsers at one table: what each of them received, and a server that is killed in the middle."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from web.house import House, opened
from web.visitor import OVER, Server, Visitor, chromium, needs_chromium, wait

from daedalus.core import ONLOOKER, Position

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


def _company(browser: Any, address: str, game: str, options: dict[str, str]) -> tuple[str, list[Visitor]]:
    """Two who play and one who looks on."""
    visitors = [Visitor(browser, address) for _ in range(3)]
    table = visitors[0].make(game, options, [{"who": "you"}, {"who": "friend"}])
    links = [f"/table/{table['table']}", f"/table/{table['table']}#{table['seats'][1]['token']}", f"/table/{table['table']}"]
    for visitor, link in zip(visitors, links, strict=True):
        visitor.go(link)
        visitor.until("() => !!document.querySelector('.seat')")
    return table["table"], visitors


def _truth(house: House, table: str) -> Position:
    """The game as only the server knows it."""
    return house.on_loop(lambda: house.room(table).table.position.copy())


def _play_out(house: House, table: str, visitors: list[Visitor]) -> None:
    """A game to its end, each move typed or clicked by whose turn it is."""
    dice, position = Random(4), _truth(house, table)
    while position.outcome() is None:
        mover = visitors[position.turn]
        ply = len(position.history)
        mover.ready()
        if dice.random() < 0.5:
            touches = position.touches(int(dice.choice(list(position.view().legal_moves))))
            for touch in touches:
                mover.until("touch => !!document.querySelector(`[data-touch='${touch}'].lit`)", touch)
                mover.page.evaluate(
                    "touch => document.querySelector(`[data-touch='${touch}'].lit`).dispatchEvent(new MouseEvent('click', { bubbles: true }))",
                    touch,
                )
        else:
            mover.type(str(dice.choice(list(position.view().legal_moves))))
        wait(lambda ply=ply: len(_truth(house, table).history) > ply, "the move")
        position = _truth(house, table)


def _states(visitor: Visitor) -> list[dict[str, Any]]:
    messages = [json.loads(text) for text in visitor.received]
    return [message for message in messages if message["type"] in ("state", "look", "preview", "hint")]


def _texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


@pytest.mark.parametrize(("game", "options"), [("saboteur", {}), ("labyrinth", {"cap": "24"})])
def test_what_two_browsers_and_a_guest_received(browser: Any, tmp_path: Path, game: str, options: dict[str, str]) -> None:
    with opened(tmp_path) as house:
        table, visitors = _company(browser, house.address, game, options)
        _play_out(house, table, visitors)
        for seat, visitor in enumerate(visitors):
            visitor.page.wait_for_selector(OVER)
            seen = _states(visitor)
            assert len(seen) > 10
            for message in seen:
                for part in message.get("beside", []):
                    if part["seat"] is None or part["seat"] == seat:
                        continue
                    assert "data-touch" not in part["svg"]
                    if game == "saboteur":
                        assert set(re.findall(r'data-piece="([a-z]+)', part["svg"])) <= {"back"}
                        assert re.fullmatch(r"\d cards?(, \d malus(es)?)?", part["label"]), part["label"]
                    else:
                        assert "looks for" not in part["label"]
                if seat == 2:
                    assert not message.get("legal") and not message.get("next")
        if game == "labyrinth":
            _check_goals(house, table, visitors)
        for visitor in visitors:
            visitor.leave()


def _check_goals(house: House, table: str, visitors: list[Visitor]) -> None:
    """The letters on another's cards are those that he had found by then, in the eyes of all."""
    final = _truth(house, table)
    for seat, visitor in enumerate(visitors):
        for message in _states(visitor):
            if message["type"] != "state":
                continue
            then = final.copy()
            while len(then.history) > message["ply"]:
                then.pop()
            public = {part.seat: part.svg for part in then.view(ONLOOKER).parts().beside}
            for part in message["beside"]:
                if part["seat"] not in (None, seat):
                    assert _texts(part["svg"]) == _texts(public[part["seat"]])


def test_both_pages_go_on_after_a_kill(browser: Any, tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        _, visitors = _company(browser, server.address, "quoridor", {"walls": "0"})
        path = ["e2", "e8", "e3", "e7", "e4", "e6", "d4", "e5", "d5", "e4"]
        for ply, move in enumerate(path):
            mover = visitors[ply % 2]
            mover.ready()
            if ply % 3 == 1:  # killed before the move: it is typed into a page without a server
                server.kill()
            mover.type(move)
            if ply % 3 == 2:  # killed with the move on its way, or just taken
                server.kill()
            if ply % 3:
                server.start()
            for visitor in visitors:
                visitor.until("ply => document.querySelectorAll('.move').length === ply", ply + 1)
        for visitor in visitors:
            made = visitor.page.eval_on_selector_all(".move", "nodes => nodes.map(node => node.textContent)")
            assert made == path
            visitor.context.close()
    finally:
        server.kill()
    assert "Traceback" not in server.log()
