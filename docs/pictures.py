"""Draws the pictures of the README and the docs anew: python docs/pictures.py"""

import io
import re
from pathlib import Path

from rich.console import Console

import daedalus

IMAGES = Path(__file__).parent / "images"
LINE = ["d4-d3", "b2-b3", "d3-c3", "e1-e4", "b4-b5", "b3-b4", "b5-d5"]
GAMES = {  # who plays the game that is shown, for how many plies
    "labyrinth": ("strong", 14),
    "quoridor": ("expert:simulations=20000", 24),
    "colosseum": ("expert:simulations=20000", 16),
    "saboteur": ("expert:simulations=2000", 15),
}


def position() -> daedalus.Position:
    """A game of Black-Hole Escape after seven plies."""
    board = daedalus.new("blackhole", hole="pass", seed=1)
    for move in LINE:
        board.push(move)
    return board


def game_of(name: str, player: str, plies: int) -> daedalus.Position:
    """A game of a player against itself, so far."""
    board = daedalus.new(name, seed=4)
    agent = daedalus.agent(player, board.game, seed=1)
    while board.outcome() is None and len(board.history) < plies:
        board.push(agent.choose(board.view()).move)
    return board


def terminal(board: daedalus.Position, title: str, width: int, below: str = "") -> str:
    """The board as a terminal shows it, with its summary and a text below."""
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True)
    console.print(board.picture())
    console.print(f"\n{board.summary}\n\n{below}", highlight=False)
    drawn = console.export_svg(title=title)
    return re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL)  # no fonts from elsewhere


def judged(board: daedalus.Position) -> str:
    """What the perfect player thinks of the best moves."""
    best = daedalus.agent("perfect").choose(board.view()).candidates[:4]
    return "\n".join(f"  {candidate.move}   {candidate.note}" for candidate in best)


def pictures() -> dict[str, str]:
    """All pictures by their names."""
    boards = {name: game_of(name, *how) for name, how in GAMES.items()}
    maze = boards["labyrinth"].view()  # the seat to move does not see the other's goal
    shown = {name: board.view().svg() for name, board in boards.items()}
    shown["blackhole"] = position().svg()
    shown["terminal"] = terminal(position(), "daedalus analyse blackhole", 64, judged(position()))
    shown["labyrinth-terminal"] = terminal(maze, "daedalus play labyrinth", 66)
    return shown


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    for name, drawn in pictures().items():
        (IMAGES / f"{name}.svg").write_text(drawn)
        print(f"wrote {IMAGES / name}.svg, {len(drawn) // 1000} kB")
