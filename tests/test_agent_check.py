"""One check for all agents: every agent of every game passes it, and agents that break a promise do not."""

import pytest

import daedalus
from daedalus import InvalidSpec
from daedalus.agents.check_agent import agents_of, check_agent, games_for
from daedalus.core.compile import INTERPRETED
from daedalus.core.registry import find

# A name that is nothing but another agent's is checked there.
ALIASES = {
    name: {spec for spec, agent in find(name).agents.items() if agent in agents_of(name)} for name in daedalus.game_names()
}
AGENTS = [(name, spec) for name in daedalus.game_names() for spec in agents_of(name) if spec not in ALIASES[name]]


@pytest.mark.skipif(INTERPRETED, reason="searches would take hours")
@pytest.mark.parametrize("name, spec", AGENTS, ids=[f"{name}-{spec}" for name, spec in AGENTS])
def test_every_agent_of_every_game_keeps_its_promises(name, spec):
    report = check_agent(spec, daedalus.game(name))
    assert report.ok, str(report)


@pytest.mark.skipif(INTERPRETED, reason="searches would take hours")
@pytest.mark.parametrize(
    "spec, game, options",
    [
        ("expert", "quoridor", {"walls": 1}),  # the race once all walls are placed
        ("mcts", "quoridor", {"players": 4, "walls": 1}),
        ("expert", "labyrinth", {"board": "3x3", "players": 3}),
        ("expert", "labyrinth", {"board": "3x3", "objects": 2}),
        ("mcts", "labyrinth", {"board": "3x3", "open": True}),
        ("alphabeta", "blackhole", {"size": 7, "hole": "pass"}),
    ],
)
def test_agents_keep_their_promises_in_variants(spec, game, options):
    report = check_agent(spec, daedalus.game(game, **options))
    assert report.ok, str(report)


BROKEN = """
import os
import random
import time

from daedalus import Agent, Candidate, Thought


class Good:
    def choose(self, view, limit):
        return view.legal_moves[0]


class Illegal(Good):
    def choose(self, view, limit):
        return "z9"


class Moody(Good):
    def choose(self, view, limit):
        return random.choice(list(view.legal_moves))


class Nostalgic(Agent):
    games = 0

    def new_game(self, seed):
        self.games += 1

    def choose(self, view, limit=None):
        return Thought(view.legal_moves[self.games % len(view.legal_moves)])


class Slow(Good):
    def choose(self, view, limit):
        if limit and limit.seconds:
            end = time.process_time() + 1.5
            while time.process_time() < end:
                pass
        return view.legal_moves[0]


class Eager(Good):
    def choose(self, view, limit):
        return Thought(view.legal_moves[0], 0.1, simulations=10**6)


class Blind(Good):
    def choose(self, view, limit):
        return Thought(view.legal_moves[0], 0.5, (Candidate(view.legal_moves[0], 0.5),))


class Messy(Good):
    def choose(self, view, limit):
        os.dup(1)
        return view.legal_moves[0]


class Fickle(Good):
    def choose(self, view, limit, watch=None):
        if watch is not None and watch(Thought(view.legal_moves[0])) is False:
            return view.legal_moves[1]
        return view.legal_moves[0]


class Stubborn(Good):
    def choose(self, view, limit, watch=None):
        thought = Thought(view.legal_moves[0])
        if watch is not None:
            watch(thought), watch(thought)
        return thought


class Vain(Good):
    def choose(self, view, limit, watch=None):
        stopped = watch is None or watch(Thought(view.legal_moves[0])) is False
        return view.legal_moves[0 if stopped else 1]


class Unready(Good):
    def prepare(self, game):
        pass

    def choose(self, view, limit):
        from daedalus.search import playouts

        if len(view.history) > 4:
            playouts(view, 1)
        return view.legal_moves[0]
"""


@pytest.fixture(scope="module")
def players(tmp_path_factory):
    path = tmp_path_factory.mktemp("players") / "players.py"
    path.write_text(BROKEN)
    return path


@pytest.mark.parametrize(
    "player, promise",
    [
        ("Illegal", "legal moves"),
        ("Moody", "the same from the same seed"),
        ("Nostalgic", "independent of games before"),
        ("Slow", "limits kept"),
        ("Eager", "limits kept"),
        ("Blind", "a win at hand is taken"),
        ("Messy", "closes what it opened"),
        ("Fickle", "watched and stopped"),
        ("Stubborn", "watched and stopped"),
        ("Vain", "watched and stopped"),
        pytest.param("Unready", "ready before the clock runs", marks=pytest.mark.skipif(INTERPRETED, reason="no kernels")),
    ],
)
def test_a_broken_promise_is_named(players, player, promise):
    report = check_agent(f"{players}:{player}", daedalus.game("blackhole", hole="pass"))
    failed = [name for name, held, _ in report.lines if not held]
    assert promise in failed, str(report)
    assert all("\n" not in detail for _, _, detail in report.lines)


def test_a_good_players_report_is_good(players):
    report = check_agent(f"{players}:Good", daedalus.game("blackhole", hole="pass"))
    assert report.ok, str(report)


PEEKER = """
from daedalus import Agent, Thought


class Peeker(Agent):
    truth = None  # what a careless table would leave lying around

    def choose(self, view, limit=None):
        moves = view.legal_moves
        return Thought(moves[hash(str(type(self).truth)) % len(moves)])
"""


def test_who_uses_what_is_hidden_is_found_out(tmp_path, monkeypatch):
    """Positions are made to leave the truth where a player can find it."""
    path = tmp_path / "peeker.py"
    path.write_text(PEEKER)
    spec, game = f"{path}:Peeker", daedalus.game("saboteur")
    from daedalus.core import Position

    honest = Position.view

    def careless(self, *args, **more):
        type(daedalus.agent(spec, game).player).truth = self.bits
        return honest(self, *args, **more)

    assert check_agent(spec, game).ok
    monkeypatch.setattr(Position, "view", careless)
    failed = [name for name, held, _ in check_agent(spec, game).lines if not held]
    assert failed == ["nothing hidden is used"]


def test_an_agent_is_checked_in_all_games_that_it_plays():
    assert [type(game).__name__ for game in games_for("perfect")] == ["BlackHole"]
    assert len(games_for("mcts")) == len(daedalus.game_names())
    with pytest.raises(InvalidSpec, match="nobody"):
        games_for("nobody")
