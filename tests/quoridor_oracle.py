"""Quoridor's rules once more, slowly and without bits: an oracle for tests, written from specs/quoridor.md alone.

Squares are (file, rank) from (1, 1); a wall is (file, rank, sort) with the square nearest to a1.
"""

import itertools
from collections import deque

STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def name(square):
    return "abcdefghijk"[square[0] - 1] + str(square[1])


def square(text):
    return "abcdefghijk".index(text[0]) + 1, int(text[1:])


class Oracle:
    """A position, read from the text of one of ours."""

    def __init__(self, game, text):
        self.width, self.height, self.players, self.third_blocks = game.width, game.height, game.players, game.third == 1
        level, upright, pawns, stocks, turn = (part.strip() for part in text.split("/"))
        self.walls = {(*at, "h") for at in self._squares(level)} | {(*at, "v") for at in self._squares(upright)}
        self.pawns = [square(word) for word in pawns.split()]
        self.stocks = [int(word) for word in stocks.split()]
        self.turn = int(turn) - 1

    @staticmethod
    def _squares(text):
        letters = [i for i, letter in enumerate(text) if letter.isalpha()]
        return [square(text[i:j]) for i, j in itertools.pairwise([*letters, len(text)])]

    def is_open(self, here, there, walls=None):
        walls = self.walls if walls is None else walls
        (x, y), (x2, y2) = sorted((here, there))
        if not (min(x, x2) >= 1 and max(x, x2) <= self.width and min(y, y2) >= 1 and max(y, y2) <= self.height):
            return False
        if x == x2:
            return (x, y, "h") not in walls and (x - 1, y, "h") not in walls
        return (x, y, "v") not in walls and (x, y - 1, "v") not in walls

    def goals(self, seat):
        side = seat if self.players == 4 else 2 * seat
        inside = itertools.product(range(1, self.width + 1), range(1, self.height + 1))
        wanted = {0: (1, self.height), 1: (0, self.width), 2: (1, 1), 3: (0, 1)}[side]
        return {at for at in inside if at[wanted[0]] == wanted[1]}

    def path(self, seat, walls=None):
        """The squares of a shortest way to the goal; None if there is no way."""
        goals, queue, came_from = self.goals(seat), deque([self.pawns[seat]]), {self.pawns[seat]: None}
        while queue:
            x, y = at = queue.popleft()
            if at in goals:
                way = [at]
                while came_from[way[-1]]:
                    way.append(came_from[way[-1]])
                return way[::-1]
            for dx, dy in STEPS:
                to = x + dx, y + dy
                if to not in came_from and self.is_open(at, to, walls):
                    came_from[to] = at
                    queue.append(to)
        return None

    def distance(self, seat, walls=None):
        way = self.path(seat, walls)
        return None if way is None else len(way) - 1

    def pawn_moves(self):
        (x, y), found = self.pawns[self.turn], set()
        for dx, dy in STEPS:
            one, two = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if not self.is_open((x, y), one):
                continue
            if one not in self.pawns:
                found.add(one)
            elif self.is_open(one, two) and two not in self.pawns:
                found.add(two)
            elif not (self.is_open(one, two) and self.third_blocks):
                for side in ((one[0] + dy, one[1] + dx), (one[0] - dy, one[1] - dx)):
                    if self.is_open(one, side) and side not in self.pawns:
                        found.add(side)
        return {name(at) for at in found}

    def wall_moves(self):
        if not self.stocks[self.turn]:
            return set()
        ways = [self.path(seat) for seat in range(self.players)]
        places = itertools.product(range(1, self.width), range(1, self.height), "hv")
        return {name((x, y)) + sort for x, y, sort in places if self.fits(x, y, sort) and self.leaves_paths((x, y, sort), ways)}

    def fits(self, x, y, sort):
        dx, dy = (1, 0) if sort == "h" else (0, 1)
        taken = {(x, y, "h"), (x, y, "v"), (x - dx, y - dy, sort), (x + dx, y + dy, sort)}
        return not taken & self.walls

    def leaves_paths(self, wall, ways):
        """Only a seat whose present way the wall cuts needs another one."""
        walls = self.walls | {wall}
        cut = (
            seat
            for seat, way in enumerate(ways)
            if not all(self.is_open(here, there, {wall}) for here, there in itertools.pairwise(way))
        )
        return all(self.path(seat, walls) is not None for seat in cut)

    def legal_moves(self):
        return (self.pawn_moves() | self.wall_moves()) or {"pass"}
