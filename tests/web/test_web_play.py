"""The course of a game at a table: moves by their ply, taking back, hints, agents, draws, rematches, clocks."""

from pathlib import Path
from random import Random

import pytest
from web.house import Client, House, Seat, bounded, opened, until

import daedalus
from daedalus.core import ONLOOKER, DaedalusError, Position
from daedalus.web.searches import Busy
from daedalus.web.states import shown

GAMES = ["blackhole", "colosseum", "labyrinth", "quoridor", "saboteur"]


def both(client: Client, house: House, game: str = "blackhole", **more: object) -> tuple[Seat, Seat]:
    """The sockets of two people at a new table."""
    made = client.table(game, "you friend", **more)
    return client.sit(made["table"]), Client(house).sit(made["table"], made["seats"][1]["token"])


# --- moves --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_what_a_state_offers_can_be_done(client: Client, house: House, game: str) -> None:
    """Every legal move is reached by its touches, and the store has it when the others hear of it."""
    seats, dice = both(client, house, game), Random(game)
    for ply in range(6):
        mover, other = seats[ply % 2], seats[1 - ply % 2]
        if ply:
            mover.await_state(lambda state, ply=ply: state["ply"] == ply)
        assert mover.state["actions"]["move"] and not other.state["actions"]["move"]
        touched: list[str] = []
        offered = mover.state["next"]
        while True:
            touch = dice.choice(sorted(offered))
            touched.append(touch)
            if (move := offered[touch]["move"]) is not None:
                break
            preview = mover.ask("preview", ply=ply, touched=touched)
            assert preview["board"].startswith("<svg") and preview["touched"] == touched
            offered = preview["next"]
        assert move in mover.state["legal"]
        mover.move(move)
        told = other.await_state(lambda state, ply=ply: state["ply"] == ply + 1)
        assert [saved.text for saved in house.store.load(told["table"]).moves][ply] == move
        assert told["moves"][ply]["seat"] == ply % 2 and told["last_spoken"]


def test_a_doubled_move_is_refused(client: Client, house: House) -> None:
    made = client.table("blackhole", "you you")
    seat = client.sit(made["table"])
    move = seat.state["legal"][0]
    seat.send(type="move", ply=0, move=move)
    seat.send(type="move", ply=0, move=move)
    assert seat.hear("refused")["reason"] == "the game has gone on meanwhile"
    assert seat.await_state()["ply"] == 1
    assert len(house.store.load(made["table"]).moves) == 1


@pytest.mark.parametrize("ply", [None, -1, 1, 0.0, True, "0", [], 10**30])
def test_a_move_needs_its_ply(client: Client, ply: object) -> None:
    seat = client.sit(client.table()["table"])
    assert seat.refusal("move", ply=ply, move=seat.state["legal"][0]) == "the game has gone on meanwhile"


@pytest.mark.parametrize("move", ["", None, 5, "nonsense", "x" * 201, ["b4-b3"], "\ud800", "b4-b3\n; drop table"])
def test_what_is_no_move_is_refused_and_the_state_comes_again(client: Client, move: object) -> None:
    seat = client.sit(client.table()["table"])
    assert seat.refusal("move", ply=0, move=move)
    assert seat.await_state()["ply"] == 0


def test_the_same_ply_is_not_taken_by_two_servers(tmp_path: Path) -> None:
    """With one store for both: the slower one is told of the other's move, and goes on from there."""
    with opened(tmp_path) as one, opened(tmp_path) as two:
        client = Client(one)
        made = client.table("blackhole", "you you")
        there = Client(two)
        there.post(f"/api/tables/{made['table']}/claim", headers={"Authorization": f"Bearer {made['seats'][0]['token']}"})
        here, other = client.sit(made["table"]), there.sit(made["table"])
        first, second = here.state["legal"][:2]
        here.move(first)
        assert "made already" in other.refusal("move", ply=0, move=second)
        assert [move["text"] for move in other.await_state(lambda state: state["ply"])["moves"]] == [first]


@pytest.mark.parametrize("game", ["blackhole", "colosseum", "quoridor"])
def test_where_nothing_is_hidden_all_are_shown_the_same(game: str) -> None:
    """So one picture serves for all: a server draws it once."""
    position, dice = Position(daedalus.game(game), 3), Random(3)
    for _ in range(12):
        views = [position.view(seat) for seat in (0, 1, ONLOOKER)]
        for flip in (False, True):
            first, *others = [shown(view, flip) for view in views]
            assert all(other == first for other in others)
        move = dice.choice(position.legal_moves.codes)
        assert len({view.spoken_move(move) for view in views}) == 1
        position.push(move)


