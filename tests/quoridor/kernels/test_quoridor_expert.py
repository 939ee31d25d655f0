"""The strong players of Quoridor: what they list is right, races and small boards are exact, they win."""

import random
import threading
from dataclasses import replace

import numpy as np
import pytest
from timing import keeps_limit

import daedalus
from daedalus import InvalidSpec, Limit, Position
from daedalus.core import Clock, DaedalusError
from daedalus.core.compile import INTERPRETED
from daedalus.core.memory import copies, workspaces
from daedalus.games.quoridor import judge
from daedalus.games.quoridor.expert import PathSearch, race
from daedalus.games.quoridor.kernels import candidates, evaluation, pvs
from daedalus.games.quoridor.kernels.bitboards import distance
from daedalus.games.quoridor.solving import solve
from daedalus.search.budget import Budget
from daedalus.search.kernels import frames
from daedalus.search.safetensors import parse_weights

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


NETWORK = evaluation.Weights(network=judge.shipped())


def node(position, weights=NETWORK):
    """A frame of the search that stands at a position."""
    f = np.zeros(1, pvs.frame_type())[0]
    f.mine, f.theirs = (distance(position.game, position.state, seat) for seat in (position.turn, 1 - position.turn))
    with np.errstate(over="ignore"):
        evaluation.see_both(weights.network, position.state, f)
        f.extra = evaluation.correction(weights.network, position.state, f)
    return f


@pytest.mark.interpreted
def test_a_move_is_judged_unmade_as_the_position_it_leads_to_with_the_correction_of_its_node():
    game, choice, seen = daedalus.game("quoridor"), random.Random(4), 0
    formula, net = evaluation.Weights(), judge.shipped()
    with np.errstate(over="ignore"):
        for position in list(wandering(game, 4, 40, seed=5))[::7]:
            f = node(position)
            for code in choice.sample(position.legal_moves.codes, min(3, len(position.legal_moves))):
                after = position.copy()
                after.push(code)
                if after.outcome() is not None:
                    continue
                child, handed = node(after), np.zeros(1, pvs.frame_type())[0]
                evaluation.hand_on(net, after.state, f, handed, code)
                assert (handed.first_part == child.first_part).all() and (handed.second_part == child.second_part).all()
                unmade = evaluation.judged_after(game, NETWORK, position.state, f, 3, code, int(child.theirs), int(child.mine))
                assert unmade - f.extra == -evaluation.judged(formula, after.state, node(after, formula))
                seen += 1
    assert seen > 40


def flipped(text):
    """The position as the other player sees it: ranks upside down, colours changed."""
    lying, upright, pawns, stocks, turn = (part.strip() for part in text.split("/"))

    def walls(places):
        return "".join(f"{place[0]}{9 - int(place[1])}" for place in map("".join, zip(places[::2], places[1::2], strict=True)))

    pawn = [f"{square[0]}{10 - int(square[1])}" for square in reversed(pawns.split())]
    return f"{walls(lying)} / {walls(upright)} / {' '.join(pawn)} / {' '.join(reversed(stocks.split()))} / {3 - int(turn)}"


def test_the_network_judges_both_seats_alike():
    corrected = 0
    for position in list(wandering(daedalus.game("quoridor"), 4, 40, seed=6))[::3]:
        other = Position.from_text(position.game, flipped(position.text))
        scores = [evaluation.judged(NETWORK, seen.state, node(seen)) for seen in (position, other)]
        assert abs(scores[0] - scores[1]) <= 1, position.text
        corrected += node(position).extra != 0
    assert corrected > 20


