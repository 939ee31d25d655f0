"""How the worths of lines of Black-Hole Escape's expert are made: python benchmarks/blackhole_lines.py games|fit [...]

games OUT.npy [--size N] [--hole H] [--seconds S] [--seed N] [--nodes N] [--lines FILE]   positions of games against itself
fit OUT.safetensors GAMES.npy ... [--size N] [--epochs N] [--trust X] [--decay X]          the worths that foresee them best

A game begins with up to 16 random moves and goes on with one random move in 32, and one wherever it repeats itself. What is
learnt is how the game went on: of each position on the way, up to the next random move, the search's word counts for a
share X of what is left, and who won the game for the rest. A tenth of the games is kept for the test. A line is worth a
formula's number plus one that is learnt; a line of the hole, one more for the ships home of both sides.
"""

import argparse
import time
from pathlib import Path

import numba
import numpy as np

import daedalus
from daedalus.core import mix64, nonzero
from daedalus.core.compile import compiler
from daedalus.games.blackhole.expert import ODDS
from daedalus.games.blackhole.kernels import pvs
from daedalus.games.blackhole.kernels.lines import CODES, GOALS, SIDE, board_type, set_board, slide
from daedalus.games.blackhole.kernels.pvs import MAX_DEPTH, SQUARES, Tuning, begin, frame_type
from daedalus.games.blackhole.kernels.sight import look
from daedalus.games.blackhole.patterns import (
    DISTANCES,
    distinct,
    distinct_across,
    file_of,
    known,
    mirrored,
    places,
    ready,
    tables_of,
)
from daedalus.search.kernels.frames import INFINITE, NOTHING, PROVEN, entry_type, forget_killers
from daedalus.search.safetensors import write_weights

POSITION = np.dtype(
    [
        ("ships", "i2", (2, SIDE)),  # rows of either seat
        ("home", "i1", 2),
        ("turn", "i1"),
        ("ply", "i2"),
        ("score", "i4"),  # what the search said
        ("result", "i1"),  # 1, 0 or -1 for the side to move
        ("odd", "i1"),  # was a random move played?
        ("game", "i4"),
    ]
)
PLIES = 300  # a longer game is a draw

compiler()
_search = numba.njit(pvs.search.__wrapped__)


# --- games ------------------------------------------------------------------------------------------------------------


@numba.njit
def think(k, how, B, F, line, table, history, seen, nodes):
    """Deepens until so many positions are judged; (score, best move)."""
    best, score, spent, depth = NOTHING, 0, 0, 0
    forget_killers(F)
    history[:] = 0
    while spent < nodes and depth < 20 and abs(score) < PROVEN:
        depth += 1
        begin(F[0], depth, -INFINITE, INFINITE)
        F[0].first = best
        d, n = _search(k, how, B, F, line, table, history, seen, 0, nodes - spent if depth > 1 else 1 << 40, True)
        spent += n
        if d < 0 or (F[0].place > 0 and F[0].best_move != NOTHING):
            best = F[0].best_move
            score = F[0].best
    return score, best


@numba.njit
def note(seen, key):
    """Adds a position to those that have stood on the board; had it stood there before?"""
    place = key & np.uint64(seen.size - 1)
    while seen[place] != 0:
        if seen[place] == key:
            return True
        place = (place + np.uint64(1)) & np.uint64(seen.size - 1)
    seen[place] = key
    return False


@numba.njit
def play(k, how, S, B, F, line, table, history, nodes, number, out, seen):
    """Plays one game; its positions go to `out`, of which so many are returned."""
    set_board(k, S[0], B[0])
    root = B[0]
    seen[:] = 0
    opening = 2 + np.random.randint(15)
    n = plies = 0
    winner = -1
    while plies < PLIES:
        look(k, root, B[1], F[0], 0, 2 * INFINITE)
        if F[0].count == 0:
            winner = 1 - root.turn
            break
        odd = note(seen, nonzero(mix64(root.key))) or plies < opening or np.random.randint(32) == 0
        if plies >= opening:
            score, best = think(k, how, B, F, line, table, history, seen, nodes)
            if abs(score) > PROVEN:
                winner = root.turn if score > 0 else 1 - root.turn
                break
            p = out[n]
            for seat in range(2):
                p.home[seat] = root.home[seat]
                for row in range(SIDE):
                    p.ships[seat, row] = 0
                for i in range(root.left[seat]):
                    square = root.fleet[seat, i]
                    p.ships[seat, square >> 4] |= 1 << (square & 15)
            p.turn, p.ply, p.score, p.odd, p.game = root.turn, plies, score, odd, number
            n += 1
        if odd:
            look(k, root, B[1], F[0], 0, 2 * INFINITE)
            best = np.int64(F[0].move[np.random.randint(F[0].count)])
        slide(k, root, best)
        plies += 1
        if root.home[1 - root.turn] == k.goal:
            winner = 1 - root.turn
            break
    for i in range(n):
        out[i].result = 0 if winner < 0 else 1 if out[i].turn == winner else -1
    return n


