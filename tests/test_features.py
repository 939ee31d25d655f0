"""What a network sees: the check finds what is wrong with it, the command prints it, the documentation lists it."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from games.small import HighCard, Nim

import daedalus
from daedalus.agents.check_game import _features_and_actions
from daedalus.agents.conformance import Broken
from daedalus.core import DaedalusError, InvalidGame
from daedalus.core.features import groups, observed
from daedalus.core.registry import register, registration_of

ROOT = Path(__file__).parent.parent


class Seeing(Nim):
    """Sees how many stones are left."""

    FEATURES = 2
    ACTIONS = 4

    def features(self, s, seat, out):
        out[0] = s.left
        out[1] = 1.0 if s.turn == seat else 0.0


class Forgetful(Seeing):
    """Leaves a number unwritten."""

    def features(self, s, seat, out):
        out[0] = s.left


class Miscounted(Seeing):
    """Names more numbers than there are."""

    def feature_names(self):
        return [("left", 3, "stones")]


class Narrow(Seeing):
    """Has moves beyond its actions."""

    ACTIONS = 2


class Blurred(Seeing):
    """Gives all moves the same number."""

    def action(self, s, m):
        return 0


class Cheating(HighCard):
    """Sees the other's card."""

    FEATURES = 1

    def features(self, s, seat, out):
        out[0] = s.deck[1 - seat]


class Honest(HighCard):
    """Sees its own card."""

    FEATURES = 1

    def features(self, s, seat, out):
        out[0] = s.deck[seat]


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "game, complaint",
    [
        (Forgetful(), "unwritten"),
        (Miscounted(), "add up to 3, FEATURES is 2"),
        (Narrow(), "outside 0..1"),
        (Blurred(), "the same action 0"),
        (Cheating(), "tell hidden cards"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_check_finds_wrong_features_and_actions(game, complaint):
    registration_of(game)
    with np.errstate(over="ignore"), pytest.raises(Broken, match=complaint):
        _features_and_actions(game, 3, 1)


@pytest.mark.interpreted
@pytest.mark.parametrize("game", [Seeing(), Honest()], ids=lambda value: type(value).__name__)
def test_the_check_passes_right_ones(game):
    registration_of(game)
    with np.errstate(over="ignore"):
        assert f"{game.FEATURES} features" in _features_and_actions(game, 2, 1)


@pytest.mark.interpreted
def test_features_without_a_size_are_refused():
    registration_of(Nim())  # completes it with defaults, which are no sizes

    class Sizeless(Nim):
        def features(self, s, seat, out):
            out[0] = 1.0

    with pytest.raises(InvalidGame, match="features needs FEATURES or feature_names"):
        register("sizeless", Sizeless)


@pytest.mark.interpreted
def test_a_game_without_features_says_so():
    with pytest.raises(DaedalusError, match="has no features"):
        observed(daedalus.Position(Nim()))


def test_show_prints_groups_with_grids():
    command = [sys.executable, "-m", "daedalus", "show", "blackhole", "--features"]
    out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    assert "295 features as Red sees them" in out
    assert "own ships (5 x 5): 1 where one is\n    1 . . . 1\n    . 1 . 1 .\n" in out
    told = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True, check=True, timeout=120).stdout)
    assert told["seat"] == 0 and sum(np.size(group["values"]) for group in told["features"]) == 295


@pytest.mark.parametrize("name", daedalus.game_names())
def test_the_documentation_lists_every_group(name):
    text = (ROOT / "docs" / "features.md").read_text()
    section = text.split(f"## {name}\n")[1].split("\n## ")[0]
    game = daedalus.game(name)
    rows = [f"| {group.name} | {' x '.join(map(str, group.shape))} | {group.meaning} |" for group in groups(game)]
    missing = [row for row in rows if row not in section]
    assert missing == []
    assert f"{game.FEATURES} numbers, {game.ACTIONS} actions" in section
