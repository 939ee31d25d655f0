"""Learns Black-Hole Escape from nothing but NumPy, in ten seconds: python examples/learn.py

A linear policy over the features plays 256 games at once, as Red in half of them, against random moves. After every 64 moves
each action of a game that has ended becomes likelier if the game was won, and less likely if it was lost (REINFORCE).
"""

import numpy as np

import daedalus

N, MOVES, ROUNDS, RATE = 256, 64, 20, 0.3


def policy(weights, observations, masks):
    """How likely each legal action is."""
    scores = np.where(masks, observations @ weights, -np.inf)
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    return likely / likely.sum(axis=1, keepdims=True)


def learn(rounds=ROUNDS, seed=1):
    """The share of points won in each round, of games that ended in it."""
    games, rng = daedalus.vector("blackhole", N, seed=seed, hole="pass"), np.random.default_rng(seed)
    weights = np.zeros((games.game.FEATURES, games.game.ACTIONS), np.float32)
    rows, seats = np.arange(N), np.arange(N) % 2
    seen, scores = games.reset(), []
    for _ in range(rounds):
        steps = []
        for _ in range(MOVES):
            before, mine = seen.observations.copy(), seen.turns == seats
            likely = policy(weights, before, seen.masks)
            drawn = (likely / rng.exponential(size=likely.shape)).argmax(axis=1)  # each as often as it is likely
            actions = np.where(mine, drawn, games.sample())
            seen = games.step(actions)
            steps.append((before, likely, actions, mine, seen.done.copy(), seen.rewards[rows, seats]))
        results, change = np.zeros(N), np.zeros_like(weights)
        for before, likely, actions, mine, done, rewards in reversed(steps):
            results = np.where(done, rewards, results)  # games that have not ended count nothing
            likely[rows, actions] -= 1
            change -= before.T @ (likely * (mine * results)[:, None])
        weights += RATE * change / N
        won = np.concatenate([rewards[done] for *_, done, rewards in steps])
        scores.append(float(won.mean() + 1) / 2)
    return scores


if __name__ == "__main__":
    for number, score in enumerate(learn()):
        print(f"round {number:3}: {score:.1%} of the points against random moves")