def worths(options, game):
    """What lines are worth to the players: by a file, by default the one that comes along, or by the formula."""
    if options.lines == "formula":
        return np.rint(formula(game) * ODDS).astype(np.int16)
    return tables_of(game, Path(options.lines) if options.lines else file_of(game))


def games(options):
    game = daedalus.game("blackhole", size=options.size, hole=options.hole)
    k, how = known(game, worths(options, game)), Tuning()
    state = daedalus.Position(game, 1).state
    S = np.array([state])
    B, F = np.zeros(MAX_DEPTH + 2, board_type()), np.zeros(MAX_DEPTH + 2, frame_type())
    line, table = np.full((MAX_DEPTH + 3, MAX_DEPTH + 4), -1), np.zeros(1 << 16, entry_type())
    history, seen = np.zeros((2, 4 * SQUARES), np.int64), np.zeros(1024, np.uint64)
    found, begun = [], None
    seed_numba(options.seed)
    while begun is None or time.process_time() - begun < options.seconds:
        out = np.zeros(PLIES + 1, POSITION)
        number = 1_000_000 * options.seed + len(found)
        n = play(k, how, S, B, F, line, table, history, options.nodes, number, out, seen)
        begun = begun or time.process_time()  # the first one compiles
        found.append(out[:n])
    rows = np.concatenate(found)
    np.save(options.out, rows)
    drawn = sum(len(each) == 0 or each["result"][0] == 0 for each in found)
    print(f"{len(found)} games, {drawn} drawn, {len(rows)} positions")


@numba.njit
def seed_numba(seed):
    np.random.seed(seed)


# --- the fit ----------------------------------------------------------------------------------------------------------


def formula(game):
    """The weights of `evaluate` as worths of lines, in logits."""
    size, hole = game.size, game.size // 2
    ships = places(size)
    own, other, free = ships == 1, ships == 2, ships == 0
    rising = (own[:, 1:] & free[:, :-1]).sum(1) - (other[:, 1:] & free[:, :-1]).sum(1)
    falling = (own[:, :-1] & free[:, 1:]).sum(1) - (other[:, :-1] & free[:, 1:]).sum(1)
    mine, theirs = ready(game) & 15, ready(game) >> 4
    beside = (1 * own - 1 * other)[:, [hole - 1, hole + 1]].sum(1)
    tables = np.zeros((GOALS, GOALS, DISTANCES, CODES))
    for a in range(hole):
        for b in range(hole):
            for distance in range(hole + 1):
                worth = 0.01 * (rising + falling) - 0.04 * distance * (own.sum(1) - other.sum(1))
                if distance == 0:
                    worth = worth + 0.02 + 0.1 * (a - b) / hole + 0.2 * mine - 0.1 * theirs + 0.07 * beside
                tables[a, b, distance, : 3**size] = 2.5 * worth
    return tables


