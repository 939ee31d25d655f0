"""What others printed about the size of Quoridor, to set beside what we count. Nothing here is used as a result of ours.

Numbers stand as they were printed, as texts, since the last digit tells how they were rounded. Equations, tables and
sections are those of M. Hoľa, Artificial neural network as an opponent in Quoridor, Bratislava 2016, chapter 3.
"""

from typing import NamedTuple


class Printed(NamedTuple):
    """A printed number with the place where it stands."""

    text: str
    where: str

    @property
    def value(self) -> float:
        return float(self.text)


MERTENS_WALLS = Printed("6.1582e38", "eq. 3.1")
MERTENS_STATES = Printed("3.9905e42", "eq. 3.1")
PAWNS = Printed("6399", "eq. 3.2")
WALLS = Printed("1.7796e23", "eq. 3.2")
STATES = Printed("2.2775e27", "eq. 3.2")
YEARS = Printed("7.2172e13", "section 3.3")
BYTES = Printed("1.1387e29", "section 3.3")
MERTENS_TREE = Printed("1.7884e162", "eq. 3.3")
DECISION_STATES = Printed("5.6379e26", "eq. 3.5")
DECISIONS = Printed("1.0766e28", "eq. 3.5")
BRANCHING = Printed("19.0974", "eq. 3.6")
TREE = Printed("4.9758e116", "eq. 3.7")

# Glendenning 2005: means over games between agents; Hoľa's section 3.4 takes them from there
MEASURED_GAMES = Printed("220", "Glendenning 2005")
MEASURED_BRANCHING = Printed("60.4", "section 3.4")
MEASURED_LENGTH = Printed("91.1", "section 3.4")

# math.stackexchange, questions 953750 and 1018819: up to 20 walls on 9 x 9
WALL_CONFIGURATIONS = Printed("1375968129062134174771", "math.stackexchange 953750")

# Table 3.1: positions and decisions of each pattern; its sums stand in section 3.4
PATTERNS = {
    "AB_1": (2, 6),
    "AB_2": (7, 35),
    "AB_3": (434, 1302),
    "AB_4": (124, 248),
    "BC_1": (7, 35),
    "BC_2": (434, 1736),
    "BC_3": (124, 372),
    "BC_4": (2, 4),
    "AC_1": (18, 36),
    "AC_2": (63, 189),
    "BB_1": (28, 140),
    "BB_2": (24, 96),
    "BB_3": (84, 504),
    "BB_4": (84, 504),
    "BB_5": (830, 2490),
    "BB_6": (903, 3612),
}
PATTERN_POSITIONS = Printed("3168", "section 3.4")
PATTERN_DECISIONS = Printed("11309", "section 3.4")

# Table 3.2: the most slots left after 0, 1, .. 20 walls; 0 after 20, since nobody has a wall left
SLOTS_LEFT = (128, 125, 123, 120, 118, 115, 113, 111, 109, 107, 105, 103, 101, 98, 96, 94, 92, 90, 88, 86, 0)
