"""Boards in a notebook without a browser: whose cards are shown, what moves are taken, how agents are stopped, what is needed."""

import gc
import json
import re
import subprocess
import sys
import threading

import pytest

import daedalus
from daedalus import Agent, DaedalusError, Limit, Record, Thought
from daedalus.core import ONLOOKER
from daedalus.notebook.bundle import module, style
from daedalus.notebook.game import Game


class Endless(Agent):
    """Thinks until it is stopped."""

    def __init__(self):
        self.began = threading.Event()

    def choose(self, view, limit=None, watch=None):
        thought = Thought(view.legal_moves[0])
        while watch(thought) is not False:
            self.began.set()
        return thought


class Broken(Agent):
    """Fails."""

    def choose(self, view, limit=None, watch=None):
        raise RuntimeError("the tree is empty")


def some_game(name, plies=6):
    position = daedalus.new(name, seed=5)
    for ply in range(plies):
        position.push(position.legal_moves[ply % len(position.legal_moves)])
    return position


def test_only_the_humans_cards_are_shown():
    """The board of a hidden game is the picture of the human's view, during his turn and the agent's."""
    position = some_game("saboteur")
    for seats, human in ((["human", "random"], 0), (["random", "human"], 1)):
        game = Game(position, seats, None, None)
        view = position.view(human)
        state = game.state()
        assert [part["svg"] for part in state["beside"]] == [part.svg for part in view.parts(flip=game.flip).beside]
        assert state["spoken"] == view.spoken
        truth = [part.svg for part in position.parts(flip=game.flip).beside]
        assert [part["svg"] for part in state["beside"]] != truth


def test_nobodys_cards_are_shown_where_agents_play():
    position = some_game("saboteur")
    game = Game(position, ["random", "random"], None, None)
    assert game.state()["board"] == position.view(ONLOOKER).parts().board
    assert game.state()["spoken"] == position.view(ONLOOKER).spoken


def test_thoughts_of_who_knows_more_tell_nothing():
    position = some_game("saboteur")
    thought = Thought(position.legal_moves[0], 0.5, line=("map@12,3",), depth=3)
    told = Game(position, ["human", "random"], None, None)._thought(thought)
    assert told == {"depth": 3}
    open_position = some_game("quoridor")
    game = Game(open_position, ["human", "random"], None, None)
    assert game._thought(Thought(open_position.legal_moves[0], 0.5))["value"] == 0.5


def test_two_people_cannot_share_hidden_cards():
    with pytest.raises(DaedalusError, match="one screen"):
        daedalus.play("saboteur", ["human", "human"])
    assert daedalus.play("quoridor", ["human", "human"]).state["next"]


def test_seats_are_levels_specs_and_agents():
    game = Game(daedalus.new("quoridor"), ["human", "expert"], None, None)
    assert game.agents[0] is None and game.agents[1].spec == "expert"
    with pytest.raises(DaedalusError, match="has 2 seats, not 1"):
        daedalus.play("quoridor", ["human"])
    with pytest.raises(DaedalusError, match="unknown agent"):
        daedalus.play("quoridor", ["human", "nobody"])
    with pytest.raises(DaedalusError, match="seats are a list"):
        daedalus.play("quoridor", "expert")


def test_what_cannot_be_played_is_refused():
    with pytest.raises(DaedalusError, match="a position or the name of a game, not int"):
        daedalus.play(5)
    with pytest.raises(DaedalusError, match="a position has its options already: walls"):
        daedalus.play(daedalus.new("quoridor"), walls=3)


@pytest.mark.parametrize("seat", [2, -2, "Red"])
@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_seat_that_there_is_not_sees_nothing(seat):
    position = some_game("saboteur")
    for thing in (position, Record.from_position(position)):
        with pytest.raises(DaedalusError, match=f"there is no seat {seat!r}"):
            daedalus.show(thing, seat=seat)
    gc.collect()


def test_moves_are_taken_once_and_in_turn():
    position = daedalus.new("quoridor")
    game = Game(position, ["human", Endless()], None, None)
    assert game.hear({"type": "move", "ply": 0, "move": "e2"}) is None
    assert game.hear({"type": "move", "ply": 0, "move": "e2"}) is None  # clicked twice
    assert list(map(str, game.moves)) == ["e2"]
    assert game.hear({"type": "move", "ply": 1, "move": "e8"}) == {"type": "refused", "reason": "it is not your turn"}
    assert not position.history  # the user's own position stays as it was
    game.close()


