"""How many moves threaten or prevent landings, counted for both sides at once.

Only moves that change the hole's row or column change what is ready; all others are worth the same. A sum of worths has
the seat's own moves in its lower half, the other side's in the upper one, and in each half a byte for each count:

    byte 0   threats        moves that make one landing more ready
    byte 1   forks          moves after which two are ready
    byte 2   parries        moves after which the other side has none ready
    byte 3   sure threats   moves after which one is ready, and none of the other side's

Landings that are ready are numbers in lanes, as the ships are: own, other's, own, other's. A shift by one lane shows
them as the other side sees them.
"""

import numpy as np

from daedalus.core import helper, lowest, popcount

from .evaluation_terms import landing_places
from .lanes import EVERY, LANE, PLACES, free, occupied, slides, within_reach

HALF = 2 * LANE


@helper
def ready_on(game, line, ships):
    """How many of the ships would land from the hole's row or column, which holds all in `line`, and how many others."""
    places = landing_places(game, line)
    return popcount(places & ships) | popcount(places & (line ^ ships)) << LANE


@helper
def landings(game, line):
    """The landings that are ready on the hole's row or column."""
    ready = ready_on(game, occupied(line) & PLACES, line & PLACES)
    return ready | ready << HALF


@helper
def worth(ready, now):
    """What a move is worth after which so many landings are ready, `now` before it."""
    mine, safe = ready & PLACES, np.int64(ready >> LANE & PLACES == 0)
    return np.int64(mine > now & PLACES) | np.int64(mine > 1) << 8 | safe << 16 | (safe & np.int64(mine > 0)) << 24


@helper
def worth_of_changes(game, line, starts, ends, across, now):
    """How much more than other moves those are worth that change a line of the hole; `across` are ready on the other one.

    In each lane the first start and the first end are those of one move, and so on. Moves that cross the line only start
    or only end on it, and come as `starts` alone.
    """
    hole, ships = EVERY << game.size // 2, occupied(line)
    total = 0
    while starts:
        start, end = starts & -starts, ends & -ends
        starts, ends = starts ^ start, ends ^ end
        lane = lowest(start) & -LANE
        side = lane & LANE
        change = (start | end & ~hole) >> lane
        ready = ready_on(game, ships >> lane & PLACES ^ change, line >> lane & PLACES ^ change)
        before = now >> side
        total += worth(ready + (across >> side), before) - worth(before, before) << 2 * side
    return total


@helper
def worth_on(game, s, line, crossings, across, now):
    """The same of all moves that change the line: those along it, and those that cross it."""
    empty = within_reach(game, free(s, line), game.size // 2 + 1)
    along = worth_of_changes(game, line, line & empty >> 1, slides(line, empty), across, now)
    return along + worth_of_changes(game, line, crossings, 0, across, now)


@helper
def worth_of_moves(game, s, moves, row, row_crossings, column, column_crossings):
    """What all moves are worth, of which either side has so many, and the landings that are ready now."""
    on_row, on_column = landings(game, row), landings(game, column)
    now = on_row + on_column
    total = worth(now, now) * (moves & PLACES) + (worth(now >> LANE, now >> LANE) * (moves >> HALF) << HALF)
    total += worth_on(game, s, row, row_crossings, on_column, now)
    total += worth_on(game, s, column, column_crossings, on_row, now)
    return total, now
