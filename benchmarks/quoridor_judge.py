"""How the network of Quoridor's expert is made: python benchmarks/quoridor_judge.py games|fit [...]

games OUT.npy [--seconds S] [--seed N] [--nodes N] [--judge J]   positions of the expert's games against itself, by CPU time
fit OUT.safetensors GAMES.npy ... [--epochs N] [--share X]       the network that best corrects the formula on them

A game begins with 2 to 10 moves, half of them at random, and goes on with one random move in twenty. Two positions in five
are followed by a look at one that a random move leads to, since searches judge such positions too. What is learnt is, to the
share X, who won the game, and else what the search said of the position. A tenth of the games is kept for the test.
"""

import argparse
import random
import time
from pathlib import Path

import numba
import numpy as np

import daedalus
from daedalus import Limit, Position
from daedalus.games.quoridor.judge import SHAPES
from daedalus.games.quoridor.kernels.bitboards import STRIDE
from daedalus.games.quoridor.kernels.evaluation import SIDE, STEPS, UNITS
from daedalus.search.kernels.frames import PROVEN
from daedalus.search.safetensors import write_weights

POSITION = np.dtype(
    [
        ("w", "u8", 4),  # horizontal and vertical walls, two words each
        ("pawn", "i2", 2),
        ("stock", "i2", 2),
        ("turn", "i1"),
        ("ply", "i2"),
        ("score", "i4"),  # what the search said
        ("result", "i1"),  # 1 or -1 for the side to move, 0 if the position was not played on
        ("game", "i4"),
    ]
)
LOGIT = 250.0  # the score that makes odds of e to 1
SIZES = {name: int(np.prod(shape)) for name, shape in SHAPES.items()}
BEGIN = dict(zip(SIZES, np.cumsum([0, *SIZES.values()]).tolist(), strict=False))
INPUTS = sum(SIZES.values())
MOST = 48  # inputs that are on at once, at most


# --- games ------------------------------------------------------------------------------------------------------------


