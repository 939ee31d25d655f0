"""Players of Saboteur: what the report's agent does, what the careful builder avoids, and what a search finds."""

import numpy as np
import pytest

import daedalus
from daedalus import Limit, Position
from daedalus.agents import check_game as check
from daedalus.core.compile import INTERPRETED
from daedalus.core.kernels.random import scramble
from daedalus.core.memory import copies, states, workspaces
from daedalus.core.registry import registration_of
from daedalus.games.saboteur.agents import evidence, slips_expected
from daedalus.games.saboteur.kernels import policies
from daedalus.games.saboteur.kernels.greedy import Greedy
from daedalus.games.saboteur.kernels.habits import Likely
from daedalus.games.saboteur.kernels.race import look
from daedalus.games.saboteur.kernels.tiles import MAP
from daedalus.search import Own
from daedalus.search.kernels.pick import pick
from daedalus.search.kernels.policies import Even

GAME = daedalus.game("saboteur")
CARD_NAMES = [*map(str, range(16)), "map", "malus", "bonus", "destroy"]
WISHES = daedalus.agent("greedy,destroy", GAME).policy()
PATH = "6,5:0 7,5:0 8,5:6 9,5:6 10,5:6"  # one tile is missing at 11,5
TURN = "6,5:0 7,5:0 8,5:0 9,5:0 10,5:8"


def position(hand, tiles="", goals="p n p", malus="0 0", flags="000 000 000"):
    return Position.from_text(GAME, f"0 | {malus} | {flags} | {goals} | {hand} | 8 8 8 | 7 7 9 9 | {tiles}")


def move(spec, *given, **more):
    return str(daedalus.agent(spec, GAME, seed=1).choose(position(*given, **more).view(), Limit(simulations=400)).move)


# --- the report's agent ---------------------------------------------------------------------------------------------


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "hand, more, expected",
    [
        ("0 bonus malus map", {"malus": "1 0"}, "bonus"),  # locked: Bonus, Malus, Map, drop
        ("0 destroy malus map", {"malus": "1 0"}, "malus"),
        ("0 destroy map", {"malus": "1 0"}, "map@12,3"),
        ("0 map malus", {"malus": "0 1"}, "map@12,3"),  # unlocked; no second malus on a locked rival
        ("0 map", {"flags": "000 100 000", "goals": "p p n"}, "map@12,5"),
        ("0 map", {"flags": "000 110 000", "goals": "p p n"}, "0@6,5"),  # two plain ones seen: the third is the goal
        ("0 malus", {}, "malus"),
        ("10 0 7", {}, "0@6,5"),  # the nearest connected tile
        ("10 map 1 destroy", {"flags": "000 010 000", "malus": "1 0"}, "drop:b"),  # drop: Map if known,
        ("10 1 destroy", {"malus": "1 0"}, "drop:c"),  # Destroy,
        ("10 1 4", {"malus": "1 0"}, "drop:b"),  # invalid tile,
        ("7 10", {"malus": "1 0"}, "drop:a"),  # valid tile
    ],
)
def test_greedy_ranks_cards_as_the_report_says(hand, more, expected):
    assert move("greedy", hand, **more) == expected


@pytest.mark.interpreted
def test_greedy_heads_for_the_goal_it_knows():
    # both moves lie equally near the middle objective; the nugget on the right makes the eastern turn better
    assert move("greedy", "7", "6,5:8", flags="000 001 000", goals="p p n") in ("7@7,5", "7@6,6")
    assert move("greedy", "10", "6,5:8 7,5:8", flags="000 100 000", goals="n p p") == "10@7,4"


@pytest.mark.interpreted
def test_greedy_never_plays_dead_ends_or_unconnected_tiles():
    assert move("greedy", "1 2 4") in ("drop:a", "drop:b", "drop:c")
    assert move("greedy", "0", "9,5:0").startswith(("0@6,5", "0@4,5"))


@pytest.mark.interpreted
def test_greedy_destroy_tears_or_blocks_a_path_that_the_other_could_finish():
    assert move("greedy", "10 destroy", PATH) == "10@10,4"
    assert move("greedy:destroy", "destroy 10", PATH) == "destroy@10,5"
    assert move("greedy:destroy", "1 10", PATH) == "1@11,5"
    assert move("greedy:destroy", "0 1", PATH) == "0@11,5", "better still, it finishes"


