"""OpenSpiel's MCTS and ours, of the same simulations, play our Quoridor inside OpenSpiel; a score near a half says they agree.

    python benchmarks/open_spiel_mcts.py                                        100 games on 9 x 9, 25 simulations a move
    python benchmarks/open_spiel_mcts.py --game "daedalus_quoridor(width=5,height=5,walls=3)" --simulations 100

Both play uniform random playouts to the end, with the same exploration, prove endings in the tree, and keep nothing from move
to move. Seats are swapped from game to game. Every move is held against the list of legal ones by OpenSpiel itself.
"""

import argparse
import sys
import time

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import daedalus.interop.open_spiel as ours
from daedalus.arena.statistics import Tally, score_interval


def their_bot(game, simulations, c, seed):
    random = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    return mcts.MCTSBot(game, c, simulations, evaluator, solve=True, random_state=random)


def our_bot(game, simulations, c, seed):
    spec = f"mcts:simulations={simulations},c={c},rollout=uniform,cutoff=-1,solver=yes,reuse=no"
    return ours.Bot(game, spec, seed=seed)


def play(game, bots, number):
    """What the first seat wins; an illegal action raises."""
    state, dealt = game.new_initial_state(), np.random.RandomState(number)
    for bot in bots:
        bot.restart()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(dealt.choice([outcome for outcome, _ in state.chance_outcomes()])))
        else:
            state.apply_action_with_legality_check(int(bots[state.current_player()].step(state)))
    return state.returns()[0], state.move_number()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="daedalus_quoridor")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=25)
    parser.add_argument("--c", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game, begun, results, plies = pyspiel.load_game(given.game), time.monotonic(), [], 0
    for number in range(given.games):
        seed = given.seed * 10_000 + number
        pair = [our_bot(game, given.simulations, given.c, seed), their_bot(game, given.simulations, given.c, seed)]
        first, length = play(game, pair if number % 2 == 0 else pair[::-1], seed)
        results.append(first if number % 2 == 0 else -first)
        plies += length
        print(
            f"game {number + 1}: {results[-1]:+.0f}, {length} plies, {time.monotonic() - begun:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    tally = Tally(results.count(1), results.count(0), results.count(-1))
    score = score_interval(tally, None, len(results))
    print(f"{given.game}, {given.simulations} simulations a move, {time.monotonic() - begun:.0f} s")
    print(f"ours against theirs: {tally}, {plies} legal moves")
    print(f"score {score.value:.3f}, 95 % interval {score.low:.3f} to {score.high:.3f}")


if __name__ == "__main__":
    main()
