"""Quoridor: reach the opposite side first, by a step or a jump a turn, or hold the others up with a wall.

A state keeps its sets of cells as pairs of words (see bitboards.py): the cells whose north or east edge is open, the
anchors of the walls, the anchors where a wall would fit, and the corners that a wall or the board's edge touches.
A wall is anchored at the square nearest to a1 of the four it touches, and named so: e3h, e3v.

                    +   +   +                              +   |   +
    e3h above e3    =========    closes the north edges    e4  |       e3v beside e3 and e4 closes their
    and f3          e3      f3   of e3 and f3              +   |   +   east edges
                    +   +   +                              e3  |
                                                           +   |   +
Moves are numbers:

      0 + cell    the pawn goes there (to its own cell: no other move exists, it stays)
    128 + anchor  a horizontal wall
    256 + anchor  a vertical wall
"""

from typing import Any, NamedTuple

import numpy as np

from daedalus.core import ONE, ZERO, Choice, Number, U, Word, helper, lowest, mix64, nonzero, nth_bit, popcount, random_below

from .bitboards import (
    ASIDE,
    EAST,
    FILES,
    LONGEST,
    NORTH,
    ROWS,
    SOUTH,
    STEP,
    STRIDE,
    cutters,
    distance,
    east,
    flooded,
    goal,
    has,
    north,
    only,
    shortest_path,
    south,
    west,
)
from .bitboards import CELL as CELL
from .bitboards import H as H
from .bitboards import V as V
from .features import STEPS, frame, numbered, write_features

RUNNING, CAPPED = 0, 5  # `ended` is 1 + the winning seat in between
AS_WALL, AS_BLOCK = 0, 1  # what a third pawn behind the one jumped over is, the option `third`
# CHOICE[ways, k] is the k-th step of those whose bit (1 << direction) is set in `ways`
CHOICE = np.array([([STEP[d] for d in range(4) if ways >> d & 1] + [0] * 4)[:4] for ways in range(16)])


# --- pawns ----------------------------------------------------------------------------------------------------------


@helper
def is_open(s, c, d):
    """Can one go from cell c in direction d, pawns aside?"""
    if d == NORTH:
        return has(s.n0, s.n1, c) != 0
    if d == SOUTH:
        return c >= STRIDE and has(s.n0, s.n1, c - STRIDE) != 0
    if d == EAST:
        return has(s.e0, s.e1, c) != 0
    return c >= 1 and has(s.e0, s.e1, c - 1) != 0


@helper
def is_taken(s, c):
    """Does a pawn stand on cell c?"""
    for seat in range(s.pawn.size):
        if s.pawn[seat] == c:
            return True
    return False


@helper
def in_contact(s, me):
    """Does another pawn stand beside that of seat `me`? Cells at the two ends of a row count too; jumps() knows better."""
    for seat in range(s.pawn.size):
        gap = abs(s.pawn[seat] - s.pawn[me])
        if gap == STRIDE or gap == 1:
            return True
    return False


@helper
def jumps(game, s, c, d, w, n):
    """Adds to w.buf[:n] where a pawn on c lands that meets another pawn in direction d."""
    over = c + STEP[d]
    if is_open(s, over, d):
        beyond = over + STEP[d]
        if not is_taken(s, beyond):
            w.buf[n] = beyond
            return n + 1
        if game.third == AS_BLOCK:
            return n
    for side in range(ASIDE[d], ASIDE[d] + 2):
        if is_open(s, over, side):
            t = over + STEP[side]
            new = not is_taken(s, t)
            for i in range(n):
                new = new and w.buf[i] != t  # four pawns: two ways to the same square are one move
            if new:
                w.buf[n] = t
                n += 1
    return n


@helper
def pawn_moves(game, s, w):
    """Writes where the pawn to move can go to w.buf, returns how many cells that are."""
    c = s.pawn[s.turn]
    if not in_contact(s, s.turn):  # most positions: no branches
        w.buf[0] = c + STRIDE
        n = has(s.n0, s.n1, c)
        w.buf[n] = c - STRIDE
        n += has(s.n0, s.n1, max(c - STRIDE, 0)) & np.int64(c >= STRIDE)
        w.buf[n] = c + 1
        n += has(s.e0, s.e1, c)
        w.buf[n] = c - 1
        n += has(s.e0, s.e1, max(c - 1, 0)) & np.int64(c >= 1)
        return n
    n = 0
    for d in range(4):
        if is_open(s, c, d):
            if is_taken(s, c + STEP[d]):
                n = jumps(game, s, c, d, w, n)
            else:
                w.buf[n] = c + STEP[d]
                n += 1
    return n


