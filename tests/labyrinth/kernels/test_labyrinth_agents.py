"""Labyrinth's players, what they may know, and its pictures."""

import re

import numpy as np
import pytest
from timing import keeps_limit

import daedalus
from daedalus import Limit, Move, Position
from daedalus.core.memory import copies, workspaces
from daedalus.core.registry import registration_of
from daedalus.games.labyrinth.race import chance, race_table
from daedalus.games.labyrinth.text import decoded

SMALL = "L1RI1AL2Y/T3aI0bT1c/L0GI1dL3B I0A R - R0,0;B2,2"


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "options, known",
    [
        ({}, "R:|a?????;B:|??????"),
        ({"goals": "own"}, "R:|abcdef;B:|??????"),
        ({"goals": "any"}, "R:|abcdef;B:|??????"),
        ({"open": True}, "R:|a?????;B:|g?????"),
        ({"open": True, "goals": "any"}, "R:|abcdef;B:|ghijkl"),
    ],
)
def test_a_seat_knows_what_the_options_let_it_know(options, known):
    game = daedalus.game("labyrinth", board="5x5", **options)
    fields = daedalus.new("labyrinth", board="5x5", seed=2).text.split()
    position = Position.from_text(game, " ".join([*fields[:5], "R:|abcdef;B:|ghijkl", fields[6]]))
    assert position.view(0).text.split()[5] == known


def test_redeal_keeps_what_the_seat_knows_and_deals_the_rest_evenly():
    from scipy.stats import chisquare

    game = daedalus.game("labyrinth", board="3x3")
    position = Position.from_text(game, f"{SMALL} R:|ab;B:|cd 0")
    seen = {}
    for seed in range(3000):
        view = position.view(0, seed=seed)
        deck = tuple(view.state.deck[:4].tolist())
        assert deck[0] == 1 and sorted(deck) == [1, 2, 3, 4]
        seen[deck] = seen.get(deck, 0) + 1
    assert len(seen) == 6 and chisquare(list(seen.values())).pvalue > 1e-3


@pytest.mark.parametrize(
    "spec",
    [
        "random",
        "rulebased",
        "advanced",
        "planner",
        "mc:each=3",
        "mc:double,rulebased,allstar,each=5",
        "expert:simulations=60",
        "mcts:simulations=60",
    ],
)
def test_hidden_cards_do_not_change_the_move(spec):
    game = daedalus.game("labyrinth", board="3x3")
    moves = set()
    for cards in ("R:|ab;B:|cd", "R:|ac;B:|db", "R:|ad;B:|bc"):
        moves.add(str(daedalus.agent(spec, game, seed=7).choose(Position.from_text(game, f"{SMALL} {cards} 0").view()).move))
    assert len(moves) == 1


@pytest.mark.parametrize("spec", ["rulebased", "advanced", "planner", "mc:each=4", "expert:simulations=100"])
def test_players_come_home_when_they_can(spec):
    game = daedalus.game("labyrinth", board="3x3")
    position = Position.from_text(game, f"{SMALL} R:ab|;B:|cd 0")
    position.push(daedalus.agent(spec, game, seed=3).choose(position.view()).move)
    assert position.outcome() is not None and position.outcome().winner == 0


def test_rulebased_takes_the_first_insertion_that_reaches_its_goal():
    game = daedalus.game("labyrinth", board="5x5")
    checked = 0
    for seed in range(40):
        position = Position(game, seed)
        goal = int(position.state.deck[0])
        for move in position.legal_moves.codes:
            after = position.copy()
            after.push(move)
            if after.state.found[0]:
                chosen = daedalus.agent("rulebased", game, seed=1).choose(position.view()).move
                assert int(chosen) == move, (position.text, goal)
                checked += 1
                break
    assert checked > 10


