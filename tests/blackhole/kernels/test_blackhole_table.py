"""The solved 5 x 5 game against exact data of another program, against the rules ply by ply, and against damaged files."""

import gzip
import json
import os
from math import comb
from pathlib import Path
from random import Random

import numpy as np
import pytest

import daedalus
from daedalus import DaedalusError, IllegalMove, InvalidSpec, Position
from daedalus.core.compile import INTERPRETED
from daedalus.core.files import locked
from daedalus.core.registry import registration_of
from daedalus.games.blackhole import table
from daedalus.games.blackhole.agents import Perfect, solve
from daedalus.games.blackhole.kernels import retrograde
from daedalus.games.blackhole.kernels.fleets import count, fleets, number
from daedalus.games.blackhole.table import MissingTable, Table, table_path
from daedalus.games.blackhole.text import destination

DATA = Path(__file__).parents[2] / "data"
HOLES = ("stop", "pass")
both_holes = pytest.mark.parametrize("hole", HOLES)


@pytest.fixture(scope="session")
def solved_cache(tmp_path_factory):
    """A cache folder with both tables, built once in a run, by these kernels, for all workers."""
    if INTERPRETED:
        pytest.skip("solving 5 x 5 takes compiled kernels, and NUMBA_DISABLE_JIT is set")
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "solved"
    for hole in HOLES:
        game = daedalus.game("blackhole", hole=hole)
        path = folder / "tables" / table_path(game).name
        with locked(path.with_suffix(".lock")):
            if not path.exists():
                table.build(game, path)
    return folder


@pytest.fixture
def solved(solved_cache, monkeypatch):
    """Everything that asks for a table in this test finds the fresh ones."""
    assert registration_of(daedalus.game("blackhole")).kernels.compiled  # its folder is settled before the cache moves
    monkeypatch.setenv("DAEDALUS_CACHE", str(solved_cache))
    return lambda hole: Table.open(daedalus.game("blackhole", hole=hole), build=False)


def random_text(random, ships=None):
    """A position with so many Red and Blue ships in random places, as text."""
    red, blue = ships or (random.choice((3, 4)), random.choice((3, 4)))
    cells = random.sample([cell for cell in range(25) if cell != 12], red + blue)
    board = ["."] * 25
    board[12] = "*"
    for i, cell in enumerate(cells):
        board[cell] = "R" if i < red else "B"
    return "/".join("".join(board[row * 5 : row * 5 + 5]) for row in range(5)) + " " + random.choice("RB")


def random_positions(hole, number, seed):
    random = Random(seed)
    game = daedalus.game("blackhole", hole=hole)
    positions = (Position.from_text(game, random_text(random)) for _ in range(number))
    return [position for position in positions if position.outcome() is None]


def bits(position, seat):
    return sum(int(line) << 5 * row for row, line in enumerate(position.state.ships[seat]))


def oracle(hole):
    """(position, what another program says of it), 300 of them."""
    game = daedalus.game("blackhole", hole=hole)
    with gzip.open(DATA / f"blackhole_positions_{hole}.jsonl.gz", "rt") as lines:
        for line in lines:
            known = json.loads(line)
            yield Position.from_text(game, f"{known['board']} {known['to_move']}"), known


def squares(position, move):
    """A move as the data files write it: row, column, row, column."""
    end = destination(position.game, position.state, int(move))
    return (*divmod(int(move) >> 2, 5), *divmod(end, 5))


# Numbering


def test_every_fleet_has_its_own_number():
    known = fleets()
    assert known.ships.size == comb(24, 4) + comb(24, 3) == len(set(known.ships.tolist()))
    assert not (known.ships & 1 << 12).any()
    assert (number(known.ships, known.high, known.low) == np.arange(known.ships.size)).all()
    assert (count(known.ships) == [4] * comb(24, 4) + [3] * comb(24, 3)).all()