class Nodes:
    """The budget of a search: so many nodes."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes

    def next(self) -> int:
        return max(self.left, 0)

    def note(self, nodes: int) -> None:
        self.left -= nodes


def thinks(search, position, nodes):
    """(score, best move) after a search."""
    run = search.begin(position.view(), Limit())
    run.search(Nodes(nodes))
    if run.partial_counts():
        run.keep()
    return int(run.score), run.best_line[0]


def any_move(position, choice):
    """A random wall or, hardly less often, a random step."""
    walls = [code for code in position.legal_moves.codes if code >= 128]
    pawn = [code for code in position.legal_moves.codes if code < 128]
    return choice.choice(walls if walls and choice.random() < 0.55 else pawn)


def one_game(game, search, choice, nodes, number):
    """The positions of one game whose result no search had found yet."""
    position, rows = Position(game, 1), []

    def note(seen, score, played):
        s = seen.state
        walls = (s.h0, s.h1, s.v0, s.v1)
        rows.append((walls, s.pawn, s.stock, seen.turn, len(seen.history), score, 1 if played else 0, number))

    for _ in range(choice.randint(2, 10)):
        if position.outcome() is None:
            position.push(any_move(position, choice) if choice.random() < 0.5 else thinks(search, position, 300)[1])
    winner = None
    while position.outcome() is None and len(position.history) < 140:
        score, best = thinks(search, position, nodes)
        if abs(score) > PROVEN:
            winner = position.turn if score > 0 else 1 - position.turn
            break
        note(position, score, True)
        if choice.random() < 0.4:
            aside = position.copy()
            aside.push(any_move(aside, choice))
            if aside.outcome() is None:
                score = thinks(search, aside, nodes // 2)[0]
                if abs(score) < PROVEN:
                    note(aside, score, False)
        position.push(any_move(position, choice) if choice.random() < 0.05 else best)
    if position.outcome() is not None:
        winner = position.outcome().winner
    found = np.array(rows, POSITION)
    found["result"] *= 0 if winner is None else np.where(found["turn"] == winner, 1, -1).astype(np.int8)
    return found


def games(options):
    game, choice = daedalus.game("quoridor"), random.Random(options.seed)
    search = daedalus.agent(f"expert:table=16,judge={options.judge}", game).make(game)
    found, begun = [], time.process_time()
    while time.process_time() - begun < options.seconds:
        found.append(one_game(game, search, choice, options.nodes, 100_000 * options.seed + len(found)))
    np.save(options.out, np.concatenate(found))
    print(f"{len(found)} games, {sum(map(len, found))} positions")


# --- what either player sees --------------------------------------------------------------------------------------------


@numba.njit
def steps_to_goal(pawn, seat, north, east):
    """The length of a shortest path on a board of 81 cells with these open edges."""
    far = np.full(SIDE * SIDE, -1)
    queue = np.empty(SIDE * SIDE, np.int64)
    queue[0], far[pawn] = pawn, 0
    first, last = 0, 1
    while first < last:
        c = queue[first]
        first += 1
        x, y = c % SIDE, c // SIDE
        if y == (SIDE - 1 if seat == 0 else 0):
            return far[c]
        for to, way in (
            (c + SIDE, y < SIDE - 1 and north[c]),
            (c - SIDE, y > 0 and north[c - SIDE]),
            (c + 1, x < SIDE - 1 and east[c]),
            (c - 1, x > 0 and east[c - 1]),
        ):
            if way and far[to] < 0:
                far[to] = far[c] + 1
                queue[last] = to
                last += 1
    return -1


@numba.njit
def look(walls, pawn, stock, turn, begin, inputs, counts, steps):
    """Writes for every position and both seats which inputs are on, and the steps."""
    wx, wy, lies = np.empty(20, np.int64), np.empty(20, np.int64), np.empty(20, np.int64)
    for i in range(walls.shape[0]):
        north, east = np.ones(SIDE * SIDE, np.bool_), np.ones(SIDE * SIDE, np.bool_)
        n = 0
        for c in range(STRIDE * STRIDE):
            for upright in range(2):
                if (walls[i, 2 * upright + c // 64] >> np.uint64(c % 64)) & np.uint64(1):
                    x, y = c % STRIDE, c // STRIDE
                    wx[n], wy[n], lies[n] = x, y, upright
                    n += 1
                    closed = east if upright else north
                    closed[y * SIDE + x] = closed[(y + 1) * SIDE + x if upright else y * SIDE + x + 1] = False
        px, py = pawn[i] % STRIDE, pawn[i] // STRIDE
        for seat in range(2):
            steps[i, seat] = steps_to_goal(py[seat] * SIDE + px[seat], seat, north, east)
        for seat in range(2):
            k = 0
            for theirs in range(2):
                who = 1 - seat if theirs else seat
                row = py[who] if seat == 0 else SIDE - 1 - py[who]
                for j in range(n):
                    up = (wy[j] if seat == 0 else SIDE - 2 - wy[j]) - row + 8
                    inputs[i, seat, k] = begin[0] + ((2 * theirs + lies[j]) * 16 + up) * 16 + wx[j] - px[who] + 8
                    k += 1
                inputs[i, seat, k] = begin[1] + (theirs * SIDE + row) * SIDE + px[who]
                inputs[i, seat, k + 1] = begin[3] + 11 * theirs + stock[i, who]
                inputs[i, seat, k + 2] = begin[4] + STEPS * theirs + min(steps[i, who], STEPS - 1)
                k += 3
            ahead = (py[1 - seat] - py[seat]) * (1 if seat == 0 else -1)
            inputs[i, seat, k] = begin[2] + (ahead + 8) * 17 + px[1 - seat] - px[seat] + 8
            inputs[i, seat, k + 1] = begin[5] + (1 if turn[i] == seat else 0)
            counts[i, seat] = k + 2


def mirrored():
    """Every input's image when left and right are swapped."""
    numbers = []
    for name, shape in SHAPES.items():
        block = BEGIN[name] + np.arange(SIZES[name]).reshape(shape)
        numbers.append((block[..., ::-1] if name in ("walls", "cells", "gap") else block).ravel())
    return np.concatenate(numbers)


