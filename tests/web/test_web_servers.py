"""Two servers on one PostgreSQL store: what one takes the other shows, and no ply is played twice."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from web.house import Client, House, until

from daedalus.web.store import HOLDERS, MOVES, TABLES, TableStore


@pytest.fixture
def houses(postgres: str) -> Iterator[tuple[House, House]]:
    store = TableStore(postgres)
    TABLES.metadata.drop_all(store._engine, [HOLDERS, MOVES, TABLES])
    store.close()
    with ExitStack() as stack:
        pair = House(postgres), House(postgres)
        for house in pair:
            stack.callback(house.close)
        yield pair


def test_a_move_at_one_server_is_shown_at_the_other(houses: tuple[House, House]) -> None:
    here, there = (Client(house) for house in houses)
    table = here.table("quoridor", "you friend")
    first = here.sit(table["table"], table["seats"][0]["token"])
    second = there.sit(table["table"], table["seats"][1]["token"])
    assert first.state["you"] == [0]
    assert second.state["you"] == [1]
    for ply, (seat, move) in enumerate([(first, "e2"), (second, "e8"), (first, "e3"), (second, "e7")]):
        seat.send(type="move", ply=ply, move=move)
        for each in (first, second):
            each.await_state(lambda state, ply=ply: state["ply"] == ply + 1)
    first.send(type="resign")
    for each in (first, second):
        ended = each.await_state(lambda state: state["outcome"] is not None)
        assert "resigned" in ended["outcome"]["reason"]


def test_one_ply_is_taken_once(houses: tuple[House, House]) -> None:
    here, there = (Client(house) for house in houses)
    table = here.table("quoridor", "you friend")
    seats = [client.sit(table["table"], table["seats"][0]["token"]) for client in (here, there)]
    for seat in seats:
        seat.await_state(lambda state: state["actions"]["move"])
    for seat, move in zip(seats, ("e2", "d1"), strict=True):
        seat.send(type="move", ply=0, move=move)
    for seat in seats:
        seat.await_state(lambda state: state["ply"] == 1)
    made = until(
        lambda: [house.on_loop(lambda house=house: house.room(table["table"]).table.position.history[:]) for house in houses]
    )
    assert len(made[0]) == len(made[1]) == 1
    assert str(made[0][0]) == str(made[1][0])