def test_symmetries_permute_the_fleets_and_every_class_has_one_leader():
    known = fleets()
    for turn in known.turned:
        assert sorted(turn.tolist()) == list(range(known.ships.size))
    for fleet in Random(1).sample(range(known.ships.size), 500):
        images = known.turned[:, fleet].tolist()
        leader = int(known.leader[known.row[fleet]])
        assert leader == min(images)
        assert [int(known.upright[fleet]) >> g & 1 for g in range(8)] == [image == leader for image in images]
        assert [int(known.distinct[fleet]) >> g & 1 for g in range(8)] == [images.index(i) == g for g, i in enumerate(images)]


# Moves forwards and backwards


@both_holes
def test_successors_are_the_moves_of_the_rules(hole):
    for position in random_positions(hole, 60, seed=2):
        moves, made = np.empty(16, np.int64), np.empty(16, np.int64)
        me = position.turn
        n = retrograde.successors(bits(position, me), bits(position, 1 - me), position.game.hole, moves, made)
        assert moves[:n].tolist() == position.legal_moves.codes
        for move, ships in zip(moves[:n].tolist(), made[:n].tolist(), strict=True):
            position.push(move)
            assert bits(position, me) == ships
            position.pop()


@both_holes
def test_taking_moves_back_is_the_inverse_of_making_them(hole):
    rule = HOLES.index(hole)
    moves, made, origins = np.empty(16, np.int64), np.empty(16, np.int64), np.empty(retrograde.MAX_ORIGINS, np.int64)
    for position in random_positions(hole, 100, seed=3):
        own, other = bits(position, position.turn), bits(position, 1 - position.turn)
        for ships in set(made[: retrograde.successors(own, other, rule, moves, made)].tolist()):
            if ships.bit_count() > 2:  # two ships left: the game is over, nothing is taken back
                back = origins[: retrograde.unmoves(other, ships, rule, origins)].tolist()
                assert back.count(own) == 1
        back = origins[: retrograde.unmoves(own, other, rule, origins)].tolist()
        assert len(set(back)) == len(back)
        for ships in back:
            assert ships & own == 0
            assert other in made[: retrograde.successors(ships, own, rule, moves, made)].tolist()


@both_holes
def test_the_first_pass_counts_moves_and_sees_the_ends(hole):
    known = fleets()
    random = Random(4)
    leaders = np.array(sorted(random.sample(known.leader.tolist(), 2) + known.leader[-1:].tolist()), np.int16)
    columns = sorted(random.sample(range(known.ships.size), 60))
    few = known._replace(leader=leaders)
    values = np.empty((leaders.size, known.ships.size), np.uint8)
    retrograde.count_moves(values, few, HOLES.index(hole))
    game = daedalus.game("blackhole", hole=hole)
    for row, leader in enumerate(leaders):
        for column in columns:
            own, other = int(known.ships[leader]), int(known.ships[column])
            assert values[row, column] == _first_value(game, own, other)


def _first_value(game, own, other):
    """What is plain at once about a position, by the rules."""
    if own & other:
        return 0
    letters = ["*" if cell == 12 else "R" if own >> cell & 1 else "B" if other >> cell & 1 else "." for cell in range(25)]
    position = Position.from_text(game, "/".join("".join(letters[i : i + 5]) for i in range(0, 25, 5)) + " R")
    if position.outcome():
        return retrograde.SOLVED
    for move in position.legal_moves:
        position.push(move)
        home = position.state.home[0] == 2
        position.pop()
        if home:
            return retrograde.SOLVED + 1
    return len(position.legal_moves)


# The tables


@both_holes
def test_values_distances_and_best_moves_are_those_of_the_data_files(solved, hole):
    perfect = Perfect()
    solution = solved(hole)
    seen = 0
    for position, known in oracle(hole):
        assert solution.probe(position.state) == (known["value"], known["distance"])
        verdicts = {squares(position, v.move): (v.value, v.distance) for v in solution.children(position.game, position.state)}
        assert verdicts == {tuple(move["m"]): (move["v"], move["d"]) for move in known["moves"]}
        thought = perfect.choose(position.view())
        assert thought.value == known["value"]
        optimal = {tuple(move) for move in known["optimal_moves"]}
        assert squares(position, thought.move) in optimal
        assert {squares(position, c.move) for c in thought.candidates[: len(optimal)]} == optimal
        seen += 1
    assert seen == 300


