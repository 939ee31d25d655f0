"""One system for the options of games and agents: described, read, refused and written back in the same way."""

from dataclasses import dataclass
from typing import NamedTuple

import pytest

import daedalus
from daedalus.agents import agent_options, describe
from daedalus.core import Agent, InvalidOption, Number, Real, Switch, Text, Word, setting
from daedalus.core.options import make, options_of, parsed, written
from daedalus.core.registry import find, game_names

pytestmark = pytest.mark.interpreted


def told(option):
    return option.name, option.type, option.default, option.choices, option.low, option.high, option.help, option.takes


class Told(NamedTuple):
    size: int = 5
    hole: int = 1
    open: bool = False
    share: float = 0.5
    many: int = 3
    private_: int = 0

    OPTIONS = {
        "hole": Word("what it does", ("stop", "pass")),
        "size": Number("cells", 3, 9),
        "share": Real("how much", 0, 1),
    }


@dataclass
class Player(Agent):
    c: float = setting(1.5, "exploration", float, low=0)
    depth: int | None = setting(None, "plies", int, low=1, high=64)
    order: str = setting("best", "of moves", choices=("best", "last"))
    full: bool = setting(True, "score all", bool)
    eval: str = setting("own", "evaluation")


class Plain:
    def __init__(self, view=None, *, depth=3, fast=False, name="me", **more):
        pass


def test_an_option_tells_name_type_default_choices_bounds_and_meaning_of_a_game():
    assert [told(option) for option in options_of(Told)] == [
        ("hole", "choice", 1, ("stop", "pass"), None, None, "what it does", "stop|pass"),
        ("size", "whole", 5, (), 3, 9, "cells", "3..9"),
        ("share", "number", 0.5, (), 0, 1, "how much", "0..1"),
        ("open", "switch", False, (), None, None, "", "yes|no"),
        ("many", "whole", 3, (), -(2**31), 2**31, "", "-2147483648..2147483648"),
    ]
    assert [option.default_text for option in options_of(Told)] == ["pass", "5", "0.5", "no", "3"]


def test_and_of_an_agent():
    assert [told(option) for option in options_of(Player)] == [
        ("c", "number", 1.5, (), 0, None, "exploration", "number"),
        ("depth", "whole", None, (), 1, 64, "plies", "1..64"),
        ("order", "choice", "best", ("best", "last"), None, None, "of moves", "best|last"),
        ("full", "switch", True, (), None, None, "score all", "yes|no"),
        ("eval", "text", "own", (), None, None, "evaluation", "text"),
    ]
    assert [option.default_text for option in options_of(Player)] == ["1.5", None, "best", "yes", "own"]


def test_and_of_a_class_that_describes_nothing():
    plain = [(option.name, option.type, option.default) for option in options_of(Plain)]
    assert plain == [("view", "text", None), ("depth", "number", 3), ("fast", "switch", False), ("name", "text", "me")]


def test_a_game_and_an_agent_tell_the_values_they_have():
    assert [option.default_text for option in options_of(Told(hole=0, share=0.25))] == ["stop", "5", "0.25", "no", "3"]
    assert {
        option.name: option.default for option in agent_options(daedalus.agent("mcts:c=2,puct", daedalus.game("blackhole")))
    }["select"] == "puct"


def test_a_users_agent_tells_its_options_too(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("class Mine:\n    def __init__(self, place=-1): pass\n    def choose(self, view, limit): return 0\n")
    (option,) = agent_options(daedalus.agent(f"{path}:Mine,place=2"))
    assert (option.name, option.type, option.default) == ("place", "number", 2)


@pytest.mark.parametrize("thing", [Told(), Told(9, 0, True, 0.125, -7), Player(), Player(0.1, 3, "last", False, "h1")])
def test_what_is_written_is_read_back(thing):
    known = {option.name: option for option in options_of(type(thing))}
    again = {name: known[name].read(text) for name, text in parsed(written(thing, ","), ",").items()}
    assert type(thing)(**again) == thing


@pytest.mark.parametrize("name", game_names())
def test_every_option_of_every_game_and_agent_is_described_and_takes_its_own_default(name):
    offered = [options_of(find(name).rules), *(info.options for info in describe(name))]
    for option in (option for options in offered for option in options):
        assert option.help and option.takes and option.type in ("whole", "number", "switch", "choice", "text")
        assert (option.type == "choice") == bool(option.choices)
        if option.default is not None:
            assert option.read(option.default_text) == option.default, option.name


@pytest.mark.parametrize(
    "kind, value, complaint",
    [
        (Number("", 1, 9), 0, "x=0: takes 1 to 9"),
        (Number("", 1), "0", "x=0: takes at least 1"),
        (Number("", None, 9), 10, "x=10: takes at most 9"),
        (Number(""), 10**16, "x=10000000000000000: takes at most 1e+15"),
        (Number(""), "9" * 5000, "x=" + "9" * 76 + " ...: takes a whole number"),
        (Number(""), 2.5, "x=2.5: takes a whole number"),
        (Real("", 0), "-1e-9", "x=-1e-9: takes at least 0"),
        (Real(""), "inf", "x=inf: takes a number"),
        (Real(""), "nan", "x=nan: takes a number"),
        (Real(""), [1], "x=[1]: takes a number"),
        (Switch(""), "perhaps", "x=perhaps: takes yes|no"),
        (Word("", ("stop", "pass")), "stopp", "x=stopp: takes stop|pass; did you mean 'stop'?"),
        (Word("", ("stop", "pass")), 2, "x=2: takes stop|pass"),
        (Text("", ("uct", "puct")), "x", "x=x: takes uct|puct"),
    ],
)
def test_a_value_that_is_not_taken_is_answered_with_what_is(kind, value, complaint):
    with pytest.raises(InvalidOption) as error:
        kind.read("x", value)
    assert str(error.value) == complaint


def test_an_unknown_option_is_answered_with_those_there_are():
    with pytest.raises(InvalidOption, match="unknown option 'sice'; did you mean 'size'"):
        make(Told, {"sice": 3})
    with pytest.raises(InvalidOption, match="option 'size': write it as name=value"):
        parsed("size")
