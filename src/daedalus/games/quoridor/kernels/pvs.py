"""The search of the strong players for two: alpha-beta that knows paths and walls.

Distances to the goals travel with the moves, so that a leaf costs no flood and a move that leads to a hopeless one is
dismissed without being made. Scores are for the side to move, 100 = one step. One frame a ply:

    ENTER (end? repetition? leaf? table? pass?) -> LIST -> LOOP: for each move begin a child or dismiss it, take its score
"""

import numpy as np

from daedalus.core import ONE, ZERO, U, helper, kernel, lowest
from daedalus.search.kernels.frames import (
    ENTER,
    EXACT,
    INFINITE,
    LOWER,
    NOTHING,
    PROVEN,
    UPPER,
    WIN,
    entry_of,
    forget_killers,
    from_table,
    is_narrow,
    keep_killer,
    open_frame,
    prepend,
    seen_before,
    to_table,
)

from .bitboards import goal, only, steps
from .candidates import FAR, away, blockers, bring_best, distance_after, layers, list_moves, list_quiet_walls
from .evaluation import LANES, ROWS, correction, hand_on, judged, judged_after, pass_on, see_both
from .rules import H, V, pawn_moves

MAX_DEPTH = 60
MOVES = 224  # no board has more legal moves
SHALLOW = 3  # so close to the leaves the look of a position tells when it is hopeless
UNKNOWN = INFINITE + 1  # no score yet
LOG = np.log(np.maximum(np.arange(MOVES + 1), 1))

LIST, LOOP, CUT = ENTER + 1, ENTER + 2, ENTER + 3
NONE, NULL, REDUCED, SCOUT, FULL = 0, 1, 2, 3, 4  # how the child under way is searched