def seen_from(weights, position, seat):
    """The network's hidden units for one player, from the file: the board as that player sees it, its goal on top."""

    def place(cell, rim):
        file, rank = cell % 11, cell // 11
        return (rank if seat == 0 else 8 - rim - rank), file

    s = position.state
    pawns = [place(s.pawn[who], 0) for who in (seat, 1 - seat)]
    total = (
        weights["turn"][int(position.turn == seat)]
        + weights["gap"][pawns[1][0] - pawns[0][0] + 8, pawns[1][1] - pawns[0][1] + 8]
    )
    for k, who in enumerate((seat, 1 - seat)):
        total = total + weights["cells"][k, pawns[k][0], pawns[k][1]] + weights["stocks"][k, s.stock[who]]
        total = total + weights["steps"][k, distance(position.game, s, who)]
        for upright, words in enumerate(((s.h0, s.h1), (s.v0, s.v1))):
            for cell in range(121):
                if int(words[cell // 64]) >> cell % 64 & 1:
                    rank, file = place(cell, 1)
                    total = total + weights["walls"][k, upright, rank - pawns[k][0] + 8, file - pawns[k][1] + 8]
    return np.maximum(total, 0) @ weights["worth"]


def test_the_record_of_the_network_says_what_its_file_says():
    weights, _ = parse_weights(judge.SHIPPED.read_bytes(), judge.NAMES, ("game",))
    for position in list(wandering(daedalus.game("quoridor"), 4, 40, seed=7))[::5]:
        me = position.turn
        expected = seen_from(weights, position, me) - seen_from(weights, position, 1 - me)
        assert abs(node(position).extra - expected) < 10, f"{position.text}: off by more than rounding"


def test_no_sum_of_the_network_leaves_its_16_bits():
    net = judge.shipped()
    assert net.used and not net.wall[:, evaluation.NO_WALL].any()
    most = 20 * np.abs(net.wall).astype(int).max(axis=1).sum(axis=0)  # more than any twenty different walls can add
    for rows in (net.cell[0], net.cell[1], net.gap, net.stocks[0], net.stocks[1], net.steps):
        most = most + np.abs(rows).astype(int).max(axis=0)
    assert most.max() < 2**15
    assert (most * np.abs(net.worth).astype(int)).sum() < 2**31


def test_the_formula_judges_boards_that_the_network_does_not_know():
    for options, network in (({}, 1), ({"width": 7}, 0), ({"walls": 11}, 0), ({"walls": 0}, 0), ({"walls": 3}, 1)):
        game = daedalus.game("quoridor", **options)
        assert daedalus.agent("expert", game).make(game).weights.network.used == network
        assert daedalus.agent("expert:judge=formula", game).make(game).weights.network.used == 0


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


def entry(move, score, depth, bound, key):
    """An entry of the table for a position."""
    e = np.zeros(1, frames.entry_type())[0]
    e.move, e.score, e.depth, e.bound = move, score, depth, bound
    e.key = pvs.sealed(np.uint64(key), move, score, depth, bound)
    return e


@pytest.mark.interpreted
def test_the_table_knows_what_it_keeps_but_not_what_two_threads_wrote_at_once():
    f, e = np.zeros(1, pvs.frame_type())[0], np.zeros(1, frames.entry_type())[0]
    for best, depth, move in ((-70, 5, 140), (frames.WIN - 9, 12, 300), (12 - frames.WIN, 3, 7)):
        pvs.begin(f, depth, -frames.INFINITE, frames.INFINITE, 4, 4, False)
        f.key, f.best, f.best_move = 2**63 + 12345, best, move
        pvs.keep(e, f, 0)
        assert (pvs.recall(e, f, 0), f.first) == (best, move)
        f.depth = depth + 1
        assert (pvs.recall(e, f, 0), f.first) == (pvs.UNKNOWN, move), "too shallow, but a move to begin with"
        e.depth = 0  # or else it would be kept instead of what is shallower

    one, other = (40, -70, 5, frames.UPPER), (41, 300, 9, frames.LOWER)
    f.key, f.depth, f.alpha, f.beta = 77, 1, 0, 1
    assert pvs.recall(entry(*other, 77), f, 0) == 300
    for k in range(1, 15):
        mixed = entry(*one, 77)
        for place, name in enumerate(("move", "score", "depth", "bound")):
            if k >> place & 1:
                setattr(mixed, name, other[place])
        assert (pvs.recall(mixed, f, 0), f.first) == (pvs.UNKNOWN, frames.NOTHING), k


def test_a_number_of_nodes_or_plies_finds_the_same_with_any_number_of_threads():
    position = Position.from_text(daedalus.game("quoridor"), "e3d4 / c5 / e4 e6 / 8 9 / 1")
    for limit in (Limit(simulations=3000), Limit(depth=5)):
        thoughts = [daedalus.agent(f"expert:threads={n}", position.game).choose(position.view(), limit) for n in (1, 3)]
        first, other = (replace(thought, seconds=0) for thought in thoughts)
        assert first == other


@pytest.mark.skipif(INTERPRETED, reason="a chunk of nodes takes longer than the limit without the compiler")
def test_threads_find_a_win_together_and_are_gone_when_the_search_is():
    game = daedalus.game("quoridor", width=4, height=3, walls=2)
    running = threading.active_count()
    for n in (2, 4):
        thought = daedalus.agent(f"expert:threads={n}", game).choose(Position(game, 1).view(), Limit(seconds=20))
        assert thought.note.startswith("loss"), "the published value"
        assert threading.active_count() == running
    won = Position.from_text(daedalus.game("quoridor"), "e3d4 / c5 / e4 e6 / 8 9 / 1")
    expert = daedalus.agent("expert:threads=3", won.game)
    expert.prepare(won.game)
    thought = expert.choose(won.view(), Limit(seconds=0.1))
    assert thought.move in won.legal_moves and thought.simulations > 0


def test_a_watch_stops_all_threads():
    position, running = daedalus.new("quoridor"), threading.active_count()
    expert = daedalus.agent("expert:threads=3", position.game)
    thought = expert.choose(position.view(), Limit(seconds=60), watch=lambda thought: False)
    assert thought.move in position.legal_moves and thought.seconds < 60
    assert threading.active_count() == running


def test_numbers_of_threads_that_are_none_are_refused():
    for value in ("0", "-1", "257", "two", "1.5"):
        with pytest.raises(InvalidSpec, match="threads"):
            daedalus.agent(f"expert:threads={value}", daedalus.game("quoridor"))


def test_who_nods_looks_one_ply_ahead_at_moves_that_follow_from_the_seed():
    position, depths = daedalus.new("quoridor"), []
    agents = [daedalus.agent("expert:depth=2,lapse=0.5", position.game, seed=seed) for seed in (7, 7)]
    for ply in range(24):
        thoughts = [agent.choose(position.view()) for agent in agents]
        assert thoughts[0].depth == thoughts[1].depth
        depths.append(thoughts[0].depth)
        position.push(("e2", "e8", "e1", "e9")[ply % 4])
    assert set(depths) == {1, 2} and 4 <= depths.count(1) <= 20
    always = daedalus.agent("expert:depth=2,lapse=1", position.game)
    assert always.choose(position.view()).depth == 1


def test_expert_is_for_two():
    with pytest.raises(InvalidSpec, match="for two"):
        daedalus.agent("expert", daedalus.game("quoridor", players=4))
    thought = daedalus.agent("mcts:simulations=50").choose(daedalus.new("quoridor", players=4).view())
    assert thought.simulations == 50
