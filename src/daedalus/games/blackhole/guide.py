"""Black-Hole Escape for newcomers: the rules, the notation, and how a ship comes home, to play through."""

from daedalus.core.guide import Lesson

TITLE = "Black-Hole Escape"

SENTENCE = "Ships slide until something stops them; bring half of yours into the hole."

DEMO = "b4-b3 d2-d3 e5-b5 a1-a4 b5-b4 e1-a1 a5-e5 a1-a3 e5-e1 a4-a5"

RULES = """**Goal.** Be the first to bring two of your four ships home, into the black hole `*` in the middle (on larger boards: half of them).

**Your turn.** Slide one of your ships up, down, left or right. It does not stop before the next square is a ship or the border.

**The hole.** A ship glides over it and drops in only if its slide ends there, because some ship, yours or the other's, stands right behind the hole. A ship that is home leaves the board.

**End.** Two ships home win. Who cannot move loses. A position that comes up for the third time, or 500 moves, are a draw.

With the option `hole=pass` the hole swallows every ship that reaches it."""

NOTATION = """A move is the ship's square and the square where its slide ends: `b4-b3`. Letters count columns from the left, numbers count rows from the bottom."""


LESSONS = (
    Lesson(
        "You are Red, `R`. A ship slides until something stops it. Slide the one on b4 down: it stops on b3, above the Blue "
        "ship. Type `b4-b3`.",
        "R...R/.R.R./..*../.B.B./B...B R",
        ("b4-b3",),
        "That is a slide. Your ship now stands beside the hole.",
        "That is a slide, too. This time try `b4-b3`.",
    ),
    Lesson(
        "Nothing stops a ship on the hole itself: the one on a3 glides right over it, to the border. See for yourself: `a3-e3`.",
        "....R/.R.R./R.*../.B.B./B...B R",
        ("a3-e3",),
        "Right over the hole. To drop in, it needs a ship behind the hole that stops it.",
        "A good slide; but look what happens on row 3: `a3-e3`.",
    ),
    Lesson(
        "One of your ships is home already. Now a ship stands right behind the hole, on d3: if you slide towards it, you end in "
        "the hole. Bring the ship on a3 home and win: `a3-c3`.",
        "R..../...../R.*BR/.B.../B...B R",
        ("a3-c3",),
        "Two ships home: you have won.",
        "Not home yet. The Blue ship on d3 stops you on the hole: `a3-c3`.",
    ),
)