# --- looking ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_ply_can_be_looked_at_again(client: Client, house: House, game: str) -> None:
    seats = both(client, house, game)
    boards = [seats[0].state["board"]]
    for ply in range(4):
        mover = seats[ply % 2]
        if ply:
            mover.await_state(lambda state, ply=ply: state["ply"] == ply)
        mover.move(mover.state["legal"][ply])
        boards.append(
            seats[0].await_state(lambda state, ply=ply: state["ply"] == ply + 1)["board"] if ply % 2 else mover.state["board"]
        )
    for ply, board in enumerate(boards):
        look = seats[0].ask("look", ply=ply)
        assert look["board"] == board and look["move"] == (seats[0].state["moves"][ply - 1]["text"] if ply else None)
    for wrong in (-1, 5, None, "1", True, 1.0):
        assert seats[0].refusal("look", ply=wrong) == "there is no such ply"


def test_a_flipped_board_stays_flipped_for_who_flipped_it(client: Client, house: House) -> None:
    one, two = both(client, house, "quoridor")
    usual = one.state["board"]
    one.send(type="flip", flip=True)
    flipped = one.await_state(lambda state: state["flip"])["board"]
    assert flipped != usual and one.ask("look", ply=0)["board"] == flipped
    one.move(one.state["legal"][0])
    assert one.state["flip"] and not two.await_state(lambda state: state["ply"] == 1)["flip"]


def test_previews_are_for_the_seat_to_move(client: Client, house: House) -> None:
    one, two = both(client, house)
    touch = next(iter(one.state["next"]))
    assert one.ask("preview", ply=0, touched=[touch])["type"] == "preview"
    assert two.refusal("preview", ply=0, touched=[touch]) == "it is not your turn"
    assert "touches" in one.refusal("preview", ply=0, touched=["nowhere"])
    for wrong in (None, "a", [1], ["x" * 81], ["a"] * 13, {"a": 1}):
        assert "list" in one.refusal("preview", ply=0, touched=wrong)


# --- taking back --------------------------------------------------------------------------------------------------------


def test_undo_and_redo_against_an_agent(client: Client, house: House) -> None:
    made = client.table("quoridor", "you random")
    seat = client.sit(made["table"])
    assert not seat.state["actions"]["undo"] and "no turn of yours" in seat.refusal("undo")
    for ply in (0, 2):
        seat.move(seat.state["legal"][0])
        seat.await_state(lambda state, ply=ply: state["ply"] == ply + 2 and not state["thinking"])
    moves, actions = seat.state["moves"], seat.state["actions"]
    assert actions["undo"] and not actions["redo"]
    seat.send(type="undo")
    assert seat.await_state(lambda state: state["ply"] == 2)["moves"] == moves[:2]
    assert seat.state["actions"]["redo"] and len(house.store.load(made["table"]).moves) == 2
    seat.send(type="undo")
    seat.await_state(lambda state: state["ply"] == 0)
    assert house.store.load(made["table"]).turn == 0
    for ply in (2, 4):
        seat.send(type="redo")
        assert seat.await_state(lambda state, ply=ply: state["ply"] == ply)["moves"] == moves[:ply]
    assert [move.text for move in house.store.load(made["table"]).moves] == [move["text"] for move in moves]
    assert "no move to make again" in seat.refusal("redo")
    seat.send(type="undo")
    seat.await_state(lambda state: state["ply"] == 2)
    seat.move(seat.state["legal"][-1])
    assert not seat.state["actions"]["redo"], "another move was made"


def test_nobody_takes_back_against_a_person(client: Client, house: House) -> None:
    one, two = both(client, house)
    one.move(one.state["legal"][0])
    for seat in (one, two):
        assert not seat.state["actions"]["undo"] and seat.refusal("undo")


def test_what_was_learnt_cannot_be_taken_back(client: Client) -> None:
    """A card was drawn, or an objective seen: undo would be a look for nothing."""
    seat = client.sit(client.table("saboteur", "you random")["table"])
    seat.move(next(move for move in seat.state["legal"] if move.startswith("drop:")))
    seat.await_state(lambda state: state["ply"] == 2)
    assert "learnt" in seat.refusal("undo")


