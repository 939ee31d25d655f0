"""Searches in worker processes: answered, watched, stopped, given up, begun again when a process dies, fair in their turns."""

import asyncio
import os
import pickle
import signal
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from web.house import PATIENCE, bounded

import daedalus
from daedalus.core import DaedalusError, Limit
from daedalus.web.search_worker import Job
from daedalus.web.searches import Busy, Searches, Ticket

VIEW = daedalus.new("blackhole").view()
LONG = "mcts:seconds=60"


def job(spec: str, seconds: float | None = None, private: bool = False) -> Job:
    limit = None if seconds is None else Limit(seconds=seconds)
    return Job(spec, spec, 1, pickle.dumps(VIEW), limit, private, thoughts_a_second=50.0)


def thinking(work: Callable[[Searches], Awaitable[Any]], **limits: Any) -> Any:
    """Does something with searches, and ends their processes."""

    async def run() -> Any:
        searches = Searches(bounded(**{"workers": 1, **limits}))
        try:
            return await asyncio.wait_for(work(searches), 3 * PATIENCE)
        finally:
            searches.close()

    return asyncio.run(run())


async def begun(searches: Searches, spec: str = LONG, client: str = "a", private: bool = False) -> tuple[Ticket, list[str]]:
    """A search that thinks already, and what is heard of it."""
    heard: list[str] = []
    ready = asyncio.Event()

    def hear(what: str, content: Any) -> None:
        heard.append(what)
        if what in ("ready", "thought"):
            ready.set()

    ticket = searches.ask(job(spec, private=private), client, hear)
    await ready.wait()
    return ticket, heard


def test_a_search_answers_is_watched_stopped_cancelled_and_outlives_its_process() -> None:
    """One process for all of it, since starting one is what takes long."""

    async def work(searches: Searches) -> None:
        answer = await searches.ask(job("random"), "a").answer
        assert answer["move"] in [str(move) for move in VIEW.legal_moves]
        with pytest.raises(DaedalusError, match="NoSuch|nosuch"):
            await searches.ask(job("nosuch"), "a").answer

        ticket, heard = await begun(searches)
        while "thought" not in heard:
            await asyncio.sleep(0.01)
        searches.stop(ticket)
        assert (await ticket.answer)["simulations"] > 0, "what it has found so far"

        ticket, _ = await begun(searches)
        searches.cancel(ticket)
        assert ticket.answer.cancelled()
        assert (await searches.ask(job("random"), "a").answer)["move"], "the worker is free again"

        ticket, heard = await begun(searches)
        dead = searches.pids()
        os.kill(dead[0], signal.SIGKILL)
        while "ready" not in heard:  # begun again by another process, which had to prepare first
            await asyncio.sleep(0.01)
        assert searches.pids() != dead
        searches.stop(ticket)
        assert (await ticket.answer)["move"]
        assert all(waiting.patience is None or waiting.patience.cancelled() for waiting in [ticket]), (
            "nothing holds it for long"
        )

    thinking(work)


def test_clients_take_turns_and_their_lines_are_bounded() -> None:
    async def work(searches: Searches) -> None:
        first, _ = await begun(searches)
        order: list[str] = []

        def ask(client: str, number: int) -> Ticket:
            ticket = searches.ask(job("random"), client)
            ticket.answer.add_done_callback(lambda _: order.append(f"{client}{number}"))
            return ticket

        tickets = [ask("greedy", number) for number in range(3)] + [ask("modest", 0)]
        with pytest.raises(Busy):
            ask("greedy", 3)
        assert ask("other", 0), "others may still wait"
        with pytest.raises(Busy):
            ask("another", 0)
        searches.cancel(tickets[2])
        searches.stop(first)
        await asyncio.gather(*(ticket.answer for ticket in tickets[:2] + tickets[3:]))
        assert order.index("modest0") < order.index("greedy1")

    thinking(work, waiting_a_client=3, waiting=5)


def test_a_search_that_does_not_stop_is_ended_with_its_process() -> None:
    async def work(searches: Searches) -> None:
        ticket, _ = await begun(searches)
        ticket.worker.send = lambda message: None  # type: ignore[union-attr,method-assign,assignment]
        searches.stop(ticket)
        with pytest.raises(DaedalusError, match="ended"):
            await ticket.answer

    thinking(work, stubborn_seconds=0.1)


def test_thoughts_about_hidden_cards_are_told_to_nobody() -> None:
    async def work(searches: Searches) -> None:
        ticket, heard = await begun(searches, "mcts:simulations=20000", private=True)
        await ticket.answer
        assert "thought" not in heard

    thinking(work)
