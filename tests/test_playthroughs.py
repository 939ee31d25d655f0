"""One readable game for each built-in game, checked line by line. To write them anew:

python tests/test_playthroughs.py
"""

from pathlib import Path

import pytest

import daedalus
from daedalus.core import scramble

FOLDER = Path(__file__).parent / "playthroughs"


def playthrough(name: str) -> str:
    """Everything an onlooker may ask of the positions of a random game: text, picture, moves, touches, end."""
    position = daedalus.new(name, seed=1)
    lines = [f"# {name}, seed 1, random moves"]
    for ply in range(24):
        outcome = position.outcome()
        lines += ["", f"## ply {ply}", position.text, *map(str.rstrip, str(position).split("\n")), position.summary]
        if outcome is not None:
            lines.append(f"outcome {outcome}")
            break
        lines.append(
            f"seat {position.turn} to move, {len(position.legal_moves)} moves: {' '.join(map(str, position.legal_moves))}"
        )
        move = position.legal_moves[scramble(7, ply) % len(position.legal_moves)]
        lines.append(f"plays {move} by touching {' '.join(position.touches(move))}")
        position.push(move)
    return "\n".join(lines) + "\n"


@pytest.mark.interpreted
@pytest.mark.parametrize("name", daedalus.game_names())
def test_a_game_plays_as_it_is_written(name):
    path = FOLDER / f"{name}.txt"
    assert path.exists(), f"no playthrough of {name}; write it with: python {Path(__file__).name}"
    assert playthrough(name).split("\n") == path.read_text(encoding="utf-8").split("\n")


if __name__ == "__main__":
    for game in daedalus.game_names():
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{game}.txt").write_text(playthrough(game), encoding="utf-8")
        print(f"wrote {FOLDER / game}.txt")