def frame_type():
    """The record of a frame: the node, and its moves with their ranks and the distances they lead to."""
    fields = [
        ("key", "u8"),
        ("alpha", "i8"),
        ("beta", "i8"),
        ("opened", "i8"),
        ("best", "i8"),
        ("best_move", "i8"),
        ("first", "i8"),  # the move that was best before
        ("still", "i8"),  # the score by the look of it
        ("extra", "i8"),  # the part of it that the network has added
        ("killer", "i8", (2,)),
        ("own", "u8", (4,)),  # places of walls that may lengthen our way: two words of horizontal, two of vertical ones
        ("listed", "u8", (4,)),  # places of walls that are listed already
        ("place", "i4"),
        ("count", "i4"),
        ("depth", "i4"),
        ("mine", "i4"),  # steps of the side to move to its goal
        ("theirs", "i4"),
        ("stage", "i1"),
        ("trial", "i1"),
        ("passed", "i1"),  # reached by passing: passing again proves nothing
        ("quiet", "i1"),  # are quiet walls listed, or not worth it?
        ("move", "i2", (MOVES,)),
        ("rank", "i4", (MOVES,)),
        ("score", "i4", (MOVES,)),  # of those searched
        ("after_mine", "i1", (MOVES,)),
        ("after_theirs", "i1", (MOVES,)),
        ("first_part", "i2", (LANES,)),  # what the network has summed up of either pawn, see evaluation.py
        ("second_part", "i2", (LANES,)),
        ("rows", "i2", (ROWS,)),  # scratch
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


# --- the table --------------------------------------------------------------------------------------------------------


@helper
def sealed(key, move, score, depth, bound):
    """The key that an entry is kept under: mixed with what it says, so that one which two threads wrote at once fits nothing."""
    return key ^ (U(score & 0xFFFFFFFF) << U(32)) ^ (U(move & 0xFFFF) << U(16)) ^ U(4 * depth + bound)


@helper
def keep(e, f, d):
    """Keeps the result of a finished frame, unless a deeper one of the same position is there."""
    found = sealed(e.key, np.int64(e.move), np.int64(e.score), np.int64(e.depth), np.int64(e.bound))
    if found == f.key and e.depth > f.depth:
        return
    bound = EXACT if f.opened < f.best < f.beta else (LOWER if f.best >= f.beta else UPPER)
    score = to_table(f.best, d)
    e.key = sealed(f.key, f.best_move, score, np.int64(f.depth), bound)
    e.move = f.best_move
    e.score = score
    e.depth = f.depth
    e.bound = bound


# --- a node begins ----------------------------------------------------------------------------------------------------


@helper
def begin(f, depth, alpha, beta, mine, theirs, passed):
    open_frame(f, depth, alpha, beta)
    f.mine = mine
    f.theirs = theirs
    f.first = NOTHING
    f.passed = passed


@kernel
def set_root(game, S, F, depth, alpha, beta, first, clear):
    """Prepares frame 0 for a search to `depth` within a window that begins with move `first`."""
    s = S[0]
    me = s.turn
    distances = np.zeros(2, np.int64)
    for seat in range(2):
        a, b = only(s.pawn[seat])
        g0, g1 = goal(game, seat, 2)
        distances[seat] = steps(a, b, g0, g1, s.n0, s.n1, s.e0, s.e1)
    begin(F[0], depth, alpha, beta, distances[me], distances[1 - me], True)
    F[0].first = first
    if clear:
        forget_killers(F)


@helper
def first_look(game, weights, s, f, d):
    """The score of a node that has ended, is a leaf or looks good enough, else UNKNOWN."""
    if f.theirs == 0:  # the opponent has just arrived
        return -(WIN - d)
    if d > 0 and s.ply >= game.cap:
        return 0
    if f.depth > 0:  # a leaf is corrected as the node before it
        f.extra = correction(weights.network, s, f)
    f.still = judged(weights, s, f)
    if f.depth <= 0 or d == MAX_DEPTH:
        return f.still
    near = d > 0 and f.depth <= SHALLOW and is_narrow(f) and abs(f.beta) < PROVEN
    bound = f.still - weights.margin * f.depth
    return bound if near and bound >= f.beta else UNKNOWN


@helper
def recall(e, f, d):
    """The score of a node if its entry in the table settles it, else UNKNOWN; f.first becomes the move that was best."""
    move, score, depth, bound = np.int64(e.move), np.int64(e.score), np.int64(e.depth), np.int64(e.bound)
    if e.key != sealed(f.key, move, score, depth, bound):
        f.first = NOTHING
        return UNKNOWN
    f.first = move
    if depth >= f.depth:
        score = from_table(score, d)
        if bound == EXACT or (bound == LOWER and score >= f.beta) or (bound == UPPER and score <= f.alpha):
            return score
    return UNKNOWN


@helper
def may_pass(s, f, d):
    """Is passing worth a try? If even that is good enough, so is the best move; but not where a pawn may arrive."""
    if d == 0 or f.passed or f.depth < 3 or not is_narrow(f) or abs(f.beta) >= PROVEN:
        return False
    return f.still >= f.beta and s.stock[s.turn] > 0 and f.theirs > 2


# --- right above the leaves -------------------------------------------------------------------------------------------


@helper
def take_better(f, m, score):
    if score > f.best:
        f.best = score
        f.best_move = m


@helper
def try_walls(game, weights, s, f, d, places, code, ours):
    """Takes the best of the walls at `places`, one word of walls that may lengthen the opponent's way; returns how many."""
    me = s.turn
    tried = 0
    while places != ZERO and f.best < f.beta:
        i = lowest(places)
        places &= places - ONE
        m = code + i
        tried += 1
        theirs = distance_after(game, s, 1 - me, m)
        if theirs == FAR:
            continue
        score = judged_after(game, weights, s, f, d, m, np.int64(f.mine), theirs)
        if score <= f.best:
            continue
        if (ours >> U(i)) & ONE != ZERO:
            mine = distance_after(game, s, me, m)
            if mine == FAR:
                continue
            score = judged_after(game, weights, s, f, d, m, mine, theirs)
        take_better(f, m, score)
    return tried


@helper
def frontier(game, weights, s, w, f, d):
    """Finds the best move by the look of it, or one that is good enough; returns the number of leaves seen.

    A wall costs more than a step, so only those that hold up the opponent need a look.
    """
    me = s.turn
    layers(game, s, me, w, f.mine + 1)
    n = pawn_moves(game, s, w)
    for i in range(n):
        m = w.buf[i]
        take_better(f, m, judged_after(game, weights, s, f, d, np.int64(m), away(w, m, f.mine), np.int64(f.theirs)))
    if s.stock[me] == 0 or f.best >= f.beta:
        return n
    own_h0, own_h1, own_v0, own_v1 = blockers(s, s.pawn[me], w, f.mine)
    layers(game, s, 1 - me, w, f.theirs)
    h0, h1, v0, v1 = blockers(s, s.pawn[1 - me], w, f.theirs)
    n += try_walls(game, weights, s, f, d, h0 & s.hfree0, H, own_h0)
    n += try_walls(game, weights, s, f, d, h1 & s.hfree1, H + 64, own_h1)
    n += try_walls(game, weights, s, f, d, v0 & s.vfree0, V, own_v0)
    n += try_walls(game, weights, s, f, d, v1 & s.vfree1, V + 64, own_v1)
    return n


# --- the moves of a node ----------------------------------------------------------------------------------------------


@helper
def reduction(weights, f):
    """Later moves are searched less deep: the ranks are good."""
    r = np.int64(0.5 * weights.reduction * (1.0 + LOG[f.depth] * LOG[f.place + 1]))
    if not is_narrow(f):
        r -= 1
    return max(min(r, f.depth - 1), 0)


@helper
def child_depth(weights, f, trial):
    """How deep the move under way is searched."""
    return f.depth - 1 - (reduction(weights, f) if trial == REDUCED else 0)


@helper
def quiet_walls_are_hopeless(game, weights, s, f, d):
    """Would all quiet walls be leaves that fall short?"""
    if child_depth(weights, f, REDUCED) > 0:
        return False
    return judged_after(game, weights, s, f, d, H, np.int64(f.mine), np.int64(f.theirs)) <= f.alpha


@helper
def first_trial(s, f):
    """How a move is searched first: the best one in full, late ones less deep, the others for being better at all."""
    if f.place == 0:
        return FULL
    walls = s.stock[0] > 0 or s.stock[1] > 0
    return REDUCED if f.place >= 3 and f.depth >= 2 and walls else SCOUT


@helper
def take(f, score):
    """Takes over the score of the move under way."""
    f.score[f.place] = score
    take_better(f, f.move[f.place], score)
    f.alpha = max(f.alpha, score)
    f.place += 1


@helper
def next_trial(game, weights, s, f, d):
    """How the next move is searched; NONE if it looks hopeless and was dismissed."""
    trial = first_trial(s, f)
    depth = child_depth(weights, f, trial)
    if depth > 0 or trial == FULL:  # leaves may come in any order
        bring_best(f)
    if trial != FULL and depth <= SHALLOW and abs(f.alpha) < PROVEN:
        i = f.place
        mine, theirs = np.int64(f.after_mine[i]), np.int64(f.after_theirs[i])
        score = judged_after(game, weights, s, f, d, np.int64(f.move[i]), mine, theirs)
        bound = score + weights.margin * depth
        if bound <= f.alpha:
            take(f, bound)
            return NONE
        if depth == 0:
            return SCOUT
    return trial


@helper
def begin_child(game, weights, after, f, child, trial):
    """Makes the move under way, or passes, in `after`, a copy of the state, and begins the frame below."""
    f.trial = trial
    child.extra = -f.extra
    if trial == NULL:
        pass_on(f, child)
        after.turn = 1 - after.turn
        begin(child, f.depth - 3, -f.beta, -f.beta + 1, f.theirs, f.mine, True)
    else:
        i = f.place
        game.play(after, np.int64(f.move[i]))
        depth, low = child_depth(weights, f, trial), -f.beta if trial == FULL else -f.alpha - 1
        if weights.network.used != 0 and depth > 0:
            hand_on(weights.network, after, f, child, np.int64(f.move[i]))
        begin(child, depth, low, -f.alpha, np.int64(f.after_theirs[i]), np.int64(f.after_mine[i]), False)


@helper
def returned(f, score):
    """A child came back with a score: takes it over (NONE), or tells in which fuller way to search it again."""
    if f.trial == NULL:
        if score >= f.beta:
            f.best = min(score, PROVEN)
            f.stage = CUT
        return NONE
    if f.trial == REDUCED and score > f.alpha:
        return SCOUT
    if f.trial == SCOUT and f.alpha < score < f.beta:
        return FULL
    take(f, score)
    return NONE


@helper
def reward(f, history, side):
    """Remembers a move that was too good for the opponent, for the order elsewhere."""
    m = f.best_move
    keep_killer(f, m)
    history[side, m] = min(history[side, m] + f.depth * f.depth, 8000)


@kernel
def search(game, weights, S, W, F, line, table, history, seen, d, budget):
    """Goes on from ply d until the root is finished or `budget` nodes are spent; returns (ply, nodes), ply -1 at the end.

    Helpers take records, not arrays, wherever they are called often: an array costs counting its references.
    """
    nodes = 0
    while nodes < budget:
        f = F[d]
        s = S[d]
        score = UNKNOWN
        trial = NONE
        if f.stage == ENTER:
            nodes += 1
            f.stage = LIST
            line[d, d] = NOTHING
            if d == 0 and weights.network.used != 0:
                see_both(weights.network, s, f)
            score = first_look(game, weights, s, f, d)
            if score == UNKNOWN:
                f.key = game.key(s)
                if d > 0 and not f.passed and seen_before(F, d, seen):
                    score = 0
                elif d > 0 and f.depth > 1:  # the table keeps no nodes right above the leaves
                    e = entry_of(table, f.key)
                    score = recall(e, f, d)
                    if score != UNKNOWN and e.bound == EXACT:
                        line[d, d] = f.first
                        line[d, d + 1] = NOTHING
            if score == UNKNOWN:
                if may_pass(s, f, d):
                    trial = NULL
                elif d > 0 and f.depth == 1:
                    nodes += frontier(game, weights, s, W[d], f, d)
                    line[d, d] = f.best_move
                    line[d, d + 1] = NOTHING
                    score = f.best
        elif f.stage == LIST:
            f.stage = LOOP
            list_moves(game, s, W[d], f, history)
        elif f.stage == CUT:
            score = f.best
        elif f.place < f.count and f.alpha < f.beta:
            trial = next_trial(game, weights, s, f, d)
            nodes += np.int64(trial == NONE)
        elif f.alpha < f.beta and not f.quiet:
            f.quiet = True
            if not quiet_walls_are_hopeless(game, weights, s, f, d):
                list_quiet_walls(game, s, f, history)
        else:
            if f.alpha >= f.beta:
                reward(f, history, s.turn)
            keep(entry_of(table, f.key), f, d)
            score = f.best
        if score != UNKNOWN:
            if d == 0:
                return -1, nodes
            d -= 1
            f = F[d]
            low = f.alpha
            trial = returned(f, -score)
            if f.alpha > low:
                prepend(line, d, f.best_move)
        if trial != NONE:
            S[d + 1] = S[d]
            begin_child(game, weights, S[d + 1], f, F[d + 1], trial)
            d += 1
    return d, nodes