@both_holes
def test_every_value_follows_from_the_values_one_move_later(solved, hole):
    solution = solved(hole)
    for position in random_positions(hole, 400, seed=5):
        after = []
        for move in list(position.legal_moves):
            position.push(move)
            after.append((-1, 0) if position.outcome() else solution.probe(position.state))
            position.pop()
        lost, drawn = [d for v, d in after if v < 0], [d for v, d in after if v == 0]
        expected = (1, 1 + min(lost)) if lost else (0, None) if drawn else (-1, 1 + max(d for _, d in after))
        assert solution.probe(position.state) == expected


@both_holes
def test_the_classes_count_every_position_once(solved, hole):
    classes = solved(hole).solution.classes
    assert sum(line.positions for line in classes) == 78_402_170
    for line in classes:
        assert line.positions == comb(24, line.own) * comb(24 - line.own, line.other)
        assert line.positions == line.wins + line.draws + line.losses
        assert line.longest_win % 2 == 1


def test_solve_reads_a_table_that_is_there(solved):
    game = daedalus.game("blackhole", hole="pass")
    solution = solve(game)
    assert solution.path == table_path(game)
    assert (solution.value, solution.distance) == solved("pass").probe(Position(game).state)


@both_holes
def test_reflected_positions_have_one_value(solved, hole):
    solution = solved(hole)
    for position in random_positions(hole, 50, seed=6):
        board, side = position.text.split()
        rows = board.split("/")
        images = (rows[::-1], [row[::-1] for row in rows], ["".join(column) for column in zip(*rows, strict=True)])
        texts = [f"{'/'.join(image)} {side}" for image in images]
        values = {solution.probe(Position.from_text(position.game, text).state) for text in texts}
        assert values == {solution.probe(position.state)}


# The agent


def test_perfect_against_itself_ends_when_the_table_says(solved):
    perfect = Perfect()
    position = daedalus.new("blackhole", hole="pass")
    value, distance = solved("pass").probe(position.state)
    line = perfect.choose(position.view()).line
    while position.outcome() is None:
        position.push(perfect.choose(position.view()).move)
    assert value == 1
    assert position.outcome().winner == 0
    assert len(position.history) == distance
    assert line == tuple(map(str, position.history))[: len(line)]


def test_perfect_holds_a_drawn_game_against_random_moves_and_never_loses(solved):
    perfect, random = Perfect(), Random(7)
    position = daedalus.new("blackhole", hole="stop")
    while position.outcome() is None:
        move = perfect.choose(position.view()).move if position.turn == 1 else random.choice(list(position.legal_moves))
        position.push(move)
    assert position.outcome().winner != 0


def test_perfect_takes_the_draw_in_which_most_replies_lose(solved):
    solution = solved("stop")
    drawn = [p for p in random_positions("stop", 60, seed=8) if solution.probe(p.state)[0] == 0]
    assert len(drawn) > 10
    for position in (Position.from_text(p.game, p.text) for p in drawn):  # without what stood on the board before
        thought = Perfect().choose(position.view())
        chances = {}
        for move in list(position.legal_moves):
            position.push(move)
            if position.outcome() is None and solution.probe(position.state)[0] == 0:
                values = [value for _, value, _ in solution.children(position.game, position.state)]
                chances[move] = (values.count(-1) / len(values), values.count(-1))
            position.pop()
        best = max(chances.values())
        assert thought.move == next(move for move, chance in chances.items() if chance == best)
        assert thought.note == f"exact: {thought.candidates[0].note}"
        assert thought.candidates[0].note.startswith(f"draw ({best[1]} of ")