@pytest.mark.interpreted
def test_greedy_destroy_mends_a_cut_path():
    cut = "6,5:0 7,5:0 9,5:0 10,5:0"
    assert move("greedy:destroy", "10 6", cut, flags="000 010 000") == "6@8,5"


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "part, hand, tiles, more, expected",
    [
        ("goal=yes", "10", "6,5:8 7,5:8", {"flags": "000 001 000", "goals": "p p n"}, "10@7,6"),
        ("goal=no", "10", "6,5:8 7,5:8", {"flags": "000 001 000", "goals": "p p n"}, "10@7,4"),  # both as near to the middle
        ("bonus=no", "bonus map", "", {"malus": "1 0"}, "map@12,3"),
        ("malus=no", "malus 0", "", {}, "0@6,5"),
        ("map=no", "map 0", "", {}, "0@6,5"),
        ("valid=no", "1 10", "", {}, "1@6,5"),
        ("connected=no", "0", "9,5:0", {}, "0@10,5"),
        ("measure=spots", "9 6", "6,5:0", {}, "6@7,5"),  # its open south side is nearer
        ("measure=centre", "9 6", "6,5:0", {}, "9f@7,5"),
        ("measure=spots", "0", "6,5:0 8,5:13", {}, "0@7,5"),
        ("measure=ends", "0", "6,5:0 8,5:13", {}, "0@4,5"),  # on 7,5 it would open no new end
        ("finish", "malus 0", PATH, {}, "0@11,5"),
        ("block", "10 1", PATH, {}, "1@11,5"),
        ("block", "0 1", PATH, {}, "0@11,5"),  # nobody blocks a path that he can finish
        ("tear", "10 destroy", PATH, {}, "destroy@10,5"),
        ("mend", "10 6", "6,5:0 7,5:0 9,5:0 10,5:0", {"flags": "000 010 000"}, "6@8,5"),
        ("clear", "15 destroy", "6,5:0 7,5:1", {}, "destroy@7,5"),
        ("rows=ignore", "7", TURN, {}, "7@11,5"),
        ("rows=require", "7", TURN, {}, "7@10,4"),  # a path on row 11 must lead south
        ("destroy", "7", TURN, {"malus": "0 1"}, "7@10,4"),
        ("destroy,rows=ignore", "7", TURN, {"malus": "0 1"}, "7@11,5"),
    ],
)
def test_each_part_of_greedy_can_be_switched(part, hand, tiles, more, expected):
    assert move(f"greedy:{part}", hand, tiles, **more) == expected


# --- the careful builder --------------------------------------------------------------------------------------------


def missing(board, seat=0):
    return int(look(board.state, workspaces(GAME, 1, 1)[0], seat))


@pytest.mark.interpreted
def test_the_race_counts_the_tiles_that_are_missing():
    assert missing(position("0")) == 6
    assert missing(position("0", "6,5:0 7,5:0")) == 4
    assert missing(position("0", PATH)) == 1
    assert missing(position("0", flags="000 100 000", goals="n p p")) == 8, "to the left objective it is farther"
    cut = "6,5:0 8,5:0 9,5:6 10,5:6 11,5:8"
    assert missing(position("0", cut)) == 1, "a lost piece shortens the way: 7,5 joins it"
    assert missing(position("0", "6,5:0 8,5:1 9,5:6 10,5:6 11,5:8")) == 4, "around a dead end: 7,5 7,4 8,4 9,4"


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "hand, tiles, more, expected",
    [
        ("10 0", PATH, {}, "0@11,5"),  # finishes
        ("0 bonus", PATH, {"malus": "1 0"}, "bonus"),
        ("10 malus", PATH, {}, "malus"),
        ("10 1 destroy", PATH, {}, "1@11,5"),  # blocks rather than leave it to the other
        ("10 destroy", PATH, {}, "destroy@10,5"),
        ("0 map", "", {}, "map"),
        ("0 1", "", {"flags": "000 010 000"}, "0@6,5"),
        ("0 1", "6,5:0 7,5:0 8,5:0", {"flags": "000 010 000"}, "drop:b"),  # three are missing: it waits
        ("0 1", "6,5:0 7,5:0 8,5:0", {"flags": "000 010 000", "malus": "0 1"}, "0@9,5"),  # unless the other is locked
        ("bonus 12", "", {"malus": "0 0"}, "drop:b"),
    ],
)
def test_the_careful_builder_knows_the_race(hand, tiles, more, expected):
    assert move("careful", hand, tiles, **more).startswith(expected)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "hand, tiles, more, expected",
    [
        ("0 1", "", {"flags": "000 010 000"}, "drop:b"),  # the other shall build
        ("0 1", "6,5:0 7,5:0 8,5:0", {"flags": "000 010 000", "malus": "0 1"}, "0@9,5"),  # unless it is locked
        ("0 bonus 1", "", {"malus": "1 0", "flags": "000 010 000"}, "drop:c"),  # free in time for the last three tiles
        ("0 bonus 1", "6,5:0 7,5:0 8,5:0", {"malus": "1 0", "flags": "000 010 000"}, "bonus"),
        ("0 malus", "6,5:0 7,5:0 8,5:0", {"flags": "000 010 000"}, "malus"),  # runs with 0
        ("10 malus", "6,5:0 7,5:0 8,5:0", {"flags": "000 010 000"}, "drop:a"),  # could not run
    ],
)
def test_the_patient_builder_lets_the_other_build(hand, tiles, more, expected):
    assert move("careful:patient", hand, tiles, **more).startswith(expected)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "hand, tiles, hope, expected",
    [
        ("0 1", "6,5:0 7,5:0 8,5:0", 1, "0@9,5"),
        ("0 1", "6,5:0 7,5:0 8,5:0", 2, "drop:b"),  # one tile that leads on is not enough
        ("0 1 8", "6,5:0 7,5:0 8,5:0", 2, "@9,5"),
        ("0 10", "6,5:0 7,5:0 8,5:0", 2, "drop:b"),  # 10 leads east and west
    ],
)
def test_the_hopeful_builder_builds_on_with_tiles_in_the_hand(hand, tiles, hope, expected):
    assert expected in move(f"careful:hope={hope}", hand, tiles, flags="000 010 000")