def test_undo_while_the_agent_thinks_ends_its_search(client: Client, house: House) -> None:
    seat = client.sit(client.table("blackhole", "you random")["table"])
    house.searches.hold = True
    seat.move(seat.state["legal"][0])
    seat.await_state(lambda state: state["thinking"] == 1)
    ticket = house.searches.asked[-1]
    seat.send(type="undo")
    assert seat.await_state(lambda state: state["ply"] == 0)["thinking"] is None
    assert ticket.answer.cancelled()


# --- advice -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_a_legal_move_with_its_touches(client: Client, house: House, game: str) -> None:
    one, two = both(client, house, game)
    hint = one.ask("hint")
    assert hint["move"] in one.state["legal"] and hint["touches"][0] in one.state["next"] and hint["spoken"]
    assert two.refusal("hint") == "it is not your turn"
    assert (hint["line"] == []) == (game in ("labyrinth", "saboteur")), "a line tells what the agent thinks that others hold"


def test_a_hint_can_be_cancelled_and_is_dropped_by_a_move(client: Client, house: House) -> None:
    house.searches.hold = True
    seat = client.sit(client.table("blackhole", "you you")["table"])
    seat.send(type="hint")
    seat.send(type="cancel")
    assert seat.hear("refused", lambda message: message["to"] == "hint")["reason"] == "stopped"
    seat.send(type="hint")
    seat.move(seat.state["legal"][0]) if seat.ask("look", ply=0) else None
    assert house.searches.asked[-1].answer.cancelled()


def test_a_new_question_replaces_the_one_before(client: Client, house: House) -> None:
    house.searches.hold = True
    seat = client.sit(client.table()["table"])
    seat.send(type="hint")
    seat.send(type="hint")
    assert seat.hear("refused")["reason"] == "stopped"
    one, two = house.searches.asked[-2:]
    assert one.answer.cancelled() and not two.answer.done()


def test_advice_is_for_games_that_are_over(client: Client, house: House) -> None:
    one, two = both(client, house)
    one.move(one.state["legal"][0])
    assert "over" in one.refusal("advice", ply=0)
    two.send(type="resign")
    one.await_state(lambda state: state["outcome"])
    advice = one.ask("advice", ply=0)
    assert advice["ply"] == 0 and advice["move"] and advice["line"]
    assert one.refusal("advice", ply=7) == "there is no such ply"


def test_the_values_of_a_game_are_told_when_it_is_over(client: Client) -> None:
    seat = client.sit(client.table("blackhole", "you random")["table"])
    seat.move(seat.state["legal"][0])
    assert seat.await_state(lambda state: state["ply"] == 2)["values"] == []
    seat.send(type="resign")
    assert seat.await_state(lambda state: state["outcome"])["values"] == [None, -0.25], "for seat 0"


# --- agents -------------------------------------------------------------------------------------------------------------


def test_an_agent_can_be_told_to_move_now(client: Client, house: House) -> None:
    seat = client.sit(client.table("blackhole", "you random")["table"])
    house.searches.hold = True
    seat.move(seat.state["legal"][0])
    state = seat.await_state(lambda state: state["thinking"] == 1)
    assert state["actions"]["now"] and state["turn"] == 1
    seat.send(type="now")
    assert seat.hear("thought")["value"] == -0.25, "for seat 0"
    assert seat.await_state(lambda state: state["ply"] == 2)["thinking"] is None


def test_agents_alone_play_while_somebody_looks_on(client: Client, house: House) -> None:
    house.searches.hold = True
    table = client.table("quoridor", "random random", pace=0)["table"]
    owner, guest = client.sit(table), Client(house).sit(table)
    assert owner.state["watching"] == {"paused": False, "pace": 0} and owner.state["actions"]["pause"]
    for order in ("pause", "step", "pace"):
        assert "only who set" in guest.refusal(order, paused=True, seconds=1)
    owner.send(type="pause", paused=True)
    owner.await_state(lambda state: state["watching"]["paused"] and state["thinking"] is None)
    house.searches.hold = False
    owner.send(type="step")
    assert owner.await_state(lambda state: state["ply"] == 1 and state["thinking"] is None)["watching"]["paused"]
    assert owner.ask("look", ply=1) and owner.state["ply"] == 1, "one step is one move"
    owner.send(type="pace", seconds=7)
    assert guest.await_state(lambda state: state["watching"]["pace"] == 7)
    for wrong in (True, "1", None, float("nan"), [1]):
        assert owner.refusal("pace", seconds=wrong)
    owner.send(type="pace", seconds=-5)
    owner.send(type="pause", paused=False)
    assert guest.await_state(lambda state: state["ply"] >= 4)["values"][0] == 0.25