def inputs_of(positions, size):
    """For every position its stage and its lines as numbers of (distance, code), seen by the side to move."""
    canon = np.minimum(np.arange(3**size), mirrored(size))
    each, turn = np.arange(len(positions)), positions["turn"].astype(int)
    own = positions["ships"][each, turn].astype(np.int64)
    other = positions["ships"][each, 1 - turn].astype(np.int64)
    powers = 3 ** np.arange(size)
    square = [(ships[:, :size, None] >> np.arange(size)) & 1 for ships in (own, other)]
    board = square[0] + 2 * square[1]
    away = np.abs(np.arange(size) - size // 2)
    rows, columns = canon[(board * powers).sum(2)], canon[(board * powers[:, None]).sum(1)]
    codes = np.concatenate([away * CODES + rows, away * CODES + columns], 1)
    home = positions["home"].astype(np.int64)
    return home[each, turn] * GOALS + home[each, 1 - turn], codes.astype(np.int32)


@numba.njit(fastmath=True)
def logit_of(codes, at, stage, hole, common, special):
    """What is learnt of a position, for the side to move."""
    total = special[stage, codes[at, hole]] + special[stage, codes[at, codes.shape[1] // 2 + hole]]
    for j in range(codes.shape[1]):
        total += common[codes[at, j]]
    return total


@numba.njit(fastmath=True)
def step(weights, squares, slope, decay, rate, c):
    """AdaGrad."""
    g = slope + decay * weights[c]
    squares[c] += g * g
    weights[c] -= rate * g / np.sqrt(squares[c])


@numba.njit(fastmath=True)
def epoch(order, stage, codes, hole, base, target, common, special, squares, special_squares, rate, decay):
    """Once through the positions."""
    for i in order:
        t = stage[i]
        slope = 1.0 / (1.0 + np.exp(-base[i] - logit_of(codes, i, t, hole, common, special))) - target[i]
        for j in range(codes.shape[1]):
            step(common, squares, slope, decay, rate, codes[i, j])
        for j in (hole, codes.shape[1] // 2 + hole):
            step(special[t], special_squares[t], slope, 2 * decay, rate, codes[i, j])


@numba.njit(fastmath=True)
def logits(stage, codes, hole, base, common, special, out):
    for i in range(out.size):
        out[i] = base[i] + logit_of(codes, i, stage[i], hole, common, special)


def foreseen(positions, trust):
    """The chance of the side to move to win, by what the searches said from then on and who won."""
    red = positions["turn"] == 0
    said = 1 / (1 + np.exp(-np.where(red, 1, -1) * positions["score"] / ODDS))
    won = (np.where(red, 1, -1) * positions["result"] + 1) / 2
    found = said.copy()
    for i in range(len(positions))[::-1]:
        if not positions["odd"][i]:
            is_last = i + 1 == len(positions) or positions["game"][i + 1] != positions["game"][i]
            found[i] += (1 - trust) * ((won[i] if is_last else found[i + 1]) - said[i])
    return np.where(red, found, 1 - found)


def entropy(logit, target):
    """The mean cross entropy."""
    return float(np.mean(np.logaddexp(0, logit) - target * logit))


def fit(options):
    game = daedalus.game("blackhole", size=options.size, hole=options.hole)
    positions = np.concatenate([np.load(path) for path in options.games])
    stage, codes = inputs_of(positions, options.size)
    prior = formula(game).reshape(GOALS * GOALS, -1)
    base = prior[stage[:, None], codes].sum(1)
    result = (positions["result"] + 1) / 2
    target = foreseen(positions, options.trust)
    tested = positions["game"] % 10 == 0
    train, test = np.flatnonzero(~tested), np.flatnonzero(tested)
    hole = options.size // 2
    common, special = np.zeros(DISTANCES * CODES), np.zeros((GOALS * GOALS, CODES))
    squares, special_squares = np.full(common.shape, 4.0), np.full(special.shape, 4.0)
    chance, out = np.random.default_rng(1), np.zeros(len(positions))
    print(f"{len(positions)} positions; the formula: {entropy(base[test], result[test]):.4f}")
    for turn in range(options.epochs):
        rate, order = options.rate * (1 - turn / options.epochs), chance.permutation(train)
        epoch(order, stage, codes, hole, base, target, common, special, squares, special_squares, rate, options.decay)
        logits(stage, codes, hole, base, common, special, out)
        shown = " ".join(f"{entropy(out[part], result[part]):.4f}" for part in (train, test))
        print(
            f"epoch {turn + 1}: cross entropy to results {shown}, to targets {entropy(out[test], target[test]):.4f}", flush=True
        )
    whole = prior.reshape(GOALS, GOALS, DISTANCES, CODES) + common.reshape(DISTANCES, CODES)
    special = special.reshape(GOALS, GOALS, CODES) + whole[:, :, 0] - whole[0, 0, 0]
    about = f"{len(positions)} positions of {len(np.unique(positions['game']))} games, {options.epochs} epochs"
    card = {"game": "blackhole", "options": f"size={options.size} hole={options.hole}", "trained": about}
    weights = {
        "common": whole[0, 0, : hole + 1][:, distinct(options.size)],
        "special": special[:hole, :hole][..., distinct_across(options.size)],
    }
    write_weights(options.out, {name: np.rint(ODDS * values) for name, values in weights.items()}, card)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    play_games = commands.add_parser("games")
    play_games.add_argument("out", type=Path)
    play_games.add_argument("--seconds", type=float, default=60)
    play_games.add_argument("--seed", type=int, default=1)
    play_games.add_argument("--nodes", type=int, default=3000)
    play_games.add_argument("--lines", default="")
    play_games.set_defaults(run=games)
    fitted = commands.add_parser("fit")
    fitted.add_argument("out", type=Path)
    fitted.add_argument("games", type=Path, nargs="+")
    fitted.add_argument("--epochs", type=int, default=5)
    fitted.add_argument("--trust", type=float, default=0.1)
    fitted.add_argument("--rate", type=float, default=0.1)
    fitted.add_argument("--decay", type=float, default=1e-4)
    fitted.set_defaults(run=fit)
    for each in (play_games, fitted):
        each.add_argument("--size", type=int, default=7)
        each.add_argument("--hole", default="stop")
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