def by_formula(positions, steps):
    """What kernels/evaluation.py says without the network, for the side to move."""
    each, turn = np.arange(len(positions)), positions["turn"].astype(int)
    mine, theirs = steps[each, turn], steps[each, 1 - turn]
    stocks = positions["stock"].astype(int)
    stock, stock_theirs = stocks[each, turn], stocks[each, 1 - turn]
    score = 100 * (theirs - mine) + 50 + 140 * (stock - stock_theirs) + 250 * ((stock > 0) * 1 - (stock_theirs > 0))
    score += np.where((stock_theirs == 0) & (mine <= theirs), 1500 + 20 * (theirs - mine), 0)
    return score - np.where((stock == 0) & (theirs < mine), 1500 + 20 * (mine - theirs), 0)


# --- training -----------------------------------------------------------------------------------------------------------


@numba.njit(fastmath=True)
def seen_as(inputs, counts, i, image, rows, hidden):
    """The hidden units for both seats' views of a position, before they are rectified."""
    for seat in range(2):
        for u in range(UNITS):
            hidden[seat, u] = np.float32(0.0)
        for k in range(counts[i, seat]):
            row = image[inputs[i, seat, k]]
            for u in range(UNITS):
                hidden[seat, u] += rows[row, u]


@numba.njit(fastmath=True)
def corrections(inputs, counts, which, image, rows, worth, out):
    """The network's logits for the first seat."""
    hidden = np.zeros((2, UNITS), np.float32)
    for n in range(which.size):
        seen_as(inputs, counts, which[n], image, rows, hidden)
        out[n] = 0.0
        for u in range(UNITS):
            out[n] += worth[u] * (max(hidden[0, u], np.float32(0.0)) - max(hidden[1, u], np.float32(0.0)))


@numba.njit(fastmath=True)
def gradients(inputs, counts, i, image, rows, worth, known, target, slopes, worth_slopes, hidden):
    """Adds a position's gradients of the cross entropy."""
    seen_as(inputs, counts, i, image, rows, hidden)
    logit = known
    for u in range(UNITS):
        logit += worth[u] * (max(hidden[0, u], np.float32(0.0)) - max(hidden[1, u], np.float32(0.0)))
    error = np.float32(1.0 / (1.0 + np.exp(-logit)) - target)
    for seat in range(2):
        sign = error if seat == 0 else -error
        for u in range(UNITS):
            on = hidden[seat, u] > 0
            worth_slopes[u] += sign * hidden[seat, u] if on else np.float32(0.0)
            hidden[seat, u] = sign * worth[u] if on else np.float32(0.0)
        for k in range(counts[i, seat]):
            row = image[inputs[i, seat, k]]
            for u in range(UNITS):
                slopes[row, u] += hidden[seat, u]


@numba.njit(fastmath=True)
def adam(weights, slopes, mean, square, rate, decay, batch, step):
    """A step of AdamW on flat arrays; clears the slopes."""
    for j in range(weights.size):
        slope = slopes[j] / batch
        slopes[j] = 0.0
        mean[j] = 0.9 * mean[j] + 0.1 * slope
        square[j] = 0.999 * square[j] + 0.001 * slope * slope
        move = mean[j] / (1 - 0.9**step) / (np.sqrt(square[j] / (1 - 0.999**step)) + 1e-8)
        weights[j] -= rate * (move + decay * weights[j])


@numba.njit(fastmath=True)
def epoch(inputs, counts, order, images, rows, worth, known, target, memory, worth_memory, rate, decay, batch, step):
    """Once through the positions, each as it is or mirrored; returns the number of steps so far."""
    hidden = np.zeros((2, UNITS), np.float32)
    slopes, worth_slopes = np.zeros_like(rows), np.zeros_like(worth)
    for n in range(order.size):
        i = order[n]
        gradients(inputs, counts, i, images[n & 1], rows, worth, known[i], target[i], slopes, worth_slopes, hidden)
        if n % batch == batch - 1:
            step += 1
            adam(rows.reshape(-1), slopes.reshape(-1), memory[0], memory[1], rate, decay, batch, step)
            adam(worth, worth_slopes, worth_memory[0], worth_memory[1], rate, 0.0, batch, step)
    return step


