"""Labyrinth's players are ready before a clock runs, in its variants too."""

import subprocess
import sys

import pytest

from daedalus.core.compile import INTERPRETED

READY = """
import daedalus
from daedalus import Limit, Position
from daedalus.core.compile import kernels_loaded

VARIANTS = {"players": 2}, {"players": 3, "again": True}, {"block": True}, {"cap": 1}
SPECS = "rulebased", "advanced", "planner", "mc:double,allstar,rulebased", "expert"
position = Position(daedalus.game("labyrinth", board="3x3"), 1)
position.push(position.view().legal_moves[0])
for spec in SPECS:
    for options in VARIANTS:
        game = daedalus.game("labyrinth", **{"board": "3x3", "cap": 12, **options})
        agent = daedalus.agent(spec, game, seed=3)
        agent.prepare(game)
        ready = kernels_loaded()
        start = Position(game, 2).text.split()
        start[5] = ";".join(pile.replace("|", "") + "|" if "|" in pile else pile for pile in start[5].split(";"))  # all found
        for position in (Position(game, 1), Position.from_text(game, " ".join(start))):
            while position.outcome() is None:
                position.push(agent.choose(position.view(), Limit(simulations=20)).move)
        if kernels_loaded() != ready:
            print(spec, options, kernels_loaded() - ready)
print("done")
"""


@pytest.mark.skipif(INTERPRETED, reason="nothing compiles")
def test_a_prepared_player_compiles_and_loads_nothing_more():
    """In a process of its own, since the tests before have loaded everything."""
    run = subprocess.run([sys.executable, "-c", READY], capture_output=True, text=True, timeout=900)
    assert run.stdout.split() == ["done"], run.stdout + run.stderr
