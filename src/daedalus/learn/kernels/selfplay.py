"""Whole games of a network against itself inside one call: tree search with few simulations for each move.

A row is a position from the mover's side: what the network sees, how often the search went down each move, what the
position came to be worth. Proven values are taken as they are; of others a part is what came later, the rest what the
search thought. A game that runs into the cap has no result: it would teach that everything is a draw.
"""

import math

import numpy as np

from daedalus.core import U, helper, kernel, random_below, random_unit
from daedalus.search.kernels.mcts import UNOPENED, simulate

search = helper(simulate.__wrapped__)  # a kernel cannot call a kernel, but what it is made of

ILLEGAL = -1.0  # in a row's policy: no move of the position
GAMES, PLIES, FIRST, DRAWS, CAPPED = 0, 1, 2, 3, 4  # what is counted: FIRST are games won by seat 0


def row_type(features, actions):
    """The record of a row."""
    fields = [
        ("x", "f4", (features,)),
        ("policy", "f4", (max(actions, 1),)),
        ("value", "f4"),
        ("proven", "i1"),
        ("mover", "i1"),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def settings_type():
    """How games are played: a recipe's numbers, as kernels read them."""
    fields = [
        ("simulations", "i8"),
        ("c", "f8"),
        ("fpu", "f8"),
        ("noise", "f8"),  # share of the root's priors that is drawn at random
        ("openings", "i8"),  # a game begins with 0 to so many random moves
        ("sampled", "i8"),  # for so many plies after them a move is drawn by its visits, later the most visited is played
        ("later", "f8"),  # share of what came later in a target, the rest is the search's value
        ("cap", "i8"),  # plies of a game
        ("repetition", "i8"),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@helper
def remember(seen, key):
    """Puts a key into the open-addressing table that searches read."""
    mask = U(seen.size - 1)
    place = key & mask
    while seen[np.int64(place)] != U(0) and seen[np.int64(place)] != key:
        place = (place + U(1)) & mask
    seen[np.int64(place)] = key


@helper
def occurrences(history, plies):
    """How often the last of the keys stands among them."""
    n = 0
    for i in range(plies + 1):
        n += history[i] == history[plies]
    return n


@helper
def begin_game(game, S, W, how, history, seen):
    """A new game after some random moves; again, if those ended it."""
    w = W[0]
    for i in range(seen.size):
        seen[i] = U(0)
    while True:
        S[0] = S[3]  # which is never written to: all zero
        game.start(S[0], w)
        left = random_below(w, how.openings + 1)
        while left > 0 and not game.over(S[0]):
            n = game.moves(S[0], w)
            game.play(S[0], w.buf[random_below(w, n)])
            left -= 1
        if not game.over(S[0]):
            is_drawn(game, S[0], how, history, 0, seen)
            return


@helper
def add_noise(T, w, share):
    """Mixes random shares, uniform over all ways to divide 1, into the priors of the root's children."""
    t = T[0]
    total = 0.0
    for i in range(t.count):
        w.prior[i] = -math.log(1.0 - random_unit(w))
        total += w.prior[i]
    for i in range(t.count):
        child = T[t.first + i]
        child.prior = (1.0 - share) * child.prior + share * w.prior[i] / total


@helper
def think(game, net, S, W, T, how, path, keys, seen):
    """Searches S[0] in a new tree."""
    T[0].count = UNOPENED
    T[0].visits = 0
    T[0].solved = 0
    for seat in range(T[0].value.size):
        T[0].value[seat] = 0.0
    repeats = how.repetition > 0
    used, _ = search(game, net, net, S, W, T, 1, 1, True, how.c, how.fpu, 0.0, 1, 0, repeats, seen, path, keys)
    if how.noise > 0.0:
        add_noise(T, W[0], how.noise)
    rest = how.simulations - 1
    search(game, net, net, S, W, T, used, rest, True, how.c, how.fpu, 0.0, 1, 0, repeats, seen, path, keys)


@helper
def weigh(T, w):
    """What the search makes of each child of the root, in w.prior: its share of the visits, or of the best proven moves."""
    t = T[0]
    me = t.mover
    total = 0.0
    for i in range(t.count):
        child = T[t.first + i]
        if t.solved:
            w.prior[i] = 1.0 if child.solved and child.best[me] == t.best[me] else 0.0
        else:
            w.prior[i] = 0.0 if child.solved and child.best[me] <= -1.0 else np.float64(child.visits)
        total += w.prior[i]
    for i in range(t.count):  # all lose but are not all proven: any is as good
        w.prior[i] = w.prior[i] / total if total > 0.0 else 1.0 / t.count


@helper
def write_row(game, s, T, w, row):
    """The position, the search's shares in w.prior, and its value."""
    t = T[0]
    row.mover = t.mover
    game.features(s, t.mover, row.x)
    for a in range(row.policy.size):
        row.policy[a] = ILLEGAL
    for i in range(t.count):
        row.policy[game.action(s, T[t.first + i].move)] = w.prior[i]
    row.proven = t.solved
    row.value = t.best[t.mover] if t.solved else t.value[t.mover] / max(t.visits, 1)


@helper
def choose(T, w, sampling):
    """The place of a child: drawn by its share in w.prior, or the one with the largest."""
    t = T[0]
    ticket = random_unit(w)
    top = 0
    for i in range(t.count):
        if sampling:
            ticket -= w.prior[i]
            if ticket < 0.0:
                return i
        if w.prior[i] > w.prior[top]:
            top = i
    return top


@helper
def teach(game, s, rows, begin, end, share, over, drawn, w, seats):
    """Values from the end backwards: a share of what came after a position, the rest what its search thought (TD(lambda)).

    w.payoffs holds what came after, for each seat. A proven value stands, and all before it hear of that instead of the
    moves that were played from there; so they do of a game that was cut off, from its last search on.
    """
    for seat in range(w.payoffs.size):
        w.payoffs[seat] = game.payoff(s, seat) if over and seat < seats else 0.0
    for k in range(end - 1, begin - 1, -1):
        row = rows[k]
        if not row.proven and (k < end - 1 or over or drawn):
            row.value += share * (w.payoffs[row.mover] - row.value)
        w.payoffs[row.mover] = row.value
        if seats == 2:
            w.payoffs[1 - row.mover] = -row.value


@helper
def count_game(game, s, plies, over, drawn, counts):
    counts[GAMES] += 1
    counts[PLIES] += plies
    counts[CAPPED] += not (over or drawn)
    if over and game.payoff(s, 0) > 0.0:
        counts[FIRST] += 1
    elif drawn or (over and game.payoff(s, 0) == 0.0):
        counts[DRAWS] += 1


@helper
def is_drawn(game, s, how, history, plies, seen):
    """Has the position stood on the board as often as the rules allow? If not, searches learn that it has stood there."""
    if how.repetition == 0:
        return False
    history[plies] = game.key(s)
    remember(seen, history[plies])
    return occurrences(history, plies) >= how.repetition


@kernel
def play_games(game, net, S, W, T, settings, rows, wanted, path, keys, seen, history, counts):
    """Plays whole games until `wanted` rows are written, and returns how many are; `rows` has room for a game more.

    S[0] is the game, S[1] and S[2] are scratch, S[3] stays zero.
    """
    how = settings[0]
    w = W[0]
    n = 0
    while n < wanted:
        begin_game(game, S, W, how, history, seen)
        first = n
        over = False
        drawn = False
        while not (over or drawn) and n - first < how.cap:
            think(game, net, S, W, T, how, path, keys, seen)
            weigh(T, w)
            write_row(game, S[0], T, w, rows[n])
            place = choose(T, w, n - first < how.sampled)
            game.play(S[0], T[T[0].first + place].move)
            n += 1
            over = game.over(S[0])
            drawn = not over and is_drawn(game, S[0], how, history, n - first, seen)
        teach(game, S[0], rows, first, n, how.later, over, drawn, w, T[0].value.size)
        count_game(game, S[0], n - first, over, drawn, counts)
    return n
