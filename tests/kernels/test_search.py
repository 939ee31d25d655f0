"""Searches that know no game: right answers on games solved by hand, the same answers from the same seed, limits kept."""

import functools
import os

import pytest
from games.small import HighCard, Nim, TicTacToe
from timing import keeps_limit

import daedalus
from daedalus import Limit, Position
from daedalus.core.compile import INTERPRETED
from daedalus.search import ORDERS, AlphaBetaSearch, FlatSearch, TreeSearch, divide, perft, playouts

EFFORT = 60 if INTERPRETED else 4000


def count(position, depth):
    """Perft by the book, through positions."""
    if depth == 0:
        return 1
    total = 0
    for move in position.legal_moves:
        position.push(move)
        total += count(position, depth - 1)
        position.pop()
    return total


def minimax(position, depth, us, evaluate):
    """The value for `us` by plain recursion: wins count 2 minus a bit for each ply."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.payoffs[us] * (2 - 1e-6 * len(position.history))
    if depth == 0:
        return evaluate(position, us)
    values = []
    for move in position.legal_moves:
        position.push(move)
        values.append(minimax(position, depth - 1, us, evaluate))
        position.pop()
    return max(values) if position.turn == us else min(values)


def own(position, us):
    import numpy as np

    from daedalus.core.memory import workspaces

    with np.errstate(over="ignore"):
        return float(position.game.evaluate(position.state, us, workspaces(position.game, 1, 1)[0]))


@pytest.mark.interpreted
@pytest.mark.parametrize("hole", ["stop", "pass"])
def test_perft_counts_what_a_walk_through_positions_counts(hole):
    position = daedalus.new("blackhole", hole=hole, repetition=0)
    for depth in range(4):
        assert perft(position, depth) == count(position, depth)
    assert sum(divide(position, 3).values()) == perft(position, 3)
    assert len(divide(position, 1)) == 12


@pytest.mark.interpreted
def test_perft_of_an_ended_game_is_none():
    position = Position(Nim(stones=1), 1)
    position.push("1")
    assert perft(position, 0) == 1 and perft(position, 2) == 0


def test_perft_of_the_start_is_known():
    assert [perft(daedalus.new("blackhole", hole="pass"), d) for d in (1, 2, 3, 4, 5)] == [12, 138, 1310, 11974, 100076]


@pytest.mark.interpreted
def test_playouts_report_means():
    result = playouts(Position(Nim(stones=1), 1), 10)
    assert result.payoffs == (1.0, -1.0) and result.plies == 1.0 and result.draws == 0
    cut = playouts(daedalus.new("blackhole"), 5, cutoff=4)
    assert cut.plies == 4.0


@functools.cache  # the slow part, the same for every order and table
def minimax_of(text, depth):
    position = Position.from_text(daedalus.game("blackhole", hole="pass", repetition=0), text)
    return minimax(position, depth, position.turn, own)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("table", [0, 12])
@pytest.mark.parametrize(
    "text", ["R...R/.R.R./..*../.B.B./B...B R", ".R..R/.R.../..*B./B..RB/...B. B", "RB.../...../..*../B..BR/..R.B B"]
)
def test_alpha_beta_finds_the_minimax_value_whatever_the_order(order, table, text):
    game = daedalus.game("blackhole", hole="pass", repetition=0)
    for depth in (1, 2, 3, 4):
        position = Position.from_text(game, text)
        expected = minimax_of(text, depth)
        thought = AlphaBetaSearch(order=order, table=table).think(position.view(), Limit(depth=depth))
        if abs(expected) > 1:
            distance = round((2 - abs(expected)) * 1e6)
            assert thought.note == f"{'win' if expected > 0 else 'loss'} in {distance}"
        elif table == 0:  # a table may know a position deeper than asked, and so judge it better
            assert thought.value == pytest.approx(expected, abs=2e-6)


def test_alpha_beta_with_full_windows_scores_every_move_exactly():
    game = daedalus.game("blackhole", hole="pass", repetition=0)
    position = Position.from_text(game, ".R..R/.R.../..*B./B..RB/...B. B")
    thought = AlphaBetaSearch(full=True, table=0).think(position.view(), Limit(depth=3))
    assert len(thought.candidates) == len(position.legal_moves)
    for candidate in thought.candidates:
        after = position.copy()
        after.push(candidate.move)
        expected = minimax(after, 2, position.turn, own)
        assert candidate.value == pytest.approx(max(-1, min(1, expected)), abs=2e-6)


def test_alpha_beta_solves_the_pass_start():
    thought = AlphaBetaSearch().think(daedalus.new("blackhole", hole="pass").view(), Limit(depth=12))
    assert thought.note == "win in 9" and len(thought.line) == 9
    position = daedalus.new("blackhole", hole="pass")
    for move in thought.line:
        position.push(move)
    assert position.outcome().winner == 0


@pytest.mark.interpreted
@pytest.mark.parametrize("stones", range(1, 10))
def test_searches_leave_a_multiple_of_four_stones(stones):
    position = Position(Nim(stones=stones), 1)
    for search, limit in [
        (AlphaBetaSearch(), Limit(depth=12)),
        (TreeSearch(), Limit(simulations=EFFORT)),
        (TreeSearch(puct=True, c=2.0), Limit(simulations=EFFORT)),
        (TreeSearch(implicit=0.3), Limit(simulations=EFFORT)),
    ]:
        thought = search.think(position.view(), limit)
        if stones % 4:
            assert int(thought.move) == stones % 4, search
        elif isinstance(search, AlphaBetaSearch):
            assert thought.value == -1.0


@pytest.mark.interpreted
def test_the_solver_proves_wins_and_losses():
    won = TreeSearch().think(Position(Nim(stones=7), 1).view(), Limit(simulations=20_000))
    assert (won.value, won.note, int(won.move)) == (1.0, "proven win", 3)
    assert won.simulations < 20_000, "a solved root needs no more simulations"
    lost = TreeSearch().think(Position(Nim(stones=8), 1).view(), Limit(simulations=20_000))
    assert lost.value == -1.0 and {c.note for c in lost.candidates} == {"proven loss"}


@pytest.mark.interpreted
def test_three_and_four_seats_take_the_last_stones_when_they_can():
    for seats in (3, 4):
        for search, limit in [
            (TreeSearch(), Limit(simulations=200)),
            (AlphaBetaSearch(), Limit(depth=4)),
            (FlatSearch(), Limit(simulations=60)),
        ]:
            thought = search.think(Position(Nim(stones=3, seats=seats), 1).view(), limit)
            assert int(thought.move) == 3 and thought.value == 1.0


@pytest.mark.interpreted
def test_plain_python_rules_are_searched_too():
    position = Position(TicTacToe(), 1)
    for move in ("0", "3", "1", "4"):
        position.push(move)
    assert str(AlphaBetaSearch().think(position.view(), Limit(depth=3)).move) == "2"
    assert str(TreeSearch().think(position.view(), Limit(simulations=150)).move) == "2"
    assert perft(Position(TicTacToe(), 1), 3) == 9 * 8 * 7


@pytest.mark.interpreted
@pytest.mark.parametrize("puct", [False, True])
def test_information_set_search_plays_by_its_own_card_only(puct):
    """With the highest card staying is sure to pay, with the lowest folding loses least."""
    for card, best in [(4, "1"), (0, "0")]:
        deck = [card, *(c for c in range(5) if c != card)]
        position = Position.from_text(HighCard(), f"{','.join(map(str, deck))} 0 0")
        thought = TreeSearch(puct=puct).think(position.view(), Limit(simulations=max(EFFORT, 400)))
        assert str(thought.move) == best
        assert str(FlatSearch().think(position.view(), Limit(simulations=400)).move) == best


@pytest.mark.interpreted
def test_hidden_cards_do_not_change_a_thought():
    one = Position.from_text(HighCard(), "2,0,1,3,4 0 0")
    two = Position.from_text(HighCard(), "2,4,3,1,0 0 0")
    for search in (TreeSearch, FlatSearch, AlphaBetaSearch):
        thoughts = [search().think(p.view(), Limit(simulations=100, depth=2)) for p in (one, two)]
        assert thoughts[0].candidates == thoughts[1].candidates


@pytest.mark.interpreted
@pytest.mark.parametrize("search", [TreeSearch, FlatSearch, AlphaBetaSearch])
def test_the_same_seed_and_simulations_give_the_same_thought(search):
    position = daedalus.new("blackhole", hole="pass", cap=40, seed=1)
    effort = Limit(simulations=EFFORT // 2, depth=3)
    first, second = (search(seed=5).think(position.view(), effort) for _ in range(2))
    assert (first.candidates, first.line, first.simulations) == (second.candidates, second.line, second.simulations)
    if search is not AlphaBetaSearch:
        assert first.candidates != search(seed=6).think(position.view(), effort).candidates


def test_the_tree_is_kept_between_moves():
    position = daedalus.new("blackhole", seed=1)
    search = TreeSearch(cutoff=6)
    search.think(position.view(), Limit(simulations=20_000))
    position.push(position.legal_moves[2])
    position.push(position.legal_moves[2])
    again = search.think(position.view(), Limit(simulations=10))
    fresh = TreeSearch(cutoff=6).think(position.view(), Limit(simulations=10))
    assert sum(c.visits for c in again.candidates) > 50 > sum(c.visits for c in fresh.candidates)
    elsewhere = search.think(daedalus.new("blackhole", size=7, seed=1).view(), Limit(simulations=10))
    assert sum(c.visits for c in elsewhere.candidates) <= 10


def test_threads_add_up_and_a_full_tree_goes_on():
    position = daedalus.new("blackhole", seed=1)
    thought = TreeSearch(cutoff=4, threads=3, nodes=10_000).think(position.view(), Limit(simulations=30_001))
    assert thought.simulations == 30_001
    assert sum(c.visits for c in thought.candidates) == 30_001


@pytest.mark.skipif(INTERPRETED or "NUMBA_BOUNDSCHECK" in os.environ, reason="one slow chunk may take longer than the limit")
@pytest.mark.parametrize(
    "search", [TreeSearch(cutoff=8), FlatSearch(cutoff=8), AlphaBetaSearch(), TreeSearch(cutoff=8, threads=2)], ids=repr
)
def test_a_time_limit_is_kept(search):
    position = daedalus.new("blackhole", size=9, seed=1)
    search.think(position.view(), Limit(simulations=5))
    for seconds in (0.05, 0.3):
        think = functools.partial(search.think, position.view(), Limit(seconds=seconds))
        assert keeps_limit(think, seconds, late=max(0.02, 0.05 * seconds)), f"late every time with {seconds} s"


@pytest.mark.interpreted
def test_repetition_counts_as_a_draw_inside_a_search():
    """Searches must know what has stood on the board: going back there is worth nothing to either side."""
    game = daedalus.game("blackhole")
    position = Position.from_text(game, "R...R/R..R./..*../B..B./B...B R")
    for text in ("d4-e4", "d2-e2", "e4-b4", "e2-b2", "b4-e4", "b2-e2", "e4-b4", "e2-b2"):
        position.push(text)
    again = AlphaBetaSearch(full=True, table=0).think(position.view(), Limit(depth=1))
    values = {str(c.move): c.value for c in again.candidates}
    assert values["b4-e4"] == 0.0, "b4-e4 leads to a position that stood before"
    assert all(value != 0.0 for move, value in values.items() if move != "b4-e4")
    tree = TreeSearch(cutoff=0).think(position.view(), Limit(simulations=30))
    assert {str(c.move): c.value for c in tree.candidates}["b4-e4"] == 0.0