def test_perfect_does_not_shuffle_when_other_moves_draw_too(solved):
    solved("stop")
    position = daedalus.new("blackhole", seed=1)
    player = Perfect()
    for _ in range(12):
        seen = set(position.keys)
        position.push(player.choose(position.view()).move)
        assert position.keys[-1] not in seen
        if position.outcome():
            break
        position.push(position.legal_moves[0])
    assert len(position.history) > 6


def test_perfect_lists_all_moves_best_first(solved):
    for position in random_positions("pass", 40, seed=9):
        thought = Perfect().choose(position.view())
        assert sorted(c.move for c in thought.candidates) == sorted(position.legal_moves.codes)
        values = [c.value for c in thought.candidates]
        assert values == sorted(values, reverse=True)
        assert thought.line[0] == str(thought.move)


# What cannot be answered


@pytest.mark.parametrize("size", [7, 9])
def test_only_five_by_five_is_solved(size):
    game = daedalus.game("blackhole", size=size)
    with pytest.raises(DaedalusError, match="only the 5 x 5 board"):
        Table.open(game)
    with pytest.raises(InvalidSpec, match="only the 5 x 5 board"):
        Perfect().bind(game)


@pytest.mark.parametrize("text", ["B...B/...../..*../R..../RRR.. R", "RRB../RB.../B.*../...../..... R"], ids=["home", "stuck"])
def test_an_ended_position_has_no_value_and_no_move(solved, text):
    ended = Position.from_text(daedalus.game("blackhole"), text)
    assert ended.outcome() is not None
    with pytest.raises(DaedalusError, match="over"):
        solved("stop").probe(ended.state)
    with pytest.raises(IllegalMove, match="over"):
        Perfect().choose(ended.view())


def test_a_table_refuses_the_other_variant(solved):
    position = daedalus.new("blackhole", hole="pass")
    with pytest.raises(DaedalusError, match="hole=stop"):
        solved("stop").children(position.game, position.state)


@pytest.mark.skipif(not INTERPRETED, reason="for NUMBA_DISABLE_JIT")
def test_interpreted_solving_is_refused_in_one_sentence(tmp_path):
    with pytest.raises(DaedalusError, match="NUMBA_DISABLE_JIT"):
        table.build(daedalus.game("blackhole"), tmp_path / "table")


def _flipped(data, place):
    return data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :]


DAMAGE = {
    "empty": lambda data: b"",
    "random": lambda data: Random(10).randbytes(10_000),
    "header only": lambda data: data[:60],
    "truncated": lambda data: data[:-1],
    "longer": lambda data: data + b"x",
    "flipped bit in the header": lambda data: _flipped(data, 100),
    "flipped bit in a row": lambda data: _flipped(data, len(data) // 2),
    "flipped bit in the digest": lambda data: _flipped(data, 30),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_never_read_but_built_again(solved_cache, tmp_path, monkeypatch, damage):
    game = daedalus.game("blackhole")
    good = (solved_cache / "tables" / table_path(game).name).read_bytes()
    monkeypatch.setenv("DAEDALUS_CACHE", str(tmp_path))
    table_path(game).parent.mkdir()
    table_path(game).write_bytes(damage(good))
    with pytest.raises(MissingTable, match="damaged"):
        Table.open(game, build=False)
    monkeypatch.setattr(table, "build", lambda game, path, progress: path.write_bytes(good))
    assert Table.open(game).hole == "stop"
    assert table_path(game).read_bytes() == good


def test_a_missing_table_and_one_of_the_other_variant_are_said_to_be_missing(solved_cache, tmp_path, monkeypatch):
    stop, other = (daedalus.game("blackhole", hole=hole) for hole in HOLES)
    monkeypatch.setenv("DAEDALUS_CACHE", str(tmp_path))
    with pytest.raises(MissingTable, match="there is no table"):
        Table.open(stop, build=False)
    table_path(stop).parent.mkdir()
    table_path(stop).write_bytes((solved_cache / "tables" / table_path(other).name).read_bytes())
    with pytest.raises(MissingTable, match="hole=pass"):
        Table.open(stop, build=False)
