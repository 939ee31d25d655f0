"""Generated boards can be won: no pawn, home or object is shut in for ever, whatever the size and the lines."""

import numpy as np
import pytest

import daedalus
from daedalus.core.memory import states, workspaces
from daedalus.core.registry import registration_of

EXITS = {"L": ("NE", "ES", "SW", "WN"), "T": ("ESW", "SWN", "WNE", "NES"), "I": ("NS", "EW")}
STEPS = {"N": (-1, 0, "S"), "E": (0, 1, "W"), "S": (1, 0, "N"), "W": (0, -1, "E")}


def dealt(game, seed):
    """The tiles of a new board, {(row, column): exits}; without the compiler, since there are many sizes."""
    S, W = states(game, 1), workspaces(game, 1, seed)
    with np.errstate(over="ignore"):
        game.start(S[0], W[0])
    rows = game.position_text(S[0], None).split()[0].split("/")
    tiles = {(r, c // 3): row[c : c + 3] for r, row in enumerate(rows) for c in range(0, len(row), 3)}
    lines = [int(line) for line in S[0].lines[: int(S[0].locations) // 2]]
    return {cell: EXITS[tile[0]][int(tile[1])] for cell, tile in tiles.items()}, lines


def shut_in(exits, lines, side):
    """The fixed cells from which no sequence of pushes leads to the rest of the board.

    A pawn on a line that can be pushed rides anywhere along it, on a tile laid as it likes, and where a row and a column
    cross changes from one to the other. So all depends on the tiles that never move: they must lead to such a line.
    """
    crossing = any(line < side for line in lines) and any(line >= side for line in lines)

    def on(cell):
        """The lines that move a cell."""
        found = [line for line in lines if line in (cell[0], side + cell[1])]
        return ["lines"] if found and crossing else found

    ways = {cell: set() for cell in exits if not on(cell)} | ({"lines": set()} if crossing else {line: set() for line in lines})
    for cell in [cell for cell in exits if not on(cell)]:
        for way in exits[cell]:
            down, right, back = STEPS[way]
            beside = cell[0] + down, cell[1] + right
            for other in on(beside) if beside in exits else []:
                ways[cell].add(other)
                ways[other].add(cell)
            if beside in exits and not on(beside) and back in exits[beside]:
                ways[cell].add(beside)
    start = "lines" if crossing else lines[0]
    seen, todo = {start}, [start]
    while todo:
        new = ways[todo.pop()] - seen
        seen |= new
        todo += new
    return set(ways) - seen


SIZES = [(r, c) for r in range(2, 9) for c in range(2, 9) if r + c > 4] + [(12, 12), (16, 16), (2, 15), (10, 9), (16, 2)]
CHOSEN = [
    ("4x4", "1", "1"),
    ("8x8", "0", "5"),
    ("7x7", "3", "3"),
    ("16x16", "8", "2"),
    ("6x5", "even", "odd"),
    ("2x9", "1", "8"),
]


@pytest.mark.interpreted
def test_no_tile_of_a_generated_board_is_shut_in_for_ever():
    games = [daedalus.game("labyrinth", board=f"{r}x{c}", objects=2) for r, c in SIZES]
    games += [daedalus.game("labyrinth", board=board, rows=rows, columns=columns) for board, rows, columns in CHOSEN]
    for game in games:
        for seed in range(1, 4 if game.side == 16 else 9):
            exits, lines = dealt(game, seed)
            assert not shut_in(exits, lines, game.side), (game.board, seed)


@pytest.mark.parametrize("board", ["4x4", "6x6", "4x6", "2x7"])
def test_random_players_get_home_on_generated_boards_with_even_sides(board):
    game = daedalus.game("labyrinth", board=board, cap=50_000)
    totals = np.zeros(7)
    kernels = registration_of(game).kernels.load("daedalus.games.labyrinth.kernels.montecarlo")
    kernels.play_games(game, states(game, 2), workspaces(game, 1, 9), 100, np.zeros(2, np.int64), totals)
    assert totals[0] + totals[1] == 100
