"""What a seat of Saboteur may know: deals are uniform over what is possible, and nothing hidden shines through."""

import numpy as np
import pytest

import daedalus
from daedalus import Limit, Position
from daedalus.core.compile import INTERPRETED
from daedalus.core.kernels.random import scramble
from daedalus.core.memory import copies, states, workspaces
from daedalus.core.registry import registration_of
from daedalus.games.saboteur.deck import NAMES
from daedalus.games.saboteur.kernels.rules import Saboteur

GAME = daedalus.game("saboteur")
AGENTS = ["random", "greedy", "greedy:destroy", "careful", "ismcts", "mcts", "mc", "alphabeta:depth=1"]


def wander(seed, plies):
    """A position after so many random moves."""
    position = Position(GAME, seed)
    for ply in range(plies):
        if position.outcome() is None:
            moves = position.legal_moves.codes
            position.push(moves[scramble(seed, ply) % len(moves)])
    return position


def dealt(position, seat, seed):
    """The true position with everything that a seat cannot know dealt anew: a twin it cannot tell apart."""
    return position.view(seat, seed=seed)


def cards_known_to_nobody_else(position, seat):
    """Count of each card that the seat has not seen: what is dealt minus its own hand, drops and all that was played."""
    s = position.state
    unseen = np.bincount(s.hand[1 - seat, : s.held[1 - seat]], minlength=20) + np.bincount(s.deck[: s.left], minlength=20)
    return unseen + s.dropped[1 - seat] + s.dropped[2]


@pytest.mark.interpreted
def test_a_view_holds_the_own_hand_and_hides_the_other_one_the_deck_and_unseen_objectives():
    position = wander(3, 12)
    for seat in (0, 1):
        _, malus, knowledge, goals, *hands, deck, tiles = position.view(seat).text.split(" | ")
        true = position.text.split(" | ")
        assert hands[seat] == true[4 + seat] and (malus, knowledge, tiles) == (true[1], true[2], true[7])
        assert set(hands[1 - seat].split()) == {"?"} and len(hands[1 - seat].split()) == position.state.held[1 - seat]
        assert set(deck.split()) == {"?"} and len(deck.split()) == position.state.left
        seen = knowledge.split()[1 + seat]
        assert [letter != "?" for letter in goals.split()] == [flag == "1" for flag in seen]


@pytest.mark.interpreted
def test_a_map_tells_its_player_alone():
    text = "0 | 0 0 | 000 000 000 | p n p | map 6 | 8 8 | 0 0 5 |"
    position = Position.from_text(GAME, text)
    position.push("map@12,5")
    assert position.text.split(" | ")[2] == "000 010 000"
    assert position.view(0).text.split(" | ")[3] == "? n ?"
    assert position.view(1).text.split(" | ")[3] == "? ? ?"


@pytest.mark.interpreted
def test_of_a_drop_the_other_learns_the_index_only():
    """Dropping a 6 or a map from the same place gives the same view, whatever is asked of it."""
    views = []
    for hand in ("6 map 8", "map 6 8"):
        position = Position.from_text(GAME, f"0 | 0 0 | 000 000 000 | p n p | {hand} | 5 5 5 | 0 0 9 |")
        position.push("drop:a")
        view = position.view(1)
        views.append((view.text, view.svg(), str(view), [str(m) for m in view.history], list(view.history), view.bits))
    assert views[0] == views[1]
    assert views[0][3] == ["drop:a"]


@pytest.mark.interpreted
def test_a_dropped_card_is_dealt_again_to_whoever_did_not_see_it():
    position = Position.from_text(GAME, "0 | 0 0 | 000 000 000 | p n p | 6 map 8 | 5 5 5 | 0 0 9 |")
    position.push("drop:b")
    rival = [position.view(1, seed=k).state.dropped[0].argmax() for k in range(30)]
    owner = [position.view(0, seed=k).state.dropped[0].argmax() for k in range(30)]
    assert len(set(rival)) > 3 and {NAMES[card] for card in owner} == {"map"}


@pytest.mark.interpreted
@pytest.mark.parametrize("plies", [0, 7, 20, 41])
def test_a_deal_keeps_what_is_known_and_the_number_of_each_card(plies):
    position = wander(11, plies)
    for seat in (0, 1):
        unseen = cards_known_to_nobody_else(position, seat)
        for seed in range(20):
            twin = dealt(position, seat, seed)
            s, t = position.state, twin.state
            assert (cards_known_to_nobody_else(twin, seat) == unseen).all()
            assert s.hand[seat].tolist() == t.hand[seat].tolist() and s.held.tolist() == t.held.tolist()
            assert s.dropped[seat].tolist() == t.dropped[seat].tolist()
            assert s.dropped[1 - seat].sum() == t.dropped[1 - seat].sum()
            assert s.tiles.tolist() == t.tiles.tolist() and s.left == t.left and s.turn == t.turn
            assert s.seen.tolist() == t.seen.tolist() and s.revealed == t.revealed and s.malus.tolist() == t.malus.tolist()
            if s.seen[seat] >> s.nugget & 1:
                assert t.nugget == s.nugget
            else:
                assert not s.seen[seat] >> t.nugget & 1


