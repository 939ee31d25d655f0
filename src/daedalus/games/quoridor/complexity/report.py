"""How large is Quoridor? Equations 3.1 to 3.7 and tables 3.1 and 3.2 of Hoľa (2016), counted anew, and games measured."""

import math
from collections.abc import Callable
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import NamedTuple

from daedalus.core import InvalidSpec
from daedalus.report import Block, Heading, Mean, Paragraph, Progress, Row, Table, shown

from . import published
from .estimates import (
    MOST,
    SIZE,
    Counts,
    any_walls,
    count,
    counted_tree,
    exact_tree,
    mertens_walls,
    pawn_pairs,
    printed_tree,
    stock_splits,
    wall_states,
)
from .paths import sampled_pairs, weighted_sum
from .pawns import PATTERNS, Count
from .published import Printed
from .walls import Wall

PER_SECOND, STATE_BYTES = 10**6, 50  # what Hoľa assumes of a computer (section 3.3)
READABLE = 10**7
SAMPLES, QUICK_SAMPLES = 3000, 200  # wall configurations of each size that are searched for paths
YEAR = 365.25 * 24 * 3600

# Plays so many games of an agent against itself after so many random plies; tells how many were played and drawn, their
# length and their branching factor.
SelfPlay = Callable[[str, int, int], tuple[int, int, Mean, Mean]]


class Pairing(NamedTuple):
    """An agent that plays itself: so many games, fewer when quick. Agents without dice need openings that differ."""

    spec: str
    games: int
    quick: int
    random_plies: int = 0


PAIRINGS = (
    Pairing("random", 200, 40),
    Pairing("path", 100, 20),
    Pairing("heuristic", 1000, 200),
    Pairing("alphabeta:depth=2", 400, 40, 2),
    Pairing("alphabeta:depth=3", 200, 20, 2),
    Pairing("mcts:simulations=500", 300, 20),
    Pairing("mcts:simulations=5000", 60, 8),
    Pairing("expert:simulations=50000", 50, 6, 2),
)


def complexity(quick: bool, seed: int, self_play: SelfPlay, progress: Progress) -> list[Block]:
    """Counts, plays, and sets the results beside what was printed."""
    progress("counting walls and pawns", 0, 1)
    counts = count()
    progress("counting walls and pawns", 1, 1)
    return [
        Paragraph(
            "Positions, moves and game tree of Quoridor for two on 9 x 9 with 10 walls each. 'Printed' is what a thesis on"
            " Quoridor agents (Hoľa 2016, chapter 3) or the literature says; everything else is counted or measured here."
        ),
        *_equations(),
        *_patterns(counts),
        *_slots(counts),
        *_configurations(counts),
        *_consequences(counts),
        *_paths(counts, QUICK_SAMPLES if quick else SAMPLES, seed, progress),
        *_games(quick, self_play),
    ]


def verdict(printed: Printed, value: float) -> str:
    """Whether a value gives the printed digits, rounded or cut off."""
    exact, text = Decimal(value), Decimal(printed.text)
    last = Decimal((0, (1,), int(text.as_tuple().exponent)))
    if exact.quantize(last, ROUND_HALF_UP) == text:
        return "agrees"
    if exact.quantize(last, ROUND_DOWN) == text:
        return "agrees; printed cut off instead of rounded"
    return "differs"


def _equations() -> list[Block]:
    """Equations 3.1 to 3.7 with Hoľa's own inputs: is the arithmetic right?"""
    any_wall_states = wall_states([any_walls(walls) for walls in range(MOST + 1)])
    states = 2 * pawn_pairs() * any_wall_states
    tree = printed_tree()
    mertens_tree = published.MEASURED_BRANCHING.value**published.MEASURED_LENGTH.value
    values: list[tuple[str, Printed, float]] = [
        ("Mertens: sequences of walls", published.MERTENS_WALLS, mertens_walls()),
        ("Mertens: states", published.MERTENS_STATES, SIZE**2 * (SIZE**2 - 1) * mertens_walls()),
        ("S_p, pairs of pawns", published.PAWNS, pawn_pairs()),
        ("S_f, walls and stocks", published.WALLS, any_wall_states),
        ("S, states", published.STATES, states),
        ("years at a million states a second", published.YEARS, states / PER_SECOND / YEAR),
        ("bytes at 50 a state", published.BYTES, states * STATE_BYTES),
        ("Mertens: game tree 60.4^91.1", published.MERTENS_TREE, mertens_tree),
        ("S_d, states with a decision", published.DECISION_STATES, tree.states),
        ("D, decisions", published.DECISIONS, tree.decisions),
        ("b = D / S_d, branching factor", published.BRANCHING, tree.branching),
        ("C = b^91.1, game tree", published.TREE, tree.size),
    ]
    rows: list[Row] = [
        [name, printed.where, printed.text, _rounded(value), value / printed.value, verdict(printed, value)]
        for name, printed, value in values
    ]
    headers = ["quantity", "where", "printed", "ours", "ours / printed", "remark"]
    return [
        Heading("Hoľa's equations, evaluated"),
        Paragraph(
            "Each formula from its definition, with Hoľa's own tables as input where they are used. Where the printed"
            " number is a little smaller, it was cut off after the last digit instead of rounded."
        ),
        Paragraph(
            "Equation 3.1 is printed with a product from j = 0 to i of (128 - 4i). The number beside it comes from the"
            " product from j = 0 to i - 1 of (128 - 4j), one factor a wall, which is what is evaluated here."
        ),
        Table("equations", "Equations 3.1 to 3.7", headers, rows, digits=6),
    ]


