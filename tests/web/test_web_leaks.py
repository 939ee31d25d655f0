"""Nothing that a client gets depends on what its seat cannot know.

Whole games are played over sockets by two seats and somebody who looks on, all of them curious. All that each received is
kept, and must be, byte for byte, what a server would have sent had everything hidden from that client been dealt otherwise.
"""

import json
import pickle
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from games.small import HighCard
from saboteur.test_saboteur_leaks import pairs as saboteur_pairs
from test_engine_leaks import labyrinth_pairs
from web.house import Client, House, Seat

from daedalus.core import ONLOOKER, Position
from daedalus.web import making, states
from daedalus.web.tables import HUMAN, Table
from daedalus.web.tables import Seat as Sitter

GAMES = [
    ("saboteur", {}),
    ("labyrinth", {"board": "5x5", "cap": "24"}),
    ("labyrinth", {"board": "5x5", "cap": "24", "goals": "own", "again": "yes"}),
    ("labyrinth", {"board": "5x5", "cap": "24", "goals": "any"}),
    ("labyrinth", {"board": "5x5", "cap": "24", "open": "yes"}),
]
DEALS = range(77, 89)  # what is hidden is dealt otherwise by the first of these that does


# --- another truth ------------------------------------------------------------------------------------------------------


class Otherwise:
    """A game as far as a seat knows it: at every ply all that it cannot know is dealt anew."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._reached: list[Any] = []
        self._told: list[dict[str, Any]] = []

    def of(self, truth: Position) -> Position:
        """The position with everything hidden from the seat otherwise, and so all those before it."""
        back = truth.copy()
        missing = []
        while len(back.history) >= len(self._reached):
            deals = (back.view(self.seat, seed) for seed in DEALS)
            view = next((deal for deal in deals if deal.bits != back.bits), back.view(self.seat, DEALS[0]))
            missing.append((view._S, view._legal, back._outcome, back.turn))
            if not back.history:
                break
            back.pop()
        self._reached += missing[::-1]
        other, ply = truth.copy(), len(truth.history)
        other._S, other._legal, other._outcome, other.turn = self._reached[ply]
        other._stack = self._reached[:ply]
        other.seed, other.setup, other.keys = 987654321, "another", [key ^ 0x5555 for key in truth.keys]
        return other

    def told(self, other: Position) -> list[dict[str, Any]]:
        """The story of it."""
        self._told = states.story(other, self.seat, self._told, None)
        return self._told


def table_of(position: Position, game: str, identity: str = "x") -> Table:
    """A table of two people at a position; its own secrets are no client's business."""
    seats = [Sitter(HUMAN, holders={str(number)}) for number in range(position.game.SEATS)]
    table = Table(identity, game, position, seats, b"another secret" * 3, "another creator")
    table.values = [None] * table.ply
    return table


def expected(table: Table, viewer: states.Viewer, told: list[dict[str, Any]], facts: dict[str, Any]) -> dict[str, Any]:
    """The state that a viewer of this table gets."""
    seat = states.eyes(table, viewer)
    view = table.position.view(seat)
    offers = states.offered(view) if states.is_yours(table, viewer) else states.NOTHING
    return states.state(table, viewer, states.shown(view, viewer.flip) | offers, told, facts)


# --- curious clients ----------------------------------------------------------------------------------------------------


class Curious:
    """A client that asks for whatever can be asked for, in and out of turn."""

    def __init__(self, client: Client, table: str, token: str | None, seat: int | None) -> None:
        self.client, self.table, self.seat = client, table, seat
        self.viewer = states.Viewer([] if seat is None else [seat])
        self.otherwise = Otherwise(ONLOOKER if seat is None else seat)
        self.socket = client.sit(table, token)
        self.dice = Random(f"{seat}")

    def ask(self, ply: int) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
        """(kind, question, answer) of everything at this ply."""
        socket = self.socket
        socket.await_state(lambda state: state["ply"] == ply)
        yield "state", {}, socket.state
        for kind, question in self._questions(ply):
            yield kind, question, socket.ask(kind, **question)
        if self.dice.random() < 0.3:
            self.viewer.flip = not self.viewer.flip
            socket.send(type="flip", flip=self.viewer.flip)
            yield "state", {}, socket.await_state(lambda state: state["flip"] == self.viewer.flip)
        answer = self.client.ask("GET", f"/api/tables/{self.table}/record")
        assert answer.status_code == 403
        yield "own", {}, self.client.get("/api/tables")

    def _questions(self, ply: int) -> Iterator[tuple[str, dict[str, Any]]]:
        yield "look", {"ply": self.dice.randrange(ply + 1)}
        yield "look", {"ply": ply}
        touches = list(self.socket.state["next"]) or ["card-map", "drop-0", "cell-8-5", "push-1-left"]
        yield "preview", {"ply": ply, "touched": [self.dice.choice(touches)]}
        yield from (("hint", {}), ("undo", {}), ("redo", {}), ("advice", {"ply": ply}), ("advice", {"ply": 0}))
        if self.seat is None or not self.socket.state["legal"]:
            yield "move", {"ply": ply, "move": "drop:a"}


