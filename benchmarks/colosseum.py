"""Colosseum Survival!, outside the suite: python benchmarks/colosseum.py match|levels|limits|python [...]

match A B [--limit L] [--games N] [--sizes 6-11]   paired games on random boards, seats swapped; A's score
levels [--games N]                                  neighbouring levels against each other
limits [A ...] [--seconds S] [--moves N] [--size M] how far over its limit an agent ever goes
python [--size M]                                   simulations of `seed` against a plain Python deepcopy version
"""

import argparse
import copy
import itertools
import math
import random
import time
from collections.abc import Iterator

import daedalus
from daedalus import Limit, Position

LEVELS = ("walk", "novice", "club", "strong", "expert")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # up, right, down, left, as moves code them


# --- matches --------------------------------------------------------------------------------------------------------


def boards(sizes: list[int], games: int) -> Iterator[tuple[int, int]]:
    """(size, seed) of each pair of games."""
    for pair in range((games + 1) // 2):
        yield sizes[pair % len(sizes)], 1000 + pair


def play(size: int, seed: int, specs: tuple[str, str], limit: Limit | None) -> float:
    """One game; the first agent's score, a tie half."""
    position = daedalus.new("colosseum", size=size, seed=seed)
    agents = [daedalus.agent(spec, position.game, seed=seed + seat) for seat, spec in enumerate(specs)]
    while position.outcome() is None:
        position.push(agents[position.turn].choose(position.view(), limit).move)
    outcome = position.outcome()
    assert outcome is not None
    return 0.5 + 0.5 * outcome.payoffs[0]


def match(one: str, two: str, limit: Limit | None, games: int, sizes: list[int]) -> None:
    """Plays pairs and prints the score of `one` with its 95 % interval, pairs being independent."""
    pairs = [
        (play(size, seed, (one, two), limit) + 1.0 - play(size, seed, (two, one), limit)) / 2
        for size, seed in boards(sizes, games)
    ]
    mean = sum(pairs) / len(pairs)
    spread = math.sqrt(sum((pair - mean) ** 2 for pair in pairs) / max(1, len(pairs) - 1) / len(pairs))
    print(f"{one} against {two}, {limit or 'own limits'}, {2 * len(pairs)} games, sizes {sizes[0]}-{sizes[-1]}: ", end="")
    print(f"{100 * mean:.1f} % +- {196 * spread:.1f}", flush=True)


# --- limits ---------------------------------------------------------------------------------------------------------


def limits(specs: list[str], seconds: float, moves: int, size: int) -> None:
    """The longest moves of the searching agents, as part of the limit; a busy machine adds to them, but not to their CPU time."""
    for spec in specs or ["expert", "seed", "seed:untried=first,implicit=0.2", "alphabeta"]:
        times, work = zip(*itertools.islice(timed(spec, seconds, size), moves), strict=True)
        told = sorted(times)
        print(f"{spec}: {moves} moves at {seconds} s on size {size}: median {told[moves // 2] / seconds:.3f}, ", end="")
        print(f"99 % {told[int(moves * 0.99)] / seconds:.3f}, longest {told[-1] / seconds:.3f}, ", end="")
        print(f"longest by CPU {max(work) / seconds:.3f} of the limit", flush=True)


def timed(spec: str, seconds: float, size: int) -> Iterator[tuple[float, float]]:
    """Wall and CPU seconds of each move of an agent against itself, game after game, the agent made ready as in the arena."""
    position = daedalus.new("colosseum", size=size, seed=1)
    agent = daedalus.agent(spec, position.game)
    agent.prepare(position.game)
    for seed in itertools.count(1):
        position = daedalus.new("colosseum", size=size, seed=seed)
        agent.new_game(seed)
        while position.outcome() is None:
            view, begun, cpu = position.view(), time.perf_counter(), time.process_time()
            thought = agent.choose(view, Limit(seconds=seconds))
            yield time.perf_counter() - begun, time.process_time() - cpu
            position.push(thought.move)


# --- a plain Python version, as the students' programs are written ----------------------------------------------------


class Arena:
    """The whole position in Python lists, copied for every move that is looked at."""

    def __init__(self, position: Position) -> None:
        game, s = position.game, position.state
        self.size: int = game.size  # type: ignore[attr-defined]
        self.steps = (self.size + 1) // 2
        self.turn = position.turn
        self.players = [divmod(int(cell), self.size) for cell in s.cell]
        self.walls = [[[True] * 4 for _ in range(self.size)] for _ in range(self.size)]
        for cell in range(self.size**2):
            row, col = divmod(cell, self.size)
            for side, name in ((1, s.right), (2, s.down)):
                if int(name[cell >> 6]) >> (cell & 63) & 1:
                    self.open(row, col, side)

    def open(self, row: int, col: int, side: int) -> None:
        down, right = STEPS[side]
        self.walls[row][col][side] = self.walls[row + down][col + right][side ^ 2] = False

    def moves(self) -> list[tuple[int, int, int]]:
        at, other = self.players[self.turn], self.players[1 - self.turn]
        seen, front = {at}, [at]
        for _ in range(self.steps):
            following = []
            for row, col in front:
                for side, (down, right) in enumerate(STEPS):
                    cell = (row + down, col + right)
                    if not self.walls[row][col][side] and cell != other and cell not in seen:
                        seen.add(cell)
                        following.append(cell)
            front = following
        return [(row, col, side) for row, col in seen for side in range(4) if not self.walls[row][col][side]]

    def play(self, move: tuple[int, int, int]) -> None:
        row, col, side = move
        down, right = STEPS[side]
        self.walls[row][col][side] = self.walls[row + down][col + right][side ^ 2] = True
        self.players[self.turn] = (row, col)
        self.turn = 1 - self.turn

    def zone(self, cell: tuple[int, int]) -> set[tuple[int, int]]:
        seen, front = {cell}, [cell]
        while front:
            row, col = front.pop()
            for side, (down, right) in enumerate(STEPS):
                cell = (row + down, col + right)
                if not self.walls[row][col][side] and cell not in seen:
                    seen.add(cell)
                    front.append(cell)
        return seen

    def lead(self, seat: int) -> int | None:
        """Cells ahead once the zones are apart."""
        mine = self.zone(self.players[seat])
        if self.players[1 - seat] in mine:
            return None
        return len(mine) - len(self.zone(self.players[1 - seat]))


def heuristic_choice(arena: Arena) -> tuple[int, int, int]:
    """The report's choice among all moves, each tried on a copy."""
    moves = arena.moves()
    going = []
    for move in moves:
        after = copy.deepcopy(arena)
        after.play(move)
        lead = after.lead(arena.turn)
        if lead is not None and lead > 0:
            return move
        if lead is None:
            going.append((move, sum(after.walls[move[0]][move[1]])))
    roomy = [move for move, walls in going if walls < 3]
    inner = [move for move, _ in going if 0 < move[0] < arena.size - 1 and 0 < move[1] < arena.size - 1]
    return random.choice(roomy or inner or [move for move, _ in going] or moves)


def python_rollout(arena: Arena) -> None:
    """A simulation is at least this: heuristic choices to the end."""
    while arena.lead(0) is None:
        arena.play(heuristic_choice(arena))


def python(size: int) -> None:
    position = daedalus.new("colosseum", size=size, seed=5)
    begun, count = time.process_time(), 0
    while time.process_time() - begun < 10.0:
        python_rollout(Arena(position))
        count += 1
    plain = count / (time.process_time() - begun)
    print(f"plain Python, size {size}: {plain:.2f} simulations/s")
    for spec in ("seed", "seed:untried=first"):
        agent = daedalus.agent(spec, position.game)
        agent.choose(position.view(), Limit(simulations=2))
        begun = time.process_time()
        done = agent.choose(position.view(), Limit(simulations=50_000)).simulations
        rate = done / (time.process_time() - begun)
        print(f"{spec}: {rate:,.0f} simulations/s, {rate / plain:,.0f} times as many", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("match", "levels", "limits", "python"))
    parser.add_argument("agents", nargs="*")
    parser.add_argument("--limit", type=Limit.parse)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--sizes", default="6-11")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--size", type=int, default=0)
    given = parser.parse_args()
    low, _, high = given.sizes.partition("-")
    sizes = list(range(int(low), int(high or low) + 1))
    if given.what == "match":
        match(*given.agents, given.limit, given.games, sizes)
    elif given.what == "levels":
        for weak, better in itertools.pairwise(LEVELS):
            match(better, weak, given.limit, given.games, sizes)
    elif given.what == "limits":
        limits(given.agents, given.seconds, given.moves, given.size or 12)
    else:
        python(given.size or 9)


if __name__ == "__main__":
    main()