def _rounded(value: float) -> float:
    """A whole number too long to be read in full as one with a power of ten."""
    return value if value < READABLE else float(value)


def _patterns(counts: Counts) -> list[Block]:
    """Table 3.1, pattern by pattern."""
    headers = ["pattern", "positions printed", "positions", "decisions printed", "decisions", "by official jumps", "remark"]
    rows = [_pattern_row(name, counts.patterns[name]) for name in PATTERNS]
    totals = [int(published.PATTERN_POSITIONS.text), int(published.PATTERN_DECISIONS.text)]
    ours = counts.pawns
    rows.append(["all", totals[0], ours.positions, totals[1], ours.decisions, ours.official, ""])
    return [
        Heading("Pawn positions and decisions (table 3.1)"),
        Paragraph(
            "Every pair of cells on the empty board in which the game goes on, the mover's cell first, sorted into the"
            " 16 patterns of Hoľa's figure 3.4. By the rules there a pawn jumps to every cell where the other pawn could go; the"
            " official rule allows the cells aside only when the straight jump is barred."
        ),
        *_pattern_remarks(counts),
        Table("patterns", "Table 3.1 counted anew", headers, rows),
    ]


def _pattern_row(name: str, counted: Count) -> Row:
    positions, decisions = published.PATTERNS[name]
    agrees = (positions, decisions) == (counted.positions, counted.decisions)
    pattern = f"{name}, {PATTERNS[name].contact}{', at the side' if PATTERNS[name].at_side else ''}"
    return [
        pattern,
        positions,
        counted.positions,
        decisions,
        counted.decisions,
        counted.official,
        "" if agrees else "differs",
    ]


def _pattern_remarks(counts: Counts) -> list[Block]:
    """Why two patterns differ, each reason checked by a count of its own."""
    middle = SIZE * (SIZE - 2)
    pairs = middle * (middle - 1) // 2
    remainder = pairs - sum(counts.patterns[f"BB_{k}"].positions for k in range(1, 6))
    each = counts.patterns["BC_4"].decisions // counts.patterns["BC_4"].positions
    return [
        Paragraph(
            f"BB_6 has {counts.patterns['BB_6'].positions:,} positions, not {published.PATTERNS['BB_6'][0]}. The"
            f" {middle} cells of the middle rows give {pairs:,} pairs without order; less the other"
            f" five BB patterns that is {remainder}, the printed number. But those five are counted with order (the mover"
            " in either cell), so the pairs must be too."
        ),
        Paragraph(
            f"BC_4 offers {each} moves, not {published.PATTERNS['BC_4'][1] // published.PATTERNS['BC_4'][0]}: a pawn on a8"
            " that faces one on a9 can go to a7, to b8, and by a jump to b9, which wins."
        ),
    ]


def _slots(counts: Counts) -> list[Block]:
    """Table 3.2 with walls that prove each number can be reached."""
    rows: list[Row] = []
    for walls, left in enumerate(counts.most_left):
        printed = published.SLOTS_LEFT[walls]
        remark = "nobody has a wall left to place" if walls == MOST else "" if printed == left else "differs"
        rows.append([walls, printed, left, left - printed, remark, " ".join(map(_name, counts.loss.walls[walls]))])
    better = [i for i, left in enumerate(counts.most_left[:MOST]) if left > published.SLOTS_LEFT[i]]
    found = ", ".join(f"{counts.most_left[i]} instead of {published.SLOTS_LEFT[i]} after {i} walls" for i in better)
    return [
        Heading("The most wall slots left after i walls (table 3.2)"),
        Paragraph(
            "The largest number over all placements that fit, found by dynamic programming over the 64 anchors, with walls"
            " that leave so many. The printed numbers come from one pattern laid from the corner (figure 3.5); some"
            f" placements do better: {found or 'none'}."
        ),
        Table(
            "slots-left", "Table 3.2 counted anew", ["walls", "printed", "ours", "difference", "remark", "for example"], rows
        ),
    ]


def _name(wall: Wall) -> str:
    column, row, way = wall
    return f"{chr(ord('a') + column)}{row + 1}{way}"


