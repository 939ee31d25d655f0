"""Our games in OpenSpiel: its own simulation test, what seats may know, its searches and solvers, our agents as its bots."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import daedalus
from daedalus.core import IllegalMove
from daedalus.core.contract import offers
from daedalus.core.features import observed

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (pip install open_spiel)")

from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

import daedalus.interop.open_spiel as ours  # noqa: E402

HERE = Path(__file__).parent
GAMES = daedalus.game_names()
HIDDEN = [name for name in GAMES if offers(type(daedalus.game(name)), "redeal")]
TINY = "daedalus_quoridor(width=3,height=3,walls=0,cap=6)"


def advanced(text, plies, seed=1):
    """A state after some random moves, the deal included."""
    state, choice = pyspiel.load_game(text).new_initial_state(), np.random.RandomState(seed)
    while not state.is_terminal() and len(state.history()) < plies:
        state.apply_action(int(choice.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize(
    "text",
    [*(f"daedalus_{name}" for name in GAMES), "daedalus_quoridor(players=4,cap=60)", "daedalus_labyrinth(players=3,cap=30)"],
)
def test_passes_open_spiels_simulation(text, capfd):
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=1, serialize=True, verbose=False)


def test_options_are_parameters():
    game = pyspiel.load_game("daedalus_blackhole(size=7,hole=pass)")
    assert game.rules.game == daedalus.game("blackhole", size=7, hole="pass")
    assert pyspiel.load_game("daedalus_quoridor(players=4)").rules.game.walls == 5  # the game's own default for four
    with pytest.raises(ValueError, match="size=6"):
        pyspiel.load_game("daedalus_blackhole(size=6)")


def test_chance_deals_where_something_is_dealt():
    deals = {name: len(s.chance_outcomes()) for name in GAMES if (s := advanced(f"daedalus_{name}", 0)).is_chance_node()}
    assert deals == {"colosseum": 1000, "labyrinth": 1000, "saboteur": 1000}
    assert len(advanced("daedalus_saboteur(deals=3)", 0).chance_outcomes()) == 3
    texts = {advanced("daedalus_saboteur", 0).child(deal).position.text for deal in range(20)}
    assert len(texts) == 20


def test_moves_are_ours():
    state = advanced("daedalus_quoridor", 6)
    told = [state.action_to_string(action) for action in state.legal_actions()]
    assert sorted(told) == sorted(map(str, state.position.legal_moves))
    before = state.position.copy()
    action = state.string_to_action("e1h") if "e1h" in told else state.legal_actions()[0]
    text = state.action_to_string(action)
    state.apply_action(action)
    before.push(text)
    assert state.position == before


def test_results_are_ours():
    state = advanced("daedalus_saboteur", 10_000)
    outcome = state.position.outcome()
    assert state.is_terminal() and state.returns() == list(outcome.payoffs)
    short = advanced("daedalus_quoridor(longest=5)", 10_000)
    assert len(short.history()) == 5 and short.returns() == [0, 0]


def test_a_clone_goes_its_own_way():
    state = advanced("daedalus_labyrinth", 4)
    twin, text = state.clone(), state.position.text
    twin.information_state_string(0)
    twin.apply_action(twin.legal_actions()[0])
    assert state.position.text == text != twin.position.text
    assert len(state.position.history) + 1 == len(twin.position.history)


@pytest.mark.parametrize("name", GAMES)
def test_observations_are_the_features_and_the_view_of_the_seat(name):
    state = advanced(f"daedalus_{name}", 7)
    for seat in range(state.num_players()):
        numbers = np.array(state.observation_tensor(seat), np.float32)
        assert np.array_equal(numbers, observed(state.position, seat))
        assert state.observation_string(seat) == f"seat {seat} {state.position.view(seat).text}"


@pytest.mark.parametrize("name", HIDDEN)
def test_nothing_hidden_is_told(name):
    """The truth is replaced by another deal that the seat cannot tell from it: nothing that it is told may change."""
    state = advanced(f"daedalus_{name}", 9)
    trail = state.trail
    for seat in range(2):
        told = _told(state, seat)
        for seed in (1, 2):
            other = state.clone()
            redealt = trail.dealt.view(seat, seed)
            assert redealt.bits != trail.dealt.bits
            other.trail.position._S = redealt._S
            assert _told(other, seat) == told


def _told(state, seat):
    return (
        state.observation_tensor(seat),
        state.observation_string(seat),
        state.information_state_tensor(seat)[: state.get_game().rules.game.FEATURES],
    )


def test_a_card_dropped_face_down_stays_unknown():
    """Two games that differ only in which card the other dropped look the same to the seat, and differ to who dropped it."""
    state = advanced("daedalus_saboteur", 1)
    mover = state.current_player()
    drops = {
        state.action_to_string(action): action for action in state.legal_actions() if "drop" in state.action_to_string(action)
    }
    first, second = (state.child(action) for action in list(drops.values())[:2])
    assert first.information_state_string(1 - mover) == second.information_state_string(1 - mover)
    assert first.information_state_tensor(1 - mover) == second.information_state_tensor(1 - mover)
    assert first.information_state_string(mover) != second.information_state_string(mover)


def test_information_states_recall_all_moves():
    """Two ways to the same position are two information states, and one observation."""
    one, two = (pyspiel.load_game("daedalus_quoridor").new_initial_state() for _ in range(2))
    for state, moves in ((one, ("e2", "e8", "a1h", "a8h")), (two, ("a1h", "a8h", "e2", "e8"))):
        for move in moves:
            state.apply_action(state.string_to_action(move))
    assert one.position.text == two.position.text
    assert one.observation_tensor(0) == two.observation_tensor(0)
    assert one.information_state_tensor(0) != two.information_state_tensor(0)
    assert one.information_state_string(0).splitlines()[2:] == ["e2", "e8", "a1h", "a8h"]


def test_observers_name_the_groups_of_features():
    game = pyspiel.load_game("daedalus_blackhole")
    observation = make_observation(game)
    observation.set_from(game.new_initial_state(), 0)
    assert observation.dict["own ships"].shape == (5, 5) and observation.dict["own ships"].sum() == 4
    recalled = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    assert recalled.dict["moves"].shape == (500,)
    with pytest.raises(ValueError, match="one seat"):
        make_observation(game, pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE))


@pytest.mark.parametrize("name", GAMES)
def test_serialised_states_come_back(name):
    state = advanced(f"daedalus_{name}", 9)
    game, copy = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert copy.position == state.position and game.rules == state.get_game().rules


@pytest.mark.parametrize("name", GAMES)
def test_its_mcts_plays(name):
    state, random = advanced(f"daedalus_{name}", 12), np.random.RandomState(1)
    while len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
    bot = mcts.MCTSBot(state.get_game(), 1.0, 4, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    assert bot.step(state) in state.legal_actions()


def test_games_are_pickled_for_another_process():
    game = pyspiel.load_game("daedalus_labyrinth(players=3,deals=7)")
    code = "import pickle, sys; game = pickle.load(sys.stdin.buffer); print(game, game.num_players())"
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(game), capture_output=True)
    assert done.stdout.decode().split() == [str(game), "3"], done.stderr


def test_what_is_not_legal_is_refused_and_changes_nothing():
    game = pyspiel.load_game("daedalus_saboteur(deals=5,longest=3)")
    state = game.new_initial_state()
    with pytest.raises(IllegalMove, match="there is no deal 5, of 5"):
        state.apply_action(5)
    state = game.new_initial_state()
    state.apply_action(4)
    illegal = next(action for action in range(game.num_distinct_actions()) if action not in state.legal_actions())
    with pytest.raises(IllegalMove, match=f"action {illegal} is not legal"):
        state.apply_action(illegal)
    assert state.history() == [4]
    for _ in range(3):
        state = state.clone()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    with pytest.raises(IllegalMove, match="the game is over"):
        state.apply_action(0)
    assert len(state.position.history) == 3


def test_its_mcts_finds_a_win():
    game = pyspiel.load_game("daedalus_quoridor(width=3,height=3,walls=1)")
    state, random = game.new_initial_state(), np.random.RandomState(1)
    for move in ("b2", "a1h"):
        state.apply_action(state.string_to_action(move))
    bot = mcts.MCTSBot(game, 1.0, 100, mcts.RandomRolloutEvaluator(1, random), random_state=random, solve=True)
    won = state.child(bot.step(state))
    assert won.is_terminal() and won.returns() == [1, -1]


def test_exploitability_of_a_small_board():
    """Its algorithms on Quoridor of 3 x 3: uniform play can be exploited, and CFR leaves nothing to exploit."""
    game = pyspiel.load_game(TINY)
    uniform = exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    solved = exploitability.exploitability(game, solver.average_policy())
    assert uniform > 0.3 and solved < 0.1 * uniform


def test_our_agents_are_bots():
    state = advanced("daedalus_saboteur", 1)
    game = state.get_game()
    bots = [ours.Bot(game, "greedy"), ours.Bot(game, "mcts:simulations=5")]
    while not state.is_terminal():
        state.apply_action_with_legality_check(bots[state.current_player()].step(state))
    assert sum(state.returns()) == 0


def test_a_game_of_ones_own():
    name = ours.register(f"{HERE.parents[1] / 'examples' / 'connect_four.py'}:ConnectFour")
    assert name == "daedalus_connect_four"
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)
    with pytest.raises(daedalus.DaedalusError, match="needs features"):
        ours.register(f"{HERE.parent / 'highcard.py'}:HighCard")


def test_one_line_says_what_to_install():
    hiding = "import sys; sys.modules['pyspiel'] = None\nimport daedalus\ntry:\n    import daedalus.interop.open_spiel\n"
    caught = "except daedalus.DaedalusError as error:\n    print(error)\n"
    answer = subprocess.run([sys.executable, "-c", hiding + caught], capture_output=True, text=True, check=True)
    assert answer.stdout == "games in OpenSpiel need open_spiel: pip install 'daedalus[interop]'\n"
