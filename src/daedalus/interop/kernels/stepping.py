"""Many games side by side: one call moves them all on, starts anew what has ended, and writes what the seats to move see.

What a game does depends on its own streams of random numbers alone, not on which thread steps it with which others.
"""

from typing import Any, NamedTuple

from daedalus.core import U, helper, kernel, random_below


class Table(NamedTuple):
    """What is kept of n games beside their states; down to `done` it is what a learner sees."""

    observations: Any  # (n, FEATURES) of the seat to move
    masks: Any  # (n, ACTIONS) 1 for legal actions
    turns: Any  # (n,) the seat to move
    rewards: Any  # (n, SEATS) the result of a game that has just ended, else 0
    done: Any  # (n,) 1 if the last move ended a game: what is seen is the next one's opening
    codes: Any  # (n, MAX_MOVES) the legal moves
    numbers: Any  # (n, MAX_MOVES) their actions
    counts: Any  # (n,) how many there are
    plies: Any  # (n,) moves made in this game
    keys: Any  # (n, a power of two) of the positions of this game, where the rules ask for repetition
    deals: Any  # (n,) random numbers of openings
    dice: Any  # (n,) random numbers of random actions


@helper
def open_game(game, S, blank, w, table, i, repetition):
    """Game i begins."""
    S[i] = blank[0]
    w.rng = table.deals[i]
    game.start(S[i], w)
    table.deals[i] = w.rng
    table.plies[i] = 0
    if repetition > 0:
        table.keys[i, 0] = game.key(S[i])


@helper
def is_repeated(game, s, table, i, repetition):
    """Notes the position of game i: has it occurred as often as makes a draw?"""
    key = game.key(s)
    ply = table.plies[i]
    times = 1
    for k in range(ply):
        if table.keys[i, k] == key:
            times += 1
    table.keys[i, ply] = key
    return key != U(0) and times >= repetition


@helper
def settle(game, s, table, i, repetition):
    """Has game i ended? Writes what each seat gets."""
    over = game.over(s)
    for seat in range(table.rewards.shape[1]):
        table.rewards[i, seat] = game.payoff(s, seat) if over else 0.0
    return over or (repetition > 0 and is_repeated(game, s, table, i, repetition))


@helper
def show(game, s, w, table, i):
    """Writes what the seat to move in game i sees and may do. Only what was set in the mask is cleared: masks are long."""
    for k in range(table.counts[i]):
        table.masks[i, table.numbers[i, k]] = 0
    n = game.moves(s, w)
    for k in range(n):
        number = game.action(s, w.buf[k])
        table.codes[i, k] = w.buf[k]
        table.numbers[i, k] = number
        table.masks[i, number] = 1
    table.counts[i] = n
    seat = game.turn(s)
    table.turns[i] = seat
    game.features(s, seat, table.observations[i])


@helper
def move_of(table, i, action):
    """The first legal move of game i, in the game's own order, that has this action."""
    k = 0
    while table.numbers[i, k] != action:
        k += 1
    return table.codes[i, k]


@helper
def first_illegal(table, actions, begin, end):
    """The first game from begin to end whose action is not legal, -1 if all are."""
    for i in range(begin, end):
        if not 0 <= actions[i] < table.masks.shape[1] or table.masks[i, actions[i]] == 0:
            return i
    return -1


@kernel
def illegal(table, actions):
    """The first game whose action is not legal, -1 if all are."""
    return first_illegal(table, actions, 0, actions.size)


@kernel
def reset(game, S, blank, W, table, repetition):
    """All games begin."""
    w = W[0]
    for i in range(table.turns.size):
        open_game(game, S, blank, w, table, i, repetition)
        for seat in range(table.rewards.shape[1]):
            table.rewards[i, seat] = 0.0
        table.done[i] = False
        show(game, S[i], w, table, i)


@kernel
def step(game, S, blank, W, worker, table, actions, begin, end, repetition):
    """Makes an action in each game from begin to end; if one is illegal makes none and returns its game, else -1."""
    fault = first_illegal(table, actions, begin, end)
    if fault >= 0:
        return fault
    w = W[worker]
    for i in range(begin, end):
        s = S[i]
        game.play(s, move_of(table, i, actions[i]))
        table.plies[i] += 1
        table.done[i] = settle(game, s, table, i, repetition)
        if table.done[i]:
            open_game(game, S, blank, w, table, i, repetition)
        show(game, S[i], w, table, i)
    return -1


@kernel
def sample(W, table, out):
    """A random legal action a game, every legal move equally likely."""
    w = W[0]
    for i in range(out.size):
        w.rng = table.dice[i]
        out[i] = table.numbers[i, random_below(w, table.counts[i])]
        table.dice[i] = w.rng