def _configurations(counts: Counts) -> list[Block]:
    """The exact number of wall configurations beside the bound."""
    rows: list[Row] = [
        [i, counts.walls[i], any_walls(i), counts.walls[i] / any_walls(i), counts.mean_left(i)] for i in range(MOST + 1)
    ]
    total, bound = sum(counts.walls[: MOST + 1]), sum(map(any_walls, range(MOST + 1)))
    rows.append(["all", total, bound, total / bound, None])
    printed = published.WALL_CONFIGURATIONS
    same = "the same number" if total == int(printed.text) else "another number"
    return [
        Heading("Wall configurations"),
        Paragraph(
            "In how many ways i walls fit on the board without crossing or overlapping, whether or not paths are left, beside"
            " Hoľa's bound C(128, i). The mean of the slots left follows from two neighbouring counts: (i + 1) times the"
            " configurations of i + 1 walls, divided by those of i."
        ),
        Paragraph(f"{total:,} in all; {printed.where} has {int(printed.text):,}, {same}."),
        Table("configurations", "Wall configurations", ["walls", "exact", "bound", "exact / bound", "mean slots left"], rows),
    ]


def _consequences(counts: Counts) -> list[Block]:
    """Hoľa's estimates with the tables corrected, and with exact wall configurations."""
    bound = [any_walls(walls) for walls in range(MOST + 1)]
    counted, exact = counted_tree(counts), exact_tree(counts)
    states = [float(2 * pawn_pairs() * wall_states(walls)) for walls in (bound, counts.walls)]
    rows: list[Row] = [
        ["S, states", published.STATES.text, *states],
        ["S_d, states with a decision", published.DECISION_STATES.text, counted.states, exact.states],
        ["D, decisions", published.DECISIONS.text, counted.decisions, exact.decisions],
        ["b, branching factor", published.BRANCHING.text, counted.branching, exact.branching],
        ["C = b^91.1, game tree", published.TREE.text, counted.size, exact.size],
    ]
    return [
        Heading("What follows for the estimates"),
        Paragraph(
            "Hoľa's estimates with the two tables as counted above, and with what section 3.3 wishes for: wall configurations that"
            " fit (the official jumps and the mean number of slots left besides). Positions without a path are still counted."
        ),
        Paragraph(
            "This branching factor is a mean over all states, and most of them have nearly all walls on the board and none for"
            " the mover to place. Players who keep walls for later meet other states: theirs, below, is larger."
        ),
        Table(
            "estimates",
            "State space and game tree",
            ["quantity", "printed", "tables counted", "walls that fit"],
            rows,
            digits=6,
        ),
    ]


def _paths(counts: Counts, samples: int, seed: int, progress: Progress) -> list[Block]:
    """How many of the states leave both pawns a path, by sampling wall configurations."""
    means = []
    for mean in sampled_pairs(SIZE, MOST, samples, seed):
        means.append(mean)
        progress("looking for paths", len(means), MOST + 1)
    states = weighted_sum(means, [2 * stock_splits(walls) * counts.walls[walls] for walls in range(MOST + 1)])
    fitting = 2 * pawn_pairs() * wall_states(counts.walls)
    rows: list[Row] = [[walls, mean.value / pawn_pairs(), mean.error / pawn_pairs()] for walls, mean in enumerate(means)]
    return [
        Heading("Positions in which both pawns have a path"),
        Paragraph(
            f"Of each number of walls {samples:,} configurations that fit were drawn, all with the same chance, and the pairs of"
            " pawns counted that can both reach their goals. Hoľa expects the estimate to be very precise once crossing"
            f" walls are left out: S with walls that fit is {shown(float(fitting))}, with paths it is {shown(states.value)}"
            f" (standard error {shown(states.error, 2)}), {shown(fitting / states.value, 3)} times less."
        ),
        Table("paths", "Pairs of pawns with paths", ["walls", "share with paths", "standard error"], rows, digits=4),
    ]


def _games(quick: bool, self_play: SelfPlay) -> list[Block]:
    """Branching factor and length of our agents' games beside the literature's."""
    rows: list[Row] = []
    missing: list[Block] = []
    for pairing in PAIRINGS:
        try:
            found = self_play(pairing.spec, pairing.quick if quick else pairing.games, pairing.random_plies)
        except InvalidSpec as error:
            missing.append(Paragraph(f"Not played: {pairing.spec} ({error})."))
            continue
        rows.append(_measured_row(pairing.spec, *found))
    branching, length = published.MEASURED_BRANCHING.value, published.MEASURED_LENGTH.value
    games = int(published.MEASURED_GAMES.text)
    rows.append(["Glendenning 2005, printed", games, None, branching, None, length, None, branching**length])
    headers = ["agent against itself", "games", "draws", "branching", "its error", "plies", "their error", "branching^plies"]
    return [
        Heading("Branching factor and length of games"),
        Paragraph(
            "Legal moves at a decision and moves in a game, as means over all decisions and all games, with standard errors"
            " between pairs of games. Both depend on the players more than on the game: who never lays a wall keeps some 130"
            " moves for a short game, who spends all walls early plays on with three or four. A game without a winner"
            " after 300 plies is a draw and counts. Agents without dice open with two random plies."
        ),
        *missing,
        Table("games", "Measured branching factor and length", headers, rows, digits=4),
    ]


def _measured_row(spec: str, games: int, draws: int, length: Mean, branching: Mean) -> Row:
    return [spec, games, draws, *_with_error(branching), *_with_error(length), branching.value**length.value]


def _with_error(mean: Mean) -> Row:
    """A mean and its error; a single pair of games has none."""
    return [mean.value, None if math.isnan(mean.error) else mean.error]