def test_the_eight_monte_carlo_agents_answer_to_the_thesis_names():
    game = daedalus.game("labyrinth", board="3x3")
    view = Position(game, 1).view()
    for stage, word in (("S", "single"), ("D", "double")):
        for rb in ("", "-RB"):
            for star in ("", "-AS"):
                agent = daedalus.agent(f"{stage}{rb}{star}-MCAgent:each=3,first=2", game)
                assert (agent.stage, agent.playouts, agent.allstar) == (word, "rulebased" if rb else "random", bool(star))
                assert agent.choose(view).move in view.legal_moves.codes
    thought = daedalus.agent("mc:single", game).choose(view)
    assert thought.simulations == 100 * len(view.legal_moves), "100 play-outs for every candidate"
    stars = daedalus.agent("mc:single,allstar", game).choose(view)
    assert stars.simulations == 10 * len(view.legal_moves) + 10 * 100


@pytest.mark.parametrize("spec", ["mc:single,rulebased", "expert"])
def test_a_limit_is_kept(spec):
    game = daedalus.game("labyrinth", board="15x15")
    agent = daedalus.agent(spec, game, seed=1)
    view = Position(game, 2).view()
    agent.prepare(game)
    assert agent.choose(view, Limit(seconds=0.05)).move in view.legal_moves.codes
    assert keeps_limit(lambda: agent.choose(view, Limit(seconds=0.05)), 0.05, late=0.1)
    assert daedalus.agent(spec, game).choose(view, Limit(simulations=40)).simulations <= 80


def test_a_play_out_deals_unknown_cards_evenly():
    """The first goal of blue, seen through what a rule-based player would find, takes each unknown card equally often."""
    from daedalus.games.labyrinth.kernels.knowledge import conceal, hide, look

    game = daedalus.game("labyrinth", board="3x3")
    position = Position.from_text(game, f"{SMALL} R:|ab;B:|cd 0")
    S, W = copies(game, [position.state], 2), workspaces(game, 1, 4)
    counts = dict.fromkeys((2, 3, 4), 0)
    hidden = hide(game, S[0], W[0], 0)
    with np.errstate(over="ignore"):  # random bits wrap
        for _ in range(3000):
            S[1] = S[0]
            conceal(game, S[1], W[0], hidden)
            look(game, S[1], W[0], 1)
            counts[int(S[1].deck[2])] += 1
    assert max(counts.values()) - min(counts.values()) < 180  # five standard deviations


@pytest.mark.interpreted
def test_the_race_table_is_a_fair_race():
    table = race_table(0.5, 0.5, 0.5, 0.0)
    assert table[1, 1] == pytest.approx(2 / 3)  # 1/2 + 1/2 * (1 - x)
    assert np.all(np.diff(table[1:, 3]) < 0) and np.all(np.diff(table[3, 1:]) > 0)


@pytest.mark.interpreted
def test_the_race_is_slower_where_goals_are_known_and_homes_guarded():
    rates = (0.6, 0.25, 0.1, 1.0)
    assert chance(1, 5, *rates, False) == 0.25 and chance(5, 1, *rates, False) == 0.1
    assert chance(2, 2, *rates, False) == pytest.approx(0.3)  # of two cards left one is the own: the other's is known
    assert chance(3, 3, *rates, False) == pytest.approx(0.45)  # three that it may be
    assert chance(9, 9, *rates, True) == pytest.approx(0.3)  # open goals are known at any time
    assert race_table(*rates)[2, 1] < race_table(0.6, 0.25, 0.6, 1.0)[2, 1]


