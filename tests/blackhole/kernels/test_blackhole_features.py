"""What a network sees of Black-Hole Escape: Blue's board turned by half a turn is Red's."""

import random
from itertools import product

import numpy as np
import pytest

import daedalus
from daedalus import Position
from daedalus.core.compile import INTERPRETED
from daedalus.core.features import by_group, observed
from daedalus.games.blackhole.kernels.evaluation_terms import PASS

pytestmark = pytest.mark.interpreted

SIDES = ("own", "other's")
WAYS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


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


@pytest.mark.parametrize("size, hole", list(product((5, 7, 9), ("stop", "pass"))))
def test_features_are_what_their_names_say(size, hole):
    """In positions of games to their ends, random but for ships that go home when they can, against a plain reading of the board."""
    game = daedalus.game("blackhole", size=size, hole=hole, cap=20 if INTERPRETED else 80)
    choice = random.Random(1)
    opening = Position(game).text
    for text in (opening, opening.replace("R", ".", 1)):  # a ship that is not on the board is at home
        position = Position.from_text(game, text)
        while True:
            seat = choice.randrange(2)
            told = [(group.name, part.tolist()) for group, part in by_group(game, observed(position, seat))]
            assert told == list(expected(position, seat).items()), (position.text, seat)
            if position.outcome() is not None:
                break
            legal = position.legal_moves.codes
            position.push(choice.choice([move for move in legal if is_landing(position, move)] or legal))


def is_landing(position, move):
    """Does the move bring a ship home?"""
    before = sum(position.state.home)
    position.push(move)
    after = sum(position.state.home)
    position.pop()
    return after > before


def expected(position, seat):
    """The groups of features by their names, from a board of squares: those of ships are 0 and 1, the seat's own side first."""
    state, size = position.state, position.game.size
    squares = {
        (row, col): side ^ seat
        for side, row, col in product((0, 1), range(size), range(size))
        if state.ships[side, row] >> col & 1
    }
    if seat == 1:
        squares = {(size - 1 - row, size - 1 - col): side for (row, col), side in squares.items()}
    groups = {f"{side} ships": grid(size, [at for at in squares if squares[at] == k]) for k, side in enumerate(SIDES)}
    for k, side in enumerate(SIDES):
        for way in WAYS:
            ends = [end for start, end, d in moves(position.game, squares, k) if d == way]
            groups[f"{side} slides {way}"] = grid(size, ends)
    for k, side in enumerate(SIDES):
        ready = landings(position.game, squares, k)
        groups |= {f"{side} {what}": one_of(4, count) for what, count in counted(position.game, squares, k, ready).items()}
        groups[f"{side} home"] = one_of(size // 2 + 1, int(state.home[seat ^ k]))
        groups[f"{side} landings"] = one_of(3, ready)
    return groups | {"own turn": [float(position.state.turn == seat)]}


def counted(game, squares, side, now):
    """Moves of a side that threaten or prevent landings, each made on the board."""
    counts = dict.fromkeys(("threats", "forks", "parries", "sure threats"), 0)
    for start, end, _ in moves(game, squares, side):
        then = {at: whose for at, whose in squares.items() if at != start}
        if end != (game.size // 2, game.size // 2):
            then[end] = side
        mine, theirs = landings(game, then, side), landings(game, then, 1 - side)
        counts["threats"] += mine > now
        counts["forks"] += mine > 1
        counts["parries"] += theirs == 0
        counts["sure threats"] += mine > 0 and theirs == 0
    return counts


def landings(game, squares, side):
    """How many moves of a side end in the hole."""
    return sum(end == (game.size // 2, game.size // 2) for _, end, _ in moves(game, squares, side))


def moves(game, squares, side):
    """A side's moves, square by square: where they start, where they end, and the way."""
    found = []
    for start in (at for at in squares if squares[at] == side):
        for way, (down, right) in WAYS.items():
            row, col = start
            while 0 <= row + down < game.size and 0 <= col + right < game.size and (row + down, col + right) not in squares:
                row, col = row + down, col + right
                if game.hole == PASS and row == col == game.size // 2:
                    break
            if (row, col) != start:
                found.append((start, (row, col), way))
    return found


def grid(size, cells):
    """Rows of a board, 1 at these cells."""
    return [[float((row, col) in cells) for col in range(size)] for row in range(size)]


def one_of(n, count):
    """n numbers, 1 at the count, or at the last if it is more."""
    return [float(min(count, n - 1) == i) for i in range(n)]
