"""Colosseum Survival! for newcomers: the rules, the notation, and how to shut the other in, to play through."""

from daedalus.core.guide import Lesson

TITLE = "Colosseum Survival!"

SENTENCE = "Two gladiators walk and build walls; once parted, the one with more room wins."

DEMO = "4,3l 3,3l 4,4l 3,4r 2,4u 2,3u 5,4d 5,3d 4,5r 5,5d 5,2l 2,5r"

RULES = """**Goal.** Have more cells to yourself than the other when walls have parted you.

**Your turn** has two parts, written as one move:
- walk, up to 4 steps on the board of 8 x 8 (half its side), around walls and not through the other player; or stay where you are;
- then put a wall on a side of the cell where you stand that has none. You must.

Walls stay for good and stop both players. You are `A` or `B`.

**End.** As soon as no way leads from one player to the other, each counts the cells that he can still reach. More cells win, as many are a draw. Beware: your own wall may end the game, too."""

NOTATION = """A move is the cell where you end and the side that gets the wall: `2,0d` is row 2, column 0, wall below. Rows are counted from the top and columns from the left, from 0.

Sides are `u` up, `r` right, `d` down, `l` left."""


_SMALL = {"size": 5}

LESSONS = (
    Lesson(
        "You are `A`. First walk: on this small board up to 3 steps. Go to row 0, column 2, and put a wall below you: type "
        "`0,2d`.",
        "5 0,0 4,4 A |",
        ("0,2d",),
        "Two steps and a wall. It stays there for good.",
        "Fine as well. But try to go to row 0, column 2, with the wall below: `0,2d`.",
        _SMALL,
    ),
    Lesson(
        "Walls stop both of you, and you may also stay where you are. B wants to come near; put a wall on your right without "
        "walking: `2,2r`.",
        "5 2,2 2,4 A | 1,2d",
        ("2,2r",),
        "B must walk around it now.",
        "That is a move; but this time stay on row 2, column 2: `2,2r`.",
        _SMALL,
    ),
    Lesson(
        "B stands in the corner, and only one way leads out: to the left. Walk there and shut it: row 4, column 3, wall on your "
        "right.",
        "5 2,2 4,4 A | 3,4d",
        ("4,3r",),
        "B has 1 cell and you have 24: you have won.",
        "B can still get out. Stand on row 4, column 3, and put the wall on your right: `4,3r`.",
        _SMALL,
    ),
)
