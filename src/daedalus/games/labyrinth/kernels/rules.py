"""Labyrinth: push a tile into the maze, walk, find your treasures one after the other, and return home.

The board, its cells and what a push does are drawn in maze.py, the boards in boards.py. A move says where the extra tile
comes in, how it lies, and where the pawn goes:

    m = (location * 4 + rotation) * cells + destination        cells 64 or 256, see maze.py

so that moves in rising order are in the order of the specification: movable rows, then columns, left or top end first,
rotations, destinations row by row.

Markers are numbered 0 none, 1..26 objects a..z, 27..30 homes R Y G B; `where[marker]` is the cell of its tile, OFF when
that is the extra one. Seat p's cards are deck[p * cards : (p + 1) * cards], the first `found[p]` of them found, the next
one its goal; what is left over lies at the end of the deck. A seat that has found all its cards heads for its home, and
`found` counts the home too. What others know of a seat's goal is in knowledge.py.
"""

from typing import Any, NamedTuple

import numpy as np

from daedalus.core import Number, Switch, U, Word, helper, random_below, random_bits, shuffle
from daedalus.core.errors import InvalidOption
from daedalus.core.kernels.bitsets import cells_of, holds, list_cells

from .. import boards
from .features import numbered, write_features
from .knowledge import ANY, NEXT, conceal, deal_all, hide, note_stop
from .maze import (
    COLUMNS,
    GENERATED,
    GIVEN,
    LETTERS,
    OFF,
    ORIGINAL,
    ROWS,
    blocked_cells,
    exits_at,
    flood,
    flood_blocked,
    imagine,
    join,
    nth_reached,
    pawn_after,
    reached,
    rotation_of,
    rotations,
    slide_exits,
    turned,
    way,
)
from .setup import collect_objects, generated_tiles, lay_lines, lay_tiles, original_tiles, random_tiles, seat_players

RUNNING, HOME, CAPPED = 0, 1, 2
POSITION, EXACT, FREE = 0, 1, 2  # what may not be undone


# --- the course of a turn ---------------------------------------------------------------------------------------------


@helper
def is_allowed(self, s, location, exits):
    """May the extra tile come in here, lying like this? It may not undo the push before."""
    if location != s.barred or self.undo == FREE:
        return True
    return self.undo == EXACT and exits != s.extra


@helper
def push(s, location, exits):
    """Pushes the extra tile in, in place; pawns and markers ride on their tiles."""
    entry, out, step = way(s, location)
    fallen = exits_at(s, out)
    slide_exits(s, s, entry, step, exits)
    extra_marker = np.int64(s.marker[out])
    cell = out
    while cell != entry:
        marker = np.int64(s.marker[cell - step])
        s.marker[cell] = marker
        s.where[marker] = cell
        cell -= step
    marker = np.int64(s.extra_marker)
    s.marker[entry] = marker
    s.where[marker] = entry
    s.where[extra_marker] = OFF
    s.extra = fallen
    s.extra_marker = extra_marker
    for p in range(np.int64(s.players)):
        s.pawn[p] = pawn_after(s, np.int64(s.pawn[p]), entry, out, step)
    s.barred = location ^ 1


@helper
def goal(s, seat):
    """The marker a seat looks for: its next card, or its home."""
    found = np.int64(s.found[seat])
    if found < s.cards:
        return np.int64(s.deck[seat * np.int64(s.cards) + found])
    return np.int64(s.home[seat])


@helper
def finds(self, s, seat, cell):
    """Is one of the seat's goals on the cell? In any order, a card found comes before those still missing."""
    marker = np.int64(s.marker[cell])
    if marker == 0:
        return False
    if self.goals != ANY or s.found[seat] >= s.cards:
        return marker == goal(s, seat)
    first = seat * np.int64(s.cards)
    for i in range(first + np.int64(s.found[seat]), first + np.int64(s.cards)):
        if s.deck[i] == marker:
            s.deck[i] = s.deck[first + np.int64(s.found[seat])]
            s.deck[first + np.int64(s.found[seat])] = marker
            return True
    return False


@helper
def arrive(self, s, cell):
    """The pawn of the seat to move ends its move on a cell; the turn ends."""
    me = np.int64(s.turn)
    s.pawn[me] = cell
    s.ply += 1
    hit = finds(self, s, me, cell)
    if hit:
        s.found[me] += 1
        if s.found[me] > s.cards:
            s.ended = HOME  # and it stays the winner's turn
            return
    if not (hit and self.again):
        s.turn = me + 1 if me + 1 < self.players else 0
    if self.cap > 0 and s.ply >= self.cap:
        s.ended = CAPPED


