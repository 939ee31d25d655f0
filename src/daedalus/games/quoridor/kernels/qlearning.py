"""Q-learning's games in kernels: many games in one call, their transitions, the inputs of a batch, scores of a network.

A transition joins two turns of the learner that lie n of its turns apart, or a turn and the end of the game:

    state, played, legal   what it saw, did and might have done (actions as bits)
    gain                   what these n turns brought, discounted: the result if the game ended, and steps gained on the other
    discount               gamma ** n, or 0 if the game ended
    after, legal_after     the state in which it was to move again
"""

from typing import Any, NamedTuple

import numpy as np

from daedalus.core import ONE, U, helper, kernel, random_below, random_unit

from .bitboards import distance
from .qnet import action_of, best_move, forward, write_inputs

MOST_TURNS = 160  # of the learner in a game; longer games are left without a result


class Transitions(NamedTuple):
    """Rows of transitions, an array a part."""

    state: Any
    after: Any
    played: Any
    gain: Any
    discount: Any
    legal: Any
    legal_after: Any


class Manner(NamedTuple):
    """How the learner plays: how often it explores, and how often the teacher decides then; what its transitions span."""

    epsilon: float = 0.0
    guided: float = 0.0
    n: int = 1
    gamma: float = 1.0
    shaping: float = 0.0
    opening: int = 0
    back: int = 0
    mask: bool = True
    double: bool = True


@helper
def note_legal(game, s, kind, w, n, masks, row):
    """Writes the legal actions as bits to a row of masks."""
    for k in range(masks.shape[1]):
        masks[row, k] = U(0)
    for i in range(n):
        action = action_of(game, s, kind, np.int64(w.buf[i]))
        masks[row, action >> 6] |= ONE << U(action & 63)


@helper
def near_the_end(game, teacher, S, w, back):
    """S[0] becomes a position of a game between teachers, 1 to `back` plies before its end, or its beginning."""
    n = 1
    S[n] = S[S.size - 1]
    game.start(S[n], w)
    while not game.over(S[n]) and n + 2 < S.size:
        S[n + 1] = S[n]
        n += 1
        game.play(S[n], teacher.pick(game, S[n], w))
    S[0] = S[max(1, n - 1 - random_below(w, back))]


@helper
def begin(game, teacher, S, w, manner):
    """Sets S[0] up: near the end of a game, or the beginning and some random moves."""
    if manner.back > 0:
        near_the_end(game, teacher, S, w, manner.back)
        return
    S[0] = S[S.size - 1]
    game.start(S[0], w)
    for _ in range(random_below(w, manner.opening + 1)):
        if not game.over(S[0]):
            game.play(S[0], game.random_move(S[0], w))


@helper
def decide(game, net, teacher, s, w, count, manner):
    """The learner's move, of the `count` legal ones in w.buf."""
    if random_unit(w) >= manner.epsilon:
        return best_move(game, net.net, s, w, count, False)
    if random_unit(w) < manner.guided:
        return np.int64(teacher.pick(game, s, w))
    return np.int64(w.buf[random_below(w, count)])


@helper
def ahead(game, s, seat):
    """How many steps a seat is ahead of the other."""
    return distance(game, s, 1 - seat) - distance(game, s, seat)


@helper
def gained(game, T, begin, end, turns, result, manner, me):
    """What the turns from `begin` up to `end` brought, discounted."""
    total = 0.0
    factor = 1.0
    for i in range(begin, min(end, turns)):
        if i == turns - 1:
            total += factor * result
        elif manner.shaping > 0.0:
            total += factor * manner.shaping * (ahead(game, T[i + 1], me) - ahead(game, T[i], me))
        factor *= manner.gamma
    return total


@helper
def note_turns(game, rows, n_rows, turns, T, legal, chosen, result, manner, me):
    """Appends the transitions of one game; returns how many rows there are then."""
    for i in range(turns):
        later = i + manner.n
        last = min(later, turns - 1)
        rows.state[n_rows] = T[i]
        rows.after[n_rows] = T[last]
        rows.played[n_rows] = chosen[i]
        for k in range(legal.shape[1]):
            rows.legal[n_rows, k] = legal[i, k]
            rows.legal_after[n_rows, k] = legal[last, k]
        rows.gain[n_rows] = gained(game, T, i, later, turns, result, manner, me)
        rows.discount[n_rows] = manner.gamma**manner.n if later < turns else 0.0
        n_rows += 1
    return n_rows