# --- what moves tell ------------------------------------------------------------------------------------------------


def dealt(red, blue):
    """An opening of the usual deck with these cards in the hands, filled up with what is left."""
    rest = [card for card, count in zip(CARD_NAMES, GAME.counts, strict=True) for _ in range(count)]
    for card in (*red, *blue):
        rest.remove(card)
    red, blue = ([*hand, *(rest.pop(0) for _ in range(7 - len(hand)))] for hand in (red, blue))
    return Position.from_text(GAME, f"0 | 0 0 | 000 000 000 | p n p | {' '.join(red)} | {' '.join(blue)} | {' '.join(rest)} |")


def locked():
    """Blue is locked where three tiles are missing and drops twice; Red is to move."""
    board = dealt(["malus", "0", "0"], ["0", "0"])
    for text in ("0@6,5", "0@7,5", "0@8,5", "drop:b", "malus", "drop:b", "drop:a", "drop:b"):
        board.push(text)
    return board


@pytest.mark.interpreted
def test_who_stays_locked_holds_no_bonus():
    told = evidence(locked().view())[0]
    bonus, malus = MAP + 2, MAP + 1
    assert told.known and told.drops == 3
    assert told.cards[0, bonus] < 0.7 * told.cards[0, malus], "held all the time"
    assert told.cards[6].tolist() == [1.0] * 20, "nothing is known of the card just drawn"


@pytest.mark.interpreted
def test_nobody_likes_to_drop_a_malus():
    board = dealt([], [])
    for text in ("drop:a", "drop:a"):
        board.push(text)
    told = evidence(board.view())[0]
    assert told.lost[0, MAP + 1] < 0.5 * told.lost[0, 12]


@pytest.mark.interpreted
def test_who_looks_at_a_second_objective_has_not_found_the_nugget():
    board = dealt(["0", "0", "0"], ["map", "map"])
    for text in ("drop:a", "map@12,3", "drop:a", "map@12,7"):
        board.push(text)
    told = evidence(board.view())[0]
    assert told.nugget[0] < 0.1 and told.nugget[1] == told.nugget[2] == 1.0
    for text in ("0@6,5", "drop:a"):
        board.push(text)
    assert evidence(board.view())[0].known
    assert not evidence(Position.from_text(GAME, board.text).view())[0].known, "no history, no evidence"


@pytest.mark.interpreted
def test_likely_deals_hold_the_same_cards_and_follow_the_weights():
    view, w, held = locked().view(), workspaces(GAME, 1, 5)[0], [0, 0]
    before, dead_ends = cards_of(view.state), {1, 2, 3, 4, 11, 12, 13, 14, 15}
    for _ in range(30 if INTERPRETED else 400):
        for k, dealer in enumerate((Likely(evidence(view)[0]), Even())):
            S = copies(GAME, [view.state], 1)
            with np.errstate(over="ignore"):
                dealer.deal(GAME, S[0], 0, w)
            assert cards_of(S[0]) == before and S[0].hand[0].tolist() == view.state.hand[0].tolist()
            assert S[0].held.tolist() == view.state.held.tolist() and S[0].dropped[1].sum() == 3
            held[k] += sum(card in dead_ends for card in S[0].hand[1, : S[0].held[1]].tolist())
    assert held[0] < held[1]


def cards_of(s):
    """All cards that a seat has not seen, and how many lie where."""
    gone = [card for card in range(20) for _ in range(int(s.dropped[1, card]))]
    return sorted(s.hand[1, : s.held[1]].tolist() + s.deck[: s.left].tolist() + gone)