def test_players_of_play_outs_keep_the_next_seat_from_a_goal_they_know():
    """With one card left to each, both know both goals; who cannot find its own now looks after the other's."""
    from daedalus.games.labyrinth.kernels.policies import GUARDING, PLANNING, scan, take_turn

    game = daedalus.game("labyrinth", board="7x7", objects=2)
    W = workspaces(game, 1, 3)
    left_open = {PLANNING: 0, GUARDING: 0}
    with np.errstate(over="ignore"):
        for seed in range(40):
            state = Position(game, seed).state
            if scan(game, copies(game, [state], 1)[0], W[0], 0) < 0:
                for policy in left_open:
                    s = copies(game, [state], 1)[0]
                    take_turn(game, s, W[0], policy)
                    left_open[policy] += scan(game, s, W[0], 0) >= 0
    assert 2 * left_open[GUARDING] < left_open[PLANNING]  # it tries a few pushes only


def in_reach(state, seat, game):
    """The markers that a seat could reach with one push, were it to move."""
    from daedalus.games.labyrinth.kernels.sequential_halving import markers_in_reach

    s = copies(game, [state], 1)[0]
    bits = int(markers_in_reach(game, s, workspaces(game, 1, 1)[0], seat))
    return {marker for marker in range(1, 27) if bits >> marker & 1}


def suspicions(game, view):
    """The weights by which the expert deals the goals of the others."""
    kernels = registration_of(game).kernels.load("daedalus.games.labyrinth.kernels.suspicion")
    weights = np.zeros((4, 31))
    made = [decoded(game, int(move)) for move in view.history]
    where = (np.array([move[k] for move in made], np.int64) for k in (0, 2))
    kernels.suspect(game, copies(game, [view.state], 2), workspaces(game, 1, 1), *where, weights)
    return weights


def test_goals_that_a_turn_left_or_turned_away_from_are_unlikely():
    from daedalus.games.labyrinth.kernels.suspicion import UNLIKELY

    game = daedalus.game("labyrinth")
    kinds = set()
    with np.errstate(over="ignore"):
        for seed in range(12):
            position = Position(game, seed)
            position.push(position.legal_moves[seed])
            before = in_reach(position.state, 1, game)
            position.push(position.legal_moves[7 * seed])
            if position.state.found[1]:
                continue
            after = in_reach(position.state, 1, game)
            weights = suspicions(game, position.view())
            for marker in range(1, 27):
                breaches = (marker in before) + (marker not in after)
                kinds.add(breaches)
                assert weights[1, marker] == pytest.approx(UNLIKELY**breaches), (seed, marker)
            assert np.all(weights[0] == 1.0)  # one's own goals are known
    assert kinds == {0, 1, 2}


def test_a_goal_found_ends_what_earlier_turns_tell():
    game = daedalus.game("labyrinth")
    checked = 0
    for seed in range(40):
        position = Position(game, seed)
        position.push(position.legal_moves[0])
        position.push(daedalus.agent("rulebased", game, seed=1).choose(position.view()).move)
        if position.state.found[1]:
            checked += 1
            assert np.all(suspicions(game, position.view()) == 1.0)
    assert checked > 5


def test_goals_are_dealt_as_likely_as_suspected():
    from daedalus.games.labyrinth.kernels.knowledge import conceal
    from daedalus.games.labyrinth.kernels.sequential_halving import hide_by_weight, note_weights

    game = daedalus.game("labyrinth", board="3x3")
    position = Position.from_text(game, f"{SMALL} R:|ab;B:|cd 0")
    S, W = copies(game, [position.state], 2), workspaces(game, 1, 4)
    weights, counts = np.ones((4, 31)), dict.fromkeys((2, 3, 4), 0)
    weights[1, 2], weights[1, 3] = 6.0, 3.0
    with np.errstate(over="ignore"):
        note_weights(game, W[0], weights)
        for _ in range(2000):
            S[1] = S[0]
            conceal(game, S[1], W[0], hide_by_weight(game, S[0], W[0], 0))
            counts[int(S[1].deck[2])] += 1
    for marker, share in ((2, 0.6), (3, 0.3), (4, 0.1)):
        assert abs(counts[marker] / 2000 - share) < 0.05  # more than four standard deviations


