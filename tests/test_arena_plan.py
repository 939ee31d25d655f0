"""Plans and openings: pairs share everything but the seats, everybody sits everywhere, boards differ from pair to pair."""

from collections import Counter
from pathlib import Path

import pytest
from arena_agents import NIM, TICTACTOE

import daedalus
from daedalus import DaedalusError, Limit
from daedalus.arena import read_openings
from daedalus.arena.openings import random_moves
from daedalus.arena.plan import Plan, game_of, limit_of, sprt_of
from daedalus.arena.sprt import Sprt

pytestmark = pytest.mark.interpreted


def plan(*specs: str, game: str = TICTACTOE, games: int = 10, **settings: object) -> Plan:
    return Plan("match" if len(specs) == 2 else "tournament", game_of(game), specs, games, **settings)


def test_games_come_in_pairs_with_swapped_seats() -> None:
    tasks = [plan("a", "b", random_plies=2).task(number) for number in range(10)]
    for one, other in zip(tasks[::2], tasks[1::2], strict=True):
        assert (one.pair, one.seed, one.opening) == (other.pair, other.seed, other.opening)
        assert one.seats == (0, 1) and one.specs == ("a", "b")
        assert other.seats == (1, 0) and other.specs == ("b", "a")
    assert len({task.seed for task in tasks}) == 5
    assert len({seed for task in tasks for seed in task.seeds}) == 20


def test_an_odd_number_of_games_is_rounded_up() -> None:
    assert plan("a", "b", games=7).total == 8
    assert plan("a", "b", "c", games=3).total == 3 * 4


def test_a_round_robin_pairs_everybody_and_a_gauntlet_only_the_first() -> None:
    assert plan("a", "b", "c").meetings == [(0, 1), (0, 2), (1, 2)]
    assert plan("a", "b", "c", gauntlet=True).meetings == [(0, 1), (0, 2)]


def test_all_meetings_of_a_round_play_the_same_board() -> None:
    tournament = plan("a", "b", "c", games=4)
    seeds = [tournament.task(number).seed for number in range(tournament.total)]
    assert len(set(seeds[:6])) == 1 and len(set(seeds)) == 2


@pytest.mark.parametrize("agents, seats, games", [(3, 3, 6), (4, 4, 24), (2, 3, 12), (5, 3, 6), (2, 4, 24)])
def test_with_more_seats_everybody_sits_everywhere_equally_often(agents: int, seats: int, games: int) -> None:
    table = plan(*"abcde"[:agents], game=f"{NIM} seats={seats}", games=games)
    tasks = [table.task(number) for number in range(table.total)]
    for seat in range(seats):
        assert len(set(Counter(task.seats[seat] for task in tasks).values())) == 1
    assert all(len({task.seed for task in tasks if task.pair == pair}) == 1 for pair in {task.pair for task in tasks})


def test_four_agents_meet_in_every_order() -> None:
    table = plan(*"abcd", game=f"{NIM} seats=4", games=24)
    assert len({table.task(number).seats for number in range(24)}) == 24


@pytest.mark.parametrize(
    "settings, reason",
    [
        ({"games": 0}, "games=0: wants at least 1"),
        ({"random_plies": -1}, "random_plies=-1"),
        ({"grace": -0.1}, "grace=-0.1"),
        ({"anchor": ("c", 0.0)}, "unknown anchor 'c'.*valid: a, b"),
        ({"sprt": Sprt(0, 10), "game": f"{NIM} seats=3"}, "this game has 3 seats"),
        ({"games": 10**30}, "games=10000000000000000000: wants at most 1,000,000,000"),
        ({"random_plies": 10**6}, "random_plies=1000000: wants at most 1,000"),
        ({"grace": float("inf")}, "grace=inf: wants at most"),
        ({"grace": float("nan")}, "grace=nan: wants"),
    ],
)
def test_senseless_settings_are_refused(settings: dict[str, object], reason: str) -> None:
    with pytest.raises(DaedalusError, match=reason):
        plan("a", "b", **settings)


def test_texts_mean_games_limits_and_tests() -> None:
    assert game_of("blackhole hole=pass") == daedalus.game("blackhole", hole="pass")
    assert limit_of("seconds=0.5") == Limit(seconds=0.5) and limit_of(Limit()) is None
    assert sprt_of("0,10") == sprt_of((0, 10)) == Sprt(0, 10) and sprt_of(None) is None


def written(folder: Path, text: str) -> Path:
    file = folder / "openings.txt"
    file.write_text(text)
    return file


def test_openings_are_read_with_comments_numbers_and_quotes(tmp_path: Path) -> None:
    file = written(tmp_path, '# the usual ones\n4 0  # centre\n\n1. 8 "4" 2. 2\n')
    assert read_openings(file, game_of(TICTACTOE)) == [("4", "0"), ("8", "4", "2")]


@pytest.mark.parametrize(
    "text, reason",
    [
        ("4 0\n4 4\n", "openings.txt, line 2: ply 2: '4' is not a legal move here"),
        ("0 3 1 4 2\n", "line 1: ply 5: '2' ends the game"),
        ('4 "0\\q"\n', "line 1: a string in quotes"),
        ("# nothing\n", "there is no opening in it"),
    ],
)
def test_a_bad_opening_is_named_by_its_line(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(DaedalusError, match=reason):
        read_openings(written(tmp_path, text), game_of(TICTACTOE))
    with pytest.raises(DaedalusError, match="cannot read openings from .*nowhere"):
        read_openings(tmp_path / "nowhere", game_of(TICTACTOE))


def test_openings_are_taken_in_turn(tmp_path: Path) -> None:
    openings = (("4",), ("0",), ("1",))
    tasks = [plan("a", "b", openings=openings).task(number) for number in range(10)]
    assert [task.opening for task in tasks[::2]] == [("4",), ("0",), ("1",), ("4",), ("0",)]


def test_random_plies_depend_on_the_seed_alone_and_never_end_the_game() -> None:
    histories = []
    for seed in range(60):
        position, twin = daedalus.new(TICTACTOE, seed=1), daedalus.new(TICTACTOE, seed=1)
        random_moves(position, 7, seed)
        random_moves(twin, 7, seed)
        assert position.history == twin.history and position.outcome() is None
        histories.append(tuple(position.history))
    assert len(set(histories)) > 50 and max(map(len, histories)) == 7


def test_random_plies_stop_where_every_move_ends_the_game() -> None:
    position = daedalus.new(NIM, stones=1)
    random_moves(position, 3, 0)
    assert position.history == []


def test_with_fixed_seats_a_sits_first_and_every_board_is_another() -> None:
    fixed = plan("a", "b", games=5, fixed_seats=True)
    tasks = [fixed.task(number) for number in range(fixed.total)]
    assert fixed.total == 5 and {task.seats for task in tasks} == {(0, 1)}
    assert len({task.seed for task in tasks}) == 5 and [task.pair for task in tasks] == [0, 1, 2, 3, 4]
    assert fixed.settings()["fixed_seats"] and "fixed_seats" not in plan("a", "b").settings()
    with pytest.raises(DaedalusError, match="with fixed seats there are none"):
        plan("a", "b", fixed_seats=True, sprt=Sprt(0, 10))
