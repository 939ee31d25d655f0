"""The strong players of Quoridor: what they list is right, races and small boards are exact, they win."""

import random

import numpy as np
import pytest
from timing import keeps_limit

import daedalus
from daedalus import InvalidSpec, Limit, Position
from daedalus.core import Clock, DaedalusError
from daedalus.core.compile import INTERPRETED
from daedalus.core.memory import copies, workspaces
from daedalus.games.quoridor.expert import PathSearch, race
from daedalus.games.quoridor.kernels import candidates, pvs
from daedalus.games.quoridor.kernels.bitboards import distance
from daedalus.games.quoridor.solving import solve
from daedalus.search.budget import Budget

# specs/quoridor.md, section 7: who wins with 0, 1, 2, 3 walls each; 1 the first player, 2 the second
SOLVED = {(3, 3): "2222", (4, 3): "2221", (5, 3): "2221", (3, 5): "2221"}


def wandering(game, games, plies, seed):
    """Positions of games with many walls."""
    choice = random.Random(seed)
    for number in range(games):
        position = Position(game, number)
        for _ in range(plies):
            if position.outcome() is not None:
                break
            yield position
            pawn = [code for code in position.legal_moves.codes if code < 128]
            position.push(choice.choice(pawn if choice.random() < 0.6 else position.legal_moves.codes))


@pytest.mark.interpreted
def test_listed_moves_are_legal_and_carry_the_distances_they_lead_to():
    game = daedalus.game("quoridor")
    F, history = np.zeros(2, pvs.frame_type()), np.zeros((2, 512), np.int64)
    seen = 0
    for number, position in enumerate(wandering(game, 3, 40, seed=3)):
        if number % 13:
            continue
        S, W = copies(game, [position.state], 2), workspaces(game, 2, 1)
        pvs.set_root(game, S, F, 4, -100, 100, -1, True)
        with np.errstate(over="ignore"):
            candidates.list_moves(game, S[0], W[0], F[0], history)
            if not F[0].quiet:
                candidates.list_quiet_walls(game, S[0], F[0], history)
        f = F[0]
        listed = f.move[: f.count].tolist()
        assert len(set(listed)) == len(listed)
        assert {code for code in position.legal_moves.codes if code < 128} <= set(listed), "pawn moves are never left out"
        for i, code in enumerate(listed):
            after = position.copy()
            after.push(code)
            assert f.after_mine[i] == distance(game, after.state, position.turn)
            assert f.after_theirs[i] == distance(game, after.state, 1 - position.turn)
            seen += 1
    assert seen > 300


@pytest.mark.parametrize("board", SOLVED, ids=str)
def test_small_boards_have_the_published_values(board):
    width, height = board
    for walls, winner in enumerate(SOLVED[board]):
        solution = solve(daedalus.game("quoridor", width=width, height=height, walls=walls))
        assert {1: "1", 0: "D", -1: "2"}[solution.value] == winner, f"{width} x {height} with {walls} walls"


@pytest.mark.skipif(INTERPRETED, reason="takes too long without the compiler")
def test_a_board_on_which_both_go_round_in_circles_is_a_draw():
    assert solve(daedalus.game("quoridor", width=8, height=3, walls=3)).value == 0


def test_boards_too_large_to_solve_are_refused():
    with pytest.raises(DaedalusError, match="too large"):
        solve(daedalus.game("quoridor"))
    with pytest.raises(DaedalusError, match="game for two"):
        solve(daedalus.game("quoridor", players=4))


def test_a_race_without_walls_is_exact():
    game = daedalus.game("quoridor", width=5, height=5, walls=2)
    choice, checked = random.Random(2), 0
    for number in range(12):
        position = Position(game, number)
        while position.state.stock.any() and position.outcome() is None:
            walls = [code for code in position.legal_moves.codes if code >= 128]
            pawn = [code for code in position.legal_moves.codes if code < 128]
            position.push(choice.choice(walls if walls and choice.random() < 0.6 else pawn))
        if position.outcome() is None:
            proof = daedalus.agent("alphabeta:depth=20,simulations=300000", game).choose(position.view())
            if proof.note.startswith(("win", "loss")):
                assert race(position.view()).note == proof.note, position.text
                checked += 1
    assert checked >= 5


def test_the_bare_race_is_lost_for_the_first_player():
    thought = daedalus.agent("expert").choose(daedalus.new("quoridor", walls=0).view())
    assert thought.note == "loss in 16" and len(thought.line) == 16


