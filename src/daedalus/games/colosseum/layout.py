"""What both pictures of Colosseum Survival! show: the one name of a wall, whose zone is where, and the way of a walk."""

from typing import Any

from daedalus.core.kernels.bitsets import cells_of, has

from .kernels.territory import DOWN, RIGHT, edge_of, zone
from .text import barriers


def wall(cell: int, side: int, size: int) -> tuple[int, int]:
    """The side of a cell as (cell, RIGHT or DOWN), the way every wall has one name."""
    first, lower = edge_of(cell, side, size)
    return int(first), DOWN if lower else RIGHT


def standing(s: Any) -> dict[int, int]:
    """The seat that stands on a cell."""
    return {int(cell): seat for seat, cell in enumerate(s.cell)}


def zones(self: Any, s: Any) -> dict[int, int]:
    """Once the zones are apart: the seat that owns each cell that anybody can reach."""
    if not s.ended:
        return {}
    right, down = cells_of(s, "right"), cells_of(s, "down")
    owned = [zone(right, down, self.size, int(s.cell[seat])) for seat in (0, 1)]
    return {cell: seat for seat in (0, 1) for cell in range(self.size**2) if has(owned[seat], cell)}


def openings(self: Any, s: Any) -> list[int]:
    """The open sides of every cell, as bits: 1 up, 2 right, 4 down, 8 left."""
    opened = [15] * self.size**2
    for cell in range(self.size):
        opened[cell] &= ~1
        opened[-1 - cell] &= ~4
        opened[cell * self.size] &= ~8
        opened[cell * self.size + self.size - 1] &= ~2
    for cell, side in barriers(self, s):
        opened[cell] &= ~(1 << side)
        opened[cell + (1 if side == RIGHT else self.size)] &= ~(8 if side == RIGHT else 1)
    return opened


def route(self: Any, s: Any, goal: int) -> list[int]:
    """The cells of a shortest walk of the player to move, from its cell to the goal; only the goal if none leads there."""
    start, other = int(s.cell[s.turn]), int(s.cell[1 - s.turn])
    opened = openings(self, s)
    came = {start: start}
    queue = [start]
    for cell in queue:
        for side, step in enumerate((-self.size, 1, self.size, -1)):
            if opened[cell] >> side & 1 and cell + step != other and cell + step not in came:
                came[cell + step] = cell
                queue.append(cell + step)
    way = [goal]
    while way[-1] != start and way[-1] in came:
        way.append(came[way[-1]])
    return way[::-1]
