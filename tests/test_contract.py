"""Registration refuses a game that breaks the contract, in one sentence that says what is wrong."""

from typing import NamedTuple

import pytest
from games.small import Nim

import daedalus
from daedalus.core import InvalidGame, Position
from daedalus.core.registry import register

pytestmark = pytest.mark.interpreted


def broken(**changes):
    """Nim with something replaced (None removes it)."""
    kept = {name: value for name, value in vars(Nim).items() if name in (*NIM_METHODS, "STATE", "MAX_MOVES")}
    body = {name: value for name, value in (kept | changes).items() if value is not None}
    fields = body.pop("fields", {"stones": 5, "seats": 2})
    base = NamedTuple("Base", [(name, int) for name in fields])
    base.__new__.__defaults__ = tuple(fields.values())
    base._field_defaults = fields
    return type("Broken", (base,), body)


NIM_METHODS = ("start", "turn", "moves", "play", "over", "payoff")


@pytest.mark.parametrize(
    "changes, complaint",
    [
        ({"play": None}, r"method play\(s, m\) is missing"),
        ({"over": lambda self: True}, r"method over takes over\(self, s\), 2 parameters, but has 1"),
        ({"MAX_MOVES": 0}, "MAX_MOVES must be a positive whole number, not 0"),
        ({"STATE": [("left", "nonsense")]}, "STATE is not a list of fields"),
        ({"SEATS": 7}, "SEATS must be 1 to 4, not 7"),
        ({"fields": {"stones": "many"}}, "option 'stones' must be a number"),
        ({"fields": {}}, "at least one option"),
    ],
)
def test_a_broken_class_is_refused_in_one_sentence(changes, complaint):
    rules = broken(**changes)
    with pytest.raises(InvalidGame, match=complaint) as error:
        register("broken", rules)
    assert "\n" not in str(error.value)


def test_a_class_that_is_no_named_tuple_is_refused():
    class Plain:
        pass

    with pytest.raises(InvalidGame, match="derives from typing.NamedTuple"):
        register("plain", Plain)


def test_a_misspelt_field_is_named_with_its_method_and_line(tmp_path):
    source = (
        "from typing import NamedTuple\n"
        "class Typo(NamedTuple):\n"
        "    n: int = 3\n"
        "    STATE = [('left', 'i2'), ('turn', 'i1')]\n"
        "    MAX_MOVES = 1\n"
        "    def start(self, s, w): s.left = self.n\n"
        "    def turn(self, s): return s.trun\n"
        "    def moves(self, s, w):\n        w.buf[0] = 0\n        return 1\n"
        "    def play(self, s, m): s.left -= 1\n"
        "    def over(self, s): return s.left == 0\n"
        "    def payoff(self, s, seat): return 0.0\n"
    )
    path = tmp_path / "typo.py"
    path.write_text(source)
    with pytest.raises(InvalidGame, match=r"Typo: turn, line 7: AttributeError: .*trun"):
        daedalus.new(f"{path}:Typo")


def test_a_game_that_does_not_exist_lists_what_does(tmp_path):
    with pytest.raises(InvalidGame, match=r"unknown game 'blakhole'; did you mean 'blackhole'\?"):
        daedalus.new("blakhole")
    with pytest.raises(InvalidGame, match="there is no file"):
        daedalus.new(str(tmp_path / "none.py") + ":Game")
    (tmp_path / "some.py").write_text("class Other: pass")
    with pytest.raises(InvalidGame, match="unknown class in .*some.py 'Game'; valid: Other"):
        daedalus.new(str(tmp_path / "some.py") + ":Game")
    (tmp_path / "wrong.py").write_text("def (")
    with pytest.raises(InvalidGame, match="does not load: SyntaxError"):
        daedalus.new(str(tmp_path / "wrong.py") + ":Game")


def test_options_are_read_and_refused_by_their_description():
    assert daedalus.game("blackhole", hole="pass").hole == 1
    assert daedalus.game("blackhole", size="7").size == 7
    for name, value, complaint in [
        ("size", 6, r"size=6: takes 5\|7\|9"),
        ("size", "big", "size=big: takes a whole number"),
        ("hole", "swallow", r"hole=swallow: takes stop\|pass"),
        ("cap", 0, "cap=0: takes 1 to 30000"),
        ("holes", "pass", "unknown option 'holes'; did you mean 'hole'"),
    ]:
        with pytest.raises(daedalus.InvalidOption, match=complaint):
            daedalus.game("blackhole", **{name: value})


def test_a_position_of_an_unregistered_class_registers_it():
    assert len(Position(Nim(), 1).legal_moves) == 3
