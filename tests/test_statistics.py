"""What the arena says about games: small cases calculated by hand, and intervals that hold what they promise.

Simulated matches have a known truth: boards that favour one agent in both games of a pair, seats that favour whoever
sits there, draws.
"""

import dataclasses
import json
import math

import numpy as np
import pytest

from daedalus.arena.games import GameResult
from daedalus.arena.ratings import SCALE, crosstable, rate
from daedalus.arena.sprt import Sprt, expected
from daedalus.arena.statistics import (
    Tally,
    elo_of,
    first_seat_score,
    lengths,
    pair_scores,
    score_interval,
    standard_error,
    summarise,
    times_of,
)
from daedalus.core import InvalidOption

PAYOFF = {"W": 1.0, "D": 0.0, "L": -1.0}
KEYS = "games wins draws losses score score_low score_high elo elo_low elo_high los forfeits faults plies seconds_per_move first_seat_score distinct"


def game(number, seats, payoffs, pair=None, plies=10, wall=None, cpu=None, moves=None, forfeit=None):
    """A finished game of which only the result matters."""
    return GameResult(
        number=number,
        pair=number // 2 if pair is None else pair,
        seats=tuple(seats),
        payoffs=tuple(payoffs),
        plies=plies,
        wall=wall or (0.0,) * len(seats),
        cpu=cpu or (0.0,) * len(seats),
        moves=moves or (plies // 2,) * len(seats),
        forfeit=forfeit,
        record="",
    )


def played(*pairs):
    """A's results: `WL` is a pair that A won from seat 0 and lost from seat 1; a single letter a pair that lacks a game."""
    games = []
    for pair, letters in enumerate(pairs):
        for second, letter in enumerate(letters):
            payoffs = (PAYOFF[letter], -PAYOFF[letter])
            games.append(game(2 * pair + second, (1, 0) if second else (0, 1), payoffs[::-1] if second else payoffs))
    return games


# --- counts ---------------------------------------------------------------------------------------------------------


def test_wins_draws_and_losses_are_those_of_A_in_all_and_by_seat():
    summary = summarise(played("WW", "WL", "DD", "WD"))
    assert summary.total == (4, 3, 1) and summary.score.value == 5.5 / 8
    assert summary.by_seat == ((3, 1, 0), (1, 2, 1))
    assert summary.pairs == (0, 0, 2, 1, 1)
    assert summary.first_seat_score == (3.5 + (0 + 1 + 0.5 + 0.5)) / 8


def test_a_pair_that_lacks_a_game_counts_in_the_score_but_is_no_pair():
    games = played("WW", "W", "LL")
    assert pair_scores(games) == [1.0, 0.0]
    summary = summarise(games)
    assert summary.total == (3, 0, 2) and summary.pairs == (1, 0, 0, 0, 1)


def test_the_order_in_which_games_end_does_not_matter():
    games = played("WL", "DW", "LL", "WW", "DD", "WL", "WW", "LD", "WW")
    assert summarise(games[::-1]) == summarise(games)


def test_an_agent_in_two_of_four_seats_scores_by_the_mean_of_its_payoffs():
    games = [game(0, (0, 1, 0, 1), (1.0, 0.5, -1.0, -0.5)), game(1, (1, 0, 1, 0), (1.0, 0.5, -1.0, 0.5))]
    assert summarise(games).total == (1, 1, 0)
    assert first_seat_score(games) == 1.0


def test_no_games_tell_nothing():
    summary = summarise([])
    assert summary.score == (0.5, 0.0, 1.0) and summary.los == 0.5 and summary.plies is None
    assert summary.elo == (0.0, -math.inf, math.inf)
    json.dumps(summary.json(["a", "b"]), allow_nan=False)


# --- score, Elo, likelihood -----------------------------------------------------------------------------------------


def test_few_pairs_have_wilsons_interval():
    summary = summarise(played("WW", "WW", "WL", "WW", "WL"))  # 8 of 10
    assert summary.score.low == pytest.approx(0.4902, abs=1e-4)
    assert summary.score.high == pytest.approx(0.9433, abs=1e-4)


def test_pairs_that_are_all_alike_have_wilsons_interval():
    score = summarise(played(*["WL"] * 10)).score  # 10 of 20
    assert (score.low, score.high) == (pytest.approx(0.2993, abs=1e-4), pytest.approx(0.7007, abs=1e-4))


def test_the_standard_error_is_the_spread_of_pairs():
    # points 2 and 1, four times each, around 1.5: squares 8 * 0.25, and 0.5 for what was not seen
    assert standard_error([[1.0, 1.0], [1.0, 0.0]] * 4) == pytest.approx(math.sqrt(2.5 * 8 / 7) / 16)


def test_a_pair_that_lacks_a_game_weighs_half():
    # mean 8/15; seven pairs 1 - 16/15 off, one game 7/15 off
    squares = 7 / 15**2 + (7 / 15) ** 2 + 0.5
    assert standard_error([[1.0, 0.0]] * 7 + [[1.0]]) == pytest.approx(math.sqrt(squares * 8 / 7) / 15)


def test_an_interval_of_many_pairs_is_the_normal_one():
    low, high = score_interval(Tally(600, 0, 400), 0.01, 10**6)[1:]
    assert (low, high) == (pytest.approx(0.6 - 1.96 * 0.01, abs=2e-4), pytest.approx(0.6 + 1.96 * 0.01, abs=2e-4))


def test_elo_is_logistic():
    assert elo_of(0.5) == 0 and elo_of(0.75) == pytest.approx(190.85, abs=0.01) and elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(expected(-37.0)) == pytest.approx(-37)
    summary = summarise(played("WW", "WW", "WL", "WW", "WL"))
    assert summary.elo == tuple(map(elo_of, summary.score))


def test_a_perfect_score_has_a_bound_instead_of_a_difference():
    elo = summarise(played("WW", "WW", "WW", "WW", "WW")).elo
    assert elo.value == elo.high == math.inf
    assert elo.low == pytest.approx(400 * math.log10(10 / 3.8415), abs=0.1)  # Wilson: n / (n + 1.96^2)
    lost = summarise(played(*["LL"] * 20)).elo
    assert lost.value == lost.low == -math.inf and lost.high == pytest.approx(-400 * math.log10(40 / 3.8415), abs=0.1)


def test_likelihood_of_superiority():
    assert summarise(played("WW", "W")).los == pytest.approx(1 - 0.5**4)  # three wins and a uniform prior
    assert summarise(played("DD", "DD")).los == 0.5
    # four pairs of 2 points, four of 1: (0.75 - 0.5) / 0.10564 = 2.3665, and Student's 97.5 % point of 7 is 2.3646
    assert summarise(played(*["WW", "WL"] * 4)).los == pytest.approx(0.975, abs=1e-4)
    assert summarise(played(*["LL", "WL"] * 4)).los == pytest.approx(0.025, abs=1e-4)


# --- lengths, times, forfeits, JSON ---------------------------------------------------------------------------------


def test_lengths_have_mean_median_and_deciles():
    found = lengths([game(i, (0, 1), (1, -1), plies=plies) for i, plies in enumerate([11, 1, *range(2, 11)])])
    assert found == (6.0, 6, 1, 11, tuple(range(2, 11)))
    assert lengths([game(0, (0, 1), (1, -1), plies=7)]).deciles == (7.0,) * 9


def test_times_follow_the_agent_through_the_seats():
    games = [
        game(0, (0, 1), (1, -1), wall=(3.0, 1.0), cpu=(2.0, 0.5), moves=(3, 2)),
        game(1, (1, 0), (1, -1), wall=(1.0, 5.0), cpu=(0.5, 4.0), moves=(2, 1)),
    ]
    assert times_of(games, 0) == (8 / 4, 6 / 4, 8 / 2, 6 / 2)
    assert times_of(games, 1) == (2 / 4, 1 / 4, 2 / 2, 1 / 2)


def test_the_json_object_has_the_promised_keys_and_no_infinities():
    games = [game(0, (0, 1), (-1, 1), forfeit=(0, "no move within 1.0 s"), wall=(2.0, 1.0)), game(1, (1, 0), (1, -1))]
    told = json.loads(json.dumps(summarise(games).json(["slow", "quick"]), allow_nan=False))
    assert list(told) == KEYS.split()
    assert told["forfeits"] == [{"game": 0, "agent": "slow", "seat": 0, "reason": "no move within 1.0 s"}]
    assert told["elo"] is None and told["elo_low"] is None and told["losses"] == 2
    assert told["elo_high"] == pytest.approx(400 * math.log10(3.8415 / 2), abs=0.1)  # two games lost do not say much
    assert told["seconds_per_move"] == {"a": 2.0 / 10, "b": 1.0 / 10}
    assert told["plies"]["mean"] == 10 and len(told["plies"]["deciles"]) == 9


# --- honesty: simulated matches -------------------------------------------------------------------------------------


class Simulation:
    """Pairs of games with a known truth: `luck` is what a board gives A in both games, `seat` what the first seat gives."""

    def __init__(self, elo, seat=0.0, luck=0.0, draws=0.0):
        self.draws = draws
        self.chances = [[expected(elo + board + side) for side in (seat, -seat)] for board in (luck, -luck)]
        self.elo = elo_of(float(np.mean(self.chances)))

    def pairs(self, count, generator):
        boards = generator.integers(2, size=count)
        return [["LDW"[self.play(chance, generator)] for chance in self.chances[board]] for board in boards]

    def play(self, chance, generator):
        drawn = self.draws * 2 * min(chance, 1 - chance)
        roll = generator.random()
        return 1 if roll < drawn else 2 if roll < chance + drawn / 2 else 0


TRUTHS = {
    "equal": Simulation(0),
    "a little better, many draws": Simulation(15, draws=0.6),
    "strong first seat": Simulation(40, seat=300),
    "boards decide": Simulation(60, luck=250, draws=0.2),
    "much better": Simulation(350, seat=60),
}


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("pairs", [15, 100])
def test_the_elo_interval_covers_the_truth_as_often_as_it_says(truth, pairs):
    simulation, generator = TRUTHS[truth], np.random.default_rng(len(truth))
    held = 0
    for _ in range(200):
        elo = summarise(played(*simulation.pairs(pairs, generator))).elo
        held += elo.low <= simulation.elo <= elo.high
    assert 180 <= held <= 198


def test_games_of_a_pair_taken_as_independent_would_promise_too_much():
    simulation, generator, held = Simulation(60, luck=1000), np.random.default_rng(3), 0
    for _ in range(200):
        games = [[{"W": 1.0, "D": 0.5, "L": 0.0}[letter]] for pair in simulation.pairs(100, generator) for letter in pair]
        interval = score_interval(Tally.of(score for (score,) in games), standard_error(games), len(games))
        held += interval.low <= expected(simulation.elo) <= interval.high
    assert held < 175


def verdict(simulation, test, generator):
    """Which hypothesis a match under SPRT ends with."""
    scores, decision = [], None
    while decision is None and len(scores) < 3000:
        ((first, second),) = simulation.pairs(1, generator)
        scores.append(("LDW".index(first) + "LDW".index(second)) / 4)
        decision = test.decide(scores).decision
    return decision


@pytest.mark.parametrize("luck, seat, draws", [(0, 0, 0.0), (0, 200, 0.3), (150, 0, 0.3)])
def test_sprt_errs_no_more_often_than_it_says(luck, seat, draws):
    generator, test = np.random.default_rng(7), Sprt(0, 80)
    for elo, wrong in ((0, "H1"), (80, "H0")):
        simulation = Simulation(elo, seat, luck, draws)
        bent = Sprt(test.elo0 + simulation.elo - elo, test.elo1 + simulation.elo - elo)  # luck pulls scores to the middle
        verdicts = [verdict(simulation, bent, generator) for _ in range(150)]
        assert None not in verdicts
        assert verdicts.count(wrong) <= 14  # 7.5 expected at most, with a standard deviation of 2.7


def test_sprt_is_the_likelihood_ratio_of_a_coin_when_pairs_are_all_or_nothing():
    verdict = Sprt(0, 100).decide([1.0] * 60 + [0.0] * 40)
    p = expected(100)
    assert verdict.llr == pytest.approx(60 * math.log(p / 0.5) + 40 * math.log((1 - p) / 0.5), abs=0.02)
    assert verdict.bounds == (pytest.approx(-math.log(19)), pytest.approx(math.log(19)))
    assert Sprt(0, 100).decide([]) == (None, 0.0, verdict.bounds)
    assert Sprt(0, 100).decide([1.0] * 100).decision == "H1" and Sprt(0, 100).decide([0.5] * 100).decision == "H0"


@pytest.mark.parametrize("test", [Sprt(0, 10), Sprt(-2.5, 2.5, 0.01, 0.1), Sprt(0, 1 / 3, 0.123456789, 0.05)])
def test_the_text_of_a_test_is_the_whole_test(test):
    assert Sprt.parse(str(test)) == test


def test_the_usual_errors_need_not_be_told():
    assert str(Sprt(0, 10)) == "0,10" and Sprt.parse("0,10,0.05,0.05") == Sprt.parse("0,10") == Sprt(0, 10)
    assert str(Sprt(0, 10, 0.01, 0.02)) == "0,10,0.01,0.02"
    assert Sprt(0, 10, 0.01, 0.02).bounds == (pytest.approx(math.log(0.02 / 0.99)), pytest.approx(math.log(0.98 / 0.01)))


def test_a_test_judges_counts_as_it_judges_the_pairs_they_count():
    scores = [1.0] * 9 + [0.75] * 4 + [0.5] * 7 + [0.25] * 2 + [0.0]
    assert Sprt(0, 50).judge([1, 2, 7, 4, 9]) == Sprt(0, 50).decide(scores)


BAD_TESTS = ["10,0", "5", "a,b", "0,0", "0,nan", "0,1e9", "0,10,0.05", "0,10,0,0.05", "0,10,0.05,0.5", "0,10,nan,0.05"]


@pytest.mark.parametrize("text", BAD_TESTS)
def test_sprt_refuses_what_is_no_test(text):
    with pytest.raises(InvalidOption, match="sprt"):
        Sprt.parse(text)


# --- the same game again --------------------------------------------------------------------------------------------


def with_moves(games, moves):
    """Games with records of which only seed and moves matter; `moves` are one text a game."""
    text = '[Game "x"]\n[Seed "{}"]\n\n1. {} {{0.5s}}\n*\n'
    return [dataclasses.replace(one, record=text.format(one.pair, line)) for one, line in zip(games, moves, strict=True)]


def test_the_same_pair_again_does_not_narrow_an_interval():
    one = with_moves(played("WW", "WL"), ["a", "b", "c", "d"])
    again = with_moves(played(*["WW", "WL"] * 10), ["a", "b", "c", "d"] * 10)
    once, often = summarise(one, dealt=False), summarise(again, dealt=False)
    assert (often.distinct, often.total.games) == (4, 40)
    assert often.score == pytest.approx(once.score) and often.los == pytest.approx(once.los)
    other_deals = summarise(again, dealt=True)  # the seeds of the pairs differ: other cards
    assert other_deals.distinct == 40 and other_deals.score.low > often.score.low


def test_among_many_pairs_those_that_are_the_same_count_as_one():
    """Twelve distinct pairs, each played five times: the interval is that of twelve pairs."""
    kinds = ["WW", "WL", "WW", "LL", "WD", "WW", "WL", "DW", "WW", "WL", "LL", "WW"]
    names = [f"{pair}{second}" for pair in range(12) for second in "ab"]
    once = summarise(with_moves(played(*kinds), names), dealt=False)
    often = summarise(with_moves(played(*kinds * 5), names * 5), dealt=False)
    assert often.distinct == 24 and often.score.value == once.score.value
    assert often.score.high - often.score.low == pytest.approx(once.score.high - once.score.low, rel=0.05)


def test_ratings_from_the_same_games_again_keep_their_width():
    once = rate(with_moves(played("WW", "WL"), "abcd"), "xy", dealt=False)
    often = rate(with_moves(played(*["WW", "WL"] * 25), [*"abcd"] * 25), "xy", dealt=False)
    assert often[0].high - often[0].low > 0.8 * (once[0].high - once[0].low)


# --- ratings --------------------------------------------------------------------------------------------------------


def tournament(strengths, pairs, generator):
    """A round robin of simulated games."""
    games = []
    for one in range(len(strengths)):
        for other in range(one):
            for first, second in Simulation(strengths[one] - strengths[other], draws=0.3).pairs(pairs, generator):
                for seats, letter in (((one, other), first), ((other, one), second)):
                    result = PAYOFF[letter] if seats[0] == one else -PAYOFF[letter]
                    games.append(game(len(games), seats, (result, -result)))
    return games


def test_ratings_recover_known_strengths_within_their_intervals():
    strengths, generator, held = [-210.0, -60.0, -10.0, 40.0, 240.0], np.random.default_rng(5), 0
    for _ in range(40):
        ratings = rate(tournament(strengths, 15, generator), "abcde")
        held += sum(rating.low <= strengths[rating.agent] <= rating.high for rating in ratings)
    assert 180 <= held <= 199
    large = rate(tournament(strengths, 1500, generator), "abcde")
    assert [rating.spec for rating in large] == list("edcba")
    assert all(abs(rating.elo - strengths[rating.agent]) < 10 for rating in large)


def test_two_agents_differ_by_the_elo_of_their_score():
    games = played(*["WW", "WL"] * 500)
    better, worse = rate(games, ["a", "b"])
    assert better.elo - worse.elo == pytest.approx(elo_of(0.75), abs=0.5) and better.elo == pytest.approx(-worse.elo)
    assert (better.score, better.games) == (0.75, 2000)
    # information of a game p (1 - p), of the difference: standard error 1 / sqrt(2000 * 0.1875)
    half = (better.high - better.low) / 2
    assert 2 * half == pytest.approx(1.96 * SCALE / math.sqrt(2000 * 0.1875), rel=0.01)


def test_draws_are_half_a_win_each_way():
    drawn, split = rate(played("WW", "DD", "DD"), "ab"), rate(played("WW", "WL", "LW"), "ab")
    assert drawn[0].elo == pytest.approx(split[0].elo)


def test_pairs_that_go_one_way_widen_the_intervals():
    alike, split = rate(played(*["WW", "LL"] * 20), "ab")[0], rate(played(*["WL", "LW"] * 20), "ab")[0]
    assert alike.high - alike.low == pytest.approx(math.sqrt(2) * (split.high - split.low), rel=0.03)


def test_a_perfect_score_stays_finite_and_an_anchor_keeps_its_rating():
    ratings = rate(played(*["WW"] * 50), ["a", "b"], anchor=(1, 1500.0))
    assert [rating.spec for rating in ratings] == ["a", "b"]
    assert ratings[1].elo == ratings[1].low == ratings[1].high == 1500
    assert 1900 < ratings[0].elo < 3000 and ratings[0].low > 1500
    assert sum(rating.elo for rating in rate(played("WW"), ["a", "b", "unseen"])) == pytest.approx(0)


def test_games_of_four_seats_are_rated_by_their_order():
    strengths, generator = np.array([-200.0, -50.0, 0.0, 50.0, 200.0]), np.random.default_rng(11)
    games = []
    for number in range(1500):
        seats = tuple(generator.permutation(5)[:4].tolist())
        luck = strengths[list(seats)] / SCALE + generator.gumbel(size=4)
        places = np.argsort(np.argsort(-luck))
        games.append(game(number, seats, [(1.0, 0.2, -0.2, -1.0)[place] for place in places]))
    ratings = rate(games, "abcde")
    assert sum(rating.low <= strengths[rating.agent] <= rating.high for rating in ratings) >= 4
    assert all(abs(rating.elo - strengths[rating.agent]) < 25 for rating in ratings)
    assert [rating.elo for rating in rate([game(0, (0, 1, 2, 3), (0, 0, 0, 0))], "abcd")] == pytest.approx([0] * 4)


def test_the_crosstable_counts_who_beat_whom():
    games = [game(0, (0, 1), (1, -1)), game(1, (1, 0), (0, 0)), game(2, (2, 0), (1, -1))]
    assert crosstable(games, 4)[0] == [None, (1, 1, 0), (0, 0, 1), None]
    assert crosstable(games, 4)[1] == [(0, 1, 1), None, None, None]
    three = crosstable([game(0, (2, 0, 1), (1.0, 0.0, 0.0))], 3)
    assert three[2] == [(1, 0, 0), (1, 0, 0), None] and three[0][1] == (0, 1, 0)
