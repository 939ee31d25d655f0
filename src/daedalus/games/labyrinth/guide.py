"""Labyrinth for newcomers: the rules, the notation, and pushing, riding and coming home to play through."""

from daedalus.core.guide import Lesson

TITLE = "Labyrinth"

SENTENCE = "Push tiles into the maze, walk to your treasures, and be first home with them."

DEMO = "N5I0-3,0 E5T0-3,5 S5L3-3,0 S5I0-3,6 E1L1-1,0 W3I0-1,1 E1L2-3,6 W3L0-0,3"

RULES = """**Goal.** Find your treasures (small letters) in turn, then come home to the letter of your colour. The line below the board names the one you look for; those of the others are hidden.

**Your turn** is a push and a walk, written as one move:
- Push the extra tile, turned as you like, in at an arrow. Its line shifts by one, pawns ride along, and what falls out is the next extra tile; a pawn on it comes back on the tile pushed in. `x` bars the push that would undo the last one.
- Walk as far as ways lead, or stay. Pawns do not block. A treasure is found if your walk ends on it.

**End.** Who has all treasures and ends on the home tile wins; after 400 turns the most treasures win."""

NOTATION = """`W1L2-3,5` has three parts:
- `W1`: the tile comes in from the west into row 1. `N` is above, `E` right, `S` below, `W` left; rows and columns are counted from 0.
- `L2`: how it lies; below the board the extra tile is drawn in all its turns, with their names.
- `3,5`: row and column where your pawn ends, after the push."""


def _any_turn(*moves: str) -> tuple[str, ...]:
    """`S1-0,1` with the extra tile, a bend, turned in each of the four ways."""
    return tuple(move.replace("-", f"L{turn}-") for move in moves for turn in range(4))


_SMALL = {"board": "3x3"}
_MAZE = "L1RI1AL2Y/L2aT1dL3A/L0GT1bL3B L3c R -"

LESSONS = (
    Lesson(
        "You are Red, at home on `R`, and look for treasure `d`. No way leads there, so push: from the south into column 1, "
        "`S1`. Then d lies beside you, on row 0, column 1. Push and walk are one move: `S1L0-0,1`.",
        f"{_MAZE} R0,0;B2,2 R:|db;B:|ac 0",
        (*_any_turn("W0-1,1", "W1-1,2", "E1-1,0", "N0-1,1", "S1-0,1"), "S0L0-1,1", "S0L1-1,1"),
        "Found! Every turn begins with a push, then you walk.",
        "You did not get to d. Push it up beside you, from the south into column 1, and walk there: `S1L0-0,1`.",
        _SMALL,
    ),
    Lesson(
        "Now you look for `c`, which is on the extra tile. Pawns ride on their tiles, and one that falls out comes back on the "
        "tile pushed in: push from the east into your row 0, and you come in with c in the east: `E0L0-0,2`.",
        f"{_MAZE} R0,0;B2,2 R:|cb;B:|ad 0",
        (
            *_any_turn("E0-0,2", "S0-2,0"),
            *("W1L0-1,0", "W1L3-1,0", "E1L0-1,2", "E1L3-1,2", "N1L2-0,1", "N1L3-0,1"),
            *("S1L0-2,1", "S1L3-2,1", "N2L2-0,2", "N2L3-0,2"),
        ),
        "Found c, and travelled across the board.",
        "That does not end on c. Push from the east into row 0 and stay on the new tile: `E0L0-0,2`.",
        _SMALL,
    ),
    Lesson(
        "All your treasures are found; now go home, to `R` on row 0, column 0. Push column 1 up from the south, and you ride to "
        "row 0, beside your home; then walk there: `S1L0-0,0`.",
        f"{_MAZE} R1,1;B2,2 R:db|;B:|ac 8",
        _any_turn("W1-0,0", "E1-0,0", "N0-1,0", "S1-0,0"),
        "Home with all treasures: you have won.",
        "Not home yet. Push column 1 up from the south and walk to row 0, column 0: `S1L0-0,0`.",
        _SMALL,
    ),
)
