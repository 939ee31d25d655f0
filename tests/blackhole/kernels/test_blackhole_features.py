"""What a network sees of Black-Hole Escape: Blue's board turned by half a turn is Red's."""

import random

import numpy as np
import pytest

import daedalus
from daedalus import Position
from daedalus.core.features import by_group, observed
from daedalus.games.blackhole.kernels.slides import slide

pytestmark = pytest.mark.interpreted


def turned(text):
    """Half a turn, with the colours swapped."""
    board, turn, *rest = text.split()
    swap = str.maketrans("RB", "BR")
    return " ".join([board[::-1].translate(swap), turn.translate(swap), *rest])


@pytest.mark.parametrize("options", [{}, {"size": 7, "hole": "pass"}], ids=str)
def test_both_seats_see_the_same_picture_and_number_moves_alike(options):
    choice = random.Random(5)
    position = daedalus.new("blackhole", **options)
    seen = 0
    while position.outcome() is None and seen < 30:
        if all(home == 0 for home in position.state.home):  # texts tell ships home apart by colour in their own order
            other = Position.from_text(position.game, turned(position.text))
            for seat in (0, 1):
                assert np.array_equal(observed(position, seat), observed(other, 1 - seat)), position
            mine = {int(position.game.action(position.state, m)) for m in position.legal_moves.codes}
            assert mine == {int(other.game.action(other.state, m)) for m in other.legal_moves.codes}
            seen += 1
        position.push(choice.choice(list(position.legal_moves)))
    assert seen > 3


def test_landings_and_ships_home_are_seen():
    position = Position.from_text(daedalus.game("blackhole", hole="pass"), "..R../R...R/..*../.B.B./B...B R")
    parts = {group.name: part for group, part in by_group(position.game, observed(position))}
    assert parts["own landings"].tolist() == [0, 1, 0], "only the ship above the hole slides into it"
    assert parts["other's landings"].tolist() == [1, 0, 0]
    assert parts["own ships"].tolist()[:2] == [[0, 0, 1, 0, 0], [1, 0, 0, 0, 1]]
    assert parts["own home"].tolist() == [0, 1, 0], "three of four are left"


def test_slides_are_seen_by_their_direction():
    position = Position.from_text(daedalus.game("blackhole"), "R.R.R/...../..*../.B.B./B...B R")
    parts = {group.name: part for group, part in by_group(position.game, observed(position))}
    ends = {way: np.argwhere(parts[f"own slides {way}"]).tolist() for way in ("up", "right", "down", "left")}
    assert ends == {
        "up": [],
        "right": [[0, 1], [0, 3]],
        "down": [[3, 0], [3, 4], [4, 2]],  # above blue ships, and over the hole to the border
        "left": [[0, 1], [0, 3]],
    }


@pytest.mark.parametrize("hole", ["stop", "pass"])
def test_moves_that_threaten_or_prevent_landings_are_counted_as_they_come_out(hole):
    choice = random.Random(3)
    position = daedalus.new("blackhole", hole=hole)
    for _ in range(60):
        if position.outcome() is not None:
            break
        parts = {group.name: part for group, part in by_group(position.game, observed(position))}
        counts = dict.fromkeys(("threats", "forks", "parries", "sure threats"), 0)
        me, now = position.turn, landings(position, position.turn)
        for move in position.legal_moves.codes:
            position.push(move)
            mine, theirs = landings(position, me), landings(position, 1 - me)
            position.pop()
            counts["threats"] += mine > now
            counts["forks"] += mine > 1
            counts["parries"] += theirs == 0
            counts["sure threats"] += mine > 0 and theirs == 0
        assert {name: int(parts[f"own {name}"].argmax()) for name in counts} == {
            name: min(count, 3) for name, count in counts.items()
        }
        position.push(choice.choice(position.legal_moves.codes))


def landings(position, seat):
    """How many moves of the seat end in the hole, counted from their texts."""
    game, state = position.game, position.state.copy()
    state.turn, state.ended = seat, 0
    centre = game.size * game.size // 2
    found = 0
    for cell in range(game.size * game.size):
        row, col = divmod(cell, game.size)
        if (state.ships[seat, row] >> col) & 1:
            found += sum(int(slide(game, state, row, col, d)) == centre for d in range(4))
    return found
