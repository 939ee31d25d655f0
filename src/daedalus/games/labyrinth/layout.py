"""What both pictures of Labyrinth show: pawns, the goals that are known, arrows, which tile is which, what a push does."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from daedalus.core.memory import workspaces

from .kernels.maze import OFF, imagine, pawn_after, way
from .kernels.rules import goal, push, walk
from .text import colour, known_deck

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
PAWNS = {"R": "●", "Y": "▲", "G": "■", "B": "◆"}  # shapes tell pawns apart where colours do not


def pawns_on(self: Any, s: Any, cell: int) -> list[str]:
    """The colours of the pawns on a cell."""
    return [colour(s, p) for p in range(self.players) if s.pawn[p] == cell]


def sought(self: Any, s: Any, seat: int | None) -> dict[int, str]:
    """Where the goals that the onlooker knows are, as cells with the colour of who looks for them."""
    deck = known_deck(self, s, seat)
    found: dict[int, str] = {}
    for p in range(self.players):
        n, cards = int(s.found[p]), int(s.cards)
        places = range(p * cards + n, (p + 1) * cards if self.goals == 2 else p * cards + n + 1)
        markers = [int(goal(s, p))] if n >= cards else [int(s.deck[i]) for i in places if deck[i] != "?"]
        for marker in markers:
            if s.where[marker] != OFF and n <= cards:
                found.setdefault(int(s.where[marker]), colour(s, p))
    return found


def arrows(self: Any, s: Any) -> dict[str, int]:
    """Locations by their names, as `location_text` writes them; read as a whole, since a record is slow to look at."""
    names: dict[str, int] = {}
    for number, line in enumerate(s.lines[: int(s.locations) // 2].tolist()):
        sides, shown = ("WE", line) if line < self.side else ("NS", line - self.side)
        names |= {f"{side}{shown}": 2 * number + end for end, side in enumerate(sides)}
    return names


EXTRA = "extra"


def tile_names(self: Any, s: Any, pushes: Sequence[int]) -> tuple[dict[int, str], str]:
    """The name of the tile on each cell that these pushes moved, and of the extra one: where it was before them."""
    names: dict[int, str] = {}
    extra = EXTRA
    ways = {location: [int(number) for number in way(s, location)] for location in set(pushes)}
    for location in pushes:
        entry, cell, step = ways[location]
        falling = names.get(cell, str(cell))
        while cell != entry:
            names[cell] = names.get(cell - step, str(cell - step))
            cell -= step
        names[entry], extra = extra, falling
    return names, extra


def reachable(self: Any, s: Any, location: int, exits: int) -> set[int]:
    """The cells where the pawn to move can go after a push that lays the extra tile so."""
    w = workspaces(self, 1, 0)[0]
    with np.errstate(over="ignore"):  # rules that are not compiled let 64-bit numbers wrap, as kernels do
        entry, out, step = way(s, location)
        imagine(s, w, entry, step, exits)
        walk(self, s, w, int(s.turn), pawn_after(s, int(s.pawn[s.turn]), entry, out, step), entry, out, step)
    bits = sum(int(word) << 64 * k for k, word in enumerate(w.reach))
    return {cell for cell in range(self.side * self.side) if bits >> cell & 1}


def pushed(s: Any, location: int, exits: int) -> Any:
    """The state after a push alone."""
    after = s.copy()
    with np.errstate(over="ignore"):
        push(after, location, exits)
    return after