@kernel
def gather(game, net, other, teacher, S, W, T, legal, chosen, rows, manner, games):
    """Plays games of the learner, seats in turn, against `other`; (rows written, sum of results).

    S are states to play in, the last one blank; T, legal and chosen keep the turns of one game.
    """
    w = W[0]
    n_rows = 0
    total = 0.0
    for g in range(games):
        if n_rows + MOST_TURNS > rows.played.size:
            break
        me = g & 1
        begin(game, teacher, S, w, manner)
        turns = 0
        while not game.over(S[0]) and turns < MOST_TURNS:
            s = S[0]
            if game.turn(s) != me:
                game.play(s, other.pick(game, s, w))
                continue
            count = game.moves(s, w)
            note_legal(game, s, net.net.inputs, w, count, legal, turns)
            m = decide(game, net, teacher, s, w, count, manner)
            T[turns] = S[0]
            chosen[turns] = action_of(game, s, net.net.inputs, m)
            turns += 1
            game.play(s, m)
        result = game.payoff(S[0], me) if game.over(S[0]) else 0.0
        total += result
        n_rows = note_turns(game, rows, n_rows, turns, T, legal, chosen, result, manner, me)
    return n_rows, total


@kernel
def fill(game, kind, states, places, W, X):
    """The inputs of the states at these places, a row each."""
    for i in range(places.size):
        write_inputs(game, states[places[i]], kind, W[0], X[i])


@kernel
def advise(game, kind, states, places, S, W, shaping, Y):
    """What every legal action of the states at these places gains at once: steps ahead, or the game (1)."""
    w = W[0]
    for i in range(places.size):
        s = states[places[i]]
        me = game.turn(s)
        before = ahead(game, s, me)
        for k in range(game.moves(s, w)):
            m = np.int64(w.buf[k])
            S[0] = states[places[i]]
            game.play(S[0], m)
            value = 1.0 if game.over(S[0]) else shaping * (ahead(game, S[0], me) - before)
            Y[i, action_of(game, s, kind, m)] = value


@helper
def best_value(game, chooser, judge, s, w, manner):
    """What the action that one network values highest is worth to the other; without double Q that is the same network."""
    write_inputs(game, s, judge.inputs, w, judge.x)
    forward(judge)
    q = judge.q
    if manner.double:
        for i in range(judge.x.size):
            chooser.x[i] = judge.x[i]
        forward(chooser)
        q = chooser.q
    best = 0
    top = np.float32(-np.inf)
    for k in range(game.moves(s, w) if manner.mask else q.size):
        a = action_of(game, s, judge.inputs, np.int64(w.buf[k])) if manner.mask else k
        if q[a] > top:
            top = q[a]
            best = a
    return judge.q[best]


@kernel
def look_ahead(game, chooser, judge, states, places, S, W, moves, manner, Y):
    """One step of Q-learning for every legal action of the states at these places: what it gains at once, less what the
    other's best answer is worth to the other, or the result if it ends the game.
    """
    w = W[0]
    for i in range(places.size):
        s = states[places[i]]
        me = game.turn(s)
        before = ahead(game, s, me)
        count = game.moves(s, w)
        for k in range(count):
            moves[k] = w.buf[k]
        for k in range(count):
            S[0] = states[places[i]]
            game.play(S[0], moves[k])
            if game.over(S[0]):
                value = game.payoff(S[0], me)
            else:
                value = manner.shaping * (ahead(game, S[0], me) - before)
                value -= manner.gamma * best_value(game, chooser.net, judge.net, S[0], w, manner)
            Y[i, action_of(game, s, judge.net.inputs, moves[k])] = value


@kernel
def score(game, net, other, S, W, games, opening, results):
    """Plays games of the network against `other`, two with the same opening, seats swapped; results of the network."""
    w = W[0]
    for g in range(games):
        me = g & 1
        if me == 0:
            S[1] = S[S.size - 1]
            game.start(S[1], w)
            for _ in range(opening):
                game.play(S[1], game.random_move(S[1], w))
        S[0] = S[1]
        s = S[0]
        while not game.over(s):
            game.play(s, net.pick(game, s, w) if game.turn(s) == me else other.pick(game, s, w))
        results[g] = game.payoff(s, me)
