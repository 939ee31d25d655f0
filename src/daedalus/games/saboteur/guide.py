"""Saboteur for newcomers: the rules, the notation, and tunnel, map, malus and nugget to play through."""

from daedalus.core.guide import Lesson

TITLE = "Saboteur"

SENTENCE = "Two miners dig one tunnel; who lays the tile that reaches the gold wins."

DEMO = "map@12,3 6@4,5 6f@6,5 drop:f 0@7,5 map@12,5 8@8,5 drop:a malus drop:b 0@9,5 destroy@7,5 drop:g bonus 7f@6,6 drop:f"

RULES = """**Goal.** One of the three cards on row 12 hides the nugget. Lay the tile that joins it to the entrance `E`.

**Your turn.** Play or drop a card, then draw one:
- a **tile** must join a way and match the tiles around; some can be turned. Crossed or doubled: dead ends.
- **map**: look at one of the three cards, alone.
- **malus**: the other lays no tiles until a **bonus** takes it away.
- **destroy**: take a laid tile away.

The tunnel belongs to both: do not leave the other the last tile to lay.

**End.** The nugget is reached, or all cards are gone: a draw."""

NOTATION = """Tiles have numbers, and the cards of your hand are called a, b, c, ... from the left.
- `6@8,5` lays tile 6 on row 8, column 5; `6f@8,5` lays it turned upside down, as `6f` is drawn.
- `map@12,3` looks at the card there, `destroy@7,5` takes the tile there away.
- `malus` and `bonus` need no place.
- `drop:c` throws your third card away."""


LESSONS = (
    Lesson(
        "You are Red. The tunnel begins at the entrance `E`, and gold lies under one of the three cards far below. Dig down: tile "
        "0 is a shaft, open above and below. Lay it under the entrance: `0@6,5`, row 6, column 5.",
        "0 | 0 0 | 000 000 000 | p n p | 0 10 map | 5 9 8 | 7 6 8 | ",
        ("0@6,5",),
        "The tunnel grows. Then you draw a card, and it is Blue's turn.",
        "That can be done. But to go down, lay tile 0 under the entrance: `0@6,5`.",
    ),
    Lesson(
        "Which card hides the nugget? Your map tells, and only you: look at the one in the middle, `map@12,5`.",
        "0 | 0 0 | 000 000 000 | p n p | 10 map 8 | 5 9 8 | 7 6 8 | 6,5:0 7,5:8",
        ("map@12,3", "map@12,5", "map@12,7"),
        "Now you know something that Blue does not.",
        "Keep that for later; first look under a card: `map@12,5`.",
    ),
    Lesson(
        "One tile is missing to the nugget, and Blue would lay it; you have none that fits. A malus keeps Blue from laying tiles: "
        "type `malus`.",
        "0 | 0 0 | 000 010 000 | p n p | malus 10 bonus | 0 9 8 | 7 6 8 | 6,5:0 7,5:8 8,5:0 9,5:6 10,5:0",
        ("malus",),
        "Blue lays no tiles until a bonus card helps.",
        "Then Blue lays the last tile and wins. Type `malus`.",
    ),
    Lesson(
        "Now you have a shaft, tile 0, and the tunnel wants one more: on row 11, column 5. It does not matter who dug the rest.",
        "0 | 0 1 | 000 010 000 | p n p | 0 10 bonus | 7 9 8 | 7 6 8 | 6,5:0 7,5:8 8,5:0 9,5:6 10,5:0",
        ("0@11,5",),
        "The nugget is reached, by your tile: you have won.",
        "There is a win: lay tile 0 on row 11, column 5: `0@11,5`.",
    ),
)