def test_an_expert_that_is_told_moves_as_texts_decides_alike():
    game = daedalus.game("labyrinth", board="3x3")
    position = Position(game, 5)
    for k in range(6):
        position.push(position.legal_moves[3 * k])
    view, told = position.view(), position.view()
    told.history = [Move(-1, str(move)) for move in view.history]
    first, second = (daedalus.agent("expert:simulations=60", game, seed=2).choose(v) for v in (view, told))
    assert (str(first.move), first.value) == (str(second.move), second.value)


def test_walls_in_the_way_are_counted_as_few_as_there_are():
    """Against a search cell by cell, on a board whose cells fill one word and on one of four words."""
    from daedalus.games.labyrinth.kernels.maze import MANY, exits_at, note_walls, walls_between

    for board in ("original", "15x15"):
        game = daedalus.game("labyrinth", board=board)
        s, w, side = Position(game, 3).state, workspaces(game, 1, 1)[0], game.side
        cells = [side * r + c for r in range(s.rows) for c in range(s.columns)]
        sides = ((-side, 1, 4), (1, 2, 8), (side, 4, 1), (-1, 8, 2))
        walls = {cells[0]: 0}
        queue = [cells[0]]
        while queue:  # nearest first
            cell = queue.pop(0)
            for step, out, back in sides:
                beside = cell + step
                if beside in cells and (abs(step) > 1 or beside // side == cell // side):
                    is_open = exits_at(s, cell) & out and exits_at(s, beside) & back
                    cost = walls[cell] + (0 if is_open else 1)
                    if cost < walls.get(beside, 99):
                        walls[beside] = cost
                        queue.append(beside)
        with np.errstate(over="ignore"):
            note_walls(s, w, cells[0])
            assert [w.walls[cell] for cell in cells] == [min(walls[cell], MANY) for cell in cells]
            for cell in cells[::9]:
                assert walls_between(s, w, cells[0], cell) == min(walls[cell], MANY)


@pytest.mark.interpreted
def test_parts_of_goals_lie_between_whole_ones():
    from daedalus.games.labyrinth.kernels.sequential_halving import between

    table = race_table(0.5, 0.3, 0.1, 1.5)
    assert between(table, 3, 2) == pytest.approx(table[3, 2])
    assert between(table, 2.5, 4) == pytest.approx((table[2, 4] + table[3, 4]) / 2)
    assert between(table, 2, 4.25) == pytest.approx(0.75 * table[2, 4] + 0.25 * table[2, 5])


def test_of_three_players_who_leads_is_hindered():
    from daedalus.games.labyrinth.kernels.policies import is_to_guard

    game = daedalus.game("labyrinth", board="5x5", players=3, open=True)
    fields = Position(game, 1).text.split()
    guards = {}
    for leader in "YB":
        piles = {"R": "|abcd", "Y": "|efgh", "B": "|ijkl"}
        piles[leader] = piles[leader][1:3] + "|" + piles[leader][3:]
        fields[5] = ";".join(f"{letter}:{cards}" for letter, cards in piles.items())
        s, w = copies(game, [Position.from_text(game, " ".join(fields)).state], 1)[0], workspaces(game, 1, 1)[0]
        guards[leader] = is_to_guard(game, s, w, -1)
    assert guards == {"Y": True, "B": False}  # yellow is the next, and blue is not


def test_a_planner_that_overlooks_most_insertions_moves_by_those_it_sees():
    game = daedalus.game("labyrinth")
    whole, part = daedalus.agent("planner", game, seed=1), daedalus.agent("planner:sees=0.2", game, seed=1)
    missed = 0
    for seed in range(20):
        view = Position(game, seed).view()
        finds = [after(view, agent.choose(view).move).found[0] for agent in (whole, part)]
        assert finds[0] >= finds[1]
        missed += finds[0] > finds[1]
    assert missed > 0


def after(view, move):
    position = view.copy()
    position.push(move)
    return position.state


def wins_at_once(position):
    return any(after.outcome() is not None for after in successors(position))


def successors(position):
    for move in position.legal_moves.codes:
        after = position.copy()
        after.push(move)
        yield after


def test_a_move_that_comes_home_for_certain_is_found_when_there_is_one():
    """Against a plain search of all replies, on boards where two lines can be pushed."""
    game = daedalus.game("labyrinth", board="4x4", objects=4, rows="1", columns="1", cap=0)
    kernels = registration_of(game).kernels.load("daedalus.games.labyrinth.kernels.endgame")
    verdicts = []
    for seed in range(30):
        text = Position(game, seed).text.split()
        cards = "".join(sorted(set(text[5]) & set("abcd")))
        blue = f"{cards[2:]}|" if seed % 2 else f"|{cards[2:]}"
        text[4:6] = "R1,2;B2,0", f"R:{cards[:2]}|;B:{blue}"
        position = Position.from_text(game, " ".join(text))
        if not wins_at_once(position):
            certain = any(all(wins_at_once(reply) for reply in successors(after)) for after in harmless(position))
            move = kernels.winning_move(game, copies(game, [position.state], 3), workspaces(game, 1, 1))
            assert (move >= 0) == certain, position.text
            verdicts.append(certain)
    assert True in verdicts and False in verdicts


def harmless(position):
    """The positions after moves that do not let the other seat win at once."""
    return (after for after in successors(position) if not wins_at_once(after))


def test_expert_beats_the_rule_based_player():
    game = daedalus.game("labyrinth", board="3x3")
    players = daedalus.agent("expert:simulations=300", game, seed=1), daedalus.agent("rulebased", game, seed=2)
    points = 0
    for number in range(10):
        position = Position(game, number // 2)
        while position.outcome() is None:
            position.push(players[(position.turn + number) % 2].choose(position.view()).move)
        points += position.outcome().payoffs[number % 2] > 0
    assert points >= 7


@pytest.mark.interpreted
def test_the_terminal_shows_the_thesis_view():
    position = Position(daedalus.game("labyrinth"), 1, dealing=1)
    lines = str(position).split("\n")
    assert max(map(len, lines)) <= 80 and len(lines) == 1 + 21 + 1 + 5
    assert "1▼" in lines[0] and "0▼" not in lines[0] and lines[5].strip().startswith("1 ▶")
    assert "extra" in lines[25] and re.search(r"T0 +T1 +T2 +T3", lines[27])
    assert max(map(len, str(daedalus.new("labyrinth", board="9x9", seed=1)).split("\n"))) <= 80
    large = daedalus.new("labyrinth", board="15x15", seed=1)
    widths = [max(map(len, text.plain.split("\n"))) for text in large.game.pictures(large.state, None, None, False)]
    assert widths == sorted(widths, reverse=True) and widths[-1] < 100 < widths[0]


@pytest.mark.interpreted
def test_several_pawns_on_a_tile_are_told_apart():
    game = daedalus.game("labyrinth", board="3x3")
    position = Position.from_text(game, f"{SMALL.replace('R0,0;B2,2', 'R1,1;B1,1')} R:|ab;B:|cd 0")
    assert "b●◆" in str(position)
    pawns = re.findall(r'transform="([^"]+)"[^>]*aria-label="pawn (.)"', position.svg())
    assert [letter for _, letter in pawns] == ["R", "B"] and pawns[0][0] != pawns[1][0]


@pytest.mark.interpreted
def test_a_move_is_touched_as_arrow_rotation_cell_and_the_svg_has_them_all():
    position = daedalus.new("labyrinth", seed=1)
    assert position.touches(position.legal_moves[0]) == ("arrow-W1", "rotation-0", "cell-0-0")
    live = set(re.findall(r'data-touch="([^"]+)"', position.svg()))
    assert {touch for move in position.legal_moves for touch in position.touches(move)} <= live