def test_an_agent_that_fails_for_good_forfeits(client: Client, house: House) -> None:
    seat = client.sit(client.table("blackhole", "you random")["table"])
    house.searches.fail = DaedalusError("no such engine")
    seat.move(seat.state["legal"][0])
    state = seat.await_state(lambda state: state["outcome"])
    assert state["outcome"]["winner"] == 0 and "could not answer" in state["outcome"]["reason"]
    assert len(seat.texts) < 20, "it is not tried for ever"


def test_an_agent_that_must_wait_does_not_forfeit(client: Client, house: House) -> None:
    seat = client.sit(client.table("blackhole", "you random")["table"])
    house.searches.fail = Busy("too many searches wait")
    seat.move(seat.state["legal"][0])
    for _ in range(5):
        assert "must wait" in seat.hear("refused")["reason"]
    house.searches.fail = None
    assert seat.await_state(lambda state: state["ply"] == 2)["outcome"] is None


# --- endings ------------------------------------------------------------------------------------------------------------


def test_resigning_ends_the_game_for_all(client: Client, house: House) -> None:
    one, two = both(client, house)
    one.send(type="resign")
    for seat in (one, two):
        outcome = seat.await_state(lambda state: state["outcome"])["outcome"]
        assert outcome["winner"] == 1 and outcome["sentence"] == "Blue wins: Red resigned"
        assert seat.refusal("resign") == "the game is over" and not seat.state["actions"]["resign"]
    assert "over" in one.refusal("move", ply=0, move="b4-b3") or one.state["turn"] is None


def test_a_draw_is_offered_declined_and_agreed(client: Client, house: House) -> None:
    one, two = both(client, house)
    assert two.refusal("draw", accept=False) == "nobody offers a draw"
    assert "true or false" in one.refusal("draw", accept=1)
    one.send(type="draw", accept=True)
    two.await_state(lambda state: state["offer"] == 0)
    two.send(type="draw", accept=False)
    one.await_state(lambda state: state["offer"] is None)
    two.send(type="draw", accept=True)
    one.await_state(lambda state: state["offer"] == 1)
    one.send(type="draw", accept=True)
    outcome = two.await_state(lambda state: state["outcome"])["outcome"]
    assert outcome["winner"] is None and outcome["sentence"] == "Draw: agreed"


def test_a_move_answers_an_offer(client: Client, house: House) -> None:
    one, two = both(client, house)
    two.send(type="draw", accept=True)
    one.await_state(lambda state: state["offer"] == 1)
    assert one.move(one.state["legal"][0])["offer"] is None


def test_agents_agree_to_no_draw(client: Client) -> None:
    seat = client.sit(client.table("blackhole", "you random")["table"])
    assert not seat.state["actions"]["draw"] and "agents" in seat.refusal("draw", accept=True)


def test_a_rematch_swaps_the_seats_and_gives_each_its_own_token(client: Client, house: House) -> None:
    one, two = both(client, house, "blackhole", clock="5+3")
    table = one.state["table"]
    looking = Client(house).sit(table)
    assert one.refusal("rematch") == "the game still runs"
    one.send(type="resign")
    for seat in (one, two, looking):
        seat.await_state(lambda state: state["outcome"])
    first = one.ask("rematch")
    second, third = two.hear("rematch"), looking.hear("rematch")
    assert first["table"] == second["table"] == third["table"] != table
    assert third["token"] is None and first["token"] != second["token"]
    assert two.ask("rematch")["table"] == first["table"], "who asks later gets the same game"
    again = [Client(house).sit(first["table"], message["token"]).state for message in (first, second)]
    assert [state["you"] for state in again] == [[1], [0]] and again[0]["seats"][0]["clock"] == 300
    assert client.sit(first["table"]).state["you"] == [1], "the cookie holds it too"
    assert looking.refusal("rematch") == "you are looking on"
    assert client.sit(table).state["next_table"] == first["table"]


def test_a_game_without_end_is_a_draw(tmp_path: Path) -> None:
    with opened(tmp_path, bounded(plies=4)) as house:
        client = Client(house)
        seat = client.sit(client.table("quoridor", "you you")["table"])
        while seat.state["outcome"] is None:
            seat.move(seat.state["legal"][0])
        assert seat.state["ply"] == 4 and seat.state["outcome"]["reason"] == "the game is too long"