def test_what_a_page_sends_is_judged():
    game = Game(daedalus.new("labyrinth", seed=1), ["human", "random"], None, None)
    for nonsense in (
        {},
        {"type": "move"},
        {"type": "look", "ply": 3},
        {"type": "preview", "ply": 0, "touched": []},
        {"type": "preview", "touched": 5},
    ):
        assert game.hear(nonsense) is None
    for wrong in ({"type": "move", "ply": 0, "move": "e9"}, {"type": "preview", "ply": 0, "touched": ["nothing"]}):
        assert game.hear(wrong)["type"] == "refused"
    assert not game.moves


def test_a_search_can_be_cut_short_and_stopped():
    agent = Endless()
    game = Game(daedalus.new("quoridor"), ["human", agent], None, None)
    game.move("e2")
    assert agent.began.wait(60) and game.state()["thinking"] == 1
    game.hear({"type": "now"})
    game.wait()
    assert len(game.moves) == 2 and game.state()["thinking"] is None
    agent.began.clear()
    game.move(game.position.legal_moves[0])
    assert agent.began.wait(60)
    game.close()
    assert len(game.moves) == 3 and game.state()["status"] == "Stopped"
    with pytest.raises(DaedalusError, match="was stopped"):
        game.move(game.position.legal_moves[0])


def test_an_agents_fault_is_told():
    widget = daedalus.play("quoridor", ["human", Broken()])
    widget.move("e2")
    widget.wait()
    assert widget.state["status"] == "Black cannot move: the tree is empty"


def test_agents_play_to_the_end():
    widget = daedalus.play("blackhole", ["random", "greedy"], limit=Limit(simulations=10))
    widget.wait()
    outcome = widget.position.outcome()
    assert outcome is not None and widget.record.payoffs == outcome.payoffs and outcome.reason in widget.state["status"]
    widget.stop()
    assert outcome.reason in widget.state["status"]


def test_a_record_hides_what_a_running_game_hides():
    position = some_game("saboteur")
    widget = daedalus.show(Record.from_position(position))
    assert widget.state["spoken"] == position.view(ONLOOKER).spoken
    assert daedalus.show(Record.from_position(position), seat=0).state["spoken"] == position.view(0).spoken
    resigned = Record.from_position(position, result=(1, -1), reason="Blue resigns")
    assert daedalus.show(resigned).state["spoken"] == position.spoken
    assert daedalus.show(resigned).state["status"] == "Blue resigns"


def test_a_position_is_shown_as_it_is_or_as_a_seat_sees_it():
    position = some_game("labyrinth")
    assert daedalus.show(position).state["board"] == position.parts().board
    assert daedalus.show(position, seat=1, flip=True).state["board"] == position.view(1).parts(flip=True).board
    assert json.dumps(daedalus.show(position).state)
    with pytest.raises(DaedalusError, match="not str"):
        daedalus.show("quoridor")


def test_the_widget_is_one_module_that_asks_nobody():
    text = re.sub(r"/\*\*.*?\*/", "", module(), flags=re.DOTALL)  # types are named by imports inside comments
    assert re.findall(r"^export .*", text, re.M) == ["export default { render: $widget.render };"]
    assert not re.search(r"^import\b|\bimport\(|fetch\(|https?://(?!www\.w3\.org/)", text, re.M)
    assert "customElements.define" in text
    assert "[data-touch].lit:hover .ghost" in style() and ".daedalus" in style()


HIDING = "import sys; sys.modules['anywidget'] = None\nimport daedalus\nposition = daedalus.new('blackhole')\n"


def run(code):
    return subprocess.run([sys.executable, "-c", HIDING + code], capture_output=True, text=True, check=True)


def test_one_line_says_what_to_install_and_a_picture_is_shown():
    needed = "boards in a notebook need anywidget: pip install 'daedalus[notebook]'\n"
    shown = run("print(daedalus.show(position)._repr_svg_() == position.svg())")
    assert (shown.stdout, shown.stderr) == ("True\n", needed)
    played = run("try:\n    daedalus.play(position)\nexcept daedalus.DaedalusError as error:\n    print(error)")
    assert played.stdout == needed


def test_importing_daedalus_loads_no_widget_and_no_compiler():
    code = "import daedalus\nprint(sorted({'numba', 'anywidget', 'sqlalchemy'} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", "import sys\n" + code], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"
