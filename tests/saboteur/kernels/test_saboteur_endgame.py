"""The end of a game of Saboteur: when no malus is to be feared, which cards are kept for the last two tiles, who dares a step."""

import pytest

import daedalus
from daedalus import Position
from daedalus.core.compile import INTERPRETED
from daedalus.core.memory import copies, workspaces
from daedalus.games.saboteur.kernels.endgame import fears_malus
from daedalus.games.saboteur.kernels.policies import Careful
from daedalus.search.kernels.pick import pick

GAME = daedalus.game("saboteur")
NO_MALUS = daedalus.game("saboteur", deck="4,1,1,1,1,4,5,5,5,5,3,1,1,1,1,1,6,0,4,3")
CROSSES = daedalus.game("saboteur", deck="4,0,0,0,0,0,2,0,30,0,0,0,1,0,0,0,1,0,1,0")
THREE = "6,5:0 7,5:0 8,5:0"  # so many are missing
TWO = "6,5:0 7,5:0 8,5:0 9,5:6"
KNOWN = "000 010 000"  # Red knows where the nugget lies


def position(game, hand, other="8 8", deck="7 7 9 9", tiles=THREE, malus="0 0"):
    return Position.from_text(game, f"0 | {malus} | {KNOWN} | p n p | {hand} | {other} | {deck} | {tiles}")


def move(*given, spec="careful:patient,endgame", **more):
    board = position(*given, **more)
    return str(daedalus.agent(spec, board.game, seed=1).choose(board.view()).move)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "game, hand, more, fears",
    [
        (GAME, "0 1", {}, True),  # both may be anywhere
        (GAME, "malus 1", {}, True),
        (GAME, "malus malus", {}, False),  # all there are
        (GAME, "malus 1", {"malus": "0 1"}, False),  # one lies before Blue
        (GAME, "0 1", {"deck": ""}, False),  # too late
        (NO_MALUS, "0 1", {}, False),
    ],
)
def test_a_malus_is_feared_while_one_is_unseen_and_cards_are_drawn(game, hand, more, fears):
    assert bool(fears_malus(position(game, hand, **more).view().state, 0)) == fears


@pytest.mark.interpreted
def test_who_fears_no_malus_builds_until_two_are_missing():
    assert move(NO_MALUS, "0 1") == "0@9,5"
    assert move(NO_MALUS, "0 1", tiles=TWO) == "drop:b", "another step would hand the win over"
    assert move(GAME, "0 1") == "drop:b"
    assert move(NO_MALUS, "0 1", spec="careful:patient") == "drop:b"


@pytest.mark.interpreted
def test_who_fears_no_malus_drops_bonuses_first_and_keeps_what_may_be_the_last_tile():
    assert move(NO_MALUS, "1 bonus 12", tiles=TWO) == "drop:b"
    assert move(GAME, "1 bonus 12", tiles=TWO) == "drop:c"
    # on 11,5, entered from the north, 0 leads to the nugget and 7 does not; on 10,5 both lead on
    assert move(NO_MALUS, "0 8 destroy", tiles=TWO) == "drop:c"
    assert move(NO_MALUS, "0 8 destroy", tiles=TWO, spec="careful:patient") == "drop:a"


@pytest.mark.interpreted
def test_a_step_is_dared_against_a_last_card_with_a_tile_to_follow():
    late = {"deck": "", "other": "12", "tiles": TWO}
    assert move(GAME, "0 6", **late) in ("0@10,5", "6@10,5", "6f@10,5")
    assert move(GAME, "0 10", **late) == "drop:b", "nothing would follow"
    assert move(GAME, "0 6", **{**late, "other": "12 1"}).startswith("drop"), "the other holds two cards"
    assert move(GAME, "0 6", spec="careful:patient", **late).startswith("drop")
    assert move(CROSSES, "0 6", **late).startswith("drop"), "most of what is unseen would lay the last tile"


@pytest.mark.interpreted
def test_the_other_seat_is_not_expected_to_play_so():
    """In a deal for Blue's search Red, to move, is the careful builder; in one for Red's it plays for the end."""
    policy = Careful(patient=1, endgame=1)
    board = position(NO_MALUS, "0 1")
    picked = []
    for observer in (0, 1):
        S = copies(board.game, [board.state], 1)
        S[0].observer = observer
        picked.append(str(board.move(int(pick(board.game, policy, S, workspaces(board.game, 1, 1))))))
    assert picked == ["0@9,5", "drop:b"]


@pytest.mark.skipif(INTERPRETED, reason="searches")
def test_the_expert_wins_with_its_last_two_tiles():
    board = position(GAME, "0 6 bonus", other="12 1", deck="", tiles=TWO)
    expert = daedalus.agent("expert:simulations=300", GAME, seed=1)
    assert str(expert.choose(board.view()).move) == "drop:c"
    board.push("drop:c")
    board.push("drop:a")
    assert str(expert.choose(board.view()).move).endswith("@10,5")