@helper
def walk(self, s, w, me, cell, entry, out, step):
    """Floods from the cell of seat `me` over the passages in w; after an imagined push, or as things stand (step 0)."""
    if self.block:
        flood_blocked(w, cell, blocked_cells(s, w, me, cell, entry, out, step))
    else:
        flood(w, cell)


@helper
def roam(self, s, w):
    """Floods from the pawn of the seat to move, as things stand."""
    me = np.int64(s.turn)
    join(s, w)
    walk(self, s, w, me, np.int64(s.pawn[me]), 0, 0, 0)


@helper
def random_insertion(self, s, w):
    """Any allowed location * 4 + rotation, each equally likely."""
    return insertion_of(self, s, random_bits(w))


@helper
def insertion_of(self, s, bits):
    """The same from the upper half of 64 random bits."""
    ways = rotations(np.int64(s.extra))
    n = np.int64(s.locations)
    barred = np.int64(s.barred)
    skipped = 0
    if barred != OFF and self.undo != FREE:
        skipped = 1 if self.undo == EXACT else ways
    k = np.int64(((bits >> U(32)) * U(n * ways - skipped)) >> U(32))
    if skipped:
        first = barred * ways + (rotation_of(np.int64(s.extra)) if self.undo == EXACT else 0)
        k += skipped if k >= first else 0
    return (k >> 1) * 4 + (k & 1) if ways == 2 else k


@helper
def goal_reached(self, s, w, me, t):
    """The cell of a goal of the seat among those reached, OFF if there is none; t.where tells where markers are."""
    if self.goals == ANY and s.found[me] < s.cards:
        first = me * np.int64(s.cards)
        for i in range(first + np.int64(s.found[me]), first + np.int64(s.cards)):
            cell = np.int64(t.where[s.deck[i]])
            if cell != OFF and holds(w, "reach", cell):
                return cell
        return OFF
    cell = np.int64(t.where[goal(s, me)])
    return cell if cell != OFF and holds(w, "reach", cell) else OFF


@helper
def markers_after(self, s, w, entry, out, step):
    """Fills w.where with the cells of the goals of the seat to move after an imagined push."""
    me = np.int64(s.turn)
    if self.goals == ANY:
        for marker in range(31):
            w.where[marker] = goal_after(s, marker, entry, out, step)
    else:
        marker = goal(s, me)
        w.where[marker] = goal_after(s, marker, entry, out, step)


@helper
def goal_after(s, marker, entry, out, step):
    """Where a marker's tile is after a push, OFF if it is pushed out."""
    cell = np.int64(s.where[marker])
    if cell == OFF:
        return entry if s.extra_marker == marker else OFF
    if cell == out:
        return OFF
    return pawn_after(s, cell, entry, out, step)


@helper
def foresee(self, s, w, insertion):
    """Imagines an insertion and floods from the mover's pawn: (cell of a goal reached or OFF, cell of the pawn)."""
    me = np.int64(s.turn)
    entry, out, step = way(s, insertion >> 2)
    cell = pawn_after(s, np.int64(s.pawn[me]), entry, out, step)
    imagine(s, w, entry, step, turned(np.int64(s.extra), insertion & 3))
    walk(self, s, w, me, cell, entry, out, step)
    markers_after(self, s, w, entry, out, step)
    return goal_reached(self, s, w, me, w), cell


@helper
def standing(self, s):
    """How the cap leaves the seats: the most goals found, and how many seats have found so many."""
    most, equal = -1, 0
    for p in range(self.players):
        found = np.int64(s.found[p])
        if found > most:
            most, equal = found, 1
        elif found == most:
            equal += 1
    return most, equal


