"""The simple players of Quoridor: what each promises about its moves."""

import random

import pytest

import daedalus
from daedalus import IllegalMove, InvalidSpec, Position
from daedalus.games.quoridor.kernels.policies import Heuristic, Path
from daedalus.games.quoridor.paths import blockers, distance, shortest_path
from daedalus.search import playouts

pytestmark = pytest.mark.interpreted


def wander(options, seed, plies=16):
    position, choice = daedalus.new("quoridor", **options), random.Random(seed)
    for _ in range(plies):
        if position.outcome():
            return
        yield position
        steps, walls = ([m for m in position.legal_moves.codes if (m >= 128) == sort] for sort in (False, True))
        position.push(choice.choice(walls if walls and (not steps or choice.random() < 0.5) else steps))


def read(text, **options):
    return Position.from_text(daedalus.game("quoridor", **options), text)


@pytest.mark.parametrize("options", [{}, {"players": 4}, {"width": 5, "height": 5}], ids=str)
@pytest.mark.parametrize("spec", ["path", "heuristic"])
def test_simple_players_play_legal_moves(spec, options):
    for position in wander(options, 6):
        agent = daedalus.agent(spec, position.game, seed=3)
        move = agent.choose(position.view()).move
        assert move in position.legal_moves
        assert move == daedalus.agent(spec, position.game, seed=3).choose(position.view()).move


def test_path_takes_the_step_after_which_the_way_is_shortest():
    for position in wander({}, 7, 24):
        me, after = position.turn, {}
        for code in position.legal_moves.codes:
            if code < 128:
                twin = position.copy()
                twin.push(code)
                after[code] = distance(twin, me)
        chosen = daedalus.agent("path", position.game).choose(position.view()).move
        assert after[int(chosen)] == min(after.values())


def chosen(position, spec="heuristic", seeds=range(30)):
    """The moves a player chooses with many seeds."""
    return [str(daedalus.agent(spec, position.game, seed).choose(position.view()).move) for seed in seeds]


def test_heuristic_runs_without_walls_from_its_start_and_when_it_can_win():
    assert set(chosen(daedalus.new("quoridor"))) == {"e2"}  # rule 3
    assert set(chosen(read("/ / e4 d4 / 0 0 / 1", walls=0))) == {"e5"}  # rule 1
    assert set(chosen(read("/ / e8 d4 / 10 10 / 1"))) == {"e9"}  # rule 2


def test_heuristic_blocks_four_times_in_ten_where_many_walls_would():
    position = read("/ / e4 d5 / 10 10 / 1")
    moves = chosen(position, seeds=range(200))
    cut, own = (set(blockers(position, shortest_path(position, seat))) for seat in (1, 0))
    walls = [move for move in moves if move[-1] in "hv"]
    assert set(walls) <= cut - own and len(set(walls)) > 3  # rule 5: across Black's path, not across the own one
    assert 50 <= len(walls) <= 110  # rule 4: 40 % of 200, five standard deviations
    assert {move for move in moves if move not in walls} == {"e5"}


def test_patience_is_an_option():
    position = read("/ / e4 d5 / 10 10 / 1")
    assert set(chosen(position, "heuristic:patience=1")) == {"e5"}
    assert all(move[-1] in "hv" for move in chosen(position, "heuristic:patience=0"))
    with pytest.raises(InvalidSpec, match="0 to 1"):
        daedalus.agent("heuristic:patience=2", position.game)


def test_with_two_or_fewer_blocking_walls_heuristic_always_blocks():
    # Black on a2 with one step to go: only a1h and, were b1v not there, no other wall cuts it
    position = read("/ b1 / e4 a2 / 10 9 / 1")
    assert blockers(position, shortest_path(position, 1)) == ["a1h"]
    assert set(chosen(position)) == {"a1h"}


def test_a_finished_game_has_no_move_to_choose():
    with pytest.raises(IllegalMove, match="over"):
        daedalus.agent("path").choose(read("/ / e9 d5 / 10 10 / 2").view())
    with pytest.raises(IllegalMove, match="over"):
        daedalus.agent("expert").choose(read("/ / e9 d5 / 10 10 / 2").view())


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("policy", [Path(), Path(stray=0), Heuristic()], ids=str)
def test_games_of_policies_end(policy, players):
    result = playouts(daedalus.new("quoridor", players=players), 5, policy)
    assert result.draws == 0 and sum(result.payoffs) == pytest.approx(0 if players == 2 else -2)


def test_two_runners_meet_and_the_first_jumps():
    # both need eight steps; White moves first, and whoever meets the other jumps over it
    result = playouts(daedalus.new("quoridor"), 3, Path(stray=0))
    assert result.plies == 14 and result.payoffs == (-1.0, 1.0)
