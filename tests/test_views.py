"""What a view holds is what its seat knows: nothing of the truth is left in it, nor in its pickle."""

import hashlib
import pickle

import numpy as np
import pytest
from games.small import HighCard
from saboteur.test_saboteur_leaks import pairs

import daedalus
from daedalus import Position
from daedalus.core import scramble
from daedalus.core.contract import offers
from daedalus.core.kernels import transitions
from daedalus.core.memory import frozen, states, workspaces
from daedalus.core.registry import find
from daedalus.core.seeds import derive

pytestmark = pytest.mark.interpreted
HIDDEN = [daedalus.game(name) for name in daedalus.game_names() if offers(find(name).rules, "redeal")] + [HighCard()]


def wandered(game, plies, seed):
    position = Position(game, seed)
    for ply in range(plies):
        if position.outcome() is not None:
            position.pop()
            break
        position.push(position.legal_moves.codes[(seed * 7919 + ply * 104729) % len(position.legal_moves)])
    return position


def another_truth(position, seat):
    """What the seat cannot tell from this position: another deal, and everything else that it must not see is another too."""
    other = position.copy()
    other._S = position.view(seat, seed=77)._S
    other.seed, other.setup = 987654321, "another setup"
    other.keys = [key ^ 0x5555 for key in position.keys]
    other._stack = [(other._S, other._legal, other._outcome, other.turn)] * len(position._stack)
    return other


def insides(value, seen=()):
    """Everything that an agent finds by looking into a view, attribute by attribute."""
    if isinstance(value, (np.ndarray, np.void)):
        return value.tobytes()
    if isinstance(value, (list, tuple)):
        return [insides(item) for item in value]
    if type(value).__name__ in ("Position", "LegalMoves"):
        return {name: insides(item) for name, item in vars(value).items() if name not in ("_kind", "_steps")}
    return value


def assert_alike(one, two):
    assert insides(one) == insides(two)
    assert pickle.dumps(one) == pickle.dumps(two)
    assert one == two


@pytest.mark.parametrize("game", HIDDEN, ids=lambda game: type(game).__name__)
def test_views_of_truths_that_a_seat_cannot_tell_apart_are_alike_inside(game):
    differ = 0
    for seed in range(4):
        position = wandered(game, 1 if isinstance(game, HighCard) else 3 + 4 * seed, seed)
        for seat in range(game.SEATS):
            other = another_truth(position, seat)
            differ += other.bits != position.bits
            assert_alike(position.view(seat, seed=5), other.view(seat, seed=5))
            assert_alike(position.view(seat).view(seat, seed=5), other.view(seat, seed=5))
    assert differ


def test_views_of_two_real_games_of_saboteur_are_alike_inside():
    for position, twin, seat in pairs(6):
        assert_alike(position.view(seat, seed=5), twin.view(seat, seed=5))


@pytest.mark.parametrize("game", HIDDEN, ids=lambda game: type(game).__name__)
def test_a_view_knows_no_position_but_its_own(game):
    position = wandered(game, 1, 3)
    view = position.view()
    assert len(view.keys) == 1 and not view._stack
    assert view.seed is None and view.setup is None
    with pytest.raises(daedalus.IllegalMove, match="no move to take back"):
        view.pop()


def test_the_keys_of_a_view_do_not_tell_the_deal():
    class Keyed(HighCard):
        """High cards with a key of the whole deal."""

        def key(self, s):
            return np.uint64(1 + int(s.deck[0]) * 10 + int(s.deck[1]))

    for seed in range(8):
        position = Position(Keyed(), seed)
        position.push(1)
        view = position.view(1)
        deck = view.state.deck
        assert view.keys == [1 + int(deck[0]) * 10 + int(deck[1])], "the key of what is imagined"


def test_a_view_of_an_open_game_keeps_what_everybody_saw():
    position = wandered(daedalus.game("blackhole"), 5, 2)
    view = position.view(1)
    assert (view.keys, view.seed, view.turn) == (position.keys, position.seed, position.turn)
    assert [str(move) for move in view.legal_moves] == [str(move) for move in position.legal_moves]
    assert not np.shares_memory(np.asarray(view.legal_moves._state), np.asarray(position.state))


def recovered(game, state_of, dealing):
    """How many of 18 deals come out when the generator's state that made the board is used for all of the deal."""
    found = 0
    for seed in range(18):
        S, W = states(game, 1), workspaces(game, 1, 0)
        W["rng"] = state_of(seed)
        transitions.opening(game, S, W)
        found += frozen(S) == Position(game, seed, dealing).bits
    return found


@pytest.mark.parametrize("name, options", [("labyrinth", {"board": "5x5"}), ("saboteur", {})])
def test_the_board_that_all_see_tells_nothing_of_what_is_hidden(name, options):
    """Not even to who has found out the generator's state from the board, since the hidden part has others."""
    game = daedalus.game(name, **options)

    def board_state(seed):
        return scramble(derive(hashlib.blake2b(str(seed).encode(), digest_size=32).digest(), "board"))

    assert recovered(game, scramble, dealing=1) == 18, "one stream for all told everything"
    assert recovered(game, board_state, dealing=2) == 0


def test_how_a_hidden_game_ended_is_known_to_all():
    position = Position(daedalus.game("saboteur"), 5)
    while position.outcome() is None:
        position.push(position.legal_moves.codes[-1])
    for seat in range(2):
        view = position.view(seat)
        assert view.outcome() == position.outcome() and not view.legal_moves