class Labyrinth(NamedTuple):
    """Push the maze about, walk through it, find your treasures and be the first to return home."""

    players: int = 2
    board: Any = boards.NAMED["original"]
    rows: int = 0
    columns: int = 0
    objects: int = 0
    even: bool = False
    undo: int = POSITION
    cap: int = 400
    again: bool = False
    block: bool = False
    goals: int = NEXT
    open: bool = False

    OPTIONS = {
        "players": Number("how many play", 2, 4),
        "board": boards.BoardOption(
            "which board: one of van der Zwaag's (random: a home may be shut in), one generated, or a file"
        ),
        "rows": boards.Lines("which rows can be pushed"),
        "columns": boards.Lines("which columns can be pushed"),
        "objects": Number("how many objects lie on a random or generated board, 0 for the usual number", 0, 256),
        "even": Switch("refuse a board whose objects cannot be dealt equally; else what is left over is left out"),
        "undo": Word(
            "what may not undo the push before: the place, that place and rotation only, nothing", ("position", "exact", "free")
        ),
        "cap": Number("after so many turns in all the most goals found win, 0 for never", 0, 1_000_000),
        "again": Switch("who finds a goal has another turn"),
        "block": Switch("a pawn blocks the way of the others: they may stop on its tile, not pass it"),
        "goals": Word(
            "what a seat knows of its own: the next, all, or all and finds them in any order", ("next", "own", "any")
        ),
        "open": Switch("the others' current goals are open"),
    }

    @property
    def SEATS(self) -> int:
        return self.players

    @property
    def SEAT_NAMES(self) -> tuple[str, ...]:
        names = {"R": "Red", "Y": "Yellow", "G": "Green", "B": "Blue"}
        homes = boards.seat_homes(self.players, boards.homes_on(self.board))
        return tuple(names[boards.MARKERS[home]] for home in homes)

    @property
    def side(self) -> int:
        """The stride of cells, see maze.py."""
        return 8 if max(self.board[ROWS], self.board[COLUMNS]) <= 8 else 16

    @property
    def STATE(self) -> Any:
        words, side = (1 if self.side == 8 else 4), self.side
        return [
            ("exits", "u8", (4, words)),
            ("marker", "i1", (side * side,)),
            ("where", "i2", (31,)),
            ("pawn", "i2", (4,)),
            ("deck", "i1", (26,)),
            ("found", "i1", (4,)),
            ("home", "i1", (4,)),
            ("lines", "i1", (2 * side,)),
            ("ruled_out", "i4", (4,)),
            ("ply", "i4"),
            ("rows", "i1"),
            ("columns", "i1"),
            ("players", "i1"),
            ("extra", "i1"),
            ("extra_marker", "i1"),
            ("locations", "i1"),
            ("barred", "i1"),
            ("cards", "i1"),
            ("objects", "i1"),
            ("turn", "i1"),
            ("ended", "i1"),
        ]

    @property
    def SCRATCH(self) -> Any:
        words = 1 if self.side == 8 else 4
        sets = ("across", "down", "reach", "cover", "other")
        return [
            ("exits", "u8", (4, words)),
            *((name, "u8", (words,)) for name in sets),
            ("tiles", "i2", (257,)),
            ("walls", "i2", (256,)),
            ("pool", "i2", (257,)),
            ("where", "i2", (31,)),
            ("cards", "i1", (26,)),
            ("unseen", "u8"),
            ("possible", "u8", (4,)),
            ("weight", "f8", (4, 31)),
            ("room", "i8", (5,)),
            ("hidden", "i8"),
            ("dealt", "i8"),
            ("evidence", "i8"),
        ]

    @property
    def MAX_MOVES(self) -> int:
        """Rounded up to a few sizes, since kernels are compiled anew for every size of the move buffer."""
        rows, columns = boards.movable(self.board, self.rows, self.columns)
        most = 8 * (rows.bit_count() + columns.bit_count()) * self.board[ROWS] * self.board[COLUMNS]
        return next(size for size in (2352, 8192, 65536) if size >= most)

    @property
    def LABELS(self) -> int:
        rows, columns = boards.movable(self.board, self.rows, self.columns)
        return 8 * (rows.bit_count() + columns.bit_count()) * self.side * self.side

    @property
    def ACTIONS(self) -> int:
        rows, columns = boards.movable(self.board, self.rows, self.columns)
        return 8 * (rows.bit_count() + columns.bit_count()) * self.board[ROWS] * self.board[COLUMNS]

    def agree(self) -> None:
        """Refuses options that do not fit together."""
        kind, rows, columns = self.board[:3]
        objects = self.objects or self.board[5]
        if not any(boards.movable(self.board, self.rows, self.columns)):
            raise InvalidOption(f"no line of a {rows} x {columns} board is movable: choose rows or columns")
        for name, mask, size in (("rows", self.rows, rows), ("columns", self.columns, columns)):
            named = mask not in {0} | {boards.Lines("").read("", word) for word in ("all", "odd", "even")}
            if named and mask >> size:
                raise InvalidOption(f"{name}={boards.Lines('').write(mask)}: the board has {name} 0 to {size - 1}")
        if self.objects and kind in (ORIGINAL, GIVEN) and objects != self.board[5]:
            raise InvalidOption(
                f"objects={objects}: this board has {self.board[5]}; choose their number on random and generated boards"
            )
        if objects > LETTERS:
            raise InvalidOption(f"objects={objects}: objects are the letters a-z, so a board has {LETTERS} at most")
        if objects > rows * columns + 1 - 4:
            raise InvalidOption(f"objects={objects}: a {rows} x {columns} board has {rows * columns - 3} tiles without a home")
        if objects < self.players:
            raise InvalidOption(f"objects={objects}: each of {self.players} players needs at least one")
        if self.even and objects % self.players:
            raise InvalidOption(f"even=yes: {objects} objects cannot be dealt equally to {self.players} players")
        if len(boards.homes_on(self.board)) < self.players:
            raise InvalidOption(f"players={self.players}: the board has {len(boards.homes_on(self.board))} homes")

    def start(self, s, w):
        lay_lines(self, s)
        kind = self.board[0]
        objects = self.objects if self.objects else self.board[5]
        if kind == ORIGINAL:
            original_tiles(w)
        elif kind == GENERATED:
            generated_tiles(self, w, objects)
        elif kind == GIVEN:
            for i in range(self.board[ROWS] * self.board[COLUMNS] + 1):
                w.tiles[i] = (self.board[6 + i // 6] >> (9 * (i % 6))) & 511
        else:
            random_tiles(self, w, objects)
        lay_tiles(self, s, w)
        seat_players(self, s)
        n = collect_objects(s, w)
        shuffle(w, w.pool, n)
        for i in range(n):
            s.deck[i] = w.pool[i]
        s.objects = n
        s.cards = n // self.players

    def turn(self, s):
        return np.int64(s.turn)

    def moves(self, s, w):
        me = np.int64(s.turn)
        cells = s.marker.size
        n = 0
        for location in range(np.int64(s.locations)):
            entry, out, step = way(s, location)
            cell = pawn_after(s, np.int64(s.pawn[me]), entry, out, step)
            for rotation in range(rotations(np.int64(s.extra))):
                exits = turned(np.int64(s.extra), rotation)
                if not is_allowed(self, s, location, exits):
                    continue
                imagine(s, w, entry, step, exits)
                walk(self, s, w, me, cell, entry, out, step)
                first = (location * 4 + rotation) * cells
                n = list_cells(cells_of(w, "reach"), w, n, 1, first)
        return n

    def play(self, s, m):
        cells = s.marker.size
        insertion = m // cells
        me, found = np.int64(s.turn), np.int64(s.found[s.turn])
        push(s, insertion >> 2, turned(np.int64(s.extra), insertion & 3))
        arrive(self, s, m % cells)
        note_stop(self, s, me, found)

    def over(self, s):
        return s.ended != RUNNING

    def payoff(self, s, seat):
        """Home first wins; at the cap the most goals found, and those who share them get nothing."""
        if s.ended == HOME:
            return 1.0 if seat == s.turn else -1.0
        most, equal = standing(self, s)
        if s.found[seat] < most:
            return -1.0
        return 1.0 if equal == 1 else 0.0

    def random_move(self, s, w):
        """Van der Zwaag's random player: any insertion, then the goal if it can be reached, else any cell that can."""
        insertion = random_insertion(self, s, w)
        target, _ = foresee(self, s, w, insertion)
        if target == OFF:
            target = nth_reached(w, random_below(w, reached(w)))
        return insertion * s.marker.size + target

    def evaluate(self, s, seat, w):
        """The race: how many goals the nearest rival still needs more than this seat, for each of which a turn may fail."""
        mine = np.int64(s.cards) + 1 - np.int64(s.found[seat])
        rival = 1 << 20
        for p in range(self.players):
            if p != seat:
                rival = min(rival, 2 * (np.int64(s.cards) + 1 - np.int64(s.found[p])) - (1 if p == s.turn else 0))
        lead = 0.5 * (rival - 2 * mine) + (0.5 if seat == s.turn else 0.0)
        x = 1.2 * lead / np.sqrt(1.0 + mine)
        return x / (1.0 + abs(x))

    def redeal(self, s, seat, w):
        """Deals the cards that the seat does not know anew, none where what everybody saw rules it out."""
        conceal(self, s, w, hide(self, s, w, seat))
        deal_all(s, w)

    def features(self, s, seat, out):
        """The maze, pawns, homes and what the seat knows of goals, from its side, see features.py."""
        write_features(self, s, seat, out)

    def action(self, s, m):
        """The move on the board as the mover sees it, cells without the gaps of their numbering."""
        return numbered(s, m)