# --- clocks -------------------------------------------------------------------------------------------------------------


def test_clocks_run_from_the_second_move_on_and_give_the_increment(client: Client, house: House) -> None:
    one, two = both(client, house, clock="5+3")
    assert one.state["clock_runs"] is None and [seat["clock"] for seat in one.state["seats"]] == [300, 300]
    one.move(one.state["legal"][0])
    two.await_state(lambda state: state["ply"] == 1)
    assert two.move(two.state["legal"][0])["clock_runs"] == 0
    one.await_state(lambda state: state["ply"] == 2)
    after = one.move(one.state["legal"][0])
    assert after["clock_runs"] == 1 and 300 < after["seats"][0]["clock"] <= 303
    kept = house.store.load(after["table"]).moves[-1].clocks
    assert kept[0] == pytest.approx(after["seats"][0]["clock"], abs=0.5), "the increment is kept too"


def test_who_has_no_time_left_loses(client: Client, house: House) -> None:
    one, two = both(client, house, clock="0.005")  # 0.3 seconds
    one.move(one.state["legal"][0])
    two.await_state(lambda state: state["ply"] == 1)
    two.move(two.state["legal"][0])
    for seat in (one, two):
        outcome = seat.await_state(lambda state: state["outcome"])["outcome"]
        assert outcome["winner"] == 1 and outcome["reason"] == "Red has no time left"
    assert house.store.load(one.state["table"]).ended["winner"] == 1


def test_a_move_after_the_flag_is_no_move(client: Client, house: House) -> None:
    one, two = both(client, house, clock="5")
    one.move(one.state["legal"][0])
    two.await_state(lambda state: state["ply"] == 1)
    two.move(two.state["legal"][0])
    clocks = house.room(one.state["table"]).table.clocks
    clocks._left[0] = -1.0  # the timer has not rung yet
    one.await_state(lambda state: state["ply"] == 2)
    one.send(type="move", ply=2, move=one.state["legal"][0])
    state = one.await_state(lambda state: state["outcome"])
    assert state["ply"] == 2 and state["outcome"]["winner"] == 1


def test_a_flag_falls_though_nobody_is_there(tmp_path: Path) -> None:
    """Also at a table that was loaded for another reason: its clock runs from then on."""
    with opened(tmp_path) as house:
        client = Client(house)
        made = client.table("blackhole", "you you", clock="0.01")  # 0.6 seconds
        seat = client.sit(made["table"])
        for _ in range(2):
            seat.move(seat.state["legal"][0])
    with opened(tmp_path) as later:
        assert Client(later).ask("GET", f"/api/tables/{made['table']}/record").status_code == 200
        until(lambda: later.store.load(made["table"]).ended, "the flag to fall")


# --- who is there -------------------------------------------------------------------------------------------------------


def test_everybody_sees_who_is_there(client: Client, house: House) -> None:
    one, two = both(client, house)
    one.await_state(lambda state: state["seats"][1]["connected"])
    two.close()
    assert one.await_state(lambda state: not state["seats"][1]["connected"])["seats"][0]["connected"]


def test_who_does_not_read_is_let_go_and_the_others_play_on(tmp_path: Path) -> None:
    with opened(tmp_path, bounded(outgoing=4)) as house:
        client = Client(house)
        table = client.table("blackhole", "you you")["table"]
        seat, deaf = client.sit(table), Client(house).sit(table)
        guest = next(guest for guest in house.room(table).guests if not guest.viewer.you)
        for _ in range(8):
            house.on_loop(guest.send, {"type": "thought", "seat": 0, "padding": "x" * 100})
        for _ in range(3):
            seat.move(seat.state["legal"][0])
        assert until(lambda: len(house.room(table).guests) <= 2)
        deaf.close()


def test_of_many_changes_a_slow_reader_gets_the_last(client: Client, house: House) -> None:
    """States do not pile up: one is in line at a time, and it is made when its turn comes."""
    table = client.table("blackhole", "you you")["table"]
    seat = client.sit(table)
    guest = house.room(table).guests[0]

    def many() -> int:
        for _ in range(50):
            guest.show()
        return int(guest.outgoing.qsize())

    assert house.on_loop(many) <= 1
    assert seat.move(seat.state["legal"][0])["ply"] == 1