def deals(position, seat, number):
    """(hands of the other, decks, nuggets) of many deals, made by compiled kernels."""
    steps = registration_of(GAME).kernels.load("daedalus.core.kernels.transitions")
    W = workspaces(GAME, 1, 5)
    hands, decks, nuggets = [], [], []
    S = copies(GAME, [position.state], 1)
    for _ in range(number):
        steps.redeal(GAME, S, seat, W)
        s = S[0]
        hands.append(s.hand[1 - seat].tolist())
        decks.append(s.deck[: s.left].tolist())
        nuggets.append(int(s.nugget))
    return np.array(hands), np.array(decks), np.array(nuggets)


def chi_square(seen, expected):
    """Pearson's statistic, and a bound it passes once in about 3,000 times (normal approximation of Wilson and Hilferty)."""
    n = len(seen) - 1
    return ((seen - expected) ** 2 / expected).sum(), n * (1 - 2 / (9 * n) + 3.4 * (2 / (9 * n)) ** 0.5) ** 3


@pytest.mark.skipif(INTERPRETED, reason="needs many deals")
@pytest.mark.parametrize("plies", [0, 15, 30])
def test_deals_are_uniform(plies):
    """Each unseen card is equally likely in each unseen place; likewise pairs of places, and the nugget."""
    position, number = wander(5, plies), 20_000
    for seat in (0, 1):
        unseen = cards_known_to_nobody_else(position, seat)
        possible = unseen > 0
        share = unseen[possible] / unseen.sum()
        hands, decks, nuggets = deals(position, seat, number)
        for place in (hands[:, 0], hands[:, 6], decks[:, 0], decks[:, -1]):
            statistic, bound = chi_square(np.bincount(place, minlength=20)[possible], number * share)
            assert statistic < bound
        pairs = np.bincount(20 * hands[:, 1] + decks[:, -1], minlength=400).reshape(20, 20)
        joint = np.outer(unseen, unseen) - np.diag(unseen)  # without replacement
        some = joint > 0
        statistic, bound = chi_square(pairs[some], number * joint[some] / joint.sum())
        assert statistic < bound and pairs[~some].sum() == 0
        counts = np.bincount(nuggets, minlength=3)
        hidden = [goal for goal in range(3) if not position.state.seen[seat] >> goal & 1]
        if position.state.nugget not in hidden:
            assert counts[position.state.nugget] == number
        elif len(hidden) > 1:
            statistic, bound = chi_square(counts[hidden], np.full(len(hidden), number / len(hidden)))
            assert statistic < bound and counts.sum() == counts[hidden].sum()


@pytest.mark.skipif(INTERPRETED, reason="ten thousand pairs")
def test_ten_thousand_pairs_that_differ_in_hidden_cards_give_the_same_view_and_features():
    steps = registration_of(GAME).kernels.load("daedalus.core.kernels.transitions")
    truth, twin, view, other = (states(GAME, 1) for _ in range(4))
    W = workspaces(GAME, 1, 1)
    payoffs, pairs, different = np.zeros(2), 0, 0
    out, again = np.zeros(Saboteur.FEATURES), np.zeros(Saboteur.FEATURES)
    game = 0
    while pairs < 10_000:
        game += 1
        truth[0] = np.zeros(1, truth.dtype)[0]
        steps.opening(GAME, truth, W)
        for ply in range(55):
            _, over, n, _ = steps.survey(GAME, truth, W, payoffs)
            if over:
                break
            if ply % 2 == game % 2:
                for seat in (0, 1):
                    twin[0] = truth[0]
                    steps.redeal(GAME, twin, seat, W)
                    twin[0].observer = truth[0].observer
                    different += twin.tobytes() != truth.tobytes()
                    for source, target in ((truth, view), (twin, other)):
                        target[0] = source[0]
                        W["rng"] = scramble(game, ply, seat)
                        steps.redeal(GAME, target, seat, W)
                    assert view.tobytes() == other.tobytes()
                    if pairs % 20 == 0:
                        GAME.features(truth[0], seat, out)
                        GAME.features(twin[0], seat, again)
                        assert (out == again).all()
                        assert GAME.position_text(truth[0], seat) == GAME.position_text(twin[0], seat)
                        assert GAME.summary(truth[0], seat) == GAME.summary(twin[0], seat)
                    if pairs % 200 == 0:
                        assert GAME.svg(truth[0], seat, None) == GAME.svg(twin[0], seat, None)
                        assert str(GAME.terminal(truth[0], seat, None)) == str(GAME.terminal(twin[0], seat, None))
                    pairs += 1
            steps.survey(GAME, truth, W, payoffs)
            steps.play(GAME, truth, int(W["buf"][0, scramble(game, ply) % int(n)]))
    assert different > 0.99 * pairs - 500  # late in a game little is hidden


@pytest.mark.skipif(INTERPRETED, reason="many searches")
@pytest.mark.parametrize("spec", AGENTS)
def test_an_agent_moves_the_same_whatever_is_hidden(spec):
    limit = Limit(simulations=60)
    for number in range(12):
        position = wander(100 + number, 3 * number)
        if position.outcome() is not None:
            continue
        twin = dealt(position, position.turn, seed=number)
        moves = [daedalus.agent(spec, GAME, seed=7).choose(p.view(), limit).move for p in (position, twin)]
        assert moves[0] == moves[1] and str(moves[0]) == str(moves[1])
