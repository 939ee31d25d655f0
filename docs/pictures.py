"""Draws the pictures of the README and the docs anew: python docs/pictures.py"""

import io
import re
from pathlib import Path

from rich.console import Console

import daedalus

IMAGES = Path(__file__).parent / "images"
LINE = ["d4-d3", "b2-b3", "d3-c3", "e1-e4", "b4-b5", "b3-b4", "b5-d5"]


def position() -> daedalus.Position:
    """A game of Black-Hole Escape after seven plies."""
    board = daedalus.new("blackhole", hole="pass", seed=1)
    for move in LINE:
        board.push(move)
    return board


def terminal(board: daedalus.Position) -> str:
    """The board as a terminal shows it, with what the perfect player thinks of each move."""
    console = Console(record=True, width=64, file=io.StringIO(), force_terminal=True)
    console.print(board.picture())
    console.print(f"\n{board.summary}\n")
    for candidate in daedalus.agent("perfect").choose(board.view()).candidates[:4]:
        console.print(f"  {candidate.move}   {candidate.note}", highlight=False)
    drawn = console.export_svg(title="daedalus analyse blackhole")
    return re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL)  # no fonts from elsewhere


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / "blackhole.svg").write_text(position().svg())
    (IMAGES / "terminal.svg").write_text(terminal(position()))
    print(f"wrote {IMAGES}/blackhole.svg and terminal.svg")