# --- search ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(INTERPRETED, reason="searches")
def test_the_expert_takes_the_win_and_does_not_hand_it_over():
    assert move("expert", "10 0 8 destroy", PATH, flags="000 010 000") in ("0@11,5", "8@11,5")
    two_missing = "6,5:0 7,5:0 8,5:0 9,5:6"
    chosen = move("expert", "8 0 6 10 15", two_missing, flags="000 010 010")
    assert not chosen.endswith("@10,5"), "the other holds three crosses or the like and would finish"


@pytest.mark.skipif(INTERPRETED, reason="searches")
def test_levels_and_options_are_named():
    assert str(daedalus.agent("expert:simulations=50", GAME).choose(position("0 8").view()).simulations) == "50"
    with pytest.raises(daedalus.InvalidSpec, match="destroy"):
        daedalus.agent("greedy:burn", GAME)
    for level in ("novice", "club", "strong"):
        assert daedalus.agent(level, GAME, 1).choose(position("0 8").view()).move in position("0 8").legal_moves.codes


def duel(one, two, games, seed=1):
    kernels = registration_of(GAME).kernels.load("daedalus.games.saboteur.kernels.play")
    result = np.zeros(4, np.int64)
    kernels.duel(GAME, one, two, states(GAME, 2), workspaces(GAME, 1, seed), games, result)
    return [count / games for count in result.tolist()]


@pytest.mark.skipif(INTERPRETED, reason="thousands of games")
def test_greedy_beats_random_half_of_the_time_and_the_careful_builder_beats_greedy():
    wins, losses, _, _ = duel(Greedy(), Own(), 4000)
    assert wins > 0.45 and losses < 0.09
    wins, losses, _, _ = duel(policies.Careful(), Greedy(), 4000)
    assert wins > 0.7 and losses < 0.2
    wins, losses, _, _ = duel(policies.Careful(patient=1), policies.Careful(), 4000)
    assert wins > 0.13 and losses < 0.09
    wins, losses, _, _ = duel(policies.Careful(patient=1, endgame=1), policies.Careful(), 4000)
    assert wins > 0.35 and losses < 0.15


@pytest.mark.skipif(INTERPRETED, reason="thousands of games")
def test_each_quick_level_beats_the_one_below():
    novice, club, strong = (daedalus.agent(level, GAME).policy() for level in ("novice", "club", "strong"))
    for upper, lower in ((club, novice), (strong, club), (policies.Careful(patient=1), strong)):
        wins, _, draws, _ = duel(upper, lower, 4000)
        assert 0.6 < wins + draws / 2 < 0.8


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "policy",
    [policies.Careful(), policies.Careful(patient=1), policies.Careful(patient=1, endgame=1), Greedy(), WISHES],
    ids=repr,
)
def test_a_policy_reads_only_what_the_seat_to_move_knows(policy):
    """From two states that differ in hidden cards, with the same chance, it picks the same move and the same priors."""
    for number in range(4 if INTERPRETED else 40):
        board = Position(GAME, number)
        for ply in range(number % 45):
            if board.outcome() is None:
                codes = board.legal_moves.codes
                board.push(codes[scramble(number, ply) % len(codes)])
        if board.outcome() is not None:
            continue
        picks, priors = [], []
        for seed in (1, 2, 3):
            S, W = copies(GAME, [board.view(seed=seed).state], 1), workspaces(GAME, 1, 9)
            picks.append(int(pick(GAME, policy, S, W)))
            n = GAME.moves(S[0], W[0])
            with np.errstate(over="ignore"):  # as kernels do
                policy.prior(GAME, S[0], W[0], n)
            priors.append(W["prior"][0, :n].tolist())
        assert len(set(picks)) == 1 and priors[0] == priors[1] == priors[2]
        assert picks[0] in board.legal_moves.codes and min(priors[0]) >= 0 and abs(sum(priors[0]) - 1) < 1e-9


@pytest.mark.interpreted
def test_slips_are_expected_of_who_has_made_some():
    wild, sound = Position(GAME, 4, dealing=1), Position(GAME, 4, dealing=1)
    choices = {"wild": daedalus.agent("random", GAME, 3), "sound": daedalus.agent("careful", GAME, 3)}
    for board, rival in ((wild, "wild"), (sound, "sound")):
        for _ in range(20):
            agent = choices[rival if board.turn == 1 else "sound"]
            board.push(agent.choose(board.view()).move)
        if board.turn == 1:
            board.push("drop:a")
    assert slips_expected(sound.view(0)) < 0.1 < 0.25 < slips_expected(wild.view(0))
    assert slips_expected(Position.from_text(GAME, wild.text).view(0)) == 0.0, "no history, no suspicion"


@pytest.mark.interpreted
def test_a_small_deck_keeps_the_contract():
    small = daedalus.game("saboteur", hand=2, deck="0,0,0,1,0,0,2,0,4,1,0,0,0,1,0,0,2,1,1,1")
    report = check(small, games=1)
    assert report.ok, str(report)