@helper
def random_step(s, w):
    """A uniform pawn move for a pawn that touches no other; its own cell if walls alone shut it in, which they never do."""
    c = s.pawn[s.turn]
    ways = has(s.n0, s.n1, c)
    ways |= (has(s.n0, s.n1, max(c - STRIDE, 0)) & np.int64(c >= STRIDE)) << 1
    ways |= has(s.e0, s.e1, c) << 2
    ways |= (has(s.e0, s.e1, max(c - 1, 0)) & np.int64(c >= 1)) << 3
    return c + CHOICE[ways, random_below(w, popcount(ways))]


@helper
def has_arrived(game, c, seat, seats):
    """Is cell c a goal of the seat?"""
    side = seat * (4 // seats)
    if side == 0:
        return c >= STRIDE * (game.height - 1)
    if side == 2:
        return c < STRIDE
    return c % STRIDE == (game.width - 1 if side == 1 else 0)


# --- walls ----------------------------------------------------------------------------------------------------------


@helper
def all_reach(game, s, n0, n1, e0, e1):
    """Has every pawn a path to its goal through these edges?"""
    a = ZERO
    b = ZERO
    for seat in range(s.pawn.size):
        c = s.pawn[seat]
        g0, g1 = goal(game, seat, s.pawn.size)
        if has(a, b, c) != 0 and (a & g0) | (b & g1) != ZERO:
            continue  # the last flood joined this pawn and its goal too
        a, b = only(c)
        a, b = flooded(a, b, g0, g1, n0, n1, e0, e1)
        if a | b == ZERO:
            return False
    return True


@helper
def leaves_paths(game, s, m):
    """Has every pawn a path after wall m?"""
    a, b = only(m & CELL)
    if m < V:
        x, y = east(a, b)
        return all_reach(game, s, s.n0 & ~(a | x), s.n1 & ~(b | y), s.e0, s.e1)
    x, y = north(a, b)
    return all_reach(game, s, s.n0, s.n1, s.e0 & ~(a | x), s.e1 & ~(b | y))


@helper
def may_close(s, m):
    """Could wall m close off a region? Only if two of its ends and middle touch a wall or the board's edge."""
    c = m & CELL
    step = 1 if m < V else STRIDE
    before = 1 if c < step else has(s.t0, s.t1, c - step)
    return before + has(s.t0, s.t1, c) + has(s.t0, s.t1, c + step) >= 2


@helper
def is_legal_wall(game, s, m):
    """Does wall m, whose place is free, leave every pawn a path?"""
    return not may_close(s, m) or leaves_paths(game, s, m)


@helper
def closers(s):
    """The anchors of all walls for which may_close holds: (horizontal pair, vertical pair)."""
    a = s.t0
    b = s.t1
    l0, l1 = east(a, b)
    l0 |= ONE
    r0, r1 = west(a, b)
    d0, d1 = north(a, b)
    d0 |= ROWS[0, 0]
    u0, u1 = south(a, b)
    return (
        (l0 & a) | (a & r0) | (l0 & r0),
        (l1 & b) | (b & r1) | (l1 & r1),
        (d0 & a) | (a & u0) | (d0 & u0),
        (d1 & b) | (b & u1) | (d1 & u1),
    )


@helper
def doubtful(game, s, w):
    """The free places of walls that need a look at the paths: they may close something and cut a path of some seat."""
    h0, h1, v0, v1 = closers(s)
    h0 &= s.hfree0
    h1 &= s.hfree1
    v0 &= s.vfree0
    v1 &= s.vfree1
    if h0 | h1 | v0 | v1 == ZERO:
        return h0, h1, v0, v1
    p0 = ZERO
    p1 = ZERO
    q0 = ZERO
    q1 = ZERO
    for seat in range(s.pawn.size):
        a, b = shortest_path(game, s, seat, w)
        x0, x1, y0, y1 = cutters(a, b, s.n0, s.n1, s.e0, s.e1)
        p0 |= x0
        p1 |= x1
        q0 |= y0
        q1 |= y1
    return h0 & p0, h1 & p1, v0 & q0, v1 & q1


@helper
def listed(places, code, w, n):
    """Adds the walls at these places to w.buf[:n]."""
    while places != ZERO:
        w.buf[n] = code + lowest(places)
        n += 1
        places &= places - ONE
    return n


@helper
def word(k, h0, h1, v0, v1):
    """The k-th of the four words of all walls; its walls are numbered from H + 64 * k."""
    return h0 if k == 0 else h1 if k == 1 else v0 if k == 2 else v1


@helper
def wall_moves(game, s, w, n):
    """Adds all legal walls to w.buf[:n]."""
    h0, h1, v0, v1 = doubtful(game, s, w)
    n = listed(s.hfree0 & ~h0, H, w, n)
    n = listed(s.hfree1 & ~h1, H + 64, w, n)
    n = listed(s.vfree0 & ~v0, V, w, n)
    n = listed(s.vfree1 & ~v1, V + 64, w, n)
    for k in range(4):
        places = word(k, h0, h1, v0, v1)
        while places != ZERO:
            m = H + 64 * k + lowest(places)
            if leaves_paths(game, s, m):
                w.buf[n] = m
                n += 1
            places &= places - ONE
    return n


@helper
def put_wall(s, m):
    """Builds wall m: closes edges, takes places, touches corners."""
    a, b = only(m & CELL)
    if m < V:
        x, y = east(a, b)
        p, q = west(a, b)
        s.h0 |= a
        s.h1 |= b
        s.n0 &= ~(a | x)
        s.n1 &= ~(b | y)
        s.hfree0 &= ~(p | a | x)
        s.hfree1 &= ~(q | b | y)
        s.vfree0 &= ~a
        s.vfree1 &= ~b
    else:
        x, y = north(a, b)
        p, q = south(a, b)
        s.v0 |= a
        s.v1 |= b
        s.e0 &= ~(a | x)
        s.e1 &= ~(b | y)
        s.vfree0 &= ~(p | a | x)
        s.vfree1 &= ~(q | b | y)
        s.hfree0 &= ~a
        s.hfree1 &= ~b
    s.t0 |= p | a | x
    s.t1 |= q | b | y


@helper
def drawn_wall(game, s, h0, h1, v0, v1, n, w):
    """A uniform draw from n moves listed in w.buf and the legal walls among these places; -1 if there are none at all.

    Draws among the places and drops those that turn out to be illegal, so that one check or two do for a move.
    """
    while True:
        from_h1 = n + popcount(h0)
        from_v0 = from_h1 + popcount(h1)
        from_v1 = from_v0 + popcount(v0)
        total = from_v1 + popcount(v1)
        if total == 0:
            return np.int64(-1)
        i = random_below(w, total)
        if i < n:
            return np.int64(w.buf[i])
        k = np.int64(i >= from_h1) + np.int64(i >= from_v0) + np.int64(i >= from_v1)
        i -= n if k == 0 else from_h1 if k == 1 else from_v0 if k == 2 else from_v1
        at = nth_bit(word(k, h0, h1, v0, v1), i)
        m = np.int64(H + 64 * k + at)
        if is_legal_wall(game, s, m):
            return m
        drop = ~(ONE << U(at))
        if k == 0:
            h0 &= drop
        elif k == 1:
            h1 &= drop
        elif k == 2:
            v0 &= drop
        else:
            v1 &= drop


@helper
def lay_out(game, s):
    """The empty board: edges open inside it, corners touched along and beyond its rim."""
    for row in range(STRIDE):
        low, high = ROWS[row, 0], ROWS[row, 1]
        s.t0 |= low
        s.t1 |= high
        if row < game.height:
            s.e0 |= low
            s.e1 |= high
        if row < game.height - 1:
            s.n0 |= low
            s.n1 |= high
    for file in range(game.width, STRIDE):
        s.n0 &= ~FILES[file, 0]
        s.n1 &= ~FILES[file, 1]
    for file in range(game.width - 1, STRIDE):
        s.e0 &= ~FILES[file, 0]
        s.e1 &= ~FILES[file, 1]
    s.hfree0 = s.vfree0 = s.n0 & s.e0
    s.hfree1 = s.vfree1 = s.n1 & s.e1
    s.t0 &= ~s.hfree0
    s.t1 &= ~s.hfree1


@helper
def start_cell(game, seat, seats):
    """The middle of a seat's side; of two middles the one nearer to a1."""
    side = seat * (4 // seats)
    file, row = (game.width - 1) // 2, (game.height - 1) // 2
    if side == 0:
        row = 0
    elif side == 1:
        file = 0
    elif side == 2:
        row = game.height - 1
    else:
        file = game.width - 1
    return row * STRIDE + file


class Options(NamedTuple):
    """What can be chosen."""

    players: int = 2
    width: int = 9
    height: int = 9
    walls: int = 10
    third: int = AS_WALL
    cap: int = 300
    repetition: int = 0


class Quoridor(Options):
    """Reach the opposite side first; each turn a step or a jump, or a wall that makes others go around."""

    __slots__ = ()

    OPTIONS = {
        "players": Choice("how many play; two sit opposite each other", (2, 4)),
        "width": Number("files of the board; with an even number pawns start left of the middle", 3, 11),
        "height": Number("ranks of the board", 3, 11),
        "walls": Number("walls a player has; 10 for two players and 5 for four unless said", 0, 30),
        "third": Word(
            "a third pawn behind the one jumped over: wall, one may jump aside; block, no jump that way", ("wall", "block")
        ),
        "cap": Number("a draw after so many plies", 1, 30000),
        "repetition": Number("a position that occurs this often is a draw, 0 for never", 0, 1000),
    }
    MAX_MOVES = 2 * (STRIDE - 1) ** 2 + 8  # of the largest board for all, so that one compilation serves every size
    SCRATCH = [("low", "u8", (LONGEST,)), ("high", "u8", (LONGEST,))]

    def __new__(cls, players=2, width=9, height=9, walls=None, third=AS_WALL, cap=300, repetition=0):
        walls = (10 if players == 2 else 5) if walls is None else walls
        return super().__new__(cls, players, width, height, walls, third, cap, repetition)

    @property
    def SEATS(self) -> int:
        return self.players

    @property
    def ACTIONS(self) -> int:
        rows, columns = frame(self, self.players)
        return 2 * (rows - 1) * (columns - 1) + STEPS + (1 if self.players > 2 else 0)

    @property
    def SEAT_NAMES(self) -> tuple[str, ...]:
        return ("White", "Black") if self.players == 2 else ("White", "Red", "Black", "Green")

    @property
    def STATE(self) -> Any:
        pairs = ("n", "e", "h", "v", "hfree", "vfree", "t")
        return [
            *((f"{name}{word}", "u8") for name in pairs for word in (0, 1)),
            ("pawn", "i8", (self.players,)),
            ("stock", "i8", (self.players,)),
            ("turn", "i8"),
            ("ply", "i8"),
            ("ended", "i8"),
        ]

    def start(self, s, w):
        lay_out(self, s)
        for seat in range(s.pawn.size):
            s.pawn[seat] = start_cell(self, seat, s.pawn.size)
            s.stock[seat] = self.walls

    def turn(self, s):
        return s.turn

    def moves(self, s, w):
        n = pawn_moves(self, s, w)
        if s.stock[s.turn] > 0:
            n = wall_moves(self, s, w, n)
        if n == 0:  # boxed in by pawns, four players only
            w.buf[0] = s.pawn[s.turn]
            n = 1
        return n

    def play(self, s, m):
        me = s.turn
        s.ply += 1
        if m < H:
            s.pawn[me] = m
            if has_arrived(self, m, me, s.pawn.size):
                s.ended = 1 + me
        else:
            put_wall(s, m)
            s.stock[me] -= 1
        if s.ended == RUNNING and s.ply >= self.cap:
            s.ended = CAPPED
        s.turn = me + 1 if me + 1 < s.pawn.size else 0

    def over(self, s):
        return s.ended != RUNNING

    def payoff(self, s, seat):
        """One wins, all others lose in full: a loss against three is no better than a loss against one."""
        if s.ended == RUNNING or s.ended == CAPPED:
            return 0.0
        return 1.0 if s.ended == 1 + seat else -1.0

    def random_move(self, s, w):
        """Uniform over the legal moves without a list of the walls."""
        if s.stock[s.turn] == 0 and not in_contact(s, s.turn):
            return random_step(s, w)
        n = pawn_moves(self, s, w)
        if s.stock[s.turn] > 0:
            m = drawn_wall(self, s, s.hfree0, s.hfree1, s.vfree0, s.vfree1, n, w)
            return m if m >= 0 else s.pawn[s.turn]
        return np.int64(w.buf[random_below(w, n)]) if n > 0 else s.pawn[s.turn]

    def evaluate(self, s, seat, w):
        """Steps ahead of the best rival, and walls: one is worth about a step and a half, the last one more."""
        mine = distance(self, s, seat)
        theirs = LONGEST
        stock = 0
        for other in range(s.pawn.size):
            if other != seat:
                ahead = distance(self, s, other)
                if ahead < theirs:
                    theirs = ahead
                    stock = s.stock[other]
        tempo = 0.5 if s.turn == seat else -0.5
        x = theirs - mine + tempo + 1.4 * (s.stock[seat] - stock)
        x += 2.5 * (np.int64(s.stock[seat] > 0) - np.int64(stock > 0))
        return x / (8.0 + abs(x))

    def key(self, s):
        """Walls, pawns, stocks and turn; plies do not count."""
        rest = U(s.turn)
        for seat in range(s.pawn.size):
            rest = (rest << U(12)) | (U(s.pawn[seat]) << U(5)) | U(s.stock[seat])
        h = mix64(mix64(mix64(s.h0) ^ s.h1) ^ s.v0)
        return nonzero(mix64(mix64(h ^ s.v1) ^ rest))

    def features(self, s, seat, out):
        """Pawns, walls, stocks and distances from the seat's side, see features.py."""
        write_features(self, s, seat, out)

    def action(self, s, m):
        """Walls across, walls along, then what the pawn does: a step ahead, back, to the right, to the left, a jump likewise."""
        return numbered(self, s, m, s.turn)
