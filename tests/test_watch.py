"""Thinking that is watched and stopped, for every searching agent of every game, the registry says which."""

import contextlib
import dataclasses
import itertools
import threading

import pytest

import daedalus
from daedalus import Limit, Position
from daedalus.agents.check_agent import essence
from daedalus.agents.players import NETWORK
from daedalus.agents.spec import GENERIC
from daedalus.core import Clock
from daedalus.core.compile import INTERPRETED
from daedalus.core.options import parsed
from daedalus.core.registry import find
from daedalus.search import SearchAgent, budget, ships_network
from daedalus.search.budget import Budget

pytestmark = pytest.mark.skipif(INTERPRETED, reason="searches")

SEARCHING = [
    (name, spec)
    for name in daedalus.game_names()
    for spec, player in (GENERIC | find(name).agents).items()
    if isinstance(player, type) and issubclass(player, SearchAgent) and (spec != NETWORK or ships_network(find(name)))
]
SOLVED = ("blackhole", "expert")  # reads a table on the usual board, and searches on others
SEARCHING[SEARCHING.index(SOLVED)] = ("blackhole size=7 hole=pass", "expert")
STAGED = [("labyrinth", "expert"), ("labyrinth", "mc:double,allstar,each=20")]
SEARCHING += [("blackhole", "mcts:threads=3"), ("saboteur", "ismcts:threads=2"), STAGED[1]]
WORK = Limit(simulations=400, depth=4)

searching = pytest.mark.parametrize("name, spec", SEARCHING, ids=["-".join(pair) for pair in SEARCHING])


@pytest.fixture(autouse=True)
def many_looks(monkeypatch):
    """Small chunks, and a thought shown at each look: no test depends on a clock."""
    usual = Budget.next
    monkeypatch.setattr(Budget, "next", lambda self: min(37, self.total - self.done) if usual(self) else 0)
    monkeypatch.setattr(budget, "SHOW_SECONDS", 0.0)
    monkeypatch.setattr(budget, "SHOW_SHARE", 1e9)


def a_position(name, seed=1, plies=4):
    """One in which nothing is decided yet."""
    game, _, options = name.partition(" ")
    position = Position(daedalus.game(game, **parsed(options)), seed)
    for place in range(plies):
        position.push(position.legal_moves[(7 * place + seed) % len(position.legal_moves)])
    return position


def agent_for(spec, position):
    return daedalus.agent(spec, position.game, seed=3)


@searching
def test_being_watched_changes_neither_move_nor_values(name, spec):
    one, two = (agent_for(spec, a_position(name)) for _ in range(2))
    position, shown = a_position(name), []
    for _ in range(3):
        alone = one.choose(position.view(), WORK)
        watched = two.choose(position.view(), WORK, shown.append)
        assert essence(watched) == essence(alone)
        position.push(alone.move)
    assert len(shown) >= 3


@searching
def test_stopping_answers_the_thought_shown_last(name, spec):
    position = a_position(name)
    agent = agent_for(spec, position)
    for stop_at in (1, 2, 5):
        shown = []
        watch = lambda thought, shown=shown, stop_at=stop_at: shown.append(thought) or len(shown) < stop_at  # noqa: E731
        answer = agent.choose(position.view(), WORK, watch)
        assert len(shown) == stop_at and answer is shown[-1]
        assert answer.move in position.legal_moves
        assert not answer.candidates or answer.candidates[0].move == answer.move
        position.push(answer.move)
    whole = agent.choose(position.view(), WORK)  # a stopped agent plays on
    assert whole.move in position.legal_moves and whole.simulations >= answer.simulations


@searching
def test_what_is_shown_is_what_it_would_answer_with_that_much_work(name, spec):
    if (name, spec) in STAGED or "threads" in spec:
        pytest.skip("how the work is shared out depends on the limit")
    position, shown = a_position(name), []
    agent_for(spec, position).choose(position.view(), WORK, shown.append)
    for thought in {thought.simulations: thought for thought in shown if thought.simulations}.values():
        # a finished depth is told as such by who may begin the next one
        limits = (dataclasses.replace(WORK, simulations=thought.simulations + more) for more in (0, 1))
        answers = [agent_for(spec, position).choose(position.view(), limit) for limit in limits]
        found = (thought.move, thought.value, thought.candidates)
        assert found in [(answer.move, answer.value, answer.candidates) for answer in answers]


@searching
@pytest.mark.parametrize("trouble", [KeyboardInterrupt, ValueError])
def test_an_exception_of_the_watch_leaves_the_agent_usable(name, spec, trouble):
    def fail(thought):
        raise trouble

    position = a_position(name)
    agent, threads = agent_for(spec, position), threading.active_count()
    agent.choose(position.view(), WORK)  # leaves trees and tables behind
    position.push(position.legal_moves[0])
    for _ in range(2):
        with pytest.raises(trouble):
            agent.choose(position.view(), WORK, fail)
        assert threading.active_count() == threads
        answer = agent.choose(position.view(), WORK)
        assert answer.move in position.legal_moves and answer.simulations > 0
        # nothing of the broken search is counted, nor of a tree that it had begun to write over
        assert sum(candidate.visits for candidate in answer.candidates) <= answer.simulations


@pytest.mark.parametrize("trouble", [None, KeyboardInterrupt])
def test_all_threads_stop_with_the_first(trouble, monkeypatch):
    noted, note = [], Budget.note
    monkeypatch.setattr(Budget, "note", lambda self, done: noted.append(done) or note(self, done))

    def stop(thought):
        if trouble:
            raise trouble
        return False

    position = a_position("blackhole")
    agent = agent_for("mcts:threads=3", position)
    with contextlib.suppress(KeyboardInterrupt):
        agent.choose(position.view(), Limit(simulations=3_000_000), stop)
    assert sum(noted) < 300_000


@searching
def test_a_watch_is_called_about_ten_times_a_second(name, spec, monkeypatch):
    """By a clock that goes on by a hundredth of a second with each look at it."""
    monkeypatch.setattr(budget, "SHOW_SECONDS", 0.1)
    position, shown = a_position(name), []
    ticks = itertools.count()
    monkeypatch.setattr(Clock, "now", staticmethod(lambda: next(ticks) / 100))
    seconds = agent_for(spec, position).choose(position.view(), WORK, lambda thought: shown.append(thought.seconds)).seconds
    assert 1 <= len(shown) <= seconds / 0.1
    assert all(later - earlier >= 0.1 for earlier, later in itertools.pairwise(shown))


def test_only_false_stops():
    position = a_position("blackhole")
    for answer in (None, True, 1):
        thought = agent_for("mc", position).choose(position.view(), WORK, lambda thought, answer=answer: answer)
        assert thought.simulations == WORK.simulations