def check(told: dict[str, Any], kind: str, question: dict[str, Any], who: Curious, truth: Position, house: House) -> None:
    """What was told could not be otherwise, were everything hidden from this client otherwise."""
    game, seat, other = house.room(who.table).table.game_id, who.otherwise.seat, who.otherwise.of(truth)
    table = table_of(other, game, who.table)
    if kind == "own":
        assert all(set(game) == OWN for game in told)
    elif told["type"] == "refused":
        assert told["reason"] in REFUSALS or who.seat == truth.turn, told
    elif kind == "state":
        facts = {name: told[name] for name in ("title", "seats", "thinking")}
        assert json.dumps(told) == json.dumps(expected(table, who.viewer, who.otherwise.told(other), facts))
    elif kind == "look":
        assert json.dumps(told) == json.dumps(states.look(table, who.viewer, question["ply"]))
    elif kind == "preview":
        assert json.dumps(told) == json.dumps(states.preview(table.position.view(seat), question["touched"], who.viewer.flip))
    elif kind == "hint":
        assert who.seat == truth.turn, "nobody else gets one"
        asked = pickle.loads(house.searches.asked[-1].job.view)
        assert pickle.dumps(asked) == pickle.dumps(table.position.view(seat)), "who thinks of it knows no more"
    else:
        raise AssertionError(told)


OWN = {"table", "game", "title", "you", "seats", "ply", "turn", "outcome", "updated"}
REFUSALS = {
    "it is not your turn",
    "you are looking on",
    "there is no turn of yours to take back",
    "there is no move to make again",
    "advice is for games that are over; ask for a hint",
}


@pytest.mark.parametrize("game, options", GAMES, ids=lambda value: str(value))
def test_curious_clients_learn_nothing_that_their_seat_cannot_know(
    client: Client, house: House, monkeypatch: pytest.MonkeyPatch, game: str, options: dict[str, str]
) -> None:
    monkeypatch.setattr(making, "secrets", SimpleNamespace(token_bytes=lambda size: b"7" * size))  # the same deal every time
    made = client.table(game, "you friend", options=options)
    tokens = [seat["token"] for seat in made["seats"]]
    clients = [client, Client(house), Client(house)]
    table = house.room(made["table"]).table
    company = [
        Curious(who, made["table"], token, seat)
        for who, token, seat in zip(clients, [*tokens, None], (0, 1, None), strict=True)
    ]
    dice, differ, secrets = Random(game), 0, []
    while table.outcome is None:
        ply, truth = table.ply, table.position.copy()
        if ply < 4 or ply % 7 == 0:
            for who in company:
                for kind, question, told in who.ask(ply):
                    check(told, kind, question, who, truth, house)
            differ += sum(who.otherwise.of(truth).bits != truth.bits for who in company)
        secrets.append([hidden_of(truth, seat) for seat in (0, 1)])
        mover: Seat = company[truth.turn].socket
        mover.await_state(lambda state, ply=ply: state["ply"] == ply)
        mover.move(dice.choice(mover.state["legal"]))
    assert differ > 5, "there was something to hide"
    for who in company:
        ended = who.socket.await_state(lambda state: state["outcome"])
        check(ended, "state", {}, who, table.position.copy(), house)
        received = "".join([*who.socket.texts, *who.client.answers[1 if who.seat == 0 else 0 :]])
        others = [token for seat, token in enumerate(tokens) if seat != who.seat]
        assert not any(token in received for token in others)
        assert str(table.position.seed) not in received and table.secret.hex() not in received
        for held in secrets:
            for owner, hidden in enumerate(held):
                assert owner == who.seat or hidden is None or hidden not in received


def hidden_of(truth: Position, seat: int) -> str | None:
    """The hand of a seat as texts write it, if it is long enough to be told from other texts."""
    if truth.name != "saboteur":
        return None
    hand = truth.text.split(" | ")[4 + seat]
    return f"{', '.join(hand.split())}." if len(hand.split()) > 3 else None


# --- games that a seat cannot tell apart --------------------------------------------------------------------------------


@pytest.mark.parametrize("game, pairs", [("saboteur", lambda: saboteur_pairs(8)), ("labyrinth", labyrinth_pairs)])
def test_all_that_is_shown_of_two_real_games_is_the_same(game: str, pairs: Any) -> None:
    """The same moves from two deals, played from their beginnings: states, stories, looks, previews, from both sides."""
    for number, (position, twin, seat) in enumerate(pairs()):
        assert position.text != twin.text
        for who in ([seat], []):
            viewer = states.Viewer(who, flip=number % 2 == 1)
            told = [everything(table_of(truth, game), viewer) for truth in (position, twin)]
            assert told[0] == told[1]


def everything(table: Table, viewer: states.Viewer) -> str:
    seat = states.eyes(table, viewer)
    state = expected(table, viewer, states.story(table.position, seat, [], None), {"thinking": None})
    looks = [states.look(table, viewer, ply) for ply in range(0, table.ply + 1, 3)]
    view = table.position.view(seat)
    previews = [states.preview(view, [touch], viewer.flip) for touch in list(state["next"])[::3]]
    return json.dumps([state, looks, previews])


def test_a_story_is_told_in_the_words_of_who_hears_it() -> None:
    """A game of one's own may name a hidden card in the text of a move: the text is made from the hearer's view."""

    class Telling(HighCard):
        """High cards, with texts that name what is under them."""

        def move_text(self, s: Any, m: int) -> str:
            return f"play {m} over {int(s.deck[0])}{int(s.deck[1])}"

    for seed in range(6):
        position = Position(Telling(), seed)
        position.push(position.legal_moves.codes[0])
        for seat in (0, 1):
            told = states.story(position, seat, [], None)
            assert told == states.story(Otherwise(seat).of(position), seat, [], None)
            looked = states.look(table_of(position, "own-1"), states.Viewer([seat]), 1)
            assert looked["move"] == told[0]["text"]
