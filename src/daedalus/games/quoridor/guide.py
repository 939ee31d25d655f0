"""Quoridor for newcomers: the rules, the notation, and a game's three ideas to play through."""

from daedalus.core.guide import Lesson

TITLE = "Quoridor"

SENTENCE = "A race across the board, in which you may put walls in the other's way."

DEMO = "e2 e8 e3 e7 e4 e6 e5 e4 e6 e3 d2h f3 f2h e3 e7 d7h d3v e4 h2h e5 d5v e6 e6h f6"

RULES = """**Goal.** Be the first whose pawn stands on the far side: White (W) starts at the bottom and goes up, Black (B) comes down.

**Your turn** is one of two things:
- move your pawn one square up, down, left or right, not through a wall;
- put up one of your walls. It is two squares long, lies between squares, stays for good and stops everybody. It may not cross or overlap another, and must leave each pawn some way to its goal.

**Meeting.** You may jump over a pawn next to you. If a wall or the edge is behind it, step to its left or right instead.

**End.** Who gets across wins at once. 300 moves without a winner are a draw."""

NOTATION = """A pawn's move is the square it goes to: `e2`. Letters count columns from the left, numbers count rows from the bottom.

A wall is a square and `h` or `v`:
- `e3h` lies flat above e3 and f3;
- `e3v` stands upright on the right of e3 and e4."""


_SMALL = {"width": 5, "height": 5, "walls": 3}

LESSONS = (
    Lesson(
        "You are White, `W`, and want to reach the top row. A pawn goes one square at a time; an `o` marks where yours can go. "
        "Go up: type `c2`, column c, row 2.",
        "/ / c1 c5 / 3 3 / 1",
        ("c2",),
        "One step nearer. Now it would be Black's turn.",
        "You may do that, too. But up is where you want to go: type `c2`.",
        _SMALL,
    ),
    Lesson(
        "Black, `B`, needs one more step down to win, and you cannot win now. Put a wall in its way: `c1h` lies flat above c1 "
        "and d1, just below Black.",
        "/ / a3 c2 / 3 3 / 1",
        ("c1h", "b1h"),
        "Black must go around now. You have two walls left.",
        "Then Black steps down to c1 and wins. The wall `c1h` stops it.",
        _SMALL,
    ),
    Lesson(
        "Black stands in your way, right in front of the top row. Pawns that meet may be jumped over: type the square behind "
        "Black, `c5`.",
        "c2 / / c3 c4 / 3 2 / 1",
        ("c5",),
        "The top row: you have won.",
        "That works, but there is a win: jump over Black to `c5`.",
        _SMALL,
    ),
)
