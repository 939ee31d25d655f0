"""Players of Colosseum Survival!: the heuristic choice by the book, searches against brute force, limits, trees kept."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from timing import keeps_limit

import daedalus
from daedalus import InvalidSpec, Limit, Position
from daedalus.core.compile import INTERPRETED
from daedalus.core.kernels.bitsets import cells_of
from daedalus.core.memory import workspaces
from daedalus.games.colosseum.agents import AGENTS, fault_move, kept_back
from daedalus.games.colosseum.kernels import pvs
from daedalus.games.colosseum.kernels.evaluations import Territory
from daedalus.games.colosseum.kernels.policies import HeuristicChoice, best_graded
from daedalus.games.colosseum.report import ReportSearch
from daedalus.search.budget import Budget

compiled = pytest.mark.skipif(INTERPRETED, reason="takes compiled searches")


def position(text, **options):
    return Position.from_text(daedalus.game("colosseum", size=int(text.split()[0]), **options), text)


def positions(size, seeds, every=3, spec="walk"):
    """Some positions of games of an agent against itself."""
    for seed in seeds:
        game = daedalus.new("colosseum", size=size, seed=seed)
        agent = daedalus.agent(spec, game.game, seed=seed)
        while game.outcome() is None:
            if len(game.history) % every == 0:
                yield game.copy()
            game.push(agent.choose(game.view(), Limit(simulations=50)).move)


# --- the report's heuristic choice ----------------------------------------------------------------------------------


REPORT = HeuristicChoice()


def walls_around(game, cell):
    size, text = game.game.size, game.text.partition("|")[2].split()
    row, col = divmod(cell, size)
    names = (f"{row - 1},{col}d", f"{row},{col}r", f"{row},{col}d", f"{row},{col - 1}r")
    return sum(name in text for name in names) + (row == 0) + (col == size - 1) + (row == size - 1) + (col == 0)


def heuristic_choices(game, choice=REPORT):
    """The moves that the specification allows the heuristic choice, found by playing each."""
    going, winning, size = [], [], game.game.size
    for move in game.legal_moves.codes:
        after = game.copy()
        after.push(move)
        won = after.outcome() and after.outcome().payoffs[game.turn] > 0
        if won and choice.wins:
            winning.append(move)
        elif won or not after.outcome() or not choice.safe:
            going.append((move, walls_around(after, move >> 2)))
    roomy = [move for move, walls in going if choice.roomy and walls < 3]
    inner = [move for move, _ in going if choice.inner and all(0 < x < size - 1 for x in divmod(move >> 2, size))]
    return winning or roomy or inner or [move for move, _ in going] or game.legal_moves.codes


# Positions in which each rule of the choice decides: a win at hand; a narrow passage; only the border; every move ends it;
# a ring of four cells, two of them on the border.
CORNERED = [
    "5 0,4 0,0 A | 0,0d 0,1d 0,2d 0,3d 1,4d 1,3r 0,2r",
    "5 4,4 0,0 B | 0,0r 1,0r 2,0r 3,0r",
    "5 0,0 4,4 A | 0,0r 1,0r 2,0r 3,0r",
    "5 0,0 0,4 A | 0,0d 0,1d 0,2d 0,3d 0,4d",
    "5 0,0 0,1 A | 0,0d 0,1d",
    "5 2,0 2,2 B | 1,0d 1,1d 1,2d 1,3d 2,0d 2,1d 2,2d 2,3d",
    "5 1,0 2,1 A | 0,0d 0,1d 1,1r 2,0d 2,1d 2,1r",
]


@pytest.mark.interpreted
def test_the_heuristic_choice_is_the_reports():
    kinds = Counter()
    games = [position(text) for text in CORNERED]
    games += positions(6, (1, 2)) if INTERPRETED else [*positions(6, range(6)), *positions(9, range(3))]
    for game in games:
        if game.outcome() is not None:
            continue
        allowed = heuristic_choices(game)
        w = workspaces(game.game, 1, 3)[0]
        with np.errstate(over="ignore"):
            quick = {int(HeuristicChoice().pick(game.game, game.state, w)) for _ in range(12)}
            n = game.game.moves(game.state, w)
            listed = int(best_graded(game.game, HeuristicChoice(), game.state, w, n))
        assert quick <= set(allowed) and listed in allowed, game.text
        kinds[len(quick) > 1] += 1
    assert kinds[True] and kinds[False]


@pytest.mark.interpreted
@pytest.mark.parametrize("off", ["wins", "safe", "roomy", "inner", "roomy inner", "wins safe", "wins safe roomy inner"])
def test_each_part_of_the_heuristic_choice_can_be_switched_off(off):
    choice = REPORT._replace(**dict.fromkeys(off.split(), 0))
    differs = False
    for game in [*map(position, CORNERED), position("5 2,2 0,0 A | 0,0r 1,0r"), *positions(6, (1,))]:
        if game.outcome() is not None:
            continue
        allowed = set(heuristic_choices(game, choice))
        differs |= allowed != set(heuristic_choices(game))
        w = workspaces(game.game, 1, 3)[0]
        with np.errstate(over="ignore"):
            quick = {int(choice.pick(game.game, game.state, w)) for _ in range(12)}
            listed = int(best_graded(game.game, choice, game.state, w, game.game.moves(game.state, w)))
        assert quick <= allowed and listed in allowed, game.text
    assert differs


@pytest.mark.interpreted
def test_the_heuristic_choice_is_uniform_among_equals():
    game = position("5 1,1 4,4 A | 0,0r 2,1r 1,2d 3,3r")
    allowed = heuristic_choices(game)
    n, w = 1500, workspaces(game.game, 1, 9)[0]
    with np.errstate(over="ignore"):
        seen = Counter(int(HeuristicChoice().pick(game.game, game.state, w)) for _ in range(n))
    assert set(seen) == set(allowed) and 20 < len(allowed) < len(game.legal_moves)
    p = 1 / len(allowed)
    assert all(abs(count - n * p) < 4.5 * (n * p * (1 - p)) ** 0.5 for count in seen.values())


# --- expert ---------------------------------------------------------------------------------------------------------


def value_for(game, seat):
    """Exact when it has ended, else the evaluation, as `expert` counts it."""
    if game.outcome() is not None:
        return game.outcome().payoffs[seat]
    with np.errstate(over="ignore"):
        return float(Territory().value(game.game, game.state, seat, None))


@pytest.mark.interpreted
def test_a_move_is_judged_as_if_it_were_played():
    for game in positions(5, (1,) if INTERPRETED else (1, 2, 3)):
        right, down = cells_of(game.state, "right"), cells_of(game.state, "down")
        for move in game.legal_moves.codes[:: 9 if INTERPRETED else 2]:
            score, final = pvs.judged(game.game, Territory(), game.state, right, down, move)
            after = game.copy()
            after.push(move)
            expected = value_for(after, game.turn)
            assert final == (after.outcome() is not None)
            assert (score / pvs.WIN if final else score / (100 + abs(score))) == pytest.approx(expected), (game.text, move)


@compiled
def test_two_plies_ahead_expert_is_brute_force():
    for game in positions(5, (4, 5), every=4):
        best = -2.0
        for move in game.legal_moves.codes:
            after = game.copy()
            after.push(move)
            replies = [value_for(pushed(after, reply), game.turn) for reply in after.legal_moves.codes]
            best = max(best, min(replies) if replies else value_for(after, game.turn))
        thought = daedalus.agent("expert:depth=2", game.game).choose(game.view())
        assert thought.value == pytest.approx(best), game.text


def pushed(game, move):
    after = game.copy()
    after.push(move)
    return after


def test_the_further_back_a_move_is_sorted_the_fewer_plies_it_is_searched():
    def less(depth):
        return [int(pvs.reduction(SimpleNamespace(depth=depth, place=place))) for place in (2, 3, 8, 24, 48)]

    assert less(2) == [0, 0, 0, 0, 0]
    assert less(3) == [0, 1, 1, 1, 1]
    assert less(6) == [0, 1, 2, 3, 4]


def test_near_the_end_only_the_moves_sorted_first_are_searched():
    def leaves_out(depth, place, beta=1, best=-5):
        return bool(pvs.is_wide_enough(SimpleNamespace(depth=depth, place=place, alpha=0, beta=beta, best=best)))

    assert [leaves_out(depth, 24) for depth in (2, 3, 4, 5)] == [False, True, False, False]
    assert [leaves_out(depth, 48) for depth in (2, 3, 4, 5)] == [False, True, True, False]
    assert not leaves_out(3, 24, beta=9), "on the principal variation every move counts"
    assert not leaves_out(3, 24, best=-pvs.WIN), "all lost so far: there may be a way out"


@compiled
def test_expert_wins_at_once_and_sees_that_it_will():
    trapped = position("5 2,2 0,0 A | 0,0r 1,0r")
    thought = daedalus.agent("expert", trapped.game).choose(trapped.view(), Limit(simulations=20000))
    assert thought.note == "win in 1" and thought.value == 1.0
    trapped.push(thought.move)
    assert trapped.outcome().winner == 0


@compiled
def test_expert_gives_the_same_answer_however_its_work_is_cut_into_chunks():
    game = daedalus.new("colosseum", size=7, seed=5)
    whole = daedalus.agent("expert:depth=3", game.game).choose(game.view(), Limit())
    run = _run_in_steps(game, 3, 100)
    assert run.best_line[0] == int(whole.move)
    assert run.score / (100 + abs(run.score)) == pytest.approx(whole.value)


def _run_in_steps(game, depth, chunk):
    from daedalus.games.colosseum.expert import PrincipalSearch

    run = PrincipalSearch().run(game.view(), Limit())
    run.look()
    while run.reached < depth:
        run.set_root(run.reached + 1)
        while not run.advance(chunk)[0]:
            pass
        run.keep()
        run.reached += 1
    return run


# --- seed -----------------------------------------------------------------------------------------------------------


@compiled
def test_seed_plays_a_win_at_hand_without_searching():
    game = position("5 2,2 0,0 A | 0,0r 1,0r")
    thought = daedalus.agent("seed", game.game).choose(game.view(), Limit(simulations=500))
    assert thought.note == "win in 1" and thought.simulations == 0


@compiled
def test_seed_without_a_part_of_its_choice_plays_otherwise():
    won = position("5 2,2 0,0 A | 0,0r 1,0r")
    assert daedalus.agent("seed:wins=no", won.game).choose(won.view(), Limit(simulations=50)).simulations == 50
    game = daedalus.new("colosseum", size=6, seed=2)

    def visits(*parts):
        agent = daedalus.agent(",".join(["seed:untried=first", *parts]), game.game, seed=1)
        return {str(c.move): c.visits for c in agent.choose(game.view(), Limit(simulations=1500)).candidates}

    report = visits()
    assert report == visits("wins=yes,safe=yes,roomy=yes,inner=yes,rollout=heuristic")
    for part in ("wins=no", "safe=no", "roomy=no", "rollout=uniform"):
        assert visits(part) != report, part


@compiled
def test_seed_keeps_its_tree_between_moves():
    game = daedalus.new("colosseum", size=6, seed=2)
    agent = daedalus.agent("seed:untried=first", game.game)
    first = agent.choose(game.view(), Limit(simulations=4000))
    game.push(first.move)
    game.push(game.legal_moves[0])
    kept = agent.choose(game.view(), Limit(simulations=1))
    anew = daedalus.agent("seed:untried=first", game.game).choose(game.view(), Limit(simulations=1))
    assert sum(c.visits for c in kept.candidates) > sum(c.visits for c in anew.candidates) == 1


@compiled
def test_untried_moves_count_zero_or_go_first():
    game = daedalus.new("colosseum", size=6, seed=2)
    tried = {
        untried: sum(c.visits > 0 for c in ReportSearch(untried=untried).think(game.view(), Limit(simulations=400)).candidates)
        for untried in ("zero", "first")
    }
    # visited once, a move is worth more than 0 from then on: hardly any other is tried
    assert tried["zero"] < 5 and tried["first"] == len(game.legal_moves)


@compiled
def test_implicit_minimax_changes_the_search_and_the_same_seed_does_not():
    game = daedalus.new("colosseum", size=6, seed=3)

    def visits(spec):
        thought = daedalus.agent(spec, game.game, seed=1).choose(game.view(), Limit(simulations=2000))
        return {str(c.move): c.visits for c in thought.candidates}

    assert visits("seed:untried=first") == visits("seed:untried=first") != visits("seed:untried=first,implicit=0.2")


@compiled
def test_a_full_tree_is_searched_on_without_new_nodes():
    game = daedalus.new("colosseum", size=6, seed=3)
    thought = ReportSearch(untried="first", nodes=50).think(game.view(), Limit(simulations=2000))
    assert thought.simulations == 2000 and thought.move in game.legal_moves


# --- all of them ----------------------------------------------------------------------------------------------------


@compiled
@pytest.mark.parametrize("spec", ["expert", "seed", "seed:untried=first,implicit=0.2", "alphabeta"])
def test_a_limit_is_kept_on_a_large_board_from_the_first_move_of_a_game_on(spec):
    game = daedalus.new("colosseum", size=12, seed=1)
    agent = daedalus.agent(spec, game.game)
    agent.prepare(game.game)

    def first_move():
        agent.new_game(1)
        assert agent.choose(game.view(), Limit(seconds=0.1)).simulations > 100

    assert keeps_limit(first_move, 0.1, late=0.03)


@pytest.mark.interpreted
def test_a_search_ends_while_there_is_time_for_a_chunk_that_is_held_up():
    clock = SimpleNamespace(elapsed=0.0, left=1.0)
    budget = Budget(clock)

    def work(seconds):
        chunk = budget.next()
        clock.elapsed, clock.left = clock.elapsed + seconds, clock.left - seconds
        budget.note(chunk)
        return chunk

    assert work(0.01) and work(0.11) and work(0.01) and work(0.31) and clock.left == pytest.approx(0.56)
    assert budget.next() == 0  # the processor was away for 0.3 s, and may be again


@compiled
def test_a_first_move_may_have_its_own_limit():
    game = daedalus.new("colosseum", size=6, seed=1)
    agent = daedalus.agent("expert:first=0.02,seconds=30", game.game)
    assert agent.bounds(game.view(), Limit()) == kept_back(Limit(seconds=0.02))
    game.push(game.legal_moves[0])
    assert agent.bounds(game.view(), Limit()) == kept_back(Limit(seconds=0.02)), "B's first move"
    game.push(game.legal_moves[0])
    assert agent.bounds(game.view(), Limit(seconds=1.0)) == kept_back(Limit(seconds=1.0))
    assert daedalus.agent("seed", game.game).bounds(game.view(), Limit()) == kept_back(Limit(seconds=1.0))
    assert daedalus.agent("seed", game.game).bounds(Position(game.game, 1), Limit()) == kept_back(Limit(seconds=20.0))


@compiled
@pytest.mark.parametrize("name", [*AGENTS, "alphabeta", "mcts", "greedy", "mc"])
def test_every_player_finishes_a_game(name):
    game = daedalus.new("colosseum", size=5, seed=2)
    agent = daedalus.agent(name, game.game)
    while game.outcome() is None:
        game.push(agent.choose(game.view(), Limit(simulations=60, depth=2)).move)
    assert game.outcome().reason.startswith("the zones are apart")


@compiled
def test_an_unknown_evaluation_is_refused():
    with pytest.raises(InvalidSpec, match="territory"):
        daedalus.agent("expert:eval=mystery", daedalus.game("colosseum"))


@pytest.mark.interpreted
def test_a_fault_is_a_walk_only_if_the_option_says_so():
    assert fault_move(daedalus.new("colosseum", seed=1), 1) is None
    game = daedalus.new("colosseum", seed=1, faults="walk")
    moves = {fault_move(game, seed) for seed in range(20)}
    assert len(moves) > 5 and all(move in game.legal_moves for move in moves)


@compiled
def test_expert_beats_the_walk_and_the_levels_stand_in_order():
    def score(one, two, games=4):
        total = 0.0
        for seed in range(games):
            game = daedalus.new("colosseum", size=7, seed=seed // 2)
            seats = (one, two) if seed % 2 else (two, one)
            agents = [daedalus.agent(spec, game.game, seed=seed) for spec in seats]
            while game.outcome() is None:
                game.push(agents[game.turn].choose(game.view(), Limit(simulations=20_000)).move)
            total += 0.5 + 0.5 * game.outcome().payoffs[seats.index(one)]
        return total / games

    assert score("novice", "walk") >= 0.75
    assert score("expert", "novice") >= 0.75
