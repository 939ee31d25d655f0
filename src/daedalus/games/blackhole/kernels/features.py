"""What a network sees of a Black-Hole board, and the numbers of its moves: Blue turns the board by half a turn.

Where ships can slide to, and what that would threaten, follows from where they stand; but it takes a small network most
of its training to find out, and the kernels a fraction of the time that the network takes.
"""

import numpy as np

from daedalus.core import U, helper, lowest, popcount

from .evaluation_terms import landing_places, ready
from .slides import NORTH, SOUTH, end_of

LANDINGS = 3  # none, one, more
MOVES = 4  # none, one, two, more


@helper
def seen(game, seat, cell):
    """A cell as the seat sees it."""
    return cell if seat == 0 else game.size * game.size - 1 - cell


@helper
def seen_way(seat, d):
    """A direction as the seat sees it."""
    return d if seat == 0 else d ^ 2


@helper
def own_column(game, s, who):
    """The rows of a side's ships in the hole's column, as bits."""
    hole = game.size // 2
    column = 0
    for row in range(game.size):
        column |= ((np.int64(s.ships[who, row]) >> hole) & 1) << row
    return column


@helper
def ready_on(game, line, ships):
    """How many of the ships would land from the hole's row or column, which holds all the ships in `line`."""
    return popcount(landing_places(game, line) & ships)


@helper
def change(game, at, end, other_at, other_end, home):
    """The places on the hole's row (or column) that a move changes, as bits: where it leaves it and where it comes to it."""
    hole = game.size // 2
    return (np.int64(at == hole) << other_at) ^ (np.int64(end == hole and not home) << other_end)


@helper
def landings_after(game, row_line, column_line, own_row, own_column, across, along):
    """How many landings are ready, of the side that moves and of the other one, once the lines have changed so."""
    row_then, column_then = row_line ^ across, column_line ^ along
    mine_row, mine_column = own_row ^ across, own_column ^ along
    mine = ready_on(game, row_then, mine_row) + ready_on(game, column_then, mine_column)
    return mine, ready_on(game, row_then, row_then ^ mine_row) + ready_on(game, column_then, column_then ^ mine_column)


@helper
def write_slide(game, s, seat, out, slides_at, row, col, d, row_line, column_line, own_row, own_column, now):
    """Where a ship ends in a direction; what that threatens and prevents, 1 in a byte of its own for each of the counts.

    A ship that cannot slide ends where it stands, where no other can end: a 0 is written there and nothing counted, which
    is quicker than to ask.
    """
    size, hole = game.size, game.size // 2
    end = end_of(game, s, row, col, d)
    end_row, end_col = (end, col) if d == NORTH or d == SOUTH else (row, end)
    moves = np.int64(end_row != row or end_col != col)
    out[U(slides_at + seen_way(seat, d) * size * size + seen(game, seat, end_row * size + end_col))] = moves
    home = end_row == hole and end_col == hole
    across = change(game, row, end_row, col, end_col, home)
    along = change(game, col, end_col, row, end_row, home)
    mine, theirs = landings_after(game, row_line, column_line, own_row, own_column, across, along)
    safe = np.int64(theirs == 0)
    return moves * (np.int64(mine > now) | np.int64(mine > 1) << 8 | safe << 16 | (safe & np.int64(mine > 0)) << 24)


@helper
def write_side(game, s, seat, who, out, ships_at, slides_at, after):
    """A side's ships, where they can slide to, and how many of these moves threaten or prevent landings; where that ends."""
    size, hole = game.size, game.size // 2
    row_line, column_line = np.int64(s.ships[0, hole]) | np.int64(s.ships[1, hole]), np.int64(s.columns[hole])
    own_row, own_line = np.int64(s.ships[who, hole]), own_column(game, s, who)
    now, _ = landings_after(game, row_line, column_line, own_row, own_line, 0, 0)
    counts = 0
    for row in range(size):
        ships = np.int64(s.ships[who, row])
        while ships:
            col = lowest(ships)
            ships &= ships - 1
            out[U(ships_at + seen(game, seat, row * size + col))] = 1.0
            for d in range(4):
                counts += write_slide(game, s, seat, out, slides_at, row, col, d, row_line, column_line, own_row, own_line, now)
    for k in range(4):
        out[after + k * MOVES + min((counts >> (8 * k)) & 255, MOVES - 1)] = 1.0
    return after + 4 * MOVES


@helper
def write_features(game, s, seat, out):
    """See feature_names in ../features.py."""
    cells, goal = game.size * game.size, game.size // 2
    for i in range(out.size):
        out[i] = 0.0
    after = 10 * cells
    for k in range(2):
        who = seat if k == 0 else 1 - seat
        after = write_side(game, s, seat, who, out, k * cells, (2 + 4 * k) * cells, after)
        out[after + min(np.int64(s.home[who]), goal)] = 1.0
        after += goal + 1
        out[after + min(ready(game, s, who), LANDINGS - 1)] = 1.0
        after += LANDINGS
    out[after] = 1.0 if s.turn == seat else 0.0


@helper
def numbered(game, s, m):
    """The number of move m as the seat to move sees it."""
    return seen(game, s.turn, m >> 2) * 4 + seen_way(s.turn, m & 3)