def test_expert_sees_a_win_and_blocks_one():
    game = daedalus.game("quoridor")
    won = Position.from_text(game, " /  / e8 a2 / 10 10 / 1")
    assert str(daedalus.agent("expert").choose(won.view(), Limit(depth=4)).move) in ("d9", "e9", "f9")
    threatened = Position.from_text(game, " /  / e4 e2 / 10 10 / 1")
    move = str(daedalus.agent("expert").choose(threatened.view(), Limit(depth=4)).move)
    assert move.endswith("h"), f"{move} does not keep the opponent from e1"


def test_expert_proves_the_published_values_of_small_boards():
    for (width, height), winners in SOLVED.items():
        for walls, winner in enumerate(winners[:2] if height == 5 else winners):
            start = daedalus.new("quoridor", width=width, height=height, walls=walls)
            thought = daedalus.agent("expert", start.game).choose(start.view(), Limit(simulations=300_000))
            assert thought.note.split()[0] == {"1": "win", "2": "loss"}[winner], f"{width} x {height} with {walls} walls"


@pytest.mark.skipif(INTERPRETED, reason="a chunk of nodes takes longer than the limit without the compiler")
def test_expert_keeps_its_limits():
    position = daedalus.new("quoridor")
    expert = daedalus.agent("expert", position.game)
    assert expert.choose(position.view(), Limit(simulations=5000)).simulations == 5000
    assert keeps_limit(lambda: expert.choose(position.view(), Limit(seconds=0.1)), 0.1, late=0.02)


def test_a_depth_begins_with_the_best_move_of_the_one_before():
    position = Position.from_text(daedalus.game("quoridor"), "e3d4 / c5 / e4 e6 / 8 9 / 1")
    run = PathSearch(table=4).run(position.view(), Limit())  # a table too small to tell
    for depth in range(1, 7):
        best = run.best_line[:1]
        run.set_root(depth)
        while not (run.advance(10**6)[0] and run.is_settled()):
            pass
        run.keep()
        run.reached = depth
        assert not best or run.F[0].move[0] == best[0]


FALLS = [  # the score falls at some depth, and an open window does not come to an end soon
    "c3e3g3b4d4f4h5b6d6f6h6 / g4a6b7 / a6 b5 / 2 4 / 2",
    "b2d3f3h3a5c5b7d7f7h7 / a2c3e5c7 / c6 a4 / 3 3 / 1",
    "a2c2b3d3f3h3c4b5b6d6f6h6a7c8 / a4d5 / c7 a5 / 2 2 / 2",
]


@pytest.mark.parametrize("text", FALLS)
def test_a_move_that_fell_is_not_told_with_its_old_score(text):
    position = Position.from_text(daedalus.game("quoridor"), text)
    run, told = PathSearch().begin(position.view(), Limit()), Budget(Clock(Limit()))
    run.set_root(1)
    fallen = looked = 0
    while looked < 100 and not run.is_decided():
        finished, _ = run.advance(200)
        looked += 1
        if run.fall and not run.partial_counts():
            fallen += 1
            thought = run.thought(told)
            assert thought.value <= run.value(run.fall.ceiling) < run.value(run.score)
            assert thought.value == thought.candidates[0].value and thought.move == thought.candidates[0].move
        if finished and run.is_settled():
            run.keep()
            run.reached += 1
            run.set_root(run.reached + 1)
    assert fallen > 10


def test_expert_plays_the_same_from_the_same_nodes_and_wins():
    game = daedalus.game("quoridor")
    for rival, seat in (("heuristic", 0), ("heuristic", 1), ("path", 0), ("path", 1)):
        games = []
        for _ in range(2 if rival == "path" else 1):
            players = [daedalus.agent(rival, game, seed=5), daedalus.agent("expert:simulations=4000", game)]
            position = Position(game, 1)
            while position.outcome() is None:
                position.push(players[position.turn == seat].choose(position.view()).move)
            assert position.outcome().winner == seat
            games.append(position.history)
        assert all(history == games[0] for history in games)


def test_expert_is_for_two():
    with pytest.raises(InvalidSpec, match="for two"):
        daedalus.agent("expert", daedalus.game("quoridor", players=4))
    thought = daedalus.agent("mcts:simulations=50").choose(daedalus.new("quoridor", players=4).view())
    assert thought.simulations == 50
