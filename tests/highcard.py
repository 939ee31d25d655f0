"""A small game with hidden cards and three seats, in plain Python objects, as a user might write it; for the tests."""

from typing import Any, NamedTuple

import numpy as np

from daedalus.core import shuffle


class Cards:
    """A state in plain Python: the deck as dealt, who took which card."""

    def __init__(self) -> None:
        self.deck = list(range(12))
        self.taken: list[int] = []


class HighCard(NamedTuple):
    """Three seats take hidden cards from a shuffled deck; the highest sum wins."""

    cards: int = 6

    STATE = Cards
    MAX_MOVES = 12
    SEATS = 3

    def start(self, s: Any, w: Any) -> None:
        deck = np.array(s.deck)
        shuffle(w, deck, len(deck))
        s.deck = deck.tolist()

    def turn(self, s: Any) -> int:
        return len(s.taken) % 3

    def moves(self, s: Any, w: Any) -> int:
        free = [place for place in range(12) if place not in s.taken]
        w.buf[: len(free)] = free
        return len(free)

    def play(self, s: Any, m: int) -> None:
        s.taken.append(int(m))

    def over(self, s: Any) -> bool:
        return len(s.taken) >= self.cards

    def payoff(self, s: Any, seat: int) -> float:
        sums = [sum(s.deck[place] for place in s.taken[first::3]) for first in range(3)]
        return 1.0 if sums[seat] == max(sums) else -1 / 3

    def redeal(self, s: Any, seat: int, w: Any) -> None:
        deck = np.array(s.deck)
        shuffle(w, deck, len(deck))
        s.deck = deck.tolist()

    def move_text(self, s: Any, m: int) -> str:
        """Texts that look like everything else in a record."""
        return ["1.", "*", "{", "1 -1", '"', "\\", ";x", "[Game", "a b", "a\nb", "é", "12.x"][m]
