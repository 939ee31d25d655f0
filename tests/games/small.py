"""Small games whose best play is known by hand."""

import json
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from daedalus.core import Number, U, random_below, shuffle


class Nim(NamedTuple):
    """Take 1 to 3 stones; who takes the last one wins, with 2 to 4 seats."""

    stones: int = 12
    seats: int = 2

    OPTIONS = {"stones": Number("stones at the start", 1, 100), "seats": Number("players", 2, 4)}
    STATE = [("left", "i2"), ("turn", "i1"), ("last", "i1")]
    MAX_MOVES = 3

    @property
    def SEATS(self):
        return self.seats

    def start(self, s, w):
        s.left = self.stones

    def turn(self, s):
        return np.int64(s.turn)

    def moves(self, s, w):
        n = min(3, np.int64(s.left))
        for i in range(n):
            w.buf[i] = i + 1
        return n

    def play(self, s, m):
        s.left -= m
        s.last = s.turn
        s.turn = (s.turn + 1) % self.seats

    def over(self, s):
        return s.left == 0

    def payoff(self, s, seat):
        return 1.0 if seat == s.last else -1.0

    def key(self, s):
        return U(s.left) * U(8) + U(s.turn) + U(1)


class HighCard(NamedTuple):
    """Each seat holds one of five cards; seat 0 bids or folds, seat 1 calls or folds; the higher card wins the stake."""

    cards: int = 5

    OPTIONS = {"cards": Number("cards in the deck", 3, 9)}
    STATE = [("deck", "i1", (9,)), ("ply", "i1"), ("folded", "i1")]
    MAX_MOVES = 2
    LABELS = 2
    FOLD, STAY = 0, 1

    def start(self, s, w):
        for i in range(self.cards):
            s.deck[i] = i
        shuffle(w, s.deck, self.cards)

    def turn(self, s):
        return np.int64(s.ply & 1)

    def moves(self, s, w):
        w.buf[0] = 0
        w.buf[1] = 1
        return 2

    def play(self, s, m):
        if m == 0:
            s.folded = s.ply + 1
        s.ply += 1

    def over(self, s):
        return s.ply == 2 or s.folded != 0

    def payoff(self, s, seat):
        if s.folded != 0:
            return -0.25 if seat == s.folded - 1 else 0.25
        return 1.0 if s.deck[seat] > s.deck[1 - seat] else -1.0

    def redeal(self, s, seat, w):
        own = s.deck[seat]
        n = 0
        for card in range(self.cards):  # all cards but the own one, in a fixed order, so that nothing shines through
            if card != own:
                s.deck[n] = card
                n += 1
        shuffle(w, s.deck, n)
        s.deck[n] = s.deck[seat]
        s.deck[seat] = own

    def position_text(self, s, seat):
        cards = [str(c) if seat is None or i == seat else "?" for i, c in enumerate(s.deck[: self.cards].tolist())]
        return f"{','.join(cards)} {s.ply} {s.folded}"

    def read_position(self, s, text):
        cards, ply, folded = text.split()
        s.deck[: self.cards] = [int(card) for card in cards.split(",")]
        s.ply, s.folded = int(ply), int(folded)

    def terminal(self, s, seat, last):
        from rich.text import Text

        return Text(self.position_text(s, seat))


class Board(SimpleNamespace):
    """Nine squares and whose turn it is, as plain Python objects."""

    def __init__(self):
        super().__init__(squares=["."] * 9, turn=0)


LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


class TicTacToe(NamedTuple):
    """Rules in plain Python objects: strings and lists that no compiler is meant to see."""

    none: int = 0

    STATE = Board
    MAX_MOVES = 9

    def start(self, s, w):
        s.squares = ["."] * 9

    def turn(self, s):
        return s.turn

    def moves(self, s, w):
        free = [i for i, mark in enumerate(s.squares) if mark == "."]
        w.buf[: len(free)] = free
        return len(free)

    def play(self, s, m):
        s.squares[int(m)] = "XO"[s.turn]
        s.turn = 1 - s.turn

    def winner(self, s):
        for line in LINES:
            marks = {s.squares[int(i)] for i in line}
            if len(marks) == 1 and marks != {"."}:
                return "XO".index(marks.pop())
        return None

    def over(self, s):
        return self.winner(s) is not None or "." not in s.squares

    def payoff(self, s, seat):
        winner = self.winner(s)
        return 0.0 if winner is None else 1.0 if winner == seat else -1.0


class Dice(NamedTuple):
    """Compiles only in part: JSON is beyond the compiler, so the whole game runs interpreted."""

    sides: int = 6

    STATE = [("total", "i4"), ("turn", "i1")]
    MAX_MOVES = 2

    def start(self, s, w):
        s.total = random_below(w, self.sides)

    def turn(self, s):
        return s.turn

    def moves(self, s, w):
        w.buf[0], w.buf[1] = 1, 2
        return 2

    def play(self, s, m):
        s.total += json.loads(f"[{m}]")[0]
        s.turn = 1 - s.turn

    def over(self, s):
        return s.total >= 20

    def payoff(self, s, seat):
        return -1.0 if seat == s.turn else 1.0
