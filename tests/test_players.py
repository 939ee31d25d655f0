"""What every player of Colosseum, Quoridor, Saboteur and Black-Hole Escape promises, whatever its strength.

It takes a win at hand, and decides by the work allowed, not by how the clock cuts it into chunks. What the check of agents
covers (new games, readiness) is not repeated here.
"""

import dataclasses
import functools
import random

import pytest

import daedalus
from daedalus import Limit, Position
from daedalus.core.compile import INTERPRETED
from daedalus.core.registry import find
from daedalus.games.colosseum.report import ReportSearch
from daedalus.search import TreeSearch
from daedalus.search.budget import Budget

pytestmark = pytest.mark.skipif(INTERPRETED, reason="searches")

GAMES = {
    "colosseum": daedalus.game("colosseum", size=6),
    "quoridor": daedalus.game("quoridor"),
    "saboteur": daedalus.game("saboteur"),
    "blackhole": daedalus.game("blackhole"),
}
PLAYERS = [(name, player) for name in GAMES for player in find(name).agents]
# They tell no value, and their documents say what they do instead: a random walk, the published rules.
PASS_UP_WINS = {("colosseum", "walk"), ("quoridor", "heuristic"), ("saboteur", "greedy")}
WORK = Limit(simulations=700)
MANY_DEALS = 30  # of the hidden cards: one objective of three is left out by all of them once in 60,000 times


def each(players):
    """The test is for every one of these players of a game."""
    return pytest.mark.parametrize("name, player", [pytest.param(*pair, id="-".join(pair)) for pair in players])


def pushed(position, move):
    after = position.copy()
    after.push(move)
    return after


def ended_games(name, seeds):
    """Finished games: mostly sensible moves, so that somebody wins, and some of any kind."""
    game = GAMES[name]
    sensible = {"colosseum": "walk", "quoridor": "path", "saboteur": "greedy:destroy", "blackhole": "perfect"}[name]
    for seed in seeds:
        position, choice = Position(game, seed), random.Random(seed)
        agent = daedalus.agent(sensible, game, seed=seed)
        while position.outcome() is None:
            usual = choice.random() < (0.95 if name == "saboteur" else 0.7)
            position.push(agent.choose(position.view()).move if usual else choice.choice(position.legal_moves))
        yield position


def wins(position):
    """The moves that end the game as a win for who moves, in all deals that the seat to move may imagine."""
    deals = [position.view(seed=seed) for seed in range(MANY_DEALS if position.name == "saboteur" else 1)]

    def is_won(move):
        outcomes = (pushed(deal, move).outcome() for deal in deals)
        return all(outcome is not None and outcome.payoffs[position.turn] == 1.0 for outcome in outcomes)

    return [move for move in position.legal_moves.codes if is_won(move)]


@functools.cache
def won_positions(name):
    """Twelve positions with a win at hand, and those wins."""
    found = []
    for position in ended_games(name, range(200)):
        position.pop()
        if winning := wins(position):
            found.append((position, winning))
        if len(found) == 12:
            return found
    raise AssertionError(f"only {len(found)} wins at hand in {name}")


@each(pair for pair in PLAYERS if pair not in PASS_UP_WINS)
def test_a_win_at_hand_is_taken_under_any_limit(name, player):
    for position, winning in won_positions(name):
        for limit in (Limit(simulations=1), Limit(depth=1), Limit(seconds=0.001)):
            thought = daedalus.agent(player, position.game, seed=1).choose(position.view(), limit)
            assert thought.move in winning, f"{player} with {limit} passes up {winning}: {position.text}"
            if thought.value is not None:
                assert thought.value == 1.0 and thought.candidates[0].move == thought.move and "win" in thought.note


def thoughts(agent, game, seed, plies=7):
    """What an agent thinks in both seats of a game, the time it took aside; every third move is any move."""
    position, choice, told = Position(game, seed), random.Random(seed), []
    while position.outcome() is None and len(position.history) < plies:
        thought = agent.choose(position.view(), WORK)
        told.append(dataclasses.replace(thought, seconds=0.0))
        position.push(choice.choice(position.legal_moves) if len(position.history) % 3 == 2 else thought.move)
    return told


@each(PLAYERS)
def test_how_the_clock_cuts_the_work_into_chunks_changes_nothing(name, player, monkeypatch):
    game, next_chunk, told = GAMES[name], Budget.next, []
    for largest in (10**9, 1, 37):
        monkeypatch.setattr(Budget, "next", lambda budget, largest=largest: min(largest, next_chunk(budget)))
        told.append(thoughts(daedalus.agent(player, game, seed=3), game, 5))
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("spec, game, search", [("seed", "colosseum", ReportSearch), ("ismcts", "saboteur", TreeSearch)])
def test_a_depth_alone_does_not_let_a_simulating_player_think_for_ever(spec, game, search, monkeypatch):
    limits = []
    monkeypatch.setattr(search, "think", lambda self, view, limit, watch: limits.append(limit))
    daedalus.agent(spec, GAMES[game]).choose(Position(GAMES[game], 1).view(), Limit(depth=3))
    assert limits[0].seconds is not None


@pytest.mark.parametrize(
    "name, options, text, words",
    [
        ("quoridor", {}, "c1c3 / / e1 e9 / 9 9 / 1", "9 walls"),
        ("quoridor", {"walls": 1}, "/ / e1 e9 / 1 1 / 1", "1 wall,"),
        ("colosseum", {"size": 5, "steps": 1}, "5 0,0 4,4 A | 0,0r", "up to 1 step   1 barrier"),
        ("colosseum", {"size": 5}, "5 0,0 4,4 A | 0,0r 0,0d", "A 1 cell   B 24 cells"),
    ],
)
def test_one_is_not_many(name, options, text, words):
    assert words in Position.from_text(daedalus.game(name, **options), text).summary + "   "