def foresight(logits, results):
    """The share of pairs of a won and a lost position that are told apart (AUC), and the cross entropy."""
    order = np.empty(logits.size)
    order[np.argsort(logits)] = np.arange(logits.size)
    won = results > 0
    pairs = won.sum() * (~won).sum()
    return (order[won].sum() - won.sum() * (won.sum() - 1) / 2) / pairs, np.log1p(np.exp(-logits * results)).mean()


def fit(options):
    positions = np.concatenate([np.load(path)[list(POSITION.names)] for path in options.games])
    positions = positions[positions["stock"].max(1) > 0]
    count, begin = len(positions), np.array(list(BEGIN.values()))
    inputs, counts = np.zeros((count, 2, MOST), np.int16), np.zeros((count, 2), np.int64)
    steps = np.zeros((count, 2), np.int64)
    wide = [positions[name].astype(np.int64) for name in ("pawn", "stock", "turn")]
    look(positions["w"], *wide, begin, inputs, counts, steps)
    sign = np.where(positions["turn"] == 0, 1, -1)
    formula, result = by_formula(positions, steps) / LOGIT, positions["result"]
    said = 1 / (1 + np.exp(-positions["score"].clip(-4000, 4000) / LOGIT))
    wanted = np.where(result != 0, options.share * (result > 0) + (1 - options.share) * said, said)
    target = np.where(sign > 0, wanted, 1 - wanted)
    tested = positions["game"] % 10 == 0
    train, test = np.flatnonzero(~tested), np.flatnonzero(tested & (result != 0))
    chance = np.random.default_rng(1)
    rows = (chance.normal(size=(INPUTS, UNITS)) * 0.05).astype(np.float32)
    worth = (chance.normal(size=UNITS) * 0.3).astype(np.float32)
    memory, worth_memory = np.zeros((2, rows.size), np.float32), np.zeros((2, worth.size), np.float32)
    images, out, step = np.stack([np.arange(INPUTS), mirrored()]), np.zeros(test.size), 0
    print("formula: AUC {:.4f}, cross entropy {:.4f}".format(*foresight(formula[test], result[test])))
    for turn in range(options.epochs):
        rate = np.float32(options.rate * (1 - turn / options.epochs) + 0.0001)
        order, known = chance.permutation(train), formula * sign
        decay = np.float32(options.decay)
        step = epoch(inputs, counts, order, images, rows, worth, known, target, memory, worth_memory, rate, decay, 512, step)
        corrections(inputs, counts, test, images[0], rows, worth, out)
        found = foresight(formula[test] + out * sign[test], result[test])
        error = np.mean((1 / (1 + np.exp(-(formula[test] + out * sign[test]))) - said[test]) ** 2)
        print(
            f"epoch {turn + 1}: AUC {found[0]:.4f}, cross entropy {found[1]:.4f}, error to the search {error:.5f}", flush=True
        )
    known_steps = np.bincount(np.minimum(steps.ravel(), STEPS - 1), minlength=STEPS) > 150
    longest = int(np.flatnonzero(known_steps).max())
    weights = {name: rows[BEGIN[name] :][: SIZES[name]].reshape(*shape, UNITS) for name, shape in SHAPES.items()}
    weights["steps"][:, longest + 1 :] = weights["steps"][:, longest : longest + 1]  # farther than games go
    trained = f"{count} positions of {len(np.unique(positions['game']))} games, {options.epochs} epochs"
    write_weights(options.out, weights | {"worth": worth * LOGIT}, {"game": "quoridor", "trained": trained})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(required=True)
    kind = kinds.add_parser("games")
    kind.add_argument("out", type=Path)
    kind.add_argument("--seconds", type=float, default=600)
    kind.add_argument("--seed", type=int, default=1)
    kind.add_argument("--nodes", type=int, default=3000)
    kind.add_argument("--judge", default="network", choices=("network", "formula"))
    kind.set_defaults(run=games)
    kind = kinds.add_parser("fit")
    kind.add_argument("out", type=Path)
    kind.add_argument("games", type=Path, nargs="+")
    kind.add_argument("--epochs", type=int, default=10)
    kind.add_argument("--share", type=float, default=0.15)
    kind.add_argument("--rate", type=float, default=0.0015)
    kind.add_argument("--decay", type=float, default=1.0)
    kind.set_defaults(run=fit)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
